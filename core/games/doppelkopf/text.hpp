// How Doppelkopf states and views are written: names of actions, a text for people, named values for files.
#pragma once

#include "games/doppelkopf/state.hpp"

namespace kiebitz::doppelkopf {

inline constexpr const char* kPhaseNames[] = {"start", "deal",    "reservation", "call",    "card",
                                              "over",  "poverty", "exchange",    "genscher"};

inline std::string State::name(Action a) const {
  if (phase_ == Phase::start) return "seat " + std::to_string(a);
  if (a < kFirstReservation) return card_name(a);
  if (a < kFirstCall) return reservation_name(a - kFirstReservation);
  if (a == kPass) return "pass";
  if (a == kTake) return "take";
  if (a == kLeave) return "leave";
  if (a >= kKeep) return kAnswers[a - kKeep];
  if (a >= kFirstHouse) return reservation_name(reservation_of(a));
  if (a == kFirstCall) return party_name(side(asked_));
  return step_name(a - kFirstCall + 1);
}

inline int State::kind(Action a) const {
  switch (phase_) {
    case Phase::start:
      return kStartKind;
    case Phase::deal:
      return kDealKind;
    case Phase::reservation:
      return kReservationKind;
    case Phase::call:
      return a == kPass ? kPassKind : kAnnouncementKind;
    case Phase::poverty:
      return a == kTake ? kTakeKind : kLeaveKind;
    case Phase::exchange:
      return kGiveKind;
    case Phase::genscher:
      return (rules().poverty ? kGiveKind + 1 : kTakeKind) + (a == kKeep ? 0 : 1);
    default:
      return kCardKind;
  }
}

inline std::string State::refusal(Action a) const {
  const std::string seat = "seat " + std::to_string(player());
  const bool card = a >= 0 && a < kFirstReservation;
  switch (phase_) {
    case Phase::start:
      return "the start seat is 0 to 3";
    case Phase::deal:
      if (!card) return "only cards are dealt";
      if ((rules().types() >> a & 1) == 0) return "the pack has no nines";
      return "both " + card_name(a) + " have been dealt already";
    case Phase::reservation:
      if (rules().forced == table_.turn) return seat + " has to play its compulsory solo";
      if (a == reservation_action(kWedding)) return "a wedding needs both " + card_name(kClubQueen);
      if (a == reservation_action(kPoverty) && !rules().poverty) return "these rules have no poverty";
      if (a == reservation_action(kThrowIn) && !rules().throw_in) return "these rules have no throw-in";
      if (a == reservation_action(kPoverty)) return "poverty needs a hand with at most three trumps";
      if (a == reservation_action(kThrowIn))
        return "throwing in needs five nines, five kings, eight aces and tens, or no trump above " + card_name(kFox);
      return "expected a reservation or healthy";
    case Phase::poverty:
      return seat + " may take the cards or leave them";
    case Phase::exchange:
      return card ? seat + " does not hold " + card_name(a) : seat + " has to give a card back";
    case Phase::genscher:
      return seat + " may keep its party or choose a partner: left, opposite or right";
    case Phase::call:
      return seat + " may call " + name(kFirstCall + table_.level[static_cast<std::size_t>(side(asked_))]) + " or pass";
    case Phase::card:
      if (!card) return seat + " has to play a card";
      if (copies(hands_[static_cast<std::size_t>(table_.turn)], a) == 0) {
        return seat + " does not hold " + card_name(a);
      }
      return seat + " has to follow " + category_word(table_.led);
    case Phase::over:
      break;
  }
  return "";
}

inline std::string View::phase() const { return kPhaseNames[static_cast<std::size_t>(phase_)]; }

inline std::optional<Action> State::parse(std::string_view text) const {
  switch (phase_) {
    case Phase::start: {
      const std::string word = plain(text);
      const char digit = word.empty() ? ' ' : word.back();
      if (digit < '0' || digit > '3' || (word.size() > 1 && word != std::string("seat") + digit)) return std::nullopt;
      return digit - '0';
    }
    case Phase::deal:
    case Phase::card:
      return parse_card(text);
    case Phase::reservation:
      if (const auto r = parse_reservation(text)) return reservation_action(*r);
      return std::nullopt;
    case Phase::poverty:
      return parse_answer(text);
    case Phase::exchange:
      return parse_card(text);
    case Phase::genscher:
      return parse_partner(text);
    case Phase::call:
      return parse_call(text, side(asked_));
    case Phase::over:
      break;
  }
  return std::nullopt;
}

inline std::string calls_text(const Table& table) {
  std::string out;
  for (int i = 0; i < table.called; ++i) {
    const Call& call = table.calls[static_cast<std::size_t>(i)];
    out += (i == 0 ? "" : ", ") + std::string("seat ") + std::to_string(call.seat) + " " +
           call_name(call.party, call.step);
  }
  return out;
}

// Contract, calls, the trick on the table, eyes so far: what all can see, a line each.
inline std::string table_text(const Table& table) {
  std::string out;
  if (table.named()) {
    out += "contract: " + std::string(contract_name(table.contract));
    if (table.declarer >= 0) out += " of seat " + std::to_string(table.declarer);
    if (table.partner >= 0) out += " with seat " + std::to_string(table.partner);
    for (std::size_t kind = 0; kind < kSwineKinds; ++kind) {
      if (table.swine[kind] >= 0)
        out += ", " + std::string(kSwineNames[kind]) + " at seat " + std::to_string(table.swine[kind]);
    }
    out += "\n";
  }
  bool reserved = false;
  std::string words;
  for (int seat = 0; seat < kSeats; ++seat) {
    const std::uint8_t said = table.said[static_cast<std::size_t>(seat)];
    if (said == kSilent) continue;
    reserved = reserved || said != kHealthy;
    words += (words.empty() ? "" : ", ") + std::string("seat ") + std::to_string(seat) + " " +
             (said == kSomething ? "a reservation" : reservation_name(said));
  }
  if (!words.empty() && (reserved || !table.all_spoken())) out += "said: " + words + "\n";
  if (table.contract == kPoverty) {
    out += "put down: " + std::to_string(table.passed) + " cards";
    if (table.partner >= 0) out += ", taken by seat " + std::to_string(table.partner);
    if (table.solved >= 0) out += ", trumps given back: " + std::to_string(table.trumps_back);
    out += "\n";
  }
  if (table.fixed_re != 0) {
    out += "Genscher: seat " + std::to_string(table.king) + " with seat " +
           std::to_string((table.king + table.genscher) & 3) + ", " + party_name(table.fixed_party(table.king)) + "\n";
  }
  if (table.called > 0) out += "calls: " + calls_text(table) + "\n";
  if (!table.opened()) return out;
  const int first = table.cards & ~3;
  if (first < table.cards) {
    out += "trick " + std::to_string(first / 4 + 1) + ":";
    for (int i = first; i < table.cards; ++i) {
      out += (i == first ? " seat " : ", seat ") + std::to_string(table.seat_at(i)) + " " + card_name(table.card_at(i));
    }
    out += "\n";
  } else if (first > 0) {
    out += "last trick:";
    for (int i = first - 4; i < first; ++i) {
      out += (i == first - 4 ? " seat " : ", seat ") + std::to_string(table.seat_at(i)) + " " +
             card_name(table.card_at(i));
    }
    out += ", taken by seat " + std::to_string(table.taker) + "\n";
  }
  out += "eyes:";
  for (const int eyes : table.eyes) out += " " + std::to_string(eyes);
  return out + "\n";
}

inline std::string exchange_text(Phase phase, const Table& table) {
  const std::string seat = "seat " + std::to_string(table.turn);
  if (phase == Phase::poverty) return seat + " to take the cards or to leave them\n";
  if (phase == Phase::genscher) return "seat " + std::to_string(table.king) + " may choose a partner\n";
  return phase == Phase::exchange ? seat + " to give cards back\n" : "";
}

inline std::string State::text() const {
  std::string out = table_.start < 0 ? "" : "start: seat " + std::to_string(table_.start) + "\n";
  for (int seat = 0; seat < kSeats; ++seat) {
    out += "seat " + std::to_string(seat);
    if (table_.opened()) out += side(seat) == kRe ? " (Re)" : table_.parties_known_late() ? "" : " (Kontra)";
    const std::string cards = hand_names(hands_[static_cast<std::size_t>(seat)], table_.ranking());
    out += ":" + (cards.empty() ? "" : " " + cards) + "\n";
  }
  out += table_text(table_);
  if (phase_ == Phase::call) out += "seat " + std::to_string(asked_) + " is asked for a call\n";
  if (phase_ == Phase::card) out += "seat " + std::to_string(table_.turn) + " to play\n";
  if (phase_ == Phase::reservation) out += "seat " + std::to_string(table_.turn) + " to speak\n";
  return out + exchange_text(phase_, table_);
}

inline std::string View::text() const {
  std::string out = table_.start < 0 ? "" : "start: seat " + std::to_string(table_.start) + "\n";
  const std::string cards = hand_names(hand_, table_.ranking());
  out += "seat " + std::to_string(observer_) + " holds:" + (cards.empty() ? "" : " " + cards) + "\n";
  if (name_ < kNames && name_ != kHealthy && table_.said[static_cast<std::size_t>(observer_)] == kSomething) {
    out += "own reservation: " + std::string(reservation_name(name_)) + "\n";
  }
  out += table_text(table_);
  if (phase_ == Phase::call) out += "seat " + std::to_string(observer_) + " is asked for a call\n";
  if (phase_ == Phase::card) out += "seat " + std::to_string(table_.turn) + " to play\n";
  if (phase_ == Phase::reservation) out += "seat " + std::to_string(table_.turn) + " to speak\n";
  if (exchanged()) {
    const auto cards = [&](Hand hand) { return hand == 0 ? std::string(" -") : " " + hand_names(hand, kOrder[0]); };
    out += "put down:" + cards(passed_.down) + "; given back:" + cards(passed_.back) + "\n";
  }
  if (shown_ != 0)
    out += "shown by seat " + std::to_string(table_.declarer) + ": " + hand_names(shown_, kOrder[0]) + "\n";
  return out + exchange_text(phase_, table_);
}

inline std::string cards_text(const Table& table) {
  std::string out;
  for (int i = 0; i < table.cards; ++i) out += (i == 0 ? "" : " ") + card_code(table.card_at(i));
  return out;
}

// "4:1:re-no90": four cards were on the table, seat 1 said it.
inline std::vector<std::string> call_words(const Table& table) {
  std::vector<std::string> out;
  for (int i = 0; i < table.called; ++i) {
    const Call& call = table.calls[static_cast<std::size_t>(i)];
    out.push_back(std::to_string(call.before) + ":" + std::to_string(call.seat) + ":" +
                  call_name(call.party, call.step));
  }
  return out;
}

inline Hand State::dealt_hand(int seat) const {
  Hand hand = hands_[static_cast<std::size_t>(seat)];
  for (int i = 0; i < table_.cards; ++i) {
    if (table_.seat_at(i) == seat) hand = with(hand, table_.card_at(i));
  }
  if (table_.contract != kPoverty || table_.partner < 0) return hand;
  if (seat == table_.declarer) return joined(parted(hand, back_cards()), down_cards());
  if (seat == table_.partner) return parted(joined(hand, back_cards()), down_cards());
  return hand;
}

// The answer to Genscher; empty: none yet.
inline std::string genscher_word(const Table& table) { return table.genscher < 0 ? "" : kAnswers[table.genscher]; }

inline Fields State::save() const {
  std::vector<std::string> hands;
  std::vector<std::string> said;
  for (int seat = 0; seat < kSeats; ++seat) {
    hands.push_back(hand_codes(dealt_hand(seat)));
    said.push_back(said_word(names_[static_cast<std::size_t>(seat)]));
  }
  Fields out = {{"start", std::int64_t{table_.start}},
                {"hands", hands},
                {"reservations", said},
                {"calls", call_words(table_)},
                {"cards", cards_text(table_)},
                {"asked", std::int64_t{phase_ == Phase::call ? asked_ : -1}}};
  if (rules().poverty) {
    const bool answers = phase_ == Phase::poverty;
    out.emplace_back("answering", std::int64_t{answers ? table_.turn : -1});
    out.emplace_back("taker", std::int64_t{table_.contract == kPoverty ? table_.partner : -1});
    out.emplace_back("back", hand_codes(back_cards()));
  }
  if (rules().genscher) out.emplace_back("genscher", genscher_word(table_));
  return out;
}

inline Fields View::save() const {
  std::vector<std::string> said;
  for (int seat = 0; seat < kSeats; ++seat) said.push_back(said_word(this->said(seat)));
  Fields out = {{"observer", std::int64_t{observer_}},
                {"phase", std::string(waits_ ? "wait" : kPhaseNames[static_cast<std::size_t>(phase_)])},
                {"start", std::int64_t{table_.start}},
                {"dealt", std::int64_t{dealt_}},
                {"hand", hand_codes(hand_)},
                {"reservations", said},
                {"calls", call_words(table_)},
                {"cards", cards_text(table_)},
                {"piglets", std::int64_t{table_.swine[0]}}};
  const Rules& rules = game_->rules();
  for (int kind = 1; kind < rules.swine; ++kind) {
    const auto k = static_cast<std::size_t>(kind);
    out.emplace_back(kSwineNames[k], std::int64_t{table_.swine[k]});
  }
  if (rules.throw_in || rules.poverty) out.emplace_back("shown", hand_codes(shown_));
  if (rules.poverty) {
    const bool poverty = table_.contract == kPoverty;
    out.emplace_back("answering", std::int64_t{phase_ == Phase::poverty ? table_.turn : -1});
    out.emplace_back("taker", std::int64_t{poverty ? table_.partner : -1});
    out.emplace_back("passed", std::int64_t{table_.passed});
    out.emplace_back("returned", std::int64_t{table_.back});
    out.emplace_back("trumps_back", std::int64_t{table_.trumps_back});
    out.emplace_back("down", hand_codes(passed_.down));
    out.emplace_back("back", hand_codes(passed_.back));
  }
  if (rules.genscher) {
    out.emplace_back("genscher", genscher_word(table_));
    out.emplace_back("genscher_party",
                     table_.fixed_re == 0 ? std::string() : std::string(party_name(table_.fixed_party(table_.king))));
  }
  return out;
}

}  // namespace kiebitz::doppelkopf
