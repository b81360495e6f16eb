// Leduc hold'em: sizes (3.5), payoff lines (3.4), the betting automaton (3.2) and the 30-element encoding (4.3) of the
// NFSP specification, NF-4 to NF-6 and NF-9, for both presets.
#include <set>

#include "games/leduc/game.hpp"
#include "hidden_checks.hpp"

using namespace kiebitz;
using checks::make;
using leduc::Game;
using leduc::State;

static_assert(HiddenGame<Game>);
static_assert(HasDeal<Game> && HasResult<State>);
static_assert(sizeof(State) <= 48);

namespace {

// Plays a line such as "crc/rf"; the public card is dealt at the stroke.
State play(const Game& game, const std::vector<std::string>& hands, const std::string& line,
           const std::string& open = "") {
  State s = game.root();
  for (const Action a : game.deal(hands, 0)) s.apply(a);
  for (const char c : line) {
    const auto action = c == '/' ? s.parse(open) : s.parse(std::string(1, c));
    REQUIRE(action);
    const auto legal = checks::legal_of(game, s);
    REQUIRE(std::find(legal.begin(), legal.end(), *action) != legal.end());
    s.apply(*action);
  }
  return s;
}

double first(const Game& game, const State& s) {
  REQUIRE(s.player() == kTerminal);
  const auto out = checks::returns_of(game, s);
  CHECK(out[0] == -out[1]);
  return out[0];
}

std::set<int> ones(const Game& game, const State& s, int player) {
  std::vector<float> tensor(static_cast<std::size_t>(game.info().tensor_size));
  s.view(player).tensor(tensor.data());
  std::set<int> out;
  for (std::size_t i = 0; i < tensor.size(); ++i) {
    if (tensor[i] != 0) out.insert(static_cast<int>(i));
  }
  return out;
}

struct Sizes {
  int decisions = 0;
  int ends = 0;
  int chances = 0;
  std::set<std::string> sets;
  std::set<std::string> public_points;
  std::set<std::set<int>> tensors;
};

Sizes sizes_of(const Game& game) {
  Sizes sizes;
  checks::walk<Game>(game, [&](const State& s, const std::vector<double>&) {
    sizes.decisions += s.player() >= 0;
    sizes.ends += s.player() == kTerminal;
    sizes.chances += s.player() == kChance;
    if (s.player() < 0) return;
    sizes.sets.insert(checks::written(s.view(s.player()).save()));
    sizes.public_points.insert(std::get<std::string>(*find_field(s.save(), "betting")));
    sizes.tensors.insert(ones(game, s, s.player()));
  });
  return sizes;
}

}  // namespace

TEST_CASE("leduc: sizes of section 3.5") {
  for (const auto& [preset, ends] : std::vector<std::pair<std::string, int>>{{"standard", 5520}, {"thesis", 5550}}) {
    CAPTURE(preset);
    const Sizes sizes = sizes_of(make<Game>({}, preset));
    CHECK(sizes.decisions == 3780);
    CHECK(sizes.ends == ends);
    CHECK(sizes.chances == 157);
    CHECK(sizes.sets.size() == 936);
    CHECK(sizes.public_points.size() == 36);
    CHECK(sizes.tensors.size() == 288);
  }
}

TEST_CASE("leduc: payoff lines of section 3.4, standard") {
  const Game game = make<Game>();
  CHECK(game.info().max_payoff == 13);
  CHECK(first(game, play(game, {"K", "J"}, "rf")) == 1);
  CHECK(first(game, play(game, {"K", "J"}, "crf")) == -1);
  CHECK(first(game, play(game, {"K", "J"}, "rrf")) == -3);
  CHECK(first(game, play(game, {"K", "J"}, "crrc/crrc", "Q")) == 13);
  CHECK(first(game, play(game, {"J", "K"}, "rrc/rrc", "Q")) == -13);
  CHECK(first(game, play(game, {"K", "J"}, "cc/rc", "Q")) == 5);
  CHECK(first(game, play(game, {"J", "K"}, "cc/rc", "Q")) == -5);
}

TEST_CASE("leduc: payoff lines of section 3.4, thesis") {
  const Game game = make<Game>({}, "thesis");
  CHECK(game.info().max_payoff == 5);
  CHECK(first(game, play(game, {"K", "J"}, "f")) == -0.5);
  CHECK(first(game, play(game, {"K", "J"}, "rf")) == 1);
  CHECK(first(game, play(game, {"K", "J"}, "crrc/crrc", "Q")) == 5);
  CHECK(first(game, play(game, {"J", "K"}, "rrc/rrc", "Q")) == -5);
  // The dealer owes half a chip at first; after a call the other seat may check.
  CHECK(play(game, {"K", "J"}, "").name(leduc::kCall) == "call");
  CHECK(play(game, {"K", "J"}, "c").name(leduc::kCall) == "check");
}

