// An opening book of Connect Four: the scores of all positions with few stones, by their canonical keys.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace kiebitz::connect_four {

class KnownScores {
 public:
  // Up to this many stones it is worth asking; -1: nothing is known.
  int stones() const { return stones_; }
  std::size_t size() const { return scores_.size(); }

  std::optional<int> find(std::uint64_t key) const {
    const auto found = std::ranges::lower_bound(scores_, key, {}, &Entry::first);
    if (found == scores_.end() || found->first != key) return std::nullopt;
    return found->second;
  }

  void add(std::uint64_t key, int score, int stones) {
    const auto at = std::ranges::lower_bound(scores_, key, {}, &Entry::first);
    if (at != scores_.end() && at->first == key) {
      at->second = static_cast<std::int8_t>(score);
    } else {
      scores_.emplace(at, key, static_cast<std::int8_t>(score));
    }
    stones_ = std::max(stones_, stones);
  }

 private:
  using Entry = std::pair<std::uint64_t, std::int8_t>;

  std::vector<Entry> scores_;  // by key
  int stones_ = -1;
};

}  // namespace kiebitz::connect_four
