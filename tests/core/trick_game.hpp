// A small trick game with everything the searches of hidden games know how to use: hidden hands and sides,
// declarations, risky actions, playouts of its own, beliefs, and a world that takes over the true sides.
//
// Four players, four suits of n cards, n cards each. Players follow suit, the highest card of the suit led takes the
// trick and its eyes (the ranks, counted from 1). The holders of the lowest cards of suits 0 and 1 are side 0, one
// player alone with both. Before each of the first `rounds` tricks its leader may double the stakes (once per game) or
// pass. Side 0 wins with more than half of the eyes.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "games/contract.hpp"

namespace trick_game {

using namespace kiebitz;

class Game;

class View;

class State {
 public:
  explicit State(const Game* game) : game_(game) {}

  inline int player() const;
  inline int legal(Action* out) const;
  inline int outcomes(Outcome* out) const;
  inline void apply(Action a);
  inline void returns(double* out) const;
  inline std::uint64_t key() const;
  inline std::string name(Action a) const;
  std::optional<Action> parse(std::string_view) const { return std::nullopt; }
  int kind(Action) const { return 0; }
  std::string text() const { return ""; }
  Fields save() const { return {}; }
  inline View view(int player) const;

  void restrict_calls(Calls calls) {
    if (calls > calls_) calls_ = calls;
    settle();
  }
  inline bool risky(Action a) const;
  inline void play_out(Rng& rng);
  bool settled() const { return true; }
  inline int side(int player) const;
  inline int left() const;
  // Keeps this deal but pretends to know the sides.
  void take_sides(const State& other) {
    for (int p = 0; p < 4; ++p) sides_[p] = static_cast<std::int8_t>(other.side(p));
  }

  bool doubled() const { return doubled_; }
  bool asked() const { return asking_; }
  friend bool operator==(const State&, const State&) = default;
  std::uint64_t hand(int p) const { return hands_[static_cast<std::size_t>(p)]; }

 private:
  friend class Game;
  friend class View;
  friend class Sampler;

  inline void settle();
  inline bool offered() const;
  inline std::uint64_t playable() const;

  const Game* game_;
  std::array<std::uint64_t, 4> hands_{};
  std::array<std::uint64_t, 4> played_{};
  std::array<std::int8_t, 4> trick_{};
  std::array<std::int8_t, 4> sides_{-1, -1, -1, -1};  // if they are pretended
  std::array<std::uint8_t, 4> lacks_{};               // suits that a player did not follow
  int dealt_ = 0;
  int tricks_ = 0;
  int in_trick_ = 0;
  int leader_ = 0;
  std::array<int, 4> eyes_{};  // by player
  bool asking_ = false;
  bool declined_ = false;  // in this trick
  bool doubled_ = false;
  Calls calls_ = Calls::all;
};

class View {
 public:
  int observer() const { return observer_; }
  int player() const { return seen_.player(); }
  std::string text() const { return ""; }
  Fields save() const { return {}; }
  void tensor(float*) const {}
  friend bool operator==(const View&, const View&) = default;

 private:
  friend class State;
  friend class Game;
  friend class Sampler;
  View(State seen, int observer) : seen_(std::move(seen)), observer_(observer) {}
  State seen_;  // without the hands of the others
  int observer_;
};

// Beliefs: 0 uniform over the deals that explain the view; 1 the same deal every time (the first that is found).
class Sampler {
 public:
  Sampler(const Game* game, View view, int belief) : game_(game), view_(std::move(view)), belief_(belief) {}
  inline State draw(Rng& rng);

 private:
  const Game* game_;
  View view_;
  int belief_;
};

class Game {
 public:
  using State = trick_game::State;
  using View = trick_game::View;
  using Sampler = trick_game::Sampler;

  explicit Game(const Fields&) : Game(3) {}
  explicit Game(int ranks, int rounds = 2) : ranks_(ranks), rounds_(rounds) {
    info_.name = "trick_game";
    info_.players = 4;
    info_.actions = 4 * ranks + 2;
    info_.max_legal = 4 * ranks;
    info_.max_length = 8 * ranks + rounds;
    info_.min_payoff = -30;
    info_.max_payoff = 30;
    info_.hidden = true;
    info_.chance = true;
    info_.beliefs = {"exact", "fixed"};
  }

