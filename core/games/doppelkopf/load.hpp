// Doppelkopf from outside: rule parameters, deals, saved positions and saved views. Positions are replayed and a
// world is found for every view, so only what the rules can produce gets in.
#pragma once

#include "games/doppelkopf/beliefs.hpp"
#include "games/doppelkopf/consistent.hpp"
#include "games/doppelkopf/encoding.hpp"
#include "games/doppelkopf/text.hpp"

namespace kiebitz::doppelkopf {

inline Game::Game(const Fields& parameters) {
  const FieldReader<ParameterError> in(parameters);
  rules_.hand = in.boolean("nines") ? 12 : 10;
  rules_.second_ten = in.boolean("second_ten");
  rules_.piglets = in.boolean("piglets");
  rules_.fox_last = in.boolean("fox_last");
  rules_.charlie_caught = in.boolean("charlie_caught");
  info_.name = "doppelkopf";
  info_.title = "Doppelkopf";
  info_.players = kSeats;
  info_.actions = kActions;
  info_.max_legal = kTypes;
  // Start seat, deal, reservations, cards; before each card everybody can pass once, and once more after each call.
  info_.max_length = 1 + 2 * rules_.deck() + kSeats + kSeats * rules_.deck() + (kSeats + 1) * kMostCalls;
  info_.max_payoff = 63;
  info_.min_payoff = -63;
  info_.utility = Utility::zero_sum;
  info_.hidden = true;
  info_.chance = true;
  info_.branching = 3.08;
  info_.log10_states = 39.4;
  info_.tensor_size = kTensorSize;
  info_.beliefs = {"exact", "cap", "cap_random"};
  info_.kinds = {{"start", "start", ""},       {"deal", "deal", ""}, {"reservation", "reservation", ""},
                 {"announcement", "call", ""}, {"pass", "call", ""}, {"card", "card", ""}};
  info_.decline = kPass;
  for (Action call = kFirstCall; call < kPass; ++call) info_.calls.push_back(call);
}

inline std::vector<Parameter> Game::parameters() {
  return {{"nines",
           "play with nines (48 cards); without them the pack has 40 and calls need two cards less",
           true,
           0,
           0,
           {}},
          {"second_ten", "the second ten of hearts beats the first", false, 0, 0, {}},
          {"piglets",
           "a seat dealt both diamond aces shows it before the first card: they are the highest trumps and no foxes, "
           "where diamonds are trumps",
           false,
           0,
           0,
           {}},
          {"fox_last", "one point for taking the last trick with the diamond ace", false, 0, 0, {}},
          {"charlie_caught", "one point for taking a club jack of the other party in the last trick", false, 0, 0, {}}};
}

inline std::vector<Preset> Game::presets() {
  return {{"thesis", "tournament rules as the thesis plays them: no house rules", {}}};
}

// Cards in any notation, separated by blanks or commas.
template <class E>
std::vector<int> read_cards(const std::string& text, const Rules& rules, const std::string& what, std::size_t most) {
  std::vector<int> out;
  std::size_t i = 0;
  while (i < text.size()) {
    if (text[i] == ' ' || text[i] == ',') {
      ++i;
      continue;
    }
    const std::size_t end = std::min(text.find_first_of(" ,", i), text.size());
    const auto card = parse_card(std::string_view(text).substr(i, end - i));
    if (!card)
      throw E(what + ": '" + excerpt(text.substr(i, end - i), 20) + "' is not a card; expected such as CQ or HT");
    if ((rules.types() >> *card & 1) == 0) throw E(what + ": " + card_code(*card) + ": these rules play without nines");
    if (out.size() == most) throw E(what + ": expected at most " + std::to_string(most) + " cards");
    out.push_back(*card);
    i = end;
  }
  std::array<int, kTypes> seen{};
  for (const int card : out) {
    if (++seen[static_cast<std::size_t>(card)] > 2)
      throw E(what + ": the card " + card_code(card) + " appears three times");
  }
  return out;
}

inline std::vector<Action> Game::deal(const std::vector<std::string>& hands, int start) const {
  if (start < 0 || start >= kSeats) throw PositionError("start: expected a seat, 0 to 3, got " + std::to_string(start));
  if (hands.size() != kSeats) throw PositionError("hands: expected 4, got " + std::to_string(hands.size()));
  std::vector<Action> actions = {start};
  std::array<int, kTypes> seen{};
  for (std::size_t seat = 0; seat < kSeats; ++seat) {
    const std::string what = "hands: seat " + std::to_string(seat);
    auto cards = read_cards<PositionError>(hands[seat], rules_, what, kMostCards);
    if (static_cast<int>(cards.size()) != rules_.hand) {
      throw PositionError(what + ": expected " + std::to_string(rules_.hand) + " cards, got " +
                          std::to_string(cards.size()));
    }
    std::sort(cards.begin(), cards.end());
    for (const int card : cards) {
      if (++seen[static_cast<std::size_t>(card)] > 2)
        throw PositionError("hands: the card " + card_code(card) + " was dealt three times");
      actions.push_back(card);
    }
  }
  return actions;
}

namespace detail {

struct SavedCall {
  int before;
  int seat;
  int party;
  int step;
};

// "4:1:re-no90".
template <class E>
SavedCall read_call(const std::string& text) {
  const auto fail = [&]() -> SavedCall {
    throw E("calls: expected such as '4:1:re-no90' (cards on the table, seat, call), got '" + excerpt(text, 30) + "'");
  };
  const std::size_t a = text.find(':');
  const std::size_t b = a == std::string::npos ? a : text.find(':', a + 1);
  if (b == std::string::npos || a == 0 || a > 2 || b != a + 2) return fail();
  int before = 0;
  for (std::size_t i = 0; i < a; ++i) {
    if (text[i] < '0' || text[i] > '9') return fail();
    before = 10 * before + (text[i] - '0');
  }
  const char seat = text[a + 1];
  if (seat < '0' || seat > '3' || before >= kMostCards) return fail();
  for (int party = 0; party < 2; ++party) {
    for (int step = 1; step <= kSteps; ++step) {
      if (call_name(party, step) == text.substr(b + 1)) return {before, seat - '0', party, step};
    }
  }
  return fail();
}

template <class E>
std::uint8_t read_said(const std::string& word, bool hidden_allowed) {
  if (word == "-") return kSilent;
  if (word == "hidden" && hidden_allowed) return kSomething;
  for (int r = 0; r < kReservations; ++r) {
    if (word == reservation_name(r)) return static_cast<std::uint8_t>(r);
  }
  throw E("reservations: expected such as healthy, wedding, solo-hearts or -, got '" + excerpt(word, 30) + "'");
}

}  // namespace detail

inline State Game::load(const Fields& fields) const {
  const FieldReader<PositionError> in(fields);
  in.only({"start", "hands", "reservations", "calls", "cards", "asked"});
  const auto start = static_cast<int>(in.integer("start", -1, kSeats - 1));
  const auto hands = in.texts("hands", kSeats, kSeats);
  const auto words = in.texts("reservations", kSeats, kSeats);
  const auto call_texts = in.texts("calls", 0, kMostCalls);
  const auto played = read_played<PositionError>(in.text("cards"));
  const auto asked = static_cast<int>(in.integer("asked", -1, kSeats - 1));

  State state = root();
  bool short_hand = start < 0;
  if (start >= 0) state.apply(start);
  for (std::size_t seat = 0; seat < kSeats; ++seat) {
    auto cards = read_cards<PositionError>(hands[seat], rules_, "hands: seat " + std::to_string(seat),
                                           static_cast<std::size_t>(rules_.hand));
    if (short_hand && !cards.empty())
      throw PositionError("hands: seat " + std::to_string(seat) + " has cards before the seats before it have theirs");
    short_hand = short_hand || static_cast<int>(cards.size()) < rules_.hand;
    std::sort(cards.begin(), cards.end());
    for (const int card : cards) {
      int copies_left = 2;
      for (const Hand hand : state.hands_) copies_left -= copies(hand, card);
      if (copies_left == 0) throw PositionError("hands: the card " + card_code(card) + " was dealt three times");
      state.apply(card);
    }
  }
  for (int i = 0; i < kSeats; ++i) {
    const auto seat = static_cast<std::size_t>((std::max(start, 0) + i) & 3);
    const std::uint8_t said = detail::read_said<PositionError>(words[seat], false);
    if (said == kSilent) break;
    if (state.phase_ != Phase::reservation)
      throw PositionError("reservations: seat " + std::to_string(seat) + " spoke before all cards were dealt");
    if (said == kWedding && copies(state.hands_[seat], kClubQueen) < 2) {
      throw PositionError("reservations: a wedding needs both club queens, seat " + std::to_string(seat) +
                          " has not got them");
    }
    state.speak(said);
  }
  for (std::size_t seat = 0; seat < kSeats; ++seat) {
    if (words[seat] != said_word(state.names_[seat]))
      throw PositionError("reservations: the seats speak in turn from the start seat");
  }
  std::vector<detail::SavedCall> calls;
  for (const auto& text : call_texts) calls.push_back(detail::read_call<PositionError>(text));

  // Passes are not saved: a seat that is asked passes unless the next call is its own.
  std::size_t card = 0;
  std::size_t call = 0;
  while (state.phase_ == Phase::call || state.phase_ == Phase::card) {
    if (state.phase_ == Phase::call) {
      if (call < calls.size() && calls[call].before == state.table_.cards && calls[call].seat == state.asked_) {
        const int party = state.side(state.asked_);
        if (calls[call].party != party || calls[call].step != state.table_.level[static_cast<std::size_t>(party)] + 1) {
          throw PositionError("calls: seat " + std::to_string(calls[call].seat) + " could say " +
                              call_name(party, state.table_.level[static_cast<std::size_t>(party)] + 1) +
                              " only, not '" + call_texts[call] + "'");
        }
        state.apply(kFirstCall + calls[call++].step - 1);
      } else if (card == played.size() && call == calls.size() && asked == state.asked_) {
        return state;
      } else {
        state.apply(kPass);
      }
      continue;
    }
    if (card == played.size()) break;
    const int next = played[card];
    if ((state.playable() >> next & 1) == 0) {
      const bool held = copies(state.hands_[static_cast<std::size_t>(state.table_.turn)], next) > 0;
      throw PositionError("cards: card " + std::to_string(card + 1) + ", " + card_code(next) + ": seat " +
                          std::to_string(state.table_.turn) + (held ? " must follow" : " does not hold it"));
    }
    state.apply(next);
    ++card;
  }
  if (card < played.size())
    throw PositionError("cards: expected none before all have spoken and none after the last trick");
  if (call < calls.size())
    throw PositionError("calls: '" + call_texts[call] +
                        "' was not possible then: too late, or not this seat's turn to speak");
  if (asked >= 0) throw PositionError("asked: seat " + std::to_string(asked) + " has nothing to say here");
  return state;
}

// Cards on the table, at most the whole pack.
template <class E>
std::vector<int> Game::read_played(const std::string& text) const {
  return read_cards<E>(text, rules_, "cards", static_cast<std::size_t>(rules_.deck()));
}

inline View Game::load_view(const Fields& fields) const {
  const FieldReader<ViewError> in(fields);
  in.only({"observer", "phase", "start", "dealt", "hand", "reservations", "calls", "cards", "piglets"});
  View v;
  v.game_ = this;
  v.observer_ = static_cast<std::int8_t>(in.integer("observer", 0, kSeats - 1));
  const auto own = static_cast<std::size_t>(v.observer_);
  const std::string& phase = in.text("phase");
  const auto* const known = std::find(std::begin(kPhaseNames), std::end(kPhaseNames), phase == "wait" ? "card" : phase);
  if (known == std::end(kPhaseNames))
    throw ViewError("phase: expected start, deal, reservation, call, card, wait or over, got '" + excerpt(phase, 30) +
                    "'");
  v.phase_ = static_cast<Phase>(known - std::begin(kPhaseNames));
  v.waits_ = phase == "wait";
  v.dealt_ = static_cast<std::uint8_t>(in.integer("dealt", 0, rules_.deck()));
  const auto start = static_cast<std::int8_t>(in.integer("start", -1, kSeats - 1));
  if ((start < 0) != (v.phase_ == Phase::start))
    throw ViewError("start: drawn at the very beginning, expected it to agree with phase");
  v.table_.start = v.table_.turn = start;
  const auto hand = read_cards<ViewError>(in.text("hand"), rules_, "hand", static_cast<std::size_t>(rules_.hand));
  for (const int card : hand) v.hand_ = with(v.hand_, card);
  const auto words = in.texts("reservations", kSeats, kSeats);
  const auto call_texts = in.texts("calls", 0, kMostCalls);
  const auto played = read_played<ViewError>(in.text("cards"));
  const auto piglets = static_cast<int>(in.integer("piglets", -1, kSeats - 1));

  if (v.dealt_ < rules_.deck() ? v.phase_ > Phase::deal : v.phase_ <= Phase::deal)
    throw ViewError("dealt: does not agree with phase");
  const int own_dealt = std::clamp(v.dealt_ - rules_.hand * v.observer_, 0, rules_.hand);
  std::array<std::uint8_t, kSeats> said{};
  for (std::size_t seat = 0; seat < kSeats; ++seat) said[seat] = detail::read_said<ViewError>(words[seat], seat != own);
  Table& table = v.table_;
  v.name_ = said[own];
  for (int i = 0; i < kSeats && start >= 0; ++i) {
    const auto seat = static_cast<std::size_t>((start + i) & 3);
    if (said[seat] == kSilent) break;
    if (v.phase_ < Phase::reservation) throw ViewError("reservations: spoken before all cards were dealt");
    table.said[seat] = said[seat] == kHealthy ? std::uint8_t{kHealthy} : kSomething;
    table.turn = static_cast<std::int8_t>((table.turn + 1) & 3);
  }
  for (std::size_t seat = 0; seat < kSeats; ++seat) {
    if ((said[seat] == kSilent) != (table.said[seat] == kSilent))
      throw ViewError("reservations: the seats speak in turn from the start seat");
  }
  const bool spoken = start >= 0 && table.all_spoken();
  if (spoken != (v.phase_ > Phase::reservation)) throw ViewError("phase: does not agree with the reservations");
  if (spoken) {
    table.open(said);
    for (int i = 0, declared = 0; i < kSeats; ++i) {
      const auto seat = static_cast<std::size_t>((start + i) & 3);
      if (static_cast<int>(seat) == table.declarer && table.contract >= kFirstSolo) declared = 1;
      const bool shown_solo = said[seat] >= kFirstSolo && said[seat] < kReservations && seat != own;
      if (shown_solo && table.said[seat] != said[seat])
        throw ViewError("reservations: only the first solo in speaking order is shown");
      if (table.said[seat] == kSomething && declared == 0)
        throw ViewError("reservations: what stays hidden is a solo after the one that is played");
    }
  } else {
    for (std::size_t seat = 0; seat < kSeats; ++seat) {
      if (seat != own && said[seat] != kHealthy && said[seat] != kSomething && said[seat] != kSilent) {
        throw ViewError("reservations: names are hidden until all have spoken");
      }
    }
  }
  if (piglets >= 0) {
    if (!rules_.piglets || !spoken || table.order != 0) throw ViewError("piglets: not possible in this game");
    table.piglets = static_cast<std::int8_t>(piglets);
    table.order = kPigletOrder;
  }

  // Calls and cards in turn, checked by what everybody at the table could see.
  std::array<std::uint32_t, kSeats> missing{};
  std::size_t call = 0;
  Hand own_played = 0;
  const auto add_calls = [&] {
    for (; call < call_texts.size(); ++call) {
      const auto saved = detail::read_call<ViewError>(call_texts[call]);
      if (saved.before != table.cards) break;
      const auto refuse = [&](const char* why) { throw ViewError("calls: '" + call_texts[call] + "': " + why); };
      if (!spoken || table.parties_known_late()) refuse("nobody may call yet");
      if (table.level[static_cast<std::size_t>(saved.party)] + 1 != saved.step)
        refuse("only the next step of the party can be called");
      if (table.held(saved.seat, rules_) < table.limit(saved.party, rules_)) refuse("it came too late");
      const int before = called_party(table, saved.seat);
      if (before >= 0 && before != saved.party) refuse("a seat cannot speak for both parties");
      const bool lone = table.contract != kNormal;
      if (lone && (saved.party == kRe) != (saved.seat == table.declarer || saved.seat == table.partner))
        refuse("this seat belongs to the other party");
      table.add_call(saved.seat, saved.party);
    }
  };
  for (const int card : played) {
    if (!spoken) throw ViewError("cards: played before all have spoken");
    add_calls();
    const auto seat = static_cast<std::size_t>(table.turn);
    if ((missing[seat] >> card & 1) != 0) {
      throw ViewError("cards: seat " + std::to_string(seat) + " plays " + card_code(card) +
                      " after it did not follow that suit or trump");
    }
    const auto category = table.ranking().category[static_cast<std::size_t>(card)];
    if (table.in_trick() != 0 && category != table.led) missing[seat] |= table.ranking().cards[table.led];
    if (seat == own) own_played = with(own_played, card);
    table.add_card(card, rules_);
  }
  if (v.phase_ != Phase::over) add_calls();
  if (call < call_texts.size())
    throw ViewError("calls: '" + call_texts[call] + "' comes after the last card or out of order");
  if ((table.cards == rules_.deck()) != (v.phase_ == Phase::over))
    throw ViewError("phase: does not agree with the cards on the table");
  if (v.waits_ && table.turn != v.observer_) throw ViewError("phase: it waits only where the observer's card is next");
  if (count(v.hand_) + count(own_played) != own_dealt) {
    throw ViewError("hand: expected " + std::to_string(own_dealt - count(own_played)) + " cards, got " +
                    std::to_string(count(v.hand_)));
  }
  if ((types(v.hand_) & missing[own]) != 0)
    throw ViewError("hand: holds a card that should have been played to follow");
  const auto own_copies = [&](int card) { return copies(v.hand_, card) + copies(own_played, card); };
  if (v.name_ == kWedding && own_copies(kClubQueen) < 2)
    throw ViewError("reservations: a wedding needs both club queens");
  const int party = spoken && table.contract == kNormal ? called_party(table, v.observer_) : -1;
  if (party >= 0 && (party == kRe) != (own_copies(kClubQueen) > 0))
    throw ViewError("calls: the observer's call does not agree with its club queens");
  const bool foxes_shown = rules_.piglets && spoken && (table.order == 0 || table.order == kPigletOrder);
  if (foxes_shown && (own_copies(kFox) == 2) != (table.piglets == v.observer_))
    throw ViewError("piglets: do not agree with the observer's hand");

  // Some world must look like this.
  Rng rng(0);
  const State world = sample(v, rng);
  if (v.phase_ == Phase::call && !world.can_speak(v.observer_))
    throw ViewError("phase: the observer has nothing to call here");
  if (const std::string broken = inconsistency(v, world); !broken.empty()) {
    throw ViewError("no deal explains this view: " + broken);
  }
  return v;
}

}  // namespace kiebitz::doppelkopf
