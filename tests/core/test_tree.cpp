// Explicit trees: views and worlds of a hand-made game, and every broken table refused with the name of the node (DL-1,
// DL-22).
#include "games/tree/game.hpp"
#include "hidden_checks.hpp"

using namespace kiebitz;
using checks::make;
using tree::Game;
using tree::State;

static_assert(HiddenGame<Game>);
static_assert(HasRandomLegal<State>);
static_assert(sizeof(State) <= 16);

namespace {

using Ints = std::vector<std::int64_t>;
using Numbers = std::vector<double>;
using Texts = std::vector<std::string>;

// The default game with some fields replaced, straight into the constructor: no check of ranges before it.
Fields with(const Fields& changes) {
  Fields fields;
  for (const auto& parameter : Game::parameters()) fields.emplace_back(parameter.name, parameter.initial);
  for (const auto& [name, value] : changes) {
    for (auto& field : fields) {
      if (field.first == name) field.second = value;
    }
  }
  return fields;
}

std::string refusal(const Fields& changes) {
  try {
    const Game game(with(changes));
  } catch (const TreeError& error) {
    return error.what();
  }
  return "accepted";
}

bool mentions(const std::string& message, std::initializer_list<const char*> parts) {
  INFO(message);
  bool all = true;
  for (const char* part : parts) all = all && message.find(part) != std::string::npos;
  CHECK(all);
  return all;
}

// Chance deals h (1/4) or l; player A, who sees it, bets or passes; after a bet B answers without having seen the card.
Fields small_poker() {
  return {{"title", std::string("Small poker")},
          {"players", Texts{"A", "B"}},
          {"nodes", Texts{"deal", "h", "l", "hb", "hp", "lb", "lp", "hbc", "hbf", "lbc", "lbf"}},
          {"movers", Ints{-1, 0, 0, 1, -2, 1, -2, -2, -2, -2, -2}},
          {"first", Ints{1, 3, 5, 7, 0, 9, 0, 0, 0, 0, 0}},
          {"counts", Ints{2, 2, 2, 2, 0, 2, 0, 0, 0, 0, 0}},
          {"sets", Ints{-1, 0, 1, 2, -1, 2, -1, -1, -1, -1, -1}},
          {"set_names", Texts{"A high", "A low", "B after bet"}},
          {"labels", Texts{"", "h", "l", "bet", "pass", "bet", "pass", "call", "fold", "call", "fold"}},
          {"chances", Numbers{0, 0.25, 0.75, 0, 0, 0, 0, 0, 0, 0, 0}},
          {"payoffs", Numbers{1, -1, -1, 1, 2, -2, 1, -1, -2, 2, 1, -1}}};
}

}  // namespace

TEST_CASE("tree: the default game is section 9.1 of the DL4G foundations") {
  const Game game = make<Game>();
  CHECK(game.info().players == 2);
  CHECK(game.info().hidden);
  CHECK_FALSE(game.info().chance);
  CHECK(game.info().utility == Utility::general);
  CHECK(game.info().max_length == 2);
  CHECK(game.info().max_legal == 3);
  State s = game.root();
  CHECK(s.parse("m") == 1);
  s.apply(1);
  State u = game.root();
  u.apply(0);
  CHECK(s.view(1) == u.view(1));
  CHECK_FALSE(s.view(0) == u.view(0));
  s.apply(1);
  CHECK(checks::returns_of(game, s) == std::vector<double>{2, 1});
}

TEST_CASE("tree: round trips and worlds") {
  for (const Game& game : {make<Game>(), make<Game>(small_poker())}) {
    checks::check_round_trips(game);
    checks::check_sampling(game, 2000);
  }
}

TEST_CASE("tree: a zero-sum game with chance") {
  const Game game = make<Game>(small_poker());
  CHECK(game.info().title == "Small poker");
  CHECK(game.info().utility == Utility::zero_sum);
  CHECK(game.info().chance);
  CHECK(game.info().hidden);
  Outcome outcomes[2];
  REQUIRE(game.root().outcomes(outcomes) == 2);
  CHECK(outcomes[1].probability == 0.75);
  State s = game.root();
  s.apply(0);
  // B waits and cannot tell the deal from A's turn.
  CHECK(s.view(1) == game.root().view(1));
  CHECK(s.view(1).player() == kChance);
  CHECK(s.view(0).player() == 0);
  s.apply(0);
  CHECK(s.view(0).player() == 1);  // A bet, so only B can be to move
  CHECK(s.view(0).text() == "A waits\nown last move: bet in A high\n");
  CHECK(s.view(1).text() == "B to move in: B after bet\nmoves: call, fold\n");
  s.apply(1);
  CHECK(s.view(1).text() == "B: the game is over\nown last move: fold in B after bet\n");
  CHECK(s.text() == "node: hbf\npath: h bet fold\npayoffs: 1 -1\n");
}

