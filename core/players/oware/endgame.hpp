// Endgame tables for Oware: what every position with few seeds on the board is worth, and how to get it.
//
// A value is the number of seeds that the player to move gets from here on, minus what the other gets. Play that never
// ends captures nothing more, so at some point the rows decide: the guard, or the rule of repetition, gives the seeds
// to the owners of their rows. The table does not know when. It has two values for each position, for a game in which
// endless play is worth to a player
//
//   low    the lowest lead of their row over the other's that comes up again and again (the limit inferior),
//   high   the highest (the limit superior),
//
// where `low` is what the player to move can force when time works for the opponent, and `high` when it works for
// them. For each threshold this is a game of "in the end always" (or "again and again"), in which strategies that look
// at the position alone suffice (Emerson and Jutla 1991); the table keeps the move of the one for `low`. How such games
// relate to those that end at their first cycle: Aminof and Rubin 2014.
//
// What follows for the rules as they are, from a position right after a capture (no earlier position can be repeated):
//   - Following the strategy, every cycle of play consists of positions whose rows are worth at least `low`, so a game
//     that ends at its first repetition gives at least that; by symmetry at most `high`. Where both are equal, the
//     table is exact. A value never falls while its strategy is followed, so this stays true until the end. It is not
//     true of other positions in the middle of an ending: there the past can be repeated (proof.hpp).
//   - Without the rule of repetition both are equal up to ten seeds (rules of preset `thesis`): starvation ends what
//     would go in circles. With a guard at least 50 plies away they are the values of the finite game.
//
// Built level by level, fewest seeds first: a capture leads to a level that is known. A level is solved by the nested
// fixed points of "in the end always", for all thresholds at once: numbers compare like the sets of positions that
// reach them.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/guard.hpp"
#include "base/stop.hpp"
#include "games/known.hpp"
#include "games/oware/game.hpp"

namespace kiebitz::oware {

inline constexpr int kMostTabled = 12;  // seeds

// C(n, k) for k up to 12.
inline constexpr auto kChoose = [] {
  std::array<std::array<std::size_t, kPits + 1>, kMostTabled + kPits + 1> t{};
  for (std::size_t n = 0; n < t.size(); ++n) {
    t[n][0] = 1;
    for (std::size_t k = 1; k <= kPits && n > 0; ++k) t[n][k] = t[n - 1][k - 1] + t[n - 1][k];
  }
  return t;
}();

// The positions with n seeds in 12 pits, numbered through all n: the first i pits hold s_i seeds together, and
// the number is the sum of C(s_i + i - 1, i) over i = 1..12 (combinatorial number system; fewer seeds come first).
class Ranking {
 public:
  // How many positions have fewer seeds.
  static std::size_t below(int seeds) { return kChoose[static_cast<std::size_t>(seeds + kPits - 1)][kPits]; }

  template <class PitOf>
  static std::size_t rank(PitOf&& pit) {
    std::size_t sum = 0;
    std::size_t rank = 0;
    for (std::size_t i = 1; i <= kPits; ++i) {
      sum += static_cast<std::size_t>(pit(static_cast<int>(i) - 1));
      rank += kChoose[sum + i - 1][i];
    }
    return rank;
  }

  static std::array<int, kPits> pits(std::size_t rank, int seeds) {
    std::array<int, kPits> pits{};
    std::size_t sum = static_cast<std::size_t>(seeds);
    for (std::size_t i = kPits; i >= 1; --i) {
      std::size_t part = sum;
      while (kChoose[part + i - 1][i] > rank) --part;
      rank -= kChoose[part + i - 1][i];
      if (i < kPits) pits[i] = static_cast<int>(sum - part);
      sum = part;
    }
    pits[0] = static_cast<int>(sum);
    return pits;
  }
};

// What the table has for a position, for the player to move.
struct Ending {
  std::int8_t low = 0;
  std::int8_t high = 0;
  std::int8_t move = -1;  // forces at least `low`; -1: there is no move, the game is over
  bool operator==(const Ending&) const = default;
};
static_assert(sizeof(Ending) == 3);

class Endgame final : public Known<State> {
 public:
  // The rules that decide what a position is worth; all others (seeds at the start, repetition, guard, payoff) do not.
  struct Kind {
    bool must_feed;
    bool slam_takes;
    bool starved_either;
    bool operator==(const Kind&) const = default;
  };
  static Kind kind_of(const Rules& rules) { return {rules.must_feed, rules.slam_takes, rules.starved_either}; }

