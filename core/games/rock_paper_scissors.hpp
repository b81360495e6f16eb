// Rock-paper-scissors over one or more rounds. A simultaneous choice is written as two moves: player 0 chooses, then
// player 1 without seeing it; both are revealed before the next round. Actions: 0 rock, 1 paper, 2 scissors; each beats
// the one before it, and rock beats scissors. A won round pays 1 and a lost one -1, or, with payoff=thesis, 1 and 0
// (the printed general-sum table); rounds add up.
#pragma once

#include <array>

#include "games/contract.hpp"

namespace kiebitz::rock_paper_scissors {

inline constexpr int kMaxRounds = 100;
inline constexpr int kHidden = 3;  // in a view: chosen, but not seen

// The sequence of choices, two bits each: player 0 made those with even numbers. A view has kHidden where it cannot
// look.
class Choices {
 public:
  int length() const { return length_; }
  int operator[](int i) const { return static_cast<int>(words_[word(i)] >> shift(i) & 3); }
  void add(int choice) { set(length_++, choice); }
  void set(int i, int choice) {
    words_[word(i)] &= ~(std::uint64_t{3} << shift(i));
    words_[word(i)] |= static_cast<std::uint64_t>(choice) << shift(i);
  }
  std::uint64_t hash() const {
    std::uint64_t h = mix64(length_);
    for (int w = 0; w * 32 < length_; ++w) h = mix64(h ^ words_[static_cast<std::size_t>(w)]);
    return h;
  }
  // One letter a choice, in the order they were made: "rpss".
  std::string letters() const {
    std::string out;
    for (int i = 0; i < length_; ++i) out += "rps?"[(*this)[i]];
    return out;
  }
  friend bool operator==(const Choices&, const Choices&) = default;

 private:
  static std::size_t word(int i) { return static_cast<std::size_t>(i) / 32; }
  static unsigned shift(int i) { return static_cast<unsigned>(i) % 32 * 2; }

  std::uint8_t length_ = 0;
  std::array<std::uint64_t, (2 * kMaxRounds + 31) / 32> words_{};
};

inline std::string choice_name(int choice) {
  static const char* const names[] = {"rock", "paper", "scissors", "hidden"};
  return names[choice];
}

// The player who wins a round; -1: a draw.
constexpr int round_winner(int first, int second) { return (3 + first - second) % 3 - 1; }

// Both choices of every round, a line per round.
inline std::string rounds_text(const Choices& choices, int rounds) {
  std::string out;
  for (int i = 0; i < choices.length(); i += 2) {
    out += "round " + std::to_string(i / 2 + 1) + " of " + std::to_string(rounds) + ": " + choice_name(choices[i]) +
           " - " + (i + 1 < choices.length() ? choice_name(choices[i + 1]) : "?") + "\n";
  }
  return out.empty() ? "round 1 of " + std::to_string(rounds) + ": ? - ?\n" : out;
}

class View {
 public:
  int observer() const { return observer_; }
  int player() const { return choices_.length() == 2 * rounds_ ? kTerminal : choices_.length() % 2; }
  std::string text() const { return "player " + std::to_string(observer_) + "\n" + rounds_text(choices_, rounds_); }
  Fields save() const { return {{"observer", std::int64_t{observer_}}, {"choices", choices_.letters()}}; }

  Fields outline() const { return {}; }
  // The rounds that are over, the number of rounds, rounds won by player, and whose choice is next.
  Fields public_facts() const {
    std::vector<Value> rounds;
    std::vector<std::int64_t> wins(2);
    for (int i = 0; i + 1 < choices_.length(); i += 2) {
      rounds.emplace_back(std::vector<std::string>{choice_name(choices_[i]), choice_name(choices_[i + 1])});
      const int winner = round_winner(choices_[i], choices_[i + 1]);
      if (winner >= 0) ++wins[static_cast<std::size_t>(winner)];
    }
    const int p = player();
    return {{"rounds", rounds},
            {"total", std::int64_t{rounds_}},
            {"wins", wins},
            {"turn", p >= 0 ? Value(std::int64_t{p}) : Value(Nothing{})}};
  }

  // The observer, then six cells a round: the choice of player 0 and of player 1, all zero where unknown.
  void tensor(float* out) const {
    std::fill(out, out + 2 + 6 * rounds_, 0.0F);
    out[observer_] = 1;
    for (int i = 0; i < choices_.length(); ++i) {
      if (choices_[i] != kHidden) out[2 + 3 * i + choices_[i]] = 1;
    }
  }
  friend bool operator==(const View&, const View&) = default;

 private:
  friend class State;
  friend class Game;
  std::int8_t observer_ = 0;
  std::int8_t rounds_ = 1;
  Choices choices_;
};

class State {
 public:
  State(int rounds, bool zero_sum) : rounds_(static_cast<std::int8_t>(rounds)), zero_sum_(zero_sum) {}

  int player() const { return choices_.length() == 2 * rounds_ ? kTerminal : choices_.length() % 2; }

  int legal(Action* out) const {
    if (player() == kTerminal) return 0;
    for (Action a = 0; a < 3; ++a) out[a] = a;
    return 3;
  }
  Action random_legal(Rng& rng) const { return static_cast<Action>(rng.below(3)); }
  int outcomes(Outcome*) const { return 0; }

