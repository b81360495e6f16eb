// The plain form of the node function: actions in index order, cuts at equal values, no table, no null windows. This
// loop is compared with other programs node by node, so it keeps states in registers wherever it can.
#pragma once

#include <bit>

#include "search/negamax.hpp"

namespace kiebitz::search {

// The legal actions one by one in index order.
template <StateLike State>
class LegalActions {
 public:
  LegalActions(const State& state, Action* buffer) : next_(buffer) {
    if constexpr (HasLegalSet<State>) {
      set_ = state.legal_set();
    } else {
      end_ = buffer + state.legal(buffer);
    }
  }
  bool more() const {
    if constexpr (HasLegalSet<State>) return set_ != 0;
    return next_ != end_;
  }
  Action take() {
    if constexpr (!HasLegalSet<State>) return *next_++;
    const int a = std::countr_zero(set_);
    set_ &= set_ - 1;
    return a;
  }

 private:
  std::uint32_t set_ = 0;
  const Action* next_;
  const Action* end_ = nullptr;
};

// Plays the action again, so that in the usual case the state never has to be in memory.
template <GameLike G>
[[gnu::noinline]] inline double Negamax<G>::plain_leaf(const State& here, int mover, int ply, Action a) {
  State next = here;
  path_.apply(next, a);
  return at_leaf(here, next, mover, ply, a);
}

template <GameLike G>
[[gnu::always_inline]] inline double Negamax<G>::plain_child(const State& here, int mover, int ply, int depth, Action a,
                                                             double alpha, double beta) {
  const auto mark = path_.mark();
  State made = here;
  path_.apply(made, a);
  if (++nodes_ >= next_check_) [[unlikely]] {
    check_limits();
    if (halted_) return 0;
  }
  const int player = made.player();
  if (player < 0 || depth == 0) [[unlikely]] {
    path_.rewind(mark);
    return plain_leaf(here, mover, ply, a);
  }
  // Played in registers, written once: a copy right after the writes of its parts would stall.
  const State next = made;
  const bool last = depth == 1 && nodes_ + static_cast<std::int64_t>(width_) < next_check_;
  if (player == mover) {
    return last ? last_ply(next, player, ply + 1, alpha, beta) : plain_node(next, player, ply + 1, depth, alpha, beta);
  }
  return last ? -last_ply(next, player, ply + 1, -beta, -alpha)
              : -plain_node(next, player, ply + 1, depth, -beta, -alpha);
}

template <GameLike G>
[[gnu::noinline]] inline double Negamax<G>::plain_node(const State& here, int mover, int ply, int depth, double alpha,
                                                       double beta) {
  double best = -kInfinity;
  for (LegalActions<State> legal(here, actions_.data() + static_cast<std::size_t>(ply) * width_); legal.more();) {
    const Action a = legal.take();
    const auto mark = path_.mark();
    const double value = plain_child(here, mover, ply, depth - 1, a, alpha, beta);
    path_.rewind(mark);
    if (halted_) return 0;
    if (!(value > best)) continue;
    best = value;
    if (value >= beta) break;
    if (value > alpha) {
      alpha = value;
      prepend(ply, a);
    }
  }
  return best;
}

// The node above the leaves, where most of the time is spent: its children need no frame and stay in registers. The
// caller has made sure that the limits need not be checked here.
template <GameLike G>
[[gnu::noinline]] inline double Negamax<G>::last_ply(const State& here, int mover, int ply, double alpha, double beta) {
  const bool opposed = mover != player_;
  const bool constant = leaf_.constant();
  const double zero = opposed ? -leaf_.zero() : leaf_.zero();
  if constexpr (HasQuiet<State> && HasLegalSet<State> && !HasRepetition<State>) {
    if (constant && here.quiet()) {  // all children are worth the same
      const std::uint32_t legal = here.legal_set();
      const int seen = zero >= beta ? 1 : std::popcount(legal);
      if (zero > alpha && zero < beta) lines_[static_cast<std::size_t>(ply)].assign(1, std::countr_zero(legal));
      nodes_ += seen;
      leaves_ += seen;
      trace_.horizon = true;
      deepest_ = std::max(deepest_, ply + 1);
      return zero;
    }
  }
  double best = -kInfinity;
  bool horizon = false;
  int seen = 0;
  for (LegalActions<State> legal(here, actions_.data() + static_cast<std::size_t>(ply) * width_); legal.more();) {
    const Action a = legal.take();
    const auto mark = path_.mark();
    State next = here;
    path_.apply(next, a);
    path_.rewind(mark);
    ++seen;
    double value = zero;
    const int player = next.player();
    // Copies are evaluated, so that the state itself need not be in memory.
    if (player >= 0) [[likely]] {
      horizon = true;
      if (!constant) {
        value = leaf_.unfinished(State(next));
        if (opposed) value = -value;
      } else if (best >= zero) {
        continue;
      }
    } else {
      if (player == kChance) refuse_chance();
      value = leaf_.finished(State(next));
      if (opposed) value = -value;
    }
    if (!(value > best)) continue;
    best = value;
    if (value >= beta) break;
    if (value > alpha) {
      alpha = value;
      lines_[static_cast<std::size_t>(ply)].assign(1, a);
    }
  }
  nodes_ += seen;
  leaves_ += seen;
  if (horizon) trace_.horizon = true;
  deepest_ = std::max(deepest_, ply + 1);
  return best;
}

}  // namespace kiebitz::search