TEST_CASE("leduc: showdown, pair before rank, equal ranks share") {
  const Game game = make<Game>();
  CHECK(first(game, play(game, {"J", "K"}, "cc/cc", "J")) == 1);
  CHECK(first(game, play(game, {"J", "K"}, "cc/cc", "K")) == -1);
  CHECK(first(game, play(game, {"Q", "K"}, "cc/cc", "J")) == -1);
  CHECK(first(game, play(game, {"Qs", "Qh"}, "rc/rc", "J")) == 0);
  // With four copies both can have a pair.
  const Game big = make<Game>({{"suits", std::int64_t{4}}});
  CHECK(first(big, play(big, {"Ks", "Kh"}, "rc/rc", "Kd")) == 0);
}

TEST_CASE("leduc: crrc in both rounds, no third raise (NF-6)") {
  const Game game = make<Game>();
  const std::vector<Action> capped = {leduc::kFold, leduc::kCall};
  CHECK(checks::legal_of(game, play(game, {"K", "J"}, "")) == std::vector<Action>{1, 2});
  CHECK(checks::legal_of(game, play(game, {"K", "J"}, "r")) == std::vector<Action>{0, 1, 2});
  CHECK(checks::legal_of(game, play(game, {"K", "J"}, "crr")) == capped);
  CHECK(checks::legal_of(game, play(game, {"K", "J"}, "rr")) == capped);
  CHECK(play(game, {"K", "J"}, "crrc").player() == kChance);
  CHECK(play(game, {"K", "J"}, "crrc/", "Q").player() == 0);
  CHECK(checks::legal_of(game, play(game, {"K", "J"}, "crrc/crr", "Q")) == capped);
  CHECK(play(game, {"K", "J"}, "crrc/crrc", "Q").player() == kTerminal);
}

TEST_CASE("leduc: the 30-element encoding, test vectors of section 4.3 (NF-9)") {
  const Game game = make<Game>();
  CHECK(game.info().tensor_size == 30);
  CHECK(ones(game, play(game, {"K", "J"}, ""), 0) == std::set<int>{2});
  CHECK(ones(game, play(game, {"K", "Q"}, "cr"), 0) == std::set<int>{2, 6, 19});
  CHECK(ones(game, play(game, {"K", "Q"}, "crc/", "J"), 0) == std::set<int>{2, 3, 6, 8, 19});
  // The card of the other does not show.
  CHECK(ones(game, play(game, {"K", "Q"}, "cr"), 0) == ones(game, play(game, {"K", "J"}, "cr"), 0));
}

TEST_CASE("leduc: views hide the other's card until a showdown") {
  const Game game = make<Game>();
  CHECK(play(game, {"Ks", "Qs"}, "cr").view(0) == play(game, {"Ks", "Jh"}, "cr").view(0));
  CHECK(play(game, {"Ks", "Qs"}, "rf").view(0) == play(game, {"Ks", "Jh"}, "rf").view(0));
  CHECK_FALSE(play(game, {"Ks", "Qs"}, "cc/cc", "Js").view(0) == play(game, {"Ks", "Qh"}, "cc/cc", "Js").view(0));
  CHECK_FALSE(play(game, {"Ks", "Qs"}, "cr").view(0) == play(game, {"Kh", "Qs"}, "cr").view(0));  // physical cards
}

TEST_CASE("leduc: the whole tree of a small deck, other decks and raises") {
  const Game small = make<Game>({{"ranks", std::int64_t{2}}, {"raises", std::int64_t{1}}});
  checks::check_round_trips(small);
  checks::check_sampling(small, 400);
  checks::check_round_trips(make<Game>());
  checks::check_round_trips(make<Game>({{"suits", std::int64_t{1}}, {"raises", std::int64_t{0}}}, "thesis"));
  checks::check_round_trips(make<Game>({{"suits", std::int64_t{1}}, {"raises", std::int64_t{6}}}));
  checks::check_round_trips(make<Game>({{"suits", std::int64_t{1}}, {"stakes", std::vector<double>{1, 0}}}));
}

TEST_CASE("leduc: worlds of the standard deck are the unseen physical cards") {
  const Game game = make<Game>();
  const State s = play(game, {"Ks", "Qs"}, "cc/", "Kh");
  Rng rng(3);
  std::map<std::string, int> drawn;
  for (int i = 0; i < 8000; ++i) ++drawn[checks::written(game.sample(s.view(0), rng).save())];
  CHECK(drawn.size() == 4);
  for (const auto& [world, n] : drawn) {
    CHECK(n > 1800);
    CHECK(n < 2200);
  }
}