  // The guard must be so far away for an answer: values of the finite game settle sooner (50 plies with ten seeds).
  static constexpr int kGuardDistance = 100;

  // An empty table; extend() or load() fill it. Its memory never moves, so that others can read while it grows.
  explicit Endgame(const Game& game) : kind_(kind_of(game.rules())), game_(rules_of(kind_)) {
    entries_.reserve(Ranking::below(kMostTabled + 1));
  }
  Endgame(const Endgame&) = delete;  // its states point to its game
  Endgame& operator=(const Endgame&) = delete;

  const Kind& kind() const { return kind_; }
  // The table has all positions with up to this many seeds; -1: none.
  int seeds() const { return seeds_; }
  std::span<const Ending> entries() const { return {entries_.data(), Ranking::below(seeds_ + 1)}; }

  // Takes over entries that were built before: as many as a table with some number of seeds has.
  void load(std::span<const Ending> entries) {
    const Guard::Alone alone(growing_);
    if (seeds_ >= 0) throw PositionError("endgame table: expected an empty table to load into");
    const auto sensible = [](const Ending& e) {
      return e.low <= e.high && e.low >= -kMostTabled && e.high <= kMostTabled && e.move >= -1 && e.move < kRow;
    };
    for (int n = 0; n <= kMostTabled; ++n) {
      if (entries.size() != Ranking::below(n + 1)) continue;
      if (!std::all_of(entries.begin(), entries.end(), sensible)) break;
      entries_.insert(entries_.end(), entries.begin(), entries.end());
      seeds_ = n;
      return;
    }
    throw PositionError("endgame table: expected all positions of up to 0 to " + std::to_string(kMostTabled) +
                        " seeds, got " + std::to_string(entries.size()));
  }

  // Adds the positions with one seed more; false: stopped, the table is as before.
  bool extend(Stop& stop) {
    const Guard::Alone alone(growing_);
    if (seeds_ >= kMostTabled) {
      throw LimitError("endgame table: expected at most " + std::to_string(kMostTabled) + " seeds");
    }
    Level level(*this, seeds_ + 1);
    if (!level.list(stop) || !level.solve(stop)) return false;
    level.append();
    ++seeds_;
    return true;
  }

  // The pits are those of the player to move, then those of the other; null: more seeds than the table knows.
  const Ending* find(const std::array<int, kPits>& pits) const {
    int seeds = 0;
    for (const int pit : pits) seeds += pit;
    return seeds > seeds_ ? nullptr
                          : &entries_[Ranking::rank([&](int i) { return pits[static_cast<std::size_t>(i)]; })];
  }

  Outlook outcome(const State& state, int player) const override {
    const int seeds = on_board(state);
    const Rules& rules = state.game().rules();
    if (seeds > seeds_ || !(kind_of(rules) == kind_) || state.plies() + kGuardDistance > rules.max_plies) return {};
    const int mover = state.mover();
    const int own = state.captured(mover);
    const int other = state.captured(1 - mover);
    // With seeds as payoffs a majority may end the game before the last seeds are shared out.
    if (rules.payoff_seeds && 2 * (std::max(own, other) + seeds) > rules.total) return {};
    const Ending& ending = entries_[rank(state)];
    const auto payoff = [&](int lead) -> double { return rules.payoff_seeds ? lead : (lead > 0) - (lead < 0); };
    const double low = payoff(own - other + ending.low);
    const double high = payoff(own - other + ending.high);
    return player == mover ? Outlook{low, high} : Outlook{-high, -low};
  }

