// The rules of Leduc hold'em: views, states and the game, from the deal to the showdown.
#pragma once

#include <algorithm>
#include <array>

#include "games/contract.hpp"
#include "games/leduc/betting.hpp"

namespace kiebitz::leduc {

class Game;

class View {
 public:
  int observer() const { return observer_; }
  int player() const;
  std::string text() const;
  Fields save() const {
    return {{"observer", std::int64_t{observer_}}, {"dealt", std::int64_t{dealt_}}, {"card", std::int64_t{card_}},
            {"public", std::int64_t{public_}},     {"betting", betting_.text()},    {"shown", std::int64_t{shown_}}};
  }
  // Rank of the private and of the public card, then the history as (seat, round, raises before, call or raise): 30
  // numbers for the usual deck, the canonical order of the thesis specification. Suits are left out: they never matter.
  void tensor(float* out) const;
  Fields public_facts() const;
  Fields outline() const;
  // By the deal alone: what to conclude from bets is left to the reader.
  Fields beliefs() const;
  std::uint64_t hash() const {
    std::uint64_t h = static_cast<std::uint64_t>(observer_ << 3 | dealt_ << 1 | betting_.folded);
    for (const int card : {card_, public_, shown_}) h = h << 7 | static_cast<std::uint64_t>(card + 1);
    for (std::size_t r = 0; r < 2; ++r) {
      h = h << 12 | static_cast<std::uint64_t>(betting_.raised[r] << 4 | betting_.length[r]);
    }
    return h;
  }

  // Compares what the views say, not which Game object they came from.
  friend bool operator==(const View& a, const View& b) {
    return a.observer_ == b.observer_ && a.dealt_ == b.dealt_ && a.card_ == b.card_ && a.public_ == b.public_ &&
           a.shown_ == b.shown_ && a.betting_ == b.betting_;
  }

 private:
  friend class State;
  friend class Game;
  const Game* game_ = nullptr;  // for the names of the cards
  std::int8_t observer_ = 0;
  std::int8_t dealt_ = 0;  // private cards dealt so far
  std::int8_t card_ = kNone;
  std::int8_t public_ = kNone;
  std::int8_t shown_ = kNone;  // the other's card, turned over at the showdown
  Betting betting_;
};

class State {
 public:
  State(const Game* game, const std::array<double, 2>& stakes) : game_(game), stakes_(stakes) {}

  int player() const {
    if (dealt_ < 2) return kChance;
    if (betting_.folded) return kTerminal;
    if (!betting_.round_over()) return betting_.actor();
    return betting_.round == 0 ? kChance : kTerminal;
  }

  int legal(Action* out) const;
  int outcomes(Outcome* out) const;
  void apply(Action a);

  void returns(double* out) const {
    const int loser = betting_.folded ? betting_.actor() : showdown_loser();
    out[0] = out[1] = 0;
    if (loser == kNone) return;
    const double lost = stakes_[static_cast<std::size_t>(loser)];
    out[loser] = -lost;
    out[1 - loser] = lost;
  }

  Fields result() const {
    return {{"by", std::string(betting_.folded ? "fold" : "showdown")},
            {"stakes", std::vector<double>{stakes_[0], stakes_[1]}}};
  }

  // Exact: three cards in seven bits each, two rounds in twelve.
  std::uint64_t key() const {
    std::uint64_t k = betting_.folded;
    for (const int card : {cards_[0], cards_[1], public_}) k = k << 7 | static_cast<std::uint64_t>(card + 1);
    for (std::size_t r = 0; r < 2; ++r)
      k = k << 12 | static_cast<std::uint64_t>(betting_.raised[r] << 4 | betting_.length[r]);
    return k;
  }

  std::string name(Action a) const;
  int kind(Action a) const {
    const int p = player();
    if (p < 0) return kDealKind;
    if (a == kFold) return kFoldKind;
    if (a == kCall) return owes(p) ? kCallKind : kCheckKind;
    return owes(p) ? kRaiseKind : kBetKind;
  }
  // Of a call what is owed, of a bet or raise by how much the stakes rise.
  double amount(Action a) const;
  void owners(std::int8_t* out) const;
  std::optional<Action> parse(std::string_view text) const;
  std::string text() const;
  Fields save() const {
    return {{"cards", std::vector<std::int64_t>(cards_.begin(), cards_.begin() + dealt_)},
            {"public", std::int64_t{public_}},
            {"betting", betting_.text()}};
  }

