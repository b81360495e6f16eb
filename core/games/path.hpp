// The path behind a state: finds positions that occurred before in games where a repetition ends the game.
// For all other games it is empty and costs nothing. Shells and searches apply every action through a path.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "games/contract.hpp"

namespace kiebitz {

template <class S>
class Path {
 public:
  void reset(const S&, std::span<const std::uint64_t>) {}
  void apply(S& state, Action a) { state.apply(a); }
  struct Mark {};
  Mark mark() const { return {}; }
  void rewind(Mark) {}
  std::vector<std::uint64_t> seen() const { return {}; }
};

// The fewest actions from a position back to itself, where the game knows it: younger positions need no look.
template <class S>
inline constexpr std::size_t kShortestCycle = 1;
template <class S>
  requires requires { S::kShortestCycle; }
inline constexpr std::size_t kShortestCycle<S> = S::kShortestCycle;

template <HasRepetition S>
class Path<S> {
 public:
  // Starts at `state`; `seen` are the keys of the positions before it since the last irreversible move.
  void reset(const S& state, std::span<const std::uint64_t> seen) {
    size_ = start_ = given_ = 0;
    on_ = state.repetition();
    if (!on_) return;
    for (const std::uint64_t key : seen) push(key);
    given_ = size_;
    push(state.key());
  }

  // Plays a legal action and ends the game if the new position occurred before.
  void apply(S& state, Action a) {
    state.apply(a);
    if (!on_ || state.player() == kTerminal) return;
    if (state.irreversible()) start_ = size_;
    const std::uint64_t key = state.key();
    if (contains(key)) {
      state.end_by_repetition();
    } else {
      push(key);
    }
  }

  struct Mark {
    std::size_t size;
    std::size_t start;
  };
  Mark mark() const { return {size_, start_}; }

  // Back to an earlier mark: undoes the book-keeping, not the state.
  void rewind(Mark mark) {
    size_ = mark.size;
    start_ = mark.start;
  }

  // Keys of the positions before the current one that could still be repeated.
  std::vector<std::uint64_t> seen() const {
    std::vector<std::uint64_t> keys;
    for (std::size_t i = start_; i + 1 < size_; ++i) keys.push_back(entries_[i].key);
    return keys;
  }

 private:
  // A position and one bit for each position from the last irreversible move up to it: most questions are answered by
  // the bits, and a rewind has nothing to take back.
  struct Entry {
    std::uint64_t key;
    std::uint64_t bits;
  };

  static std::uint64_t bit(std::uint64_t key) { return std::uint64_t{1} << (key >> 58); }

  void push(std::uint64_t key) {
    if (size_ == entries_.size()) entries_.resize(size_ < 64 ? 128 : 2 * size_);
    entries_[size_] = {key, bit(key) | (size_ > start_ ? entries_[size_ - 1].bits : 0)};
    ++size_;
  }

  bool contains(std::uint64_t key) const {
    // Keys that were handed over may stand in any order, so their age says nothing.
    const std::size_t old = size_ + 1 > kShortestCycle<S> ? size_ + 1 - kShortestCycle<S> : 0;
    const std::size_t end = std::max(old, given_);
    if (end <= start_) return false;
    if ((entries_[end - 1].bits & bit(key)) == 0) return false;
    for (std::size_t i = start_; i < end; ++i) {
      if (entries_[i].key == key) return true;
    }
    return false;
  }

  bool on_ = false;
  std::size_t size_ = 0;
  std::size_t start_ = 0;
  std::size_t given_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace kiebitz
