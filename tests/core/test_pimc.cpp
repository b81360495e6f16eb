// Perfect-information Monte Carlo: the fusion of worlds by hand-made examples, and what the search promises on a small
// trick game (DK-60 to DK-62, DK-81, DL-26).
#include <doctest/doctest.h>

#include <cmath>
#include <thread>
#include <vector>

#include "search/pimc.hpp"
#include "trick_game.hpp"
#include "uct_games.hpp"

using namespace kiebitz;
using namespace kiebitz::search;
using trick_game::Game;
using trick_game::State;
using uct_test::check_same;

namespace {

const double kNone = std::nan("");

WorldTable table_of(const std::vector<std::vector<std::int64_t>>& visits,
                    const std::vector<std::vector<double>>& values = {}) {
  WorldTable table(visits.size(), visits.front().size());
  for (std::size_t w = 0; w < visits.size(); ++w) {
    for (std::size_t a = 0; a < table.actions; ++a) {
      table.visits[w * table.actions + a] = visits[w][a];
      table.values[w * table.actions + a] = values.empty() ? (visits[w][a] > 0 ? 0 : kNone) : values[w][a];
    }
  }
  return table;
}

PimcOptions pimc_options(std::int64_t iterations = 200, int worlds = 8) {
  PimcOptions options;
  options.uct.budget.iterations = iterations;
  options.uct.scale = Scale::raw;
  options.uct.c = 2.5;
  options.worlds = worlds;
  options.seed = 5;
  return options;
}

Analysis decide(const Game& game, const State& state, const PimcOptions& options) {
  Stop stop;
  return Pimc<Game>(game, options).search(state.view(state.player()), stop);
}

void check_equal(const Analysis& a, const Analysis& b) {
  check_same(a, b);
  CHECK(a.worlds == b.worlds);
  CHECK(a.branching == b.branching);
  REQUIRE(a.world_values.size() == b.world_values.size());
  for (std::size_t w = 0; w < a.world_values.size(); ++w) {
    for (std::size_t i = 0; i < a.world_values[w].size(); ++i) {
      const double x = a.world_values[w][i];
      const double y = b.world_values[w][i];
      CHECK((x == y || (std::isnan(x) && std::isnan(y))));
    }
  }
}

// A card decision some moves into the game.
State card_decision(const Game& game, std::uint64_t seed, int cards) {
  State state = game.deal(seed);
  Rng rng(seed, 9);
  std::vector<Action> buffer(static_cast<std::size_t>(game.info().max_legal));
  while (cards > 0 || state.asked()) {
    cards -= !state.asked();
    state.apply(state.asked() ? game.pass() : random_action(state, rng, buffer.data()));
  }
  return state;
}

}  // namespace

TEST_CASE("dk_61_published_rank_example_chooses_the_second_action") {
  const std::vector<std::vector<int>> rows = {{1, 2, 4, 3}, {3, 3, 2, 2}, {3, 2, 3, 1}, {3, 2, 1, 4}};
  const std::vector<double> weights(4, 1.0);
  const auto sums = rank_sums(rows, weights);
  CHECK(sums == std::vector<double>{10, 9, 10, 10});
  CHECK(std::ranges::min_element(sums) - sums.begin() == 1);
  // The same through visits, but for the second row, which no ranking gives.
  const auto table = table_of({{40, 30, 10, 20}, {20, 20, 30, 30}, {20, 30, 20, 40}, {20, 30, 40, 10}});
  CHECK(ranks(table.visits_in(0)) == std::vector<int>{1, 2, 4, 3});
  CHECK(ranks(table.visits_in(1)) == std::vector<int>{3, 3, 1, 1});
  CHECK(ranks(table.visits_in(2)) == std::vector<int>{3, 2, 3, 1});
  CHECK(ranks(table.visits_in(3)) == std::vector<int>{3, 2, 1, 4});
  // Sums 10, 9, 9, 9: more visits decide between the last three.
  CHECK(fuse(table, Fusion::rank) == 1);
}

