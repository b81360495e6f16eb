// A rule-based Doppelkopf player, fast enough for playouts: the rules of thumb that every club teaches, as one sum per
// card. A card is worth what its trick is likely to bring (the chance that the player's party takes it, times the eyes
// in it) less what the card is worth in the hand (the eyes it could bring home elsewhere, its rank among the trumps
// still out). The familiar rules follow: aces of fresh side suits first, fat cards and the fox into tricks that are
// safe, the smallest card into those that are lost, no high trump for a poor trick, trumps from above when none is
// higher.
//
// The player knows what everybody has seen, its own hand, and which seats are with it or against it.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "games/doppelkopf/game.hpp"

namespace kiebitz::doppelkopf {

// What a player remembers of the tricks so far; kept up to date card by card in playouts.
struct Memory {
  Hand gone = 0;                                  // cards played
  std::array<std::uint8_t, kCategories> empty{};  // seats that did not follow, as bits

  void add(const Order& order, int led, int card, int seat) {
    gone = with(gone, card);
    if (order.category[static_cast<std::size_t>(card)] != led) {
      std::uint8_t& seats = empty[static_cast<std::size_t>(led)];
      seats = static_cast<std::uint8_t>(seats | 1U << seat);
    }
  }

  static Memory of(const Table& table) {
    Memory memory;
    const Order& order = table.ranking();
    int led = 0;
    for (int i = 0; i < table.cards; ++i) {
      const int card = table.card_at(i);
      if ((i & 3) == 0) led = order.category[static_cast<std::size_t>(card)];
      memory.add(order, led, card, table.seat_at(i));
    }
    return memory;
  }
};

constexpr Hand both(std::uint32_t cards) { return cards | Hand{cards} << 32; }

// The cards that the other three hold: the pack without what is gone and what is in the hand.
inline Hand outside(Hand gone, Hand hand, const Rules& rules) {
  const std::uint32_t one = types(gone) | types(hand);
  const std::uint32_t two = static_cast<std::uint32_t>(gone >> 32 | hand >> 32) | (types(gone) & types(hand));
  const std::uint32_t pack = rules.types();
  return (pack & ~two) | Hand{pack & ~one} << 32;
}

// Both copies of the cards that are higher in the same category.
inline constexpr auto kHigher = [] {
  std::array<std::array<Hand, kTypes>, kOrders> all{};
  for (std::size_t o = 0; o < kOrders; ++o) {
    for (std::size_t c = 0; c < kTypes; ++c) {
      std::uint32_t set = 0;
      for (std::size_t d = 0; d < kTypes; ++d) {
        if (kOrder[o].category[d] == kOrder[o].category[c] && kOrder[o].rank[d] > kOrder[o].rank[c]) set |= 1U << d;
      }
      all[o][c] = both(set);
    }
  }
  return all;
}();

inline constexpr std::size_t kMostOut = 48;

// kMiss[n][k]: how likely one of n hands has none of k cards that are spread over them.
inline constexpr auto kMiss = [] {
  std::array<std::array<float, kMostOut + 1>, kSeats> all{};
  for (std::size_t n = 0; n < kSeats; ++n) {
    float p = 1;
    for (float& entry : all[n]) {
      entry = p;
      if (n > 0) p *= static_cast<float>(n - 1) / static_cast<float>(n);
    }
  }
  return all;
}();

// --- Cards ----------------------------------------------------------------------------------------------------------

// In eyes, found by self-play. In brackets what a seat loses in points a game when the weight is 0: two seats against
// two on 60,000 deals without solos and calls, error at most 0.007.
struct Weights {
  float eyes = 0.55F;   // share of its own eyes that a card brings home later (0.192)
  float fox = 3;        // what the point for a caught fox adds to the eyes of the diamond ace (0.002)
  float top = 20;       // of a trump that cannot be beaten (0.626), and
  float decay = 0.76F;  // how it falls with every higher trump in other hands (0.166)
  float tempo = 6;      // of taking the trick and leading the next (0.109)
  float single = 4;     // of getting rid of the last card of a side suit, for a hand with trumps (0.045)
  float charlie = 3;    // of keeping the jack of clubs for the last trick (0.009)
  float ace = 1;        // of leading the highest card of a side suit (0.007)
};

struct CardRules {
  Weights weights;
  std::array<float, kMostOut + 1> rank{};  // of a trump, by the number of higher ones in other hands

