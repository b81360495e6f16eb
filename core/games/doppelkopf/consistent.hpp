// Could this Doppelkopf world be what the observer of this view looks at? The invariants of the specification's section
// 7.2 with those it implies (2.16 for hidden reservations, the house rule for piglets), each checked on the finished
// world and named when it is broken.
//
// Beliefs build worlds from constraints. This judges worlds of any origin (an exact draw, CAP, a trained network) and
// shares no reasoning with the constraints: it counts cards, replays tricks, and asks the world for its view last.
#pragma once

#include <algorithm>
#include <array>
#include <string>

#include "games/doppelkopf/state.hpp"

namespace kiebitz::doppelkopf {

// Empty, or the broken invariant in plain words.
inline std::string inconsistency(const View& view, const State& world) {
  const Table& table = view.table();
  const Rules& rules = view.game().rules();
  const bool dealing = world.phase() == Phase::start || world.phase() == Phase::deal;
  const bool spoken = table.start >= 0 && table.named();

  std::array<std::uint8_t, kTypes> on_table{};
  std::array<std::uint8_t, kSeats> cards_of{};   // played by a seat
  std::array<std::uint8_t, kSeats> queens{};     // of clubs, dealt to a seat
  std::array<Hand, kSeats> played{};             // by a seat
  std::array<Hand, kSeats> held{};               // dealt to a seat
  std::array<std::uint32_t, kSeats> not_held{};  // what a seat did not follow
  int led = 0;
  for (int i = 0; i < table.cards; ++i) {
    const auto card = static_cast<std::size_t>(table.card_at(i));
    const auto seat = static_cast<std::size_t>(table.seat_at(i));
    const int category = table.ranking().category[card];
    if (i % kSeats == 0) led = category;
    if (category != led) not_held[seat] |= table.ranking().cards[static_cast<std::size_t>(led)];
    ++on_table[card];
    ++cards_of[seat];
    played[seat] = with(played[seat], static_cast<int>(card));
  }

  int dealt = rules.deck();
  if (dealing) dealt = static_cast<int>(FieldReader<ViewError>(view.save()).integer("dealt", 0, rules.deck()));
  for (int card = 0; card < kTypes; ++card) {
    int seen = on_table[static_cast<std::size_t>(card)];
    for (int seat = 0; seat < kSeats; ++seat) seen += copies(world.hand(seat), card);
    const int pack = (rules.types() >> card & 1) != 0 ? 2 : 0;
    if (dealing ? seen > pack : seen != pack) return "a card is not there exactly twice over hands and table";
  }
  const Passed passed = world.exchanged();
  const int taker = table.contract == kPoverty ? table.partner : -1;
  for (int seat = 0; seat < kSeats; ++seat) {
    const auto s = static_cast<std::size_t>(seat);
    const Hand hand = world.hand(seat);
    const int more = taker < 0                ? 0
                     : seat == taker          ? table.passed - table.back
                     : seat == table.declarer ? table.back - table.passed
                                              : 0;
    if (count(hand) != std::clamp(dealt - rules.hand * seat, 0, rules.hand) + more - cards_of[s])
      return "a hand has the wrong size";
    if ((types(hand) & not_held[s]) != 0) return "a seat holds what it did not follow";
    held[s] = joined(hand, played[s]);
    queens[s] = static_cast<std::uint8_t>(copies(held[s], kClubQueen));
    // As it was dealt: before the exchange.
    if (taker < 0 || (seat != taker && seat != table.declarer)) continue;
    const Hand came = seat == taker ? passed.down : passed.back;
    const Hand went = seat == taker ? passed.back : passed.down;
    for (int card = 0; card < kTypes; ++card) {
      const int had = copies(held[s], card) + copies(went, card) - copies(came, card);
      if (had < 0 || had > 2) return "a seat exchanged cards that it does not have";
    }
    held[s] = seat == taker ? parted(joined(held[s], went), came) : joined(parted(held[s], came), went);
    queens[s] = static_cast<std::uint8_t>(copies(held[s], kClubQueen));
  }
  if (taker >= 0) {
    if (count(passed.down) != table.passed || count(passed.back) != table.back || (types(passed.down) & ~kTrumps) != 0)
      return "the exchange is not of as many cards, or not of trumps";
    if (table.solved >= 0 && count_of(passed.back, kTrumps) != table.trumps_back)
      return "another number of trumps came back";
  }
  if (world.hand(view.observer()) != view.hand()) return "the observer's own hand is another one";

  for (int i = 0; i < kSeats && table.start >= 0; ++i) {
    const int seat = (table.start + i) & 3;
    const int shown = table.said[static_cast<std::size_t>(seat)];
    const int name = world.reservation(seat);
    if (shown == kSomething) {
      if (name == kHealthy || name >= kThrowIn) return "a reservation without a name";
      if (spoken && (!is_solo(name) || !table.hides(seat, name, rules)))
        return "a hidden reservation is no solo after the one that is played";
    } else if (name != shown) {
      return "a reservation is not the one that was shown";
    }
    if (name == kWedding && queens[static_cast<std::size_t>(seat)] < 2) return "a wedding without both club queens";
    if (name == kPoverty && !is_poor(held[static_cast<std::size_t>(seat)]))
      return "poverty with more than three trumps";
  }
  if (table.contract == kPoverty && count_of(held[static_cast<std::size_t>(table.declarer)], kTrumps) != table.passed)
    return "poverty with another number of trumps than was put down";
  if (!spoken) return world.view(view.observer()) == view ? "" : "the observer would see something else";

  if (table.contract == kNormal) {
    for (int i = 0; i < table.called; ++i) {
      const Call& call = table.calls[static_cast<std::size_t>(i)];
      if (table.fixed_re != 0 && call.before >= table.regrouped) break;
      const bool queen = queens[call.seat] > 0;
      if (call.party == kRe && !queen) return "Re was called without a club queen";
      if (call.party == kKontra && queen) return "Kontra was called with a club queen";
    }
  }
  if (table.fixed_re != 0) {
    const auto king = static_cast<std::size_t>(table.king);
    if ((table.fixed_party(table.king) == kRe) != (queens[king] > 0))
      return "who chose a partner does not belong to that party";
  }
  for (int kind = 0; kind < table.swine_asked(rules); ++kind) {
    const int card = swine_card(kind, rules.nines());
    const int holder = table.swine[static_cast<std::size_t>(kind)];
    for (int seat = 0; seat < kSeats; ++seat) {
      const bool both = copies(joined(world.hand(seat), played[static_cast<std::size_t>(seat)]), card) == 2;
      if (holder == seat && !both) return "piglets without both diamond aces";
      if (holder != seat && both) return "both diamond aces that were not shown as piglets";
    }
  }
  unsigned re = 0;
  for (int seat = 0; seat < kSeats; ++seat) {
    const bool belongs = table.contract == kNormal ? queens[static_cast<std::size_t>(seat)] > 0
                                                   : seat == table.declarer || seat == table.partner;
    if (belongs) re |= 1U << seat;
  }
  if (table.fixed_re != 0) re = table.fixed_re;
  if (world.re() != re) return "the parties do not follow from the hands";
  return world.view(view.observer()) == view ? "" : "the observer would see something else";
}

}  // namespace kiebitz::doppelkopf