TEST_CASE("dk_61_average_takes_the_share_of_each_world_and_visits_their_sum") {
  // A world with many visits counts no more than another for the average, but does for the sum.
  const auto table = table_of({{60, 40}, {55, 45}, {100, 900}}, {{1, 0}, {1, 0}, {-3, 5}});
  const auto average = fusion_scores(table, Fusion::average);
  CHECK(average[0] == doctest::Approx(0.6 + 0.55 + 0.1));
  CHECK(average[1] == doctest::Approx(0.4 + 0.45 + 0.9));
  CHECK(fuse(table_of({{60, 40}, {60, 40}, {40, 60}}), Fusion::average) == 0);
  CHECK(fuse(table_of({{60, 40}, {60, 40}, {100, 900}}), Fusion::visits) == 1);
  CHECK(fuse(table_of({{90, 10}, {80, 20}, {10, 90}}), Fusion::rank) == 0);
  CHECK(fuse(table, Fusion::value) == 1);
}

TEST_CASE("ties go to the action with more visits, then to the first") {
  CHECK(fuse(table_of({{10, 20, 30}, {30, 20, 10}}), Fusion::average) == 0);
  CHECK(fuse(table_of({{10, 0, 0}, {0, 0, 30}}), Fusion::average) == 2);
  CHECK(fuse(table_of({{1, 5, 5}, {1, 5, 6}}), Fusion::rank) == 2);
  CHECK(fuse(table_of({{3, 3}, {3, 3}}), Fusion::visits) == 0);
}

TEST_CASE("a mean value needs more than half of the worlds") {
  const auto table = table_of({{9, 1}, {9, 0}, {9, 1}, {9, 0}}, {{0, 5}, {0, kNone}, {0, 5}, {0, kNone}});
  CHECK(fuse(table, Fusion::value) == 0);
  const auto more = table_of({{9, 1}, {9, 1}, {9, 1}, {9, 0}}, {{0, 5}, {0, 4}, {0, 6}, {0, kNone}});
  CHECK(fuse(more, Fusion::value) == 1);
  const Estimate value = action_estimate(more, 1);
  CHECK(value.count == 3);
  CHECK(value.mean == 5);
  CHECK(value.error == doctest::Approx(1 / std::sqrt(3.0)));
}

TEST_CASE("weights of worlds count in every fusion") {
  auto table = table_of({{9, 1}, {1, 9}, {1, 9}}, {{1, 0}, {0, 1}, {0, 1}});
  for (const Fusion fusion : {Fusion::average, Fusion::rank, Fusion::visits, Fusion::value}) {
    table.weights = {1, 1, 1};
    CHECK(fuse(table, fusion) == 1);
    table.weights = {3, 1, 1};
    CHECK(fuse(table, fusion) == 0);
  }
  CHECK(action_estimate(table, 0).mean == doctest::Approx(0.6));
}

TEST_CASE("a risky action must beat the best other one on the same worlds") {
  // Better by 1, 2, 3, 2 although the worlds themselves differ a lot: 2 on average, standard error 0.408.
  const auto table = table_of({{50, 50}, {50, 50}, {50, 50}, {50, 50}}, {{-9, -8}, {4, 6}, {20, 23}, {0, 2}});
  const std::vector<bool> risky = {false, true};
  const Estimate gain = difference(table, 1, 0);
  CHECK(gain.mean == 2);
  CHECK(gain.error == doctest::Approx(std::sqrt(2.0 / 3 / 4)));
  CHECK(careful_choice(table, Fusion::average, risky, 0, 0) == 0);  // a tie of visits: no evidence asked for
  CHECK(careful_choice(table, Fusion::average, risky, 2, 0) == 1);
  CHECK(careful_choice(table, Fusion::average, risky, 2, 1.5) == 0);
  CHECK(careful_choice(table, Fusion::average, risky, 6, 0) == 0);
  CHECK(careful_choice(table, Fusion::average, risky, 0, 1.9) == 1);
  CHECK(careful_choice(table, Fusion::average, risky, 0, 2) == 0);
  // One world says nothing about its own error.
  const auto one = table_of({{50, 50}}, {{0, 5}});
  CHECK(careful_choice(one, Fusion::value, risky, 1, 0) == 0);
  CHECK(careful_choice(one, Fusion::value, risky, 0, 1) == 1);
  // Without a choice between the classes the fusion decides.
  CHECK(careful_choice(table, Fusion::value, {false, false}, 9, 9) == 1);
}

