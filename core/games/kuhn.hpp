// Kuhn poker (Kuhn 1950) for two or more players: one card each from a deck of players+1 cards, ante 1, one bet of 1.
// Actions: 0 pass (check or fold), 1 bet (or call); at the deal, the card. Without a bet all players pass once; after a
// bet each of the others answers once. The best card among those who paid the bet (among all, without one) wins the
// pot.
#pragma once

#include <array>

#include "games/betting.hpp"
#include "games/contract.hpp"
#include "games/hand_beliefs.hpp"

namespace kiebitz::kuhn {

inline constexpr int kPass = 0;
inline constexpr int kBet = 1;
inline constexpr int kNone = -1;
enum Kind : int { kDealKind, kFoldKind, kCheckKind, kCallKind, kBetKind };
// Only players before the bettor act twice: at most 2 * players - 1 actions.
inline constexpr int kMaxActions = 2 * kMaxPlayers;

class Game;

// J, Q, K with three cards, as everybody writes them; numbers from the lowest card up otherwise.
inline std::string card_name(int players, int card) {
  return players == 2 ? std::string(1, "JQK"[card]) : std::to_string(card + 1);
}

// The public part: the actions so far. Both the state and the view contain one.
struct Betting {
  std::int8_t players = 2;
  std::int8_t length = 0;
  std::int8_t first_bet = kNone;  // index of the bet in the sequence
  std::uint32_t bets = 0;         // bit i: action i was a bet or call

  bool over() const { return first_bet == kNone ? length == players : length == first_bet + players; }
  int mover() const { return length % players; }
  void add(int action) {
    if (action == kBet) {
      if (first_bet == kNone) first_bet = length;
      bets |= 1U << length;
    }
    ++length;
  }
  // Has the player bet or called?
  bool paid(int player) const {
    for (int i = player; i < length; i += players) {
      if ((bets >> i & 1) != 0) return true;
    }
    return false;
  }
  std::string text() const {
    std::string out;
    for (int i = 0; i < length; ++i) out += (bets >> i & 1) != 0 ? 'b' : 'p';
    return out;
  }
  friend bool operator==(const Betting&, const Betting&) = default;
};

class View {
 public:
  int observer() const { return observer_; }
  int player() const {
    if (dealt_ < betting_.players) return kChance;
    return betting_.over() ? kTerminal : betting_.mover();
  }
  std::string text() const;
  Fields save() const {
    return {{"observer", std::int64_t{observer_}},
            {"card", std::int64_t{card_}},
            {"dealt", std::int64_t{dealt_}},
            {"betting", betting_.text()},
            {"shown", std::vector<std::int64_t>(shown_.begin(), shown_.begin() + betting_.players)}};
  }
  void tensor(float* out) const;
  Fields public_facts() const;
  Fields outline() const { return {{"hand", card_ == kNone ? Texts{} : Texts{card_name(players(), card_)}}}; }
  // By the deal alone: what to conclude from bets is left to the reader.
  Fields beliefs() const;
  // What matters before the showdown; cards shown at the end only happen to share it.
  std::uint64_t hash() const {
    std::uint64_t h = betting_.bets;
    for (const int part : {int{observer_}, int{dealt_}, int{betting_.length}}) h = h << 6 | static_cast<unsigned>(part);
    return h << 6 | static_cast<unsigned>(card_ + 1);
  }
  friend bool operator==(const View&, const View&) = default;

 private:
  friend class State;
  friend class Game;
  using Texts = std::vector<std::string>;
  int players() const { return betting_.players; }

  std::int8_t observer_ = 0;
  std::int8_t card_ = kNone;
  std::int8_t dealt_ = 0;
  Betting betting_;
  std::array<std::int8_t, kMaxPlayers> shown_{};  // cards seen at the showdown, kNone otherwise
};

class State {
 public:
  State(const Game* game, int players) : game_(game) {
    betting_.players = static_cast<std::int8_t>(players);
    cards_.fill(kNone);
  }

  int player() const {
    if (dealt_ < betting_.players) return kChance;
    return betting_.over() ? kTerminal : betting_.mover();
  }

