// What everybody at a Doppelkopf table sees: the reservations that were shown, calls, cards in the order they were
// played, and what follows from these (whose card is next, which seat takes the trick, eyes). State and View both hold
// one.
#pragma once

#include <array>
#include <cstdint>

#include "games/doppelkopf/cards.hpp"
#include "games/doppelkopf/score.hpp"

namespace kiebitz::doppelkopf {

inline constexpr int kSteps = 5;  // of a party's ladder: Re or Kontra, no 90, no 60, no 30, black
inline constexpr int kMostCalls = 2 * kSteps;

// What a seat has said in the reservation round, as the others know it: a number below kNames, or one of these.
inline constexpr std::uint8_t kSomething = 14;  // a reservation whose name is not known
inline constexpr std::uint8_t kSilent = 15;     // not asked yet

// The rules that can vary.
struct Rules {
  int hand = 12;  // cards a seat is dealt
  bool second_ten = false;
  int swine = 0;                   // kinds that can be in play: piglets, superpiglets, hyperpiglets
  bool swine_when_played = false;  // announced with the first of both cards, not shown before the first trick
  bool fox_last = false;
  bool charlie_caught = false;
  bool throw_in = false;
  bool poverty = false;
  bool solo_ranking = false;
  bool soloist_leads = false;
  bool genscher = false;
  bool bock_hearts = false;  // the result counts tricks of four hearts
  // Of a deal in a list.
  unsigned owed = 0;  // seats that owe a compulsory solo, as bits
  int forced = -1;    // the seat that must play its compulsory solo now
  int worth = 1;      // points count so many times (Bock)

  int deck() const { return kSeats * hand; }
  std::uint32_t types() const { return hand == 12 ? kAllTypes : kAllTypes & ~kNines; }
  bool nines() const { return hand == 12; }
};

inline constexpr std::uint32_t kTrumps = kOrder[0].cards[kTrump];  // of a normal game
inline constexpr int kMostPassed = 3;                              // trumps in a poor hand

// Cards of a hand among these types.
constexpr int count_of(Hand hand, std::uint32_t cards) { return count(hand & (cards | Hand{cards} << 32)); }

// At most three trumps.
constexpr bool is_poor(Hand hand) { return count_of(hand, kTrumps) <= kMostPassed; }

// May it be thrown in? Five nines, five kings, eight aces and tens, or no trump above a fox.
constexpr bool is_bad(Hand hand) {
  std::array<std::uint32_t, 6> of_rank{};
  for (int card = 0; card < kTypes; ++card) of_rank[static_cast<std::size_t>(rank_of(card))] |= 1U << card;
  std::uint32_t above_fox = 0;
  for (std::size_t card = 0; card < kTypes; ++card) {
    if (kOrder[0].category[card] == kTrump && kOrder[0].rank[card] > kOrder[0].rank[kFox]) above_fox |= 1U << card;
  }
  return count_of(hand, of_rank[kNine]) >= 5 || count_of(hand, of_rank[kKing]) >= 5 ||
         count_of(hand, of_rank[kAce] | of_rank[kTen]) >= 8 || count_of(hand, above_fox) == 0;
}

struct Call {
  std::uint8_t before = 0;  // number of cards on the table when it was made
  std::uint8_t seat = 0;
  std::uint8_t party = 0;
  std::uint8_t step = 0;  // 1 .. kSteps