TEST_CASE("dk_81_threads_do_not_change_anything") {
  const Game game(6, 2);
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    PimcOptions options = pimc_options(150, 11);
    options.fusion = seed % 2 == 0 ? Fusion::average : Fusion::value;
    options.exact_last = seed == 3 ? 16 : 0;
    options.exact_nodes = 300;  // some worlds are solved, others searched
    const State state = card_decision(game, seed, 9);
    const Analysis one = decide(game, state, options);
    CHECK(one.worlds == 11);
    for (const int threads : {2, 8}) {
      options.threads = threads;
      check_equal(one, decide(game, state, options));
    }
  }
}

TEST_CASE("a search object can be used again and gives the same again") {
  const Game game(6, 2);
  Pimc<Game> pimc(game, pimc_options());
  Stop stop;
  const State first = card_decision(game, 1, 3);
  const State second = card_decision(game, 2, 10);
  const Analysis a = pimc.search(first.view(first.player()), stop);
  const Analysis b = pimc.search(second.view(second.player()), stop);
  check_equal(a, pimc.search(first.view(first.player()), stop));
  check_equal(b, decide(game, second, pimc_options()));
}

TEST_CASE("dk_62_decisions_depend_on_the_view_alone") {
  const Game game(6, 2);
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const State truth = card_decision(game, seed, static_cast<int>(seed));
    const int mover = truth.player();
    Rng rng(seed, 3);
    const State other = game.sample(truth.view(mover), rng);
    REQUIRE(other.view(mover) == truth.view(mover));
    check_equal(decide(game, truth, pimc_options()), decide(game, other, pimc_options()));
  }
}

TEST_CASE("per action: visits of all worlds, mean over worlds, error over worlds, the worlds themselves") {
  const Game game(6, 2);
  const State state = card_decision(game, 4, 5);
  const Analysis analysis = decide(game, state, pimc_options(300, 10));
  CHECK(analysis.worlds == 10);
  CHECK(analysis.iterations == 3000);
  CHECK(analysis.method == "pimc, 10 sampled worlds");
  std::int64_t visits = 0;
  for (std::size_t a = 0; a < analysis.actions.size(); ++a) {
    const ActionValue& action = analysis.actions[a];
    visits += action.visits;
    double sum = 0;
    double squares = 0;
    for (const auto& row : analysis.world_values) sum += row[a];
    const double mean = sum / 10;
    for (const auto& row : analysis.world_values) squares += (row[a] - mean) * (row[a] - mean);
    CHECK(action.value == doctest::Approx(mean));
    CHECK(action.error == doctest::Approx(std::sqrt(squares / 9 / 10)));
    CHECK(action.mean[static_cast<std::size_t>(analysis.player)] == doctest::Approx(action.value));
    CHECK(action.mean[0] + action.mean[1] + action.mean[2] + action.mean[3] == doctest::Approx(0));
  }
  CHECK(visits == 3000);
}

TEST_CASE("dk_60_beliefs_decide_which_worlds_are_drawn") {
  const Game game(6, 2);
  const State state = card_decision(game, 4, 5);
  const auto view = state.view(state.player());
  const auto exact = draw_worlds(game, view, belief_index(game.info(), "exact"), 5, 8);
  const auto fixed = draw_worlds(game, view, belief_index(game.info(), "fixed"), 5, 8);
  int different = 0;
  for (std::size_t w = 0; w < 8; ++w) {
    CHECK(exact[w].view(state.player()) == view);
    CHECK(fixed[w] == fixed[0]);
    different += !(exact[w] == exact[0]);
  }
  CHECK(different > 4);
  PimcOptions options = pimc_options();
  options.belief = "fixed";
  const Analysis analysis = decide(game, state, options);
  Stop stop;
  check_equal(analysis, Pimc<Game>(game, options).search_worlds(view, fixed, {}, stop));
  options.belief = "guess";
  CHECK_THROWS_WITH_AS(Pimc<Game>(game, options), doctest::Contains("expected one of exact, fixed"), UnknownName);
}