  int legal(Action* out) const {
    const int p = player();
    if (p == kTerminal) return 0;
    if (p == kChance) {
      int n = 0;
      for (Action card = 0; card <= betting_.players; ++card) {
        if ((used_ >> card & 1) == 0) out[n++] = card;
      }
      return n;
    }
    out[0] = kPass;
    out[1] = kBet;
    return 2;
  }

  int outcomes(Outcome* out) const {
    if (player() != kChance) return 0;
    int n = 0;
    const double probability = 1.0 / (betting_.players + 1 - dealt_);
    for (Action card = 0; card <= betting_.players; ++card) {
      if ((used_ >> card & 1) == 0) out[n++] = {card, probability};
    }
    return n;
  }

  void apply(Action a) {
    if (dealt_ < betting_.players) {
      cards_[static_cast<std::size_t>(dealt_++)] = static_cast<std::int8_t>(a);
      used_ |= 1U << a;
    } else {
      betting_.add(a);
    }
  }

  void returns(double* out) const {
    const bool bet = betting_.first_bet != kNone;
    int winner = kNone;
    double pot = betting_.players;
    for (int p = 0; p < betting_.players; ++p) {
      const bool paid = betting_.paid(p);
      pot += paid;
      out[p] = paid ? -2 : -1;
      if (bet && !paid) continue;
      if (winner == kNone || card(p) > card(winner)) winner = p;
    }
    out[winner] += pot;
  }

  std::uint64_t key() const {
    std::uint64_t h = mix64(betting_.bets | std::uint64_t(betting_.length) << 32);
    for (int p = 0; p < dealt_; ++p) h = mix64(h ^ static_cast<std::uint64_t>(card(p) + 1));
    return h;
  }

  std::string name(Action a) const;
  int kind(Action a) const {
    if (player() == kChance) return kDealKind;
    const bool owes = betting_.first_bet != kNone;
    return a == kPass ? (owes ? kFoldKind : kCheckKind) : (owes ? kCallKind : kBetKind);
  }
  double amount(Action) const { return 1; }
  std::optional<Action> parse(std::string_view text) const;
  std::string text() const;
  Fields save() const {
    return {{"cards", std::vector<std::int64_t>(cards_.begin(), cards_.begin() + dealt_)},
            {"betting", betting_.text()}};
  }

  View view(int player) const {
    View v;
    v.observer_ = static_cast<std::int8_t>(player);
    v.card_ = cards_[static_cast<std::size_t>(player)];
    v.dealt_ = dealt_;
    v.betting_ = betting_;
    v.shown_.fill(kNone);
    if (dealt_ == betting_.players && betting_.over()) {
      // At the showdown the players who are still in show their cards.
      const bool bet = betting_.first_bet != kNone;
      int in = 0;
      for (int p = 0; p < betting_.players; ++p) in += !bet || betting_.paid(p);
      for (int p = 0; p < betting_.players; ++p) {
        if (in > 1 && (!bet || betting_.paid(p)))
          v.shown_[static_cast<std::size_t>(p)] = cards_[static_cast<std::size_t>(p)];
      }
    }
    return v;
  }

 private:
  friend class Game;
  int card(int player) const { return cards_[static_cast<std::size_t>(player)]; }

  const Game* game_;
  std::int8_t dealt_ = 0;
  std::array<std::int8_t, kMaxPlayers> cards_{};
  std::uint32_t used_ = 0;
  Betting betting_;
};

class Game {
 public:
  using State = kuhn::State;
  using View = kuhn::View;

  explicit Game(const Fields& parameters) {
    players_ = static_cast<int>(std::get<std::int64_t>(*find_field(parameters, "players")));
    info_.name = "kuhn";
    info_.title = "Kuhn poker";
    info_.players = players_;
    info_.actions = players_ + 1;
    info_.max_legal = players_ + 1;
    info_.max_length = players_ + 2 * players_ - 1;
    info_.min_payoff = -2;
    info_.max_payoff = 2.0 * (players_ - 1);
    info_.hidden = true;
    info_.chance = true;
    info_.branching = 2;
    info_.tensor_size = players_ + (players_ + 1) + 2 * (2 * players_ - 1);
    info_.kinds = {{"deal", "deal", ""},
                   {"fold", "move", ""},
                   {"check", "move", ""},
                   {"call", "move", "chips"},
                   {"bet", "move", "chips"}};
  }

