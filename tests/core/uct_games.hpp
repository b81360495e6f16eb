// Hand-made games whose right answers are known, and small helpers, for the tests of the tree search.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "games/tic_tac_toe.hpp"
#include "search/uct.hpp"

namespace kiebitz::uct_test {

using namespace kiebitz::search;

// What every test game says the same way.
template <class Game>
struct PlainState {
  std::string name(Action a) const { return std::to_string(a); }
  std::optional<Action> parse(std::string_view) const { return std::nullopt; }
  int kind(Action) const { return 0; }
  std::string text() const { return ""; }
  Fields save() const { return {}; }
  int outcomes(Outcome*) const { return 0; }
};

template <class Self, class StateType>
struct PlainGame {
  using State = StateType;
  static std::vector<Parameter> parameters() { return {}; }
  static std::vector<Preset> presets() { return {}; }
  const GameInfo& info() const { return info_; }
  State load(const Fields&) const { throw PositionError("not needed here"); }
  GameInfo info_;
};

// One decision of player `mover`, then payoffs by action, or one after the other from a script.
struct OneShot;
struct OneShotState : PlainState<OneShot> {
  const OneShot* game;
  Action played = kNoAction;
  explicit OneShotState(const OneShot* g) : game(g) {}
  int player() const;
  int legal(Action* out) const;
  void apply(Action a) { played = a; }
  void returns(double* out) const;
  std::uint64_t key() const { return static_cast<std::uint64_t>(played + 1); }
};

struct OneShot : PlainGame<OneShot, OneShotState> {
  std::vector<std::vector<double>> payoffs;  // by action
  std::vector<std::vector<double>> script;   // by playout, if there is one
  mutable std::size_t next = 0;
  int mover = 0;

