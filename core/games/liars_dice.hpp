// Liar's dice, one round: everybody rolls in secret, then players in turn raise the bid "at least q dice show face f"
// or call the last bidder a liar, which ends the game. The highest face is wild: it counts as every face. Actions as in
// OpenSpiel (bidding rule reset-face): bid (q, f) is (q-1) * sides + (f-1), the call comes last; at the roll, the face
// minus one. A bid must have a higher number than the last one. If it was true the bidder wins 1 from the caller, else
// the caller wins 1 from the bidder; with more than two players the others get 0.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "games/contract.hpp"
#include "games/hand_beliefs.hpp"

namespace kiebitz::liars_dice {

inline constexpr int kNone = -1;
inline constexpr int kMaxBids = 128;  // players * dice * sides
enum Kind : int { kRollKind, kBidKind, kChallengeKind };

struct Rules {
  std::int8_t players = 2;
  std::int8_t dice = 1;  // per player
  std::int8_t sides = 6;

  int total() const { return players * dice; }
  int bids() const { return total() * sides; }
  int liar() const { return bids(); }
  friend bool operator==(const Rules&, const Rules&) = default;
};

inline std::string bid_name(const Rules& rules, int bid) {
  return std::to_string(bid / rules.sides + 1) + "x" + std::to_string(bid % rules.sides + 1);
}

// The public part. Bids only go up and players bid in turn, so the set of bids tells which player made each.
struct Bidding {
  std::int16_t last = kNone;
  std::int16_t count = 0;
  bool called = false;
  std::array<std::uint64_t, kMaxBids / 64> made{};

  bool has(int bid) const { return (made[static_cast<std::size_t>(bid) / 64] >> (bid % 64) & 1) != 0; }
  void add(int bid) {
    made[static_cast<std::size_t>(bid) / 64] |= std::uint64_t{1} << (bid % 64);
    last = static_cast<std::int16_t>(bid);
    ++count;
  }
  std::vector<std::int64_t> list() const {
    std::vector<std::int64_t> out;
    for (int bid = 0; bid <= last; ++bid) {
      if (has(bid)) out.push_back(bid);
    }
    return out;
  }
  std::string text(const Rules& rules) const {
    std::string out;
    for (const std::int64_t bid : list()) out += " " + bid_name(rules, static_cast<int>(bid));
    return "bids:" + out + (called ? " liar" : "") + "\n";
  }
  friend bool operator==(const Bidding&, const Bidding&) = default;
};

// How many dice of each player show each face. The order of dice means nothing.
class Faces {
 public:
  std::int8_t& at(const Rules& rules, int player, int face) {
    return counts_[static_cast<std::size_t>(player * rules.sides + face)];
  }
  int at(const Rules& rules, int player, int face) const {
    return counts_[static_cast<std::size_t>(player * rules.sides + face)];
  }
  // The dice of a player as digits from the lowest face up, or dashes for those not known.
  std::string text(const Rules& rules, int player) const {
    std::string out;
    for (int face = 0; face < rules.sides; ++face) {
      for (int i = 0; i < at(rules, player, face); ++i) out += " " + std::to_string(face + 1);
    }
    return out.empty() ? " -" : out;
  }
  std::vector<std::int64_t> list(const Rules& rules, int player) const {
    std::vector<std::int64_t> out;
    for (int face = 0; face < rules.sides; ++face) {
      for (int i = 0; i < at(rules, player, face); ++i) out.push_back(face);
    }
    return out;
  }
  std::uint64_t hash() const {
    std::uint64_t h = 0;
    for (std::size_t i = 0; i < counts_.size(); i += 8) {
      std::uint64_t word = 0;
      for (std::size_t k = 0; k < 8; ++k) word = word << 8 | static_cast<std::uint8_t>(counts_[i + k]);
      h = mix64(h ^ word);
    }
    return h;
  }
  friend bool operator==(const Faces&, const Faces&) = default;

