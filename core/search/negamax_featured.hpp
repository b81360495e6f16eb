// The featured form of the node function: order of moves, transposition table, null windows, known positions and
// outlooks of the game, as the options say.
#pragma once

#include <algorithm>

#include "search/negamax.hpp"

namespace kiebitz::search {

// --- One action ------------------------------------------------------------------------------------------------------

// The value of an action for the mover of `here`: exact inside the window, otherwise a bound on the right side of it.
template <GameLike G>
inline double Negamax<G>::featured_child(const State& here, int mover, int ply, int depth, Action a, double alpha,
                                         double beta, bool later) {
  State next = here;
  path_.apply(next, a);
  if (!count_node()) return 0;
  const int player = next.player();
  if (player < 0 || depth == 0) return at_leaf(here, next, mover, ply, a);
  if constexpr (HasOutlook<State>) {
    if (depth <= kNearDepth && uses_outlooks_ && !(beta > next_up(alpha)) && !path_.in_reach(depth)) {
      return near_child(next, mover, ply, depth, alpha, beta);
    }
  }
  const Outlook known = known_ != nullptr && depth > kNearDepth ? known_outcome(next, mover) : Outlook{};
  if (known.low == known.high || beats(known.low, beta) || beats(alpha, known.high)) {
    lines_[static_cast<std::size_t>(ply) + 1].clear();
    deepest_ = std::max(deepest_, ply + 1);
    ++leaves_;
    return beats(alpha, known.high) ? known.high : known.low;
  }
  const auto search = [&](double low, double high) {
    const double value = player == mover ? decision_node(next, player, ply + 1, depth, low, high)
                                         : -decision_node(next, player, ply + 1, depth, -high, -low);
    return std::clamp(value, known.low, known.high);
  };
  if (later && options_.narrow && alpha > -kInfinity && beta > next_up(alpha)) {
    // Probably not better than the first: find out only whether it is.
    const double value = search(alpha, next_up(alpha));
    if (!(value > alpha && value < beta) || halted_) return value;
  }
  return search(alpha, beta);
}

// What is known, without search, of the payoff at a decision node, for the player who moved there. It is asked for far
// from the horizon only, whatever the window, so that the value of a node does not depend on the window.
template <GameLike G>
inline Outlook Negamax<G>::known_outcome(const State& next, int mover) const {
  if (!irreversible(next)) return {};
  const Outlook known = known_->outcome(next, player_);
  return mover == player_ ? known : Outlook{-known.high, -known.low};
}

// --- Near the horizon, in games that have an outlook -----------------------------------------------------------------

// The value of a decision node for `mover`, who moved there: in null windows, where no repetition is in reach.
template <GameLike G>
inline double Negamax<G>::near_child(const State& next, int mover, int ply, int depth, double alpha, double beta) {
  if (depth <= kOutlookDepth) {
    // Does the game itself know on which side of the window the value lies?
    const Outlook outlook = mover == player_ ? next.outlook(leaf_.kind(), player_, depth, alpha, beta)
                                             : next.outlook(leaf_.kind(), player_, depth, -beta, -alpha);
    const double low = mover == player_ ? outlook.low : -outlook.high;
    const double high = mover == player_ ? outlook.high : -outlook.low;
    if (beats(low, beta) || beats(alpha, high)) {
      ++leaves_;
      trace_.horizon = true;
      deepest_ = std::max(deepest_, ply + 1);
      return beats(low, beta) ? low : high;
    }
  }
  const int player = next.player();
  return player == mover ? near_node(next, player, ply + 1, depth, alpha, beta)
                         : -near_node(next, player, ply + 1, depth, -beta, -alpha);
}

// A featured node without path, table and line.
template <GameLike G>
inline double Negamax<G>::near_node(const State& here, int mover, int ply, int depth, double alpha, double beta) {
  const auto level = static_cast<std::size_t>(ply);
  Action* const actions = actions_.data() + level * width_;
  MoveOrder::Rank* const ranks = ranks_.data() + level * width_;
  const int n = here.legal(actions);
  const bool sorted = options_.order != Order::index;
  if (sorted) rank_actions<true>(here, mover, ply, actions, n, ranks);
  double best = -kInfinity;
  for (int i = 0; i < n; ++i) {
    if (sorted) MoveOrder::pick(actions, ranks, i, n);
    State next = here;
    next.apply(actions[i]);
    if (!count_node()) return 0;
    const double value = next.player() < 0 || depth == 1 ? at_leaf(here, next, mover, ply, actions[i])
                                                         : near_child(next, mover, ply, depth - 1, alpha, beta);
    if (halted_) return 0;
    best = std::max(best, value);
    if (beats(value, beta)) {
      order_.template note_cut<true>(mover, ply, depth, actions[i]);
      break;
    }
  }
  return best;
}

// --- A node ----------------------------------------------------------------------------------------------------------

template <GameLike G>
template <bool kTabled>
inline double Negamax<G>::featured_node(const State& here, int mover, int ply, int depth, double alpha, double beta) {
  const auto level = static_cast<std::size_t>(ply);
  const double floor = alpha;
  std::uint64_t hash = 0;
  if constexpr (kTabled) {
    hash = mix64(path_.key(here) ^ salt_);
    table_->prefetch(hash);
  }
  Action* const actions = actions_.data() + level * width_;
  MoveOrder::Rank* const ranks = ranks_.data() + level * width_;
  const int n = here.legal(actions);
  const bool sorted = options_.order != Order::index;
  if (sorted) rank_actions<!kTabled>(here, mover, ply, actions, n, ranks);
  Trace outer;
  if constexpr (kTabled) {
    TranspositionTable::Hit hit;
    bool known = table_->probe(hash, hit);
    if (!known && sorted && options_.narrow && depth >= kPrepareDepth) {
      // Internal iterative deepening: only for the order.
      const Trace before = trace_;
      featured_node<true>(here, mover, ply, depth - kPrepareLess, alpha, beta);
      if (halted_) return 0;
      trace_ = before;
      known = table_->probe(hash, hit);
      here.legal(actions);
      rank_actions<false>(here, mover, ply, actions, n, ranks);
    }
    if (known) {
      // With null windows the few nodes with an open window are the principal line: they are searched, so that the line
      // is complete.
      const bool open = options_.narrow && beta > next_up(alpha);
      if (!open && deep_enough(hit, depth) && decides(hit, alpha, beta)) {
        lines_[level].clear();
        trace_.horizon = trace_.horizon || !hit.complete;
        return hit.value;
      }
      if (sorted) MoveOrder::prefer(hit.action, actions, n, ranks);
    }
    outer = trace_;
    if (sorted && depth >= kChildCutoffDepth && !NeedsInterpreter<G>) {
      double known = 0;
      if (child_cutoff(here, mover, depth - 1, beta, actions, n, known)) return known;
    }
  }
  // With null windows a node also ends when its mover has the largest payoff.
  const double enough = !options_.narrow ? kInfinity : mover == player_ ? leaf_.high() : -leaf_.low();

  double best = -kInfinity;
  Action best_action = kNoAction;
  Trace all;
  for (int i = 0; i < n; ++i) {
    if (sorted) MoveOrder::pick(actions, ranks, i, n);
    const Action a = actions[i];
    if constexpr (kTabled) trace_ = {};
    const auto mark = path_.mark();
    const double value = featured_child(here, mover, ply, depth - 1, a, alpha, beta, i > 0);
    path_.rewind(mark);
    if (halted_) return 0;
    const bool done = beats(value, beta) || value >= enough;
    if (value > best) {
      best = value;
      best_action = a;
      if (value > alpha && !beats(value, beta)) {
        if (options_.cut != Cut::none) alpha = value;
        prepend(ply, a);
      }
    }
    if (done) {
      order_.template note_cut<!kTabled>(mover, ply, depth, a);
      if constexpr (kTabled) all = trace_;  // the value rests on this action alone
      break;
    }
    if constexpr (kTabled) all.join(trace_);
  }

  if constexpr (kTabled) {
    if (all.repeated >= ply) {
      all.repeated = kNowhere;
      const Bound bound = beats(best, beta) ? Bound::lower : beats(floor, best) ? Bound::upper : Bound::exact;
      table_->store(hash, best, best_action, depth, bound, !all.horizon);
    }
    trace_ = all;
    trace_.join(outer);
  }
  return best;
}

// Enhanced transposition cut-off (Plaat et al. 1996): whether the table already knows a child that is good enough. In
// any case the entries of the children are then on their way into the cache.
template <GameLike G>
inline bool Negamax<G>::child_cutoff(const State& here, int mover, int depth, double beta, const Action* actions, int n,
                                     double& value) {
  for (int i = 0; i < n; ++i) {
    ChildProbe& probe = probes_[static_cast<std::size_t>(i)];
    State next = here;
    const auto mark = path_.mark();
    path_.apply(next, actions[i]);
    path_.rewind(mark);
    probe.player = next.player();
    if (known_ != nullptr && irreversible(next)) probe.player = kTerminal;  // the known value counts, not an entry
    if (probe.player < 0) continue;
    probe.hash = hash_of(next);
    table_->prefetch(probe.hash);
  }
  for (int i = 0; i < n; ++i) {
    const ChildProbe& probe = probes_[static_cast<std::size_t>(i)];
    TranspositionTable::Hit hit;
    if (probe.player < 0 || !table_->probe(probe.hash, hit) || !deep_enough(hit, depth)) continue;
    const bool same = probe.player == mover;
    if (hit.bound != Bound::exact && hit.bound != (same ? Bound::lower : Bound::upper)) continue;
    value = same ? hit.value : -hit.value;
    if (!beats(value, beta)) continue;
    trace_.horizon = trace_.horizon || !hit.complete;
    return true;
  }
  return false;
}

// --- Order -----------------------------------------------------------------------------------------------------------

// With an outlook, actions are ranked by their value after the best reply, otherwise by the game's own guess.
template <GameLike G>
template <bool kNear>
inline void Negamax<G>::rank_actions(const State& here, int mover, int ply, const Action* actions, int n,
                                     MoveOrder::Rank* ranks) {
  if constexpr (HasOutlook<State>) {
    if (uses_outlooks_ && !kNear) {
      order_.template rank_actions<kNear>([&](Action a) { return guess_after_reply(here, mover, a); }, mover, ply,
                                          actions, n, ranks);
      return;
    }
  }
  order_.template rank_actions<kNear>([&](Action a) { return MoveOrder::guess(here, a); }, mover, ply, actions, n,
                                      ranks);
}

// What an action is worth after the best reply, as the game judges it, on the scale of guesses.
template <GameLike G>
inline int Negamax<G>::guess_after_reply(const State& here, int mover, Action a) {
  State next = here;
  next.apply(a);
  double value = 0;
  if (next.player() < 0) {
    value = leaf_(next, true);
  } else {
    const Outlook outlook = next.outlook(leaf_.kind(), player_, 1, -kInfinity, kInfinity);
    value = outlook.low == outlook.high ? outlook.low : leaf_.unfinished(next);
  }
  const double part = (value - leaf_.low()) / (leaf_.high() - leaf_.low());
  return static_cast<int>((mover == player_ ? part : 1 - part) * MoveOrder::kMostGuess);
}

}  // namespace kiebitz::search
