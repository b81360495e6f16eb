// rule_of_thumb (DK-74): what it may know, that a playout is the same player, the rules that a club teaches, and that
// cards, calls and solos each gain points.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "games/doppelkopf/game.hpp"
#include "players/doppelkopf/thumb.hpp"

using namespace kiebitz;
using namespace kiebitz::doppelkopf;

namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr int kShare = 20;  // of the positions: the sanitizers take their time
#else
constexpr int kShare = 1;
#endif

Game make(const Fields& given = {}) {
  return Game(resolve_parameters(Game::parameters(), Game::presets(), "thesis", given));
}

Game some_game(int i) {
  if (i % 4 == 2) return make({{"piglets", true}, {"second_ten", true}, {"charlie_caught", true}, {"fox_last", true}});
  return i % 4 == 3 ? make({{"nines", false}}) : make();
}

State shuffled(const Game& game, Rng& rng) {
  State state = game.root();
  Outcome buffer[kTypes];
  while (state.player() == kChance) state.apply(random_outcome(state, rng, buffer));
  return state;
}

// Mostly healthy, so that normal games are not rare.
Action wild(const State& state, Rng& rng) {
  if (state.phase() == Phase::reservation && rng.below(4) != 0) return kFirstReservation + kHealthy;
  if (state.phase() == Phase::call && rng.below(4) != 0) return kPass;
  return state.random_legal(rng);
}

bool is_legal(const State& state, Action a) {
  Action legal[kTypes];
  const int n = state.legal(legal);
  for (int i = 0; i < n; ++i) {
    if (legal[i] == a) return true;
  }
  return false;
}

int card(const std::string& code) { return parse_card(code).value(); }

Hand hand_of(const std::string& codes) {
  Hand hand = 0;
  for (std::size_t i = 0; i < codes.size(); i += 3) hand = with(hand, card(codes.substr(i, 2)));
  return hand;
}

// A normal game after these cards, led by seat 0; the seat whose turn it is has this hand.
struct Position {
  Table table;
  Hand hand;
  Rules rules;

  Position(const std::string& played, const std::string& held, int contract = kNormal) : hand(hand_of(held)) {
    table.start = table.turn = 0;
    table.said = {kHealthy, kHealthy, kHealthy, kHealthy};
    table.contract = static_cast<std::uint8_t>(contract);
    table.order = static_cast<std::uint8_t>(order_of(contract));
    if (contract != kNormal) table.declarer = 0;
    for (std::size_t i = 0; i < played.size(); i += 3) table.add_card(card(played.substr(i, 2)), rules);
  }

  std::string plays(unsigned mates, unsigned foes) const {
    const std::uint32_t held = types(hand);
    const std::uint32_t following = table.in_trick() == 0 ? 0 : held & table.ranking().cards[table.led];
    return card_code(thumb_card(table, Memory::of(table), hand, following != 0 ? following : held, mates, foes, rules));
  }
};

constexpr unsigned seats(int a) { return 1U << a; }
constexpr unsigned seats(int a, int b) { return 1U << a | 1U << b; }

}  // namespace

// --- Properties -----------------------------------------------------------------------------------------------------

TEST_CASE("rule_of_thumb: legal everywhere, silent when not asked, the same in every world of a view") {
  Rng rng(1);
  for (int i = 0; i < 400 / kShare; ++i) {
    const Game game = some_game(i);
    State state = shuffled(game, rng);
    while (state.player() >= 0) {
      const View view = state.view(state.player());
      const Action action = thumb_action(view);
      REQUIRE(is_legal(state, action));
      CHECK(thumb_action(state.view((state.player() + 1) & 3)) == kNoAction);
      if (rng.below(8) == 0) CHECK(thumb_action(game.sample(view, rng).view(state.player())) == action);
      state.apply(rng.below(2) == 0 ? action : wild(state, rng));
    }
    CHECK(thumb_action(state.view(0)) == kNoAction);
  }
}

TEST_CASE("rule_of_thumb: known mates and foes are what they seem, and in the end everybody is known") {
  Rng rng(2);
  for (int i = 0; i < 2000 / kShare; ++i) {
    const Game game = some_game(i);
    State state = shuffled(game, rng);
    while (state.phase() == Phase::reservation) state.apply(wild(state, rng));
    const bool silent = state.table().contract == kNormal && std::has_single_bit(state.re());
    while (state.player() >= 0) {
      state.apply(wild(state, rng));
      for (int seat = 0; seat < kSeats && state.settled(); ++seat) {
        const Parties known = known_parties(state.table(), state.hand(seat), seat);
        const Parties truth = parties_of(state.re(), seat);
        CHECK(known.re == truth.re);
        // Two seats that called Kontra are taken to have faced two others: wrong in a silent solo.
        if (!silent) CHECK(((known.mates & ~truth.mates) | (known.foes & ~truth.foes)) == 0);
        if (state.player() == kTerminal) CHECK(known.mates == truth.mates);
        if (state.player() == kTerminal) CHECK(known.foes == truth.foes);
      }
    }
  }
}