  View view(int player) const {
    View v;
    v.game_ = game_;
    v.observer_ = static_cast<std::int8_t>(player);
    v.dealt_ = dealt_;
    v.card_ = cards_[static_cast<std::size_t>(player)];
    v.public_ = public_;
    v.betting_ = betting_;
    if (betting_.over() && !betting_.folded) v.shown_ = cards_[static_cast<std::size_t>(1 - player)];
    return v;
  }

 private:
  friend class Game;
  bool owes(int player) const {
    return stakes_[static_cast<std::size_t>(player)] < stakes_[static_cast<std::size_t>(1 - player)];
  }
  bool taken(int card) const { return card == cards_[0] || card == cards_[1] || card == public_; }
  int showdown_loser() const;

  const Game* game_;
  std::array<double, 2> stakes_;
  std::array<std::int8_t, 2> cards_ = {kNone, kNone};
  std::int8_t public_ = kNone;
  std::int8_t dealt_ = 0;
  Betting betting_;
};

class Game {
 public:
  using State = leduc::State;
  using View = leduc::View;

  explicit Game(const Fields& parameters) {
    const FieldReader<ParameterError> in(parameters);
    ranks_ = static_cast<int>(in.integer("ranks", 2, 13));
    suits_ = static_cast<int>(in.integer("suits", 1, 4));
    raises_ = static_cast<int>(in.integer("raises", 0, kMaxRaises));
    stakes_ = pair(parameters, "stakes");
    bets_ = pair(parameters, "bets");
    if (cards() < 3) {
      throw ParameterError("ranks, suits: expected at least 3 cards, got " + std::to_string(cards()));
    }
    info_.name = "leduc";
    info_.title = "Leduc hold'em";
    info_.actions = std::max(cards(), 3);
    info_.max_legal = info_.actions;
    info_.max_length = 3 + 2 * (raises_ + 2);
    // Added up like the stakes themselves, so that rounding takes no payoff out of the range.
    info_.max_payoff = std::max(stakes_[0], stakes_[1]);
    for (const double bet : bets_) {
      for (int raise = 0; raise < raises_; ++raise) info_.max_payoff += bet;
    }
    info_.min_payoff = -info_.max_payoff;
    info_.hidden = true;
    info_.chance = true;
    info_.branching = 2.4;
    info_.tensor_size = 2 * ranks_ + 8 * (raises_ + 1);
    info_.kinds = {{"deal", "deal", ""},      {"fold", "move", ""},     {"check", "move", ""},
                   {"call", "move", "chips"}, {"bet", "move", "chips"}, {"raise", "move", "chips"}};
  }

  static std::vector<Parameter> parameters() {
    return {{"ranks", "different ranks in the deck", std::int64_t{3}, 2, 13, {}},
            {"suits", "copies of each rank", std::int64_t{2}, 1, 4, {}},
            {"stakes", "forced stakes of seat 0 and seat 1: antes or blinds", std::vector<double>{1, 1}, 0, 1000, {}},
            {"bets", "size of a raise in the first and the second round", std::vector<double>{2, 4}, 0.001, 1000, {}},
            {"raises", "most raises in a round", std::int64_t{2}, 0, kMaxRaises, {}}};
  }
  static std::vector<Preset> presets() {
    return {{"standard", "antes of 1, raises of 2 and 4: the game of the literature", {}},
            {"thesis",
             "the dealer, who begins, posts 0.5 and the other 1, raises of 1 in both rounds",
             {{"stakes", std::vector<double>{0.5, 1}}, {"bets", std::vector<double>{1, 1}}}}};
  }

  const GameInfo& info() const { return info_; }
  State root() const { return State(this, stakes_); }
  int cards() const { return ranks_ * suits_; }
  int ranks() const { return ranks_; }
  int rank(int card) const { return card / suits_; }
  int max_raises() const { return raises_; }
  double bet(std::size_t round) const { return bets_[round]; }
  const std::array<double, 2>& stakes() const { return stakes_; }