  friend bool operator==(const Call&, const Call&) = default;
};

struct Table {
  std::array<std::uint8_t, kMostCards> played{};  // card | seat << 5
  std::array<Call, kMostCalls> calls{};
  std::array<std::uint8_t, kSeats> said = {kSilent, kSilent, kSilent, kSilent};
  std::array<std::uint8_t, kSeats> eyes{};
  std::array<std::uint8_t, kSeats> tricks{};
  std::array<std::uint8_t, kSeats> doppelkopf{};  // tricks of 40 eyes and more
  std::array<std::uint8_t, 2> foxes{};            // 16 + 4 * seat that took it + seat that played it
  std::array<std::uint8_t, 2> level{};            // steps called, by party
  std::int8_t start = -1;
  std::int8_t turn = -1;      // the seat that speaks or, later, plays next
  std::uint8_t cards = 0;     // on the table so far
  std::uint8_t called = 0;    // entries of calls
  std::uint8_t contract = 0;  // once all have spoken
  std::uint8_t order = 0;     // of the cards in this contract
  std::int8_t declarer = -1;  // of a solo, a wedding or poverty; of a hand thrown in
  std::int8_t solved = -1;    // wedding: number (from 0) of the trick that fixed the parties; poverty: 0 once exchanged
  std::int8_t partner = -1;   // wedding: found in that trick; -1: the declarer is alone. Poverty: who took the cards
  std::array<std::int8_t, kSwineKinds> swine = {-1, -1, -1};  // house rule: the seats that have both
  // Genscher: the seat that played the first diamond king; its answer with the second (0: all stays, else the partner,
  // counted from its left; -1: none yet); how many cards lay on the table then, and Re from then on, as bits.
  std::int8_t king = -1;
  std::int8_t genscher = -1;
  std::uint8_t regrouped = 0;
  std::uint8_t fixed_re = 0;
  // Poverty: cards put down, given back so far, and trumps among these once it is complete.
  std::uint8_t passed = 0;
  std::uint8_t back = 0;
  std::uint8_t trumps_back = 0;
  // The trick on the table.
  std::uint8_t led = 0;        // category
  std::uint8_t best = 0;       // power of the card that takes it so far
  std::uint8_t best_card = 0;  // and the card; after the last trick, the card that took it
  std::uint8_t taker = 0;
  std::uint8_t trick_eyes = 0;
  std::uint8_t trick_foxes = 0;  // seats that put in a fox, as bits

  friend bool operator==(const Table&, const Table&) = default;

  const Order& ranking() const { return kOrder[order]; }
  bool all_spoken() const { return said[static_cast<std::size_t>((start + 3) & 3)] != kSilent; }
  // The names of reservations are out: all have spoken, and no hand was thrown in.
  bool named() const { return all_spoken() && contract != kThrowIn; }
  bool parties_known_late() const { return solved < 0 && (contract == kWedding || contract == kPoverty); }
  // Poverty: somebody is to take the cards or to give some back.
  bool exchanging() const { return contract == kPoverty && solved < 0; }
  // Who took the cards of poverty, or -1.
  int exchange_partner() const { return contract == kPoverty ? partner : -1; }
  bool wedding_exchanged() const {
    return exchange_partner() >= 0 && said[static_cast<std::size_t>(partner)] == kWedding;
  }
  // Kinds of piglets whose holders are known, or of which it is known that nobody holds both: each kind up to the first
  // that nobody has. Where they are announced when they are played, the first card of a kind tells, if the kind below
  // was in play by then.
  int swine_asked(const Rules& rules) const {
    if (!opened() || !has_swine(order)) return 0;
    int kinds = 0;
    int since = 0;
    while (kinds < rules.swine && (kinds == 0 || swine[static_cast<std::size_t>(kinds - 1)] >= 0)) {
      if (rules.swine_when_played) {
        const int first = first_of(swine_card(kinds, rules.nines()));
        if (first < since || first == cards) break;
        since = first;
      }
      ++kinds;
    }
    return kinds;
  }
  // Would a seat that plays this card and holds the other one announce piglets, or the next kind above those in play?
  bool is_next_swine(int card, const Rules& rules) const {
    if (!rules.swine_when_played || !has_swine(order)) return false;
    const int kinds = swine_kinds(order);
    return kinds < rules.swine && card == swine_card(kinds, rules.nines());
  }
  // The seat whose turn it is announces them. The trick on the table has none of them, so its best card stays the best.
  [[gnu::cold]] void announce_swine(const Rules& rules) {
    const int kinds = swine_kinds(order);
    swine[static_cast<std::size_t>(kinds)] = turn;
    order = static_cast<std::uint8_t>(swine_order(kinds + 1, rules.nines()));
    if (in_trick() != 0) best = ranking().power[led][best_card];
  }
  // Contract and trumps are fixed: all have spoken and no exchange is under way.
  bool opened() const { return named() && !exchanging(); }
  int in_trick() const { return cards & 3; }
  int card_at(int i) const { return played[static_cast<std::size_t>(i)] & 31; }
  int seat_at(int i) const { return played[static_cast<std::size_t>(i)] >> 5; }
  // The place of the first copy of a card on the table, or the number of cards there.
  int first_of(int card) const {
    int i = 0;
    while (i < cards && card_at(i) != card) ++i;
    return i;
  }
  int taker_of(int trick) const { return 4 * trick + 4 < cards ? seat_at(4 * trick + 4) : taker; }

