// Endgame tables of Oware: every entry against its successors, against exhaustive search to the first repetition,
// against the game with a guard, and in play.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <memory>

#include "games/path.hpp"
#include "players/oware/endgame.hpp"
#include "search/alphabeta.hpp"

using namespace kiebitz;
using oware::Endgame;
using oware::Ending;
using oware::Game;
using oware::Ranking;
using oware::State;

namespace {

using Pits = std::array<int, 12>;

Game make(const std::string& preset, const Fields& given = {}) {
  return Game(resolve_parameters(Game::parameters(), Game::presets(), preset, given));
}

std::unique_ptr<Endgame> build(const Game& game, int seeds) {
  auto table = std::make_unique<Endgame>(game);
  Stop stop;
  while (table->seeds() < seeds) REQUIRE(table->extend(stop));
  return table;
}

// A position as its mover sees it; nullopt if the game is over there.
std::optional<State> position(const Game& game, const Pits& pits, int mover = 0) {
  std::vector<std::int64_t> board(12);
  for (std::size_t i = 0; i < 12; ++i) board[(i + static_cast<std::size_t>(mover) * 6) % 12] = pits[i];
  try {
    return game.load({{"pits", board}, {"captured", std::vector<std::int64_t>{0, 0}}, {"player", std::int64_t{mover}}});
  } catch (const PositionError&) {
    return std::nullopt;
  }
}

Pits pits_of(const State& state) {
  Pits pits{};
  for (int i = 0; i < 12; ++i) pits[static_cast<std::size_t>(i)] = state.pit((i + 6 * state.mover()) % 12);
  return pits;
}

int lead(const State& state, int player) { return state.captured(player) - state.captured(1 - player); }

std::vector<Action> legal_of(const State& state) {
  std::vector<Action> actions(6);
  actions.resize(static_cast<std::size_t>(state.legal(actions.data())));
  return actions;
}

// Calls f(pits, n) for every position with at most `seeds` seeds.
template <class F>
void for_all(int seeds, F&& f) {
  for (int n = 0; n <= seeds; ++n) {
    for (std::size_t rank = Ranking::below(n); rank < Ranking::below(n + 1); ++rank) f(Ranking::pits(rank, n), n);
  }
}

// What the mover at the start gains with perfect play when a repeated position ends the game: no table, no memory.
int exhaustive(const State& here, Path<State>& path, int player, int alpha, int beta) {
  const bool mine = here.player() == player;
  for (const Action a : legal_of(here)) {
    State next = here;
    const auto mark = path.mark();
    path.apply(next, a);
    const int value = next.player() < 0 ? lead(next, player) : exhaustive(next, path, player, alpha, beta);
    path.rewind(mark);
    (mine ? alpha : beta) = mine ? std::max(alpha, value) : std::min(beta, value);
    if (alpha >= beta) break;
  }
  return mine ? alpha : beta;
}

// The least that a player gets who follows the table, whatever the other does.
int least_against_all(const Endgame& table, const State& here, Path<State>& path, int player) {
  const bool ours = here.player() == player;
  const std::vector<Action> actions = ours ? std::vector<Action>{table.find(pits_of(here))->move} : legal_of(here);
  int least = 100;
  for (const Action a : actions) {
    State next = here;
    const auto mark = path.mark();
    path.apply(next, a);
    least = std::min(least, next.player() < 0 ? lead(next, player) : least_against_all(table, next, path, player));
    path.rewind(mark);
  }
  return least;
}

}  // namespace

