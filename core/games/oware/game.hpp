// Oware on a board of two rows of six pits. Preset `thesis`: Hirsch 2023 (after Powell and Temple 2001), 3 seeds a pit,
// no duty to feed, starvation ends the game. Preset `abapa`: the usual tournament rules.
//
// Player 0 owns pits 0..5, player 1 pits 6..11; player k's action a is pit 6k+a; sowing goes up, modulo 12. A pit that
// is sown receives nothing on that move. Seeds that are still on the board when the game ends without a majority (a
// player cannot move, a repetition, the ply limit) go to the owner of their row.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "games/contract.hpp"
#include "games/oware/sowing.hpp"

namespace kiebitz::oware {

enum class End : std::uint8_t { none, majority, starvation, repetition, guard };
inline constexpr std::array<const char*, 5> kEndNames = {"", "majority", "starvation", "repetition", "guard"};

struct Rules {
  int seeds = 3;                // in each pit at the start
  int total = 36;               // on the board at the start; more than half of them win
  int max_plies = 1000;         // the guard
  bool must_feed = false;       // a player whose opponent has no seeds must give some, if possible
  bool slam_takes = true;       // a move may capture all seeds of the opponent; otherwise such a move captures nothing
  bool repetition = false;      // a position that occurred before ends the game
  bool starved_either = false;  // an empty row ends the game even if its owner is not to move
  bool award_leftover = false;  // after a majority the rest goes to the rows' owners, too
  bool payoff_seeds = false;    // payoff: difference of captured seeds instead of win, draw, loss
};

class Game;

class State {
 public:
  // In a repetition without a capture seeds have passed every pit, hence each of the twelve was sown at least once.
  static constexpr int kCycleActions = kRow;

  State(const Game* game, const Rules& rules) : game_(game) {
    for (std::size_t i = 0; i < kPits; ++i) board_[i] = static_cast<std::uint8_t>(rules.seeds);
    legal_ = kRowMask;
  }

  int player() const { return legal_ == 0 ? kTerminal : mover(); }

  int legal(Action* out) const {
    int n = 0;
    for (unsigned set = legal_; set != 0; set &= set - 1) out[n++] = std::countr_zero(set);
    return n;
  }

  Action random_legal(Rng& rng) const {
    return kTables.pick[legal_][rng.below(static_cast<std::uint32_t>(std::popcount(unsigned{legal_})))];
  }

  int outcomes(Outcome*) const { return 0; }

  void apply(Action a);

  void returns(double* out) const;

  // A hash: pits, captured seeds and mover need more than 64 bits. The number of plies is not part of the position.
  std::uint64_t key() const {
    __extension__ using Wide = unsigned __int128;
    const auto words = std::bit_cast<std::array<std::uint64_t, 2>>(board_);
    // No count reaches 128, so neither factor can become zero.
    const Wide product = Wide{words[0] ^ 0x9E3779B97F4A7C15ULL} * (words[1] ^ 0xE7037ED1A0B428DBULL);
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  }

  bool repetition() const;
  bool irreversible() const { return captured_ != 0; }
  void end_by_repetition() { settle(End::repetition); }

  // Leaf values (Hirsch 2023): 0 own captured seeds minus the other's; 1 the leader's seeds, negative when behind; 2
  // own seeds only. 3..5: the same without the seeds that the end of the game gave to the owners of the rows.
  double evaluate(int kind, int player) const;

  // From the captures at hand, for the kinds that count the difference. One ply: exact. Two plies: exact, or
  // good enough for the window (low, high). The widest bounds where the game might end or a row might be emptied.
  Outlook outlook(int kind, int player, int plies, double low, double high) const;

  // What the move captures at once.
  int order(Action a) const;

  // Pits A..F for player 0 and a..f for player 1, as boards are usually lettered.
  std::string name(Action a) const { return {static_cast<char>((mover() == 0 ? 'A' : 'a') + a)}; }
  int kind(Action) const { return 0; }
  std::optional<Action> parse(std::string_view text) const;
  std::string text() const;
  Fields save() const;
  // The board, and for each pit the pits that its seeds would fall into, in order; empty where it may not be sown.
  Fields public_facts() const;
  Fields result() const;

  // The player to move comes first: own pits, the other's pits, own and other's captured seeds, as parts of all seeds.
  void tensor(float* out) const;

  const Game& game() const { return *game_; }
  int mover() const { return board_[kMover]; }
  int plies() const { return plies_; }
  End end() const { return end_; }
  int captured(int player) const { return board_[player == mover() ? kOwn : kOther]; }
  int awarded(int player) const { return awarded_[static_cast<std::size_t>(player)]; }
  int pit(int index) const { return board_[slot(index)]; }

