// The thesis' network input: 62 game objects (4 reservations, 48 cards, 10 calls) with six features each, seats
// relative to the observer. Missing objects and features are 0, but the phase stands on every object. The order of the
// objects carries no meaning.
#pragma once

#include "games/doppelkopf/state.hpp"

namespace kiebitz::doppelkopf {

inline constexpr int kObjects = kSeats + kMostCards + kMostCalls;
inline constexpr int kFeatures = 6;  // type, position, sub-position, actor, party, phase
inline constexpr int kTensorSize = kObjects * kFeatures;
constexpr int tensor_size(const Rules& rules) {
  const int objects = (rules.poverty ? 2 * kMostPassed : 0) + rules.swine + (rules.genscher ? 1 : 0);
  return kTensorSize + objects * kFeatures;
}

// Types: 1..24 cards, 25..33 reservations, 34..38 steps of calls, 39 a reservation without a name, 40 and 41 the
// reservations of house rules. With poverty six objects more: cards put down and given back, as far as they are known.
// With piglets one more for each kind (types 42 to 44): who is known to have them. With Genscher one more, the last:
// its answer (1..4), when it was made, who and for which party. Positions: 1..4 reservations and 5..52 cards in time,
// calls at the time of the card they precede; 53..56 the seat that holds a card. Sub-positions: which copy in the hand,
// or the order of calls at one time. Actors 1..4. Parties 1, 2.
struct Encoder {
  const Table& table;
  int observer;
  int phase;
  float* out;
  const Rules& rules;

  int relative(int seat) const { return 1 + ((seat - observer) & 3); }

  void put(int object, int type, int position, int sub, int actor, int party) const {
    const int features[] = {type, position, sub, actor, party, phase};
    for (int f = 0; f < kFeatures; ++f) out[object * kFeatures + f] = static_cast<float>(features[f]);
  }

  // `names` and `hands`: what is known of them; an unknown hand is empty.
  void encode(const std::array<int, kSeats>& names, const std::array<Hand, kSeats>& hands, const Passed& passed) const {
    const int size = tensor_size(rules);
    for (int i = 0; i < size; ++i) out[i] = 0;
    for (int i = 0; i < size / kFeatures; ++i) out[i * kFeatures + 5] = static_cast<float>(phase);
    for (int i = 0; i < kSeats && table.start >= 0; ++i) {
      const int seat = (table.start + i) & 3;
      const int name = names[static_cast<std::size_t>(seat)];
      const int type = name == kSomething ? 39 : name < kReservations ? 25 + name : 31 + name;
      if (name != kSilent) put(i, type, 1 + i, 0, relative(seat), 0);
    }
    int object = kSeats;
    for (int i = 0; i < table.cards; ++i) put(object++, 1 + table.card_at(i), 5 + i, 0, relative(table.seat_at(i)), 0);
    for (int i = 0; i < kSeats; ++i) {
      const int seat = (observer + i) & 3;
      for (int card = 0; card < kTypes; ++card) {
        for (int k = 0; k < copies(hands[static_cast<std::size_t>(seat)], card); ++k)
          put(object++, 1 + card, 53 + i, 1 + k, 0, 0);
      }
    }
    int order = 0;
    for (int i = 0; i < table.called; ++i) {
      const Call& call = table.calls[static_cast<std::size_t>(i)];
      order = i > 0 && table.calls[static_cast<std::size_t>(i - 1)].before == call.before ? order + 1 : 1;
      put(kSeats + kMostCards + i, 33 + call.step, 5 + call.before, order, relative(call.seat), 1 + call.party);
    }
    if (rules.genscher && table.genscher >= 0) {
      const int party = table.fixed_re == 0 ? 0 : 1 + table.fixed_party(table.king);
      put(size / kFeatures - 1, 1 + table.genscher, 5 + table.regrouped, 0, relative(table.king), party);
    }
    for (int kind = 0; kind < rules.swine; ++kind) {
      const int holder = table.swine[static_cast<std::size_t>(kind)];
      if (holder >= 0)
        put(kObjects + (rules.poverty ? 2 * kMostPassed : 0) + kind, 42 + kind, 0, 0, relative(holder), 0);
    }
    if (!rules.poverty || table.exchange_partner() < 0) return;
    const Hand piles[] = {passed.down, passed.back};
    const int from[] = {table.declarer, table.partner};
    for (int pile = 0; pile < 2; ++pile) {
      int next = kObjects + pile * kMostPassed;
      const int n = pile == 0 ? table.passed : table.back;
      for (int card = 0; card < kTypes; ++card) {
        for (int k = 0; k < copies(piles[pile], card); ++k) put(next++, 1 + card, 0, 0, relative(from[pile]), 0);
      }
      // Unknown cards are counted.
      for (int k = count(piles[pile]); k < n; ++k) put(next++, 0, 0, 1, relative(from[pile]), 0);
    }
    if (table.solved >= 0) out[(kObjects + kMostPassed) * kFeatures + 4] = static_cast<float>(1 + table.trumps_back);
  }
};

inline void View::tensor(float* out) const {
  std::array<int, kSeats> names{};
  std::array<Hand, kSeats> hands{};
  for (int seat = 0; seat < kSeats; ++seat) names[static_cast<std::size_t>(seat)] = said(seat);
  hands[static_cast<std::size_t>(observer_)] = hand_;
  Encoder{table_, observer_, static_cast<int>(phase_) + (waits_ ? 6 : 0), out, game_->rules()}.encode(names, hands,
                                                                                                      passed_);
}

// Everything, for players with open cards.
inline void State::tensor(int observer, float* out) const {
  std::array<int, kSeats> names{};
  for (std::size_t seat = 0; seat < kSeats; ++seat) names[seat] = names_[seat];
  Encoder{table_, observer, static_cast<int>(phase_), out, rules()}.encode(names, hands_, exchanged());
}

}  // namespace kiebitz::doppelkopf
