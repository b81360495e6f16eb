// What the tree search does in games with declarations, risky actions and sides: switches of the Doppelkopf thesis
// (DK-31, DK-32) and the improvements that it proposes (section 13 of the specification, DK-84).
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "search/open_hand.hpp"
#include "search/ucb.hpp"
#include "trick_game.hpp"
#include "uct_games.hpp"

using namespace kiebitz;
using namespace kiebitz::search;
using namespace kiebitz::uct_test;
using trick_game::Game;

namespace {

UctOptions points(std::int64_t n, std::uint64_t seed = 1) {
  UctOptions options = iterations(n, seed);
  options.scale = Scale::raw;
  options.c = 2.5;
  return options;
}

// A deal whose leader has answered: the root is a card.
trick_game::State after_the_question(const Game& game, std::uint64_t seed) {
  trick_game::State state = game.deal(seed);
  state.apply(game.pass());
  return state;
}

}  // namespace

TEST_CASE("dk_32_no_call_below_the_root_and_none_in_playouts") {
  const Game game(5, 3);
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (const bool asked : {true, false}) {
      const auto root = asked ? game.deal(seed) : after_the_question(game, seed);
      UctOptions options = points(800, seed);
      options.tree_calls = options.playout_calls = Calls::none;
      Uct<Game> uct(game, options);
      Stop stop;
      game.calls_made = 0;
      const Analysis analysis = uct.search(root, {}, stop);
      std::int64_t at_root = 0;
      uct.walk([&](const TreeNode& node) {
        if (node.depth > 1) CHECK(node.action < game.call());
        if (node.depth == 1 && node.action == game.call()) at_root = node.visits;
      });
      CHECK((at_root > 0) == asked);
      // The root's own call is played once per simulation and once more for the principal line; nobody else calls.
      CHECK(game.calls_made <= at_root + 1);
      CHECK(sum(visits(analysis)) == 800);
    }
  }
}

TEST_CASE("dk_32_with_both_switches_off_everybody_calls") {
  const Game game(5, 3);
  const auto root = after_the_question(game, 1);
  for (const auto& [tree, playout] : {std::pair{Calls::all, Calls::none}, std::pair{Calls::none, Calls::all}}) {
    UctOptions options = points(500);
    options.tree_calls = tree;
    options.playout_calls = playout;
    Uct<Game> uct(game, options);
    Stop stop;
    game.calls_made = 0;
    uct.search(root, {}, stop);
    bool in_tree = false;
    uct.walk([&](const TreeNode& node) { in_tree = in_tree || node.action == game.call(); });
    CHECK(in_tree == (tree == Calls::all));
    // A restriction stays: what the tree leaves out its playouts leave out as well.
    CHECK((game.calls_made > 0) == (tree == Calls::all));
  }
}

TEST_CASE("calls only at the last possible moment") {
  const Game game(5, 3);
  const auto root = after_the_question(game, 2);
  UctOptions options = points(20'000);
  options.tree_calls = Calls::last;
  Uct<Game> uct(game, options);
  Stop stop;
  uct.search(root, {}, stop);
  int shallowest = 1000;
  uct.walk([&](const TreeNode& node) {
    if (node.action == game.call()) shallowest = std::min(shallowest, node.depth);
  });
  CHECK(shallowest == 9);  // two tricks of four cards, then the leader of the third speaks
}

TEST_CASE("dk_31_root_visits_add_up_to_the_iterations") {
  const Game game(4, 2);
  for (const std::int64_t n : {1, 10, 1000}) {
    for (const Calls calls : {Calls::all, Calls::last, Calls::none}) {
      UctOptions options = points(n);
      options.tree_calls = options.playout_calls = calls;
      options.class_share = 0.25;
      CHECK(sum(visits(run(game, game.deal(3), options))) == n);
    }
  }
}

TEST_CASE("one number a node changes no visit with four players either") {
  const Game game(4, 2);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    UctOptions options = points(3000, seed);
    const Analysis lean = run(game, game.deal(seed), options);
    options.scalar = false;
    check_same(lean, run(game, game.deal(seed), options));
    options.scalar = true;
    options.reuse = true;
    check_same(lean, run(game, game.deal(seed), options));
  }
}

