// Kuhn poker (Kuhn 1950): sizes, payoffs of every line, views and sampled worlds; three players as well.
#include <set>

#include "games/kuhn.hpp"
#include "hidden_checks.hpp"

using namespace kiebitz;
using checks::make;
using kuhn::Game;
using kuhn::State;

static_assert(HiddenGame<Game>);
static_assert(HasDeal<Game>);

namespace {

State deal(const Game& game, const std::vector<std::string>& hands, const std::string& betting) {
  State s = game.root();
  for (const Action a : game.deal(hands, 0)) s.apply(a);
  for (const char c : betting) s.apply(c == 'b' ? kuhn::kBet : kuhn::kPass);
  return s;
}

}  // namespace

TEST_CASE("kuhn: payoffs of every line") {
  const Game game = make<Game>();
  for (const auto& [betting, first] :
       std::vector<std::pair<std::string, double>>{{"pp", 1}, {"pbp", -1}, {"pbb", 2}, {"bp", 1}, {"bb", 2}}) {
    CAPTURE(betting);
    const State s = deal(game, {"K", "Q"}, betting);
    REQUIRE(s.player() == kTerminal);
    CHECK(checks::returns_of(game, s) == std::vector<double>{first, -first});
  }
  CHECK(checks::returns_of(game, deal(game, {"J", "Q"}, "pbb")) == std::vector<double>{-2, 2});
}

TEST_CASE("kuhn: 12 information sets and 58 nodes") {
  const Game game = make<Game>();
  std::set<std::string> sets;
  int nodes = 0;
  checks::walk<Game>(game, [&](const State& s, const std::vector<double>&) {
    ++nodes;
    if (s.player() >= 0) sets.insert(checks::written(s.view(s.player()).save()));
  });
  CHECK(sets.size() == 12);
  CHECK(nodes == 58);
}

TEST_CASE("kuhn: a folded hand is not shown, a showdown is") {
  const Game game = make<Game>();
  CHECK(deal(game, {"K", "Q"}, "bp").view(1) == deal(game, {"J", "Q"}, "bp").view(1));
  CHECK_FALSE(deal(game, {"K", "Q"}, "bb").view(1) == deal(game, {"J", "Q"}, "bb").view(1));
  CHECK(deal(game, {"K", "Q"}, "b").view(1) == deal(game, {"J", "Q"}, "b").view(1));
}

TEST_CASE("kuhn: the whole tree for two and three players") {
  for (const std::int64_t players : {2, 3}) {
    const Game game = make<Game>({{"players", players}});
    checks::check_round_trips(game);
    checks::check_sampling(game, players == 2 ? 2000 : 300);
  }
}

TEST_CASE("kuhn: words") {
  const Game game = make<Game>();
  const State s = deal(game, {"k", "j"}, "");
  CHECK(s.parse("Bet") == kuhn::kBet);
  CHECK(s.parse(" CALL") == kuhn::kBet);
  CHECK(s.parse("fold") == kuhn::kPass);
  CHECK(s.parse("raise") == std::nullopt);
  CHECK(game.root().parse("q") == 1);
  CHECK(game.root().parse("A") == std::nullopt);
}

TEST_CASE("kuhn: refuses what cannot be") {
  const Game game = make<Game>();
  CHECK_THROWS_AS(make<Game>({{"players", std::int64_t{1}}}), ParameterError);
  CHECK_THROWS_AS(make<Game>({{"players", std::int64_t{11}}}), ParameterError);
  CHECK_THROWS_AS(game.deal({"K"}, 0), PositionError);
  CHECK_THROWS_AS(game.deal({"K", "K"}, 0), PositionError);
  CHECK_THROWS_AS(game.deal({"K", "A"}, 0), PositionError);
  CHECK_THROWS_AS(game.deal({"K", "Q"}, 1), PositionError);
  using Ints = std::vector<std::int64_t>;
  CHECK_THROWS_AS(game.load({{"cards", Ints{1, 1}}, {"betting", std::string()}}), PositionError);
  CHECK_THROWS_AS(game.load({{"cards", Ints{1}}, {"betting", std::string("p")}}), PositionError);
  CHECK_THROWS_AS(game.load({{"cards", Ints{1, 2}}, {"betting", std::string("ppp")}}), PositionError);
  const auto view = [](std::int64_t card, const Ints& shown) {
    return Fields{{"observer", std::int64_t{0}},
                  {"card", card},
                  {"dealt", std::int64_t{2}},
                  {"betting", std::string("bb")},
                  {"shown", shown}};
  };
  CHECK(game.load_view(view(2, {2, 1})).player() == kTerminal);
  CHECK_THROWS_AS(game.load_view(view(2, {2, 2})), ViewError);   // one card twice
  CHECK_THROWS_AS(game.load_view(view(2, {1, 0})), ViewError);   // not the observer's card
  CHECK_THROWS_AS(game.load_view(view(2, {-1, 1})), ViewError);  // both show
}