  constexpr explicit CardRules(const Weights& w) : weights(w) {
    float value = w.top;
    for (float& entry : rank) {
      entry = value;
      value *= w.decay;
    }
  }
};

inline constexpr CardRules kCardRules{Weights{}};

// How likely each seat is on the player's side: 1 for known mates, 0 for known foes; the one mate that is still to be
// found is any of the others.
using Trust = std::array<float, kSeats>;

inline Trust trust_in(unsigned mates, unsigned foes) {
  Trust trust;
  const int unknown = kSeats - 1 - std::popcount(mates) - std::popcount(foes);
  const float guess = mates == 0 && unknown > 0 ? 1.0F / static_cast<float>(unknown) : 0.0F;
  for (std::size_t seat = 0; seat < kSeats; ++seat) {
    trust[seat] = (mates >> seat & 1) != 0 ? 1.0F : (foes >> seat & 1) != 0 ? 0.0F : guess;
  }
  return trust;
}

// The card to play for the seat whose turn it is.
inline int thumb_card(const Table& table, const Memory& memory, Hand hand, std::uint32_t playable, unsigned mates,
                      unsigned foes, const Rules& rules, const CardRules& thumb = kCardRules) {
  if (std::has_single_bit(playable)) return std::countr_zero(playable);
  const Weights& w = thumb.weights;
  const Order& order = table.ranking();
  const int seat = table.turn;
  const int later = kSeats - 1 - table.in_trick();
  const bool leads = later == kSeats - 1;
  const Hand out = outside(memory.gone, hand, rules);
  const Trust trust = trust_in(mates, foes);
  const auto out_of = [&](int category) {
    return static_cast<std::size_t>(count(out & both(order.cards[static_cast<std::size_t>(category)])));
  };
  const auto is_empty = [&](int category, std::size_t s) {
    return (memory.empty[static_cast<std::size_t>(category)] >> s & 1) != 0;
  };
  // How likely is it that one of the hands that can have such cards has none of them?
  const auto misses = [&](int category, std::size_t cards) {
    const unsigned empty = memory.empty[static_cast<std::size_t>(category)] & ~(1U << seat);
    return kMiss[static_cast<std::size_t>(kSeats - 1 - std::popcount(empty))][cards];
  };
  const bool has_trump = (types(hand) & order.cards[kTrump]) != 0;
  const bool special = !is_solo(table.contract);
  const bool foxes = special && table.order == 0;
  float on_table = leads ? 0.0F : static_cast<float>(table.trick_eyes);
  if (foxes && !leads && (table.trick_foxes & ~mates) != 0) on_table += w.fox;

  // How likely the player's party takes the trick once `top` lies on the table, where `ours` is how likely its owner is
  // a mate: foes that can beat it do, and so do mates if it is not ours yet.
  const auto taken = [&](int led, std::size_t top, float ours) {
    const bool trumped = order.category[top] == kTrump;
    const auto above = static_cast<std::size_t>(count(out & kHigher[table.order][top]));
    const float by_trump = 1 - misses(kTrump, trumped ? above : out_of(kTrump));
    const float by_suit = trumped ? 0.0F : 1 - misses(led, above);
    const float none = led == kTrump ? 1.0F : misses(led, out_of(led));
    for (int j = 1; j <= later; ++j) {
      const auto s = static_cast<std::size_t>((seat + j) & 3);
      const float ruffs = is_empty(kTrump, s) ? 0.0F : by_trump;
      const float beats = led == kTrump || is_empty(led, s) ? ruffs : 1 - (1 - by_suit) * (1 - none * ruffs);
      ours += beats * (trust[s] - ours);
    }
    return ours;
  };
  const float left_alone = leads ? 0.0F : taken(table.led, table.best_card, trust[table.taker]);

  float best_value = -1e9F;
  int best = 0;
  for (std::uint32_t set = playable; set != 0; set &= set - 1) {
    const int card = std::countr_zero(set);
    const auto c = static_cast<std::size_t>(card);
    const int category = order.category[c];
    // The first of two piglets, which it announces: nothing is higher.
    const bool announced = copies(hand, card) == 2 && table.is_next_swine(card, rules);
    const bool second_ten = rules.second_ten && card == kHeartTen && category == kTrump;
    const bool takes = leads || announced || order.power[table.led][c] + (second_ten ? 1 : 0) > table.best;
    const float ours = announced ? 1.0F : takes ? taken(leads ? category : table.led, c, 1) : left_alone;
    const auto above = announced ? 0 : static_cast<std::size_t>(count(out & kHigher[table.order][c]));
    float eyes = kEyes[c];
    if (foxes && card == kFox && !announced) eyes += w.fox;
    float value = ours * (on_table + eyes) - w.eyes * eyes;
    if (takes) value += w.tempo * ours;
    if (category == kTrump) {
      value -= thumb.rank[above];
      if (special && card == kClubJack) value -= w.charlie;
    } else {
      if (leads && above == 0) value += w.ace;
      if (has_trump && std::has_single_bit(hand & both(order.cards[static_cast<std::size_t>(category)])))
        value += w.single;
    }
    if (value > best_value) {
      best_value = value;
      best = card;
    }
  }
  return best;
}

// --- Parties --------------------------------------------------------------------------------------------------------

struct Parties {
  unsigned mates = 0;
  unsigned foes = 0;
  bool re = false;
};

// Everybody is known: bit p of `re` says that seat p belongs to Re.
inline Parties parties_of(unsigned re, int seat) {
  const unsigned others = 15U & ~(1U << seat);
  Parties out;
  out.re = (re >> seat & 1) != 0;
  out.mates = others & (out.re ? re : ~re);
  out.foes = others & ~out.mates;
  return out;
}

// Before the clarifying trick of a wedding: the seat that takes it joins the declarer against the rest.
inline Parties parties_of_wedding(const Table& table, int seat) {
  const unsigned declarer = 1U << table.declarer;
  const unsigned rest = 15U & ~(1U << seat) & ~declarer;
  Parties out;
  out.re = seat == table.declarer;
  (out.re ? out.mates : out.foes) = rest;
  return out;
}

// What a seat knows: solos, weddings, club queens (its own and those played) and calls.
inline Parties known_parties(const Table& table, Hand hand, int seat) {
  if (table.parties_known_late()) return parties_of_wedding(table, seat);
  if (table.fixed_re != 0) return parties_of(table.fixed_re, seat);
  if (table.contract != kNormal) {
    return parties_of(1U << table.declarer | (table.partner >= 0 ? 1U << table.partner : 0U), seat);
  }
  const unsigned me = 1U << seat;
  unsigned re = copies(hand, kClubQueen) > 0 ? me : 0U;
  int queens = copies(hand, kClubQueen);
  for (int i = 0; i < table.cards; ++i) {
    if (table.card_at(i) != kClubQueen) continue;
    re |= 1U << table.seat_at(i);
    ++queens;
  }
  unsigned kontra = (re & me) == 0 ? me : 0U;
  for (int i = 0; i < table.called; ++i) {
    const Call& call = table.calls[static_cast<std::size_t>(i)];
    (call.party == kRe ? re : kontra) |= 1U << call.seat;
  }
  if (queens == 2 || std::popcount(re) == 2) return parties_of(re, seat);
  // A lone Re seat among the other two is possible but rare.
  if (std::popcount(kontra) >= 2) return parties_of(15U & ~kontra, seat);
  Parties out;
  out.re = (re & me) != 0;
  out.mates = ~me & (out.re ? re : kontra);
  out.foes = ~me & (out.re ? kontra : re);
  return out;
}

// --- Reservations and calls -----------------------------------------------------------------------------------------

// What a hand is worth in a contract, given the cards that are gone.
struct Strength {
  float trumps = 0;   // number of them
  float ranks = 0;    // 1 for one that no other hand can beat, less for every higher one that is out
  float firsts = 0;   // cards of side suits that are the highest left
  float seconds = 0;  // with one higher card out
  float voids = 0;    // side suits that are missing
};

inline Strength strength(Hand hand, Hand gone, int order_number, const Rules& rules) {
  const Order& order = kOrder[static_cast<std::size_t>(order_number)];
  const auto& higher = kHigher[static_cast<std::size_t>(order_number)];
  const Hand out = outside(gone, hand, rules);
  Strength s;
  for (Hand left = hand; left != 0; left &= left - 1) {
    const auto c = static_cast<std::size_t>(std::countr_zero(left) & 31);
    const auto above = static_cast<std::size_t>(count(out & higher[c]));
    if (order.category[c] == kTrump) {
      s.trumps += 1;
      s.ranks += kCardRules.rank[above] / kCardRules.weights.top;
    } else {
      s.firsts += above == 0 ? 1.0F : 0.0F;
      s.seconds += above == 1 ? 1.0F : 0.0F;
    }
  }
  for (std::size_t suit = 0; suit < kTrump; ++suit) {
    if (order.cards[suit] != 0 && (types(hand) & order.cards[suit]) == 0) s.voids += 1;
  }
  return s;
}

// The order of the cards once the hand has announced the piglets that it has.
inline int order_with(const Table& table, Hand hand, const Rules& rules) {
  Table announced = table;
  for (int kind = swine_kinds(table.order); kind < rules.swine; ++kind) {
    const int card = swine_card(kind, rules.nines());
    if (copies(hand, card) < 2 || !announced.is_next_swine(card, rules)) break;
    announced.announce_swine(rules);
  }
  return announced.order;
}

// How many eyes the player's party will have at the end, as a sum whose weights are least squares over games that this
// player played with itself. The standard deviation of the error is about 20 eyes for soloists and 30 for others.
struct Forecast {
  float start, trumps, ranks, firsts, seconds, voids;  // by the hand
  float lead;                                          // the seat leads the trick
  float own, mate, foe;                                // by eye taken so far: by the seat, known mates, known foes
  float known;                                         // the mate is known
  float trick;                                         // by card played from the hand
  float mate_called, foes_called;