TEST_CASE("tree: without larger information sets the view is the node") {
  const Game game =
      make<Game>({{"sets", Ints{0, 1, 3, 2, -1, -1, -1, -1, -1, -1}}, {"set_names", Texts{"start", "U", "D", "M"}}});
  CHECK_FALSE(game.info().hidden);
  CHECK(game.info().tensor_size == 10);
  checks::check_round_trips(game);
  checks::check_sampling(game, 20);
}

TEST_CASE("tree: one node, one player") {
  const Game game = make<Game>({{"title", std::string("over")},
                                {"players", Texts{"A"}},
                                {"nodes", Texts{"root"}},
                                {"movers", Ints{-2}},
                                {"first", Ints{0}},
                                {"counts", Ints{0}},
                                {"sets", Ints{-1}},
                                {"set_names", Texts{}},
                                {"labels", Texts{""}},
                                {"chances", Numbers{0}},
                                {"payoffs", Numbers{3}}});
  CHECK(game.root().player() == kTerminal);
  CHECK(checks::returns_of(game, game.root()) == std::vector<double>{3});
  checks::check_round_trips(game);
}

TEST_CASE("tree: long games keep the weights of their worlds") {
  // B goes on or stops, 2000 times; then A moves without having seen the last choice. Both worlds have probability
  // 2^-2000.
  constexpr int kLength = 2000;
  Texts nodes, labels, set_names;
  Ints movers, first, counts, sets;
  Numbers payoffs;
  const auto add = [&](const char* label, int mover, int set) {
    nodes.push_back(std::to_string(nodes.size()));
    labels.emplace_back(label);
    movers.push_back(mover);
    sets.push_back(set);
    counts.push_back(mover == kTerminal ? 0 : 2);
    if (mover == kTerminal) payoffs.insert(payoffs.end(), {1, -1});
  };
  for (int i = 0; i < kLength; ++i) {
    if (i > 0) add("on", 1, i);
    if (i > 0) add("stop", kTerminal, tree::kNone);
    if (i == 0) add("", 1, 0);
    set_names.push_back("B " + std::to_string(i));
  }
  set_names.emplace_back("A");
  for (const char* label : {"on", "stop"}) add(label, 0, kLength);
  for (const char* label : {"x", "y", "x", "y"}) add(label, kTerminal, tree::kNone);
  std::int64_t next = 1;
  for (const std::int64_t count : counts) {
    first.push_back(count == 0 ? 0 : next);
    next += count;
  }
  const Game game({{"title", std::string("long")},
                   {"players", Texts{"A", "B"}},
                   {"nodes", nodes},
                   {"movers", movers},
                   {"first", first},
                   {"counts", counts},
                   {"sets", sets},
                   {"set_names", set_names},
                   {"labels", labels},
                   {"chances", Numbers(nodes.size(), 0.0)},
                   {"payoffs", payoffs}});
  CHECK(game.info().max_length == kLength + 1);
  CHECK(game.info().hidden);
  State s = game.root();
  for (int i = 0; i < kLength; ++i) s.apply(0);
  REQUIRE(s.player() == 0);
  Rng rng(1);
  int same = 0;
  for (int i = 0; i < 1000; ++i) same += game.sample(s.view(0), rng).key() == s.key();
  CHECK(same > 400);
  CHECK(same < 600);
}

TEST_CASE("tree: invalid information sets are refused (both rules of section 9.2)") {
  // Rule 1: the same actions.
  mentions(refusal({{"labels", Texts{"", "U", "M", "D", "L", "R", "L", "X", "L", "R"}}}),
           {"'M'", "'U'", "'U or M'", "same actions"});
  mentions(refusal({{"labels", Texts{"", "U", "M", "D", "L", "R", "R", "L", "L", "R"}}}), {"'M'", "'U or M'", "order"});
  mentions(refusal({{"movers", Ints{0, 1, 0, 1, -2, -2, -2, -2, -2, -2}}}), {"'M'", "'U or M'", "different players"});
  // Rule 2: perfect recall. The second decision is the first player's own, in a set that forgets the first move.
  mentions(refusal({{"movers", Ints{0, 0, 0, 0, -2, -2, -2, -2, -2, -2}}}),
           {"'M'", "'U'", "'U or M'", "perfect recall"});
  // A set met twice on one path.
  mentions(refusal({{"nodes", Texts{"a", "b", "c", "d", "e"}},
                    {"players", Texts{"A", "B"}},
                    {"movers", Ints{0, 0, -2, -2, -2}},
                    {"first", Ints{1, 3, 0, 0, 0}},
                    {"counts", Ints{2, 2, 0, 0, 0}},
                    {"sets", Ints{0, 0, -1, -1, -1}},
                    {"set_names", Texts{"s"}},
                    {"labels", Texts{"", "x", "y", "x", "y"}},
                    {"chances", Numbers{0, 0, 0, 0, 0}},
                    {"payoffs", Numbers{0, 0, 0, 0, 0, 0}}}),
           {"'b'", "'a'", "'s'", "perfect recall"});
}

