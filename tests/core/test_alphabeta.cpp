// The values of minimax and alpha-beta: worked examples, node counts, equality of all variants
// (DL-7 to DL-10, OW-13 to OW-17).
#include <doctest/doctest.h>

#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "alphabeta_games.hpp"
#include "games/connect_four.hpp"
#include "games/oware/game.hpp"
#include "games/tic_tac_toe.hpp"
#include "search/induction.hpp"

using namespace kiebitz;
using namespace kiebitz::alphabeta_games;

// --- Worked examples ------------------------------------------------------------------------------------------------

TEST_CASE("OW-13: the example of 4.2 has the value 7, second action") {
  const Tree tree = two_plies(0, {{4, 2, 3}, {9, 10, 7}, {5, 8, 6}});
  for (const Cut cut : {Cut::none, Cut::strict, Cut::equal}) {
    const Analysis a = analyse(tree, with(cut));
    CHECK(a.value == 7);
    CHECK(a.best == 1);
    CHECK(a.line == std::vector<Action>{1, 2});
    CHECK(a.line_names == std::vector<std::string>{"1", "2"});
  }
  const Analysis minimax = analyse(tree, with(Cut::none));
  CHECK(minimax.nodes == 13);
  CHECK(minimax.leaves == 9);
  REQUIRE(minimax.actions.size() == 3);
  CHECK(minimax.actions[0].value == 2);
  CHECK(minimax.actions[1].value == 7);
  CHECK(minimax.actions[2].value == 5);
  for (const auto& action : minimax.actions) {
    CHECK(action.certainty.exact());
    CHECK(action.visits == 4);
  }
}

TEST_CASE("OW-14: the example of 4.3 prunes exactly d and h") {
  Tree tree(2, Utility::zero_sum);
  const int g = tree.add(-1, mover(0));
  const int left = tree.add(g, mover(1));
  const int a = tree.add(left, mover(0));
  tree.leaf(a, 10);
  tree.leaf(a, 8);
  const int c = tree.add(left, mover(0));
  tree.leaf(c, 12);                // b
  const int d = tree.leaf(c, 20);  // pruned
  const int f = tree.add(g, mover(1));
  const int e = tree.add(f, mover(0));
  tree.leaf(e, 9);
  tree.leaf(e, 5);
  const int h = tree.add(f, mover(0));  // pruned
  const int under_h = tree.leaf(h, 30);
  // Every node is looked at through its payoff or evaluation: see which ones are not.
  std::set<int> visited;
  AlphaBetaOptions o = with(Cut::equal);
  o.terminals = Terminals::evaluation;
  AlphaBeta<Tree> search(tree, o);
  search.set_evaluation([&](const explicit_tree::State& s, int) {
    visited.insert(s.node());
    return tree.node(s.node()).payoffs[0];
  });
  Stop stop;
  const Analysis result = search.search(tree.root(), {}, stop);
  CHECK(result.value == 10);
  CHECK(result.best == 0);
  CHECK(visited.size() == 5);
  CHECK(visited.count(d) == 0);
  CHECK(visited.count(under_h) == 0);
  CHECK(result.nodes == 11);  // all but d, h and the leaf below h
}

TEST_CASE("DL-8: fixtures 5.2, rules 1 and 2, with the stated number of leaves") {
  for (const Cut cut : {Cut::strict, Cut::equal}) {
    const Analysis rule1 = analyse(two_plies(0, {{3, 5}, {2, 9}}), with(cut));
    CHECK(rule1.value == 3);
    CHECK(rule1.leaves == 3);
    // A MIN root: the searcher is MAX, so the values are those of player 1.
    Tree tree(2, Utility::zero_sum);
    const int root = tree.add(-1, mover(1));
    for (const auto& group : {std::pair{3.0, 5.0}, std::pair{6.0, 1.0}}) {
      const int node = tree.add(root, mover(0));
      tree.leaf(node, group.first);
      tree.leaf(node, group.second);
    }
    const Analysis rule2 = analyse(tree, with(cut));
    CHECK(rule2.value == -5);
    CHECK(rule2.player == 1);
    CHECK(rule2.leaves == 3);
    CHECK(rule2.best == 0);
  }
}

