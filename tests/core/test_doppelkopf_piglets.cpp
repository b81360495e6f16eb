// Piglets that are announced when they are played: what each card tells the four seats, and that the order of the
// trumps changes with the announcement and not before.
#include <doctest/doctest.h>

#include <map>

#include "doppelkopf_worlds.hpp"
#include "players/doppelkopf/thumb.hpp"

using namespace kiebitz;
using namespace kiebitz::doppelkopf;
using namespace kiebitz::doppelkopf_test;

namespace {

Game when_played(int i) {
  return make({{"piglets", true},
               {"superpiglets", i % 4 != 0},
               {"hyperpiglets", i % 4 > 1},
               {"piglets_when_played", true},
               {"second_ten", i % 2 == 0},
               {"fox_last", true},
               {"poverty", i % 5 == 0},
               {"genscher", i % 5 == 1},
               {"nines", i % 3 != 0}});
}

// A game in which pairs of the first kinds are in one hand, often more than one kind, and diamonds tend to be kept for
// the last tricks: visit(state) at every decision and at the end.
template <class Visit>
void diamonds_game(const Game& game, Rng& rng, Visit&& visit) {
  State state = dealt(game, rng);
  const auto paired = [&](int kind) {
    for (int seat = 0; seat < kSeats; ++seat) {
      if (copies(state.hand(seat), swine_card(kind, game.rules().nines())) == 2) return true;
    }
    return false;
  };
  for (int kind = static_cast<int>(rng.below(static_cast<std::uint32_t>(game.rules().swine) + 1)); kind-- > 0;) {
    if (paired(kind)) continue;
    state = dealt(game, rng);
    kind = game.rules().swine;
  }
  const std::uint32_t kept = kOrder[1].cards[kDiamonds] & ~(1U << card_of(kDiamonds, kTen));
  const bool keeps = rng.below(4) != 0;
  while (state.player() != kTerminal) {
    visit(std::as_const(state));
    Action action = state.random_legal(rng);
    if (state.phase() == Phase::reservation && rng.below(8) != 0) action = reservation_action(kHealthy);
    if (state.phase() == Phase::call && rng.below(8) != 0) action = kPass;
    const std::uint32_t others = state.playable() & ~kept;
    if (state.phase() == Phase::card && keeps && others != 0 && rng.below(8) != 0) action = random_bit(others, rng);
    state.apply(action);
  }
  visit(std::as_const(state));
}

}  // namespace

TEST_CASE("piglets when played: worlds of every belief explain the view, and announcements come with both cards") {
  Rng rng(31);
  std::array<int, kSwineKinds> announced{};
  for (int i = 0; i < 300 / kShare; ++i) {
    const Game game = when_played(i);
    Table before;
    diamonds_game(game, rng, [&](const State& state) {
      const Table& table = state.table();
      for (std::size_t kind = 0; kind < kSwineKinds; ++kind) {
        if (table.swine[kind] == before.swine[kind]) continue;
        ++announced[kind];
        const int card = swine_card(static_cast<int>(kind), game.rules().nines());
        REQUIRE(table.card_at(table.cards - 1) == card);
        REQUIRE(table.seat_at(table.cards - 1) == table.swine[kind]);
        REQUIRE(copies(state.hand(table.swine[kind]), card) == 1);
        REQUIRE(swine_kinds(table.order) == static_cast<int>(kind) + 1);
      }
      before = table;
      if (rng.below(12) == 0) check_beliefs(game, state, rng);
    });
  }
  for (const int n : announced) CHECK(n > 5 / kShare - 1);
}

TEST_CASE("piglets when played: the deals that are counted equal brute force on late positions") {
  Rng rng(32);
  std::map<int, std::size_t> deals;  // by what is known of piglets
  for (int i = 0; i < 400 / kShare; ++i) {
    const Game game = when_played(i);
    diamonds_game(game, rng, [&](const State& state) {
      const Table& table = state.table();
      const int left = game.rules().deck() - table.cards;
      if (left == 0 || left > 12 || state.phase() != Phase::card || table.contract == kPoverty || rng.below(6) != 0)
        return;
      const int told = 4 * swine_kinds(table.order) + table.swine_asked(game.rules());
      deals[told] += check_counter(game, state.view(static_cast<int>(rng.below(kSeats))));
    });
  }
  if (kShare > 1) return;
  // Nothing yet, an ace without announcement, piglets, and a nine without announcement above them.
  for (const int told : {0, 1, 5, 6}) {
    CAPTURE(told);
    CHECK(deals[told] > 20);
  }
}

