// How large a game is: perft (move paths to a depth, the regression number of chess programmers) and a full count of
// its tree.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/stop.hpp"
#include "games/path.hpp"
#include "search/key_index.hpp"

namespace kiebitz::search {

struct CountLimits {
  std::int64_t nodes = 10'000'000'000;  // LimitError beyond
  std::int64_t memory_mb = 1024;        // for the keys of different positions
  bool positions = true;                // count different positions as well
};

struct TreeCount {
  std::int64_t nodes = 0;     // all of the tree, the root included
  std::int64_t decision = 0;  // where a player moves
  std::int64_t chance = 0;
  std::int64_t terminal = 0;       // complete games
  std::int64_t positions = 0;      // different ones by key
  std::int64_t draws = 0;          // games in which the best payoff is shared
  std::vector<std::int64_t> wins;  // games in which this player alone has the best payoff
  int depth = 0;                   // longest game
  double branching = 0;            // mean number of actions where there is one
  bool stopped = false;            // the stop token ended it: everything is a lower bound
};

// Walks a tree depth first, with one level of recursion per ply and the actions of all plies in one buffer.
template <GameLike G>
class Counter {
 public:
  using State = typename G::State;

  Counter(const G& game, CountLimits limits, Stop& stop) : info_(game.info()), limits_(limits), stop_(stop) {
    if (limits.nodes < 1) throw ParameterError("nodes: expected at least 1, got " + std::to_string(limits.nodes));
    if (limits.memory_mb < 1) {
      throw ParameterError("memory_mb: expected at least 1, got " + std::to_string(limits.memory_mb));
    }
    width_ = static_cast<std::size_t>(std::max(info_.max_legal, 1));
  }

  // Paths of exactly `depth` actions; games that end earlier do not count. Empty if stopped.
  std::optional<std::int64_t> perft(const State& root, std::span<const std::uint64_t> seen, int depth) {
    if (depth < 0 || depth > kDeepest) {
      throw ParameterError("depth: expected 0 to " + std::to_string(kDeepest) + ", got " + std::to_string(depth));
    }
    path_.reset(root, seen);
    const std::int64_t count = paths(root, 0, depth);
    if (halted_) return std::nullopt;
    return count;
  }

  TreeCount tree(const State& root, std::span<const std::uint64_t> seen) {
    out_.wins.assign(static_cast<std::size_t>(info_.players), 0);
    path_.reset(root, seen);
    visit(root, 0);
    out_.positions = index_.size();
    out_.stopped = halted_;
    const std::int64_t inner = out_.decision + out_.chance;
    if (inner > 0) out_.branching = static_cast<double>(out_.nodes - 1) / static_cast<double>(inner);
    return out_;
  }

 private:
  static constexpr int kDeepest = 2'000;  // bounds the stack
  static constexpr std::int64_t kInterval = NeedsInterpreter<G> ? 16 : 4096;

  // The actions of a ply; the buffer may move when a deeper ply asks.
  std::size_t list(const State& state, int ply, int& n) {
    if (ply >= kDeepest) throw LimitError("depth: games of more than " + std::to_string(kDeepest) + " actions");
    const std::size_t first = static_cast<std::size_t>(ply) * width_;
    if (actions_.size() < first + width_) actions_.resize(2 * (first + width_));
    n = state.legal(actions_.data() + first);
    return first;
  }

  void tick(std::int64_t nodes) {
    if (nodes % kInterval == 0 && stop_.poll()) halted_ = true;
    if (nodes > limits_.nodes) {
      throw LimitError("nodes: the tree has more than " + std::to_string(limits_.nodes) + " nodes, the limit given");
    }
  }

  std::int64_t paths(const State& state, int ply, int depth) {
    if (depth == 0) return 1;
    tick(++visited_);
    int n = 0;
    const std::size_t first = list(state, ply, n);
    if (depth == 1 || halted_) return n;  // each last action is one path
    std::int64_t sum = 0;
    for (int i = 0; i < n && !halted_; ++i) {
      const auto mark = path_.mark();
      State next = state;
      path_.apply(next, actions_[first + static_cast<std::size_t>(i)]);
      sum += paths(next, ply + 1, depth - 1);
      path_.rewind(mark);
    }
    return sum;
  }

  void visit(const State& state, int ply) {
    tick(++out_.nodes);
    out_.depth = std::max(out_.depth, ply);
    if (limits_.positions) {
      const std::int64_t needed = index_.bytes() + index_.room_needed();
      if (needed > limits_.memory_mb << 20) {
        throw LimitError("memory_mb: " + std::to_string(index_.size()) + " positions found so far; going on needs " +
                         std::to_string((needed >> 20) + 1) + " MB, the limit is " + std::to_string(limits_.memory_mb) +
                         " MB");
      }
      index_.add(state.key());
    }
    const int player = state.player();
    if (player == kTerminal) {
      finish(state);
      return;
    }
    ++(player == kChance ? out_.chance : out_.decision);
    int n = 0;
    const std::size_t first = list(state, ply, n);
    for (int i = 0; i < n && !halted_; ++i) {
      const auto mark = path_.mark();
      State next = state;
      path_.apply(next, actions_[first + static_cast<std::size_t>(i)]);
      visit(next, ply + 1);
      path_.rewind(mark);
    }
  }

  void finish(const State& state) {
    ++out_.terminal;
    Payoffs payoffs{};
    state.returns(payoffs.data());
    const auto end = payoffs.begin() + info_.players;
    const auto best = std::max_element(payoffs.begin(), end);
    if (info_.players > 1 && std::count(payoffs.begin(), end, *best) > 1) {
      ++out_.draws;
    } else {
      ++out_.wins[static_cast<std::size_t>(best - payoffs.begin())];
    }
  }

  const GameInfo& info_;
  CountLimits limits_;
  Stop& stop_;
  std::size_t width_ = 0;
  bool halted_ = false;
  std::int64_t visited_ = 0;
  Path<State> path_;
  std::vector<Action> actions_;
  KeyIndex index_;
  TreeCount out_;
};

template <GameLike G>
std::optional<std::int64_t> perft(const G& game, const typename G::State& root, std::span<const std::uint64_t> seen,
                                  int depth, Stop& stop) {
  return Counter<G>(game, {}, stop).perft(root, seen, depth);
}

template <GameLike G>
TreeCount count_tree(const G& game, const typename G::State& root, std::span<const std::uint64_t> seen, Stop& stop,
                     CountLimits limits = {}) {
  return Counter<G>(game, limits, stop).tree(root, seen);
}

}  // namespace kiebitz::search
