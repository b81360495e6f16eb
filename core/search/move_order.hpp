// Which action alpha-beta tries first: the better the order, the more is cut (Knuth and Moore 1975). On top of the
// game's own guess: the move from the transposition table, killer moves (Huberman 1968) and the history heuristic
// (Schaeffer 1989).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "games/contract.hpp"
#include "search/options.hpp"
#include "search/transposition_table.hpp"

namespace kiebitz::search {

class MoveOrder {
 public:
  using Rank = std::int64_t;  // a score, and below it the place in the list, the first place largest

  // Forgets earlier searches.
  void reset(Order kind, int actions) {
    kind_ = kind;
    actions_ = static_cast<std::size_t>(actions);
    killers_.clear();
    history_.assign(kind == Order::full ? 2 * actions_ : 0, 0);
  }

  void reserve(int depth) {
    if (kind_ == Order::full) killers_.resize(static_cast<std::size_t>(depth) + 1, {kNoAction, kNoAction});
  }

  // Ranks the n legal actions of a node by a guess at each; pick() then takes the largest rank first. Equal scores rank
  // in index order. Near the horizon the history is left out: there it is noise, and slow.
  template <bool kNear, class Guess>
  void rank_actions(const Guess& guess_of, int mover, int ply, const Action* actions, int n, Rank* ranks) const {
    if (kind_ != Order::full) {
      for (int i = 0; i < n; ++i) ranks[i] = rank(guess_of(actions[i]), i);
      return;
    }
    const auto killers = killers_[static_cast<std::size_t>(ply)];
    const std::int32_t* const history = history_.data() + static_cast<std::size_t>(mover) * actions_;
    for (int i = 0; i < n; ++i) {
      const Action a = actions[i];
      const int killer = (a == killers[0] ? kKiller : 0) + (a == killers[1] ? kKiller / 2 : 0);
      ranks[i] = rank(guess_of(a) * kGuess + killer + (kNear ? 0 : history[a]), i);
    }
  }

  // Puts the action that the transposition table names first.
  static void prefer(Action hinted, const Action* actions, int n, Rank* ranks) {
    for (int i = 0; i < n; ++i) {
      if (TranspositionTable::same_action(hinted, actions[i])) ranks[i] = rank(std::numeric_limits<int>::max(), i);
    }
  }

  // Moves the best of actions[i..n-1] to place i.
  static void pick(Action* actions, Rank* ranks, int i, int n) {
    int best = i;
    Rank most = ranks[i];
    for (int j = i + 1; j < n; ++j) {
      best = ranks[j] > most ? j : best;
      most = ranks[j] > most ? ranks[j] : most;
    }
    std::swap(actions[i], actions[best]);
    ranks[best] = ranks[i];
  }

  // Notes an action that cut: a killer at this ply, and good for its player everywhere.
  template <bool kNear>
  void note_cut(int mover, int ply, int depth, Action a) {
    if (kind_ != Order::full) return;
    auto& killers = killers_[static_cast<std::size_t>(ply)];
    if (killers[0] != a) killers = {a, killers[0]};
    if (kNear) return;
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

  static constexpr int kMostGuess = 1 << 13;

 private:
  static constexpr int kKiller = 1 << 14;
  static constexpr int kGuess = 1 << 16;

  static Rank rank(int score, int place) { return static_cast<Rank>(score) * (Rank{1} << 32) - place; }

  Order kind_ = Order::index;
  std::size_t actions_ = 0;
  std::vector<std::array<Action, 2>> killers_;
  std::vector<std::int32_t> history_;  // per player and action
};

}  // namespace kiebitz::search
