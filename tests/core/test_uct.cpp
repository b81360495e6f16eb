// What the tree search counts and chooses, on games whose right answers are known (DL-12, DL-13, DL-16, DL-17, OW-21,
// section 6.3 of the DL4G specification).
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

#include "uct_games.hpp"

using namespace kiebitz;
using namespace kiebitz::search;
using namespace kiebitz::uct_test;

TEST_CASE("dl_12_every_visit_is_an_own_playout_or_a_childs") {
  for (const Expand expand : {Expand::one, Expand::all}) {
    UctOptions options = iterations(3000);
    options.expand = expand;
    options.scalar = false;
    options.streams = 2;
    Uct<tic_tac_toe::Game> uct(kBoard, options);
    Stop stop;
    const Analysis analysis = uct.search(kBoard.root(), {}, stop);
    std::int64_t own_playouts = 0;
    std::int64_t nodes = 0;
    std::array<std::int64_t, 2> roots{};
    uct.walk([&](const TreeNode& node) {
      const std::int64_t own = node.visits - node.child_visits;
      own_playouts += own;
      ++nodes;
      CHECK(own >= 0);
      if (node.depth == 0) {
        roots[static_cast<std::size_t>(node.stream)] = node.visits;
        CHECK(own == 0);
      } else if (node.player != kTerminal) {
        // One playout each from where it was added; with Expand::all only from the child that was drawn.
        CHECK(own <= 1);
        if (expand == Expand::one) CHECK(own == 1);
      } else {
        CHECK(own == node.visits);
      }
      // Payoffs -1..1 become units that add up to 1 per simulation.
      REQUIRE(node.totals.size() == 2);
      const auto n = static_cast<double>(node.visits);
      CHECK((node.totals[0] + n) / 2 + (node.totals[1] + n) / 2 == n);
      CHECK(node.total == node.totals[static_cast<std::size_t>(node.mover)]);
      CHECK(std::abs(node.totals[0]) <= n);
    });
    CHECK(own_playouts == 3000);
    CHECK(roots == std::array<std::int64_t, 2>{1500, 1500});
    if (expand == Expand::one) CHECK(nodes == analysis.nodes + 2);
    if (expand == Expand::all) CHECK(nodes < analysis.nodes);
    CHECK(sum(visits(analysis)) == 3000);
  }
}

TEST_CASE("dl_12_payoffs_outside_the_range_are_refused") {
  OneShot game{Fields{}};
  game.set(0, {{0.5, 0.5}, {1.5, -0.5}});
  CHECK_THROWS_WITH_AS(run(game, game.root(), iterations(10)), doctest::Contains("outside the game's range"), Error);
  UctOptions raw = iterations(10);
  raw.scale = Scale::raw;
  CHECK(run(game, game.root(), raw).best == 1);
  // The same from a helper thread.
  UctOptions threads = iterations(1000);
  threads.streams = threads.threads = 4;
  CHECK_THROWS_AS(run(game, game.root(), threads), Error);
}

TEST_CASE("section_6_3_win_draw_loss_give_1_5_each") {
  OneShot game{Fields{}};
  game.set(0, {{1, 0}});
  game.script = {{1, 0}, {0.5, 0.5}, {0, 1}};
  Uct<OneShot> uct(game, iterations(3));
  Stop stop;
  const Analysis analysis = uct.search(game.root(), {}, stop);
  int nodes = 0;
  uct.walk([&](const TreeNode& node) {
    ++nodes;
    CHECK(node.visits == 3);
    CHECK(node.totals[0] == 1.5);
    CHECK(node.totals[1] == 1.5);
  });
  CHECK(nodes == 2);
  CHECK(analysis.actions[0].mean == std::vector<double>{0.5, 0.5});
}

TEST_CASE("standard errors are those of the simulations") {
  OneShot game{Fields{}};
  game.set(0, {{1, 0}});
  game.script = {{0, 1}, {1, 0}, {0, 1}, {1, 0}};
  CHECK(run(game, game.root(), iterations(4)).actions[0].error == doctest::Approx(std::sqrt(1.0 / 3) / 2));
  CHECK(run(game, game.root(), iterations(1)).actions[0].error == 0.5);  // one playout: half the range
}

