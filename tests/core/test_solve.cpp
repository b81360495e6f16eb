// Compiled games against a plain walk of the tree, and every solver on small games: two players and three, with and
// without chance, hidden and open.
#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <numeric>

#include "games/kuhn.hpp"
#include "games/leduc/game.hpp"
#include "games/liars_dice.hpp"
#include "games/tic_tac_toe.hpp"
#include "hidden_checks.hpp"
#include "solve/cfr.hpp"
#include "solve/compile.hpp"
#include "solve/fictitious.hpp"
#include "solve/mccfr.hpp"
#include "solve/response.hpp"
#include "solve/subgame_perfect.hpp"

using namespace kiebitz;
using namespace kiebitz::solve;
using checks::make;

namespace {

template <class G>
std::shared_ptr<const Compiled> compiled(const Fields& parameters = {}, CompileLimits limits = {}) {
  const G game(resolve_parameters(G::parameters(), G::presets(), "", parameters));
  Stop stop;
  return std::make_shared<const Compiled>(Compiler<G>(game, limits, stop).run());
}

double nash_conv(const Compiled& game, const Profile& profile) {
  Evaluator evaluator(game);
  std::vector<const double*> pointers;
  for (const Strategy& strategy : profile) pointers.push_back(strategy.data());
  evaluator.set_profile(pointers);
  double sum = 0;
  for (int p = 0; p < game.players; ++p) sum += evaluator.best_response(p) - evaluator.payoff(p);
  return sum;
}

template <class Solver>
Profile averages(const Compiled& game, const Solver& solver) {
  Profile out;
  for (int p = 0; p < game.players; ++p) out.push_back(solver.average(p));
  return out;
}

// What a profile pays, node by node.
std::vector<double> walk(const Compiled& game, const Profile& profile, const Node& node) {
  const auto players = static_cast<std::size_t>(game.players);
  if (node.player == kTerminal) {
    const double* const first = game.payoffs.data() + node.index * players;
    return {first, first + players};
  }
  std::vector<double> sum(players);
  for (std::uint32_t i = 0; i < node.count; ++i) {
    const double p =
        node.player == kChance
            ? game.outcomes[node.index + i].probability
            : profile[static_cast<std::size_t>(node.player)][game.side(node.player).sets[node.index].first + i];
    const auto below = walk(game, profile, game.nodes[node.child + i]);
    for (std::size_t q = 0; q < players; ++q) sum[q] += p * below[q];
  }
  return sum;
}

Profile random_profile(const Compiled& game, std::uint64_t seed) {
  Rng rng(seed);
  Profile out;
  for (const Side& side : game.sides) {
    std::vector<double> weights(side.sequences());
    for (double& weight : weights) weight = rng.below(4) == 0 ? 0 : rng.unit();
    out.push_back(strategy_of(side, weights));
  }
  return out;
}

}  // namespace