  // Rank and suit, "Ks"; the usual three ranks are J, Q and K.
  std::string card_name(int card) const {
    if (card == kNone) return "-";
    return {rank_letter(rank(card)), "shdc"[card % suits_]};
  }

  // A card by rank and suit; by rank alone it is the first copy that `taken` does not claim.
  template <class Taken>
  std::optional<int> parse_card(std::string_view text, Taken taken) const {
    if (text.empty() || text.size() > 2) return std::nullopt;
    for (int card = 0; card < cards(); ++card) {
      const std::string name = card_name(card);
      if (lower(name[0]) != lower(text[0])) continue;
      if (text.size() == 2 ? name[1] == lower(text[1]) : !taken(card)) return card;
    }
    return std::nullopt;
  }

  // Hands: one private card each, such as {"Ks", "J"}.
  std::vector<Action> deal(const std::vector<std::string>& hands, int start) const {
    if (start != 0) throw PositionError("start: seat 0 always begins, expected 0, got " + std::to_string(start));
    if (hands.size() != 2) throw PositionError("hands: expected 2, got " + std::to_string(hands.size()));
    // A card given by rank alone must leave the copy that the other hand names.
    std::vector<Action> actions = {kNone, kNone};
    for (const bool exact : {true, false}) {
      for (std::size_t p = 0; p < 2; ++p) {
        if ((hands[p].size() == 2) != exact) continue;
        const auto card = parse_card(hands[p], [&](int c) { return c == actions[1 - p]; });
        if (!card) throw PositionError("hands: '" + excerpt(hands[p], 20) + "' is not a free card of this deck");
        actions[p] = *card;
      }
    }
    if (actions[0] == actions[1]) throw PositionError("hands: the card " + hands[0] + " was dealt twice");
    return actions;
  }

  State load(const Fields& fields) const {
    const FieldReader<PositionError> in(fields);
    in.only({"cards", "public", "betting"});
    const auto cards_dealt = in.integers("cards", 0, cards() - 1, 0, 2);
    const auto open = static_cast<int>(in.integer("public", kNone, cards() - 1));
    return replay<PositionError>(cards_dealt, open, in.text("betting"));
  }

  View load_view(const Fields& fields) const {
    const FieldReader<ViewError> in(fields);
    in.only({"observer", "dealt", "card", "public", "betting", "shown"});
    View v;
    v.game_ = this;
    v.observer_ = static_cast<std::int8_t>(in.integer("observer", 0, 1));
    v.dealt_ = static_cast<std::int8_t>(in.integer("dealt", 0, 2));
    v.card_ = static_cast<std::int8_t>(in.integer("card", kNone, cards() - 1));
    v.public_ = static_cast<std::int8_t>(in.integer("public", kNone, cards() - 1));
    v.shown_ = static_cast<std::int8_t>(in.integer("shown", kNone, cards() - 1));
    if ((v.card_ != kNone) != (v.observer_ < v.dealt_)) throw ViewError("card: does not agree with dealt");
    if (v.card_ != kNone && (v.card_ == v.public_ || v.card_ == v.shown_)) throw ViewError("card: the same card twice");
    if (v.shown_ != kNone && v.shown_ == v.public_) throw ViewError("shown: the same card twice");
    // The view is possible if some state shows it: complete it in any way, play to it and look again.
    Rng rng(0);
    const State world = sample_cards(v, rng);
    const State again = replay<ViewError>({world.cards_.begin(), world.cards_.begin() + world.dealt_}, world.public_,
                                          in.text("betting"));
    v.betting_ = again.betting_;
    if (!(again.view(v.observer_) == v))
      throw ViewError("shown: the other's card is seen at a showdown and only there");
    return v;
  }

  State sample(const View& v, Rng& rng) const { return play_on(sample_cards(v, rng), v); }

  // Hands from elsewhere (contract.hpp).
  std::vector<std::string> pack() const {
    std::vector<std::string> names;
    for (int card = 0; card < cards(); ++card) names.push_back(card_name(card));
    return names;
  }