TEST_CASE("ow_21_two_cycles") {
  OneShot game{Fields{}};
  game.set(0, {{0, 1}, {0, 1}});
  game.script = {{1, 0}, {0, 1}};
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    game.next = 0;
    UctOptions options = iterations(1, seed);
    options.formula = Formula::ucb1_sqrt2;
    options.c = 1;
    options.reuse = true;
    options.final = Final::value;
    Uct<OneShot> uct(game, options);
    Stop stop;
    const Analysis first = uct.search(game.root(), {}, stop);
    const Action tried = first.best;
    CHECK(first.actions[static_cast<std::size_t>(tried)].visits == 1);
    CHECK(first.actions[static_cast<std::size_t>(tried)].value == 1);
    CHECK(first.actions[static_cast<std::size_t>(1 - tried)].visits == 0);
    // ln 1 = 0: the tried child is worth 1, the other one infinitely much.
    CHECK(ucb1(1, 1, 1, 1) == 1);
    const Analysis second = uct.search(game.root(), {}, stop);
    CHECK(second.actions[static_cast<std::size_t>(1 - tried)].visits == 1);
    CHECK(second.actions[static_cast<std::size_t>(1 - tried)].value == 0);
    CHECK(second.best == tried);
    uct.walk([](const TreeNode& node) {
      if (node.depth != 0) return;
      CHECK(node.visits == 2);
      CHECK(node.total == 1);
    });
  }
}

TEST_CASE("dl_13_each_mover_maximises_his_own_component") {
  OneShot game{Fields{}};
  for (int seat = 0; seat < 3; ++seat) {
    std::vector<std::vector<double>> payoffs(5, {1, 1, 1});
    for (std::size_t a = 0; a < 5; ++a) payoffs[a][static_cast<std::size_t>(seat)] = a == 3 ? 1 : 0;
    game.set(seat, payoffs);
    const Analysis analysis = run(game, game.root(), iterations(5000));
    CHECK(analysis.player == seat);
    CHECK(analysis.best == 3);
    CHECK(analysis.actions[3].visits > 4750);
    CHECK(analysis.actions[3].mean == std::vector<double>{1, 1, 1});
  }
}

TEST_CASE("formulas_and_scales_choose_as_a_plain_bandit_does") {
  // Payoffs that never change turn the root into a bandit that a few lines of plain arithmetic can follow.
  const std::vector<double> points = {-31, 7.25, 12.5, 11.75, -4.125};
  OneShot game{Fields{}};
  std::vector<std::vector<double>> payoffs;
  for (const double p : points) payoffs.push_back({p, -p});
  game.set(0, payoffs, -40, 40);
  for (const Formula formula : {Formula::ucb1, Formula::ucb1_sqrt2, Formula::ucb1_2sqrt2}) {
    for (const Scale scale : {Scale::unit, Scale::raw, Scale::siblings}) {
      UctOptions options = iterations(500);
      options.formula = formula;
      options.scale = scale;
      options.c = 0.7;
      const double c = options.c * exploration_factor(formula);
      std::vector<std::int64_t> expected(5, 1);
      for (int n = 5; n < 500; ++n) {
        std::size_t best = 0;
        double most = -1e9;
        for (std::size_t i = 0; i < 5; ++i) {
          const double mean = scale == Scale::unit  ? (points[i] + 40) / 80
                              : scale == Scale::raw ? points[i]
                                                    : 2 * (points[i] + 31) / 43.5 - 1;
          const double bound = ucb1(mean, c, n, static_cast<double>(expected[i]));
          if (bound > most) {
            most = bound;
            best = i;
          }
        }
        ++expected[best];
      }
      CAPTURE(static_cast<int>(formula));
      CAPTURE(static_cast<int>(scale));
      CHECK(visits(run(game, game.root(), options)) == expected);
    }
  }
}

TEST_CASE("equal siblings share the visits whatever the scale") {
  OneShot game{Fields{}};
  game.set(0, {{0.5, 0.5}, {0.5, 0.5}, {0.5, 0.5}});
  for (const Scale scale : {Scale::unit, Scale::raw, Scale::siblings}) {
    UctOptions options = iterations(300);
    options.scale = scale;
    CHECK(visits(run(game, game.root(), options)) == std::vector<std::int64_t>{100, 100, 100});
  }
}

TEST_CASE("dl_16_most_visits_decide_not_the_largest_bound") {
  OneShot game{Fields{}};
  game.set(0, {{0.6, 0.4}, {0.55, 0.45}});
  int differs = 0;
  for (int n = 100; n < 110; ++n) {
    const Analysis analysis = run(game, game.root(), iterations(n));
    const auto bound = [&](std::size_t i) {
      return ucb1(analysis.actions[i].value, std::sqrt(2.0), n, static_cast<double>(analysis.actions[i].visits));
    };
    CHECK(analysis.actions[0].visits > analysis.actions[1].visits);
    CHECK(analysis.best == 0);
    differs += bound(1) > bound(0);
  }
  CHECK(differs > 0);
}

