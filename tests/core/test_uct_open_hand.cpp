// The exact solver for open cards against plain recursion, and the tree search against both (DK-34 on a made-up game).
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "search/open_hand.hpp"
#include "trick_game.hpp"
#include "uct_games.hpp"

using namespace kiebitz;
using namespace kiebitz::search;
using namespace kiebitz::uct_test;
using trick_game::Game;
using trick_game::State;

namespace {

std::vector<Action> legal_of(const Game& game, const State& state) {
  std::vector<Action> actions(static_cast<std::size_t>(game.info().max_legal));
  actions.resize(static_cast<std::size_t>(state.legal(actions.data())));
  return actions;
}

// Each player maximises their own payoff, by plain recursion.
std::vector<double> max_n(const Game& game, const State& state) {
  if (state.player() == kTerminal) {
    std::vector<double> out(4);
    state.returns(out.data());
    return out;
  }
  std::vector<double> best;
  const auto mover = static_cast<std::size_t>(state.player());
  for (const Action a : legal_of(game, state)) {
    State next = state;
    next.apply(a);
    auto value = max_n(game, next);
    if (best.empty() || value[mover] > best[mover]) best = std::move(value);
  }
  return best;
}

// Some tricks into a game without calls.
State later(const Game& game, std::uint64_t seed, int cards) {
  State state = game.deal(seed);
  state.restrict_calls(Calls::none);
  Rng rng(seed, 7);
  std::vector<Action> buffer(static_cast<std::size_t>(game.info().max_legal));
  for (int i = 0; i < cards; ++i) state.apply(random_action(state, rng, buffer.data()));
  return state;
}

}  // namespace

TEST_CASE("dk_34_open_hands_are_solved_as_plain_recursion_solves_them") {
  const Game game(5, 2);
  OpenHand<Game> solver(game);
  int alone = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const State state = later(game, seed, 8 + static_cast<int>(seed % 12));
    if (state.player() == kTerminal) continue;
    const auto actions = legal_of(game, state);
    std::vector<double> found(actions.size());
    std::vector<std::int64_t> nodes(actions.size());
    REQUIRE(solver.values(state, actions, 1'000'000, {}, found.data(), nodes.data()));
    const auto mover = static_cast<std::size_t>(state.player());
    for (std::size_t i = 0; i < actions.size(); ++i) {
      State next = state;
      next.apply(actions[i]);
      CHECK(found[i] == max_n(game, next)[mover]);
    }
    double payoffs[4];
    REQUIRE(solver.payoffs(state, 1'000'000, payoffs));
    const auto expected = max_n(game, state);
    CHECK(std::vector<double>(payoffs, payoffs + 4) == expected);
    CHECK(payoffs[mover] == *std::ranges::max_element(found));
    alone += std::ranges::max(expected) >= 3 * std::abs(std::ranges::min(expected));
    if (seed % 3 == 0) solver.reset();  // what it remembers must not matter
  }
  CHECK(alone > 3);  // one against three occurred as well
}

TEST_CASE("an analysis with open cards names the best action and leaves the position alone") {
  const Game game(4, 2);
  OpenHand<Game> solver(game);
  Stop stop;
  const State state = later(game, 3, 4);
  const State before = state;
  const Analysis analysis = solver.search(state, {}, stop);
  CHECK(state == before);
  CHECK(analysis.method == "open_hand");
  CHECK(analysis.depth == 12);
  CHECK(analysis.value == max_n(game, state)[static_cast<std::size_t>(state.player())]);
  for (const auto& action : analysis.actions) {
    CHECK(action.certainty.exact());
    CHECK(action.value <= analysis.value);
  }
}

TEST_CASE("the solver keeps to its limits") {
  const Game game(8, 2);
  OpenHand<Game> solver(game);
  const State state = later(game, 3, 0);
  double payoffs[4];
  CHECK_FALSE(solver.payoffs(state, 100, payoffs));
  Stop stop;
  stop.request();
  CHECK_THROWS_AS(solver.search(state, {}, stop), LimitError);
}

TEST_CASE("after a reset the effort depends on the position alone") {
  const Game game(7, 2);
  const State state = later(game, 5, 8);
  OpenHand<Game> solver(game);
  Stop stop;
  const Analysis first = solver.search(state, {}, stop);
  CHECK(first.nodes > 1'000);
  for (int i = 0; i < 50; ++i) {  // each search begins with a reset
    const Analysis again = solver.search(state, {}, stop);
    CHECK(again.nodes == first.nodes);
    CHECK(again.value == first.value);
  }
}

TEST_CASE("dk_34_tree_search_finds_what_is_best_with_open_cards") {
  const Game game(3, 0);
  OpenHand<Game> solver(game);
  int unique = 0;
  int right = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const State state = later(game, seed, static_cast<int>(seed % 6));
    const auto actions = legal_of(game, state);
    std::vector<double> found(actions.size());
    std::vector<std::int64_t> nodes(actions.size());
    REQUIRE(solver.values(state, actions, 1'000'000, {}, found.data(), nodes.data()));
    const double best = *std::ranges::max_element(found);
    if (std::ranges::count(found, best) != 1 || actions.size() < 2) continue;
    ++unique;
    UctOptions options = iterations(20'000, seed);
    options.scale = Scale::raw;
    options.c = 2.5;
    right += run(game, state, options).best ==
             actions[static_cast<std::size_t>(std::ranges::find(found, best) - found.begin())];
  }
  CHECK(unique > 50);
  CHECK(right >= 0.99 * unique);
}
