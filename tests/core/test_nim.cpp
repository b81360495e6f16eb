// Nim: Bouton's theorem for normal and misère play (DL-6), and the words and positions of the game.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <set>

#include "games/nim.hpp"

using namespace kiebitz;
using nim::Game;
using nim::State;

static_assert(GameLike<Game>);
static_assert(HasRandomLegal<State> && HasTensor<State>);
static_assert(sizeof(State) <= 32);

namespace {

using Ints = std::vector<std::int64_t>;

Game make(const Ints& heaps, bool misere = false) {
  return Game(resolve_parameters(Game::parameters(), Game::presets(), "", {{"heaps", heaps}, {"misere", misere}}));
}

Ints heaps_of(const State& s) { return std::get<Ints>(*find_field(s.save(), "heaps")); }

std::vector<Action> legal_of(const Game& game, const State& s) {
  std::vector<Action> actions(static_cast<std::size_t>(game.info().max_legal));
  actions.resize(static_cast<std::size_t>(s.legal(actions.data())));
  return actions;
}

// Does the player to move win against every defence? By trying everything.
bool wins(const Game& game, const State& s, std::map<std::uint64_t, bool>& known) {
  if (s.player() == kTerminal) {
    double out[2];
    s.returns(out);
    return out[std::get<std::int64_t>(*find_field(s.save(), "player"))] > 0;
  }
  if (const auto found = known.find(s.key()); found != known.end()) return found->second;
  bool won = false;
  for (const Action a : legal_of(game, s)) {
    State next = s;
    next.apply(a);
    won = won || !wins(game, next, known);
  }
  return known[s.key()] = won;
}

bool bouton(const Ints& heaps, bool misere) {
  std::int64_t sum = 0;
  bool large = false;
  for (const auto h : heaps) {
    sum ^= h;
    large = large || h > 1;
  }
  return misere && !large ? sum == 0 : sum != 0;
}

void check_all(const Ints& heaps, bool misere) {
  const Game game = make(heaps, misere);
  std::map<std::uint64_t, bool> known;
  wins(game, game.root(), known);
  Ints now(heaps.size(), 0);
  // Counts through all smaller heaps; player 0 to move wherever that is possible.
  int positions = 0;
  while (true) {
    for (std::int64_t player = 0; player < 2; ++player) {
      try {
        const State s = game.load({{"heaps", now}, {"player", player}});
        REQUIRE(wins(game, s, known) == bouton(now, misere));
        ++positions;
      } catch (const PositionError&) {
        // Not reachable with this player to move.
      }
    }
    std::size_t i = 0;
    while (i < now.size() && now[i] == heaps[i]) now[i++] = 0;
    if (i == now.size()) break;
    ++now[i];
  }
  CHECK(positions > 0);
}

}  // namespace

TEST_CASE("nim: exactly the positions with XOR 0 are lost (DL-6, Bouton 1901)") {
  for (const bool misere : {false, true}) {
    check_all({10}, misere);
    check_all({10, 10}, misere);
    check_all({5, 5, 5}, misere);
    check_all({1, 3, 5, 7}, misere);
  }
}

TEST_CASE("nim: the last stick wins, in misère play it loses") {
  for (const bool misere : {false, true}) {
    const Game game = make({2, 1}, misere);
    State s = game.root();
    s.apply(*s.parse("1:2"));
    CHECK(s.player() == 1);
    s.apply(*s.parse("2:1"));
    CHECK(s.player() == kTerminal);
    double out[2];
    s.returns(out);
    CHECK(out[0] == (misere ? 1 : -1));
    CHECK(out[1] == -out[0]);
    CHECK(legal_of(game, s).empty());
  }
}

TEST_CASE("nim: actions are numbered by objects taken, then by heap") {
  const Game game = make({1, 3, 5, 7});
  const State s = game.root();
  CHECK(game.info().actions == 28);
  CHECK(game.info().max_legal == 16);
  CHECK(legal_of(game, s) == std::vector<Action>{0, 1, 2, 3, 5, 6, 7, 9, 10, 11, 14, 15, 18, 19, 23, 27});
  CHECK(s.name(9) == "2:3");
  CHECK(s.name(27) == "4:7");
  CHECK(game.info().log10_states == doctest::Approx(std::log10(2.0 * 4 * 6 * 8)));
}

