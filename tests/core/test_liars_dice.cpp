// Liar's dice: bids, the wild face, hidden dice and the probabilities of sampled dice.
#include "games/liars_dice.hpp"
#include "hidden_checks.hpp"

using namespace kiebitz;
using checks::make;
using liars_dice::Game;
using liars_dice::State;

static_assert(HiddenGame<Game>);
static_assert(HasDeal<Game> && HasRandomLegal<State> && HasResult<State>);
static_assert(sizeof(State) <= 192);

namespace {

Game game_of(std::int64_t players, std::int64_t dice, std::int64_t sides) {
  return make<Game>({{"players", players}, {"dice", dice}, {"sides", sides}});
}

State play(const Game& game, const std::vector<std::string>& hands, std::initializer_list<const char*> bids) {
  State s = game.root();
  for (const Action a : game.deal(hands, 0)) s.apply(a);
  for (const char* bid : bids) {
    const auto action = s.parse(bid);
    REQUIRE(action);
    s.apply(*action);
  }
  return s;
}

}  // namespace

TEST_CASE("liars_dice: a true bid wins for the bidder, a false one for the caller") {
  const Game game = make<Game>();
  CHECK(checks::returns_of(game, play(game, {"3", "3"}, {"2x3", "liar"})) == std::vector<double>{1, -1});
  CHECK(checks::returns_of(game, play(game, {"3", "4"}, {"2x3", "liar"})) == std::vector<double>{-1, 1});
  CHECK(checks::returns_of(game, play(game, {"3", "4"}, {"1x2", "1x4", "liar"})) == std::vector<double>{-1, 1});
}

TEST_CASE("liars_dice: the highest face is wild") {
  const Game game = make<Game>();
  const State s = play(game, {"3", "6"}, {"2x3", "liar"});
  CHECK(checks::returns_of(game, s) == std::vector<double>{1, -1});
  CHECK(checks::written(s.result()) == "bid=2x3;matching=2;");
  // A bid on the wild face itself counts it once.
  CHECK(checks::returns_of(game, play(game, {"3", "6"}, {"2x6", "liar"})) == std::vector<double>{-1, 1});
}

TEST_CASE("liars_dice: bids only go up, and calling needs a bid") {
  const Game game = make<Game>();
  const auto first = checks::legal_of(game, play(game, {"1", "2"}, {}));
  CHECK(first.size() == 12);
  CHECK(first.back() == 11);
  CHECK(checks::legal_of(game, play(game, {"1", "2"}, {"2x5"})) == std::vector<Action>{11, 12});
  CHECK(checks::legal_of(game, play(game, {"1", "2"}, {"2x6"})) == std::vector<Action>{12});
}

TEST_CASE("liars_dice: more than two players, the others get nothing") {
  const Game game = game_of(3, 1, 6);
  const State s = play(game, {"1", "2", "6"}, {"1x1", "2x2", "liar"});
  CHECK(checks::returns_of(game, s) == std::vector<double>{0, 1, -1});
  CHECK(play(game, {"1", "2", "6"}, {"1x1", "2x2", "3x1"}).player() == 0);
}

TEST_CASE("liars_dice: the order of equal dice is nobody's information") {
  const Game game = game_of(2, 2, 6);
  CHECK(play(game, {"3 5", "1 1"}, {}).view(0) == play(game, {"5 3", "2 6"}, {}).view(0));
  CHECK_FALSE(play(game, {"3 5", "1 1"}, {}).view(0) == play(game, {"5 5", "1 1"}, {}).view(0));
  CHECK(play(game, {"3 5", "1 1"}, {}).key() == play(game, {"5 3", "1 1"}, {}).key());
  // After the call all dice are on the table.
  CHECK_FALSE(play(game, {"3 5", "1 1"}, {"1x1", "liar"}).view(0) ==
              play(game, {"3 5", "1 2"}, {"1x1", "liar"}).view(0));
}

