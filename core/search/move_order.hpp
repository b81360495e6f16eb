// Which action alpha-beta tries first: the better the order, the more is cut (Knuth and Moore 1975). On top of the
// game's own guess: the move from the transposition table, killer moves (Huberman 1968) and the history heuristic
// (Schaeffer 1989).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "games/contract.hpp"
#include "search/options.hpp"
#include "search/table.hpp"

namespace kiebitz::search {

class MoveOrder {
 public:
  // Forgets what earlier searches taught.
  void reset(Order kind, int actions) {
    kind_ = kind;
    actions_ = static_cast<std::size_t>(actions);
    killers_.clear();
    history_.assign(kind == Order::full ? 2 * actions_ : 0, 0);
  }

  void reach(int depth) {
    if (kind_ == Order::full) killers_.resize(static_cast<std::size_t>(depth) + 1, {kNoAction, kNoAction});
  }

  // Scores for the n legal actions of a node; pick() then takes the largest first.
  template <StateLike S>
  void rate(const S& state, int mover, int ply, Action hinted, const Action* actions, int n, int* scores) const {
    for (int i = 0; i < n; ++i) scores[i] = guess(state, actions[i]);
    if (kind_ != Order::full) return;
    const auto& killers = killers_[static_cast<std::size_t>(ply)];
    const std::int32_t* history = history_.data() + static_cast<std::size_t>(mover) * actions_;
    for (int i = 0; i < n; ++i) {
      const Action a = actions[i];
      int score = scores[i] * kGuess + history[a];
      if (a == killers[0]) score += kKiller;
      if (a == killers[1]) score += kKiller / 2;
      scores[i] = TranspositionTable::same_action(hinted, a) ? std::numeric_limits<int>::max() : score;
    }
  }

  // Moves the best of actions[i..n-1] to place i and keeps the others in order, so that equals stay in index order.
  static void pick(Action* actions, int* scores, int i, int n) {
    int best = i;
    for (int j = i + 1; j < n; ++j) {
      if (scores[j] > scores[best]) best = j;
    }
    if (best == i) return;
    const Action a = actions[best];
    const int score = scores[best];
    for (int j = best; j > i; --j) {
      actions[j] = actions[j - 1];
      scores[j] = scores[j - 1];
    }
    actions[i] = a;
    scores[i] = score;
  }

  // An action that cut: a killer at this ply, and good for its player everywhere.
  void learn(int mover, int ply, int depth, Action a) {
    if (kind_ != Order::full) return;
    auto& killers = killers_[static_cast<std::size_t>(ply)];
    if (killers[0] != a) killers = {a, killers[0]};
    std::int32_t& h = history_[static_cast<std::size_t>(mover) * actions_ + static_cast<std::size_t>(a)];
    h += depth * depth;
    if (h >= kKiller / 2) {
      for (std::int32_t& x : history_) x /= 2;
    }
  }

  template <StateLike S>
  static int guess(const S& state, Action a) {
    if constexpr (HasOrder<S>) {
      return std::clamp(state.order(a), -kMostGuess, kMostGuess);
    } else {
      return 0;
    }
  }

 private:
  static constexpr int kKiller = 1 << 14;
  static constexpr int kGuess = 1 << 16;
  static constexpr int kMostGuess = 1 << 13;

  Order kind_ = Order::index;
  std::size_t actions_ = 0;
  std::vector<std::array<Action, 2>> killers_;
  std::vector<std::int32_t> history_;  // per player and action
};

}  // namespace kiebitz::search