  static std::vector<Parameter> parameters() { return {}; }
  static std::vector<Preset> presets() { return {}; }
  const GameInfo& info() const { return info_; }
  State root() const { return State(this); }
  State load(const Fields&) const { throw PositionError("not needed here"); }
  View load_view(const Fields&) const { throw ViewError("not needed here"); }
  State sample(const View& view, Rng& rng) const { return sampler(view, 0).draw(rng); }
  Sampler sampler(const View& view, int belief) const { return {this, view, belief}; }

  State deal(std::uint64_t seed) const {
    State state = root();
    Rng rng(seed);
    std::vector<Outcome> outcomes(static_cast<std::size_t>(info_.max_legal));
    while (state.player() == kChance) state.apply(random_outcome(state, rng, outcomes.data()));
    return state;
  }

  mutable std::atomic<std::int64_t> calls_made{0};  // in all states: what a search tries shows here

  int ranks() const { return ranks_; }
  int rounds() const { return rounds_; }
  int cards() const { return 4 * ranks_; }
  Action call() const { return cards(); }
  Action pass() const { return cards() + 1; }
  std::uint64_t suit(int s) const { return ((std::uint64_t{1} << ranks_) - 1) << (s * ranks_); }
  std::uint64_t marks() const { return 1 | std::uint64_t{1} << ranks_; }
  int all_eyes() const { return 2 * ranks_ * (ranks_ + 1); }

