// How the tree search runs: budgets, stop token, threads, memory, tree reuse, states that throw, options it refuses
// (DL-20).
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "uct_games.hpp"

using namespace kiebitz;
using namespace kiebitz::search;
using namespace kiebitz::uct_test;

TEST_CASE("one and several threads give the same result") {
  UctOptions options = iterations(10'003);
  options.streams = 4;
  const Analysis one = run(kBoard, kBoard.root(), options);
  CHECK(one.iterations == 10'003);
  for (const int threads : {2, 3, 4, 8}) {
    options.threads = threads;
    check_same(one, run(kBoard, kBoard.root(), options));
  }
  options.budget = {0, 5000, 0};
  const Analysis nodes = run(kBoard, kBoard.root(), options);
  options.threads = 1;
  check_same(nodes, run(kBoard, kBoard.root(), options));
  options.seed = 2;
  CHECK(visits(run(kBoard, kBoard.root(), options)) != visits(nodes));
}

TEST_CASE("the same search twice gives the same result and leaves its input untouched") {
  tic_tac_toe::State state = kBoard.root();
  state.apply(0);
  const Fields before = state.save();
  Uct<tic_tac_toe::Game> uct(kBoard, iterations(2000));
  Stop stop;
  const Analysis first = uct.search(state, {}, stop);
  check_same(first, uct.search(state, {}, stop));
  CHECK(state.save() == before);
}

TEST_CASE("dl_20_a_result_after_any_number_of_iterations") {
  double variance = 0;
  for (int n = 1; n <= 40; ++n) {
    const Analysis analysis = run(kBoard, kBoard.root(), iterations(n));
    CHECK(analysis.iterations == n);
    CHECK(sum(visits(analysis)) == n);
    CHECK(analysis.actions.size() == 9);
    CHECK(analysis.best >= 0);
    CHECK(analysis.leaves == n);
    CHECK(analysis.depth >= 1);
    CHECK(analysis.mean_depth >= 1);
    CHECK(analysis.line.front() == analysis.best);
    variance = analysis.depth_variance;
  }
  CHECK(variance > 0);
}

TEST_CASE("a stop ends a huge search at once") {
  for (const int threads : {1, 2}) {
    UctOptions options = iterations(1'000'000'000);
    options.streams = options.threads = threads;
    Stop stop;
    stop.request();
    const Analysis analysis = Uct<tic_tac_toe::Game>(kBoard, options).search(kBoard.root(), {}, stop);
    CHECK(analysis.stopped);
    CHECK(analysis.iterations >= 1);
    CHECK(analysis.iterations <= threads);

    Stop interrupt;
    int asked = 0;
    interrupt.set_interrupt([&] { return ++asked == 3; });
    const Analysis later = Uct<tic_tac_toe::Game>(kBoard, options).search(kBoard.root(), {}, interrupt);
    CHECK(later.stopped);
    CHECK(later.iterations > 1);
    CHECK(later.iterations < 1'000'000'000);
    CHECK(asked == 3);
  }
  Stop used;
  CHECK_FALSE(Uct<tic_tac_toe::Game>(kBoard, iterations(100)).search(kBoard.root(), {}, used).stopped);
}

TEST_CASE("a time budget is kept and shared between streams") {
  int searched = 0;
  // On a busy machine a short time may be over before all had their turn.
  for (double seconds = 0.1; searched < 3 && seconds < 60; seconds *= 4) {
    UctOptions options;
    options.budget.seconds = seconds;
    options.streams = 3;
    Uct<tic_tac_toe::Game> uct(kBoard, options);
    Stop stop;
    const Analysis analysis = uct.search(kBoard.root(), {}, stop);
    CHECK_FALSE(analysis.stopped);
    CHECK_FALSE(stop.requested());
    CHECK(analysis.seconds >= seconds);
    CHECK(analysis.iterations < Budget::kMost);  // nothing but the time ended it
    searched = 0;
    uct.walk([&](const TreeNode& node) { searched += node.depth == 0 && node.visits > 0; });
  }
  CHECK(searched == 3);
}

TEST_CASE("a node budget counts new nodes and ends even where the tree is complete") {
  UctOptions options;
  options.budget.nodes = 500;
  const Analysis analysis = run(kBoard, kBoard.root(), options);
  CHECK(analysis.nodes == 500);
  CHECK(analysis.iterations >= 500);
  const tic_tac_toe::State late = kBoard.load({{"board", std::string("xoxxoxo..")}});
  const Analysis small = run(kBoard, late, options);
  CHECK(small.nodes == 3);  // o wins with b3, or plays c3 and x fills b3
  CHECK(small.iterations == 2000);
  options.streams = 8;
  options.budget.nodes = 3;  // fewer than streams
  CHECK(run(kBoard, kBoard.root(), options).nodes == 3);
}

TEST_CASE("at the memory limit the tree stops growing and the search goes on") {
  UctOptions options = iterations(200'000);
  options.memory_mb = 1;
  options.expand = Expand::all;
  const Analysis analysis = run(kBoard, kBoard.root(), options);
  CHECK(analysis.memory_full);
  CHECK(analysis.iterations == 200'000);
  CHECK(analysis.nodes < 33'000);
  CHECK(analysis.best == 4);
  options.streams = 256;  // 4 KB each: still room for the root's children
  options.budget.iterations = 25'600;
  const Analysis tiny = run(kBoard, kBoard.root(), options);
  CHECK(tiny.memory_full);
  CHECK(sum(visits(tiny)) == 25'600);
}

TEST_CASE("tree reuse keeps the simulations below the moves played") {
  for (const bool scalar : {true, false}) {
    for (const int streams : {1, 3}) {
      UctOptions options = iterations(6000);
      options.reuse = true;
      options.scalar = scalar;
      options.streams = streams;
      Uct<tic_tac_toe::Game> uct(kBoard, options);
      Stop stop;
      tic_tac_toe::State state = kBoard.root();
      const Analysis first = uct.search(state, {}, stop);
      REQUIRE(first.line.size() >= 2);
      std::int64_t kept = 0;
      std::int64_t parent = 0;
      uct.walk([&](const TreeNode& node) {
        if (node.depth == 1) parent = node.action;
        if (node.depth == 2 && parent == first.line[0] && node.action == first.line[1]) kept += node.visits;
      });
      state.apply(first.line[0]);
      state.apply(first.line[1]);
      const Analysis second = uct.search(state, {}, stop);
      CHECK(kept > 100);
      CHECK(second.iterations == 6000);
      // The playout that made the node counts for itself but for none of its children.
      CHECK(sum(visits(second)) == 6000 + kept - streams);
      uct.walk([&](const TreeNode& node) {
        if (node.depth == 0) CHECK(node.player == 0);
        CHECK(node.visits >= node.child_visits);
        CHECK(std::abs(node.total) <= static_cast<double>(node.visits));
        if (!scalar) CHECK(node.total == node.totals[static_cast<std::size_t>(node.mover)]);
      });
      // One move on, so that the root's total changes its owner; then an unrelated position: nothing is kept.
      state.apply(second.best);
      const Analysis third = uct.search(state, {}, stop);
      CHECK(sum(visits(third)) > 6000);
      CHECK(sum(visits(uct.search(kBoard.root(), {}, stop))) == 6000);
    }
  }
}

TEST_CASE("tree reuse asks for the same past where repetition matters") {
  const Ring game{Fields{}};
  UctOptions options = iterations(500);
  options.reuse = true;
  Stop stop;
  const auto second = [&](bool same_past) {
    Uct<Ring> uct(game, options);
    RingState state = game.root();
    Path<RingState> path;
    path.reset(state, {});
    const Analysis first = uct.search(state, path.seen(), stop);
    path.apply(state, first.line[0]);
    path.apply(state, first.line[1]);
    return sum(visits(uct.search(state, same_past ? path.seen() : std::vector<std::uint64_t>{}, stop)));
  };
  CHECK(second(true) > 500);
  CHECK(second(false) == 500);
}

TEST_CASE("states that own memory and throw") {
  const Heavy game{Fields{}};
  UctOptions options = iterations(300);
  options.threads = 8;
  options.streams = 2;
  options.reuse = true;
  Uct<Heavy> uct(game, options);
  CHECK(uct.options().threads == 1);
  Stop stop;
  const Analysis before = uct.search(game.root(), {}, stop);
  CHECK(before.iterations == 300);
  for (const int left : {0, 1, 7, 100, 1000}) {
    game.applies_left = left;
    CHECK_THROWS_WITH_AS(uct.search(game.root(), {}, stop), "from the game", std::logic_error);
  }
  game.applies_left = std::numeric_limits<int>::max();
  check_same(before, uct.search(game.root(), {}, stop));  // nothing half-done was kept
}

TEST_CASE("a game that outlasts its max_length is refused") {
  Heavy game{Fields{}};
  game.info_.max_length = 3;
  CHECK_THROWS_WITH_AS(run(game, game.root(), iterations(10)), doctest::Contains("beyond max_length = 3"), Error);
}

TEST_CASE("roots without a decision are refused") {
  tic_tac_toe::State over = kBoard.load({{"board", std::string("xxxoo....")}});
  CHECK_THROWS_WITH_AS(run(kBoard, over, iterations(10)), doctest::Contains("the game is over"), Error);
  const Gamble game{Fields{}};
  GambleState rolling;
  rolling.apply(1);
  CHECK_THROWS_WITH_AS(run(game, rolling, iterations(10)), doctest::Contains("chance moves here"), Error);
}

TEST_CASE("a single legal action is searched for its value") {
  OneShot game{Fields{}};
  game.set(0, {{0.25, 0.75}});
  const Analysis analysis = run(game, game.root(), iterations(10));
  CHECK(analysis.best == 0);
  CHECK(analysis.value == 0.25);
  CHECK(analysis.actions[0].visits == 10);
}

TEST_CASE("absurd options are refused by name") {
  const auto build = [](auto change) {
    UctOptions options = iterations(10);
    change(options);
    Uct<tic_tac_toe::Game> uct(kBoard, options);
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  CHECK_NOTHROW(build([](UctOptions&) {}));
  CHECK_THROWS_AS(build([](UctOptions& o) { o.budget = {}; }), BudgetError);
  CHECK_THROWS_AS(build([](UctOptions& o) { o.budget.iterations = -1; }), BudgetError);
  CHECK_THROWS_AS(build([](UctOptions& o) { o.budget.iterations = 1'000'000'000'000; }), BudgetError);
  CHECK_THROWS_AS(build([](UctOptions& o) { o.budget.nodes = -5; }), BudgetError);
  CHECK_THROWS_AS(build([](UctOptions& o) { o.budget.seconds = -0.1; }), BudgetError);
  CHECK_THROWS_AS(build([&](UctOptions& o) { o.budget.seconds = nan; }), BudgetError);
  CHECK_THROWS_AS(build([](UctOptions& o) { o.c = -1; }), ParameterError);
  CHECK_THROWS_AS(build([&](UctOptions& o) { o.c = nan; }), ParameterError);
  CHECK_THROWS_AS(build([&](UctOptions& o) { o.c = inf; }), ParameterError);
  for (const int n : {0, -1, 257}) CHECK_THROWS_AS(build([n](UctOptions& o) { o.streams = n; }), ParameterError);
  for (const int n : {0, -1, 65}) CHECK_THROWS_AS(build([n](UctOptions& o) { o.threads = n; }), ParameterError);
  CHECK_THROWS_AS(build([](UctOptions& o) { o.memory_mb = 0; }), ParameterError);
  CHECK_THROWS_AS(build([](UctOptions& o) { o.tree_depth = -1; }), ParameterError);
  CHECK_THROWS_AS(build([](UctOptions& o) { o.playout = Playout::evaluation; }), ParameterError);
}