TEST_CASE("rule_of_thumb: outside is the pack without what was played and what is held") {
  Rng rng(3);
  for (int i = 0; i < 400 / kShare; ++i) {
    const Game game = some_game(i);
    State state = shuffled(game, rng);
    for (; state.player() >= 0; state.apply(wild(state, rng))) {
      const Hand out = outside(Memory::of(state.table()).gone, state.hand(0), game.rules());
      for (int c = 0; c < kTypes; ++c) {
        REQUIRE(copies(out, c) == copies(state.hand(1), c) + copies(state.hand(2), c) + copies(state.hand(3), c));
      }
    }
  }
}

TEST_CASE("rule_of_thumb: a playout is the player card by card, from every phase") {
  Rng rng(4);
  for (int i = 0; i < 2000 / kShare; ++i) {
    const Game game = some_game(i);
    State state = game.root();
    Outcome buffer[kTypes];
    for (int moves = static_cast<int>(rng.below(140)); moves > 0 && state.player() != kTerminal; --moves) {
      state.apply(state.player() == kChance ? random_outcome(state, rng, buffer) : wild(state, rng));
    }
    State at_once = state;
    Rng one(static_cast<std::uint64_t>(i));
    Rng other(static_cast<std::uint64_t>(i));
    thumb_play_out(at_once, one, 0);
    REQUIRE(at_once.player() == kTerminal);
    state.restrict_calls(Calls::none);
    while (state.player() != kTerminal) {
      const int seat = state.player();
      if (seat == kChance) {
        state.apply(random_outcome(state, other, buffer));
      } else if (state.phase() == Phase::reservation) {
        state.apply(thumb_action(state.view(seat)));
      } else {
        state.apply(thumb_card_of(state, game.rules()));
      }
    }
    CHECK(at_once.key() == state.key());
    CHECK(at_once.table() == state.table());
    CHECK(one == other);
  }
}

TEST_CASE("rule_of_thumb: a share of random cards makes playouts differ") {
  const Game game = make();
  Rng rng(5);
  const State start = shuffled(game, rng);
  std::vector<std::uint64_t> keys[3];
  for (int i = 0; i < 20; ++i) {
    for (int k = 0; k < 3; ++k) {
      State state = start;
      thumb_play_out(state, rng, 0.5 * k);
      keys[k].push_back(state.key());
    }
  }
  const auto kinds = [](std::vector<std::uint64_t> list) {
    std::sort(list.begin(), list.end());
    return std::unique(list.begin(), list.end()) - list.begin();
  };
  CHECK(kinds(keys[0]) == 1);
  CHECK(kinds(keys[1]) == 20);
  CHECK(kinds(keys[2]) == 20);
}

// --- The rules that follow ------------------------------------------------------------------------------------------

TEST_CASE("rule_of_thumb: leads the ace of a fresh side suit, the longer one outside") {
  CHECK(Position("", "HT CQ SQ CJ DJ DK D9 CA CK HA HK S9").plays(0, 0) == "CA");
}

TEST_CASE("rule_of_thumb: no ace into a suit that somebody is known to trump") {
  // Seat 1, a foe, trumped the first round of clubs; spades are fresh.
  const Position p("CA DT C9 C9 HJ HQ SQ CQ", "CA SA DJ DK D9 HJ SK");
  REQUIRE(p.table.turn == 0);
  CHECK(p.plays(0, seats(1)) == "SA");
}

TEST_CASE("rule_of_thumb: gives eyes to a trick that the mate surely takes, and the fox first") {
  // Last seat; seat 1 has the trick with the ten of hearts.
  CHECK(Position("D9 HT DK", "HT CQ SQ DA DT DJ D9").plays(seats(1), seats(0, 2)) == "DA");
  CHECK(Position("D9 HT DK", "HT CQ SQ DT DJ D9").plays(seats(1), seats(0, 2)) == "DT");
}

TEST_CASE("rule_of_thumb: keeps fox and tens from a trick that is the foes'") {
  CHECK(Position("D9 HT DK", "CQ DA DT DJ D9").plays(seats(0), seats(1, 2)) == "D9");
  CHECK(Position("C9 CA CT", "CA CT CK").plays(seats(0), seats(1, 2)) == "CK");
}

TEST_CASE("rule_of_thumb: brings the fox home where nobody can beat it") {
  // Last seat, void in clubs, the foe's ace on the table.
  CHECK(Position("C9 CA CT", "HT CQ DA DJ SK").plays(seats(2), seats(0, 1)) == "DA");
}

TEST_CASE("rule_of_thumb: no fox where a foe still plays") {
  // Second seat, trump led, two foes behind.
  CHECK(Position("D9", "CQ SQ DA DJ SK S9").plays(seats(0), seats(2, 3)) != "DA");
}

TEST_CASE("rule_of_thumb: takes a rich trick in the last seat as cheaply as it can") {
  CHECK(Position("DT DA HQ", "HT CQ SQ DK D9").plays(seats(0), seats(1, 2)) == "SQ");
}