 private:
  friend class Game;

  // Where a pit of the board, counted for player 0, stands in the bytes.
  std::size_t slot(int index) const { return static_cast<std::size_t>(mover() == 0 ? index : (index + kRow) % kPits); }

  static int best_capture(const Rules& rules, Register board, int captured);

  void finish(End end) {
    end_ = end;
    legal_ = 0;
  }

  // Ends the game and gives the seeds on the board to the owners of their rows.
  void settle(End end) {
    finish(end);
    for (std::size_t row = 0; row < 2; ++row) {
      int sum = 0;
      for (std::size_t i = 0; i < kRow; ++i) sum += std::exchange(board_[row * kRow + i], std::uint8_t{0});
      board_[kOwn + row] = static_cast<std::uint8_t>(board_[kOwn + row] + sum);
      awarded_[board_[kMover] ^ row] = static_cast<std::uint8_t>(sum);
    }
  }

  alignas(16) Bytes board_{};
  const Game* game_;
  std::uint16_t plies_ = 0;
  std::uint8_t legal_ = 0;     // own pits that may be sown; none: the game is over
  std::uint8_t captured_ = 0;  // seeds captured by the last move
  End end_ = End::none;
  std::array<std::uint8_t, 2> awarded_{};  // seeds given to each player by the end of the game
};

class Game {
 public:
  using State = oware::State;

