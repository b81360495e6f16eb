// The rules of Doppelkopf for four (tournament rules of the German Doppelkopf association as the thesis plays them;
// preset `thesis`): a random deal and start seat, a round of reservations, calls before every card, twelve tricks, a
// score in points. The numbers of the actions are those of the recorded games: 0..23 cards (6 * suit + rank), 24..32
// reservations, 33..37 calls, 38 pass; at the deal, first the start seat, then one card after the other, seat by seat.
//
// House rules are switches. Two of them come before the first card: a bad hand can be thrown in, which ends the deal
// with no points, and in poverty a seat with at most three trumps puts them down. The others are asked in turn whether
// they take them; who does gives as many cards back and is the partner. If nobody does, the deal ends. Which cards went
// over the table is known to the two alone; everybody knows how many there were and how many trumps came back. Two
// come in the middle of the game: with the second of both diamond kings a seat may choose its partner (Genscher), and
// piglets may be announced only with the first of them, so that the order of the trumps changes there.
//
// Before every card, starting with the seat that plays it, the seats are asked in turn for the next step of their
// party's ladder until four in a row have passed; seats that may not say anything are skipped. Which seats are asked
// depends on the parties, so to the others the round and the card that follows are one phase (see View).
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "games/contract.hpp"
#include "games/doppelkopf/table.hpp"
#include "games/doppelkopf/words.hpp"

namespace kiebitz::doppelkopf {

enum class Phase : std::uint8_t { start, deal, reservation, call, card, over, poverty, exchange, genscher };
enum Kind : int {
  kStartKind,
  kDealKind,
  kReservationKind,
  kAnnouncementKind,
  kPassKind,
  kCardKind,
  kTakeKind,
  kLeaveKind,
  kGiveKind
  // keep, partner: after those that the rules have
};

class Game;
class Sampler;

// Cards that went over the table in poverty: both are known to the two seats that exchanged them.
struct Passed {
  Hand down = 0;  // all trumps of the poor hand
  Hand back = 0;

  friend bool operator==(const Passed&, const Passed&) = default;
};

// Adds and removes cards, copy by copy.
constexpr Hand joined(Hand hand, Hand more) {
  for (; more != 0; more &= more - 1) hand = with(hand, std::countr_zero(more) & 31);
  return hand;
}
constexpr Hand parted(Hand hand, Hand less) {
  for (; less != 0; less &= less - 1) hand = without(hand, std::countr_zero(less) & 31);
  return hand;
}

// The cards of a hand that may be played to the trick on the table, as bits.
inline std::uint32_t following(std::uint32_t hand, const Table& table) {
  if (table.in_trick() == 0) return hand;
  const std::uint32_t follows = hand & table.ranking().cards[table.led];
  return follows != 0 ? follows : hand;
}

// What one seat knows: its hand, its own reservation, and the table. Not which seats were asked for a call, which
// passed or how many decisions there were: that depends on the parties of the others.
class View {
 public:
  int observer() const { return observer_; }
  // A seat, kChance, kTerminal, or kSomebody: the observer's card is next but another seat is being asked for a call.
  int player() const;
  // To a seat that is not asked for a call the round of calls is part of the phase of the card.
  std::string phase() const;
  std::string text() const;
  Fields save() const;
  // The thesis' 62 game objects with six features each, seats relative to the observer (encoding.hpp).
  void tensor(float* out) const;
  // Exact, over all deals that explain the view: their number, for each card and seat the probability of at least one
  // copy and the expected copies (24 x 4 numbers each, seats in order), and which seats are Re. Without parties while a
  // wedding looks for its partner.
  Fields beliefs() const;
  // The table as players read it off what they see, by the rules (outline.hpp).
  Fields public_facts() const;
  Fields outline() const;
  // The view that decides on a call, and the view that knows of no round of calls.
  std::optional<View> if_asked() const;
  View unasked() const;