 private:
  std::array<std::int8_t, kMaxBids> counts_{};
};

class View {
 public:
  int observer() const { return observer_; }
  int player() const {
    if (rolled_ < rules_.total()) return kChance;
    return bidding_.called ? kTerminal : bidding_.count % rules_.players;
  }
  std::string text() const {
    std::string out = "player " + std::to_string(observer_) + " holds" + faces_.text(rules_, observer_) + "\n";
    for (int p = 0; p < rules_.players && bidding_.called; ++p) {
      if (p != observer_) out += "player " + std::to_string(p) + " shows" + faces_.text(rules_, p) + "\n";
    }
    return out + bidding_.text(rules_);
  }
  // "dice": those the observer sees, lowest face first: its own, at the end those of all players in turn.
  Fields save() const {
    std::vector<std::int64_t> dice;
    for (int p = 0; p < rules_.players; ++p) {
      if (p != observer_ && !bidding_.called) continue;
      for (const std::int64_t face : faces_.list(rules_, p)) dice.push_back(face);
    }
    return {{"observer", std::int64_t{observer_}},
            {"rolled", std::int64_t{rolled_}},
            {"dice", std::move(dice)},
            {"bids", bidding_.list()},
            {"called", bidding_.called}};
  }
  // The observer, its dice from the lowest face up (one row of faces per die), the bids made, and the call.
  void tensor(float* out) const {
    std::fill(out, out + rules_.players + rules_.dice * rules_.sides + rules_.bids() + 1, 0.0F);
    out[observer_] = 1;
    out += rules_.players;
    for (const std::int64_t face : faces_.list(rules_, observer_)) {
      out[face] = 1;
      out += rules_.sides;
    }
    out += (rules_.dice - static_cast<int>(faces_.list(rules_, observer_).size())) * rules_.sides;
    for (int bid = 0; bid <= bidding_.last; ++bid) out[bid] = bidding_.has(bid);
    out[rules_.bids()] = bidding_.called;
  }
  Fields outline() const { return {{"hand", face_names(observer_)}}; }
  Fields public_facts() const {
    std::vector<Value> bids;
    for (const std::int64_t bid : bidding_.list()) {
      const auto seat = static_cast<std::int64_t>(bids.size()) % rules_.players;
      bids.emplace_back(Fields{{"seat", seat}, {"bid", bid_name(rules_, static_cast<int>(bid))}});
    }
    std::vector<Value> shown;
    for (int p = 0; p < rules_.players; ++p) {
      std::vector<std::int64_t> dice = faces_.list(rules_, p);
      for (std::int64_t& face : dice) ++face;
      shown.push_back(bidding_.called ? Value(std::move(dice)) : Value(Nothing{}));
    }
    return {{"bids", bids},
            {"called", bidding_.called},
            {"counts", std::vector<std::int64_t>(static_cast<std::size_t>(rules_.players), rules_.dice)},
            {"shown", shown}};
  }
  // By the roll alone: what to conclude from bids is left to the reader.
  Fields beliefs() const {
    const auto seats = static_cast<std::size_t>(rules_.players);
    HandBeliefs beliefs;
    for (int face = 0; face < rules_.sides; ++face) {
      std::vector<double> holds(seats);
      std::vector<double> copies(seats);
      for (int p = 0; p < rules_.players; ++p) {
        const auto seat = static_cast<std::size_t>(p);
        const double open = hidden_dice(p);
        copies[seat] = faces_.at(rules_, p, face) + open / rules_.sides;
        holds[seat] = faces_.at(rules_, p, face) > 0 ? 1 : 1 - std::pow(1 - 1.0 / rules_.sides, open);
      }
      beliefs.add(std::to_string(face + 1), std::move(holds), std::move(copies));
    }
    int open = 0;
    for (int p = 0; p < rules_.players; ++p) open += hidden_dice(p);
    return beliefs.fields(power_text(rules_.sides, open));
  }
  std::uint64_t hash() const {
    std::uint64_t h = faces_.hash() ^ static_cast<std::uint64_t>(observer_ << 16 | rolled_ << 8 | bidding_.called);
    for (const std::uint64_t word : bidding_.made) h = mix64(h ^ word);
    return h;
  }
  friend bool operator==(const View&, const View&) = default;