TEST_CASE("tree: broken tables are refused with the node's name") {
  mentions(refusal({{"movers", Ints{0, 1, 1, 7, -2, -2, -2, -2, -2, -2}}}), {"'D'", "movers"});
  mentions(refusal({{"movers", Ints{0, 1, 1, 1, 0, -2, -2, -2, -2, -2}}}), {"'U/L'", "no moves"});
  mentions(refusal({{"movers", Ints{0, 1, 1, -2, -2, -2, -2, -2, -2, -2}}}), {"'D'", "is an end"});
  mentions(refusal({{"first", Ints{1, 4, 6, 2, 0, 0, 0, 0, 0, 0}}}), {"'D'", "later"});
  mentions(refusal({{"first", Ints{0, 4, 6, 8, 0, 0, 0, 0, 0, 0}}}), {"'root'", "later"});
  mentions(refusal({{"first", Ints{1, 4, 6, 9, 0, 0, 0, 0, 0, 0}}}), {"'D'", "later"});
  mentions(refusal({{"first", Ints{1, 4, 4, 8, 0, 0, 0, 0, 0, 0}}}), {"'U/L'", "two nodes"});
  mentions(refusal({{"counts", Ints{3, 2, 2, 1, 0, 0, 0, 0, 0, 0}}}), {"'D/R'", "nobody's child"});
  mentions(refusal({{"sets", Ints{0, 1, 1, -1, -1, -1, -1, -1, -1, -1}}}), {"'D'", "no information set"});
  mentions(refusal({{"sets", Ints{0, 1, 1, 2, 2, -1, -1, -1, -1, -1}}}), {"'U/L'", "no player"});
  mentions(refusal({{"sets", Ints{0, 1, 1, 1, -1, -1, -1, -1, -1, -1}}}), {"'after D'", "no nodes"});
  mentions(refusal({{"sets", Ints{0, 1, 1, 3, -1, -1, -1, -1, -1, -1}}}), {"'D'", "sets"});
  mentions(refusal({{"labels", Texts{"", "U", "U", "D", "L", "R", "L", "R", "L", "R"}}}),
           {"'root'", "two moves", "'U'"});
  mentions(refusal({{"labels", Texts{"", "U", "", "D", "L", "R", "L", "R", "L", "R"}}}), {"'root'", "no name"});
  mentions(refusal({{"labels", Texts{"", "U"}}}), {"labels", "10"});
  mentions(refusal({{"payoffs", Numbers{1, 2, 3}}}), {"payoffs", "12"});
  const double nan = std::nan("");
  mentions(refusal({{"payoffs", Numbers{2, 1, 0, 2, 0, 2, 2, nan, 0.5, 1, 0.5, 0}}}), {"'M/R'", "finite"});
  mentions(refusal({{"players", Texts{}}}), {"players"});
  mentions(refusal({{"nodes", Texts{}}}), {"nodes"});
  mentions(refusal({{"movers", std::string("zero")}}), {"movers", "text"});
}

TEST_CASE("tree: probabilities must not be negative and add up") {
  Fields poker = small_poker();
  const auto chances = [&](double h, double l) {
    for (auto& [name, value] : poker) {
      if (name == "chances") value = Numbers{0, h, l, 0, 0, 0, 0, 0, 0, 0, 0};
    }
    return poker;
  };
  mentions(refusal(chances(0.25, 0.5)), {"'deal'", "add up to 1", "0.75"});
  CHECK_NOTHROW(Game(chances(0, 1)));  // a move that never happens
  mentions(refusal(chances(-0.5, 1.5)), {"'deal'", "'h'"});
  mentions(refusal(chances(std::nan(""), 1)), {"'deal'", "'h'"});
}

TEST_CASE("tree: refuses invalid positions and views") {
  const Game game = make<Game>();
  CHECK_THROWS_AS(game.load({{"node", std::int64_t{10}}}), PositionError);
  CHECK_THROWS_AS(game.load({{"node", std::int64_t{-1}}}), PositionError);
  const auto view = [](std::int64_t observer, const char* phase, std::int64_t set, std::int64_t action) {
    return Fields{{"observer", observer}, {"phase", std::string(phase)}, {"set", set}, {"action", action}};
  };
  CHECK(game.load_view(view(1, "move", 1, -1)).player() == 1);
  CHECK(game.load_view(view(0, "wait", 0, 2)).player() == 1);
  for (const auto& bad : {view(2, "move", 1, -1), view(0, "move", 1, -1), view(1, "move", -1, -1),
                          view(1, "move", 1, 0), view(1, "wait", 1, -1), view(1, "wait", 1, 2), view(1, "wait", 1, 0),
                          view(1, "think", 1, -1), view(0, "wait", -1, -1)}) {
    CHECK_THROWS_AS(game.load_view(bad), ViewError);
  }
}
