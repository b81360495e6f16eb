// Doppelkopf from outside: rule parameters, deals, saved positions and saved views. Positions are replayed and a
// world is found for every view, so only what the rules can produce gets in.
#pragma once

#include "games/doppelkopf/beliefs.hpp"
#include "games/doppelkopf/consistent.hpp"
#include "games/doppelkopf/encoding.hpp"
#include "games/doppelkopf/text.hpp"

namespace kiebitz::doppelkopf {

inline constexpr int kMostWorth = 8;

inline Game::Game(const Fields& parameters) {
  const FieldReader<ParameterError> in(parameters);
  rules_.hand = in.boolean("nines") ? 12 : 10;
  rules_.second_ten = in.boolean("second_ten");
  for (const char* const kind : kSwineNames) {
    if (!in.boolean(kind)) break;
    ++rules_.swine;
  }
  rules_.swine_when_played = rules_.swine > 0 && in.boolean("piglets_when_played");
  rules_.fox_last = in.boolean("fox_last");
  rules_.charlie_caught = in.boolean("charlie_caught");
  rules_.throw_in = in.boolean("throw_in");
  rules_.poverty = in.boolean("poverty");
  rules_.solo_ranking = in.boolean("solo_ranking");
  rules_.soloist_leads = in.boolean("soloist_leads");
  rules_.genscher = in.boolean("genscher");
  rules_.bock_hearts = in.boolean("bock_hearts");
  rules_.forced = static_cast<int>(in.integer("forced", -1, kSeats - 1));
  rules_.worth = static_cast<int>(in.integer("worth", 1, kMostWorth));
  for (const std::int64_t seat : in.integers("owed", 0, kSeats - 1, 0, kSeats)) rules_.owed |= 1U << seat;
  if (rules_.forced >= 0 && (rules_.owed >> rules_.forced & 1) == 0)
    throw ParameterError("forced: expected a seat that owes a solo (owed), got " + std::to_string(rules_.forced));
  info_.name = "doppelkopf";
  info_.title = "Doppelkopf";
  info_.players = kSeats;
  const bool house = rules_.throw_in || rules_.poverty;
  info_.actions = rules_.genscher ? kGenscherActions : house ? kHouseActions : kActions;
  info_.max_legal = kTypes;
  // Start seat, deal, reservations, cards; before each card everybody can pass once, and once more after each call.
  info_.max_length = 1 + 2 * rules_.deck() + kSeats + kSeats * rules_.deck() + (kSeats + 1) * kMostCalls;
  if (rules_.poverty) info_.max_length += kSeats - 1 + kMostPassed;
  if (rules_.genscher) ++info_.max_length;
  info_.max_payoff = 63 * rules_.worth;
  info_.min_payoff = -63 * rules_.worth;
  info_.utility = Utility::zero_sum;
  info_.hidden = true;
  info_.chance = true;
  info_.branching = 3.08;
  info_.log10_states = 39.4;
  info_.tensor_size = tensor_size(rules_);
  info_.beliefs = {"exact", "cap", "cap_random"};
  info_.kinds = {{"start", "start", ""},       {"deal", "deal", ""}, {"reservation", "reservation", ""},
                 {"announcement", "call", ""}, {"pass", "call", ""}, {"card", "card", ""}};
  if (rules_.poverty) {
    info_.kinds.insert(info_.kinds.end(),
                       {{"take", "poverty", ""}, {"leave", "poverty", ""}, {"give", "exchange", ""}});
  }
  if (rules_.genscher) info_.kinds.insert(info_.kinds.end(), {{"keep", "genscher", ""}, {"partner", "genscher", ""}});
  info_.decline = kPass;
  for (Action call = kFirstCall; call < kPass; ++call) info_.calls.push_back(call);
}

inline std::vector<Parameter> Game::parameters() {
  return {
      {"nines",
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
      {"charlie_caught", "one point for taking a club jack of the other party in the last trick", false, 0, 0, {}},
      {"superpiglets",
       "both diamond nines in one hand rank above piglets, if there are any; without nines both diamond kings",
       false,
       0,
       0,
       {}},
      {"hyperpiglets",
       "both diamond kings in one hand rank above superpiglets, if there are any; without nines both diamond jacks",
       false,
       0,
       0,
       {}},
      {"piglets_when_played",
       "piglets are not shown before the first card: their player announces them with the first of both cards, and "
       "they count from then on; a further kind comes into play only if the one below it is",
       false,
       0,
       0,
       {}},
      {"throw_in",
       "a hand with five nines, five kings, eight aces and tens, or no trump above a fox may be thrown in: the deal "
       "ends without points",
       false,
       0,
       0,
       {}},
      {"poverty",
       "a hand with at most three trumps may put them down: who takes them gives as many cards back and is the "
       "partner; if nobody does, the deal ends without points",
       false,
       0,
       0,
       {}},
      {"solo_ranking",
       "of several solos the highest is played: no-trump, queens, jacks, clubs, spades, hearts, diamonds; otherwise "
       "the first in speaking order",
       false,
       0,
       0,
       {}},
      {"soloist_leads", "the soloist leads to the first trick; otherwise the start seat", false, 0, 0, {}},
      {"genscher",
       "with the second of both diamond kings a player of a normal game may choose the partner, except in the last "
       "trick: the two stay what this player is, Re or Kontra",
       false,
       0,
       0,
       {}},
      {"bock", "in a series: after 120 to 120 eyes the next four deals count twice", false, 0, 0, {}},
      {"bock_solo", "in a series: after a solo that was lost the next four deals count twice", false, 0, 0, {}},
      {"bock_hearts", "in a series: after a trick of four hearts the next four deals count twice", false, 0, 0, {}},
      {"owed",
       "seats that owe a compulsory solo: their solos go before those of others, and they lead in them",
       std::vector<std::int64_t>{},
       0,
       kSeats - 1,
       {}},
      {"forced",
       "the seat that has to play its compulsory solo in this deal; -1: nobody",
       std::int64_t{-1},
       -1,
       kSeats - 1,
       {}},
      {"worth", "all points count so many times: 2 in a Bock round", std::int64_t{1}, 1, kMostWorth, {}}};
}

inline std::vector<Preset> Game::presets() {
  return {{"thesis", "tournament rules as the thesis plays them: no house rules", {}},
          {"tournament",
           "the association's rules at the beginning of a list: everybody owes a compulsory solo",
           {{"owed", std::vector<std::int64_t>{0, 1, 2, 3}}}},
          {"beginner",
           "short evenings for beginners: 40 cards, bad hands are thrown in, the soloist leads",
           {{"nines", false}, {"throw_in", true}, {"soloist_leads", true}}},
          {"club",
           "house rules as most clubs have them: poverty, bad hands, piglets, the second ten, points of the last trick",
           {{"second_ten", true},
            {"piglets", true},
            {"superpiglets", true},
            {"fox_last", true},
            {"charlie_caught", true},
            {"throw_in", true},
            {"poverty", true},
            {"solo_ranking", true},
            {"soloist_leads", true},
            {"bock", true},
            {"bock_solo", true},
            {"bock_hearts", true}}}};
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

// The answer to Genscher; -1: none yet.
template <class E>
int read_genscher(const std::string& word) {
  for (int answer = 0; answer < kSeats; ++answer) {
    if (word == kAnswers[answer]) return answer;
  }
  if (!word.empty())
    throw E("genscher: expected keep, left, opposite, right or nothing, got '" + excerpt(word, 30) + "'");
  return -1;
}

template <class E>
std::uint8_t read_said(const std::string& word, bool hidden_allowed) {
  if (word == "-") return kSilent;
  if (word == "hidden" && hidden_allowed) return kSomething;
  for (int r = 0; r < kNames; ++r) {
    if (word == reservation_name(r)) return static_cast<std::uint8_t>(r);
  }
  throw E("reservations: expected such as healthy, wedding, solo-hearts or -, got '" + excerpt(word, 30) + "'");
}

}  // namespace detail

// Answers and cards given back in poverty.
inline void Game::load_exchange(const FieldReader<PositionError>& in, State& state) const {
  const auto answering = static_cast<int>(in.integer("answering", -1, kSeats - 1));
  const auto taker = static_cast<int>(in.integer("taker", -1, kSeats - 1));
  const auto back = read_cards<PositionError>(in.text("back"), rules_, "back", kMostPassed);
  while (state.phase_ == Phase::poverty && state.table_.turn != answering) {
    state.apply(state.table_.turn == taker ? kTake : kLeave);
  }
  if ((state.phase_ == Phase::poverty) != (answering >= 0))
    throw PositionError("answering: seat " + std::to_string(answering) + " is not asked to take the cards");
  if (state.table_.exchange_partner() != taker)
    throw PositionError("taker: seat " + std::to_string(taker) + " could not take the cards");
  for (const int card : back) {
    if (state.phase_ != Phase::exchange) throw PositionError("back: more cards than were put down");
    if (copies(state.hands_[static_cast<std::size_t>(taker)], card) == 0)
      throw PositionError("back: seat " + std::to_string(taker) + " does not hold " + card_code(card));
    state.apply(card);
  }
}

inline State Game::load(const Fields& fields) const {
  const FieldReader<PositionError> in(fields);
  std::vector<std::string_view> known = {"start", "hands", "reservations", "calls", "cards", "asked"};
  if (rules_.poverty) known.insert(known.end(), {"answering", "taker", "back"});
  if (rules_.genscher) known.emplace_back("genscher");
  in.only(known);
  const auto start = static_cast<int>(in.integer("start", -1, kSeats - 1));
  const auto hands = in.texts("hands", kSeats, kSeats);
  const auto words = in.texts("reservations", kSeats, kSeats);
  const auto call_texts = in.texts("calls", 0, kMostCalls);
  const auto played = read_played<PositionError>(in.text("cards"));
  const auto asked = static_cast<int>(in.integer("asked", -1, kSeats - 1));
  const int chosen = rules_.genscher ? detail::read_genscher<PositionError>(in.text("genscher")) : -1;

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
    if (!state.may_say(said)) {
      throw PositionError("reservations: seat " + std::to_string(seat) + ": " +
                          state.refusal(reservation_action(said)));
    }
    state.speak(said);
  }
  for (std::size_t seat = 0; seat < kSeats; ++seat) {
    if (words[seat] != said_word(state.names_[seat]))
      throw PositionError("reservations: the seats speak in turn from the start seat");
  }
  if (rules_.poverty) load_exchange(in, state);
  std::vector<detail::SavedCall> calls;
  for (const auto& text : call_texts) calls.push_back(detail::read_call<PositionError>(text));

  // Passes are not saved: a seat that is asked passes unless the next call is its own.
  std::size_t card = 0;
  std::size_t call = 0;
  while (state.phase_ == Phase::call || state.phase_ == Phase::card ||
         (state.phase_ == Phase::genscher && chosen >= 0)) {
    if (state.phase_ == Phase::genscher) {
      state.apply(kKeep + chosen);
      continue;
    }
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
  if (chosen != state.table_.genscher) throw PositionError("genscher: nobody has been asked");
  return state;
}

// Cards on the table, at most the whole pack.
template <class E>
std::vector<int> Game::read_played(const std::string& text) const {
  return read_cards<E>(text, rules_, "cards", static_cast<std::size_t>(rules_.deck()));
}

// What a view says about the exchange of poverty; how it agrees with the cards is checked with the rest.
inline void Game::load_exchange(const FieldReader<ViewError>& in, View& v) const {
  Table& table = v.table_;
  const auto answering = static_cast<int>(in.integer("answering", -1, kSeats - 1));
  const auto taker = static_cast<int>(in.integer("taker", -1, kSeats - 1));
  const auto number = [&](const char* name) { return static_cast<std::uint8_t>(in.integer(name, 0, kMostPassed)); };
  const bool poverty = table.contract == kPoverty;
  if (!poverty && (v.phase_ == Phase::poverty || v.phase_ == Phase::exchange || taker >= 0 || answering >= 0))
    throw ViewError("phase: expected poverty to be played where cards are exchanged");
  table.passed = number("passed");
  table.back = number("returned");
  table.trumps_back = number("trumps_back");
  for (const int card : read_cards<ViewError>(in.text("down"), rules_, "down", kMostPassed))
    v.passed_.down = with(v.passed_.down, card);
  for (const int card : read_cards<ViewError>(in.text("back"), rules_, "back", kMostPassed))
    v.passed_.back = with(v.passed_.back, card);
  const auto refuse = [](const char* why) { throw ViewError(std::string("exchange: ") + why); };
  if (!poverty) {
    if (table.passed + table.back + table.trumps_back + count(v.passed_.down) + count(v.passed_.back) > 0)
      refuse("nothing was put down");
    return;
  }
  // The seats from the poor one on say no until one takes the cards.
  while (table.turn != table.declarer && table.turn != answering && table.turn != taker)
    table.ask_for_partner(table.turn);
  if (answering >= 0 && (v.phase_ != Phase::poverty || table.turn != answering || taker >= 0))
    refuse("this seat is not asked to take the cards");
  if (taker >= 0 && (table.turn != taker || taker == table.declarer)) refuse("this seat could not take the cards");
  const bool nobody = table.turn == table.declarer;
  if ((v.phase_ == Phase::poverty) != (answering >= 0) || (nobody && v.phase_ != Phase::over))
    refuse("phase does not agree");
  table.partner = static_cast<std::int8_t>(taker);
  if (table.back > table.passed || table.trumps_back > table.back) refuse("more came back than was put down");
  const bool done = taker >= 0 && v.phase_ != Phase::exchange;
  if (taker < 0 ? table.back > 0 : done != (table.back == table.passed)) refuse("phase does not agree with the cards");
  if (!done && table.trumps_back > 0) refuse("nobody knows the trumps before all cards are back");
  const bool knows = v.exchanged();
  if (count(v.passed_.down) != (knows ? table.passed : 0) || count(v.passed_.back) != (knows ? table.back : 0))
    refuse("down and back are known to the two seats that exchanged the cards");
  if ((types(v.passed_.down) & ~kTrumps) != 0) refuse("only trumps are put down");
  if (done && knows && count_of(v.passed_.back, kTrumps) != table.trumps_back)
    refuse("trumps_back does not agree with back");
  if (done) {
    table.solved = 0;
    table.turn = table.start;
  }
}

inline View Game::load_view(const Fields& fields) const {
  const FieldReader<ViewError> in(fields);
  std::vector<std::string_view> fields_known = {"observer",     "phase", "start", "dealt",  "hand",
                                                "reservations", "calls", "cards", "piglets"};
  for (std::size_t kind = 1; kind < static_cast<std::size_t>(rules_.swine); ++kind) {
    fields_known.emplace_back(kSwineNames[kind]);
  }
  if (rules_.throw_in || rules_.poverty) fields_known.emplace_back("shown");
  if (rules_.poverty) {
    fields_known.insert(fields_known.end(),
                        {"answering", "taker", "passed", "returned", "trumps_back", "down", "back"});
  }
  if (rules_.genscher) fields_known.insert(fields_known.end(), {"genscher", "genscher_party"});
  in.only(fields_known);
  View v;
  v.game_ = this;
  v.observer_ = static_cast<std::int8_t>(in.integer("observer", 0, kSeats - 1));
  const auto own = static_cast<std::size_t>(v.observer_);
  const std::string& phase = in.text("phase");
  const auto* const known = std::find(std::begin(kPhaseNames), std::end(kPhaseNames), phase == "wait" ? "card" : phase);
  if (known == std::end(kPhaseNames))
    throw ViewError(
        "phase: expected start, deal, reservation, call, card, wait, over or, by house rules, poverty, exchange or "
        "genscher, got '" +
        excerpt(phase, 30) + "'");
  v.phase_ = static_cast<Phase>(known - std::begin(kPhaseNames));
  v.waits_ = phase == "wait";
  v.dealt_ = static_cast<std::uint8_t>(in.integer("dealt", 0, rules_.deck()));
  const auto start = static_cast<std::int8_t>(in.integer("start", -1, kSeats - 1));
  if ((start < 0) != (v.phase_ == Phase::start))
    throw ViewError("start: drawn at the very beginning, expected it to agree with phase");
  v.table_.start = v.table_.turn = start;
  const auto hand = read_cards<ViewError>(in.text("hand"), rules_, "hand",
                                          static_cast<std::size_t>(rules_.hand) + (rules_.poverty ? kMostPassed : 0));
  for (const int card : hand) v.hand_ = with(v.hand_, card);
  const auto words = in.texts("reservations", kSeats, kSeats);
  const auto call_texts = in.texts("calls", 0, kMostCalls);
  const auto played = read_played<ViewError>(in.text("cards"));

  if (v.phase_ > Phase::over && !(v.phase_ == Phase::genscher ? rules_.genscher : rules_.poverty))
    throw ViewError("phase: these rules have no " + phase);
  if (v.dealt_ < rules_.deck() ? v.phase_ > Phase::deal : v.phase_ <= Phase::deal)
    throw ViewError("dealt: does not agree with phase");
  int own_dealt = std::clamp(v.dealt_ - rules_.hand * v.observer_, 0, rules_.hand);
  std::array<std::uint8_t, kSeats> said{};
  for (std::size_t seat = 0; seat < kSeats; ++seat) said[seat] = detail::read_said<ViewError>(words[seat], seat != own);
  Table& table = v.table_;
  v.name_ = said[own];
  for (int i = 0; i < kSeats && start >= 0; ++i) {
    const auto seat = static_cast<std::size_t>((start + i) & 3);
    if (said[seat] == kSilent) break;
    if (v.phase_ < Phase::reservation) throw ViewError("reservations: spoken before all cards were dealt");
    if ((said[seat] == kPoverty && !rules_.poverty) || (said[seat] == kThrowIn && !rules_.throw_in))
      throw ViewError("reservations: these rules have no " + words[seat]);
    if (rules_.forced == static_cast<int>(seat) && said[seat] != kSomething && !is_solo(said[seat]))
      throw ViewError("reservations: seat " + std::to_string(seat) + " has to play its compulsory solo");
    if (said[seat] == kThrowIn) {
      table.said[seat] = table.contract = kThrowIn;
      table.declarer = table.turn;
      break;
    }
    table.said[seat] = said[seat] == kHealthy ? std::uint8_t{kHealthy} : kSomething;
    table.turn = static_cast<std::int8_t>((table.turn + 1) & 3);
  }
  for (std::size_t seat = 0; seat < kSeats; ++seat) {
    if ((said[seat] == kSilent) != (table.said[seat] == kSilent))
      throw ViewError("reservations: the seats speak in turn from the start seat");
  }
  const bool thrown_in = table.contract == kThrowIn;
  const bool spoken = start >= 0 && table.named();
  if ((spoken || thrown_in) != (v.phase_ > Phase::reservation))
    throw ViewError("phase: does not agree with the reservations");
  if (spoken) {
    table.open(said, rules_);
    for (std::size_t seat = 0; seat < kSeats; ++seat) {
      const bool shown_solo = is_solo(said[seat]) && seat != own;
      if (shown_solo && table.said[seat] != said[seat])
        throw ViewError("reservations: only the first solo in speaking order is shown");
      bool hides = table.said[seat] != kSomething;
      for (int solo = kFirstSolo; solo < kReservations; ++solo) {
        hides = hides || table.hides(static_cast<int>(seat), solo, rules_);
      }
      if (!hides) throw ViewError("reservations: what stays hidden is a solo after the one that is played");
    }
    if (rules_.poverty) load_exchange(in, v);
  } else {
    for (std::size_t seat = 0; seat < kSeats; ++seat) {
      if (seat != own && said[seat] != kThrowIn && said[seat] != kHealthy && said[seat] != kSomething &&
          said[seat] != kSilent) {
        throw ViewError("reservations: names are hidden until all have spoken");
      }
    }
  }
  if (rules_.throw_in || rules_.poverty) {
    for (const int card :
         read_cards<ViewError>(in.text("shown"), rules_, "shown", static_cast<std::size_t>(rules_.hand)))
      v.shown_ = with(v.shown_, card);
    const bool ended = thrown_in || (table.exchanging() && v.phase_ == Phase::over);
    if (count(v.shown_) != (ended ? rules_.hand : 0))
      throw ViewError("shown: a hand that ended the deal is shown whole");
    if (ended && table.declarer == v.observer_ && v.shown_ != v.hand_)
      throw ViewError("shown: not the observer's hand");
    if (thrown_in && !is_bad(v.shown_)) throw ViewError("shown: this hand cannot be thrown in");
  }
  auto holders = table.swine;
  int kinds = 0;
  for (std::size_t kind = 0; kind < static_cast<std::size_t>(std::max(rules_.swine, 1)); ++kind) {
    const auto holder = static_cast<int>(in.integer(kSwineNames[kind], -1, kSeats - 1));
    if (holder < 0) continue;
    if (rules_.swine == 0 || !spoken || !table.opened() || table.order != 0 || kinds != static_cast<int>(kind))
      throw ViewError(std::string(kSwineNames[kind]) + ": not possible in this game");
    holders[kind] = static_cast<std::int8_t>(holder);
    ++kinds;
  }
  if (kinds > 0 && !rules_.swine_when_played) {
    table.swine = holders;
    table.order = static_cast<std::uint8_t>(swine_order(kinds, rules_.nines()));
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
      const int before = table.fixed_re != 0 ? table.fixed_party(saved.seat) : called_party(table, saved.seat);
      if (before >= 0 && before != saved.party) refuse("a seat cannot speak for both parties");
      const bool lone = table.contract != kNormal;
      if (lone && (saved.party == kRe) != (saved.seat == table.declarer || saved.seat == table.partner))
        refuse("this seat belongs to the other party");
      table.add_call(saved.seat, saved.party);
    }
  };
  const int chosen = rules_.genscher ? detail::read_genscher<ViewError>(in.text("genscher")) : -1;
  bool pending = false;
  for (const int card : played) {
    if (pending) throw ViewError("genscher: seat " + std::to_string(table.king) + " has not answered");
    if (!spoken || table.exchanging()) throw ViewError("cards: played before all have spoken");
    add_calls();
    const auto seat = static_cast<std::size_t>(table.turn);
    if ((missing[seat] >> card & 1) != 0) {
      throw ViewError("cards: seat " + std::to_string(seat) + " plays " + card_code(card) +
                      " after it did not follow that suit or trump");
    }
    const auto category = table.ranking().category[static_cast<std::size_t>(card)];
    if (table.in_trick() != 0 && category != table.led) missing[seat] |= table.ranking().cards[table.led];
    if (seat == own) own_played = with(own_played, card);
    pending = table.asks_genscher(card, rules_);
    if (table.is_next_swine(card, rules_) && table.first_of(card) == table.cards &&
        holders[static_cast<std::size_t>(swine_kinds(table.order))] == table.turn) {
      table.announce_swine(rules_);
    }
    table.add_card(card, rules_);
    if (!pending || chosen < 0) continue;
    pending = false;
    const int caller = called_party(table, table.king);
    const std::string& party = chosen == 0 ? std::string() : in.text("genscher_party");
    if (chosen > 0 && party != party_name(kRe) && party != party_name(kKontra))
      throw ViewError("genscher_party: expected re or kontra, got '" + excerpt(party, 30) + "'");
    table.regroup(chosen, party == party_name(kRe) ? kRe : kKontra);
    if (table.fixed_re != 0 && caller >= 0 && caller != table.fixed_party(table.king))
      throw ViewError("genscher_party: this seat has called for the other party");
  }
  for (std::size_t kind = 0; kind < holders.size(); ++kind) {
    if (table.swine[kind] != holders[kind])
      throw ViewError(std::string(kSwineNames[kind]) + ": could not be announced with these cards");
  }
  if (pending != (v.phase_ == Phase::genscher)) throw ViewError("phase: does not agree with the diamond kings");
  if (chosen != table.genscher) throw ViewError("genscher: nobody has been asked");
  if (rules_.genscher && table.fixed_re == 0 && !in.text("genscher_party").empty())
    throw ViewError("genscher_party: nobody has chosen a partner");
  if (v.phase_ != Phase::over && v.phase_ != Phase::genscher) add_calls();
  if (call < call_texts.size())
    throw ViewError("calls: '" + call_texts[call] + "' comes after the last card or out of order");
  if (v.shown_ == 0 && (table.cards == rules_.deck()) != (v.phase_ == Phase::over))
    throw ViewError("phase: does not agree with the cards on the table");
  if (v.waits_ && table.turn != v.observer_) throw ViewError("phase: it waits only where the observer's card is next");
  if (spoken && rules_.poverty) own_dealt = table.holds(v.observer_, rules_) + count(own_played);
  if (count(v.hand_) + count(own_played) != own_dealt) {
    throw ViewError("hand: expected " + std::to_string(own_dealt - count(own_played)) + " cards, got " +
                    std::to_string(count(v.hand_)));
  }
  if ((types(v.hand_) & missing[own]) != 0)
    throw ViewError("hand: holds a card that should have been played to follow");
  const auto own_copies = [&](int card) { return copies(v.hand_, card) + copies(own_played, card); };
  const auto own_was_dealt = [&](int card) {
    const int change = !v.exchanged() ? 0 : copies(v.passed_.back, card) - copies(v.passed_.down, card);
    return own_copies(card) + (v.observer_ == table.partner ? change : -change);
  };
  if (v.name_ == kWedding && own_was_dealt(kClubQueen) < 2)
    throw ViewError("reservations: a wedding needs both club queens");
  const int party = spoken && table.contract == kNormal ? called_party(table, v.observer_) : -1;
  if (party >= 0 && (party == kRe) != (own_copies(kClubQueen) > 0))
    throw ViewError("calls: the observer's call does not agree with its club queens");
  for (int kind = 0; spoken && kind < table.swine_asked(rules_); ++kind) {
    const int holder = table.swine[static_cast<std::size_t>(kind)];
    if ((own_copies(swine_card(kind, rules_.nines())) == 2) != (holder == v.observer_))
      throw ViewError(std::string(kSwineNames[kind]) + ": do not agree with the observer's hand");
  }

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