  // Is the observer asked for a call?
  bool asked() const { return phase_ == Phase::call; }
  Phase stage() const { return phase_; }
  Hand shown() const { return shown_; }
  const Passed& passed() const { return passed_; }
  // Does the observer know which cards went over the table in poverty?
  bool exchanged() const {
    return table_.exchange_partner() >= 0 && (observer_ == table_.declarer || observer_ == table_.partner);
  }
  const Table& table() const { return table_; }
  Hand hand() const { return hand_; }
  const Game& game() const { return *game_; }

  // Views of equal games are compared by what they say, not by which Game object they came from.
  friend bool operator==(const View& a, const View& b) {
    return a.observer_ == b.observer_ && a.phase_ == b.phase_ && a.dealt_ == b.dealt_ && a.waits_ == b.waits_ &&
           a.name_ == b.name_ && a.hand_ == b.hand_ && a.shown_ == b.shown_ && a.passed_ == b.passed_ &&
           a.table_ == b.table_;
  }

 private:
  friend class State;
  friend class Game;
  friend class Sampler;

  // The reservation of a seat as the observer knows it.
  int said(int seat) const { return seat == observer_ ? name_ : table_.said[static_cast<std::size_t>(seat)]; }

  void add_house(Fields& out) const;

  const Game* game_ = nullptr;
  Hand hand_ = 0;
  Hand shown_ = 0;  // the hand that ended the deal before the first card: thrown in, or poverty that nobody took
  Passed passed_;   // where the observer knows it
  Table table_;
  std::int8_t observer_ = 0;
  Phase phase_ = Phase::start;  // call: the observer is asked
  bool waits_ = false;          // the observer's card is next, another seat is being asked
  std::uint8_t name_ = kSilent;
  std::uint8_t dealt_ = 0;
};

class State {
 public:
  explicit State(const Game* game) : game_(game) {}

  int player() const {
    switch (phase_) {
      case Phase::start:
      case Phase::deal:
        return kChance;
      case Phase::call:
        return asked_;
      case Phase::over:
        return kTerminal;
      case Phase::genscher:
        return table_.king;
      default:
        return table_.turn;
    }
  }

  int legal(Action* out) const;
  int outcomes(Outcome* out) const;
  void apply(Action a);
  void returns(double* out) const;
  Fields result() const;
  std::uint64_t key() const;
  std::string name(Action a) const;
  int kind(Action a) const;
  // The rule that an illegal action would break.
  std::string refusal(Action a) const;
  std::optional<Action> parse(std::string_view text) const;
  std::string text() const;
  Fields save() const;
  View view(int player) const;
  void tensor(int observer, float* out) const;

  Action random_legal(Rng& rng) const;
  void play_out(Rng& rng);
  void restrict_calls(Calls calls);
  bool risky(Action a) const {
    return (a >= kFirstReservation + kFirstSolo && a < kFirstCall) || (a >= kFirstCall && a < kPass) || a == kTake;
  }

  // Parties: fixed in a wedding only after the clarifying trick, and not where somebody can choose a partner.
  bool settled() const { return table_.all_spoken() && !table_.parties_known_late() && !may_regroup(); }
  bool may_regroup() const;
  int side(int seat) const { return (re_ >> seat & 1) != 0 ? kRe : kKontra; }
  int left() const;
  void take_sides(const State& truth) { re_ = truth.re_; }

  const Game& game() const { return *game_; }
  const Table& table() const { return table_; }
  void owners(std::int8_t* out) const;
  Hand hand(int seat) const { return hands_[static_cast<std::size_t>(seat)]; }
  Phase phase() const { return phase_; }
  unsigned re() const { return re_; }
  int reservation(int seat) const { return names_[static_cast<std::size_t>(seat)]; }
  // May the hand of the seat that speaks make this reservation?
  bool may_say(int name) const;
  // The deal ended before the first card.
  bool thrown() const { return phase_ == Phase::over && table_.cards == 0; }
  // Poverty: the cards put down, once somebody has taken them, and those given back.
  Passed exchanged() const { return {down_cards(), back_cards()}; }
  // Does the seat have something to say in a call round now?
  bool can_speak(int seat) const;
  // The cards that may be played, as bits.
  std::uint32_t playable() const { return following(types(hands_[static_cast<std::size_t>(table_.turn)]), table_); }