 private:
  friend class State;
  friend class Game;
  std::vector<std::string> face_names(int player) const {
    std::vector<std::string> out;
    for (const std::int64_t face : faces_.list(rules_, player)) out.push_back(std::to_string(face + 1));
    return out;
  }
  // Dice of a player that were rolled out of the observer's sight.
  int hidden_dice(int player) const {
    if (player == observer_ || bidding_.called) return 0;
    return std::clamp(rolled_ - player * rules_.dice, 0, int{rules_.dice});
  }

  Rules rules_;
  std::int8_t observer_ = 0;
  std::int8_t rolled_ = 0;
  Faces faces_;  // own dice; all dice after the call
  Bidding bidding_;
};

class State {
 public:
  explicit State(const Rules& rules) : rules_(rules) {}

  int player() const {
    if (rolled_ < rules_.total()) return kChance;
    return bidding_.called ? kTerminal : bidding_.count % rules_.players;
  }

  int legal(Action* out) const {
    const int p = player();
    if (p == kTerminal) return 0;
    const int first = p == kChance ? 0 : bidding_.last + 1;
    const int end = p == kChance ? rules_.sides : rules_.bids() + (bidding_.count > 0);
    for (Action a = first; a < end; ++a) *out++ = a;
    return end - first;
  }

  Action random_legal(Rng& rng) const {
    const int first = bidding_.last + 1;
    const int end = rules_.bids() + (bidding_.count > 0);
    return first + static_cast<Action>(rng.below(static_cast<std::uint32_t>(end - first)));
  }

  int outcomes(Outcome* out) const {
    if (player() != kChance) return 0;
    for (int face = 0; face < rules_.sides; ++face) out[face] = {face, 1.0 / rules_.sides};
    return rules_.sides;
  }

  // Player 0 rolls first, all dice, then player 1, and so on.
  void apply(Action a) {
    if (rolled_ < rules_.total()) {
      ++faces_.at(rules_, rolled_++ / rules_.dice, a);
    } else if (a == rules_.liar()) {
      bidding_.called = true;
    } else {
      bidding_.add(a);
    }
  }

  // How many dice on the table count for the last bid.
  int matching() const {
    const int face = bidding_.last % rules_.sides;
    const int wild = rules_.sides - 1;
    int n = 0;
    for (int p = 0; p < rules_.players; ++p) {
      n += faces_.at(rules_, p, face) + (face != wild ? faces_.at(rules_, p, wild) : 0);
    }
    return n;
  }

  void returns(double* out) const {
    const int caller = bidding_.count % rules_.players;
    const int bidder = (bidding_.count + rules_.players - 1) % rules_.players;
    const double sign = matching() > bidding_.last / rules_.sides ? 1 : -1;
    std::fill(out, out + rules_.players, 0.0);
    out[bidder] = sign;
    out[caller] = -sign;
  }

  Fields result() const { return {{"bid", bid_name(rules_, bidding_.last)}, {"matching", std::int64_t{matching()}}}; }

  std::uint64_t key() const {
    std::uint64_t h = mix64(faces_.hash() ^ static_cast<std::uint64_t>(rolled_ << 1 | bidding_.called));
    for (const std::uint64_t word : bidding_.made) h = mix64(h ^ word);
    return h;
  }

  std::string name(Action a) const {
    if (player() == kChance) return std::to_string(a + 1);
    return a == rules_.liar() ? "liar" : bid_name(rules_, a);
  }

  int kind(Action a) const {
    if (player() == kChance) return kRollKind;
    return a == rules_.liar() ? kChallengeKind : kBidKind;
  }

