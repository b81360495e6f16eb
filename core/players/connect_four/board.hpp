// Boards of Connect Four as the solver sees them: cells as in games/connect_four.hpp, lines of four.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "games/connect_four.hpp"

namespace kiebitz::connect_four {

struct Position {
  std::uint64_t mine = 0;  // stones of the player to move
  std::uint64_t all = 0;
  int stones = 0;
};

// Six rows and seven columns, known to the compiler.
struct UsualBoard {
  static constexpr int columns = 7;
  static constexpr int stride = 7;
  static constexpr int cells = 42;
  static constexpr std::uint64_t bottom = 0x0000'0408'1020'4081ULL;
  static constexpr std::uint64_t board = bottom * 0b111111;
  static constexpr std::uint64_t lower = bottom * 0b010101;  // every second row, the one below the top row first
};

struct AnyBoard {
  explicit AnyBoard(const Shape& shape)
      : columns(shape.columns), stride(shape.stride), cells(shape.rows * shape.columns), board(shape.board) {
    bottom = board & ~(board << 1);
    for (int row = shape.rows - 2; row >= 0; row -= 2) lower |= bottom << row;
  }

  int columns;
  int stride;
  int cells;
  std::uint64_t board;
  std::uint64_t bottom;
  std::uint64_t lower = 0;
};

// What is asked about sets of cells, on one of these boards.
template <class Board>
class Lines {
 public:
  explicit Lines(const Board& board) : board_(board) {
    std::size_t n = 0;
    for (int distance = 0; distance < board.columns; ++distance) {
      for (int c = 0; c < board.columns; ++c) {
        if (std::abs(2 * c + 1 - board.columns) == distance) outwards_[n++] = column_cells(c);
      }
    }
  }

  const Board& board() const { return board_; }

  // The lowest empty cell of each column.
  std::uint64_t playable(std::uint64_t all) const { return (all + board_.bottom) & board_.board; }

  // The cells that complete a line of four; occupied cells may be among them.
  std::uint64_t completing(std::uint64_t cells) const {
    return (cells << 1 & cells << 2 & cells << 3) | three(cells, board_.stride - 1) | three(cells, board_.stride) |
           three(cells, board_.stride + 1);
  }

  bool has_line(std::uint64_t cells) const {
    return (four(cells, 1) | four(cells, board_.stride - 1) | four(cells, board_.stride) |
            four(cells, board_.stride + 1)) != 0;
  }

  std::uint64_t mirrored(std::uint64_t cells) const {
    std::uint64_t out = 0;
    for (int c = 0; c < board_.columns; ++c) {
      out |= (cells >> c * board_.stride & column_bits()) << (board_.columns - 1 - c) * board_.stride;
    }
    return out;
  }

  // The same for a position and its mirror image, and different for all others.
  std::uint64_t canonical(std::uint64_t mine, std::uint64_t all) const {
    return std::min(mine + all, mirrored(mine) + mirrored(all));
  }

  // The cells of the columns, those in the centre first.
  const std::array<std::uint64_t, kMaxColumns>& outwards() const { return outwards_; }

 private:
  std::uint64_t column_bits() const { return ~std::uint64_t{0} >> (64 - board_.stride); }
  std::uint64_t column_cells(int column) const { return board_.board & column_bits() << column * board_.stride; }

  static std::uint64_t three(std::uint64_t cells, int direction) {
    const std::uint64_t below = cells << direction;
    const std::uint64_t above = cells >> direction;
    const std::uint64_t two_below = below & cells << 2 * direction;
    const std::uint64_t two_above = above & cells >> 2 * direction;
    return (two_below & (cells << 3 * direction | above)) | (two_above & (cells >> 3 * direction | below));
  }

  static std::uint64_t four(std::uint64_t cells, int direction) {
    cells &= cells >> direction;
    return cells & cells >> 2 * direction;
  }

  [[no_unique_address]] Board board_;
  std::array<std::uint64_t, kMaxColumns> outwards_{};
};

}  // namespace kiebitz::connect_four