  State world(const View& v, const std::int8_t* owners, Rng&) const {
    State state = root();
    state.dealt_ = v.dealt_;
    state.public_ = v.public_;
    std::array<int, 2> held{};
    for (int card = 0; card < cards(); ++card) {
      const std::int8_t owner = owners[card];
      if (owner == kNobody) continue;
      const auto seat = static_cast<std::size_t>(owner);
      state.cards_[seat] = static_cast<std::int8_t>(card);
      if (++held[seat] > (owner < v.dealt_ ? 1 : 0) || card == v.public_)
        throw ViewError("seat " + std::to_string(owner) + " cannot hold " + card_name(card));
    }
    for (int seat = 0; seat < v.dealt_; ++seat) {
      if (held[static_cast<std::size_t>(seat)] == 0) throw ViewError("seat " + std::to_string(seat) + " has no card");
    }
    state = play_on(state, v);
    if (!(state.view(v.observer_) == v)) throw ViewError("the observer would see something else");
    return state;
  }

  // What a call or raise does to the stakes.
  void pay(std::array<double, 2>& stakes, std::size_t round, int seat, bool raise) const {
    stakes[static_cast<std::size_t>(seat)] = std::max(stakes[0], stakes[1]) + (raise ? bets_[round] : 0);
  }

 private:
  static char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

  char rank_letter(int rank) const {
    if (ranks_ <= 4) return "JQKA"[rank];
    return "23456789TJQKA"[13 - ranks_ + rank];
  }

  static std::array<double, 2> pair(const Fields& parameters, const char* name) {
    const Value* value = find_field(parameters, name);
    const auto* list = value == nullptr ? nullptr : std::get_if<std::vector<double>>(value);
    if (list == nullptr || list->size() != 2) throw ParameterError(std::string(name) + ": expected two numbers");
    return {(*list)[0], (*list)[1]};
  }

  // A state with the cards of a view, as its betting went.
  State play_on(State state, const View& v) const {
    state.betting_ = v.betting_;
    for (std::size_t r = 0; r < 2; ++r) {
      for (int k = 0; k < v.betting_.length[r]; ++k) {
        pay(state.stakes_, r, k & 1, (v.betting_.raised[r] >> k & 1) != 0);
      }
    }
    return state;
  }

  // The cards of a view, with those that the observer cannot see drawn uniformly from the rest of the deck.
  State sample_cards(const View& v, Rng& rng) const {
    State state = root();
    state.dealt_ = v.dealt_;
    state.public_ = v.public_;
    state.cards_[static_cast<std::size_t>(v.observer_)] = v.card_;
    const int other = 1 - v.observer_;
    if (other < v.dealt_) {
      int hidden = v.shown_;
      if (hidden == kNone) {
        const int known = (v.card_ != kNone) + (v.public_ != kNone);
        int left = static_cast<int>(rng.below(static_cast<std::uint32_t>(cards() - known)));
        for (hidden = 0; state.taken(hidden) || left-- > 0;) ++hidden;
      }
      state.cards_[static_cast<std::size_t>(other)] = static_cast<std::int8_t>(hidden);
    }
    return state;
  }

  // Plays a saved position from the start, so that the result is a position of the game.
  template <class E>
  State replay(const std::vector<std::int64_t>& dealt, int open, const std::string& betting) const {
    State state = root();
    for (const std::int64_t card : dealt) {
      if (state.taken(static_cast<int>(card))) throw E("cards: the same card twice");
      state.apply(static_cast<Action>(card));
    }
    for (const char c : betting) {
      if (c == '/') {
        if (state.player() != kChance || state.dealt_ < 2) throw E("betting: the first round is not over before /");
        if (open == kNone) throw E("public: missing in the second round");
        if (state.taken(open)) throw E("public: the same card twice");
        state.apply(open);
        continue;
      }
      const auto action = std::string_view("fcr").find(c);
      if (action > 2) throw E("betting: expected a text of f, c, r and one / between the rounds");
      const int p = state.player();
      if (p < 0) throw E("betting: nobody is to act where it says " + std::string(1, c));
      if (action == kFold && !state.owes(p)) throw E("betting: a fold where nothing is owed");
      if (action == kRaise && state.betting_.raises[state.betting_.index()] == raises_) {
        throw E("betting: expected at most " + std::to_string(raises_) + " raises a round");
      }
      state.apply(static_cast<Action>(action));
    }
    if (state.public_ != open) throw E("public: dealt before the first round is over");
    return state;
  }