TEST_CASE("OW-15: ties go to the lowest index, decided at the root only") {
  const Tree tree = two_plies(0, {{1, 4}, {3, 5}, {3, 3}, {3, 9}});
  for (const Cut cut : {Cut::none, Cut::strict, Cut::equal}) {
    CHECK(analyse(tree, with(cut)).best == 1);
    AlphaBetaOptions o = with(cut);
    o.deepen = true;
    CHECK(analyse(tree, o).best == 1);
  }
  // A node whose mover cannot move is an end: the mover starves and the other side takes the rest.
  const auto game = make<oware::Game>("thesis", {{"payoff", std::string("seeds")}});
  const auto state = game.load({{"pits", std::vector<std::int64_t>{1, 0, 0, 0, 0, 2, 1, 1, 0, 0, 0, 0}},
                                {"captured", std::vector<std::int64_t>{10, 10}},
                                {"player", std::int64_t{0}}});
  const Analysis a = analyse(game, state, with(Cut::equal, 4));
  CHECK(a.best == 5);
  CHECK(a.value == 5);  // TV5: 15 to 10
  CHECK(a.line.size() == 1);
}

TEST_CASE("OW-17: the searcher is MAX on either side, and its input stays as it was") {
  const auto game = make<oware::Game>("thesis");
  for (const auto& state : positions(game, 50, 17)) {
    const auto before = state.save();
    const auto key = state.key();
    const Analysis a = analyse(game, state, full(5));
    CHECK(state.save() == before);
    CHECK(state.key() == key);
    CHECK(a.player == state.player());
  }
  // "own" counts only a player's own seeds: it is not the negative of what the opponent counts.
  const auto state = game.load({{"pits", std::vector<std::int64_t>{0, 0, 0, 0, 0, 1, 1, 4, 4, 4, 4, 4}},
                                {"captured", std::vector<std::int64_t>{6, 8}},
                                {"player", std::int64_t{0}}});
  AlphaBetaOptions o = with(Cut::equal, 1);
  o.evaluation = "own";
  CHECK(analyse(game, state, o).value == doctest::Approx(8.0 / 36));
  o.evaluation = "difference";
  CHECK(analyse(game, state, o).value == doctest::Approx(0.0));
}

// --- Counts ---------------------------------------------------------------------------------------------------------