  // Cards that a seat still holds; everybody can count them.
  int held(int seat, const Rules& rules) const {
    const int leader = (turn - in_trick()) & 3;
    return rules.hand - (cards >> 2) - (((seat - leader) & 3) < in_trick() ? 1 : 0);
  }

  // The same while cards are being exchanged.
  int holds(int seat, const Rules& rules) const {
    const int away = exchanging() && partner >= 0 ? passed - back : 0;
    return held(seat, rules) + (seat == partner ? away : seat == declarer ? -away : 0);
  }

  // Of several solos the one with the largest number is played: compulsory ones first, then (house rule) by rank, then
  // in speaking order.
  int precedence(int seat, int solo, const Rules& rules) const {
    constexpr int kRank[] = {0, 1, 2, 3, 6, 5, 4};  // from diamonds to no-trump
    const int rank = rules.solo_ranking ? kRank[solo - kFirstSolo] : 0;
    return static_cast<int>(rules.owed >> seat & 1) * 100 + rank * kSeats + kSeats - 1 - ((seat - start) & 3);
  }

  // Can a seat have kept this solo to itself, because the one that is played goes first?
  bool hides(int seat, int solo, const Rules& rules) const {
    return is_solo(contract) && seat != declarer &&
           precedence(seat, solo, rules) < precedence(declarer, contract, rules);
  }

  // All have spoken: a solo is played, else poverty, else a wedding, the first in speaking order, else a normal game.
  // `names` are what the seats said; the solo that is played, poverty and weddings are shown, other solos stay hidden.
  void open(const std::array<std::uint8_t, kSeats>& names, const Rules& rules) {
    contract = kNormal;
    int most = -1;
    for (int i = 0; i < kSeats; ++i) {
      const int seat = (start + i) & 3;
      const std::uint8_t name = names[static_cast<std::size_t>(seat)];
      if (name == kWedding || name == kPoverty) said[static_cast<std::size_t>(seat)] = name;
      if (name == kHealthy || name >= kThrowIn) continue;
      const int claim = is_solo(name) ? 1000 + precedence(seat, name, rules) : (name == kPoverty ? 100 : 0) - i + 4;
      if (claim <= most) continue;
      most = claim;
      contract = name;
      declarer = static_cast<std::int8_t>(seat);
    }
    turn = start;
    if (is_solo(contract)) {
      said[static_cast<std::size_t>(declarer)] = contract;
      if (rules.soloist_leads || (rules.owed >> declarer & 1) != 0) turn = declarer;
    }
    order = static_cast<std::uint8_t>(order_of(contract));
    if (contract == kPoverty) ask_for_partner(declarer);
  }

  // Poverty: the next seat after this one that can take the cards has its turn; nobody is left where it is the poor
  // one's again.
  void ask_for_partner(int seat) {
    do {
      seat = (seat + 1) & 3;
    } while (seat != declarer && said[static_cast<std::size_t>(seat)] == kPoverty);
    turn = static_cast<std::int8_t>(seat);
  }

  // Genscher: may the seat whose turn it is choose its partner with this card? With its second diamond king, in a
  // normal game, before the last trick.
  bool asks_genscher(int card, const Rules& rules) const {
    return rules.genscher && card == kDiamondKing && king == turn && contract == kNormal && cards < rules.deck() - 4;
  }
  // It plays for this party, and its partner with it.
  void regroup(int answer, int party) {
    genscher = static_cast<std::int8_t>(answer);
    regrouped = cards;
    if (answer == 0) return;
    const unsigned pair = 1U << king | 1U << ((king + answer) & 3);
    fixed_re = static_cast<std::uint8_t>(party == kRe ? pair : 15U & ~pair);
  }
  int fixed_party(int seat) const { return (fixed_re >> seat & 1) != 0 ? kRe : kKontra; }

  // The fewest cards in hand with which the party's next step may be called. The first step may come later as a reply
  // to the other party.
  int limit(int party, const Rules& rules) const {
    const int shift = contract == kWedding ? solved : 0;
    const int step = level[static_cast<std::size_t>(party)] + 1;
    const int other = level[static_cast<std::size_t>(1 - party)];
    const int reply = step == 1 && other > 0 ? other : 0;
    return rules.hand - step - reply - shift;
  }

