// The table of Doppelkopf as players read it off what they see: contract and who plays it, trumps, tricks and their
// takers, parties where they are certain, whose turn it is, who may call, the sorted hand. Whatever draws a table or
// talks about it reads this and needs no rules of its own.
#pragma once

#include "games/doppelkopf/beliefs.hpp"
#include "games/doppelkopf/text.hpp"

namespace kiebitz::doppelkopf {

inline constexpr unsigned kEverybody = (1U << kSeats) - 1;

// Seats whose party is certain, as bits.
struct CertainParties {
  unsigned re = 0;
  unsigned kontra = 0;

  bool complete() const { return (re | kontra) == kEverybody; }
  // Two of Re leave Kontra for the others, and three of Kontra leave Re for the last.
  void close(bool queens_seen) {
    if (queens_seen || std::popcount(re) == 2) kontra = kEverybody & ~re;
    if (std::popcount(kontra) == 3) re = kEverybody & ~kontra;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (int seat = 0; seat < kSeats; ++seat) {
      out.emplace_back((re >> seat & 1) != 0 ? party_name(kRe) : (kontra >> seat & 1) != 0 ? party_name(kKontra) : "");
    }
    return out;
  }
};

// Parties as everybody knows them. In a normal game calls and club queens on the table tell, and so does a seat that
// does not follow trump. `hand` and `observer`: what a seat adds that also knows its own hand.
inline CertainParties parties_seen(const Table& table, Hand hand = 0, int observer = -1) {
  CertainParties parties;
  if (table.start < 0 || !table.named()) return parties;
  if (table.fixed_re != 0) {
    parties.re = table.fixed_re;
    parties.kontra = kEverybody & ~parties.re;
    return parties;
  }
  if (table.contract != kNormal) {
    parties.re = 1U << table.declarer;
    if (table.partner >= 0) parties.re |= 1U << table.partner;
    if (!table.parties_known_late()) parties.kontra = kEverybody & ~parties.re;
    return parties;
  }
  int queens = copies(hand, kClubQueen);
  if (queens > 0) parties.re = 1U << observer;
  for (int i = 0; i < table.called; ++i) {
    const Call& call = table.calls[static_cast<std::size_t>(i)];
    (call.party == kRe ? parties.re : parties.kontra) |= 1U << call.seat;
  }
  int led = 0;
  for (int i = 0; i < table.cards; ++i) {
    const int card = table.card_at(i);
    const int category = table.ranking().category[static_cast<std::size_t>(card)];
    const unsigned seat = 1U << table.seat_at(i);
    if (i % kSeats == 0) led = category;
    if (card == kClubQueen) {
      parties.re |= seat;
      ++queens;
    } else if (led == kTrump && category != kTrump && (parties.re & seat) == 0) {
      parties.kontra |= seat;
    }
  }
  if (observer >= 0 && (parties.re >> observer & 1) == 0) parties.kontra |= 1U << observer;
  parties.close(queens == 2);
  return parties;
}

// The party of each seat where all deals that explain the view agree on it. The deals are counted only where what the
// seat sees does not settle it.
inline CertainParties certain_parties(const View& view) {
  const Table& table = view.table();
  CertainParties parties = parties_seen(table, view.hand(), view.observer());
  if (parties.complete() || table.start < 0 || !table.named() || table.parties_known_late()) return parties;
  const Sampler sampler(view.game(), view, Belief::exact);
  const auto deals = re_sets(view, sampler.counter());
  parties = {kEverybody, kEverybody};
  for (unsigned re = 0; re < deals.size(); ++re) {
    if (deals[re] == 0) continue;
    parties.re &= re;
    parties.kontra &= ~re;
  }
  return parties;
}

// A sorted hand as players hold it: a text for the trumps and for each side suit, where there are any.
inline std::vector<std::string> hand_groups(Hand hand, const Order& order) {
  std::vector<std::string> groups;
  int last = -1;
  for (const int card : sorted_cards(hand, order)) {
    const int category = order.category[static_cast<std::size_t>(card)];
    if (category != last) {
      groups.emplace_back();
    } else {
      groups.back() += " ";
    }
    groups.back() += card_code(card);
    last = category;
  }
  return groups;
}

inline Value seat_if(bool known, int seat) { return known ? Value(std::int64_t{seat}) : Value(Nothing{}); }

inline std::vector<std::string> trump_codes(const Order& order, const Rules& rules) {
  std::vector<std::string> out;
  for (const int card : sorted_cards(Hand{rules.types()}, order)) {
    if (order.category[static_cast<std::size_t>(card)] == kTrump) out.push_back(card_code(card));
  }
  return out;
}

inline Fields View::public_facts() const {
  const Order& order = table_.ranking();
  const Rules& rules = game_->rules();
  const bool spoken = table_.start >= 0 && (table_.all_spoken() || table_.contract == kThrowIn);
  const bool plays = phase_ != Phase::start && phase_ != Phase::deal && phase_ != Phase::over;
  const auto cards_of = [&](int trick) {
    std::vector<Value> out;
    for (int i = kSeats * trick; i < std::min(kSeats * trick + kSeats, int{table_.cards}); ++i) {
      out.emplace_back(Fields{{"seat", std::int64_t{table_.seat_at(i)}}, {"card", card_code(table_.card_at(i))}});
    }
    return out;
  };
  const int complete = table_.cards / kSeats;
  Value last = Nothing{};
  if (complete > 0) {
    std::int64_t eyes = 0;
    for (int i = kSeats * (complete - 1); i < kSeats * complete; ++i) {
      eyes += kEyes[static_cast<std::size_t>(table_.card_at(i))];
    }
    last = Fields{
        {"cards", cards_of(complete - 1)}, {"taker", std::int64_t{table_.taker_of(complete - 1)}}, {"eyes", eyes}};
  }
  std::vector<Value> calls;
  for (int i = 0; i < table_.called; ++i) {
    const Call& call = table_.calls[static_cast<std::size_t>(i)];
    calls.emplace_back(Fields{{"seat", std::int64_t{call.seat}},
                              {"call", call_name(call.party, call.step)},
                              {"at", std::int64_t{call.before}}});
  }
  const CertainParties parties = parties_seen(table_);
  std::vector<std::string> reservations;
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> asked;
  for (int seat = 0; seat < kSeats; ++seat) {
    reservations.push_back(said_word(table_.said[static_cast<std::size_t>(seat)]));
    sizes.push_back(table_.holds(seat, rules));
    const bool re = (parties.kontra >> seat & 1) == 0 && table_.may_call(seat, kRe, rules);
    const bool kontra = (parties.re >> seat & 1) == 0 && table_.may_call(seat, kKontra, rules);
    if (spoken && (re || kontra)) asked.push_back(seat);
  }
  const bool in_trick = table_.in_trick() != 0;
  Fields out = {
      {"start", std::int64_t{table_.start}},
      {"contract", spoken ? Value(std::string(contract_name(table_.contract))) : Value(Nothing{})},
      {"declarer", seat_if(table_.declarer >= 0, table_.declarer)},
      {"partner", seat_if(table_.partner >= 0, table_.partner)},
      {"alone", table_.contract == kWedding && table_.solved >= 0 && table_.partner < 0},
      {"piglets", seat_if(table_.swine[0] >= 0, table_.swine[0])},
      {"trumps", trump_codes(order, rules)},
      {"turn", seat_if(plays, phase_ == Phase::genscher ? table_.king : table_.turn)},
      {"led", in_trick ? Value(category_name(table_.led)) : Value(Nothing{})},
      {"trick", in_trick ? cards_of(complete) : std::vector<Value>{}},
      {"leader", in_trick ? Value(std::int64_t{table_.seat_at(kSeats * complete)}) : seat_if(plays, table_.turn)},
      {"last", std::move(last)},
      {"tricks_taken", std::vector<std::int64_t>(table_.tricks.begin(), table_.tricks.end())},
      {"eyes", std::vector<std::int64_t>(table_.eyes.begin(), table_.eyes.end())},
      {"calls", std::move(calls)},
      {"reservations", std::move(reservations)},
      {"sizes", std::move(sizes)},
      {"parties", parties.names()},
      {"asked", std::move(asked)}};
  add_house(out);
  return out;
}

// What only house rules have: further kinds of piglets, the exchange of poverty, a hand that was thrown in.
inline void View::add_house(Fields& out) const {
  const Rules& rules = game_->rules();
  for (std::size_t kind = 1; kind < static_cast<std::size_t>(rules.swine); ++kind) {
    out.emplace_back(kSwineNames[kind], seat_if(table_.swine[kind] >= 0, table_.swine[kind]));
  }
  if (rules.throw_in || rules.poverty) {
    Value thrown = Nothing{};
    if (shown_ != 0) thrown = Fields{{"seat", std::int64_t{table_.declarer}}, {"hand", hand_groups(shown_, kOrder[0])}};
    out.emplace_back("thrown", std::move(thrown));
  }
  if (rules.poverty) {
    Value exchange = Nothing{};
    if (table_.contract == kPoverty) {
      const bool done = table_.solved >= 0;
      exchange = Fields{{"from", std::int64_t{table_.declarer}},
                        {"to", seat_if(table_.partner >= 0, table_.partner)},
                        {"cards", std::int64_t{table_.passed}},
                        {"back", std::int64_t{table_.back}},
                        {"trumps_back", done ? Value(std::int64_t{table_.trumps_back}) : Value(Nothing{})}};
    }
    out.emplace_back("exchange", std::move(exchange));
  }
  if (rules.genscher) {
    Value chosen = Nothing{};
    if (table_.genscher >= 0) {
      const bool partner = table_.genscher > 0;
      chosen = Fields{{"seat", std::int64_t{table_.king}},
                      {"partner", seat_if(partner, (table_.king + table_.genscher) & 3)}};
    }
    out.emplace_back("genscher", std::move(chosen));
  }
}

inline Fields View::outline() const {
  const Order& order = table_.ranking();
  const bool spoken = table_.all_spoken() || table_.contract == kThrowIn;
  const bool plays = phase_ != Phase::start && phase_ != Phase::deal && phase_ != Phase::over;
  const std::uint32_t may_play = following(types(hand_), table_);
  std::vector<std::string> playable;
  for (const int card : sorted_cards(Hand{may_play}, order)) playable.push_back(card_code(card));
  std::vector<std::string> tricks;
  std::vector<std::int64_t> leaders;
  std::vector<std::int64_t> takers;
  std::vector<std::int64_t> trick_eyes;
  for (int i = 0; i < table_.cards; ++i) {
    const int card = table_.card_at(i);
    if (i % kSeats == 0) {
      tricks.emplace_back();
      leaders.push_back(table_.seat_at(i));
      takers.push_back(table_.taker_of(i / kSeats));
      trick_eyes.push_back(0);
    }
    tricks.back() += (tricks.back().empty() ? "" : " ") + card_code(card);
    trick_eyes.back() += kEyes[static_cast<std::size_t>(card)];
  }
  Fields out = {{"contract", spoken ? Value(std::string(contract_name(table_.contract))) : Value(Nothing{})},
                {"declarer", seat_if(table_.declarer >= 0, table_.declarer)},
                {"partner", seat_if(table_.partner >= 0, table_.partner)},
                {"alone", table_.contract == kWedding && table_.solved >= 0 && table_.partner < 0},
                {"piglets", seat_if(table_.swine[0] >= 0, table_.swine[0])},
                {"parties", certain_parties(*this).names()},
                {"trumps", trump_codes(order, game_->rules())},
                {"hand", hand_groups(hand_, order)},
                {"playable", playable},
                {"follows", table_.in_trick() != 0 && (types(hand_) & order.cards[table_.led]) != 0},
                {"turn", seat_if(plays, phase_ == Phase::genscher ? table_.king : table_.turn)},
                {"led", table_.in_trick() != 0 ? Value(category_name(table_.led)) : Value(Nothing{})},
                {"tricks", tricks},
                {"leaders", leaders},
                {"takers", takers},
                {"trick_eyes", trick_eyes},
                {"eyes", std::vector<std::int64_t>(table_.eyes.begin(), table_.eyes.end())},
                {"size", std::int64_t{game_->rules().hand}}};
  add_house(out);
  // The two who exchanged cards know them.
  if (game_->rules().poverty) {
    out.emplace_back("down", hand_codes(passed_.down));
    out.emplace_back("back", hand_codes(passed_.back));
  }
  return out;
}

// --- Calls -----------------------------------------------------------------------------------------------------------

inline std::optional<View> View::if_asked() const {
  if (phase_ != Phase::call && phase_ != Phase::card) return std::nullopt;
  const CertainParties parties = parties_seen(table_, hand_, observer_);
  const int party = (parties.re >> observer_ & 1) != 0 ? kRe : kKontra;
  if (!table_.may_call(observer_, party, game_->rules())) return std::nullopt;
  View asked = *this;
  asked.phase_ = Phase::call;
  asked.waits_ = false;
  return asked;
}

inline View View::unasked() const {
  View view = *this;
  if (phase_ == Phase::call) view.phase_ = Phase::card;
  view.waits_ = false;
  return view;
}

}  // namespace kiebitz::doppelkopf