TEST_CASE("dl_16_first_on_ties_and_final_by_value") {
  OneShot game{Fields{}};
  game.set(0, {{0.2, 0.8}, {0.9, 0.1}, {0.9, 0.1}});
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    UctOptions options = iterations(3, seed);  // one visit each, in random order
    CHECK(run(game, game.root(), options).best == 0);
    options.final = Final::value;
    CHECK(run(game, game.root(), options).best == 1);
    options.budget.iterations = 1;  // an action without visits has no value to win with
    const Analysis one = run(game, game.root(), options);
    CHECK(one.actions[static_cast<std::size_t>(one.best)].visits == 1);
  }
}

TEST_CASE("dl_17_scalar_and_vector_nodes_give_the_same_visits") {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    for (const Scale scale : {Scale::unit, Scale::raw, Scale::siblings}) {
      for (const Expand expand : {Expand::one, Expand::all}) {
        UctOptions options = iterations(4000, seed);
        options.scale = scale;
        options.expand = expand;
        options.scalar = true;
        const Analysis scalar = run(kBoard, kBoard.root(), options);
        options.scalar = false;
        check_same(scalar, run(kBoard, kBoard.root(), options));
      }
    }
  }
}

TEST_CASE("flat_monte_carlo_tries_each_action_in_turn") {
  UctOptions options = iterations(905);
  options.select = Select::round_robin;
  options.tree_depth = 1;
  const Analysis analysis = run(kBoard, kBoard.root(), options);
  CHECK(analysis.method == "flat_mc");
  CHECK(visits(analysis) == std::vector<std::int64_t>{101, 101, 101, 101, 101, 100, 100, 100, 100});
  CHECK(analysis.depth == 1);
  CHECK(analysis.depth_variance == 0);
  CHECK(analysis.nodes == 9);
  options.final = Final::value;
  options.budget.iterations = 9000;
  CHECK(run(kBoard, kBoard.root(), options).best == 4);
}

TEST_CASE("dl_12_the_default_policy_can_be_the_games_evaluation") {
  const Ring game{Fields{}};
  UctOptions options = iterations(100);
  options.playout = Playout::evaluation;
  options.tree_depth = 1;
  const Analysis analysis = run(game, game.root(), options);
  CHECK(analysis.best == 1);
  CHECK(analysis.actions[0].value == 0.25);
  CHECK(analysis.actions[1].value == 0.75);
  CHECK(analysis.actions[1].mean == std::vector<double>{0.75, -0.75});
  CHECK(analysis.actions[1].error == 0);
}

TEST_CASE("chance nodes in the tree follow their probabilities") {
  const Gamble game{Fields{}};
  for (const Expand expand : {Expand::one, Expand::all}) {
    UctOptions options = iterations(20'000);
    options.expand = expand;
    options.c = 20;  // explore evenly, so that both actions are measured
    Uct<Gamble> uct(game, options);
    Stop stop;
    const Analysis analysis = uct.search(game.root(), {}, stop);
    CHECK(analysis.best == 0);
    CHECK(analysis.actions[0].value == doctest::Approx(0.4));
    CHECK(analysis.actions[0].error < 1e-6);
    CHECK(analysis.actions[1].visits > 5000);
    CHECK(std::abs(analysis.actions[1].value - 0.25) < 4 * analysis.actions[1].error);
    CHECK(analysis.actions[1].error ==
          doctest::Approx(std::sqrt(0.1875 / static_cast<double>(analysis.actions[1].visits))).epsilon(0.05));
    uct.walk([&](const TreeNode& node) {
      if (node.depth == 2) CHECK(node.total == (node.action == 1 ? static_cast<double>(node.visits) : 0));
    });
  }
}

TEST_CASE("a repetition on the path ends the game inside the search") {
  const Ring game{Fields{}};
  Rng rng(11);
  int decided = 0;
  for (int trial = 0; trial < 400; ++trial) {
    RingState state;
    std::vector<std::uint64_t> seen;  // some of the other positions
    for (std::uint64_t key = 1; key < 12; ++key) {
      if (rng.below(3) == 0) seen.push_back(key);
    }
    Path<RingState> path;
    path.reset(state, seen);
    std::array<double, 2> values{};
    for (Action a = 0; a < 2; ++a) {
      RingState next = state;
      const auto mark = path.mark();
      path.apply(next, a);
      values[static_cast<std::size_t>(a)] = solve_ring(next, path);
      path.rewind(mark);
    }
    if (values[0] == values[1]) continue;
    ++decided;
    Stop stop;
    const Analysis analysis = Uct<Ring>(game, iterations(2000)).search(state, seen, stop);
    CHECK(analysis.best == (values[0] > values[1] ? 0 : 1));
  }
  CHECK(decided > 20);
}