 private:
  int ranks_;
  int rounds_;
  GameInfo info_;
};

inline int State::player() const {
  if (dealt_ < game_->cards()) return kChance;
  if (tricks_ == game_->ranks()) return kTerminal;
  return (leader_ + in_trick_) % 4;
}

inline int write(std::uint64_t set, Action* out) {
  int n = 0;
  for (; set != 0; set &= set - 1) out[n++] = std::countr_zero(set);
  return n;
}

inline std::uint64_t State::playable() const {
  const std::uint64_t hand = hands_[static_cast<std::size_t>(player())];
  if (in_trick_ == 0) return hand;
  const std::uint64_t follow = hand & game_->suit(trick_[0] / game_->ranks());
  return follow != 0 ? follow : hand;
}

inline int State::legal(Action* out) const {
  const int p = player();
  if (p == kTerminal) return 0;
  if (p == kChance) {
    const std::uint64_t taken = hands_[0] | hands_[1] | hands_[2] | hands_[3];
    return write(((std::uint64_t{1} << game_->cards()) - 1) & ~taken, out);
  }
  if (!asking_) return write(playable(), out);
  out[0] = game_->call();
  out[1] = game_->pass();
  return 2;
}

inline int State::outcomes(Outcome* out) const {
  std::vector<Action> cards(static_cast<std::size_t>(game_->cards()));
  const int n = legal(cards.data());
  for (int i = 0; i < n; ++i) out[i] = {cards[static_cast<std::size_t>(i)], 1.0 / n};
  return n;
}

// Is the leader asked now? `last`: only before the last round in which it is possible.
inline bool State::offered() const {
  if (in_trick_ != 0 || declined_ || doubled_ || tricks_ >= game_->rounds() || calls_ == Calls::none) return false;
  return calls_ == Calls::all || tricks_ == game_->rounds() - 1;
}
inline void State::settle() { asking_ = dealt_ == game_->cards() && tricks_ < game_->ranks() && offered(); }

inline void State::apply(Action a) {
  if (dealt_ < game_->cards()) {
    hands_[static_cast<std::size_t>(dealt_++ % 4)] |= std::uint64_t{1} << a;
    settle();
    return;
  }
  if (asking_) {
    if (a == game_->call()) {
      doubled_ = true;
      ++game_->calls_made;
    }
    declined_ = true;
    settle();
    return;
  }
  const auto p = static_cast<std::size_t>(player());
  const int n = game_->ranks();
  hands_[p] &= ~(std::uint64_t{1} << a);
  played_[p] |= std::uint64_t{1} << a;
  trick_[static_cast<std::size_t>(in_trick_++)] = static_cast<std::int8_t>(a);
  if (a / n != trick_[0] / n) lacks_[p] |= static_cast<std::uint8_t>(1U << (trick_[0] / n));
  if (in_trick_ < 4) return;
  int best = 0;
  int eyes = 0;
  for (int i = 0; i < 4; ++i) {
    eyes += trick_[static_cast<std::size_t>(i)] % n + 1;
    if (trick_[static_cast<std::size_t>(i)] / n == trick_[0] / n &&
        trick_[static_cast<std::size_t>(i)] > trick_[static_cast<std::size_t>(best)]) {
      best = i;
    }
  }
  leader_ = (leader_ + best) % 4;
  eyes_[static_cast<std::size_t>(leader_)] += eyes;
  trick_ = {};
  in_trick_ = 0;
  declined_ = false;
  ++tricks_;
  settle();
}

inline int State::side(int p) const {
  const auto i = static_cast<std::size_t>(p);
  if (sides_[i] >= 0) return sides_[i];
  return ((hands_[i] | played_[i]) & game_->marks()) != 0 ? 0 : 1;
}

inline void State::returns(double* out) const {
  int eyes = 0;
  int members = 0;
  for (int p = 0; p < 4; ++p) {
    if (side(p) != 0) continue;
    eyes += eyes_[static_cast<std::size_t>(p)];
    ++members;
  }
  const int surplus = 2 * eyes - game_->all_eyes();
  int value = 1 + (surplus < 0 ? -surplus : surplus) / game_->ranks() / 2;
  if (value > 5) value = 5;
  value *= (surplus > 0 ? 1 : -1) * (doubled_ ? 2 : 1);
  for (int p = 0; p < 4; ++p) out[p] = side(p) == 0 ? (members == 1 ? 3 * value : value) : -value;
}

inline std::uint64_t State::key() const {
  std::uint64_t x = static_cast<std::uint64_t>(dealt_ + 64 * in_trick_ + 512 * leader_ + 4096 * int{doubled_} +
                                               8192 * int{asking_} + 16384 * int{declined_});
  for (const auto hand : hands_) x = mix64(x ^ hand);
  for (int i = 0; i < in_trick_; ++i) x = mix64(x ^ static_cast<std::uint64_t>(trick_[static_cast<std::size_t>(i)]));
  for (int p = 0; p < 4; ++p) {
    x = mix64(x ^ static_cast<std::uint64_t>(2 * eyes_[static_cast<std::size_t>(p)] + side(p)));
  }
  return x;
}

inline std::string State::name(Action a) const {
  if (a == game_->call()) return "double";
  if (a == game_->pass()) return "pass";
  return std::string(1, static_cast<char>('a' + a / game_->ranks())) + std::to_string(a % game_->ranks() + 1);
}

inline bool State::risky(Action a) const { return a == game_->call(); }
inline int State::left() const { return 4 * (game_->ranks() - tricks_) - in_trick_; }

inline void State::play_out(Rng& rng) {
  while (tricks_ < game_->ranks()) {
    if (asking_) {
      apply(rng.below(2) == 0 ? game_->call() : game_->pass());
      continue;
    }
    std::uint64_t set = playable();
    for (std::uint32_t i = rng.below(static_cast<std::uint32_t>(std::popcount(set))); i > 0; --i) set &= set - 1;
    apply(std::countr_zero(set));
  }
}

inline View State::view(int player) const {
  State seen = *this;
  for (int p = 0; p < 4; ++p) {
    if (p != player) seen.hands_[static_cast<std::size_t>(p)] = 0;
  }
  seen.sides_ = {-1, -1, -1, -1};
  return {seen, player};
}

inline State Sampler::draw(Rng& rng) {
  Rng same(0);
  Rng& from = belief_ == 1 ? same : rng;
  const State& seen = view_.seen_;
  const int n = game_->ranks();
  std::uint64_t unseen = (std::uint64_t{1} << game_->cards()) - 1;
  for (int p = 0; p < 4; ++p) unseen &= ~(seen.hand(p) | seen.played_[static_cast<std::size_t>(p)]);
  std::array<Action, 64> cards{};
  const int count = write(unseen, cards.data());
  for (;;) {  // shuffle until every hand is possible
    for (int i = count - 1; i > 0; --i) {
      std::swap(cards[static_cast<std::size_t>(i)], cards[from.below(static_cast<std::uint32_t>(i + 1))]);
    }
    State world = seen;
    int next = 0;
    bool fits = true;
    for (int p = 0; p < 4; ++p) {
      if (p == view_.observer()) continue;
      const auto i = static_cast<std::size_t>(p);
      for (int held = n - std::popcount(seen.played_[i]); held > 0; --held) {
        const Action card = cards[static_cast<std::size_t>(next++)];
        fits = fits && (seen.lacks_[i] >> (card / n) & 1) == 0;
        world.hands_[i] |= std::uint64_t{1} << card;
      }
    }
    if (fits) return world;
  }
}

static_assert(HiddenGame<Game> && HasSampler<Game> && HasCalls<State> && HasRisk<State> && HasPlayOut<State> &&
              HasSides<State> && HasLeak<State>);

}  // namespace trick_game
