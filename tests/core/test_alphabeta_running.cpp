// How a search by alpha-beta runs: evaluations, budgets, stops and refusals (DL-2, DL-7, DL-11).
#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <utility>

#include "alphabeta_games.hpp"
#include "games/connect_four.hpp"
#include "games/kuhn.hpp"
#include "games/oware/game.hpp"
#include "games/tic_tac_toe.hpp"

using namespace kiebitz;
using namespace kiebitz::alphabeta_games;

// --- Evaluations ----------------------------------------------------------------------------------------------------

TEST_CASE("DL-7: the evaluation is asked at the depth limit only, for the searcher") {
  const auto game = make<tic_tac_toe::Game>();
  for (int depth = 1; depth <= 9; ++depth) {
    AlphaBeta<tic_tac_toe::Game> search(game, with(Cut::none, depth));
    std::int64_t calls = 0;
    search.set_evaluation([&](const tic_tac_toe::State& s, int player) {
      ++calls;
      CHECK(player == 0);
      CHECK(s.player() >= 0);
      const auto board = std::get<std::string>(s.save()[0].second);
      CHECK(std::count(board.begin(), board.end(), '.') == 9 - depth);
      return 0.5;
    });
    Stop stop;
    const Analysis a = search.search(game.root(), {}, stop);
    if (depth < 5) CHECK(calls == a.leaves);
    if (depth == 9) CHECK(calls == 0);
  }
}

TEST_CASE("evaluations outside the range of the payoffs and unknown ones are refused") {
  const auto game = make<tic_tac_toe::Game>();
  for (const double bad : {1.5, -7.0, std::numeric_limits<double>::quiet_NaN()}) {
    AlphaBeta<tic_tac_toe::Game> search(game, with(Cut::equal, 2));
    search.set_evaluation([&](const tic_tac_toe::State&, int) { return bad; });
    Stop stop;
    CHECK_THROWS_WITH_AS(search.search(game.root(), {}, stop), doctest::Contains("-1.000000 to 1.000000"),
                         ParameterError);
    // The object goes on working.
    search.set_evaluation(nullptr);
    CHECK(search.search(game.root(), {}, stop).value == 0);
  }
  AlphaBetaOptions o = with(Cut::equal, 2);
  o.evaluation = "material";
  CHECK_THROWS_WITH_AS(analyse(game, o), doctest::Contains("'material'; expected zero"), UnknownName);
}

TEST_CASE("what an evaluation throws passes through") {
  const auto game = make<tic_tac_toe::Game>();
  AlphaBeta<tic_tac_toe::Game> search(game, full(3));
  search.set_evaluation([](const tic_tac_toe::State&, int) -> double { throw PositionError("mine"); });
  Stop stop;
  CHECK_THROWS_WITH_AS(search.search(game.root(), {}, stop), "mine", PositionError);
}

// --- Budgets --------------------------------------------------------------------------------------------------------