  void apply(Action a) {
    choices_.add(a);
    if (choices_.length() % 2 != 0) return;
    const int winner = round_winner(choices_[choices_.length() - 2], a);
    if (winner >= 0) ++wins_[static_cast<std::size_t>(winner)];
  }

  void returns(double* out) const {
    for (std::size_t p = 0; p < 2; ++p) out[p] = wins_[p] - (zero_sum_ ? wins_[1 - p] : 0);
  }

  Fields result() const {
    return {{"wins", std::vector<std::int64_t>{wins_[0], wins_[1]}},
            {"draws", std::int64_t{rounds_ - wins_[0] - wins_[1]}}};
  }

  std::uint64_t key() const { return choices_.hash(); }
  std::string name(Action a) const { return choice_name(a); }
  int kind(Action) const { return 0; }

  // The word or its first letter, in either case.
  std::optional<Action> parse(std::string_view text) const {
    std::string lower;
    for (const char c : text) {
      if (c != ' ') lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    }
    for (Action a = 0; a < 3; ++a) {
      const std::string name = choice_name(a);
      if (lower == name || lower == name.substr(0, 1)) return a;
    }
    return std::nullopt;
  }

  std::string text() const { return rounds_text(choices_, rounds_); }
  Fields save() const { return {{"choices", choices_.letters()}}; }

  View view(int player) const {
    View v;
    v.observer_ = static_cast<std::int8_t>(player);
    v.rounds_ = rounds_;
    v.choices_ = choices_;
    if (player == 1 && choices_.length() % 2 != 0) v.choices_.set(choices_.length() - 1, kHidden);
    return v;
  }

 private:
  friend class Game;
  std::int8_t rounds_;
  bool zero_sum_;
  std::array<std::uint8_t, 2> wins_{};
  Choices choices_;
};

class Game {
 public:
  using State = rock_paper_scissors::State;
  using View = rock_paper_scissors::View;

  explicit Game(const Fields& parameters) {
    const FieldReader<ParameterError> in(parameters);
    rounds_ = static_cast<int>(in.integer("rounds", 1, kMaxRounds));
    zero_sum_ = in.text("payoff") == "zero_sum";
    info_.name = "rock_paper_scissors";
    info_.title = "Rock-paper-scissors";
    info_.actions = 3;
    info_.max_legal = 3;
    info_.max_length = 2 * rounds_;
    info_.min_payoff = zero_sum_ ? -rounds_ : 0;
    info_.max_payoff = rounds_;
    info_.utility = zero_sum_ ? Utility::zero_sum : Utility::general;
    info_.hidden = true;
    info_.branching = 3;
    info_.tensor_size = 2 + 6 * rounds_;
    info_.kinds = {{"choose", "move", ""}};
  }

  static std::vector<Parameter> parameters() {
    return {{"rounds", "rounds played; their payoffs add up", std::int64_t{1}, 1, kMaxRounds, {}},
            {"payoff",
             "a won and a lost round: zero_sum pays 1 and -1, thesis 1 and 0",
             std::string("zero_sum"),
             0,
             0,
             {"zero_sum", "thesis"}}};
  }
  static std::vector<Preset> presets() { return {}; }

  const GameInfo& info() const { return info_; }
  State root() const { return State(rounds_, zero_sum_); }

  State load(const Fields& fields) const {
    const FieldReader<PositionError> in(fields);
    in.only({"choices"});
    return read<PositionError>(in.text("choices"), false);
  }

  View load_view(const Fields& fields) const {
    const FieldReader<ViewError> in(fields);
    in.only({"observer", "choices"});
    const int observer = static_cast<int>(in.integer("observer", 0, 1));
    return read<ViewError>(in.text("choices"), observer == 1).view(observer);
  }

  State sample(const View& v, Rng& rng) const {
    State state = root();
    for (int i = 0; i < v.choices_.length(); ++i) {
      const int seen = v.choices_[i];
      state.apply(seen == kHidden ? static_cast<Action>(rng.below(3)) : seen);
    }
    return state;
  }

 private:
  // Reads letters. With `second` they are those that player 1 sees: an open choice of player 0 is a question mark.
  template <class E>
  State read(const std::string& letters, bool second) const {
    if (letters.size() > static_cast<std::size_t>(2 * rounds_)) {
      throw E("choices: expected at most " + std::to_string(2 * rounds_) + ", got " + std::to_string(letters.size()));
    }
    State state = root();
    for (std::size_t i = 0; i < letters.size(); ++i) {
      const bool unseen = second && i % 2 == 0 && i + 1 == letters.size();
      const auto choice = std::string_view("rps").find(letters[i]);
      if (unseen != (letters[i] == '?') || (!unseen && choice > 2)) {
        throw E(std::string("choices: expected ") + (unseen ? "?" : "r, p or s") + " in place " +
                std::to_string(i + 1));
      }
      state.apply(unseen ? 0 : static_cast<Action>(choice));
    }
    return state;
  }

  int rounds_;
  bool zero_sum_;
  GameInfo info_;
};

}  // namespace kiebitz::rock_paper_scissors