  int ranks_;
  int suits_;
  int raises_;
  std::array<double, 2> stakes_;
  std::array<double, 2> bets_;
  GameInfo info_;
};

inline void State::owners(std::int8_t* out) const {
  std::fill_n(out, game_->cards(), kNobody);
  for (int seat = 0; seat < dealt_; ++seat)
    out[cards_[static_cast<std::size_t>(seat)]] = static_cast<std::int8_t>(seat);
}

inline int State::legal(Action* out) const {
  const int p = player();
  int n = 0;
  if (p >= 0) {
    if (owes(p)) out[n++] = kFold;
    out[n++] = kCall;
    if (betting_.raises[betting_.index()] < game_->max_raises()) out[n++] = kRaise;
  } else if (p == kChance) {
    for (int card = 0; card < game_->cards(); ++card) {
      if (!taken(card)) out[n++] = card;
    }
  }
  return n;
}

inline int State::outcomes(Outcome* out) const {
  if (player() != kChance) return 0;
  int n = 0;
  for (int card = 0; card < game_->cards(); ++card) {
    if (!taken(card)) out[n++].action = card;
  }
  for (int i = 0; i < n; ++i) out[i].probability = 1.0 / n;
  return n;
}

inline void State::apply(Action a) {
  if (dealt_ < 2) {
    cards_[static_cast<std::size_t>(dealt_++)] = static_cast<std::int8_t>(a);
  } else if (betting_.round == 0 && betting_.round_over()) {
    public_ = static_cast<std::int8_t>(a);
    betting_.round = 1;
  } else {
    if (a != kFold) game_->pay(stakes_, betting_.index(), betting_.actor(), a == kRaise);
    betting_.add(a);
  }
}

inline int State::showdown_loser() const {
  const auto strength = [&](int card) {
    const int rank = game_->rank(card);
    return rank == game_->rank(public_) ? game_->ranks() : rank;
  };
  const int a = strength(cards_[0]);
  const int b = strength(cards_[1]);
  return a == b ? kNone : (a < b ? 0 : 1);
}

// At the deal the card, otherwise the kind.
inline std::string State::name(Action a) const {
  const int kind = this->kind(a);
  return kind == kDealKind ? game_->card_name(a) : game_->info().kinds[static_cast<std::size_t>(kind)].name;
}

inline double State::amount(Action a) const {
  if (a == kRaise) return game_->bet(betting_.index());
  const auto actor = static_cast<std::size_t>(betting_.actor());
  return stakes_[1 - actor] - stakes_[actor];
}

inline std::optional<Action> State::parse(std::string_view text) const {
  std::string word;
  for (const char c : text) {
    if (c != ' ') word += c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  }
  if (player() == kChance) return game_->parse_card(word, [&](int card) { return taken(card); });
  if (word == "fold" || word == "f") return kFold;
  if (word == "call" || word == "check" || word == "c" || word == "k") return kCall;
  if (word == "raise" || word == "bet" || word == "r" || word == "b") return kRaise;
  return std::nullopt;
}

inline std::string State::text() const {
  const auto amount = [](double x) {
    std::string digits = std::to_string(x);
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') digits.pop_back();
    return digits;
  };
  return "cards: " + game_->card_name(cards_[0]) + " " + game_->card_name(cards_[1]) +
         "\npublic: " + game_->card_name(public_) + "\nbetting: " + betting_.text() +
         "\nstakes: " + amount(stakes_[0]) + " " + amount(stakes_[1]) + "\n";
}

inline int View::player() const {
  if (dealt_ < 2) return kChance;
  if (betting_.folded) return kTerminal;
  if (!betting_.round_over()) return betting_.actor();
  return betting_.round == 0 ? kChance : kTerminal;
}

}  // namespace kiebitz::leduc
