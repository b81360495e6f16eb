// An exact index of positions by key that grows, for backward induction, counting and compiling.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/rng.hpp"

namespace kiebitz::search {

// Numbers positions 0, 1, 2 ... in the order in which their keys are first added: open addressing, linear probing.
// It grows without limit; callers with a memory limit check room_needed() before every add().
class KeyIndex {
 public:
  KeyIndex() { slots_.resize(kFirst); }

  // The number of a key and whether it is new.
  std::pair<std::uint32_t, bool> add(std::uint64_t key) {
    if (full()) grow();
    Slot& slot = slots_[place(key)];
    if (slot.number != 0) return {slot.number - 1, false};
    slot = {key, ++count_};
    return {count_ - 1, true};
  }

  std::optional<std::uint32_t> number(std::uint64_t key) const {
    const Slot& slot = slots_[place(key)];
    if (slot.number == 0) return std::nullopt;
    return slot.number - 1;
  }

  std::uint32_t size() const { return count_; }
  std::int64_t bytes() const { return static_cast<std::int64_t>(slots_.size() * sizeof(Slot)); }
  // What the next add() takes on top of bytes() while the slots are moved.
  std::int64_t room_needed() const { return full() ? 2 * bytes() : 0; }

 private:
  static constexpr std::size_t kFirst = 1024;

  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t number = 0;  // counted from 1; 0: empty
  };

  bool full() const { return (std::size_t{count_} + 1) * 2 > slots_.size(); }

  std::size_t place(std::uint64_t key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = mix64(key) & mask;
    while (slots_[i].number != 0 && slots_[i].key != key) i = (i + 1) & mask;
    return i;
  }

  void grow() {
    if (count_ > std::numeric_limits<std::uint32_t>::max() / 4) {
      throw LimitError("positions: more than " + std::to_string(count_) + " are not supported");
    }
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.number != 0) slots_[place(slot.key)] = slot;
    }
  }

  std::uint32_t count_ = 0;
  std::vector<Slot> slots_;
};

}  // namespace kiebitz::search