  // Could a seat of this party make a call now?
  bool may_call(int seat, int party, const Rules& rules) const {
    return named() && cards < rules.deck() && !parties_known_late() &&
           level[static_cast<std::size_t>(party)] < kSteps && held(seat, rules) >= limit(party, rules);
  }

  void add_call(int seat, int party) {
    const auto step = static_cast<std::uint8_t>(++level[static_cast<std::size_t>(party)]);
    calls[called++] = {cards, static_cast<std::uint8_t>(seat), static_cast<std::uint8_t>(party), step};
  }

  // The seat whose turn it is plays a card.
  void add_card(int card, const Rules& rules) {
    const auto c = static_cast<std::size_t>(card);
    const Order& ranks = ranking();
    if (in_trick() == 0) {
      led = ranks.category[c];
      best = 0;
      trick_eyes = 0;
      trick_foxes = 0;
    }
    const std::uint8_t power = ranks.power[led][c];
    if (power > best || (rules.second_ten && power == best && card == kHeartTen && ranks.category[c] == kTrump)) {
      best = power;
      best_card = static_cast<std::uint8_t>(card);
      taker = static_cast<std::uint8_t>(turn);
    }
    if (rules.genscher && card == kDiamondKing && king < 0) king = turn;
    if (card == kFox) trick_foxes = static_cast<std::uint8_t>(trick_foxes | 1 << turn);
    trick_eyes = static_cast<std::uint8_t>(trick_eyes + kEyes[c]);
    played[cards++] = static_cast<std::uint8_t>(card | turn << 5);
    turn = static_cast<std::int8_t>((turn + 1) & 3);
    if (in_trick() == 0) end_trick();
  }

  // Does it matter for the score which seat played which card of the trick on the table?
  bool charlie_matters(const Rules& rules) const { return rules.charlie_caught && cards > rules.deck() - 4; }

  // Complete tricks of four hearts.
  int heart_tricks() const {
    int n = 0;
    for (int i = 0; i + 3 < cards; i += 4) {
      int hearts = 0;
      for (int k = i; k < i + 4; ++k) hearts += ranking().category[static_cast<std::size_t>(card_at(k))] == kHearts;
      n += hearts == 4;
    }
    return n;
  }

  // What the score depends on, once the parties are given (bit p of `re`: seat p belongs to Re).
  Finish finish(unsigned re, const Rules& rules) const {
    Finish out;
    out.alone = std::has_single_bit(re);
    const auto party = [&](int seat) { return static_cast<std::size_t>((re >> seat & 1) != 0 ? kRe : kKontra); };
    for (int seat = 0; seat < kSeats; ++seat) {
      const auto s = static_cast<std::size_t>(seat);
      out.eyes[party(seat)] += eyes[s];
      out.tricks[party(seat)] += tricks[s];
      out.doppelkopf[party(seat)] += doppelkopf[s];
    }
    for (const std::uint8_t fox : foxes) {
      const int by = fox & 3;
      const int winner = fox >> 2 & 3;
      if (fox != 0 && party(by) != party(winner)) ++out.fox[party(winner)];
    }
    out.level = {level[0], level[1]};
    if (best_card == kClubJack) ++out.charlie[party(taker)];
    if (rules.fox_last && best_card == kFox && order == 0) ++out.fox_last[party(taker)];
    if (rules.charlie_caught) {
      for (int i = cards - 4; i < cards; ++i) {
        if (card_at(i) == kClubJack && party(seat_at(i)) != party(taker)) ++out.charlie_caught[party(taker)];
      }
    }
    return out;
  }

 private:
  void end_trick() {
    const std::size_t t = taker;
    eyes[t] = static_cast<std::uint8_t>(eyes[t] + trick_eyes);
    ++tricks[t];
    if (trick_eyes >= 40) ++doppelkopf[t];
    if (trick_foxes != 0 && order < kPigletOrder) {
      for (int seat = 0; seat < kSeats; ++seat) {
        if ((trick_foxes >> seat & 1) == 0) continue;
        foxes[foxes[0] != 0 ? 1 : 0] = static_cast<std::uint8_t>(16 + 4 * taker + seat);
      }
    }
    if (parties_known_late()) {
      const int trick = cards / 4 - 1;
      if (taker != declarer) partner = static_cast<std::int8_t>(taker);
      if (taker != declarer || trick == 2) solved = static_cast<std::int8_t>(trick);
    }
    turn = static_cast<std::int8_t>(taker);
  }
};

}  // namespace kiebitz::doppelkopf
