// What the solver of Connect Four remembers: a bound on the score of a position, eight positions to a cache line.
#pragma once

#include <bit>
#include <cstdint>

#include "base/table_memory.hpp"

namespace kiebitz::connect_four {

// Bounds hold for ever, so nothing is ever cleared. A key is mixed by a bijection; its high bits choose the line, its
// low 48 are kept in the slot. With 2^16 lines or more both together are the whole key: positions are never confused.
// The rest of a slot is the work that the bound took, as a power of two (8 bits), and the bound itself (8 bits).
class BoundTable {
 public:
  static constexpr std::int64_t kLeastMegabytes = 4;  // 2^16 lines

  explicit BoundTable(std::int64_t megabytes) : memory_(megabytes, kLeastMegabytes) {
    lines_ = static_cast<Line*>(memory_.data());
    count_ = memory_.bytes() / sizeof(Line);
  }

  void prefetch(std::uint64_t key) const { __builtin_prefetch(&line(mixed(key))); }

  // What was stored with a key; 0: nothing is known.
  std::uint32_t find(std::uint64_t key) const {
    const std::uint64_t hash = mixed(key);
    for (const std::uint64_t slot : line(hash).slots) {
      if (same(slot, hash)) return static_cast<std::uint32_t>(slot & 0xFF);
    }
    return 0;
  }

  // Replaces what is known of the key, else what took the least work.
  void store(std::uint64_t key, std::uint32_t bound, std::int64_t work) {
    const std::uint64_t hash = mixed(key);
    Line& here = lines_[place(hash)];
    std::uint64_t* victim = nullptr;
    for (std::uint64_t& slot : here.slots) {
      if (same(slot, hash)) {
        victim = &slot;
        break;
      }
      if (victim == nullptr || work_of(slot) < work_of(*victim)) victim = &slot;
    }
    const auto power = static_cast<std::uint64_t>(std::bit_width(static_cast<std::uint64_t>(work)));
    *victim = hash << 16 | power << 8 | bound;
  }

 private:
  struct alignas(64) Line {
    std::uint64_t slots[8];
  };

  static bool same(std::uint64_t slot, std::uint64_t hash) { return ((slot ^ hash << 16) >> 16) == 0; }
  static std::uint64_t work_of(std::uint64_t slot) { return slot >> 8 & 0xFF; }

  // A product with an odd number and a shifted copy can both be undone.
  static std::uint64_t mixed(std::uint64_t key) {
    key *= 0x9E37'79B9'7F4A'7C15ULL;
    return key ^ key >> 32;
  }
  std::size_t place(std::uint64_t hash) const {
    return static_cast<std::size_t>((static_cast<unsigned __int128>(hash) * count_) >> 64);
  }
  const Line& line(std::uint64_t hash) const { return lines_[place(hash)]; }

  TableMemory memory_;
  Line* lines_ = nullptr;
  std::uint64_t count_ = 0;
};

}  // namespace kiebitz::connect_four
