// Proofs of endings of Oware against exhaustive search to the first repetition, with a past and without.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "games/path.hpp"
#include "players/oware/proof.hpp"

using namespace kiebitz;
using oware::Endgame;
using oware::Game;
using oware::Prover;
using oware::State;

namespace {

Game make(const std::string& preset, const Fields& given = {}) {
  return Game(resolve_parameters(Game::parameters(), Game::presets(), preset, given));
}

std::shared_ptr<const Endgame> build(const Game& game, int seeds) {
  auto table = std::make_shared<Endgame>(game);
  Stop stop;
  while (table->seeds() < seeds) REQUIRE(table->extend(stop));
  return table;
}

int lead(const State& state, int player) { return state.captured(player) - state.captured(1 - player); }

// What a player gets with perfect play when a repeated position ends the game: no table, no memory. Gives up when the
// count of positions runs out.
int exhaustive(const State& here, Path<State>& path, int player, int alpha, int beta, int& count) {
  if (--count < 0) return 0;
  const bool mine = here.player() == player;
  Action actions[6];
  const int n = here.legal(actions);
  for (int i = 0; i < n && alpha < beta; ++i) {
    State next = here;
    const auto mark = path.mark();
    path.apply(next, actions[i]);
    const int value = next.player() < 0 ? lead(next, player) : exhaustive(next, path, player, alpha, beta, count);
    path.rewind(mark);
    (mine ? alpha : beta) = mine ? std::max(alpha, value) : std::min(beta, value);
  }
  return mine ? alpha : beta;
}

std::optional<int> value_of(const State& state, Path<State>& path, int player) {
  int count = 3000;
  const int value = exhaustive(state, path, player, -12, 12, count);
  return count < 0 ? std::nullopt : std::optional<int>(value);
}

std::optional<State> scatter(const Game& game, Rng& rng, int seeds) {
  std::vector<std::int64_t> pits(12);
  for (int i = 0; i < seeds; ++i) ++pits[rng.below(12)];
  try {
    return game.load({{"pits", pits}, {"captured", std::vector<std::int64_t>{0, 0}}, {"player", std::int64_t{0}}});
  } catch (const PositionError&) {
    return std::nullopt;
  }
}

}  // namespace

TEST_CASE("what is proven is what exhaustive search finds, with a past and without, and the move keeps it") {
  const Fields repeats = {{"repetition", true}};
  const std::vector<Game> games = {make("abapa"), make("abapa", {{"grand_slam", std::string("allowed")}}),
                                   make("thesis", repeats),
                                   make("thesis", {{"repetition", true}, {"starvation", std::string("either")}})};
  for (const Game& game : games) {
    const auto table = build(game, 4);
    Prover prover(table);
    Rng rng(11);
    Stop stop;
    int proven = 0;
    int wrong = 0;
    int spoilt = 0;
    for (int round = 0; round < 400; ++round) {
      auto state = scatter(game, rng, 2 + round % 3);
      if (!state) continue;
      Path<State> path;
      path.reset(*state, {});
      while (state->player() >= 0) {
        const int me = state->mover();
        const int before = lead(*state, me);
        if (const auto value = value_of(*state, path, me)) {
          const oware::Ending& ending = table->entries()[Endgame::rank(*state)];
          const int gain = *value - before;
          spoilt += gain < ending.low || gain > ending.high;
          for (int goal = -4; goal <= 5; ++goal) {
            const auto proof = prover.at_least(goal, *state, path.seen(), 20'000, 0, stop);
            proven += proof.sure != 0;
            wrong += proof.sure != 0 && (proof.sure > 0) != (gain >= goal);
            if (proof.sure <= 0) continue;
            State next = *state;
            const auto mark = path.mark();
            path.apply(next, proof.move);
            const auto after = next.player() < 0 ? lead(next, me) : value_of(next, path, me);
            path.rewind(mark);
            wrong += after && *after - before < goal;
          }
        }
        Action buffer[6];
        path.apply(*state, random_action(*state, rng, buffer));
      }
    }
    CHECK(wrong == 0);
    CHECK(proven > 1000);
    if (game.rules().must_feed) CHECK(spoilt > 0);  // the table alone would have been wrong
  }
}

TEST_CASE("with more seeds, where exhaustive search takes too long, proofs agree with those of the successors") {
  const Game game = make("abapa");
  Prover prover(build(game, 8));
  Rng rng(17);
  Stop stop;
  // Does the player get the goal, counted from nothing captured? 1, -1, or 0 for not known.
  const auto gets = [&](const State& state, const Path<State>& path, int player, int goal) {
    const int more = goal - lead(state, player);
    if (state.player() < 0) return more <= 0 ? 1 : -1;
    if (state.mover() == player) return prover.at_least(more, state, path.seen(), 50'000, 0, stop).sure;
    return -prover.at_least(1 - more, state, path.seen(), 50'000, 0, stop).sure;
  };
  int checked = 0;
  int wrong = 0;
  for (int round = 0; round < 25; ++round) {
    auto state = scatter(game, rng, 5 + round % 3);
    if (round % 2 == 0) {
      // Here a label that was counted twice once made both sides sure.
      const std::vector<std::int64_t> pits = {0, 2, 0, 1, 1, 0, 0, 0, 2, 1, 1, 0};
      state = game.load({{"pits", pits}, {"captured", std::vector<std::int64_t>{0, 4}}, {"player", std::int64_t{0}}});
    }
    if (!state) continue;
    Path<State> path;
    path.reset(*state, {});
    while (state->player() >= 0) {
      const int me = state->mover();
      for (const int goal : {-1, 0, 1, 2}) {
        const int here = gets(*state, path, me, goal);
        int best = -1;
        bool known = here != 0;
        Action actions[6];
        const int n = state->legal(actions);
        for (int i = 0; i < n; ++i) {
          State next = *state;
          const auto mark = path.mark();
          path.apply(next, actions[i]);
          const int after = gets(next, path, me, goal);
          path.rewind(mark);
          known = known && after != 0;
          best = std::max(best, after);
        }
        checked += known;
        wrong += known ? best != here : here == -1 && best > 0;
      }
      Action buffer[6];
      path.apply(*state, random_action(*state, rng, buffer));
    }
  }
  CHECK(wrong == 0);
  CHECK(checked > 1000);
}

TEST_CASE("a proof ends at its limits, and does not depend on what was asked before") {
  const Game game = make("abapa");
  Prover prover(build(game, 6));
  Rng rng(3);
  Stop stop;
  int open = 0;
  for (int round = 0; round < 50; ++round) {
    const auto state = scatter(game, rng, 6);
    if (!state) continue;
    const auto first = prover.at_least(1, *state, {}, 5'000, 0, stop);
    const auto again = prover.at_least(1, *state, {}, 5'000, 0, stop);
    CHECK(first.sure == again.sure);
    CHECK(first.move == again.move);
    CHECK(first.nodes == again.nodes);
    CHECK((first.sure > 0) == (first.move >= 0));
    open += prover.at_least(1, *state, {}, 1, 0, stop).sure == 0;
  }
  CHECK(open > 10);
  const auto state = scatter(game, rng, 6);
  REQUIRE(state);
  Stop stopped;
  stopped.request();
  CHECK(prover.at_least(1, *state, {}, 0, 0, stopped).sure == 0);
}
