// Rock-paper-scissors: both payoff tables of the NFSP specification (2.3), and choices that stay hidden until both are
// made.
#include "games/rock_paper_scissors.hpp"
#include "hidden_checks.hpp"

using namespace kiebitz;
using checks::make;
using rock_paper_scissors::Game;
using rock_paper_scissors::State;

static_assert(HiddenGame<Game>);
static_assert(HasRandomLegal<State> && HasResult<State>);
static_assert(sizeof(State) <= 80);

namespace {

Game game_of(int rounds, const char* payoff = "zero_sum") {
  return make<Game>({{"rounds", std::int64_t{rounds}}, {"payoff", std::string(payoff)}});
}

State play(const Game& game, std::initializer_list<Action> actions) {
  State s = game.root();
  for (const Action a : actions) s.apply(a);
  return s;
}

enum : Action { kRock, kPaper, kScissors };

}  // namespace

TEST_CASE("rock_paper_scissors: both tables of section 2.3") {
  const Game zero_sum = game_of(1);
  const Game thesis = game_of(1, "thesis");
  CHECK(zero_sum.info().utility == Utility::zero_sum);
  CHECK(thesis.info().utility == Utility::general);
  for (const auto& [a, b, winner] : std::vector<std::array<int, 3>>{{kScissors, kScissors, -1},
                                                                    {kScissors, kRock, 1},
                                                                    {kScissors, kPaper, 0},
                                                                    {kRock, kScissors, 0},
                                                                    {kRock, kRock, -1},
                                                                    {kRock, kPaper, 1},
                                                                    {kPaper, kScissors, 1},
                                                                    {kPaper, kRock, 0},
                                                                    {kPaper, kPaper, -1}}) {
    const auto fair = checks::returns_of(zero_sum, play(zero_sum, {a, b}));
    const auto printed = checks::returns_of(thesis, play(thesis, {a, b}));
    for (int p = 0; p < 2; ++p) {
      const auto i = static_cast<std::size_t>(p);
      CHECK(fair[i] == (winner < 0 ? 0 : winner == p ? 1 : -1));
      CHECK(printed[i] == (winner == p ? 1 : 0));
    }
  }
}

TEST_CASE("rock_paper_scissors: rounds add up") {
  const Game game = game_of(3);
  const State s = play(game, {kPaper, kRock, kRock, kRock, kPaper, kRock});
  CHECK(s.player() == kTerminal);
  CHECK(checks::returns_of(game, s) == std::vector<double>{2, -2});
  CHECK(checks::written(s.result()) == "wins=2,0,;draws=1;");
  CHECK(game.info().max_payoff == 3);
  CHECK(game.info().max_length == 6);
}

TEST_CASE("rock_paper_scissors: player 1 does not see an open choice") {
  const Game game = game_of(2);
  const State rock = play(game, {kRock});
  const State paper = play(game, {kPaper});
  CHECK(rock.view(1) == paper.view(1));
  CHECK(rock.view(1).text() == paper.view(1).text());
  CHECK(checks::written(rock.view(1).save()) == "observer=1;choices=?;");
  CHECK_FALSE(rock.view(0) == paper.view(0));
  // After the answer both are on the table.
  CHECK_FALSE(play(game, {kRock, kRock}).view(1) == play(game, {kPaper, kRock}).view(1));
}

TEST_CASE("rock_paper_scissors: the whole tree of two rounds") {
  for (const char* payoff : {"zero_sum", "thesis"}) {
    checks::check_round_trips(game_of(2, payoff));
    checks::check_sampling(game_of(2, payoff), 600);
  }
}

TEST_CASE("rock_paper_scissors: a hundred rounds fit") {
  const Game game = game_of(100);
  State s = game.root();
  Rng rng(5);
  double wins[2] = {0, 0};
  for (int i = 0; i < 100; ++i) {
    const Action a = s.random_legal(rng);
    s.apply(a);
    const Action b = s.random_legal(rng);
    s.apply(b);
    if (a != b) wins[(a - b + 3) % 3 == 1 ? 0 : 1] += 1;
  }
  CHECK(s.player() == kTerminal);
  CHECK(checks::returns_of(game, s)[0] == wins[0] - wins[1]);
  CHECK(game.load(s.save()).key() == s.key());
}

TEST_CASE("rock_paper_scissors: words in any case") {
  const Game game = game_of(1);
  CHECK(game.root().parse("Rock") == kRock);
  CHECK(game.root().parse(" p ") == kPaper);
  CHECK(game.root().parse("SCISSORS") == kScissors);
  CHECK(game.root().parse("well") == std::nullopt);
  CHECK(game.root().parse("") == std::nullopt);
}

TEST_CASE("rock_paper_scissors: refuses what cannot be") {
  CHECK_THROWS_AS(game_of(0), ParameterError);
  CHECK_THROWS_AS(game_of(101), ParameterError);
  CHECK_THROWS_AS(game_of(1, "chess"), ParameterError);
  const Game game = game_of(1);
  CHECK_THROWS_AS(game.load({{"choices", std::string("rpr")}}), PositionError);
  CHECK_THROWS_AS(game.load({{"choices", std::string("x")}}), PositionError);
  CHECK_THROWS_AS(game.load({{"choices", std::string("?")}}), PositionError);
  CHECK_THROWS_AS(game.load({}), PositionError);
  CHECK_THROWS_AS(game.load_view({{"observer", std::int64_t{1}}, {"choices", std::string("r")}}), ViewError);
  CHECK_THROWS_AS(game.load_view({{"observer", std::int64_t{0}}, {"choices", std::string("?")}}), ViewError);
  CHECK_THROWS_AS(game.load_view({{"observer", std::int64_t{2}}, {"choices", std::string("")}}), ViewError);
}