  explicit Game(const Fields& parameters) {
    const FieldReader<ParameterError> in(parameters);
    rules_.seeds = static_cast<int>(in.integer("seeds", 1, kMaxSeedsPerPit));
    rules_.total = kPits * rules_.seeds;
    rules_.max_plies = static_cast<int>(in.integer("max_plies", 1, 60'000));
    rules_.must_feed = in.boolean("must_feed");
    rules_.slam_takes = in.text("grand_slam") == "allowed";
    rules_.repetition = in.boolean("repetition");
    rules_.starved_either = in.text("starvation") == "either";
    rules_.award_leftover = in.text("leftover") == "awarded";
    rules_.payoff_seeds = in.text("payoff") == "seeds";
    for (int n = -rules_.total; n <= rules_.total; ++n) {
      worth_[static_cast<std::size_t>(n + kMaxSeeds)] = rules_.payoff_seeds ? n : static_cast<double>(n) / rules_.total;
    }
    info_.name = "oware";
    info_.title = "Oware";
    info_.actions = kRow;
    info_.max_legal = kRow;
    info_.max_length = rules_.max_plies;
    info_.max_payoff = rules_.payoff_seeds ? rules_.total : 1;
    info_.min_payoff = -info_.max_payoff;
    info_.repetition = rules_.repetition;
    info_.branching = 4;  // random games: 4.0 (thesis), 4.1 (abapa)
    // Fillings of the board with 0..total seeds: C(total + 12, 12).
    double log10_fillings = 0;
    for (int i = 1; i <= kPits; ++i) log10_fillings += std::log10((rules_.total + i) / static_cast<double>(i));
    info_.log10_states = log10_fillings;
    info_.tensor_size = kPits + 2;
    info_.evaluations = {"difference", "lead", "own", "difference_no_award", "lead_no_award", "own_no_award"};
    info_.kinds = {{"sow", "move", ""}};
  }

  static std::vector<Parameter> parameters() {
    return {
        {"seeds", "seeds in each pit at the start", std::int64_t{3}, 1, kMaxSeedsPerPit, {}},
        {"must_feed", "a player whose opponent has no seeds must give some if possible", false, 0, 0, {}},
        {"grand_slam",
         "capturing all seeds of the opponent: allowed, or such a move captures nothing",
         std::string("allowed"),
         0,
         0,
         {"allowed", "nothing"}},
        {"repetition", "a position that occurred before ends the game", false, 0, 0, {}},
        {"starvation",
         "an empty row ends the game when its owner is to move (mover) or at once (either)",
         std::string("mover"),
         0,
         0,
         {"mover", "either"}},
        {"leftover",
         "seeds on the board after one player has the majority: ignored, or awarded to the owners of the rows",
         std::string("ignored"),
         0,
         0,
         {"ignored", "awarded"}},
        {"max_plies",
         "guard against endless games: ends the game after this many moves",
         std::int64_t{1000},
         1,
         60'000,
         {}},
        {"payoff", "win: 1, 0, -1; seeds: difference of captured seeds", std::string("win"), 0, 0, {"win", "seeds"}},
    };
  }

  static std::vector<Preset> presets() {
    return {{"thesis", "36-seed variant: 3 seeds a pit, no duty to feed, grand slam allowed, no repetition rule", {}},
            {"abapa",
             "tournament rules: 4 seeds a pit, must feed, a grand slam captures nothing, repetition ends the game",
             {{"seeds", std::int64_t{4}},
              {"must_feed", true},
              {"grand_slam", std::string("nothing")},
              {"repetition", true}}}};
  }

  const GameInfo& info() const { return info_; }
  const Rules& rules() const { return rules_; }
  State root() const { return State(this, rules_); }
  // A number of seeds in the unit of the payoffs.
  double worth(int seeds) const { return worth_[static_cast<std::size_t>(seeds + kMaxSeeds)]; }

  // Positions may have fewer seeds than the game starts with: they are good exercises.
  State load(const Fields& fields) const;

 private:
  Rules rules_;
  std::array<double, 2 * kMaxSeeds + 1> worth_{};
  GameInfo info_;
};

// --- Playing -------------------------------------------------------------------------------------------------------

inline void State::apply(Action a) {
  const Rules& rules = game_->rules();
  Register board = load(board_);
  const Sown sown = sow(board, a, board_[static_cast<std::size_t>(a)]);
  unsigned legal = sown.other;
  int seeds = 0;
  // A branch, because most moves capture nothing and the next move need not wait for the look-up.
  if (sown.captures(rules.slam_takes)) {
    seeds = sown.seeds();
    take(board, sown.captured, seeds);
    legal &= ~sown.captured;
  }
  turn(board);
  store(board_, board);

  if (sown.own == 0) {
    if (rules.must_feed) legal &= feeding(board);
    if (rules.starved_either) legal = 0;
  }
  legal_ = static_cast<std::uint8_t>(legal);
  captured_ = static_cast<std::uint8_t>(seeds);
  ++plies_;
  if (seeds != 0 && 2 * board_[kOther] > rules.total) {
    if (rules.award_leftover) settle(End::majority);
    finish(End::majority);
  } else if (legal == 0) {
    settle(End::starvation);
  } else if (plies_ >= rules.max_plies) {
    settle(End::guard);
  }
}

// The most that a move of the player to move captures; -1: a move might end the game.
inline int State::best_capture(const Rules& rules, Register board, int captured) {
  const unsigned seeds = occupied(board);
  // With a seed left of pit 5 no move empties the mover's row.
  if ((seeds & kRowMask >> 1) == 0 || (seeds >> kRow & kRowMask) == 0) return -1;
  int most = 0;
  if (const unsigned set = threats(board) & seeds; set != 0) {
    Bytes pits;
    store(pits, board);
    for (unsigned left = set; left != 0; left &= left - 1) {
      const int a = std::countr_zero(left);
      Register after = board;
      const Sown sown = sow(after, a, pits[static_cast<std::size_t>(a)]);
      if (!sown.captures(rules.slam_takes)) continue;
      if (sown.captured == sown.other) return -1;
      most = std::max(most, sown.seeds());
    }
  }
  return 2 * (captured + most) > rules.total ? -1 : most;
}

inline Outlook State::outlook(int kind, int player, int plies, double low, double high) const {
  const Rules& rules = game_->rules();
  if (kind % 3 != 0 || plies > 2 || plies_ + plies >= rules.max_plies || (plies == 2 && rules.slam_takes)) return {};
  const Register board = load(board_);
  const int most = best_capture(rules, board, board_[kOwn]);
  if (most < 0) return {};
  const bool mine = player == mover();
  const int lead = board_[kOwn] - board_[kOther];
  const double best = game_->worth(lead + most);
  if (plies == 1) return mine ? Outlook{best, best} : Outlook{-best, -best};

  // Two plies. From above: the other player has a reply that captures nothing and does not end the game, if two of its
  // pits hold seeds after our move. From below: each of our moves with the best reply to it. Captures come first.
  const double alpha = mine ? low : -high;
  const double beta = mine ? high : -low;
  const bool hopeless = best <= alpha;
  const unsigned hot = threats(board) & legal_;
  bool bounded = std::popcount(occupied(board) >> kRow & kRowMask) >= 2;
  bool all = true;
  int reached = -kMaxSeeds;
  for (unsigned set = hot, rest = legal_ & ~hot; (set | rest) != 0;) {
    if (set == 0 && hopeless && bounded) {
      all = false;
      break;
    }
    unsigned& from = set != 0 ? set : rest;
    const int a = std::bit_width(from) - 1;
    from ^= 1U << a;
    Register after = board;
    const Sown sown = sow(after, a, board_[static_cast<std::size_t>(a)]);
    unsigned left = sown.other;
    int captured = 0;
    if (sown.captures(rules.slam_takes)) {
      captured = sown.seeds();
      take(after, sown.captured, captured);
      left &= ~sown.captured;
    }
    bounded = bounded && (left & (left - 1)) != 0;
    turn(after);
    const int reply = hopeless && bounded ? -1 : best_capture(rules, after, board_[kOther]);
    if (reply < 0) {
      all = false;
      continue;
    }
    reached = std::max(reached, lead + captured - reply);
    if (game_->worth(reached) >= beta) {
      all = bounded = false;
      break;
    }
  }
  const Outlook unknown;
  const double bottom = reached > -kMaxSeeds ? game_->worth(reached) : unknown.low;
  const double top = all ? bottom : bounded ? best : unknown.high;
  return mine ? Outlook{bottom, top} : Outlook{-top, -bottom};
}

inline int State::order(Action a) const {
  // Most moves cannot capture: they end in the mover's row, or in a pit that then has too few or too many seeds.
  const unsigned seeds = board_[static_cast<std::size_t>(a)];
  const unsigned last = static_cast<unsigned>(a) + seeds;
  if (seeds < kPits && (last < kRow || last >= kPits || board_[last] - 1U > 1)) return 0;
  Register board = load(board_);
  const Sown sown = sow(board, a, seeds);
  return sown.captures(game_->rules().slam_takes) ? sown.seeds() : 0;
}

inline bool State::repetition() const { return game_->rules().repetition; }

inline void State::returns(double* out) const {
  const int lead = captured(0) - captured(1);
  out[0] = game_->rules().payoff_seeds ? lead : (lead > 0) - (lead < 0);
  out[1] = -out[0];
}

inline double State::evaluate(int kind, int player) const {
  const bool with_award = kind < 3;
  const int own = captured(player) - (with_award ? 0 : awarded(player));
  const int other = captured(1 - player) - (with_award ? 0 : awarded(1 - player));
  int value = own;
  if (kind % 3 == 0) value = own - other;
  if (kind % 3 == 1) value = own > other ? own : own < other ? -other : 0;
  return game_->worth(value);
}

inline void State::tensor(float* out) const {
  for (std::size_t i = 0; i < kPits + 2; ++i) {
    out[i] = static_cast<float>(board_[i]) / static_cast<float>(game_->rules().total);
  }
}

// --- Words ---------------------------------------------------------------------------------------------------------

inline std::optional<Action> State::parse(std::string_view text) const {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  if (text.size() != 1) return std::nullopt;
  const char c = text[0];
  const int a = c >= '1' && c <= '6' ? c - '1' : (c | 0x20) - 'a';
  if (a < 0 || a >= kRow) return std::nullopt;
  return a;
}

inline std::string State::text() const {
  const auto cell = [](const std::string& s) { return std::string(s.size() < 4 ? 4 - s.size() : 1, ' ') + s; };
  std::string letters[2];
  std::string rows[2];
  for (int i = 0; i < kRow; ++i) {
    letters[0] += cell(std::string(1, static_cast<char>('A' + i)));
    letters[1] += cell(std::string(1, static_cast<char>('f' - i)));
    rows[0] += cell(std::to_string(pit(i)));
    rows[1] += cell(std::to_string(pit(kPits - 1 - i)));
  }
  const auto side = [&](int p) {
    return "   player " + std::to_string(p) + ": " + std::to_string(captured(p)) + (player() == p ? "  to move" : "");
  };
  std::string out = letters[1] + "\n" + rows[1] + side(1) + "\n" + rows[0] + side(0) + "\n" + letters[0] + "\n";
  if (end_ != End::none) out += "ended by " + std::string(kEndNames[static_cast<std::size_t>(end_)]) + "\n";
  return out;
}

inline Fields State::result() const {
  return {{"captured", std::vector<std::int64_t>{captured(0), captured(1)}},
          {"ended", std::string(kEndNames[static_cast<std::size_t>(end_)])}};
}

inline Fields State::save() const {
  std::vector<std::int64_t> pits;
  for (int i = 0; i < kPits; ++i) pits.push_back(pit(i));
  return {{"pits", pits},
          {"captured", std::vector<std::int64_t>{captured(0), captured(1)}},
          {"player", std::int64_t{mover()}},
          {"plies", std::int64_t{plies_}},
          {"ended", std::string(kEndNames[static_cast<std::size_t>(end_)])},
          {"awarded", std::vector<std::int64_t>{awarded(0), awarded(1)}}};
}

inline Fields State::public_facts() const {
  const Fields saved = save();
  std::vector<Value> sowing(kPits, std::vector<std::int64_t>{});
  for (unsigned set = legal_; set != 0; set &= set - 1) {
    const int a = std::countr_zero(set);
    const int from = kRow * mover() + a;
    sowing[static_cast<std::size_t>(from)] = sown_pits(from, pit(from));
  }
  return {{"pits", *find_field(saved, "pits")},
          {"captured", *find_field(saved, "captured")},
          {"sowing", std::move(sowing)},
          {"turn", player() >= 0 ? Value(std::int64_t{mover()}) : Value(Nothing{})},
          {"ended", *find_field(saved, "ended")}};
}

inline State Game::load(const Fields& fields) const {
  const FieldReader<PositionError> in(fields);
  in.only({"pits", "captured", "player", "plies", "ended", "awarded"});
  State s = root();
  s.board_[kMover] = static_cast<std::uint8_t>(in.integer("player", 0, 1));
  s.plies_ = in.has("plies") ? static_cast<std::uint16_t>(in.integer("plies", 0, rules_.max_plies)) : std::uint16_t{0};

  const auto pits = in.integers("pits", 0, rules_.total, kPits, kPits);
  const auto captured = in.integers("captured", 0, rules_.total, 2, 2);
  std::int64_t on_board = 0;
  for (int i = 0; i < kPits; ++i) {
    s.board_[s.slot(i)] = static_cast<std::uint8_t>(pits[static_cast<std::size_t>(i)]);
    on_board += pits[static_cast<std::size_t>(i)];
  }
  const std::int64_t all = on_board + captured[0] + captured[1];
  if (all > rules_.total) {
    throw PositionError("pits and captured: expected at most " + std::to_string(rules_.total) +
                        " seeds together, got " + std::to_string(all));
  }
  for (std::size_t p = 0; p < 2; ++p) {
    s.board_[p == s.board_[kMover] ? kOwn : kOther] = static_cast<std::uint8_t>(captured[p]);
  }

  const std::string ended = in.has("ended") ? in.text("ended") : "";
  const auto found = std::find(kEndNames.begin(), kEndNames.end(), ended);
  if (found == kEndNames.end()) {
    throw PositionError("ended: expected an empty text, majority, starvation, repetition or guard, got '" + ended +
                        "'");
  }
  s.end_ = static_cast<End>(found - kEndNames.begin());
  if (in.has("awarded")) {
    const auto awarded = in.integers("awarded", 0, rules_.total, 2, 2);
    for (std::size_t p = 0; p < 2; ++p) {
      if (awarded[p] > captured[p]) throw PositionError("awarded: more than the captured seeds that contain it");
      s.awarded_[p] = static_cast<std::uint8_t>(awarded[p]);
    }
  }
  // The seeds that were captured by playing decide whether the game could go on until the end given.
  const int played[2] = {s.captured(0) - s.awarded(0), s.captured(1) - s.awarded(1)};
  const bool majority = 2 * std::max(played[0], played[1]) > rules_.total;
  const bool cleared = on_board == 0;
  const bool award = s.awarded(0) + s.awarded(1) > 0;
  if (majority != (s.end_ == End::majority)) {
    throw PositionError("ended: expected majority if and only if a player captured more than half of the seeds");
  }
  if (s.end_ == End::none ? award : s.end_ == End::majority ? award && !cleared : !cleared) {
    throw PositionError("awarded: the seeds on the board go to the players when the game ends, all of them or none");
  }
  if (s.end_ == End::majority && (rules_.award_leftover ? !cleared : award)) {
    throw PositionError("awarded: does not fit the rule for seeds left after a majority");
  }
  if (s.end_ == End::repetition && !rules_.repetition) throw PositionError("ended: repetition does not end this game");
  if (s.end_ == End::guard && s.plies_ != rules_.max_plies) {
    throw PositionError("plies: expected " + std::to_string(rules_.max_plies) + " for a game that the guard ended");
  }
  s.legal_ = 0;
  if (s.end_ != End::none) return s;

  if (s.plies_ == rules_.max_plies) throw PositionError("plies: the guard has ended the game: expected ended=guard");
  unsigned rows[2] = {0, 0};
  for (std::size_t i = 0; i < kPits; ++i) rows[i / kRow] |= static_cast<unsigned>(s.board_[i] != 0) << i % kRow;
  if (rows[1] == 0) {
    if (rules_.must_feed) rows[0] &= feeding(oware::load(s.board_));
    if (rules_.starved_either) rows[0] = 0;
  }
  if (rows[0] == 0)
    throw PositionError("pits: no legal action is left, so the game is over: expected ended=starvation");
  s.legal_ = static_cast<std::uint8_t>(rows[0]);
  return s;
}

}  // namespace kiebitz::oware
