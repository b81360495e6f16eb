// Proves bounds on what a position of Connect Four is worth: negamax with a null window, after the public practice that
// Tromp (Fhourstones) and Pons (Solving Connect Four) describe.
//
// A position has a score. If the player to move wins with the t-th stone on the board, counted from 1, it is half of
// cells + 2 - t, rounded down; if the other player wins so, the negative of it; a draw is 0. The sooner a win the
// higher the score, and a score is the negative of the best answer's.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>

#include "base/stop.hpp"
#include "players/connect_four/board.hpp"
#include "players/connect_four/bound_table.hpp"
#include "players/connect_four/known_scores.hpp"

namespace kiebitz::connect_four {

// When a search gives up.
struct Limits {
  Stop& stop;
  Stop::Clock::time_point until = Stop::Clock::time_point::max();

  bool reached() { return stop.poll() || (until != Stop::Clock::time_point::max() && Stop::Clock::now() >= until); }
};

// Thrown out of a search that gave up; what the table has learned by then is true.
struct GaveUp {};

// A search on a board of any kind.
class AnySearch {
 public:
  virtual ~AnySearch() = default;

  // The score of a position that is not over, or only its sign; throws GaveUp. Counts nodes as it goes.
  virtual int score(const Position& p, bool only_sign, Limits limits, std::atomic<std::int64_t>& nodes) = 0;

  // The same number for a position and its mirror image, another one for every other position.
  virtual std::uint64_t canonical(const Position& p) const = 0;

  virtual bool symmetric(const Position& p) const = 0;
};

template <class Board>
class Search : public AnySearch {
 public:
  Search(const Board& board, BoundTable& table, const KnownScores& known)
      : lines_(board), table_(table), known_(known) {}

  std::uint64_t canonical(const Position& p) const override { return lines_.canonical(p.mine, p.all); }
  bool symmetric(const Position& p) const override {
    return lines_.mirrored(p.mine) == p.mine && lines_.mirrored(p.all) == p.all;
  }

  int score(const Position& p, bool only_sign, Limits limits, std::atomic<std::int64_t>& nodes) override {
    limits_ = &limits;
    told_ = &nodes;
    nodes_ = 0;
    const int score = narrowed(p, only_sign);
    nodes += nodes_ % kPollEvery;
    return score;
  }

 private:
  int narrowed(const Position& p, bool weak) {
    if ((lines_.completing(p.mine) & lines_.playable(p.all)) != 0) return weak ? 1 : (board().cells + 1 - p.stones) / 2;
    int low = weak ? -1 : -(board().cells - p.stones) / 2;
    int high = weak ? 1 : (board().cells - 1 - p.stones) / 2;
    while (low < high) {
      // In the middle, but first near a draw: bounds far from it are cheap to refute later.
      int goal = low + (high - low) / 2;
      if (goal <= 0 && low / 2 < goal) goal = low / 2;
      if (goal >= 0 && high / 2 > goal) goal = high / 2;
      const int found = at_most(p.mine, p.all, p.stones, goal);
      if (found <= goal) {
        high = std::max(low, std::min(high, found));
      } else {
        low = std::min(high, std::max(low, found));
      }
    }
    return low;
  }

  static constexpr std::int64_t kPollEvery = 4096;
  static constexpr int kMirroredUntil = 14;  // so many stones: later, mirror images hardly ever meet
  // Bounds in the table: 1 to 127 for "at most", 128 to 255 for "at least".
  static constexpr int kZero = 64;
  static constexpr int kAtLeast = 128;

  const Board& board() const { return lines_.board(); }

  std::uint64_t key_of(std::uint64_t mine, std::uint64_t all, int stones) const {
    return stones <= kMirroredUntil ? lines_.canonical(mine, all) : mine + all;
  }

