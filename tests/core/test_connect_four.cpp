// Connect Four: known position counts, and lines checked cell by cell on boards of many shapes.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <set>

#include "games/connect_four.hpp"

using namespace kiebitz;
using connect_four::Game;
using connect_four::State;

static_assert(GameLike<Game>);
static_assert(HasRandomLegal<State> && HasEvaluation<State> && HasOrder<State> && HasTensor<State>);
static_assert(sizeof(State) == 32);

namespace {

Game make(const Fields& given = {}) { return Game(resolve_parameters(Game::parameters(), Game::presets(), "", given)); }

Game make(int rows, int columns, int connect) {
  return make({{"rows", std::int64_t{rows}}, {"columns", std::int64_t{columns}}, {"connect", std::int64_t{connect}}});
}

State load(const Game& game, const std::string& board) { return game.load({{"board", board}}); }

std::vector<Action> legal_of(const State& s) {
  std::vector<Action> actions(8);
  actions.resize(static_cast<std::size_t>(s.legal(actions.data())));
  return actions;
}

double payoff(const State& s) {
  double out[2];
  s.returns(out);
  CHECK(out[0] == -out[1]);
  return out[0];
}

void play(State& s, const std::string& columns) {
  for (const char c : columns) {
    const auto a = s.parse(std::string(1, c));
    REQUIRE(a);
    REQUIRE(s.player() != kTerminal);
    s.apply(*a);
  }
}

std::int64_t leaves(const State& s, int depth) {
  if (depth == 0) return 1;
  std::int64_t n = 0;
  for (const Action a : legal_of(s)) {
    State next = s;
    next.apply(a);
    n += leaves(next, depth - 1);
  }
  return n;
}

// A grid, row 0 at the bottom, and lines looked for stone by stone.
struct Grid {
  int rows, columns, connect;
  std::map<std::pair<int, int>, int> stones;

  int at(int row, int column) const {
    const auto found = stones.find({row, column});
    return found == stones.end() ? -1 : found->second;
  }
  int height(int column) const {
    int h = 0;
    while (at(h, column) >= 0) ++h;
    return h;
  }
  bool line(int player) const {
    for (const auto& [cell, owner] : stones) {
      for (const auto& [up, right] : {std::pair{0, 1}, {1, 0}, {1, 1}, {1, -1}}) {
        int n = 0;
        while (at(cell.first + n * up, cell.second + n * right) == player) ++n;
        if (owner == player && n >= connect) return true;
      }
    }
    return false;
  }
};

}  // namespace

TEST_CASE("connect_four: known leaf counts") {
  const Game game = make();
  const std::int64_t expected[] = {7, 49, 343, 2401, 16807, 117649, 823536, 5673234};
  for (int depth = 1; depth <= 8; ++depth) CHECK(leaves(game.root(), depth) == expected[depth - 1]);
}

TEST_CASE("connect_four: the four directions win") {
  const Game game = make();
  for (const char* moves : {"aabbccd", "abababa", "abbcgccdgdgdd", "gffeaeedadadd"}) {
    CAPTURE(moves);
    State s = game.root();
    const std::string all = moves;
    play(s, all.substr(0, all.size() - 1));
    CHECK(s.player() != kTerminal);
    const int mover = s.player();
    play(s, all.substr(all.size() - 1));
    CHECK(s.player() == kTerminal);
    CHECK(payoff(s) == (mover == 0 ? 1 : -1));
    CHECK(s.evaluate(0, mover) == 1);
    CHECK(s.evaluate(0, 1 - mover) == -1);
    CHECK(legal_of(s).empty());
  }
}

TEST_CASE("connect_four: random games on boards of every shape agree with a plain grid") {
  int wins = 0;
  int draws = 0;
  for (int rows = 2; rows <= 12; ++rows) {
    for (int columns = 2; columns <= 8; ++columns) {
      if ((rows + 1) * columns > 64) continue;
      for (int connect = 2; connect <= std::min(8, std::max(rows, columns)); ++connect) {
        const Game game = make(rows, columns, connect);
        Rng rng(static_cast<std::uint64_t>(100 * rows + 10 * columns + connect));
        for (int i = 0; i < 6; ++i) {
          State s = game.root();
          Grid grid{rows, columns, connect, {}};
          for (int ply = 0; s.player() != kTerminal; ++ply) {
            REQUIRE(s.player() == ply % 2);
            std::vector<Action> open;
            for (int c = 0; c < columns; ++c) {
              if (grid.height(c) < rows) open.push_back(c);
            }
            REQUIRE(legal_of(s) == open);
            const Action a = s.random_legal(rng);
            grid.stones[{grid.height(a), a}] = ply % 2;
            s.apply(a);
            const bool won = grid.line(ply % 2);
            const bool full = static_cast<int>(grid.stones.size()) == rows * columns;
            REQUIRE((s.player() == kTerminal) == (won || full));
            if (s.player() == kTerminal) {
              CHECK(payoff(s) == (won ? (ply % 2 == 0 ? 1 : -1) : 0));
              (won ? wins : draws) += 1;
            }
          }
        }
      }
    }
  }
  CHECK(wins > 500);
  CHECK(draws > 100);
}