TEST_CASE("piglets when played: a playout goes on as play does, and equal keys have the same future") {
  Rng rng(33);
  int changes = 0;
  for (int i = 0; i < 400 / kShare; ++i) {
    const Game game = when_played(i);
    diamonds_game(game, rng, [&](const State& state) {
      const bool late = game.rules().deck() - state.table().cards == 8;
      if (state.phase() != Phase::card || !(late || rng.below(40) == 0)) return;
      State one = state;
      one.restrict_calls(Calls::none);
      State other = one;
      Rng a(rng.next()), b = a;
      one.play_out(a);
      while (other.player() != kTerminal) other.apply(other.random_legal(b));
      REQUIRE(one.table() == other.table());
      REQUIRE(one.key() == other.key());
      if (!late) return;
      State root = state;
      root.restrict_calls(Calls::none);
      std::map<std::uint64_t, std::vector<double>> values;
      const std::function<std::vector<double>(const State&)> best = [&](const State& s) {
        std::vector<double> value(kSeats);
        if (s.player() == kTerminal) {
          s.returns(value.data());
        } else {
          Action legal[kTypes];
          const int n = s.legal(legal);
          for (int k = 0; k < n; ++k) {
            State next = s;
            next.apply(legal[k]);
            changes += next.table().order != s.table().order ? 1 : 0;
            const std::vector<double> found = best(next);
            const auto mover = static_cast<std::size_t>(s.player());
            if (k == 0 || found[mover] > value[mover]) value = found;
          }
        }
        REQUIRE(values.try_emplace(s.key(), value).first->second == value);
        return value;
      };
      best(root);
    });
  }
  if (kShare == 1) CHECK(changes > 20);
}

TEST_CASE("piglets when played: the trick on the table is compared by the new order") {
  Rules rules;
  rules.swine = 2;
  rules.swine_when_played = true;
  Table table;
  table.start = table.turn = 0;
  table.said = {kHealthy, kHealthy, kHealthy, kHealthy};
  table.add_card(kHeartTen, rules);
  REQUIRE(table.is_next_swine(kFox, rules));
  REQUIRE_FALSE(table.is_next_swine(card_of(kDiamonds, kNine), rules));
  table.announce_swine(rules);
  table.add_card(kFox, rules);
  CHECK(table.taker == 1);
  REQUIRE(table.is_next_swine(card_of(kDiamonds, kNine), rules));
  table.announce_swine(rules);
  table.add_card(card_of(kDiamonds, kNine), rules);
  table.add_card(kHeartTen, rules);
  CHECK(table.turn == 2);
  CHECK(table.foxes[0] == 0);
  CHECK(table.swine_asked(rules) == 2);
  table.contract = kFirstSolo + 1;
  table.order = static_cast<std::uint8_t>(order_of(table.contract));
  CHECK_FALSE(table.is_next_swine(kFox, rules));
}

TEST_CASE("rule_of_thumb: takes a rich trick with an ace of diamonds that it announces, and with no other") {
  Rules rules;
  rules.swine = 1;
  rules.swine_when_played = true;
  Table table;
  table.start = table.turn = 0;
  table.said = {kHealthy, kHealthy, kHealthy, kHealthy};
  for (const int card : {card_of(kDiamonds, kTen), kHeartTen, card_of(kDiamonds, kTen)}) table.add_card(card, rules);
  Hand hand = 0;
  for (const int card : {kFox, card_of(kDiamonds, kNine), card_of(kDiamonds, kJack)}) hand = with(hand, card);
  const auto plays = [&](Hand held) { return thumb_card(table, Memory::of(table), held, types(held), 0, 7, rules); };
  CHECK(plays(hand) != kFox);
  CHECK(plays(with(hand, kFox)) == kFox);
}