TEST_CASE("liars_dice: the whole tree of small dice") {
  for (const auto& game : {game_of(2, 1, 3), game_of(2, 2, 2), game_of(3, 1, 2)}) {
    checks::check_round_trips(game);
    checks::check_sampling(game, 200);
  }
}

TEST_CASE("liars_dice: worlds of two hidden dice have multinomial probabilities") {
  const Game game = game_of(2, 2, 6);
  const auto view = play(game, {"3 5", "1 1"}, {"2x3"}).view(0);
  Rng rng(9);
  int pair_of_ones = 0;
  int one_and_two = 0;
  for (int i = 0; i < 36000; ++i) {
    const std::string dice = checks::written(game.sample(view, rng).save());
    pair_of_ones += dice.find("dice=2,4,0,0,") == 0;
    one_and_two += dice.find("dice=2,4,0,1,") == 0;
  }
  CHECK(std::abs(pair_of_ones - 1000) < 160);  // 1/36, five standard deviations
  CHECK(std::abs(one_and_two - 2000) < 220);   // 2/36
}

TEST_CASE("liars_dice: words") {
  const Game game = make<Game>();
  const State s = play(game, {"1", "2"}, {"1x1"});
  CHECK(s.name(0) == "1x1");
  CHECK(s.name(12) == "liar");
  for (const char* word : {"2x5", "2 5", "2-5", " 2 X 5 "}) CHECK(s.parse(word) == 10);
  for (const char* word : {"liar", "LIAR", "call"}) CHECK(s.parse(word) == 12);
  for (const char* word : {"", "3x1", "2x7", "0x1", "2", "2y5", "1x2x3", "99999999999999999999x1"}) {
    CHECK(s.parse(word) == std::nullopt);
  }
  CHECK(game.root().parse("6") == 5);
  CHECK(game.root().parse("7") == std::nullopt);
  CHECK(game.root().parse("liar") == std::nullopt);
}

TEST_CASE("liars_dice: refuses what cannot be") {
  CHECK_THROWS_AS(game_of(1, 1, 6), ParameterError);
  CHECK_THROWS_AS(game_of(2, 11, 6), ParameterError);  // 132 bids
  CHECK(game_of(2, 10, 6).info().actions == 121);
  CHECK_THROWS_AS(game_of(2, 1, 1), ParameterError);
  const Game game = make<Game>();
  CHECK_THROWS_AS(game.deal({"1"}, 0), PositionError);
  CHECK_THROWS_AS(game.deal({"1", "7"}, 0), PositionError);
  CHECK_THROWS_AS(game.deal({"1 2", "3"}, 0), PositionError);
  CHECK_THROWS_AS(game.deal({"1", "2"}, 1), PositionError);
  using Ints = std::vector<std::int64_t>;
  const auto position = [](const Ints& dice, const Ints& bids, bool called) {
    return Fields{{"dice", dice}, {"bids", bids}, {"called", called}};
  };
  CHECK(game.load(position({0, 5}, {3, 4}, true)).player() == kTerminal);
  for (const auto& bad : {position({0}, {1}, false), position({0, 6}, {}, false), position({0, 1}, {4, 3}, false),
                          position({0, 1}, {4, 4}, false), position({0, 1}, {12}, false), position({0, 1}, {}, true),
                          position({0, 1, 2}, {}, false)}) {
    CHECK_THROWS_AS(game.load(bad), PositionError);
  }
  const auto view = [](std::int64_t rolled, const Ints& dice, const Ints& bids, bool called) {
    return Fields{
        {"observer", std::int64_t{0}}, {"rolled", rolled}, {"dice", dice}, {"bids", bids}, {"called", called}};
  };
  CHECK(game.load_view(view(2, {4}, {0}, false)).player() == 1);
  for (const auto& bad : {view(0, {4}, {}, false), view(2, {}, {}, false), view(2, {1, 2}, {}, false),
                          view(2, {1}, {0}, true), view(1, {1}, {0}, false), view(3, {1}, {}, false)}) {
    CHECK_THROWS_AS(game.load_view(bad), ViewError);
  }
}
