// Tic-tac-toe on bit boards: the smallest complete game of the contract, and the one to copy for a new game.
// Cells are numbered 0..8 row by row; an action is a cell. X (player 0) begins.
#pragma once

#include <array>
#include <bit>
#include <utility>

#include "games/contract.hpp"

namespace kiebitz::tic_tac_toe {

class Game;

class State {
 public:
  explicit State(const Game* game) : game_(game) {}

  int player() const { return over() ? kTerminal : mover(); }

  int legal(Action* out) const {
    if (over()) return 0;
    int n = 0;
    for (unsigned free = empty(); free != 0; free &= free - 1) out[n++] = std::countr_zero(free);
    return n;
  }

  int outcomes(Outcome*) const { return 0; }

  void apply(Action a) { boards_[static_cast<std::size_t>(mover())] |= static_cast<std::uint16_t>(1U << a); }

  void returns(double* out) const {
    out[0] = (line(boards_[0]) ? 1.0 : 0.0) - (line(boards_[1]) ? 1.0 : 0.0);
    out[1] = -out[0];
  }

  // Exact: the two boards.
  std::uint64_t key() const { return boards_[0] | (std::uint64_t{boards_[1]} << 16); }

  std::string name(Action a) const { return {static_cast<char>('a' + a % 3), static_cast<char>('1' + a / 3)}; }

  int kind(Action) const { return 0; }

  std::optional<Action> parse(std::string_view text) const {
    if (text.size() != 2) return std::nullopt;
    const int column = (text[0] | 0x20) - 'a';
    const int row = text[1] - '1';
    if (column < 0 || column > 2 || row < 0 || row > 2) return std::nullopt;
    return row * 3 + column;
  }

  std::string text() const {
    std::string out = "  a b c\n";
    for (int row = 0; row < 3; ++row) {
      out += std::to_string(row + 1);
      for (int column = 0; column < 3; ++column) {
        out += ' ';
        out += symbol(row * 3 + column);
      }
      out += '\n';
    }
    return out;
  }

  Fields save() const {
    std::string board;
    for (int cell = 0; cell < 9; ++cell) board += symbol(cell);
    return {{"board", board}};
  }

  // The position, and the cells of lines that are complete.
  Fields public_facts() const {
    unsigned cells = 0;
    for (const unsigned board : boards_) {
      for (const unsigned l : kLines) cells |= (board & l) == l ? l : 0;
    }
    std::vector<std::int64_t> line;
    for (; cells != 0; cells &= cells - 1) line.push_back(std::countr_zero(cells));
    Fields out = save();
    out.emplace_back("line", std::move(line));
    return out;
  }

  // Planes of cells: empty, marks of the player to move, marks of the other one.
  void tensor(float* out) const {
    const auto own = static_cast<std::size_t>(mover());
    for (int cell = 0; cell < 9; ++cell) {
      out[cell] = static_cast<float>(empty() >> cell & 1);
      out[9 + cell] = static_cast<float>(boards_[own] >> cell & 1);
      out[18 + cell] = static_cast<float>(boards_[1 - own] >> cell & 1);
    }
  }

 private:
  friend class Game;

  static constexpr unsigned kAll = 0x1FF;
  static constexpr std::array<unsigned, 8> kLines = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};

  static bool line(unsigned board) {
    for (const unsigned l : kLines) {
      if ((board & l) == l) return true;
    }
    return false;
  }

  unsigned empty() const { return kAll & ~static_cast<unsigned>(boards_[0] | boards_[1]); }
  int mover() const { return std::popcount(boards_[0]) > std::popcount(boards_[1]) ? 1 : 0; }
  bool over() const { return line(boards_[0]) || line(boards_[1]) || empty() == 0; }
  char symbol(int cell) const {
    if ((boards_[0] >> cell & 1) != 0) return 'x';
    return (boards_[1] >> cell & 1) != 0 ? 'o' : '.';
  }

  const Game* game_;
  std::array<std::uint16_t, 2> boards_{};
};

class Game {
 public:
  using State = tic_tac_toe::State;

  explicit Game(const Fields&) {
    info_.name = "tic_tac_toe";
    info_.title = "Tic-tac-toe";
    info_.actions = 9;
    info_.max_legal = 9;
    info_.max_length = 9;
    info_.branching = 4;
    info_.log10_states = 3.74;
    info_.tensor_size = 27;
    info_.kinds = {{"place", "move", ""}};
  }

  static std::vector<Parameter> parameters() { return {}; }
  static std::vector<Preset> presets() { return {}; }

  const GameInfo& info() const { return info_; }
  State root() const { return State(this); }

  State load(const Fields& fields) const {
    const FieldReader<PositionError> in(fields);
    in.only({"board"});
    const std::string& board = in.text("board");
    if (board.size() != 9) throw PositionError("board: expected 9 cells, got " + std::to_string(board.size()));
    State state(this);
    for (std::size_t cell = 0; cell < 9; ++cell) {
      const char c = static_cast<char>(board[cell] | 0x20);
      if (board[cell] == '.') continue;
      if (c != 'x' && c != 'o') throw PositionError("board: expected x, o or . in each cell");
      state.boards_[c == 'x' ? 0 : 1] |= static_cast<std::uint16_t>(1U << cell);
    }
    const int x = std::popcount(state.boards_[0]);
    const int o = std::popcount(state.boards_[1]);
    if (x != o && x != o + 1) throw PositionError("board: x begins, so expected as many x as o or one more");
    const bool x_line = State::line(state.boards_[0]);
    const bool o_line = State::line(state.boards_[1]);
    if ((x_line && x == o) || (o_line && x != o)) {
      throw PositionError("board: the game was over before the last move");
    }
    return state;
  }

 private:
  GameInfo info_;
};

}  // namespace kiebitz::tic_tac_toe