TEST_CASE("DL-7, DL-9: node counts of tic-tac-toe in index order") {
  const auto game = make<tic_tac_toe::Game>();
  const Analysis minimax = analyse(game, with(Cut::none));
  CHECK(minimax.nodes == 549'946);
  CHECK(minimax.leaves == 255'168);
  CHECK(minimax.value == 0);
  CHECK(minimax.depth == 9);
  CHECK(minimax.best == 0);
  CHECK(minimax.line.size() == 9);
  CHECK(minimax.method == "minimax");
  std::int64_t below = 1;
  for (const auto& a : minimax.actions) {
    CHECK(a.certainty.exact());
    CHECK(a.value == 0);
    below += a.visits;
  }
  CHECK(below == 549'946);
  CHECK(analyse(game, with(Cut::strict)).nodes == 146'120);
  const Analysis equal = analyse(game, with(Cut::equal));
  CHECK(equal.nodes == 18'297);
  CHECK(equal.best == 0);
  CHECK(equal.actions[0].certainty.exact());
  CHECK(equal.actions[1].certainty.status() == Status::bounded);
  CHECK(equal.method == "alphabeta");
}

TEST_CASE("OW-13: node counts of thesis oware, depth 1 to 9, minimax and alpha-beta") {
  const auto game = make<oware::Game>("thesis");
  const std::int64_t minimax[] = {7, 43, 229, 1'200, 5'956, 29'511, 141'931, 685'684, 3'247'487};
  const std::int64_t alphabeta[] = {7, 18, 53, 112, 275, 771, 1'928, 6'726, 17'748};
  for (int depth = 1; depth <= 9; ++depth) {
    for (const Cut cut : {Cut::none, Cut::equal}) {
      AlphaBetaOptions o = with(cut, depth);
      o.evaluation = "difference";
      const Analysis a = analyse(game, o);
      CHECK(a.nodes == (cut == Cut::none ? minimax : alphabeta)[depth - 1]);
      CHECK(a.value == 0);
      CHECK(a.best == 0);
      CHECK(a.depth == depth);
      CHECK(a.line.size() == static_cast<std::size_t>(depth));
    }
  }
}

TEST_CASE("DL-10: perfectly ordered uniform trees need the leaves of Knuth and Moore") {
  for (const auto& [b, m, leaves] : {std::tuple{3, 4, 17}, {2, 4, 7}, {3, 3, 11}, {5, 5, 149}, {2, 9, 47}}) {
    const Tree tree = perfectly_ordered(b, m);
    CHECK(analyse(tree, with(Cut::equal)).leaves == leaves);
    std::int64_t all = 1;
    for (int i = 0; i < m; ++i) all *= b;
    const Analysis minimax = analyse(tree, with(Cut::none));
    CHECK(minimax.leaves == all);
    CHECK(minimax.branching == doctest::Approx(b));
  }
}

TEST_CASE("DL-10: connect four to depth 8, centre first, needs at most a tenth of the leaves of minimax") {
  const auto game = make<connect_four::Game>();
  AlphaBetaOptions o = with(Cut::none, 8);
  o.evaluation = "zero";
  const Analysis minimax = analyse(game, o);
  o.cut = Cut::equal;
  o.order = Order::game;
  const Analysis ordered = analyse(game, o);
  CHECK(ordered.value == minimax.value);
  CHECK(ordered.leaves * 10 <= minimax.leaves);
  CHECK(ordered.branching < minimax.branching);
}

// --- All variants give the value of minimax -------------------------------------------------------------------------

TEST_CASE("DL-8: 1000 random trees, every variant") {
  Rng rng(8);
  for (int i = 0; i < 1000; ++i) {
    const Tree tree = random_tree(rng, 2 + static_cast<int>(rng.below(5)), 2 + static_cast<int>(rng.below(4)));
    if (tree.node(0).player < 0) continue;
    const Analysis minimax = analyse(tree, with(Cut::none));
    Stop stop;
    const Solution solution = solve(tree, tree.root(), Grade::ultra_weak, stop);
    CHECK(minimax.value == solution.value[static_cast<std::size_t>(minimax.player)]);
    for (const Cut cut : {Cut::strict, Cut::equal}) {
      const Analysis a = analyse(tree, with(cut));
      CHECK(a.value == minimax.value);
      CHECK(a.best == minimax.best);
      CHECK(a.nodes <= minimax.nodes);
      // Values marked exact are, the others are bounds from above.
      for (std::size_t k = 0; k < a.actions.size(); ++k) {
        if (a.actions[k].certainty.exact()) CHECK(a.actions[k].value == minimax.actions[k].value);
        CHECK(a.actions[k].value >= minimax.actions[k].value);
        CHECK(a.actions[k].value <= a.value);
      }
      AlphaBetaOptions o = full(0);
      o.cut = cut;
      const Analysis b = analyse(tree, o);
      CHECK(b.value == minimax.value);
      CHECK(value_of(minimax, b.best) == minimax.value);
    }
  }
}

TEST_CASE("OW-14: 1000 random positions of thesis oware, depth 1 to 6, with and without everything") {
  const auto game = make<oware::Game>("thesis");
  std::vector<AlphaBeta<oware::Game>> minimax, plain, featured;
  for (int depth = 1; depth <= 6; ++depth) {
    minimax.emplace_back(game, with(Cut::none, depth));
    plain.emplace_back(game, with(Cut::equal, depth));
    featured.emplace_back(game, full(depth));
  }
  Stop stop;
  for (const auto& state : positions(game, 1000, 14)) {
    for (std::size_t i = 0; i < 6; ++i) {
      const Analysis m = minimax[i].search(state, {}, stop);
      const Analysis a = plain[i].search(state, {}, stop);
      const Analysis f = featured[i].search(state, {}, stop);
      REQUIRE(a.value == m.value);
      REQUIRE(a.best == m.best);
      REQUIRE(f.value == m.value);
      REQUIRE(value_of(m, f.best) == m.value);
    }
  }
}

TEST_CASE("the principal line leads to the value, move by move, with and without a table") {
  const auto game = make<oware::Game>("thesis");
  for (const auto& state : positions(game, 100, 15)) {
    for (AlphaBetaOptions o : {with(Cut::equal, 6), full(6)}) {
      const Analysis a = analyse(game, state, o);
      auto end = state;
      for (const Action action : a.line) end.apply(action);
      double value = end.evaluate(0, a.player);
      if (end.player() == kTerminal) {
        double payoffs[2];
        end.returns(payoffs);
        value = payoffs[a.player];
      } else {
        CHECK(static_cast<int>(a.line.size()) == a.depth);
      }
      CHECK(value == a.value);
    }
  }
}

TEST_CASE("connect four: order, table and null windows leave the value alone") {
  const auto game = make<connect_four::Game>();
  for (const auto& state : positions(game, 60, 4)) {
    for (int depth = 1; depth <= 6; ++depth) {
      const Analysis m = analyse(game, state, with(Cut::none, depth));
      const Analysis f = analyse(game, state, full(depth));
      REQUIRE(f.value == m.value);
      REQUIRE(value_of(m, f.best) == m.value);
      AlphaBetaOptions o = with(Cut::equal, depth);
      o.table_mb = 4;
      REQUIRE(analyse(game, state, o).value == m.value);
    }
  }
}

TEST_CASE("repetition: without a table alpha-beta has the value of minimax, with one the move stays legal") {
  const auto game = make<oware::Game>("abapa");
  const auto start = game.load({{"pits", std::vector<std::int64_t>{1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0}},
                                {"captured", std::vector<std::int64_t>{22, 22}},
                                {"player", std::int64_t{0}}});
  for (const int depth : {12, 16, 20}) {
    const Analysis m = analyse(game, start, with(Cut::none, depth));
    CHECK(analyse(game, start, with(Cut::equal, depth)).value == m.value);
    CHECK(analyse(game, start, full(depth)).value == m.value);
  }
  // Keys given as seen make a position a repetition at once.
  auto next = start;
  next.apply(0);
  const std::vector<std::uint64_t> seen(12, next.key());
  Stop stop;
  AlphaBeta<oware::Game> search(game, with(Cut::none, 1));
  const Analysis a = search.search(start, seen, stop);
  CHECK(a.actions.size() == 2);
  CHECK(a.best_name.size() == 1);
}

// --- Outlooks -------------------------------------------------------------------------------------------------------

TEST_CASE("outlooks bound the value of minimax in every position of random games") {
  int told[3] = {0, 0, 0};
  for (const char* const preset : {"thesis", "abapa"}) {
    for (const char* const payoff : {"win", "seeds"}) {
      const auto game = make<oware::Game>(preset, {{"payoff", std::string(payoff)}});
      const auto& names = game.info().evaluations;
      for (std::size_t kind = 0; kind < names.size(); ++kind) {
        for (const Terminals terminals : {Terminals::payoff, Terminals::evaluation}) {
          std::vector<AlphaBeta<oware::Game>> minimax;
          for (const int plies : {1, 2}) {
            AlphaBetaOptions o = with(Cut::none, plies);
            o.evaluation = names[kind];
            o.terminals = terminals;
            minimax.emplace_back(game, o);
          }
          Stop stop;
          for (const auto& state : positions(game, 400, 21 + kind)) {
            for (const int plies : {1, 2}) {
              const double value = minimax[static_cast<std::size_t>(plies - 1)].search(state, {}, stop).value;
              const int me = state.player();
              const double infinity = std::numeric_limits<double>::infinity();
              // Without a window, and with windows around and beside the value.
              for (const auto& [low, high] : {std::pair{-infinity, infinity},
                                              {value - 0.01, value + 0.01},
                                              {value - 0.2, value - 0.1},
                                              {value + 0.1, value + 0.2}}) {
                const Outlook own = state.outlook(static_cast<int>(kind), me, plies, low, high);
                REQUIRE(own.low <= value);
                REQUIRE(value <= own.high);
                if (own.low > -infinity || own.high < infinity) ++told[plies];
                if (kind % 3 != 0) continue;  // only the difference is the same from both sides
                const Outlook other = state.outlook(static_cast<int>(kind), 1 - me, plies, -high, -low);
                REQUIRE(other.low == -own.high);
                REQUIRE(other.high == -own.low);
              }
            }
          }
        }
      }
    }
  }
  CHECK(told[1] > 1000);
  CHECK(told[2] > 1000);
}

TEST_CASE("abapa from the start and from random positions: everything on, the value of plain alpha-beta") {
  const auto game = make<oware::Game>("abapa");
  for (const int depth : {9, 10, 11, 12}) {
    const Analysis plain = analyse(game, with(Cut::equal, depth));
    const Analysis f = analyse(game, full(depth));
    CHECK(f.value == plain.value);
    CHECK(f.nodes < plain.nodes);
    CHECK(f.line.size() == static_cast<std::size_t>(depth));
  }
  for (const auto& state : positions(game, 40, 23)) {
    for (const int depth : {6, 7, 8, 9}) {
      const Analysis plain = analyse(game, state, with(Cut::equal, depth));
      REQUIRE(analyse(game, state, full(depth)).value == plain.value);
      AlphaBetaOptions o = full(depth);
      o.deepen = false;
      o.table_mb = 0;
      REQUIRE(analyse(game, state, o).value == plain.value);
    }
  }
}