  // Only what decides, without an end by majority or, in any play of interest, by the guard.
  static Game rules_of(const Kind& kind) {
    // As many seeds at the start as can be: no majority ends a game with few on the board.
    return Game(resolve_parameters(Game::parameters(), Game::presets(), "",
                                   {{"seeds", std::int64_t{kMaxSeedsPerPit}},
                                    {"max_plies", std::int64_t{60'000}},
                                    {"must_feed", kind.must_feed},
                                    {"grand_slam", std::string(kind.slam_takes ? "allowed" : "nothing")},
                                    {"starvation", std::string(kind.starved_either ? "either" : "mover")}}));
  }

  // By the position as the player to move sees it.
  static std::size_t rank(const State& state) {
    const int turned = state.mover() * kRow;
    return Ranking::rank([&](int i) { return state.pit((i + turned) % kPits); });
  }

 private:
  static int on_board(const State& state) {
    int sum = 0;
    for (int i = 0; i < kPits; ++i) sum += state.pit(i);
    return sum;
  }

  // The position with these pits and player 0 to move; nullopt if the game is over there.
  std::optional<State> position(const std::array<int, kPits>& pits) const {
    try {
      return game_.load({{"pits", std::vector<std::int64_t>(pits.begin(), pits.end())},
                         {"captured", std::vector<std::int64_t>{0, 0}},
                         {"player", std::int64_t{0}}});
    } catch (const PositionError&) {
      return std::nullopt;
    }
  }

  // The positions with one number of seeds while they are solved. Each has two values: "ours" for the player to move,
  // "theirs" for the opponent, both as that player can force it when time works for the other.
  class Level {
   public:
    Level(Endgame& table, int seeds)
        : table_(table), seeds_(seeds), first_(Ranking::below(seeds)), size_(Ranking::below(seeds + 1) - first_) {}

    // Writes down all moves, by the rules themselves.
    bool list(Stop& stop) {
      moves_.resize(size_);
      rows_.resize(size_);
      for (std::size_t p = 0; p < size_; ++p) {
        if (p % 1024 == 0 && stop.poll()) return false;
        list(p);
      }
      return true;
    }

    bool solve(Stop& stop) {
      const auto worst = static_cast<std::int8_t>(-seeds_);
      ours_.assign(size_, worst);
      theirs_.assign(size_, worst);
      choice_.assign(size_, 0);
      for (bool more = true; more;) {
        if (stop.poll()) return false;
        more = stay();
        more = reach() || more;
      }
      return true;
    }

    void append() {
      for (std::size_t p = 0; p < size_; ++p) {
        const Move& chosen = moves_[p][choice_[p]];
        table_.entries_.push_back({ours_[p], static_cast<std::int8_t>(-theirs_[p]), chosen.action});
      }
    }

   private:
    static constexpr std::int32_t kOut = -1;

    // Leads to a position of this level, or out of it (`to` is kOut), where its value for both players is known.
    struct Move {
      std::int32_t to = kOut;
      std::int8_t ours = 0;
      std::int8_t theirs = 0;
      std::int8_t action = -1;
    };
    struct Moves {
      std::array<Move, kRow> list;
      int count = 0;
      const Move& operator[](std::size_t i) const { return list[i]; }
      void add(Move move) { list[static_cast<std::size_t>(count++)] = move; }
      const Move* begin() const { return list.data(); }
      const Move* end() const { return list.data() + count; }
    };
    using Values = std::vector<std::int8_t>;

    void list(std::size_t p) {
      const auto pits = Ranking::pits(first_ + p, seeds_);
      std::int64_t own = 0;
      for (std::size_t i = 0; i < kRow; ++i) own += pits[i];
      rows_[p] = static_cast<std::int8_t>(2 * own - seeds_);
      std::optional<State> found = table_.position(pits);
      if (!found) {
        // No move is left: the rows are the value.
        moves_[p].add({kOut, rows_[p], static_cast<std::int8_t>(-rows_[p]), -1});
        return;
      }
      const State& state = *found;
      Action actions[kRow];
      const int n = state.legal(actions);
      for (int i = 0; i < n; ++i) {
        State next = state;
        next.apply(actions[i]);
        const auto action = static_cast<std::int8_t>(actions[i]);
        const int gain = next.captured(0) - next.captured(1);
        if (next.player() < 0) {
          moves_[p].add({kOut, static_cast<std::int8_t>(gain), static_cast<std::int8_t>(-gain), action});
        } else if (gain == 0) {
          moves_[p].add({static_cast<std::int32_t>(rank(next) - first_), 0, 0, action});
        } else {
          const Ending& ending = table_.entries_[rank(next)];
          moves_[p].add({kOut, static_cast<std::int8_t>(gain - ending.high),
                         static_cast<std::int8_t>(ending.low - gain), action});
        }
      }
    }

    // The value and the place of the best move.
    static std::pair<std::int8_t, std::uint8_t> best(const Moves& moves, const Values& theirs) {
      std::pair<std::int8_t, std::uint8_t> found{std::int8_t{-128}, std::uint8_t{0}};
      std::uint8_t i = 0;
      for (const Move& move : moves) {
        const std::int8_t value = move.to == kOut ? move.ours : theirs[static_cast<std::size_t>(move.to)];
        if (value > found.first) found = {value, i};
        ++i;
      }
      return found;
    }

    // The least that the moves leave to the opponent.
    static std::int8_t least(const Moves& moves, const Values& ours) {
      std::int8_t found = 127;
      for (const Move& move : moves) {
        found = std::min(found, move.to == kOut ? move.theirs : ours[static_cast<std::size_t>(move.to)]);
      }
      return found;
    }

    // Greatest fixed point: what a player gets by staying where their row is worth that much, for ever or until they
    // can have it anyway. True if that is more than was known.
    bool stay() {
      Values ours(size_, static_cast<std::int8_t>(seeds_));
      Values theirs(ours);
      for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t p = 0; p < size_; ++p) {
          const std::int8_t a = std::max(ours_[p], std::min(rows_[p], best(moves_[p], theirs).first));
          const auto row = static_cast<std::int8_t>(-rows_[p]);
          const std::int8_t b = std::max(theirs_[p], std::min(row, least(moves_[p], ours)));
          changed = changed || a != ours[p] || b != theirs[p];
          ours[p] = a;
          theirs[p] = b;
        }
      }
      bool more = false;
      for (std::size_t p = 0; p < size_; ++p) {
        if (ours[p] > ours_[p]) choice_[p] = best(moves_[p], theirs).second;
        more = more || ours[p] > ours_[p] || theirs[p] > theirs_[p];
      }
      ours_.swap(ours);
      theirs_.swap(theirs);
      return more;
    }

    // Least fixed point: from where a player can get there. A move is noted when what it leads to is already known, so
    // following the moves does get there.
    bool reach() {
      bool more = false;
      for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t p = 0; p < size_; ++p) {
          const auto [a, move] = best(moves_[p], theirs_);
          const std::int8_t b = least(moves_[p], ours_);
          if (a > ours_[p]) {
            ours_[p] = a;
            choice_[p] = move;
            changed = more = true;
          }
          if (b > theirs_[p]) {
            theirs_[p] = b;
            changed = more = true;
          }
        }
      }
      return more;
    }

    Endgame& table_;
    int seeds_;
    std::size_t first_;
    std::size_t size_;
    std::vector<Moves> moves_;
    Values rows_;
    Values ours_;
    Values theirs_;
    std::vector<std::uint8_t> choice_;
  };

  Kind kind_;
  Game game_;
  std::atomic<int> seeds_{-1};
  Guard growing_;
  std::vector<Ending> entries_;
};

}  // namespace kiebitz::oware