TEST_CASE("positions are numbered without gaps") {
  std::size_t expected = 0;
  for_all(6, [&](const Pits& pits, int seeds) {
    int sum = 0;
    for (const int pit : pits) sum += pit;
    CHECK(sum == seeds);
    CHECK(Ranking::rank([&](int i) { return pits[static_cast<std::size_t>(i)]; }) == expected++);
  });
  CHECK(expected == Ranking::below(7));
  CHECK(Ranking::below(11) == 646'646);
}

TEST_CASE("every entry follows from its successors") {
  for (const Fields& given : {Fields{}, Fields{{"must_feed", true}, {"grand_slam", std::string("nothing")}},
                              Fields{{"starvation", std::string("either")}}, Fields{{"must_feed", true}}}) {
    const Game game = make("", given);
    const auto table = build(game, 6);
    int wrong = 0;
    for_all(6, [&](const Pits& pits, int seeds) {
      const Ending& entry = *table->find(pits);
      const auto state = position(game, pits);
      int low = -100;
      int high = -100;
      if (!state) {
        low = high = 2 * (pits[0] + pits[1] + pits[2] + pits[3] + pits[4] + pits[5]) - seeds;
        wrong += entry.move != -1;
      } else {
        for (const Action a : legal_of(*state)) {
          State next = *state;
          next.apply(a);
          const bool over = next.player() < 0;
          const Ending after = over ? Ending{} : *table->find(pits_of(next));
          low = std::max(low, lead(next, 0) - after.high);
          high = std::max(high, lead(next, 0) - after.low);
          if (a == entry.move) wrong += lead(next, 0) - after.high != entry.low;  // the move keeps what it promises
        }
        wrong += entry.move < 0;
      }
      wrong += entry.low != low || entry.high != high || low > high || (low - seeds) % 2 != 0 || high > seeds;
    });
    CHECK(wrong == 0);
  }
}

TEST_CASE("thesis: exact, and the same as in the game with a guard 50 plies away") {
  constexpr int kSeeds = 7;
  const Game game = make("thesis");
  const auto table = build(game, kSeeds);
  struct Move {
    std::size_t to;
    int gain;
    bool over;
  };
  std::vector<std::vector<Move>> moves;
  std::vector<int> value;  // with no ply left: the rows
  for_all(kSeeds, [&](const Pits& pits, int seeds) {
    auto& list = moves.emplace_back();
    value.push_back(2 * (pits[0] + pits[1] + pits[2] + pits[3] + pits[4] + pits[5]) - seeds);
    const auto state = position(game, pits);
    if (!state) return;
    for (const Action a : legal_of(*state)) {
      State next = *state;
      next.apply(a);
      const Pits after = pits_of(next);
      const bool over = next.player() < 0;
      list.push_back(
          {over ? 0 : Ranking::rank([&](int i) { return after[static_cast<std::size_t>(i)]; }), lead(next, 0), over});
    }
  });
  for (int plies = 1; plies <= 60; ++plies) {
    std::vector<int> next = value;
    for (std::size_t p = 0; p < moves.size(); ++p) {
      if (moves[p].empty()) continue;
      next[p] = -100;
      for (const Move& m : moves[p]) next[p] = std::max(next[p], m.gain - (m.over ? 0 : value[m.to]));
    }
    value.swap(next);
    if (plies < 50) continue;
    int wrong = 0;
    for (std::size_t p = 0; p < value.size(); ++p) {
      wrong += table->entries()[p].low != value[p] || table->entries()[p].high != value[p];
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("abapa: exhaustive search to the first repetition stays within the bounds, and meets them") {
  const Game game = make("abapa");
  const auto table = build(game, 3);
  int exact = 0;
  int open = 0;
  for_all(3, [&](const Pits& pits, int seeds) {
    const auto state = position(game, pits);
    if (!state) return;
    Path<State> path;
    path.reset(*state, {});
    const int value = exhaustive(*state, path, 0, -seeds, seeds);
    const Ending& entry = *table->find(pits);
    CHECK(entry.low <= value);
    CHECK(value <= entry.high);
    (entry.low == entry.high ? exact : open) += 1;
  });
  CHECK(exact == 246);
  CHECK(open == 77);
}

TEST_CASE("who follows the table gets what it says, whatever the other does") {
  for (const char* const preset : {"thesis", "abapa"}) {
    const Game game = make(preset, {{"repetition", true}});  // so that all lines end soon
    const int seeds = 3;
    const auto table = build(game, seeds);
    for_all(seeds, [&](const Pits& pits, int) {
      const auto state = position(game, pits);
      if (!state) return;
      const Ending& entry = *table->find(pits);
      Path<State> path;
      path.reset(*state, {});
      CHECK(least_against_all(*table, *state, path, 0) >= entry.low);
      CHECK(least_against_all(*table, *state, path, 1) >= -entry.high);
    });
  }
}

TEST_CASE("values never fall in play by the table against random players") {
  Rng rng(5);
  for (const char* const preset : {"thesis", "abapa"}) {
    const Game game = make(preset);
    const auto table = build(game, 7);
    for (int round = 0; round < 3000; ++round) {
      const std::size_t rank = rng.below(static_cast<std::uint32_t>(table->entries().size()));
      int seeds = 0;
      while (Ranking::below(seeds + 1) <= rank) ++seeds;
      auto state = position(game, Ranking::pits(rank, seeds), round % 2);
      if (!state) continue;
      const int player = round / 2 % 2;
      const Ending& start = table->entries()[rank];
      int promised = state->player() == player ? start.low : -start.high;
      Path<State> path;
      path.reset(*state, {});
      while (state->player() >= 0) {
        const Ending& entry = *table->find(pits_of(*state));
        const bool ours = state->player() == player;
        const int now = lead(*state, player) + (ours ? entry.low : -entry.high);
        CHECK(now >= promised);
        promised = now;
        Action buffer[6];
        path.apply(*state, ours ? Action{entry.move} : random_action(*state, rng, buffer));
      }
      CHECK(lead(*state, player) >= promised);
    }
  }
}

TEST_CASE("what a search proves with the table is true by a larger table") {
  const Game game = make("thesis");
  const auto small = std::shared_ptr<const Endgame>(build(game, 7));
  const auto large = build(game, 8);
  search::AlphaBetaOptions options;
  options.depth = 10;
  options.deepen = options.narrow = true;
  options.order = search::Order::full;
  options.table_mb = 4;
  options.known = small;
  search::AlphaBeta<Game> search(game, options);
  Rng rng(9);
  int proven = 0;
  for (int round = 0; round < 100; ++round) {
    // Eight seeds in play, the rest shared so that either may win.
    std::vector<std::int64_t> board(12);
    for (int i = 0; i < 8; ++i) ++board[rng.below(12)];
    const std::int64_t captured = 12 + rng.below(5);
    State state = game.root();
    try {
      state = game.load({{"pits", board},
                         {"captured", std::vector<std::int64_t>{captured, 28 - captured}},
                         {"player", std::int64_t{0}}});
    } catch (const PositionError&) {
      continue;
    }
    Stop stop;
    const double value = search.search(state, {}, stop).value;
    if (value != 1.0 && value != -1.0) continue;
    CHECK(large->outcome(state, 0).low == value);
    CHECK(large->outcome(state, 0).high == value);
    ++proven;
  }
  CHECK(proven > 30);
}

TEST_CASE("a table answers only where it is right, and takes only what fits") {
  const Game game = make("thesis");
  const auto table = build(game, 5);
  const auto ask = [&](const Game& of, std::vector<std::int64_t> pits, std::vector<std::int64_t> captured, int plies) {
    const State state = of.load({{"pits", std::move(pits)},
                                 {"captured", std::move(captured)},
                                 {"player", std::int64_t{0}},
                                 {"plies", std::int64_t{plies}}});
    const Outlook outlook = table->outcome(state, 0);
    CHECK(table->outcome(state, 1).low == -outlook.high);
    return outlook;
  };
  const std::vector<std::int64_t> four = {1, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0};
  CHECK(ask(game, four, {18, 14}, 0).low == 1);
  CHECK(ask(game, four, {10, 18}, 0).high == -1);
  CHECK(ask(game, four, {18, 14}, 950).low < -1);                                // the guard is near
  CHECK(ask(game, {3, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0}, {15, 15}, 0).low < -1);  // too many seeds
  CHECK(ask(make("abapa"), four, {20, 20}, 0).low < -1);                         // other rules
  const Game by_seeds = make("thesis", {{"payoff", std::string("seeds")}});
  CHECK(ask(by_seeds, four, {16, 16}, 0).low < -100);  // a majority may end it
  CHECK(ask(by_seeds, four, {10, 10}, 0).low >= -4);

  Endgame other(game);
  std::vector<Ending> broken(table->entries().begin(), table->entries().end());
  broken[7].low = 100;
  CHECK_THROWS_AS(other.load(broken), PositionError);
  broken.pop_back();
  CHECK_THROWS_AS(other.load(broken), PositionError);
  CHECK(other.seeds() == -1);
  other.load(table->entries());
  CHECK(other.seeds() == 5);
  CHECK(std::ranges::equal(other.entries(), table->entries()));
  CHECK_THROWS_AS(other.load(table->entries()), PositionError);  // it is not empty: others may be reading it

  Stop stop;
  stop.request();
  CHECK_FALSE(other.extend(stop));
  CHECK(other.seeds() == 5);

  search::AlphaBetaOptions options;
  options.depth = 2;
  options.known = std::make_shared<Endgame>(game);
  options.terminals = search::Terminals::evaluation;
  CHECK_THROWS_AS(search::AlphaBeta<Game>(game, options), ParameterError);
}
