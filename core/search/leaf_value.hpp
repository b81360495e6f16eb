// What a leaf of an exact search is worth to the searcher: the payoff of a finished game, or an evaluation that is the
// game's own, a function from outside, a network, or nothing (zero).
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "games/contract.hpp"
#include "nets/evaluator.hpp"
#include "search/analysis.hpp"
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
        payoffs_count_(options.terminals == Terminals::payoff),
        net_(options.evaluator) {
    const auto& names = info.evaluations;
    if (net_) {
      net_->check(info);
      if (!net_->has_values()) throw UnsuitableGame("evaluator: expected one that has values");
      if (!options.evaluation.empty()) throw ParameterError("evaluation: has no meaning with an evaluator");
      named_ = Source::net;
      room_ = std::make_shared<Room>(info);
      return;
    }
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
  bool has_net() const { return net_ != nullptr; }

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
    } else if (source_ == Source::net) {
      value = judge(state);
    }
    return value > low_ && value < high_ ? value : edge(value);
  }

  // What the network says of the root itself, beside what the search found.
  void note_opinion(const State& root, Analysis& out) {
    if (!net_) return;
    const nets::Judgements& judged = ask_net(root);
    out.prior_value = judged.values[static_cast<std::size_t>(root.player())];
    if (!net_->has_policy()) return;
    const auto logit = [&](const ActionValue& a) { return judged.logits[static_cast<std::size_t>(a.action)]; };
    double sum = 0;
    float most = -std::numeric_limits<float>::infinity();
    for (const ActionValue& action : out.actions) most = std::max(most, logit(action));
    for (const ActionValue& action : out.actions) sum += std::exp(logit(action) - most);
    for (ActionValue& action : out.actions) action.prior = std::exp(logit(action) - most) / sum;
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
  enum class Source { zero, game, function, net };

  // Memory of the network's questions, used again for each.
  struct Room {
    explicit Room(const GameInfo& info)
        : positions(info), legal(static_cast<std::size_t>(std::max(info.max_legal, 1))) {
      positions.add(0);
      judged.resize(positions);
    }
    nets::Positions positions;
    nets::Judgements judged;
    std::vector<Action> legal;
  };

  // By value: a state in registers is written to memory only if a function is called.
  [[gnu::noinline]] double ask(State state) { return function_(state, player_); }

  // The network's value, kept inside the range of the payoffs: it never claims that a game is won or lost, so a real
  // win is always better.
  [[gnu::noinline]] double judge(State state) {
    const double margin = 1e-6 * (high_ - low_);
    return std::clamp<double>(ask_net(state).values[static_cast<std::size_t>(player_)], low_ + margin, high_ - margin);
  }

  const nets::Judgements& ask_net(const State& state) {
    Room& room = *room_;
    room.positions.clear();
    nets::add_position<G>(state, room.legal.data(), state.legal(room.legal.data()), room.positions);
    net_->judge(room.positions, room.judged);
    nets::check_judgements(room.positions, room.judged);
    return room.judged;
  }

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
  std::shared_ptr<const nets::Evaluator> net_;
  std::shared_ptr<Room> room_;
  Source named_ = Source::zero;
  Source source_ = Source::zero;
  int kind_ = 0;
  int player_ = 0;
  bool extreme_ = false;
  Evaluation function_;
};

}  // namespace kiebitz::search