  static std::vector<Parameter> parameters() {
    return {{"players", "number of players; the deck has one card more", std::int64_t{2}, 2, kMaxPlayers, {}}};
  }
  static std::vector<Preset> presets() { return {}; }

  const GameInfo& info() const { return info_; }
  int players() const { return players_; }
  State root() const { return State(this, players_); }

  std::string card_name(int card) const { return kuhn::card_name(players_, card); }

  std::optional<int> parse_card(std::string_view text) const {
    for (int card = 0; card <= players_; ++card) {
      const std::string name = card_name(card);
      if (text.size() != name.size()) continue;
      bool same = true;
      for (std::size_t i = 0; i < name.size(); ++i) {
        same = same && (text[i] == name[i] || (name[i] >= 'A' && text[i] == (name[i] | 0x20)));
      }
      if (same) return card;
    }
    return std::nullopt;
  }

  // Hands: one card each.
  std::vector<Action> deal(const std::vector<std::string>& hands, int start) const {
    if (start != 0) throw PositionError("start: player 0 always begins, expected 0, got " + std::to_string(start));
    if (static_cast<int>(hands.size()) != players_) {
      throw PositionError("hands: expected " + std::to_string(players_) + ", got " + std::to_string(hands.size()));
    }
    std::vector<Action> actions;
    for (const auto& hand : hands) {
      const auto card = parse_card(hand);
      if (!card) throw PositionError("hands: '" + hand + "' is not a card of this deck");
      if (std::find(actions.begin(), actions.end(), *card) != actions.end()) {
        throw PositionError("hands: the card " + hand + " was dealt twice");
      }
      actions.push_back(*card);
    }
    return actions;
  }

  State load(const Fields& fields) const {
    const FieldReader<PositionError> in(fields);
    in.only({"cards", "betting"});
    State state = root();
    for (const std::int64_t card : in.integers("cards", 0, players_, 0, static_cast<std::size_t>(players_))) {
      if ((state.used_ >> card & 1) != 0) throw PositionError("cards: the same card twice");
      state.apply(static_cast<Action>(card));
    }
    read_betting<PositionError>(in.text("betting"), state.dealt_ == players_, state.betting_);
    return state;
  }

  View load_view(const Fields& fields) const {
    const FieldReader<ViewError> in(fields);
    in.only({"observer", "card", "dealt", "betting", "shown"});
    View v;
    v.observer_ = static_cast<std::int8_t>(in.integer("observer", 0, players_ - 1));
    v.dealt_ = static_cast<std::int8_t>(in.integer("dealt", 0, players_));
    const bool has_card = v.observer_ < v.dealt_;
    v.card_ = static_cast<std::int8_t>(in.integer("card", has_card ? 0 : kNone, has_card ? players_ : kNone));
    v.betting_.players = static_cast<std::int8_t>(players_);
    read_betting<ViewError>(in.text("betting"), v.dealt_ == players_, v.betting_);
    v.shown_.fill(kNone);
    const auto n = static_cast<std::size_t>(players_);
    const auto shown = in.integers("shown", kNone, players_, n, n);
    std::uint32_t seen = has_card ? 1U << v.card_ : 0;
    for (std::size_t p = 0; p < n; ++p) {
      v.shown_[p] = static_cast<std::int8_t>(shown[p]);
      if (shown[p] == kNone || static_cast<int>(p) == v.observer_) continue;
      if ((seen >> shown[p] & 1) != 0) throw ViewError("shown: the same card twice");
      seen |= 1U << shown[p];
    }
    // The view is possible if some state shows it: complete it in any way and look again.
    Rng rng(0);
    if (!(sample(v, rng).view(v.observer_) == v)) throw ViewError("shown: not the cards of those still in the game");
    return v;
  }