TEST_CASE("connect_four: the first player wins more random games") {
  const Game game = make();
  Rng rng(3);
  double sum = 0;
  for (int i = 0; i < 20'000; ++i) {
    State s = game.root();
    while (s.player() != kTerminal) s.apply(s.random_legal(rng));
    sum += payoff(s);
  }
  CHECK(sum / 20'000 > 0.09);
  CHECK(sum / 20'000 < 0.14);
}

TEST_CASE("connect_four: random actions are uniform") {
  const Game game = make();
  State s = game.root();
  play(s, "ddddddaaaaaa");
  std::array<int, 7> counts{};
  Rng rng(5);
  for (int i = 0; i < 50'000; ++i) ++counts[static_cast<std::size_t>(s.random_legal(rng))];
  CHECK((counts[0] == 0 && counts[3] == 0));
  double chi = 0;
  for (const std::size_t a : {1, 2, 4, 5, 6}) chi += std::pow(counts[a] - 10'000.0, 2) / 10'000;
  CHECK(chi < 18.47);  // p > 0.001 with four degrees of freedom
}

TEST_CASE("connect_four: keys are exact") {
  const Game game = make(5, 4, 4);
  std::map<std::uint64_t, std::string> boards;
  Rng rng(9);
  for (int i = 0; i < 5000; ++i) {
    State s = game.root();
    while (s.player() != kTerminal) {
      s.apply(s.random_legal(rng));
      const auto [found, is_new] = boards.try_emplace(s.key(), s.text());
      REQUIRE(found->second == s.text());
    }
  }
  std::set<std::string> texts;
  for (const auto& [key, text] : boards) texts.insert(text);
  CHECK(texts.size() == boards.size());
}

TEST_CASE("connect_four: positions and words round-trip") {
  const Game game = make();
  Rng rng(7);
  for (int i = 0; i < 500; ++i) {
    State s = game.root();
    while (true) {
      const State t = game.load(s.save());
      REQUIRE(t.save() == s.save());
      REQUIRE(t.key() == s.key());
      REQUIRE(t.player() == s.player());
      REQUIRE(legal_of(t) == legal_of(s));
      REQUIRE(t.evaluate(0, 0) == s.evaluate(0, 0));
      for (const Action a : legal_of(s)) REQUIRE(s.parse(s.name(a)) == a);
      if (s.player() == kTerminal) break;
      s.apply(s.random_legal(rng));
    }
    REQUIRE(payoff(game.load(s.save())) == payoff(s));
  }
  const State s = game.root();
  CHECK(s.parse("D") == 3);
  CHECK(s.parse(" 4 ") == 3);
  for (const char* bad : {"", "h", "8", "0", "aa", "?"}) CHECK(!s.parse(bad));
}

TEST_CASE("connect_four: the board as text") {
  const Game game = make(3, 4, 3);
  State s = game.root();
  play(s, "bbc");
  CHECK(s.text() == "a b c d\n. . . .\n. o . .\n. x x .\n");
  CHECK(std::get<std::string>(s.save()[0].second) == "..../.o../.xx.");
}

TEST_CASE("connect_four: open lines and the centre") {
  const Game game = make();
  CHECK(game.all_lines() == 69);
  State s = game.root();
  CHECK(s.evaluate(0, 0) == 0);
  play(s, "d");
  // Seven lines pass through the middle of the lowest row: four across, one up, two slanting.
  CHECK(s.evaluate(0, 0) == doctest::Approx(7.0 / 70));
  CHECK(s.evaluate(0, 1) == doctest::Approx(-7.0 / 70));
  for (const auto& [better, worse] : {std::pair{3, 2}, {2, 1}, {1, 0}, {4, 5}, {5, 6}}) {
    CHECK(s.order(better) > s.order(worse));
  }
}

TEST_CASE("connect_four: the tensor has one plane each for empty cells, own and other stones") {
  const Game game = make(3, 4, 3);
  State s = game.root();
  play(s, "bbc");
  std::array<float, 36> out{};
  s.tensor(out.data());
  float sums[3] = {0, 0, 0};
  for (std::size_t i = 0; i < out.size(); ++i) sums[i / 12] += out[i];
  CHECK((sums[0] == 9 && sums[1] == 1 && sums[2] == 2));
  CHECK((out[12 + 4 + 1] == 1 && out[24 + 1] == 1 && out[24 + 2] == 1));
}

TEST_CASE("connect_four: impossible positions are refused") {
  const Game game = make(4, 4, 3);
  CHECK_NOTHROW(load(game, "..../..../..../x..."));
  CHECK_NOTHROW(load(game, "x.../x.../x.../oo.."));
  const std::vector<std::string> bad = {
      "",
      "..../..../....",        // a row is missing
      "..../..../..../....x",  // too long
      "...././.../..../....",  // stroke in the wrong place
      "..../..../..../z...",   // no stone
      "..../..../x.../....",   // in the air
      "..../..../..../o...",   // o cannot begin
      "..../..../..../xx..",   // x moved twice
      "..../oo../oo../xxx.",   // x had won already
      "o.../ox../ox../ox..",   // both have a line
      "xo../xo../xo../o...",   // likewise
      "o.../x.../x.../xoo.",   // the line is older than the last stone
  };
  for (const auto& board : bad) {
    CAPTURE(board);
    CHECK_THROWS_AS(load(game, board), PositionError);
  }
  CHECK_THROWS_AS(game.load({}), PositionError);
  CHECK_THROWS_AS(game.load({{"board", std::int64_t{3}}}), PositionError);
  CHECK_THROWS_AS(game.load({{"board", std::string("..../..../..../....")}, {"mood", true}}), PositionError);
}

TEST_CASE("connect_four: boards that do not fit are refused") {
  CHECK_THROWS_AS(make(8, 8, 4), ParameterError);
  CHECK_THROWS_AS(make(3, 4, 5), ParameterError);
  CHECK_THROWS_AS(make(6, 9, 4), ParameterError);
  CHECK_THROWS_AS(make(1, 7, 4), ParameterError);
  CHECK_NOTHROW(make(7, 8, 4));
}