TEST_CASE("rule_of_thumb: does not spend the ten of hearts on a poor trick") {
  CHECK(Position("D9 DJ CQ", "HT HT D9").plays(seats(0), seats(1, 2)) == "D9");
}

TEST_CASE("rule_of_thumb: does not beat a mate whom nobody behind can beat") {
  CHECK(Position("DT HT DK", "HT CQ D9").plays(seats(1), seats(0, 2)) == "D9");
}

TEST_CASE("rule_of_thumb: a soloist without trumps leads from above") {
  CHECK(Position("", "CA CA CT CT CK CK SA SA HA HA DA DK", kFirstSolo + 4).plays(0, 14).back() == 'A');
}

TEST_CASE("rule_of_thumb: wedding with both club queens, solos for strong hands, healthy for others") {
  const Rules rules;
  const auto says = [&](const std::string& hand) {
    return std::string(reservation_name(thumb_reservation(hand_of(hand), true, rules)));
  };
  CHECK(says("CQ CQ SJ DK D9 C9 CK S9 SK HK H9 H9") == "wedding");
  CHECK(says("HT HT CQ CQ SQ SQ HQ HQ CJ CJ DA DA") == "healthy");
  CHECK(says("HT CQ SJ DK D9 C9 CK S9 SK HK H9 H9") == "healthy");
  CHECK(says("HT HT CQ SQ SQ HQ CJ CJ CA CT CK SA") == "solo-clubs");
  CHECK(says("CA CA CT CT CK SA SA ST HA HA DA DA") == "solo-trumpless");
  CHECK(says("CQ CQ SQ SQ HQ DQ CA CA SA SA HA DA") == "solo-queens");
}

// --- Strength -------------------------------------------------------------------------------------------------------

namespace {

struct Habit {
  bool thumb = true;
  bool calls = true;
  bool solos = true;
};

Action choose(const State& state, const Habit& habit, Rng& rng) {
  if (state.phase() == Phase::call && !(habit.thumb && habit.calls)) return kPass;
  if (!habit.thumb) return state.random_legal(rng);
  if (state.phase() == Phase::reservation && !habit.solos) {
    return kFirstReservation + (copies(state.hand(state.player()), kClubQueen) == 2 ? kWedding : kHealthy);
  }
  return thumb_action(state.view(state.player()));
}

// Mean difference for each player and game over all seatings of two against two on the same deals.
double advantage(const Habit& a, const Habit& b, int deals, std::uint64_t seed) {
  const Game game = make();
  Rng rng(seed);
  double sum = 0;
  for (int d = 0; d < deals; ++d) {
    const State start = shuffled(game, rng);
    for (unsigned seating = 0; seating < 16; ++seating) {
      if (std::popcount(seating) != 2) continue;
      State state = start;
      while (state.player() >= 0) state.apply(choose(state, (seating >> state.player() & 1) != 0 ? a : b, rng));
      double payoffs[kSeats];
      state.returns(payoffs);
      for (int seat = 0; seat < kSeats; ++seat) sum += (seating >> seat & 1) != 0 ? payoffs[seat] : -payoffs[seat];
    }
  }
  return sum / (12.0 * deals);
}

}  // namespace

// 6.36 over 20,000 deals; the standard deviation of a deal is about 0.95.
TEST_CASE("rule_of_thumb: beats random by more than six points a game") {
  CHECK(advantage({}, {false, false, false}, 400 / kShare, 1) > 6);
}

// 0.40 over 20,000 deals, with a standard deviation of 0.75 for a deal.
TEST_CASE("rule_of_thumb: its calls gain points") { CHECK(advantage({}, {true, false, true}, 1000 / kShare, 2) > 0.2); }

TEST_CASE("rule_of_thumb: four of five games with a call are won, and solos pay on their own deals") {
  const Game game = make();
  Rng rng(6);
  int called = 0;
  int called_won = 0;
  int solos = 0;
  int solos_won = 0;
  double gain = 0;
  for (int d = 0; d < 10000 / kShare; ++d) {
    const State start = shuffled(game, rng);
    const auto play = [&](const Habit& habit, double* payoffs) {
      State state = start;
      while (state.player() >= 0) state.apply(choose(state, habit, rng));
      state.returns(payoffs);
      return state;
    };
    double payoffs[kSeats];
    const State end = play({}, payoffs);
    const Finish finish = end.table().finish(end.re(), game.rules());
    for (std::size_t party = 0; party < 2; ++party) {
      if (finish.level[party] == 0) continue;
      ++called;
      called_won += winner_of(finish) == static_cast<int>(party) ? 1 : 0;
    }
    if (end.table().contract < kFirstSolo) continue;
    ++solos;
    const int soloist = end.table().declarer;
    solos_won += payoffs[soloist] > 0 ? 1 : 0;
    gain += payoffs[soloist];
    play({true, true, false}, payoffs);
    gain -= payoffs[soloist];
  }
  REQUIRE(called > 1000 / kShare);
  REQUIRE(solos > 100 / kShare);
  CHECK(called_won > 0.75 * called);
  CHECK(solos_won > 0.75 * solos);
  if (kShare == 1) CHECK(gain > 1.5 * solos);
}