TEST_CASE("DL-11: any budget, however small, gives a legal action") {
  const auto game = make<oware::Game>("abapa");
  for (const bool everything : {false, true}) {
    for (const std::int64_t nodes : {1, 2, 3, 7, 8, 50, 1'000, 20'000}) {
      AlphaBetaOptions o = everything ? full(0) : with(Cut::equal);
      o.deepen = true;
      o.budget.nodes = nodes;
      const Analysis a = analyse(game, o);
      CHECK(a.nodes <= nodes);
      CHECK(a.best >= 0);
      CHECK(a.best < 6);
      CHECK(a.line.front() == a.best);
      CHECK(a.stopped);
      CHECK(a.actions.size() == 6);
      if (nodes >= 50) CHECK(a.depth >= 1);
    }
  }
  AlphaBetaOptions o = with(Cut::equal);
  o.budget.nodes = 5'000;  // to the end of the game, which it cannot reach
  const Analysis a = analyse(game, o);
  CHECK(a.nodes == 5'000);
  CHECK(a.depth == 0);
  CHECK(a.best == 0);
}

TEST_CASE("a stop token ends a search at once, and the result says so") {
  const auto game = make<oware::Game>("abapa");
  Stop stop;
  stop.request();
  AlphaBeta<oware::Game> search(game, full(0));
  const Analysis a = search.search(game.root(), {}, stop);
  CHECK(a.stopped);
  CHECK(a.nodes < 1000);
  CHECK(a.best >= 0);
  // Asked from within, after a while.
  Stop later;
  int asked = 0;
  later.set_interrupt([&] { return ++asked > 1; });
  CHECK(search.search(game.root(), {}, later).stopped);
}

TEST_CASE("deepening stops when the tree is finished or the result is proven") {
  const auto game = make<tic_tac_toe::Game>();
  AlphaBetaOptions o;
  o.deepen = true;
  const Analysis a = analyse(game, o);
  CHECK(a.depth == 9);
  CHECK(a.value == 0);
  const auto winning = game.load({{"board", std::string("xx.oo....")}});
  const Analysis b = analyse(game, winning, o);
  CHECK(b.depth == 1);
  CHECK(b.value == 1);
  CHECK(b.best == 2);
}

TEST_CASE("a reused search forgets: the same position gives the same analysis") {
  const auto game = make<connect_four::Game>();
  AlphaBeta<connect_four::Game> search(game, full(7));
  Stop stop;
  const Analysis first = search.search(game.root(), {}, stop);
  for (const auto& state : positions(game, 5, 99)) search.search(state, {}, stop);
  const Analysis again = search.search(game.root(), {}, stop);
  CHECK(again.nodes == first.nodes);
  CHECK(again.value == first.value);
  CHECK(again.line == first.line);
}

TEST_CASE("a chain of 1999 actions does not overflow anything") {
  Tree chain(2, Utility::zero_sum);
  int last = chain.add(-1, mover(0));
  for (int i = 1; i < 1999; ++i) last = chain.add(last, mover(i % 2));
  chain.leaf(last, 3);
  AlphaBetaOptions everything = full(2'000);
  everything.deepen = false;
  for (const AlphaBetaOptions& o : {with(Cut::none, 2'000), with(Cut::equal), everything}) {
    const Analysis a = analyse(chain, o);
    CHECK(a.value == 3);
    CHECK(a.depth == 1999);
    CHECK(a.line.size() == 1999);
  }
}

// --- Refusals -------------------------------------------------------------------------------------------------------

TEST_CASE("DL-2: games that alpha-beta is not made for are refused with the reason") {
  const auto refused = [](const Tree& tree, const char* reason) {
    CHECK_THROWS_WITH_AS(analyse(tree, with(Cut::none)), doctest::Contains(reason), UnsuitableGame);
  };
  Tree three(3, Utility::zero_sum);
  three.leaf(three.add(-1, mover(0)), {1, 0, -1});
  refused(three, "is for two players; explicit_tree has 3");
  Tree general(2, Utility::general);
  general.leaf(general.add(-1, mover(0)), {1, 1});
  refused(general, "do not add up to a constant");
  Tree dice(2, Utility::zero_sum);
  const int roll = dice.add(dice.add(-1, mover(0)), {kChance, {}, {0.5, 0.5}, {}});
  dice.leaf(roll, 1);
  dice.leaf(roll, -1);
  refused(dice, "chance node");

  const auto kuhn = make<kuhn::Game>();
  CHECK_THROWS_AS(analyse(kuhn, with(Cut::none)), UnsuitableGame);
  // Once the cards are dealt there is no chance left: a full state can be searched, for study.
  auto dealt = kuhn.root();
  dealt.apply(2);
  dealt.apply(0);
  CHECK(analyse(kuhn, dealt, with(Cut::equal)).value == 1);
}

TEST_CASE("a constant-sum game is searched in its own units") {
  Tree tree(2, Utility::constant_sum);
  tree.info().payoff_sum = 10;
  tree.info().min_payoff = 0;
  tree.info().max_payoff = 10;
  const int root = tree.add(-1, mover(0));
  for (const auto& group : {std::pair{4.0, 6.0}, std::pair{5.0, 7.0}}) {
    const int node = tree.add(root, mover(1));
    tree.leaf(node, {group.first, 10 - group.first});
    tree.leaf(node, {group.second, 10 - group.second});
  }
  for (const AlphaBetaOptions& o : {with(Cut::none), with(Cut::equal), full(0)}) CHECK(analyse(tree, o).value == 5);
}

TEST_CASE("absurd options are refused") {
  const auto game = make<tic_tac_toe::Game>();
  const auto refused = [&](auto&& change) {
    AlphaBetaOptions o;
    change(o);
    analyse(game, o);
  };
  CHECK_THROWS_AS(refused([](auto& o) { o.depth = -1; }), ParameterError);
  CHECK_THROWS_AS(refused([](auto& o) { o.depth = 2'001; }), ParameterError);
  CHECK_THROWS_AS(refused([](auto& o) { o.table_mb = -1; }), ParameterError);
  CHECK_THROWS_AS(refused([](auto& o) { o.table_mb = std::int64_t{1} << 40; }), ParameterError);
  CHECK_THROWS_AS(refused([](auto& o) { o.table_mb = std::int64_t{1} << 20; }), LimitError);
  CHECK_THROWS_AS(refused([](auto& o) { o.budget.nodes = -5; }), BudgetError);
  CHECK_THROWS_AS(refused([](auto& o) { o.budget.seconds = 1e12; }), BudgetError);
  CHECK_THROWS_AS(refused([](auto& o) { o.budget.iterations = 5; }), BudgetError);
  auto over = game.load({{"board", std::string("xxxoo....")}});
  CHECK_THROWS_WITH_AS(analyse(game, over, with(Cut::equal)), doctest::Contains("the game is over"), IllegalAction);
}
