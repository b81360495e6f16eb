// From a leaf of a search tree to payoffs: random actions to the end (by the game's own faster way if it has one), the
// game's evaluation, or the exact value of the last few actions with open cards.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "games/contract.hpp"
#include "games/path.hpp"
#include "search/open_hand.hpp"
#include "search/options.hpp"

namespace kiebitz::search {

struct PlayoutOptions {
  Playout kind = Playout::random;
  double noise = 0;
  Calls calls = Calls::all;
  int solve_last = 0;
  bool check_range = false;  // refuse payoffs outside the game's range, on which the unit scale relies
};

template <GameLike G>
class Playouts {
 public:
  using State = typename G::State;

  // The exact solver, if the game has sides; made when it is needed.
  template <class S>
  struct Solver {
    using Type = Nothing;
  };
  template <HasSides S>
  struct Solver<S> {
    using Type = std::optional<OpenHand<G>>;
  };
  using Exact = typename Solver<State>::Type;

  Playouts(const G& game, const PlayoutOptions& options)
      : info_(game.info()),
        options_(options),
        actions_(static_cast<std::size_t>(std::max(info_.max_legal, 1))),
        outcomes_(actions_.size()) {
    if constexpr (HasSides<State>) {
      if (options.solve_last > 0) solver_.emplace(game);
    }
  }

  // Before a search: clears the memory of the solver, so that earlier searches do not matter.
  void reset() {
    if constexpr (HasSides<State>) {
      if (solver_) solver_->reset();
    }
  }

  // Plays `state`, which is not over, to its end.
  void run(State& state, Path<State>& path, Rng& rng, double* payoffs) {
    if (options_.kind == Playout::evaluation) {
      if constexpr (HasEvaluation<State>) {
        for (int p = 0; p < info_.players; ++p) payoffs[p] = state.evaluate(0, p);
      }
    } else if (!solve(state, payoffs)) {
      if constexpr (HasCalls<State>) {
        if (options_.calls != Calls::all) state.restrict_calls(options_.calls);
      }
      play_on(state, path, rng);
      state.returns(payoffs);
    }
    check(payoffs);
  }

  // The payoffs of a game that is over.
  void finish(const State& state, double* payoffs) const {
    state.returns(payoffs);
    check(payoffs);
  }

  // The payoffs of best play with open cards, close enough to the end; false elsewhere.
  bool exact(const State& state, double* payoffs) {
    if (!solve(state, payoffs)) return false;
    check(payoffs);
    return true;
  }

  // Scratch room for the legal actions and outcomes of one state; callers may use it too.
  Action* actions() { return actions_.data(); }
  Outcome* outcomes() { return outcomes_.data(); }

 private:
  static constexpr std::int64_t kMostNodes = 100'000;  // for one leaf; beyond it a playout is used

  bool solve(const State& state, double* payoffs) {
    if constexpr (HasSides<State>) {
      if (solver_ && state.settled() && state.left() <= options_.solve_last) {
        return solver_->payoffs(state, kMostNodes, payoffs);
      }
    }
    return false;
  }

  void play_on(State& state, Path<State>& path, Rng& rng) {
    if constexpr (HasThumbPlayOut<State>) {
      if (options_.kind == Playout::thumb) {
        thumb_play_out(state, rng, options_.noise);
        return;
      }
    }
    if constexpr (HasPlayOut<State>) {
      state.play_out(rng);
    } else {
      random_to_the_end(state, path, rng);
    }
  }

  void random_to_the_end(State& state, Path<State>& path, Rng& rng) {
    int left = info_.max_length;
    for (int player = state.player(); player != kTerminal; player = state.player()) {
      path.apply(state, player >= 0 ? random_action(state, rng, actions_.data())
                                    : random_outcome(state, rng, outcomes_.data()));
      if (--left < 0) {
        throw Error(info_.name + ": a game went on beyond max_length = " + std::to_string(info_.max_length) +
                    " actions");
      }
    }
  }

  void check(const double* payoffs) const {
    if (!options_.check_range) return;
    for (int p = 0; p < info_.players; ++p) {
      if (payoffs[p] >= info_.min_payoff && payoffs[p] <= info_.max_payoff) continue;
      throw Error(info_.name + ": payoff " + std::to_string(payoffs[p]) + " of player " + std::to_string(p) +
                  " is outside the game's range " + std::to_string(info_.min_payoff) + " to " +
                  std::to_string(info_.max_payoff) + "; correct the range or search with scale=raw");
    }
  }

  const GameInfo& info_;
  PlayoutOptions options_;
  std::vector<Action> actions_;
  std::vector<Outcome> outcomes_;
  [[no_unique_address]] Exact solver_;
};

}  // namespace kiebitz::search