  explicit OneShot(const Fields&) { set(0, {{0, 1}, {1, 0}}); }
  void set(int who, std::vector<std::vector<double>> by_action, double low = 0, double high = 1) {
    mover = who;
    payoffs = std::move(by_action);
    info_.name = "one_shot";
    info_.players = static_cast<int>(payoffs[0].size());
    info_.actions = info_.max_legal = static_cast<int>(payoffs.size());
    info_.max_length = 1;
    info_.min_payoff = low;
    info_.max_payoff = high;
    info_.utility = Utility::general;
  }
  State root() const { return State(this); }
};

inline int OneShotState::player() const { return played == kNoAction ? game->mover : kTerminal; }
inline int OneShotState::legal(Action* out) const {
  if (played != kNoAction) return 0;
  std::iota(out, out + game->payoffs.size(), 0);
  return static_cast<int>(game->payoffs.size());
}
inline void OneShotState::returns(double* out) const {
  const auto& from = game->script.empty() ? game->payoffs[static_cast<std::size_t>(played)]
                                          : game->script[game->next++ % game->script.size()];
  std::copy(from.begin(), from.end(), out);
}

// Take 0.4 for sure (action 0), or roll (action 1): one chance in four of 1.
struct Gamble;
struct GambleState : PlainState<Gamble> {
  int step = 0;  // 0 decide, 1 roll, 2 over
  double won = 0;
  int player() const { return step == 0 ? 0 : step == 1 ? kChance : kTerminal; }
  int legal(Action* out) const {
    if (step == 2) return 0;
    out[0] = 0;
    out[1] = 1;
    return 2;
  }
  int outcomes(Outcome* out) const {
    out[0] = {0, 0.75};
    out[1] = {1, 0.25};
    return 2;
  }
  void apply(Action a) {
    if (step == 0 && a == 0) {
      won = 0.4;
      step = 2;
    } else if (++step == 2) {
      won = a;
    }
  }
  void returns(double* out) const { out[0] = won; }
  std::uint64_t key() const { return static_cast<std::uint64_t>(step * 10 + static_cast<int>(won * 5)); }
};
struct Gamble : PlainGame<Gamble, GambleState> {
  explicit Gamble(const Fields&) {
    info_.name = "gamble";
    info_.players = 1;
    info_.actions = info_.max_legal = info_.max_length = 2;
    info_.min_payoff = 0;
    info_.utility = Utility::general;
    info_.chance = true;
  }
  State root() const { return {}; }
};

// A token on a ring of six fields; players in turn move it one or two fields on. The player who repeats a position
// loses.
struct Ring;
struct RingState : PlainState<Ring> {
  int field = 0;
  int mover = 0;
  bool over = false;
  int player() const { return over ? kTerminal : mover; }
  int legal(Action* out) const {
    if (over) return 0;
    out[0] = 0;
    out[1] = 1;
    return 2;
  }
  void apply(Action a) {
    field = (field + a + 1) % 6;
    mover = 1 - mover;
  }
  void returns(double* out) const {
    out[mover] = 1;  // the other one repeated
    out[1 - mover] = -1;
  }
  std::uint64_t key() const { return static_cast<std::uint64_t>(2 * field + mover); }
  bool repetition() const { return true; }
  bool irreversible() const { return false; }
  void end_by_repetition() { over = true; }
  double evaluate(int, int who) const { return (field == 2 ? 0.75 : 0.25) * (who == 0 ? 1 : -1); }
};
struct Ring : PlainGame<Ring, RingState> {
  explicit Ring(const Fields&) {
    info_.name = "ring";
    info_.actions = info_.max_legal = 2;
    info_.max_length = 12;
    info_.repetition = true;
    info_.evaluations = {"field"};
  }
  State root() const { return {}; }
};

// Payoff of player 0 under best play, by plain recursion over paths.
inline double solve_ring(const RingState& state, Path<RingState>& path) {
  double payoffs[2];
  if (state.player() == kTerminal) {
    state.returns(payoffs);
    return payoffs[0];
  }
  double best = -2;
  for (Action a = 0; a < 2; ++a) {
    RingState next = state;
    const auto mark = path.mark();
    path.apply(next, a);
    const double value = solve_ring(next, path);
    best = std::max(best, state.player() == 0 ? value : -value);
    path.rewind(mark);
  }
  return state.player() == 0 ? best : -best;
}

// Stands for a game written in Python: states own memory, count themselves, and may throw.
struct Heavy;
struct HeavyState : PlainState<Heavy> {
  std::shared_ptr<int> plies = std::make_shared<int>(0);
  const Heavy* game;
  explicit HeavyState(const Heavy* g) : game(g) {}
  HeavyState(const HeavyState& other)
      : PlainState(other), plies(std::make_shared<int>(*other.plies)), game(other.game) {}
  HeavyState& operator=(const HeavyState& other) {
    plies = std::make_shared<int>(*other.plies);
    game = other.game;
    return *this;
  }
  HeavyState(HeavyState&&) = default;
  HeavyState& operator=(HeavyState&&) = default;
  int player() const { return *plies >= 6 ? kTerminal : *plies % 2; }
  int legal(Action* out) const {
    std::iota(out, out + 3, 0);
    return *plies >= 6 ? 0 : 3;
  }
  void apply(Action a);
  void returns(double* out) const {
    out[0] = *plies % 2 == 0 ? 1 : -1;
    out[1] = -out[0];
  }
  std::uint64_t key() const { return static_cast<std::uint64_t>(*plies); }
};
struct Heavy : PlainGame<Heavy, HeavyState> {
  static constexpr bool kNeedsInterpreter = true;
  mutable int applies_left = std::numeric_limits<int>::max();
  explicit Heavy(const Fields&) {
    info_.name = "heavy";
    info_.actions = info_.max_legal = 3;
    info_.max_length = 6;
  }
  State root() const { return State(this); }
};
inline void HeavyState::apply(Action) {
  if (--game->applies_left < 0) throw std::logic_error("from the game");
  ++*plies;
}

static_assert(GameLike<OneShot> && GameLike<Gamble> && GameLike<Ring> && HasRepetition<RingState> && GameLike<Heavy> &&
              NeedsInterpreter<Heavy>);

inline UctOptions iterations(std::int64_t n, std::uint64_t seed = 1) {
  UctOptions options;
  options.budget.iterations = n;
  options.seed = seed;
  return options;
}

template <class G>
Analysis run(const G& game, const typename G::State& state, const UctOptions& options) {
  Stop stop;
  return Uct<G>(game, options).search(state, {}, stop);
}

inline std::vector<std::int64_t> visits(const Analysis& analysis) {
  std::vector<std::int64_t> out;
  for (const auto& action : analysis.actions) out.push_back(action.visits);
  return out;
}

inline std::int64_t sum(const std::vector<std::int64_t>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), std::int64_t{0});
}

inline void check_same(const Analysis& a, const Analysis& b) {
  CHECK(a.best == b.best);
  CHECK(a.value == b.value);
  CHECK(a.line == b.line);
  CHECK(a.iterations == b.iterations);
  CHECK(a.nodes == b.nodes);
  CHECK(a.leaves == b.leaves);
  CHECK(a.depth == b.depth);
  CHECK(a.mean_depth == b.mean_depth);
  CHECK(a.depth_variance == b.depth_variance);
  REQUIRE(a.actions.size() == b.actions.size());
  for (std::size_t i = 0; i < a.actions.size(); ++i) {
    CHECK(a.actions[i].visits == b.actions[i].visits);
    CHECK(a.actions[i].value == b.actions[i].value);
    CHECK(a.actions[i].error == b.actions[i].error);
    CHECK(a.actions[i].mean == b.actions[i].mean);
  }
}

inline const tic_tac_toe::Game kBoard{Fields{}};

}  // namespace kiebitz::uct_test