  // Is the score at most `goal`? If so, a proven upper bound that is no larger, else a proven lower bound that is
  // larger. The player to move has no winning move.
  int at_most(std::uint64_t mine, std::uint64_t all, int stones, int goal) {
    if (++nodes_ % kPollEvery == 0) poll();
    const std::uint64_t theirs = all ^ mine;
    const std::uint64_t empty = board().board ^ all;
    const std::uint64_t playable = lines_.playable(all);
    const std::uint64_t their_wins = lines_.completing(theirs) & empty;

    // Two cells to close at once, or the only safe move gives them the cell above: they win next.
    const int lost = -(board().cells - stones) / 2;
    std::uint64_t moves = playable;
    if (const std::uint64_t forced = playable & their_wins; forced != 0) {
      if ((forced & (forced - 1)) != 0) return lost;
      moves = forced;
    }
    moves &= ~(their_wins >> 1);
    if (moves == 0) return lost;
    if (stones >= board().cells - 2) return 0;

    const int low = -(board().cells - 2 - stones) / 2;
    if (low > goal) return low;
    const int high = (board().cells - 1 - stones) / 2;
    if (high <= goal) return high;
    if (goal >= -1) {
      const int follow_up = if_they_follow_up(mine, all, stones, playable);
      if (follow_up <= goal) return follow_up;
    }
    if (stones <= known_.stones()) {
      if (const auto score = known_.find(lines_.canonical(mine, all))) return *score;
    }
    if ((moves & (moves - 1)) == 0) return -at_most(theirs, all | moves, stones + 1, -goal - 1);

    const std::uint64_t key = key_of(mine, all, stones);
    if (const int bound = static_cast<int>(table_.find(key)); bound >= kAtLeast) {
      if (bound - kAtLeast - kZero > goal) return bound - kAtLeast - kZero;
    } else if (bound != 0) {
      if (bound - kZero <= goal) return bound - kZero;
    }

    // Most cells that would complete a line first, among equals the centre.
    std::array<std::uint64_t, kMaxColumns> cells;
    std::array<int, kMaxColumns> worth;
    std::size_t n = 0;
    for (int i = 0; i < board().columns; ++i) {
      const std::uint64_t cell = moves & lines_.outwards()[static_cast<std::size_t>(i)];
      if (cell == 0) continue;
      const std::uint64_t wins = lines_.completing(mine | cell) & (empty ^ cell);
      const std::uint64_t next = wins & lines_.playable(all | cell);
      // Two at once, or two above each other: they cannot close both.
      if ((next & (next - 1)) != 0 || (wins & next << 1) != 0) return high;
      table_.prefetch(key_of(theirs, all | cell, stones + 1));
      const int lines = std::popcount(wins);
      std::size_t at = n++;
      for (; at > 0 && worth[at - 1] < lines; --at) {
        cells[at] = cells[at - 1];
        worth[at] = worth[at - 1];
      }
      cells[at] = cell;
      worth[at] = lines;
    }

    const std::int64_t before = nodes_;
    int best = low;
    for (std::size_t i = 0; i < n; ++i) {
      const int score = -at_most(theirs, all | cells[i], stones + 1, -goal - 1);
      if (score > goal) {
        table_.store(key, static_cast<std::uint32_t>(score + kAtLeast + kZero), nodes_ - before);
        return score;
      }
      best = std::max(best, score);
    }
    table_.store(key, static_cast<std::uint32_t>(best + kZero), nodes_ - before);
    return best;
  }

  // An upper bound if the number of empty cells is even: they answer in the same column while they can, and where we
  // fill a column, in any column with an odd number of empty cells; there is one. In columns with an even number we
  // then get every second cell only, the lowest one first. If all columns are even they get all the others for sure.
  int if_they_follow_up(std::uint64_t mine, std::uint64_t all, int stones, std::uint64_t playable) const {
    if (((board().cells - stones) & 1) != 0) return board().cells;
    const std::uint64_t empty = board().board ^ all;
    const std::uint64_t odd = playable & ~board().lower;
    const std::uint64_t all_of_odd = empty & ~(empty + odd);  // a carry runs through the column
    if (lines_.has_line(mine | (empty & board().lower) | all_of_odd)) return board().cells;
    const bool sure = odd == 0 && lines_.has_line((all ^ mine) | (empty & ~board().lower));
    return sure ? -1 : 0;
  }

  void poll() {
    *told_ += kPollEvery;
    if (limits_->reached()) throw GaveUp{};
  }

  Lines<Board> lines_;
  BoundTable& table_;
  const KnownScores& known_;
  Limits* limits_ = nullptr;
  std::atomic<std::int64_t>* told_ = nullptr;
  std::int64_t nodes_ = 0;
};

}  // namespace kiebitz::connect_four