  float of(const Strength& s, bool leads) const {
    return start + trumps * s.trumps + ranks * s.ranks + firsts * s.firsts + seconds * s.seconds + voids * s.voids +
           (leads ? lead : 0.0F);
  }
};

inline constexpr Forecast kForRe = {96, 1.9F, 10.8F, 0.9F, 0, 3.7F, 0, 0.63F, 0.5F, -0.46F, 10, -3.45F, 6, -21};
inline constexpr Forecast kForKontra = {62, 3.5F, 13.8F, 1.9F, 0.7F, 2.8F, 0, 0.68F, 0.78F, -0.27F, -6, -2.9F, 35, -10};
inline constexpr Forecast kForSuitSolo = {-29, 9.8F, 11.4F, 4.3F, 1.9F, 5.6F, 0, 0.4F, 0, -0.56F, 0, 6.85F, 0, 0};
inline constexpr Forecast kForTrumpless = {40, 0, 0, 12.7F, 2.5F, -4, 0, 0.67F, 0, -0.15F, 0, 1, 0, 0};
inline constexpr Forecast kForQueensOrJacks = {4, 14.6F, 3.3F, 6.5F, 1.2F, 4.7F, 7, 0.53F, 0, -0.26F, 0, 0, 0, 0};

inline const Forecast& forecast_alone(int order) {
  if (order == order_of(kFirstSolo + 4)) return kForTrumpless;
  return order == order_of(kFirstSolo + 5) || order == order_of(kFirstSolo + 6) ? kForQueensOrJacks : kForSuitSolo;
}

// Eyes that the forecast must reach.
struct Bids {
  float solo = 135;
  std::array<float, kSteps> call = {135, 185, 215, 245, 1000};  // black is never called by a rule of thumb
};
inline constexpr Bids kBids{};
inline constexpr float kOwedSolo = 122;       // for a solo that has to be played anyway
inline constexpr int kBetterPartner = 10;     // eyes that a new partner has to be ahead
inline constexpr float kTakePoverty = 17.5F;  // for taking the cards of a poor hand

// The solo with the best forecast if that is good enough. A seat with both club queens may play the best solo of all
// without saying so; otherwise it declares its wedding.
inline int thumb_reservation(Hand hand, bool leads, const Rules& rules, const Bids& bids = kBids) {
  const bool queens = copies(hand, kClubQueen) == 2;
  int best = queens ? kWedding : kHealthy;
  float most = bids.solo;
  for (int contract = kFirstSolo; contract < kReservations; ++contract) {
    const int order = order_of(contract);
    const float eyes = forecast_alone(order).of(strength(hand, 0, order, rules), leads);
    if (eyes < most) continue;
    most = eyes;
    best = queens && order == 0 ? kHealthy : contract;
  }
  return best;
}

// What a seat says first. A hand that may be thrown in is if it promises less than half of the eyes, and a poor one
// looks for a partner. A solo that is owed has to be played some time: a fair one will do, and the best one at the last
// opportunity.
inline int thumb_says(Hand hand, int seat, int start, const Rules& rules) {
  const bool owes = (rules.owed >> seat & 1) != 0;
  Bids bids = kBids;
  if (owes) bids.solo = rules.forced == seat ? -1000 : kOwedSolo;
  const int best = thumb_reservation(hand, seat == start || owes || rules.soloist_leads, rules, bids);
  if (owes && best == kHealthy && copies(hand, kClubQueen) == 2) return rules.forced == seat ? kFirstSolo : best;
  if (best != kHealthy) return best;
  const Forecast& forecast = copies(hand, kClubQueen) > 0 ? kForRe : kForKontra;
  if (rules.throw_in && is_bad(hand) && forecast.of(strength(hand, 0, 0, rules), false) < 120) return kThrowIn;
  return rules.poverty && is_poor(hand) ? kPoverty : best;
}

// Poverty: whether to take so many trumps of a partner who keeps none. The weights are least squares of the taker's
// points over 1,500 games that this player played with itself; who leaves the cards risks nothing.
inline bool thumb_takes(Hand hand, int trumps, const Rules& rules) {
  const Strength s = strength(hand, 0, 0, rules);
  return 1.1F * s.trumps + 1.8F * s.ranks + 1.6F * static_cast<float>(trumps) >= kTakePoverty;
}

// Poverty: the card to give back. No trump if there is another, no ace, first from short suits; and rather eyes, which
// the partner adds to tricks that are safe.
inline int thumb_gives(Hand hand) {
  const Order& order = kOrder[0];
  float least = 1e9F;
  int best = 0;
  for (std::uint32_t set = types(hand); set != 0; set &= set - 1) {
    const int card = std::countr_zero(set);
    const auto c = static_cast<std::size_t>(card);
    const int category = order.category[c];
    float cost = 6 * static_cast<float>(count_of(hand, order.cards[static_cast<std::size_t>(category)]));
    if (category == kTrump) cost = 1000 + order.rank[c];
    if (category != kTrump && rank_of(card) == kAce) cost += 25;
    if (category != kTrump) cost -= 0.5F * kEyes[c];
    if (cost >= least) continue;
    least = cost;
    best = card;
  }
  return best;
}

inline float expected_eyes(const Table& table, Hand hand, int seat, const Parties& parties, const Rules& rules) {
  const bool alone = std::popcount(parties.foes) == kSeats - 1;
  const Forecast& f = alone ? forecast_alone(table.order) : parties.re ? kForRe : kForKontra;
  const bool leads = table.in_trick() == 0 && table.turn == seat;
  float eyes = f.of(strength(hand, Memory::of(table).gone, order_with(table, hand, rules), rules), leads);
  for (int s = 0; s < kSeats; ++s) {
    const float weight = s == seat                       ? f.own
                         : (parties.mates >> s & 1) != 0 ? f.mate
                         : (parties.foes >> s & 1) != 0  ? f.foe
                                                         : 0.0F;
    eyes += weight * static_cast<float>(table.eyes[static_cast<std::size_t>(s)]);
  }
  if (parties.mates != 0) eyes += f.known;
  eyes += f.trick * static_cast<float>(rules.hand - table.held(seat, rules));
  const int party = parties.re ? kRe : kKontra;
  for (int i = 0; i < table.called; ++i) {
    const Call& call = table.calls[static_cast<std::size_t>(i)];
    if (call.step != 1) continue;
    if (call.party != party) eyes += f.foes_called;
    if (call.party == party && call.seat != seat) eyes += f.mate_called;
  }
  return eyes;
}

// Whether the seat, which is asked, makes the next call of its party. It waits for the last moment, just before the
// card after which it would be too late: by then the most is known, and waiting costs nothing. Opponents of a solo keep
// quiet.
inline bool thumb_calls(const Table& table, Hand hand, int seat, const Rules& rules, const Bids& bids = kBids) {
  const Parties parties = known_parties(table, hand, seat);
  if (std::popcount(parties.mates) > 1) return false;
  const int party = parties.re ? kRe : kKontra;
  if (table.turn != seat || table.held(seat, rules) != table.limit(party, rules)) return false;
  return expected_eyes(table, hand, seat, parties, rules) >= bids.call[table.level[static_cast<std::size_t>(party)]];
}

// Genscher: the seat with the most eyes so far is the best partner, if it has clearly more than the present one; of an
// unknown partner a quarter of the eyes is expected.
inline int thumb_regroups(const Table& table, unsigned mates) {
  int best = 1;
  for (int answer = 2; answer < kSeats; ++answer) {
    const auto eyes = [&](int k) { return table.eyes[static_cast<std::size_t>((table.king + k) & 3)]; };
    if (eyes(answer) > eyes(best)) best = answer;
  }
  int all = 0;
  int mine = 0;
  for (std::size_t seat = 0; seat < kSeats; ++seat) {
    all += table.eyes[seat];
    if ((mates >> seat & 1) != 0) mine += table.eyes[seat];
  }
  if (mates == 0) mine = all / kSeats;
  const auto partner = static_cast<std::size_t>((table.king + best) & 3);
  return kKeep + ((mates >> partner & 1) == 0 && table.eyes[partner] >= mine + kBetterPartner ? best : 0);
}

// --- The player -----------------------------------------------------------------------------------------------------

inline Action thumb_card_of(const State& state, const Memory& memory, const Rules& rules) {
  const Table& table = state.table();
  const int seat = table.turn;
  const Parties parties = table.parties_known_late() ? parties_of_wedding(table, seat) : parties_of(state.re(), seat);
  return thumb_card(table, memory, state.hand(seat), state.playable(), parties.mates, parties.foes, rules);
}

// The card of the seat to play in a world whose parties everybody knows.
inline Action thumb_card_of(const State& state, const Rules& rules) {
  return thumb_card_of(state, Memory::of(state.table()), rules);
}

}  // namespace kiebitz::doppelkopf
