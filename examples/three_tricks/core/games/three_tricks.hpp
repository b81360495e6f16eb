// Three Tricks: the smallest whole trick-taking game, the example of docs/add-a-game.md. Three players, nine cards
// (queen, king and ace of clubs, hearts and spades), three each. Seat 0 leads. A suit that is led must be followed if
// possible; the highest card of that suit takes the trick, and its player leads the next one. Each trick counts one
// point, and the payoff is what a player has above the average of one. Actions are cards: suit * 3 + rank.
#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "cards/deals.hpp"
#include "games/contract.hpp"
#include "games/hand_beliefs.hpp"

namespace kiebitz::three_tricks {

inline constexpr int kSeats = 3;
inline constexpr int kCards = 9;
inline constexpr int kHand = 3;
inline constexpr int kDeck = 3;  // the place of a card that was not dealt yet

inline int suit_of(int card) { return card / 3; }
inline unsigned suit_cards(int suit) { return 7U << 3 * suit; }

// "CQ": suit, then rank.
inline std::string card_name(int card) { return {"CHS"[suit_of(card)], "QKA"[card % 3]}; }

inline std::optional<int> parse_card(std::string_view text) {
  for (int card = 0; card < kCards; ++card) {
    const std::string name = card_name(card);
    if (text.size() == 2 && (text[0] & ~0x20) == name[0] && (text[1] & ~0x20) == name[1]) return card;
  }
  return std::nullopt;
}

inline std::vector<std::string> card_names(unsigned cards) {
  std::vector<std::string> names;
  for (; cards != 0; cards &= cards - 1) names.push_back(card_name(std::countr_zero(cards)));
  return names;
}

inline std::string join(const std::vector<std::string>& words) {
  std::string out;
  for (const auto& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

// What everybody sees: the cards on the table in the order they were played. State and view contain one each.
struct Table {
  std::int8_t dealt = 0;
  std::int8_t played = 0;
  std::int8_t turn = 0;
  std::array<std::int8_t, kSeats> tricks{};
  std::array<std::int8_t, kCards> cards{};
  std::array<std::int8_t, kCards> seats{};

  int in_trick() const { return played % kSeats; }
  int led() const { return suit_of(cards[static_cast<std::size_t>(played - in_trick())]); }
  bool over() const { return played == kCards; }
  int player() const { return dealt < kCards ? kChance : over() ? kTerminal : turn; }
  int held(int seat) const {
    int cards_held = std::clamp(dealt - kHand * seat, 0, kHand);
    for (int i = 0; i < played; ++i) cards_held -= seats[static_cast<std::size_t>(i)] == seat;
    return cards_held;
  }
  // The cards of a hand that may be played now.
  unsigned playable(unsigned hand) const {
    const unsigned follows = in_trick() == 0 ? 0 : hand & suit_cards(led());
    return follows != 0 ? follows : hand;
  }

  void play(int card) {
    cards[static_cast<std::size_t>(played)] = static_cast<std::int8_t>(card);
    seats[static_cast<std::size_t>(played)] = turn;
    ++played;
    if (in_trick() != 0) {
      turn = static_cast<std::int8_t>((turn + 1) % kSeats);
    } else {
      turn = static_cast<std::int8_t>(taker(played / kSeats - 1));
      ++tricks[static_cast<std::size_t>(turn)];
    }
  }

  // The seat with the highest card of the suit led, among the cards of the trick so far.
  int taker(int trick) const {
    const int first = kSeats * trick;
    int best = first;
    for (int i = first + 1; i < std::min<int>(first + kSeats, played); ++i) {
      const int card = cards[static_cast<std::size_t>(i)], high = cards[static_cast<std::size_t>(best)];
      if (suit_of(card) == suit_of(high) && card > high) best = i;
    }
    return seats[static_cast<std::size_t>(best)];
  }

  // Cards that a seat has shown not to hold: the suits it did not follow.
  unsigned missing(int seat) const {
    unsigned out = 0;
    for (int i = 0; i < played; ++i) {
      const int suit = suit_of(cards[static_cast<std::size_t>(i - i % kSeats)]);
      if (seats[static_cast<std::size_t>(i)] == seat && suit_of(cards[static_cast<std::size_t>(i)]) != suit) {
        out |= suit_cards(suit);
      }
    }
    return out;
  }

  std::string text() const {
    std::string out;
    for (int i = 0; i < played; ++i) out += (i == 0 ? "" : " ") + card_name(cards[static_cast<std::size_t>(i)]);
    return out;
  }
  unsigned seen() const {
    unsigned out = 0;
    for (int i = 0; i < played; ++i) out |= 1U << cards[static_cast<std::size_t>(i)];
    return out;
  }
  friend bool operator==(const Table&, const Table&) = default;
};

class View {
 public:
  int observer() const { return observer_; }
  int player() const { return table_.player(); }
  std::string text() const;
  Fields save() const {
    return {{"observer", std::int64_t{observer_}},
            {"dealt", std::int64_t{table_.dealt}},
            {"hand", join(card_names(hand_))},
            {"played", table_.text()}};
  }
  void tensor(float* out) const;
  // What everybody knows, what this player knows by the rules beyond that, and who may hold what.
  Fields public_facts() const;
  Fields outline() const {
    const bool plays = table_.dealt == kCards && !table_.over();
    return {{"hand", card_names(hand_)}, {"playable", card_names(plays ? table_.playable(hand_) : 0)}};
  }
  Fields beliefs() const;
  cards::DealProblem deal_problem() const;
  friend bool operator==(const View&, const View&) = default;

 private:
  friend class State;
  friend class Game;
  std::int8_t observer_ = 0;
  unsigned hand_ = 0;
  Table table_;
};

class State {
 public:
  int player() const { return table_.player(); }

  int legal(Action* out) const {
    int n = 0;
    const unsigned cards =
        player() == kChance ? deck() : table_.playable(hands_[static_cast<std::size_t>(table_.turn)]);
    if (player() == kTerminal) return 0;
    for (unsigned rest = cards; rest != 0; rest &= rest - 1) out[n++] = std::countr_zero(rest);
    return n;
  }

  int outcomes(Outcome* out) const {
    if (player() != kChance) return 0;
    int n = 0;
    for (unsigned rest = deck(); rest != 0; rest &= rest - 1) {
      out[n++] = {std::countr_zero(rest), 1.0 / (kCards - table_.dealt)};
    }
    return n;
  }

  int kind(Action) const { return player() == kChance ? 0 : 1; }

  void apply(Action a) {
    if (player() == kChance) {
      hands_[static_cast<std::size_t>(table_.dealt / kHand)] |= 1U << a;
      ++table_.dealt;
    } else {
      hands_[static_cast<std::size_t>(table_.turn)] &= ~(1U << a);
      table_.play(a);
    }
  }

  void returns(double* out) const {
    for (int seat = 0; seat < kSeats; ++seat) out[seat] = table_.tricks[static_cast<std::size_t>(seat)] - 1;
  }
  Fields result() const { return {{"tricks", std::vector<std::int64_t>(table_.tricks.begin(), table_.tricks.end())}}; }

  std::uint64_t key() const {
    std::uint64_t h = static_cast<std::uint64_t>(table_.dealt);
    for (const unsigned hand : hands_) h = h << kCards | hand;
    for (int i = 0; i < table_.played; ++i)
      h = mix64(h ^ static_cast<std::uint64_t>(table_.cards[static_cast<std::size_t>(i)]));
    return mix64(h + static_cast<std::uint64_t>(table_.played));
  }

  std::string name(Action a) const { return card_name(a); }
  std::optional<Action> parse(std::string_view text) const { return parse_card(text); }
  std::string text() const {
    std::string out;
    for (int seat = 0; seat < kSeats; ++seat) {
      out += "player " + std::to_string(seat) + ": " + join(card_names(hands_[static_cast<std::size_t>(seat)])) + "\n";
    }
    return out + "played: " + table_.text() + "\n";
  }
  Fields save() const {
    std::vector<std::string> hands;
    for (const unsigned hand : hands_) hands.push_back(join(card_names(hand)));
    return {{"dealt", std::int64_t{table_.dealt}}, {"hands", hands}, {"played", table_.text()}};
  }

  View view(int player) const {
    View v;
    v.observer_ = static_cast<std::int8_t>(player);
    v.hand_ = hands_[static_cast<std::size_t>(player)];
    v.table_ = table_;
    return v;
  }

 private:
  friend class Game;
  unsigned deck() const { return ((1U << kCards) - 1) & ~(hands_[0] | hands_[1] | hands_[2] | table_.seen()); }

  std::array<unsigned, kSeats> hands_{};
  Table table_;
};

class Game {
 public:
  using State = three_tricks::State;
  using View = three_tricks::View;

  explicit Game(const Fields&) {
    info_.name = "three_tricks";
    info_.title = "Three Tricks";
    info_.players = kSeats;
    info_.actions = kCards;
    info_.max_legal = kCards;
    info_.max_length = 2 * kCards;
    info_.min_payoff = -1;
    info_.max_payoff = 2;
    info_.hidden = true;
    info_.chance = true;
    info_.branching = 1.7;
    info_.tensor_size = kCards + kCards * kCards;
    info_.kinds = {{"deal", "deal", ""}, {"card", "card", ""}};
  }

  static std::vector<Parameter> parameters() { return {}; }
  static std::vector<Preset> presets() { return {}; }
  const GameInfo& info() const { return info_; }
  State root() const { return {}; }

  State load(const Fields& fields) const {
    const FieldReader<PositionError> in(fields);
    in.only({"dealt", "hands", "played"});
    const auto dealt = static_cast<int>(in.integer("dealt", 0, kCards));
    const auto hands = in.texts("hands", kSeats, kSeats);
    std::array<unsigned, kSeats> held{};
    for (std::size_t seat = 0; seat < kSeats; ++seat) held[seat] = read_cards<PositionError>("hands", hands[seat]);
    return replay<PositionError>(dealt, held, read_order<PositionError>(in.text("played")));
  }

  View load_view(const Fields& fields) const {
    const FieldReader<ViewError> in(fields);
    in.only({"observer", "dealt", "hand", "played"});
    View v;
    v.observer_ = static_cast<std::int8_t>(in.integer("observer", 0, kSeats - 1));
    v.hand_ = read_cards<ViewError>("hand", in.text("hand"));
    const auto played = read_order<ViewError>(in.text("played"));
    v.table_.dealt = static_cast<std::int8_t>(in.integer("dealt", 0, kCards));
    if (v.table_.dealt < kCards && !played.empty()) throw ViewError("played: nobody plays before the deal is complete");
    for (const int card : played) v.table_.play(card);
    // The view is possible if some deal explains it: find one, play it from the start and look again.
    if ((v.hand_ & v.table_.seen()) != 0) throw ViewError("hand: a card that was played already");
    if (std::popcount(v.hand_) != v.table_.held(v.observer_)) throw ViewError("hand: the wrong number of cards");
    const cards::DealProblem problem = v.deal_problem();
    if (cards::DealCounter(problem).total() == 0) throw ViewError("played: no deal explains these cards");
    Rng rng(0);
    const State world = sample(v, rng);
    if (!(replay<ViewError>(v.table_.dealt, world.hands_, played).view(v.observer_) == v)) {
      throw ViewError("played: these cards could not be played");
    }
    return v;
  }

  // Every deal that fits the view is equally likely; those that remain are counted and drawn exactly.
  State sample(const View& v, Rng& rng) const {
    const cards::DealCounter counter(v.deal_problem());
    cards::Deal deal;
    counter.draw(rng, deal);
    State state;
    state.table_ = v.table_;
    for (std::size_t seat = 0; seat < kSeats; ++seat) {
      for (std::size_t card = 0; card < kCards; ++card) {
        if (deal.counts[seat][card] != 0) state.hands_[seat] |= 1U << card;
      }
    }
    state.hands_[static_cast<std::size_t>(v.observer_)] = v.hand_;
    return state;
  }

 private:
  template <class E>
  static std::vector<int> read_order(const std::string& text) {
    std::vector<int> order;
    for (std::size_t at = 0; at < text.size(); at += 3) {
      const auto card = parse_card(std::string_view(text).substr(at, 2));
      if (!card || (at + 2 < text.size() && text[at + 2] != ' '))
        throw E("expected cards such as CQ HA, got '" + excerpt(text) + "'");
      if (std::find(order.begin(), order.end(), *card) != order.end())
        throw E("the card " + card_name(*card) + " stands twice");
      order.push_back(*card);
    }
    return order;
  }

  template <class E>
  static unsigned read_cards(const char* name, const std::string& text) {
    unsigned cards = 0;
    for (const int card : read_order<E>(text)) cards |= 1U << card;
    if (std::popcount(cards) > kHand) throw E(std::string(name) + ": expected at most 3 cards");
    return cards;
  }

  // Deals what was held at the start and plays the cards again: whatever comes out is a position of the game.
  template <class E>
  State replay(int dealt, const std::array<unsigned, kSeats>& held, const std::vector<int>& played) const {
    Table table;
    for (const int card : played) {
      if (table.over()) throw E("played: goes on after the end");
      table.play(card);
    }
    std::array<unsigned, kSeats> hands = held;
    for (int i = 0; i < table.played; ++i) {
      hands[static_cast<std::size_t>(table.seats[static_cast<std::size_t>(i)])] |=
          1U << table.cards[static_cast<std::size_t>(i)];
    }
    State state;
    for (std::size_t seat = 0; seat < kSeats; ++seat) {
      const int size = std::clamp(dealt - kHand * static_cast<int>(seat), 0, kHand);
      if (std::popcount(hands[seat]) != size) throw E("hands: the wrong number of cards");
      for (unsigned rest = hands[seat]; rest != 0; rest &= rest - 1) {
        if ((state.deck() >> std::countr_zero(rest) & 1) == 0) throw E("hands: the same card twice");
        state.apply(std::countr_zero(rest));
      }
    }
    if (state.player() == kChance && !played.empty()) throw E("played: nobody plays before the deal is complete");
    for (const int card : played) {
      const unsigned hand = state.hands_[static_cast<std::size_t>(state.table_.turn)];
      if ((state.table_.playable(hand) >> card & 1) == 0)
        throw E("played: " + card_name(card) + " could not be played");
      state.apply(card);
    }
    return state;
  }

  GameInfo info_;
};

// The hidden cards as a problem for the counter: the other seats, and the deck while cards are dealt.
inline cards::DealProblem View::deal_problem() const {
  cards::DealProblem problem(kSeats + 1, kCards);
  const unsigned known = hand_ | table_.seen();
  for (std::size_t card = 0; card < kCards; ++card) problem.copies[card] = (known >> card & 1) == 0;
  for (int seat = 0; seat < kSeats; ++seat) {
    if (seat == observer_) continue;
    problem.slots[static_cast<std::size_t>(seat)] = static_cast<std::uint8_t>(table_.held(seat));
    for (std::size_t card = 0; card < kCards; ++card) {
      if ((table_.missing(seat) >> card & 1) != 0) {
        problem.allowed[card] = static_cast<std::uint8_t>(problem.allowed[card] & ~(1U << seat));
      }
    }
  }
  problem.slots[kDeck] = static_cast<std::uint8_t>(kCards - table_.dealt);
  return problem;
}

inline Fields View::public_facts() const {
  const auto trick = [&](int first, int last) {
    std::vector<Value> cards;
    for (int i = first; i < last; ++i) {
      const auto place = static_cast<std::size_t>(i);
      cards.push_back(Fields{{"seat", std::int64_t{table_.seats[place]}}, {"card", card_name(table_.cards[place])}});
    }
    return cards;
  };
  std::vector<std::int64_t> sizes;
  for (int seat = 0; seat < kSeats; ++seat) sizes.push_back(table_.held(seat));
  const int begun = table_.played - table_.in_trick();
  Value last = Nothing{};
  if (begun > 0) {
    last = Fields{{"cards", trick(begun - kSeats, begun)}, {"taker", std::int64_t{table_.taker(begun / kSeats - 1)}}};
  }
  return {{"turn", player() >= 0 ? Value(std::int64_t{player()}) : Value(Nothing{})},
          {"trick", trick(begun, table_.played)},
          {"last", last},
          {"tricks", std::vector<std::int64_t>(table_.tricks.begin(), table_.tricks.end())},
          {"sizes", sizes}};
}

inline Fields View::beliefs() const {
  const cards::DealCounter counter(deal_problem());
  const cards::Marginals marginals = counter.marginals();
  HandBeliefs out;
  for (std::size_t card = 0; card < kCards; ++card) {
    std::vector<double> holds;
    for (std::size_t seat = 0; seat < kSeats; ++seat) holds.push_back(marginals.holds[seat][card]);
    if ((hand_ >> card & 1) != 0) holds[static_cast<std::size_t>(observer_)] = 1;
    out.add(card_name(static_cast<int>(card)), holds, holds);
  }
  return out.fields(std::to_string(static_cast<std::uint64_t>(counter.total())));
}

inline std::string View::text() const {
  return "player " + std::to_string(observer_) + " holds " + join(card_names(hand_)) + "\nplayed: " + table_.text() +
         "\n";
}

// The hand, then one row of cards for each place in the order of play.
inline void View::tensor(float* out) const {
  std::fill(out, out + kCards + kCards * kCards, 0.0F);
  for (int card = 0; card < kCards; ++card) out[card] = static_cast<float>(hand_ >> card & 1);
  for (int i = 0; i < table_.played; ++i) out[kCards + kCards * i + table_.cards[static_cast<std::size_t>(i)]] = 1;
}

}  // namespace kiebitz::three_tricks