TEST_CASE("section_13_1_every_class_of_actions_gets_its_share") {
  OneShot plain{Fields{}};
  const Game game(4, 1);
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    UctOptions options = points(2000, seed);
    options.c = 0.1;
    const auto root = game.deal(seed);  // double (risky) or pass
    const Analysis free = run(game, root, options);
    for (const double share : {0.1, 0.3, 0.5}) {
      options.class_share = share;
      const Analysis analysis = run(game, root, options);
      for (const auto& action : analysis.actions) CHECK(action.visits >= std::floor(share * 2000) - 1);
    }
    // Where both classes have more than their share anyway, nothing changes.
    options.class_share = 0.001;
    const auto least = std::min(free.actions[0].visits, free.actions[1].visits);
    if (least > 20) check_same(free, run(game, root, options));
  }
}

TEST_CASE("a risky action has to be worth its margin") {
  const Game game(4, 1);
  int bold = 0;
  int declined = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    UctOptions options = points(2000, seed);
    options.class_share = 0.3;
    const auto root = game.deal(seed);  // double (risky) or pass
    const Analysis free = run(game, root, options);
    const auto value_of = [&](bool risky) {
      return std::ranges::find_if(free.actions, [&](const auto& a) { return root.risky(a.action) == risky; })->value;
    };
    const double gain = value_of(true) - value_of(false);
    for (const double margin : {0.25, 1.0, 4.0}) {
      options.margin = margin;
      const Analysis careful = run(game, root, options);
      CHECK(visits(careful) == visits(free));  // the search is the same, only the choice differs
      CHECK(root.risky(careful.best) == (root.risky(free.best) && gain > margin));
      bold += root.risky(careful.best);
      declined += root.risky(free.best) && !root.risky(careful.best);
    }
  }
  CHECK(bold > 3);
  CHECK(declined > 3);
}

TEST_CASE("section_13_3_tuned_bounds_follow_the_observed_variance") {
  // Payoffs that never change: a bandit without variance that plain arithmetic can follow.
  const std::vector<double> points = {0.1, 0.5, 0.55, 0.3};
  OneShot game{Fields{}};
  std::vector<std::vector<double>> payoffs;
  for (const double p : points) payoffs.push_back({p, 1 - p});
  game.set(0, payoffs);
  UctOptions options = iterations(400);
  options.formula = Formula::ucb1_tuned;
  options.c = 1;
  std::vector<std::int64_t> expected(4, 1);
  for (int n = 4; n < 400; ++n) {
    std::size_t best = 0;
    double most = -1;
    for (std::size_t i = 0; i < 4; ++i) {
      const double bound = ucb1_tuned(points[i], 0, n, static_cast<double>(expected[i]));
      if (bound > most) {
        most = bound;
        best = i;
      }
    }
    ++expected[best];
  }
  const auto found = visits(run(game, game.root(), options));
  CHECK(sum(found) == 400);
  // Single against double precision may swap two neighbours, no more.
  for (std::size_t i = 0; i < 4; ++i) CHECK(std::abs(found[i] - expected[i]) <= 2);

  // The same mean with more spread is looked at more often.
  OneShot noisy{Fields{}};
  noisy.set(0, {{0.5, 0.5}, {0.5, 0.5}});
  CHECK(visits(run(noisy, noisy.root(), options)) == std::vector<std::int64_t>{200, 200});
}

TEST_CASE("leaves near the end get their exact values") {
  const Game game(3, 0);
  OpenHand<Game> solver(game);
  std::vector<Action> legal(12);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto root = game.deal(seed);
    legal.resize(12);
    legal.resize(static_cast<std::size_t>(root.legal(legal.data())));
    std::vector<double> exact(legal.size());
    std::vector<std::int64_t> nodes(legal.size());
    REQUIRE(solver.values(root, legal, 1'000'000, {}, exact.data(), nodes.data()));
    UctOptions options = points(60, seed);
    options.tree_depth = 1;
    options.solve_last = 12;
    const Analysis analysis = run(game, root, options);
    for (std::size_t i = 0; i < legal.size(); ++i) CHECK(analysis.actions[i].value == doctest::Approx(exact[i]));
  }
}

TEST_CASE("options of calls and classes that cannot be meant are refused") {
  const Game game(3, 1);
  const auto refused = [&](auto change) {
    UctOptions options = points(10);
    change(options);
    CHECK_THROWS_AS(Uct<Game>(game, options), ParameterError);
  };
  refused([](UctOptions& o) { o.class_share = 0.6; });
  refused([](UctOptions& o) { o.class_share = -0.1; });
  refused([](UctOptions& o) { o.class_share = std::nan(""); });
  refused([](UctOptions& o) { o.margin = -1; });
  refused([](UctOptions& o) { o.solve_last = 33; });
  refused([](UctOptions& o) { o.solve_last = -1; });
  refused([](UctOptions& o) {
    o.reuse = true;
    o.tree_calls = Calls::none;
  });
}