TEST_CASE("leduc: words and cards") {
  const Game game = make<Game>();
  const State open = play(game, {"K", "J"}, "");
  const State owed = play(game, {"K", "J"}, "r");
  CHECK(open.name(leduc::kCall) == "check");
  CHECK(open.name(leduc::kRaise) == "bet");
  CHECK(owed.name(leduc::kCall) == "call");
  CHECK(owed.name(leduc::kRaise) == "raise");
  CHECK(owed.name(leduc::kFold) == "fold");
  for (const char* word : {"call", "check", "C", "k", " Call "}) CHECK(owed.parse(word) == leduc::kCall);
  for (const char* word : {"raise", "bet", "R", "b"}) CHECK(owed.parse(word) == leduc::kRaise);
  for (const char* word : {"fold", "F"}) CHECK(owed.parse(word) == leduc::kFold);
  CHECK(owed.parse("all in") == std::nullopt);
  CHECK(game.card_name(0) == "Js");
  CHECK(game.card_name(5) == "Kh");
  CHECK(game.deal({"k", "Ks"}, 0) == std::vector<Action>{5, 4});
  CHECK(game.deal({"K", "K"}, 0) == std::vector<Action>{4, 5});
  const Game full = make<Game>({{"ranks", std::int64_t{13}}, {"suits", std::int64_t{4}}});
  CHECK(full.card_name(0) == "2s");
  CHECK(full.card_name(51) == "Ac");
  CHECK(full.info().max_legal == 52);
}

TEST_CASE("leduc: refuses what cannot be") {
  CHECK_THROWS_AS(make<Game>({{"ranks", std::int64_t{2}}, {"suits", std::int64_t{1}}}), ParameterError);
  CHECK_THROWS_AS(make<Game>({{"ranks", std::int64_t{14}}}), ParameterError);
  CHECK_THROWS_AS(make<Game>({{"raises", std::int64_t{7}}}), ParameterError);
  CHECK_THROWS_AS(make<Game>({{"bets", std::vector<double>{2}}}), ParameterError);
  CHECK_THROWS_AS(make<Game>({{"stakes", std::vector<double>{1, -1}}}), ParameterError);
  CHECK_THROWS_AS(make<Game>({}, "nolimit"), UnknownName);
  const Game game = make<Game>();
  CHECK_THROWS_AS(game.deal({"K"}, 0), PositionError);
  CHECK_THROWS_AS(game.deal({"Ks", "Ks"}, 0), PositionError);
  CHECK_THROWS_AS(game.deal({"A", "K"}, 0), PositionError);
  CHECK_THROWS_AS(game.deal({"", "K"}, 0), PositionError);
  CHECK_THROWS_AS(game.deal({"Kd", "K"}, 0), PositionError);
  CHECK_THROWS_AS(game.deal({"K", "Q"}, 1), PositionError);

  const auto position = [](std::vector<std::int64_t> cards, std::int64_t open, const char* betting) {
    return Fields{{"cards", std::move(cards)}, {"public", open}, {"betting", std::string(betting)}};
  };
  CHECK(game.load(position({4, 0}, 2, "crc/r")).player() == 1);
  for (const auto& bad :
       {position({4, 4}, -1, ""), position({4}, -1, "c"), position({4, 0}, -1, "f"), position({4, 0}, -1, "rrr"),
        position({4, 0}, -1, "ccc"), position({4, 0}, 2, "c"), position({4, 0}, 4, "cc/"), position({4, 0}, -1, "cc/"),
        position({4, 0}, 2, "c/c"), position({4, 0}, 2, "cc/cc/"), position({4, 0}, 2, "rf/"),
        position({4, 0}, -1, "x"), position({4, 6}, -1, ""), position({}, -1, "/")}) {
    CHECK_THROWS_AS(game.load(bad), PositionError);
  }

  const auto view = [](std::int64_t dealt, std::int64_t card, std::int64_t open, const char* betting,
                       std::int64_t shown) {
    return Fields{{"observer", std::int64_t{0}},     {"dealt", dealt}, {"card", card}, {"public", open},
                  {"betting", std::string(betting)}, {"shown", shown}};
  };
  CHECK(game.load_view(view(2, 4, 2, "cc/cc", 0)).player() == kTerminal);
  for (const auto& bad : {view(2, -1, -1, "", -1), view(0, 3, -1, "", -1), view(2, 4, 4, "cc/", -1),
                          view(2, 4, 2, "cc/cc", -1), view(2, 4, 2, "cc/c", 0), view(2, 4, 2, "cc/cc", 4),
                          view(2, 4, 2, "cc/cc", 2), view(2, 4, -1, "rrr", -1), view(2, 4, -1, "cc/", -1)}) {
    CHECK_THROWS_AS(game.load_view(bad), ViewError);
  }
}