TEST_CASE("worlds and weights can be handed over") {
  const Game game(6, 2);
  const State state = card_decision(game, 4, 5);
  const auto view = state.view(state.player());
  Pimc<Game> pimc(game, pimc_options());
  Stop stop;
  const auto worlds = draw_worlds(game, view, 0, 5, 8);
  check_equal(pimc.search(view, stop), pimc.search_worlds(view, worlds, {}, stop));
  check_equal(pimc.search(view, stop), pimc.search_worlds(view, worlds, std::vector<double>(8, 1), stop));
  // Worlds without weight are not there.
  std::vector<double> weights(8, 0);
  weights[2] = 0.5;
  const Analysis one = pimc.search_worlds(view, worlds, weights, stop);
  CHECK(one.worlds == 1);
  CHECK(one.world_values.size() == 1);
  CHECK_THROWS_AS(pimc.search_worlds(view, {}, {}, stop), ParameterError);
  CHECK_THROWS_AS(pimc.search_worlds(view, worlds, {1, 2}, stop), ParameterError);
  CHECK_THROWS_AS(pimc.search_worlds(view, worlds, std::vector<double>(8, 0), stop), ParameterError);
  CHECK_THROWS_AS(pimc.search_worlds(view, worlds, std::vector<double>(8, -1), stop), ParameterError);
  State moved = state;
  std::vector<Action> legal(24);
  moved.legal(legal.data());
  moved.apply(legal[0]);
  CHECK_THROWS_AS(pimc.search_worlds(view, {moved}, {}, stop), ParameterError);
  CHECK_THROWS_AS(pimc.search(moved.view(state.player()), stop), IllegalAction);
}

TEST_CASE("leaky worlds keep everybody's true side") {
  const Game game(6, 2);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const State truth = card_decision(game, seed, 2);
    const auto view = truth.view(truth.player());
    Pimc<Game> pimc(game, pimc_options());
    Stop stop;
    auto worlds = draw_worlds(game, view, 0, 5, 8);
    for (State& world : worlds) {
      world.take_sides(truth);
      for (int p = 0; p < 4; ++p) CHECK(world.side(p) == truth.side(p));
    }
    check_equal(pimc.search_leaky(truth, stop), pimc.search_worlds(view, worlds, {}, stop));
  }
}

TEST_CASE("care and margin keep a player from doubling") {
  const Game game(6, 1);
  int bold = 0;
  int careful = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const State state = game.deal(seed);
    REQUIRE(state.asked());
    PimcOptions options = pimc_options(100, 10);
    options.fusion = Fusion::value;
    const Analysis plain = decide(game, state, options);
    bold += plain.best == game.call();
    options.care = 2;
    const Analysis sure = decide(game, state, options);
    careful += sure.best == game.call();
    // The same numbers, another decision: exactly what the comparison says.
    std::vector<double> gains;
    double sum = 0;
    for (const auto& row : sure.world_values) sum += gains.emplace_back(row[0] - row[1]);
    double squares = 0;
    for (const double gain : gains) squares += (gain - sum / 10) * (gain - sum / 10);
    CHECK((sure.best == game.call()) == (sum / 10 > 2 * std::sqrt(squares / 9 / 10)));
    options.care = 0;
    options.margin = 1000;
    CHECK(decide(game, state, options).best == game.pass());
  }
  CHECK(bold > careful);
  CHECK(careful > 0);
}

TEST_CASE("calls that are not considered are declined without a search") {
  const Game game(5, 2);
  PimcOptions options = pimc_options();
  State state = game.deal(1);
  options.calls = Calls::last;
  const Analysis early = decide(game, state, options);
  CHECK(early.best == game.pass());
  CHECK(early.iterations == 0);
  CHECK(early.actions.size() == 2);
  state.apply(game.pass());
  CHECK(decide(game, state, options).iterations > 0);  // a card is a decision as before
  std::vector<Action> buffer(20);
  Rng rng(1);
  for (int i = 0; i < 4; ++i) state.apply(random_action(state, rng, buffer.data()));
  REQUIRE(state.asked());  // for the last time
  CHECK(decide(game, state, options).iterations > 0);
  options.calls = Calls::none;
  CHECK(decide(game, state, options).iterations == 0);
  CHECK(decide(game, state, options).best == game.pass());
}

