// The path behind a state: finds positions that occurred before in games where a repetition ends the game.
// For all other games it is empty and costs nothing. Shells and searches apply every action through a path.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "games/contract.hpp"

namespace kiebitz {

template <class S>
class Path {
 public:
  void reset(const S&, std::span<const std::uint64_t>) {}
  [[gnu::always_inline]] void apply(S& state, Action a) { state.apply(a); }
  struct Mark {};
  Mark mark() const { return {}; }
  void rewind(Mark) {}
  bool in_reach(int) const { return false; }
  std::uint64_t key(const S& state) const { return state.key(); }
  std::vector<std::uint64_t> seen() const { return {}; }
};

// A way from a position back to itself takes each of the first kCycleActions actions of both players at least once:
// paths without them need no look. 0: the game does not know.
template <class S>
inline constexpr int kCycleActions = 0;
template <class S>
  requires requires { S::kCycleActions; }
inline constexpr int kCycleActions<S> = S::kCycleActions;

template <HasRepetition S>
class Path<S> {
 public:
  // Starts at `state`; `seen` are the keys of the positions before it since the last irreversible move.
  void reset(const S& state, std::span<const std::uint64_t> seen) {
    size_ = start_ = given_ = 0;
    on_ = state.repetition();
    if (!on_) return;
    for (const std::uint64_t key : seen) push(key, 0);
    given_ = size_;
    push(state.key(), 0);
  }

  // Plays a legal action and ends the game if the new position occurred before.
  void apply(S& state, Action a) {
    if (!on_) {
      state.apply(a);
      return;
    }
    const std::uint32_t taken = entries_[size_ - 1].taken | sign(state.player(), a);
    state.apply(a);
    if (state.player() == kTerminal) return;
    if (state.irreversible()) start_ = size_;
    const std::uint64_t key = state.key();
    if (contains(key, taken)) {
      state.end_by_repetition();
    } else {
      push(key, size_ > start_ ? taken : 0);
    }
  }

  // Can a repetition end the game within this many plies?
  bool in_reach(int plies) const {
    return on_ && (given_ > start_ || std::popcount(kAll & ~entries_[size_ - 1].taken) <= plies);
  }

  // The key of the current position.
  std::uint64_t key(const S& state) const { return on_ ? entries_[size_ - 1].key : state.key(); }

  // How many actions after the first state of this path a position occurred; -1: before it, or never.
  int when(std::uint64_t key) const {
    std::size_t i = size_;
    while (i > given_ && entries_[i - 1].key != key) --i;
    return static_cast<int>(i) - static_cast<int>(given_) - 1;
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
  // A position and, from the last irreversible move up to it, one bit for each position and for each action that a
  // cycle needs: most questions are answered by the bits, and a rewind only drops entries.
  struct Entry {
    std::uint64_t key;
    std::uint64_t bits;
    std::uint32_t taken;
  };

  static constexpr int kNeeded = kCycleActions<S>;
  static_assert(kNeeded <= 16);
  static constexpr std::uint32_t kAll = static_cast<std::uint32_t>((std::uint64_t{1} << 2 * kNeeded) - 1);

  static std::uint64_t bit(std::uint64_t key) { return std::uint64_t{1} << (key >> 58); }
  static std::uint32_t sign(int player, Action a) {
    return a < kNeeded ? std::uint32_t{1} << (player * kNeeded + a) : 0;
  }

  void push(std::uint64_t key, std::uint32_t taken) {
    if (size_ == entries_.size()) entries_.resize(size_ < 64 ? 128 : 2 * size_);
    entries_[size_] = {key, bit(key) | (size_ > start_ ? entries_[size_ - 1].bits : 0), taken};
    ++size_;
  }

  bool contains(std::uint64_t key, std::uint32_t taken) const {
    // What happened before keys that were handed over is not known.
    if (start_ == size_ || (given_ <= start_ && taken != kAll)) return false;
    if ((entries_[size_ - 1].bits & bit(key)) == 0) return false;
    for (std::size_t i = start_; i < size_; ++i) {
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
