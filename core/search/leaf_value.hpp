// What a leaf of an exact search is worth to the searcher: the payoff of a finished game, or an evaluation that is the
// game's own, a function from outside, or nothing (zero).
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include "games/contract.hpp"
#include "search/options.hpp"

namespace kiebitz::search {

template <GameLike G>
class LeafValue {
 public:
  using State = typename G::State;
  using Evaluation = std::function<double(const State&, int player)>;

  // Throws UnknownName for an evaluation that the game does not have.
  LeafValue(const GameInfo& info, const AlphaBetaOptions& options)
      : low_(info.min_payoff),
        high_(info.max_payoff),
        zero_(std::clamp(0.0, low_, high_)),
        payoffs_count_(options.terminals == Terminals::payoff) {
    const auto& names = info.evaluations;
    if (options.evaluation == "zero" || (options.evaluation.empty() && names.empty())) return;
    if constexpr (HasEvaluation<State>) {
      const auto it =
          options.evaluation.empty() ? names.begin() : std::find(names.begin(), names.end(), options.evaluation);
      if (it != names.end()) {
        named_ = Source::game;
        kind_ = static_cast<int>(it - names.begin());
        return;
      }
    }
    std::string message = "evaluation: " + info.name + " has none called '" + options.evaluation + "'; expected zero";
    for (const auto& name : names) message += " or " + name;
    throw UnknownName(message);
  }

  // Replaces the evaluation named in the options; an empty function brings it back.
  void set_function(Evaluation evaluation) { function_ = std::move(evaluation); }
  bool has_function() const { return static_cast<bool>(function_); }

  // At the start of a search, and of each of its iterations.
  void begin(int player) {
    player_ = player;
    source_ = function_ ? Source::function : named_;
    extreme_ = false;
  }

  double operator()(const State& state, bool terminal) { return terminal ? finished(state) : unfinished(state); }

  // These two are made to be inlined into a loop whose state lives in registers.
  [[gnu::always_inline]] double finished(const State& state) {
    if (!payoffs_count_) return unfinished(state);
    Payoffs payoffs;
    state.returns(payoffs.data());
    return payoffs[static_cast<std::size_t>(player_)];
  }

  [[gnu::always_inline]] double unfinished(const State& state) {
    double value = zero_;
    if (source_ == Source::function) [[unlikely]] {
      value = ask(state);
    } else if (source_ == Source::game) {
      if constexpr (HasEvaluation<State>) value = state.evaluate(kind_, player_);
    }
    return value > low_ && value < high_ ? value : edge(value);
  }

  // Whether all unfinished positions have the same value.
  bool constant() const { return source_ == Source::zero && zero_ > low_ && zero_ < high_; }
  double zero() const { return zero_; }

  // The number of the game's own evaluation in use; -1: another source.
  int kind() const { return source_ == Source::game ? kind_ : -1; }

  double low() const { return low_; }
  double high() const { return high_; }
  // Whether finished games are worth their payoffs; otherwise nothing is proven.
  bool payoffs_count() const { return payoffs_count_; }
  // Whether an evaluation reached an end of the payoff range; then such a value proves nothing.
  bool extreme() const { return extreme_; }

 private:
  enum class Source { zero, game, function };

  // By value: a state in registers is written to memory only if a function is called.
  [[gnu::noinline]] double ask(State state) { return function_(state, player_); }

  // At or beyond the ends of the payoff range: rounding errors are accepted, anything else is refused.
  [[gnu::noinline]] double edge(double value) {
    const double slack = 1e-9 * std::max({1.0, std::abs(low_), std::abs(high_)});
    if (!(value >= low_ - slack && value <= high_ + slack)) {
      throw ParameterError("evaluation: expected values in the range of the payoffs, " + std::to_string(low_) + " to " +
                           std::to_string(high_) + ", got " + std::to_string(value));
    }
    extreme_ = true;
    return std::clamp(value, low_, high_);
  }

  double low_;
  double high_;
  double zero_;
  bool payoffs_count_;
  Source named_ = Source::zero;
  Source source_ = Source::zero;
  int kind_ = 0;
  int player_ = 0;
  bool extreme_ = false;
  Evaluation function_;
};

}  // namespace kiebitz::search