 private:
  friend class Game;
  friend class Sampler;

  const Rules& rules() const;
  void speak(int reservation);
  // All have spoken: contract, parties, and what the house rules add.
  [[gnu::cold]] void open();
  [[gnu::cold]] void answer(bool takes);
  [[gnu::cold]] void give(int card);
  [[gnu::cold]] void regroup(int answer);
  void begin_play();
  void find_parties();
  void begin_round();
  // Skips seats with nothing to say; four passes in a row end the round.
  void ask_on();
  // The seat whose turn it is puts a card on the table.
  void put(int card, const Rules& rules) {
    Hand& hand = hands_[static_cast<std::size_t>(table_.turn)];
    hand = without(hand, card);
    if (rules.swine_when_played && copies(hand, card) > 0 && table_.is_next_swine(card, rules)) [[unlikely]]
      table_.announce_swine(rules);
    table_.add_card(card, rules);
  }
  void play_card(int card);
  Hand dealt_hand(int seat) const;
  Fields thrown_result() const;
  Hand down_cards() const { return hand_of(down_, table_.partner >= 0 ? table_.passed : 0); }
  Hand back_cards() const { return hand_of(back_, table_.back); }
  static Hand hand_of(const std::array<std::uint8_t, kMostPassed>& cards, int n) {
    Hand hand = 0;
    for (int i = 0; i < n; ++i) hand = with(hand, cards[static_cast<std::size_t>(i)]);
    return hand;
  }

  const Game* game_;
  std::array<Hand, kSeats> hands_{};
  Table table_;
  std::array<std::uint8_t, kSeats> names_ = {kSilent, kSilent, kSilent, kSilent};
  std::array<std::uint8_t, kMostPassed> down_{};  // poverty: the cards put down and
  std::array<std::uint8_t, kMostPassed> back_{};  // given back
  std::uint8_t re_ = 0;
  std::uint8_t dealt_ = 0;
  std::uint8_t asked_ = 0;
  std::uint8_t passes_ = 0;
  Phase phase_ = Phase::start;
  Calls calls_ = Calls::all;
};
static_assert(sizeof(State) <= 192);

class Game {
 public:
  using State = doppelkopf::State;
  using View = doppelkopf::View;
  using Sampler = doppelkopf::Sampler;

  explicit Game(const Fields& parameters);
  static std::vector<Parameter> parameters();
  static std::vector<Preset> presets();

  const GameInfo& info() const { return info_; }
  const Rules& rules() const { return rules_; }
  State root() const { return State(this); }
  // Hands: for each seat its cards, separated by blanks or commas; `start` speaks and leads first.
  std::vector<Action> deal(const std::vector<std::string>& hands, int start) const;
  State load(const Fields& fields) const;
  View load_view(const Fields& fields) const;
  State sample(const View& view, Rng& rng) const;
  Sampler sampler(const View& view, int belief) const;
  // Hands from elsewhere (hands.hpp): each card of the pack twice.
  std::vector<std::string> pack() const;
  State world(const View& view, const std::int8_t* owners, Rng& rng) const;

 private:
  template <class E>
  std::vector<int> read_played(const std::string& text) const;
  void load_exchange(const FieldReader<PositionError>& in, State& state) const;
  void load_exchange(const FieldReader<ViewError>& in, View& view) const;