TEST_CASE("nim: games of any size play to the end, and positions and words round-trip") {
  Rng rng(4);
  for (const Ints& heaps : {Ints{1}, Ints{1, 3, 5, 7}, Ints{0, 4, 0}, Ints(16, 255), Ints{9, 8, 7, 6, 5, 4, 3, 2, 1}}) {
    const Game game = make(heaps);
    for (int i = 0; i < 20; ++i) {
      State s = game.root();
      int plies = 0;
      while (s.player() != kTerminal) {
        REQUIRE(s.player() == plies % 2);
        const State t = game.load(s.save());
        REQUIRE(t.save() == s.save());
        REQUIRE(t.key() == s.key());
        const auto legal = legal_of(game, s);
        REQUIRE(std::is_sorted(legal.begin(), legal.end()));
        const Action a = s.random_legal(rng);
        REQUIRE(std::binary_search(legal.begin(), legal.end(), a));
        REQUIRE(s.parse(s.name(a)) == a);
        const auto before = heaps_of(s);
        s.apply(a);
        const auto after = heaps_of(s);
        int changed = 0;
        for (std::size_t h = 0; h < before.size(); ++h) {
          REQUIRE(after[h] <= before[h]);
          changed += after[h] < before[h];
        }
        REQUIRE(changed == 1);
        ++plies;
      }
      REQUIRE(plies <= game.info().max_length);
      REQUIRE(game.load(s.save()).player() == kTerminal);
    }
  }
}

TEST_CASE("nim: random actions are uniform") {
  const Game game = make({1, 2, 5});
  const State s = game.root();
  std::map<Action, int> counts;
  Rng rng(8);
  for (int i = 0; i < 80'000; ++i) ++counts[s.random_legal(rng)];
  CHECK(counts.size() == 8);
  double chi = 0;
  for (const auto& [action, n] : counts) chi += std::pow(n - 10'000.0, 2) / 10'000;
  CHECK(chi < 24.32);  // p > 0.001 with seven degrees of freedom
}

TEST_CASE("nim: keys tell positions apart, also beyond seven heaps") {
  for (const Ints& heaps : {Ints{4, 5, 6}, Ints{2, 2, 2, 2, 2, 2, 2, 2, 2}}) {
    const Game game = make(heaps);
    std::set<std::pair<Ints, int>> positions;
    std::set<std::uint64_t> keys;
    Rng rng(6);
    for (int i = 0; i < 5000; ++i) {
      State s = game.root();
      while (s.player() != kTerminal) {
        positions.insert({heaps_of(s), s.player()});
        keys.insert(s.key());
        s.apply(s.random_legal(rng));
      }
    }
    CHECK(keys.size() == positions.size());
  }
}

TEST_CASE("nim: moves are read generously") {
  const Game game = make({1, 3, 5, 7});
  const State s = game.root();
  for (const char* text : {"2:3", " 2 3 ", "2,3", "heap 2 take 3", "02:03"}) CHECK(s.parse(text) == 9);
  for (const char* text : {"", "2", "0:1", "5:1", "1:0", "1:8", "1:2:3", "a:b", "99999999999999999999:1"}) {
    CHECK(!s.parse(text));
  }
}

TEST_CASE("nim: the position as text and as numbers") {
  const Game game = make({1, 4});
  const State s = game.root();
  CHECK(s.text() == "heap 1: 1 |\nheap 2: 4 ||||\nplayer 0 to move\n");
  std::array<float, 4> out{};
  s.tensor(out.data());
  CHECK(out == std::array<float, 4>{0.25F, 1, 1, 0});
}

TEST_CASE("nim: impossible positions and parameters are refused") {
  const Game game = make({1, 3, 5, 7});
  const auto load = [&](Value heaps, Value player) {
    return game.load({{"heaps", std::move(heaps)}, {"player", std::move(player)}});
  };
  CHECK_NOTHROW(load(Ints{1, 3, 5, 7}, std::int64_t{0}));
  CHECK_NOTHROW(load(Ints{1, 3, 5, 5}, std::int64_t{0}));
  CHECK_NOTHROW(load(Ints{1, 3, 5, 5}, std::int64_t{1}));
  CHECK_THROWS_AS(load(Ints{1, 3, 5, 7}, std::int64_t{1}), PositionError);  // player 0 begins
  CHECK_THROWS_AS(load(Ints{0, 3, 5, 7}, std::int64_t{0}), PositionError);  // one object gone: one move was made
  CHECK_THROWS_AS(load(Ints{2, 3, 5, 7}, std::int64_t{0}), PositionError);
  CHECK_THROWS_AS(load(Ints{1, 3, 5}, std::int64_t{0}), PositionError);
  CHECK_THROWS_AS(load(Ints{1, 3, 5, -1}, std::int64_t{0}), PositionError);
  CHECK_THROWS_AS(load(Ints{1, 3, 5, 7}, std::int64_t{2}), PositionError);
  CHECK_THROWS_AS(load(std::string("1 3 5 7"), std::int64_t{0}), PositionError);
  CHECK_THROWS_AS(game.load({{"heaps", Ints{1, 3, 5, 7}}}), PositionError);
  CHECK_THROWS_AS(game.load({{"heaps", Ints{1, 3, 5, 7}}, {"player", std::int64_t{0}}, {"x", true}}), PositionError);
  CHECK_THROWS_AS(make({}), ParameterError);
  CHECK_THROWS_AS(make({0, 0}), ParameterError);
  CHECK_THROWS_AS(make({256}), ParameterError);
  CHECK_THROWS_AS(make({-1}), ParameterError);
  CHECK_THROWS_AS(make(Ints(17, 1)), ParameterError);
}