  // "2x5" (also "2 5", "2-5"), "liar"; at the roll a face.
  std::optional<Action> parse(std::string_view text) const {
    int numbers[2] = {0, 0};
    int count = 0;
    bool digit = false;
    std::string letters;
    for (const char c : text) {
      if (c >= '0' && c <= '9') {
        if (!digit && ++count > 2) return std::nullopt;
        numbers[count - 1] = std::min(numbers[count - 1] * 10 + (c - '0'), 10000);
        digit = true;
        continue;
      }
      digit = false;
      if (c >= 'A' && c <= 'Z')
        letters += static_cast<char>(c | 0x20);
      else if (c != ' ' && c != '-')
        letters += c;
    }
    if (player() == kChance) {
      if (count != 1 || !letters.empty() || numbers[0] < 1 || numbers[0] > rules_.sides) return std::nullopt;
      return numbers[0] - 1;
    }
    if (count == 0 && (letters == "liar" || letters == "call" || letters == "l")) return rules_.liar();
    if (count != 2 || (!letters.empty() && letters != "x")) return std::nullopt;
    if (numbers[0] < 1 || numbers[0] > rules_.total() || numbers[1] < 1 || numbers[1] > rules_.sides) {
      return std::nullopt;
    }
    return (numbers[0] - 1) * rules_.sides + numbers[1] - 1;
  }

  std::string text() const {
    std::string out;
    for (int p = 0; p < rules_.players; ++p) {
      out += "player " + std::to_string(p) + ":" + faces_.text(rules_, p) + "\n";
    }
    return out + bidding_.text(rules_);
  }

  // "dice": player by player in the order of the roll, each player's from the lowest face up.
  Fields save() const {
    std::vector<std::int64_t> dice;
    for (int p = 0; p < rules_.players; ++p) {
      for (const std::int64_t face : faces_.list(rules_, p)) dice.push_back(face);
    }
    return {{"dice", std::move(dice)}, {"bids", bidding_.list()}, {"called", bidding_.called}};
  }

  View view(int player) const {
    View v;
    v.rules_ = rules_;
    v.observer_ = static_cast<std::int8_t>(player);
    v.rolled_ = rolled_;
    v.bidding_ = bidding_;
    if (bidding_.called) {
      v.faces_ = faces_;
    } else {
      for (int face = 0; face < rules_.sides; ++face) {
        v.faces_.at(rules_, player, face) = static_cast<std::int8_t>(faces_.at(rules_, player, face));
      }
    }
    return v;
  }

 private:
  friend class Game;
  Rules rules_;
  std::int8_t rolled_ = 0;
  Faces faces_;
  Bidding bidding_;
};

class Game {
 public:
  using State = liars_dice::State;
  using View = liars_dice::View;

  explicit Game(const Fields& parameters) {
    const FieldReader<ParameterError> in(parameters);
    rules_.players = static_cast<std::int8_t>(in.integer("players", 2, kMaxPlayers));
    rules_.dice = static_cast<std::int8_t>(in.integer("dice", 1, 32));
    rules_.sides = static_cast<std::int8_t>(in.integer("sides", 2, 20));
    if (rules_.bids() > kMaxBids) {
      throw ParameterError("players, dice, sides: expected a product of at most " + std::to_string(kMaxBids) +
                           ", got " + std::to_string(rules_.bids()));
    }
    info_.name = "liars_dice";
    info_.title = "Liar's dice";
    info_.players = rules_.players;
    info_.actions = rules_.bids() + 1;
    info_.max_legal = info_.actions;
    info_.max_length = rules_.total() + rules_.bids() + 1;
    info_.hidden = true;
    info_.chance = true;
    info_.branching = rules_.bids() / 3.0;
    info_.tensor_size = rules_.players + rules_.dice * rules_.sides + rules_.bids() + 1;
    info_.kinds = {{"roll", "roll", ""}, {"bid", "move", ""}, {"challenge", "move", ""}};
  }

  static std::vector<Parameter> parameters() {
    return {{"players", "number of players", std::int64_t{2}, 2, kMaxPlayers, {}},
            {"dice", "dice of each player; players * dice * sides is at most 128", std::int64_t{1}, 1, 32, {}},
            {"sides", "faces of a die; the highest is wild", std::int64_t{6}, 2, 20, {}}};
  }
  static std::vector<Preset> presets() { return {}; }

  const GameInfo& info() const { return info_; }
  State root() const { return State(rules_); }

