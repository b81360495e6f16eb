// An exact solver of Connect Four with lines of four, on any board: who wins, and how soon.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "players/connect_four/search.hpp"

namespace kiebitz::connect_four {

// With best play, for the player to move: 1, 0 or -1, and how many plies it takes; the winner hurries, the loser
// delays.
struct Worth {
  int outcome = 0;
  int plies = 0;
};

class Solver {
 public:
  // One number a column; a full column has kClosed.
  static constexpr int kClosed = -128;
  static constexpr int kMostKnown = 8;  // stones of a position in the opening book
  using Scores = std::array<int, kMaxColumns>;

  Solver(const Game& game, std::int64_t table_mb) : game_(checked(game)), table_(table_mb) {
    const Shape& shape = game_.shape();
    if (shape.rows == 6 && shape.columns == 7) {
      search_ = std::make_unique<Search<UsualBoard>>(UsualBoard{}, table_, known_);
    } else {
      search_ = std::make_unique<Search<AnyBoard>>(AnyBoard(shape), table_, known_);
    }
  }
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  const Game& game() const { return game_; }

  // Positions looked at so far; may be asked by any thread while another one solves.
  std::int64_t nodes() const { return nodes_; }

  // The score (search.hpp) of a position that is not over, weak: its sign; nothing if it gave up.
  std::optional<int> score(const State& state, bool weak, Limits limits) {
    try {
      return search_->score(position_of(state), weak, limits, nodes_);
    } catch (const GaveUp&) {
      return std::nullopt;
    }
  }

  // The scores of all moves of a position that is not over, for the player to move; nothing if it gave up.
  std::optional<Scores> scores(const State& state, bool weak, Limits limits) {
    const Position here = position_of(state);
    const int columns = game_.shape().columns;
    const bool symmetric = search_->symmetric(here);
    Scores scores;
    scores.fill(kClosed);
    for (int c = 0; c < columns; ++c) {
      if ((state.legal_set() >> c & 1) == 0) continue;
      if (symmetric && 2 * c >= columns) {
        scores[at(c)] = scores[at(columns - 1 - c)];
        continue;
      }
      State next = state;
      next.apply(c);
      if (next.player() == kTerminal) {
        const int win = weak ? 1 : (cells() + 1 - here.stones) / 2;
        scores[at(c)] = game_.shape().has_line(next.stones(1 - next.mover())) ? win : 0;
        continue;
      }
      const auto found = score(next, weak, limits);
      if (!found) return std::nullopt;
      scores[at(c)] = -*found;
    }
    return scores;
  }

  // What a score means when so many stones are on the board.
  Worth worth(int score, int stones) const {
    if (score == 0) return {0, cells() - stones};
    const bool wins = score > 0;
    int last = cells() + 2 - 2 * (wins ? score : -score);  // the last stone, or the one before: the winner plays it
    if (((last - stones) & 1) != (wins ? 1 : 0)) --last;
    return {wins ? 1 : -1, last - stones};
  }

  int score_of(const Worth& worth, int stones) const {
    return worth.outcome * ((cells() + 2 - stones - worth.plies) / 2);
  }

  int cells() const { return game_.shape().rows * game_.shape().columns; }

  // The opening book: scores of positions, each for itself and its mirror image.
  std::size_t known() const { return known_.size(); }
  void learn(const State& state, int score) {
    const Position p = position_of(state);
    if (p.stones > kMostKnown) {
      throw PositionError("opening book: expected at most " + std::to_string(kMostKnown) + " stones, got " +
                          std::to_string(p.stones));
    }
    known_.add(search_->canonical(p), score, p.stones);
  }

  std::uint64_t canonical(const State& state) const { return search_->canonical(position_of(state)); }

 private:
  static const Game& checked(const Game& game) {
    if (game.shape().connect != 4) {
      throw UnsuitableGame("solver: expected connect=4, got connect=" + std::to_string(game.shape().connect));
    }
    return game;
  }

  static std::size_t at(int column) { return static_cast<std::size_t>(column); }

  static Position position_of(const State& state) {
    const std::uint64_t mine = state.stones(state.mover());
    const std::uint64_t all = mine | state.stones(1 - state.mover());
    return {mine, all, std::popcount(all)};
  }

  Game game_;
  BoundTable table_;
  KnownScores known_;
  std::unique_ptr<AnySearch> search_;
  std::atomic<std::int64_t> nodes_{0};
};

}  // namespace kiebitz::connect_four