  Rules rules_;
  GameInfo info_;
};

inline const Rules& State::rules() const { return game_->rules(); }

// The player by rules of thumb (players/doppelkopf/thumb.cpp): what it does in a view (kNoAction where the observer is
// not to move), and a playout by it without calls in which a share `random` of the cards is drawn from the legal ones.
// They are declared with the rules so that every unit that knows the game knows that it has such a player.
Action thumb_action(const View& view);
void thumb_play_out(State& state, Rng& rng, double random);

// --- Playing --------------------------------------------------------------------------------------------------------

inline bool State::can_speak(int seat) const {
  if (calls_ == Calls::none || table_.parties_known_late()) return false;
  const int party = side(seat);
  if (table_.level[static_cast<std::size_t>(party)] == kSteps) return false;
  const int held = table_.held(seat, rules());
  const int limit = table_.limit(party, rules());
  return calls_ == Calls::last ? held == limit && seat == table_.turn : held >= limit;
}

inline void State::ask_on() {
  while (passes_ < kSeats && !can_speak(asked_)) {
    ++passes_;
    asked_ = (asked_ + 1) & 3;
  }
  if (passes_ < kSeats) {
    phase_ = Phase::call;
    return;
  }
  phase_ = Phase::card;
  asked_ = passes_ = 0;
}

inline void State::begin_round() {
  phase_ = Phase::card;
  if (calls_ == Calls::none) return;
  asked_ = static_cast<std::uint8_t>(table_.turn);
  passes_ = 0;
  ask_on();
}

inline void State::restrict_calls(Calls calls) {
  calls_ = std::max(calls_, calls);
  if (phase_ == Phase::call) ask_on();
}

inline bool State::may_regroup() const {
  if (!rules().genscher || table_.contract != kNormal || table_.genscher >= 0) return false;
  if (phase_ == Phase::genscher) return true;
  if (table_.cards >= rules().deck() - 4) return false;
  for (int seat = 0; seat < kSeats; ++seat) {
    if (copies(hands_[static_cast<std::size_t>(seat)], kDiamondKing) + (table_.king == seat ? 1 : 0) == 2) return true;
  }
  return false;
}

inline void State::regroup(int answer) {
  table_.regroup(answer, side(table_.king));
  if (answer > 0) re_ = table_.fixed_re;
  begin_round();
}

inline void State::find_parties() {
  re_ = table_.fixed_re;
  if (re_ != 0) return;
  if (table_.contract != kNormal) {
    re_ = static_cast<std::uint8_t>(1U << table_.declarer);
    if (table_.partner >= 0) re_ = static_cast<std::uint8_t>(re_ | 1U << table_.partner);
    return;
  }
  for (int seat = 0; seat < kSeats; ++seat) {
    if ((hands_[static_cast<std::size_t>(seat)] >> kClubQueen & 1) != 0)
      re_ = static_cast<std::uint8_t>(re_ | 1U << seat);
  }
  for (int i = 0; i < table_.cards; ++i) {
    if (table_.card_at(i) == kClubQueen) re_ = static_cast<std::uint8_t>(re_ | 1U << table_.seat_at(i));
  }
}

inline void State::begin_play() {
  if (table_.order == 0 && !rules().swine_when_played) {
    int kinds = 0;
    for (; kinds < rules().swine; ++kinds) {
      std::int8_t& holder = table_.swine[static_cast<std::size_t>(kinds)];
      const int card = swine_card(kinds, rules().nines());
      for (int seat = 0; seat < kSeats; ++seat) {
        if (copies(hands_[static_cast<std::size_t>(seat)], card) == 2) holder = static_cast<std::int8_t>(seat);
      }
      if (holder < 0) break;
    }
    table_.order = static_cast<std::uint8_t>(swine_order(kinds, rules().nines()));
  }
  begin_round();
}

inline void State::open() {
  table_.open(names_, rules());
  find_parties();
  if (table_.contract != kPoverty) return begin_play();
  const Hand poor = hands_[static_cast<std::size_t>(table_.declarer)];
  table_.passed = static_cast<std::uint8_t>(count_of(poor, kTrumps));
  phase_ = table_.turn == table_.declarer ? Phase::over : Phase::poverty;
}

inline void State::answer(bool takes) {
  if (!takes) {
    table_.ask_for_partner(table_.turn);
    if (table_.turn == table_.declarer) phase_ = Phase::over;
    return;
  }
  table_.partner = table_.turn;
  re_ = static_cast<std::uint8_t>(re_ | 1U << table_.partner);
  Hand& poor = hands_[static_cast<std::size_t>(table_.declarer)];
  Hand& rich = hands_[static_cast<std::size_t>(table_.partner)];
  std::size_t n = 0;
  for (int card = 0; card < kTypes; ++card) {
    if ((kTrumps >> card & 1) == 0) continue;
    for (; copies(poor, card) > 0; poor = without(poor, card)) {
      rich = with(rich, card);
      down_[n++] = static_cast<std::uint8_t>(card);
    }
  }
  phase_ = Phase::exchange;
  if (n == 0) give(-1);
}

// A card goes back to the poor hand; -1: there was nothing to exchange.
inline void State::give(int card) {
  if (card >= 0) {
    Hand& poor = hands_[static_cast<std::size_t>(table_.declarer)];
    Hand& rich = hands_[static_cast<std::size_t>(table_.partner)];
    rich = without(rich, card);
    poor = with(poor, card);
    std::size_t place = table_.back++;
    for (; place > 0 && back_[place - 1] > card; --place) back_[place] = back_[place - 1];
    back_[place] = static_cast<std::uint8_t>(card);
  }
  if (table_.back < table_.passed) return;
  table_.trumps_back = static_cast<std::uint8_t>(count_of(back_cards(), kTrumps));
  table_.solved = 0;
  table_.turn = table_.start;
  begin_play();
}

inline bool State::may_say(int name) const {
  const Hand hand = hands_[static_cast<std::size_t>(table_.turn)];
  if (rules().forced == table_.turn) return is_solo(name);
  switch (name) {
    case kWedding:
      return copies(hand, kClubQueen) == 2;
    case kPoverty:
      return rules().poverty && is_poor(hand);
    case kThrowIn:
      return rules().throw_in && is_bad(hand);
    default:
      return true;
  }
}

inline void State::speak(int reservation) {
  const auto seat = static_cast<std::size_t>(table_.turn);
  names_[seat] = static_cast<std::uint8_t>(reservation);
  if (reservation == kThrowIn) {
    table_.said[seat] = kThrowIn;
    table_.contract = kThrowIn;
    table_.declarer = table_.turn;
    phase_ = Phase::over;
    return;
  }
  table_.said[seat] = reservation == kHealthy ? std::uint8_t{kHealthy} : kSomething;
  table_.turn = static_cast<std::int8_t>((table_.turn + 1) & 3);
  if (table_.turn == table_.start) open();
}

inline void State::play_card(int card) {
  const Rules& rules = this->rules();
  const bool open_parties = table_.parties_known_late();
  const bool asks = table_.asks_genscher(card, rules);
  put(card, rules);
  if (open_parties && table_.partner >= 0) re_ = static_cast<std::uint8_t>(re_ | 1U << table_.partner);
  if (table_.cards == rules.deck()) {
    phase_ = Phase::over;
  } else if (asks) {
    phase_ = Phase::genscher;
  } else {
    begin_round();
  }
}

inline void State::apply(Action a) {
  switch (phase_) {
    case Phase::card:
      play_card(a);
      break;
    case Phase::call:
      if (a == kPass) {
        ++passes_;
      } else {
        table_.add_call(asked_, side(asked_));
        passes_ = 0;
      }
      asked_ = (asked_ + 1) & 3;
      ask_on();
      break;
    case Phase::reservation:
      speak(reservation_of(a));
      break;
    case Phase::poverty:
      answer(a == kTake);
      break;
    case Phase::exchange:
      give(a);
      break;
    case Phase::genscher:
      regroup(a - kKeep);
      break;
    case Phase::deal: {
      Hand& hand = hands_[static_cast<std::size_t>(dealt_ / rules().hand)];
      hand = with(hand, a);
      if (++dealt_ == rules().deck()) phase_ = Phase::reservation;
      break;
    }
    case Phase::start:
      table_.start = table_.turn = static_cast<std::int8_t>(a);
      phase_ = Phase::deal;
      break;
    case Phase::over:
      break;
  }
}

inline int State::legal(Action* out) const {
  int n = 0;
  switch (phase_) {
    case Phase::card:
      for (std::uint32_t set = playable(); set != 0; set &= set - 1) out[n++] = std::countr_zero(set);
      return n;
    case Phase::call:
      out[n++] = kFirstCall + table_.level[static_cast<std::size_t>(side(asked_))];
      out[n++] = kPass;
      return n;
    case Phase::reservation:
      for (int r = 0; r < kNames; ++r) {
        if (may_say(r)) out[n++] = reservation_action(r);
      }
      return n;
    case Phase::poverty:
      out[n++] = kTake;
      out[n++] = kLeave;
      return n;
    case Phase::exchange:
      for (std::uint32_t set = types(hands_[static_cast<std::size_t>(table_.turn)]); set != 0; set &= set - 1) {
        out[n++] = std::countr_zero(set);
      }
      return n;
    case Phase::genscher:
      for (int answer = 0; answer < kSeats; ++answer) out[n++] = kKeep + answer;
      return n;
    case Phase::start:
    case Phase::deal: {
      Outcome outcome[kTypes];
      n = outcomes(outcome);
      for (int i = 0; i < n; ++i) out[i] = outcome[i].action;
      return n;
    }
    case Phase::over:
      break;
  }
  return 0;
}

inline int State::outcomes(Outcome* out) const {
  if (phase_ == Phase::start) {
    for (int seat = 0; seat < kSeats; ++seat) out[seat] = {seat, 0.25};
    return kSeats;
  }
  if (phase_ != Phase::deal) return 0;
  int n = 0;
  const int left = rules().deck() - dealt_;
  for (int card = 0; card < kTypes; ++card) {
    if ((rules().types() >> card & 1) == 0) continue;
    int copies_left = 2;
    for (const Hand hand : hands_) copies_left -= copies(hand, card);
    if (copies_left > 0) out[n++] = {card, static_cast<double>(copies_left) / left};
  }
  return n;
}

inline Action random_bit(std::uint32_t set, Rng& rng) {
  for (std::uint32_t k = rng.below(static_cast<std::uint32_t>(std::popcount(set))); k > 0; --k) set &= set - 1;
  return std::countr_zero(set);
}

inline Action State::random_legal(Rng& rng) const {
  if (phase_ == Phase::card) return random_bit(playable(), rng);
  Action buffer[kTypes];
  const int n = legal(buffer);
  return buffer[rng.below(static_cast<std::uint32_t>(n))];
}

inline void State::play_out(Rng& rng) {
  while (phase_ != Phase::over) {
    if (phase_ == Phase::card && calls_ == Calls::none && !rules().genscher) {
      const int deck = rules().deck();
      const Rules rules = this->rules();
      while (table_.cards < deck) put(random_bit(playable(), rng), rules);
      if (table_.contract == kWedding) find_parties();
      phase_ = Phase::over;
      return;
    }
    Outcome buffer[kTypes];
    apply(player() == kChance ? random_outcome(*this, rng, buffer) : random_legal(rng));
  }
}

inline int State::left() const {
  if (phase_ == Phase::start || phase_ == Phase::deal || phase_ == Phase::reservation) return rules().deck() + kSeats;
  if (phase_ == Phase::over) return 0;
  return rules().deck() - table_.cards;
}

// --- What a seat sees -----------------------------------------------------------------------------------------------

inline View State::view(int player) const {
  View v;
  v.game_ = game_;
  v.observer_ = static_cast<std::int8_t>(player);
  v.table_ = table_;
  v.hand_ = hands_[static_cast<std::size_t>(player)];
  v.name_ = names_[static_cast<std::size_t>(player)];
  v.dealt_ = dealt_;
  v.phase_ = phase_;
  if (phase_ == Phase::call && asked_ != player) {
    v.phase_ = Phase::card;
    v.waits_ = table_.turn == player;
  }
  if (thrown()) v.shown_ = hands_[static_cast<std::size_t>(table_.declarer)];
  if (v.exchanged()) v.passed_ = exchanged();
  return v;
}

inline int View::player() const {
  if (phase_ == Phase::start || phase_ == Phase::deal) return kChance;
  if (phase_ == Phase::over) return kTerminal;
  if (phase_ == Phase::call) return observer_;
  if (phase_ == Phase::genscher) return table_.king;
  return waits_ ? kSomebody : table_.turn;
}

}  // namespace kiebitz::doppelkopf