  // Hands: the dice of each player as text, such as "3 5".
  std::vector<Action> deal(const std::vector<std::string>& hands, int start) const {
    if (start != 0) throw PositionError("start: player 0 always begins, expected 0, got " + std::to_string(start));
    if (static_cast<int>(hands.size()) != rules_.players) {
      throw PositionError("hands: expected " + std::to_string(rules_.players) + ", got " +
                          std::to_string(hands.size()));
    }
    std::vector<Action> actions;
    for (const auto& hand : hands) {
      std::vector<Action> dice;
      for (std::size_t i = 0; i <= hand.size();) {
        const std::size_t end = std::min(hand.find(' ', i), hand.size());
        if (end > i) {
          const auto face = root().parse(std::string_view(hand).substr(i, end - i));
          if (!face)
            throw PositionError("hands: '" + hand.substr(i, std::min(end - i, std::size_t{20})) + "' is not a face");
          dice.push_back(*face);
        }
        i = end + 1;
      }
      if (static_cast<int>(dice.size()) != rules_.dice) {
        throw PositionError("hands: expected " + std::to_string(rules_.dice) + " dice each, got " +
                            std::to_string(dice.size()));
      }
      actions.insert(actions.end(), dice.begin(), dice.end());
    }
    return actions;
  }

  State load(const Fields& fields) const {
    const FieldReader<PositionError> in(fields);
    in.only({"dice", "bids", "called"});
    State state = root();
    const auto all = static_cast<std::size_t>(rules_.total());
    for (const std::int64_t face : in.integers("dice", 0, rules_.sides - 1, 0, all)) {
      state.apply(static_cast<Action>(face));
    }
    read_bidding(in, state.rolled_ == rules_.total(), state.bidding_);
    return state;
  }

  View load_view(const Fields& fields) const {
    const FieldReader<ViewError> in(fields);
    in.only({"observer", "rolled", "dice", "bids", "called"});
    View v;
    v.rules_ = rules_;
    v.observer_ = static_cast<std::int8_t>(in.integer("observer", 0, rules_.players - 1));
    v.rolled_ = static_cast<std::int8_t>(in.integer("rolled", 0, rules_.total()));
    read_bidding(in, v.rolled_ == rules_.total(), v.bidding_);
    const int own = std::clamp(v.rolled_ - v.observer_ * rules_.dice, 0, int{rules_.dice});
    const auto seen = static_cast<std::size_t>(v.bidding_.called ? rules_.total() : own);
    const auto dice = in.integers("dice", 0, rules_.sides - 1, seen, seen);
    for (std::size_t i = 0; i < dice.size(); ++i) {
      const int p = v.bidding_.called ? static_cast<int>(i) / rules_.dice : v.observer_;
      ++v.faces_.at(rules_, p, static_cast<int>(dice[i]));
    }
    return v;
  }

  State sample(const View& v, Rng& rng) const {
    State state = root();
    state.rolled_ = v.rolled_;
    state.bidding_ = v.bidding_;
    state.faces_ = v.faces_;
    if (v.bidding_.called) return state;
    for (int die = 0; die < v.rolled_; ++die) {
      const int p = die / rules_.dice;
      if (p != v.observer_)
        ++state.faces_.at(rules_, p, static_cast<int>(rng.below(static_cast<std::uint32_t>(rules_.sides))));
    }
    return state;
  }

 private:
  template <class E>
  void read_bidding(const FieldReader<E>& in, bool rolled, Bidding& bidding) const {
    const auto bids = in.integers("bids", 0, rules_.bids() - 1, 0, static_cast<std::size_t>(rules_.bids()));
    if (!rolled && !bids.empty()) throw E("bids: nobody bids before all dice are rolled");
    for (const std::int64_t bid : bids) {
      if (bid <= bidding.last) throw E("bids: expected each to be higher than the one before");
      bidding.add(static_cast<int>(bid));
    }
    bidding.called = in.boolean("called");
    if (bidding.called && bids.empty()) throw E("called: nothing was bid");
  }

  Rules rules_;
  GameInfo info_;
};

}  // namespace kiebitz::liars_dice