  State sample(const View& v, Rng& rng) const {
    State state = root();
    std::uint32_t used = 0;
    const auto take = [&](int p) {
      const int known = p == v.observer_ ? v.card_ : v.shown_[static_cast<std::size_t>(p)];
      if (known == kNone) return;
      state.cards_[static_cast<std::size_t>(p)] = static_cast<std::int8_t>(known);
      used |= 1U << known;
    };
    for (int p = 0; p < players_; ++p) take(p);
    for (int p = 0; p < v.dealt_; ++p) {
      if (state.card(p) != kNone) continue;
      int left = static_cast<int>(rng.below(static_cast<std::uint32_t>(players_ + 1 - std::popcount(used))));
      int card = 0;
      while ((used >> card & 1) != 0 || left-- > 0) ++card;
      state.cards_[static_cast<std::size_t>(p)] = static_cast<std::int8_t>(card);
      used |= 1U << card;
    }
    state.used_ = used;
    state.dealt_ = v.dealt_;
    state.betting_ = v.betting_;
    return state;
  }

 private:
  template <class E>
  static void read_betting(const std::string& text, bool dealt, Betting& betting) {
    if (!dealt && !text.empty()) throw E("betting: nobody bets before the deal is complete");
    for (const char c : text) {
      if (c != 'p' && c != 'b') throw E("betting: expected a text of p (pass) and b (bet)");
      if (betting.over()) throw E("betting: goes on after the end");
      betting.add(c == 'b' ? kBet : kPass);
    }
  }

  int players_;
  GameInfo info_;
};

inline std::string State::name(Action a) const {
  if (player() == kChance) return game_->card_name(a);
  return a == kPass ? "pass" : "bet";
}

inline std::optional<Action> State::parse(std::string_view text) const {
  std::string word;
  for (const char c : text) {
    if (c != ' ') word += c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  }
  if (player() == kChance) return game_->parse_card(word);
  if (word == "pass" || word == "p" || word == "check" || word == "fold") return kPass;
  if (word == "bet" || word == "b" || word == "call") return kBet;
  return std::nullopt;
}

inline std::string State::text() const {
  std::string out = "cards:";
  for (int p = 0; p < betting_.players; ++p) out += " " + (p < dealt_ ? game_->card_name(card(p)) : "-");
  return out + "\nbetting: " + betting_.text() + "\n";
}

inline std::string View::text() const {
  const auto name = [&](int card) { return card_name(players(), card); };
  std::string out = "player " + std::to_string(observer_) + " holds " + (card_ == kNone ? "-" : name(card_)) + "\n";
  out += "betting: " + betting_.text() + "\n";
  for (int p = 0; p < betting_.players; ++p) {
    const int card = shown_[static_cast<std::size_t>(p)];
    if (card != kNone && p != observer_) out += "player " + std::to_string(p) + " shows " + name(card) + "\n";
  }
  return out;
}

inline Fields View::public_facts() const {
  BettingStory story(std::vector<double>(static_cast<std::size_t>(players()), 1.0));
  for (int i = 0; i < betting_.length; ++i) {
    const int seat = i % players();
    const bool owes = story.owed(seat) > 0;
    if ((betting_.bets >> i & 1) == 0) {
      owes ? story.fold(seat) : story.call(seat);
    } else {
      owes ? story.call(seat) : story.raise(seat, 1);
    }
  }
  std::vector<Value> shown;
  for (int seat = 0; seat < players(); ++seat) {
    const int card = shown_[static_cast<std::size_t>(seat)];
    shown.push_back(card == kNone ? Value(Nothing{}) : Value(card_name(players(), card)));
  }
  Fields out = {{"betting", betting_.text()}, {"shown", shown}};
  story.append_facts(out, betting_.mover(), 1);
  return out;
}

inline Fields View::beliefs() const {
  std::vector<int> shown(shown_.begin(), shown_.begin() + players());
  shown[static_cast<std::size_t>(observer_)] = card_;
  return single_card_beliefs(players() + 1, players(), dealt_, shown, {},
                             [&](int card) { return card_name(players(), card); });
}

inline void View::tensor(float* out) const {
  const int players = betting_.players;
  const int size = players + (players + 1) + 2 * (2 * players - 1);
  for (int i = 0; i < size; ++i) out[i] = 0;
  out[observer_] = 1;
  if (card_ != kNone) out[players + card_] = 1;
  for (int i = 0; i < betting_.length; ++i) out[2 * players + 1 + 2 * i + static_cast<int>(betting_.bets >> i & 1)] = 1;
}

}  // namespace kiebitz::kuhn