TEST_CASE("sizes of compiled games") {
  const auto kuhn = compiled<kuhn::Game>();
  CHECK(kuhn->nodes.size() == 58);
  CHECK(kuhn->sides[0].sets.size() + kuhn->sides[1].sets.size() == 12);
  const auto leduc = compiled<leduc::Game>();
  CHECK(leduc->nodes.size() == 9457);
  CHECK(leduc->decision == 3780);
  CHECK(leduc->terminal == 5520);
  CHECK(leduc->sides[0].sets.size() == 468);
  const auto open = compiled<tic_tac_toe::Game>();
  CHECK(open->nodes.size() == 549'946);
  CHECK(open->terminal == 255'168);
}

TEST_CASE_TEMPLATE("what a profile pays equals a walk of the tree", G, kuhn::Game, leduc::Game, liars_dice::Game) {
  Fields parameters;
  if constexpr (std::is_same_v<G, kuhn::Game>) parameters = {{"players", std::int64_t{3}}};
  if constexpr (std::is_same_v<G, liars_dice::Game>) parameters = {{"sides", std::int64_t{3}}};
  const auto game = compiled<G>(parameters);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Profile profile = random_profile(*game, seed);
    Evaluator evaluator(*game);
    std::vector<const double*> pointers;
    for (const Strategy& strategy : profile) pointers.push_back(strategy.data());
    evaluator.set_profile(pointers);
    const auto expected = walk(*game, profile, game->nodes[0]);
    for (int p = 0; p < game->players; ++p) {
      CHECK(evaluator.payoff(p) == doctest::Approx(expected[static_cast<std::size_t>(p)]).epsilon(1e-12));
      std::vector<double> response(game->side(p).sequences());
      const double value = evaluator.best_response(p, response.data());
      CHECK(value >= evaluator.payoff(p) - 1e-12);
      Profile changed = profile;
      changed[static_cast<std::size_t>(p)] = response;
      CHECK(walk(*game, changed, game->nodes[0])[static_cast<std::size_t>(p)] == doctest::Approx(value).epsilon(1e-12));
    }
  }
}

TEST_CASE("a path leads to the information set that it is for") {
  const leduc::Game game(resolve_parameters(leduc::Game::parameters(), leduc::Game::presets(), "", {}));
  const auto tree = compiled<leduc::Game>();
  for (int p = 0; p < 2; ++p) {
    const Side& side = tree->side(p);
    for (std::size_t k = 0; k < side.sets.size(); ++k) {
      leduc::State state = game.root();
      for (const Action a : tree->path_to(side.nodes[k])) state.apply(a);
      REQUIRE(state.player() == p);
      Action legal[8];
      const int count = state.legal(legal);
      CHECK(std::vector<Action>(legal, legal + count) ==
            std::vector<Action>(side.actions.begin() + side.sets[k].first,
                                side.actions.begin() + side.sets[k].first + side.sets[k].count));
    }
  }
}

TEST_CASE("every solver comes close on kuhn and leduc") {
  Stop stop;
  for (const auto& [game, bound] : {std::pair{compiled<kuhn::Game>(), 0.02}, {compiled<leduc::Game>(), 0.25}}) {
    for (const CfrOptions& options : {CfrOptions{},
                                      {.gamma = 1, .floor = true},
                                      {.alpha = 1.5, .beta = 0, .gamma = 2},
                                      {.gamma = 2, .floor = true, .predictive = true},
                                      {.simultaneous = true}}) {
      Cfr solver(game, options);
      solver.iterate(1000, stop);
      CHECK(nash_conv(*game, averages(*game, solver)) < bound);
    }
    FictitiousPlay play(game);
    play.iterate(1000, stop);
    CHECK(nash_conv(*game, averages(*game, play)) < bound);
    for (const Sampling sampling : {Sampling::chance, Sampling::external, Sampling::outcome}) {
      Mccfr solver(game, {sampling, 0.6, 1});
      solver.iterate(sampling == Sampling::outcome ? 300'000 : 50'000, stop);
      CHECK(nash_conv(*game, averages(*game, solver)) < 2 * bound + (sampling == Sampling::outcome ? 0.5 : 0));
    }
  }
}

TEST_CASE("a solver goes on where its memory was taken") {
  Stop stop;
  const auto game = compiled<kuhn::Game>();
  for (const bool predictive : {false, true}) {
    const CfrOptions options{.gamma = 1, .floor = true, .predictive = predictive};
    Cfr whole(game, options);
    whole.iterate(100, stop);
    Cfr first(game, options);
    first.iterate(40, stop);
    Cfr second(game, options);
    second.load(first.memory());
    second.iterate(60, stop);
    CHECK(whole.average(0) == second.average(0));
    CHECK(whole.average(1) == second.average(1));
  }
  Mccfr whole(game, {Sampling::outcome, 0.6, 3});
  whole.iterate(100, stop);
  Mccfr first(game, {Sampling::outcome, 0.6, 3});
  first.iterate(40, stop);
  Mccfr second(game, {Sampling::outcome, 0.6, 4});
  second.load(first.memory());
  second.iterate(60, stop);
  CHECK(whole.average(0) == second.average(0));
}

TEST_CASE("backward induction is best in every subgame") {
  const auto game = compiled<tic_tac_toe::Game>();
  const Profile profile = subgame_perfect(*game);
  CHECK(nash_conv(*game, profile) == 0);
  CHECK(walk(*game, profile, game->nodes[0]) == std::vector<double>{0, 0});
  CHECK_THROWS_AS(subgame_perfect(*compiled<kuhn::Game>()), UnsuitableGame);
}

TEST_CASE("too large games are refused with their size") {
  CHECK_THROWS_WITH_AS(compiled<leduc::Game>({}, {.nodes = 1000}),
                       doctest::Contains("the limit of nodes=1000 is reached"), LimitError);
  CHECK_THROWS_AS(compiled<leduc::Game>({}, {.nodes = 0}), ParameterError);
  const leduc::Game game(resolve_parameters(leduc::Game::parameters(), leduc::Game::presets(), "", {}));
  Stop stop;
  stop.request();
  CHECK_THROWS_AS(Compiler<leduc::Game>(game, {}, stop).run(), LimitError);
}
