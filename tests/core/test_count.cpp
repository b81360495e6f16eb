// Perft and tree counts against published and specified numbers: DL-3, OW-10, NF-4.
#include <doctest/doctest.h>

#include "explicit_tree.hpp"
#include "games/connect_four.hpp"
#include "games/kuhn.hpp"
#include "games/leduc/game.hpp"
#include "games/oware/game.hpp"
#include "games/tic_tac_toe.hpp"
#include "search/count.hpp"

using namespace kiebitz;
using namespace kiebitz::search;

namespace {

template <class G>
G make(const std::string& preset = "", const Fields& given = {}) {
  return G(resolve_parameters(G::parameters(), G::presets(), preset, given));
}

template <class G>
TreeCount count(const G& game, CountLimits limits = {}) {
  Stop stop;
  return count_tree(game, game.root(), {}, stop, limits);
}

template <class G>
std::int64_t paths(const G& game, int depth) {
  Stop stop;
  return perft(game, game.root(), {}, depth, stop).value();
}

}  // namespace

TEST_CASE("DL-3: tic-tac-toe has 5478 positions, 549946 nodes, 255168 games") {
  const auto c = count(make<tic_tac_toe::Game>());
  CHECK(c.positions == 5478);
  CHECK(c.nodes == 549'946);
  CHECK(c.terminal == 255'168);
  CHECK(c.wins == std::vector<std::int64_t>{131'184, 77'904});
  CHECK(c.draws == 46'080);
  CHECK(c.decision == 549'946 - 255'168);
  CHECK(c.chance == 0);
  CHECK(c.depth == 9);
  CHECK_FALSE(c.stopped);
}

TEST_CASE("OW-10: leaf counts of thesis oware, depth 1 to 9") {
  const auto game = make<oware::Game>("thesis");
  const std::int64_t expected[] = {1, 6, 36, 186, 971, 4'756, 23'555, 112'420, 543'753, 2'561'803};
  for (int depth = 0; depth <= 9; ++depth) CHECK(paths(game, depth) == expected[depth]);
}

TEST_CASE("perft of tic-tac-toe counts no games that ended earlier") {
  const auto game = make<tic_tac_toe::Game>();
  const std::int64_t expected[] = {1, 9, 72, 504, 3'024, 15'120, 54'720, 148'176, 200'448, 127'872};
  for (int depth = 0; depth <= 9; ++depth) CHECK(paths(game, depth) == expected[depth]);
  CHECK(paths(game, 10) == 0);
}

TEST_CASE("perft of connect four: nobody can win within the first six actions") {
  const auto game = make<connect_four::Game>();
  std::int64_t power = 1;
  for (int depth = 0; depth <= 6; ++depth, power *= 7) CHECK(paths(game, depth) == power);
}

TEST_CASE("NF-4: leduc has 3780 decision nodes and 5520 (standard) or 5550 (thesis) ends") {
  const auto standard = count(make<leduc::Game>("standard"), {.positions = false});
  CHECK(standard.decision == 3780);
  CHECK(standard.terminal == 5520);
  CHECK(standard.positions == 0);
  const auto thesis = count(make<leduc::Game>("thesis"), {.positions = false});
  CHECK(thesis.decision == 3780);
  CHECK(thesis.terminal == 5550);
}

TEST_CASE("kuhn poker by hand: 1 + 3 chance nodes, 6 deals of 4 decisions and 5 ends") {
  const auto c = count(make<kuhn::Game>());
  CHECK(c.chance == 4);
  CHECK(c.decision == 24);
  CHECK(c.terminal == 30);
  CHECK(c.wins == std::vector<std::int64_t>{15, 15});
  CHECK(c.draws == 0);
  CHECK(c.branching == doctest::Approx(57.0 / 28));
}

TEST_CASE("repetition: the path is walked, so that a game with cycles ends") {
  // One seed each, far apart: they chase each other around the board until the position comes back.
  const auto game = make<oware::Game>("abapa", {{"max_plies", std::int64_t{60'000}}});
  const auto start = game.load({{"pits", std::vector<std::int64_t>{1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0}},
                                {"captured", std::vector<std::int64_t>{23, 23}},
                                {"player", std::int64_t{0}}});
  Stop stop;
  const auto c = count_tree(game, start, {}, stop, {.nodes = 1'000'000});
  CHECK(c.terminal > 0);
  CHECK(c.depth < 100);
  CHECK(c.nodes == c.decision + c.terminal);
}

TEST_CASE("limits: nodes, memory, depth, stop") {
  const auto game = make<tic_tac_toe::Game>();
  CHECK_THROWS_AS(count(game, {.nodes = 1000}), LimitError);
  CHECK_THROWS_AS(count(game, {.nodes = 0}), ParameterError);
  CHECK_THROWS_AS(count(game, {.memory_mb = 0}), ParameterError);
  const auto large = make<connect_four::Game>();
  CHECK_THROWS_WITH_AS(count(large, {.memory_mb = 1}), doctest::Contains("the limit is 1 MB"), LimitError);
  CHECK_THROWS_AS(paths(game, -1), ParameterError);
  CHECK_THROWS_AS(paths(game, 2'001), ParameterError);

  Stop stop;
  stop.request();
  CHECK_FALSE(perft(large, large.root(), {}, 12, stop).has_value());
  const auto c = count_tree(large, large.root(), {}, stop);
  CHECK(c.stopped);
  CHECK(c.nodes < 100'000);
}

TEST_CASE("a chain of 1900 actions is counted without trouble for the stack") {
  explicit_tree::Game chain(1, Utility::general);
  int last = chain.add(-1, {.player = 0, .children = {}, .probabilities = {}, .payoffs = {}});
  for (int i = 0; i < 1899; ++i) {
    last = chain.add(last, {.player = 0, .children = {}, .probabilities = {}, .payoffs = {}});
  }
  chain.leaf(last, std::vector<double>{1.0});
  const auto c = count(chain);
  CHECK(c.nodes == 1901);
  CHECK(c.depth == 1900);
  CHECK(paths(chain, 1900) == 1);
}
