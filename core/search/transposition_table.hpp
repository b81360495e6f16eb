// The transposition table of alpha-beta: a fixed size, keyed by hashes of positions; older and shallower entries go
// first.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <string>

#include "base/error.hpp"
#include "base/types.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace kiebitz::search {

enum class Bound : std::uint32_t { none = 0, lower = 1, upper = 2, exact = 3 };

// Buckets of three slots, one cache line each. A slot keeps 48 bits of the hash; the other 16 follow from the bucket,
// so with 2^16 buckets or more a slot identifies all 64 bits, and positions with different keys are never confused.
//
// Nothing is cleared between searches: every slot has a generation, and slots older than the search count as empty.
class TranspositionTable {
 public:
  static constexpr std::int64_t kMostMegabytes = 1 << 20;
  static constexpr std::uint32_t kDeepest = (1U << 14) - 1;

  struct Hit {
    double value = 0;
    Action action = kNoAction;  // only its low 16 bits are kept: an ordering hint, to be matched against legal actions
    int depth = 0;
    Bound bound = Bound::none;
    bool complete = false;  // no leaf of the search below was cut off by the depth
  };

  // At least 4 MB are used, the smallest size that keeps keys exact.
  explicit TranspositionTable(std::int64_t megabytes) {
    if (megabytes < 1 || megabytes > kMostMegabytes) {
      throw ParameterError("table_mb: expected 1 to " + std::to_string(kMostMegabytes) + ", got " +
                           std::to_string(megabytes));
    }
#if defined(__linux__)
    const std::int64_t machine = (static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE)) >> 20;
    if (machine > 0 && megabytes > machine / 4 * 3) {
      throw LimitError("table_mb: " + std::to_string(megabytes) + " MB asked for, but only " +
                       std::to_string(machine / 4 * 3) + " of the machine's " + std::to_string(machine) +
                       " MB may go into one table");
    }
#endif
    count_ = static_cast<std::uint64_t>(megabytes < 4 ? 4 : megabytes) * ((1 << 20) / sizeof(Bucket));
    constexpr std::size_t kAlign = 2U << 20;
    const std::size_t bytes = count_ * sizeof(Bucket);
    memory_.reset(std::malloc(bytes + kAlign));
    if (!memory_) throw LimitError("table_mb: no memory for " + std::to_string(megabytes) + " MB");
    const auto address = (reinterpret_cast<std::uintptr_t>(memory_.get()) + kAlign - 1) & ~(kAlign - 1);
    buckets_ = reinterpret_cast<Bucket*>(address);
#if defined(__linux__)
    madvise(buckets_, bytes, MADV_HUGEPAGE);  // fewer TLB misses; nothing depends on it
#endif
    // Touched now, so that page faults do not count against the time limit of a search.
    std::memset(static_cast<void*>(buckets_), 0, bytes);
  }

  // A new search: everything stored so far is forgotten.
  void begin() {
    if (generation_ + kMostIterations > kLastGeneration) {
      std::memset(static_cast<void*>(buckets_), 0, count_ * sizeof(Bucket));
      generation_ = 0;
    }
    first_ = ++generation_;
  }

  // The next iteration of the same search: older slots stay readable but are replaced first.
  void age() {
    if (generation_ < kLastGeneration) ++generation_;
  }

  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&bucket(hash)); }

  bool probe(std::uint64_t hash, Hit& hit) const {
    const Bucket& b = bucket(hash);
    const std::uint64_t tag = hash << 16;
    for (int i = 0; i < kSlots; ++i) {
      if ((b.tag[i] & ~kActionMask) != tag || (b.meta[i] >> 17) < first_) continue;
      const std::uint32_t meta = b.meta[i];
      hit.value = b.value[i];
      hit.action = static_cast<Action>(b.tag[i] & kActionMask) - 1;
      hit.depth = static_cast<int>(meta & kDeepest);
      hit.bound = static_cast<Bound>(meta >> 14 & 3);
      hit.complete = (meta >> 16 & 1) != 0;
      return true;
    }
    return false;
  }

  void store(std::uint64_t hash, double value, Action action, int depth, Bound bound, bool complete) {
    Bucket& b = bucket(hash);
    const std::uint64_t tag = hash << 16;
    int victim = 0;
    std::uint32_t lowest = std::numeric_limits<std::uint32_t>::max();
    for (int i = 0; i < kSlots; ++i) {
      if ((b.tag[i] & ~kActionMask) == tag && (b.meta[i] >> 17) >= first_) {
        victim = i;
        break;
      }
      // Oldest first, then shallowest.
      const std::uint32_t worth = (b.meta[i] >> 17 << 14) | (b.meta[i] & kDeepest);
      if (worth < lowest) {
        lowest = worth;
        victim = i;
      }
    }
    b.value[victim] = value;
    b.tag[victim] = tag | (static_cast<std::uint64_t>(action + 1) & kActionMask);
    b.meta[victim] = generation_ << 17 | static_cast<std::uint32_t>(complete) << 16 |
                     static_cast<std::uint32_t>(bound) << 14 | static_cast<std::uint32_t>(depth);
  }

  // Whether a stored action hint means this action.
  static bool same_action(Action stored, Action action) {
    return stored == static_cast<Action>((static_cast<std::uint64_t>(action + 1) & kActionMask)) - 1;
  }

 private:
  static constexpr int kSlots = 3;
  static constexpr std::uint64_t kActionMask = 0xFFFF;
  static constexpr std::uint32_t kLastGeneration = (1U << 15) - 1;
  static constexpr std::uint32_t kMostIterations = 2'001;

  struct alignas(64) Bucket {
    double value[kSlots];
    std::uint64_t tag[kSlots];   // 48 bits of the hash, 16 of the action + 1
    std::uint32_t meta[kSlots];  // generation 15, complete 1, bound 2, depth 14
  };
  static_assert(sizeof(Bucket) == 64);

  struct Free {
    void operator()(void* p) const { std::free(p); }
  };

  // The high bits of the hash choose the bucket, for any number of buckets.
  std::size_t place(std::uint64_t hash) const {
    return static_cast<std::size_t>((static_cast<unsigned __int128>(hash) * count_) >> 64);
  }
  const Bucket& bucket(std::uint64_t hash) const { return buckets_[place(hash)]; }
  Bucket& bucket(std::uint64_t hash) { return buckets_[place(hash)]; }

  std::uint64_t count_ = 0;
  std::unique_ptr<void, Free> memory_;
  Bucket* buckets_ = nullptr;
  std::uint32_t generation_ = 0;
  std::uint32_t first_ = 1;
};

}  // namespace kiebitz::search