TEST_CASE("the last tricks are solved exactly in every world") {
  const Game game(5, 0);
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const State state = card_decision(game, seed, 10);
    PimcOptions options = pimc_options(100, 12);
    options.exact_last = 12;
    const Analysis analysis = decide(game, state, options);
    CHECK(analysis.iterations == 0);
    const auto worlds = draw_worlds(game, state.view(state.player()), 0, options.seed, 12);
    OpenHand<Game> solver(game);
    for (std::size_t w = 0; w < 12; ++w) {
      Stop stop;
      const Analysis exact = solver.search(worlds[w], {}, stop);
      for (std::size_t a = 0; a < exact.actions.size(); ++a) {
        CHECK(analysis.world_values[w][a] == exact.actions[a].value);
      }
    }
    for (const auto& action : analysis.actions) CHECK(analysis.value >= action.value);
    options.exact_nodes = 1;  // not enough for anything: trees take over
    CHECK(decide(game, state, options).iterations == 1200);
    options.exact_last = 9;  // ten cards are left
    CHECK(decide(game, state, options).iterations == 1200);
  }
}

TEST_CASE("a stop is obeyed and something is returned all the same") {
  const Game game(8, 2);
  const State state = card_decision(game, 1, 0);
  PimcOptions options = pimc_options(1'000'000'000, 20);
  options.threads = 2;
  options.uct.memory_mb = 4;
  Pimc<Game> pimc(game, options);
  Stop at_once;
  at_once.request();
  const Analysis least = pimc.search(state.view(state.player()), at_once);
  CHECK(least.stopped);
  CHECK(least.worlds >= 1);
  CHECK(least.iterations >= 1);
  Stop later;
  std::thread other([&] { later.request(); });
  const Analysis some = pimc.search(state.view(state.player()), later);
  other.join();
  CHECK(some.stopped);
  CHECK(some.best != kNoAction);
}

TEST_CASE("a time budget is shared by all worlds") {
  const Game game(8, 2);
  const State state = card_decision(game, 1, 0);
  PimcOptions options = pimc_options(0, 6);
  Analysis analysis;
  // On a busy machine a short time may be over before all had their turn.
  for (double seconds = 0.12; analysis.iterations <= 6 && seconds < 60; seconds *= 4) {
    options.uct.budget.seconds = seconds;
    analysis = decide(game, state, options);
    CHECK_FALSE(analysis.stopped);
    if (analysis.worlds < 6) analysis.iterations = 0;
  }
  CHECK(analysis.worlds == 6);
  CHECK(analysis.iterations > 6);
}

TEST_CASE("a full tree goes on with playouts") {
  const Game game(8, 0);
  PimcOptions options = pimc_options(60'000, 2);
  options.uct.memory_mb = 1;
  const Analysis analysis = decide(game, card_decision(game, 1, 0), options);
  CHECK(analysis.memory_full);
  CHECK(analysis.iterations == 120'000);
}

TEST_CASE("what a world throws comes through, from any thread") {
  const Game game(5, 0);
  PimcOptions options = pimc_options(1000, 6);
  options.uct.scale = Scale::unit;
  options.threads = 3;
  Game narrow(5, 0);
  const_cast<GameInfo&>(narrow.info()).max_payoff = 0.5;
  Stop stop;
  const State state = narrow.deal(1);
  CHECK_THROWS_WITH_AS(Pimc<Game>(narrow, options).search(state.view(state.player()), stop),
                       doctest::Contains("outside the game's range"), Error);
}

TEST_CASE("options that cannot be meant are refused") {
  const Game game(4, 0);
  const auto refused = [&](auto change) {
    PimcOptions options = pimc_options();
    change(options);
    CHECK_THROWS_AS(Pimc<Game>(game, options), Error);
  };
  refused([](PimcOptions& o) { o.worlds = 0; });
  refused([](PimcOptions& o) { o.threads = 0; });
  refused([](PimcOptions& o) { o.care = -1; });
  refused([](PimcOptions& o) { o.margin = std::nan(""); });
  refused([](PimcOptions& o) { o.exact_last = 33; });
  refused([](PimcOptions& o) { o.uct.budget.iterations = 0; });
  refused([](PimcOptions& o) { o.uct.streams = 2; });
  refused([](PimcOptions& o) { o.uct.reuse = true; });
  refused([](PimcOptions& o) { o.uct.final = Final::value; });
  refused([](PimcOptions& o) { o.uct.c = -1; });
}
