// Connect Four (Allis 1988) on bit boards, for any board that fits 64 bits and any length of line.
// An action is a column, 0 at the left; player 0 (x) begins; the first to have `connect` stones in a line wins.
//
// Each column takes rows + 1 bits, the lowest cell first. The extra bit on top stays empty, so shifts do not join lines
// across columns, and adding one to the bottom of a column carries into its lowest empty cell.
#pragma once

#include <array>
#include <bit>
#include <cstdlib>
#include <utility>

#include "games/contract.hpp"

namespace kiebitz::connect_four {

inline constexpr int kMaxColumns = 8;

// The k-th member of a set of columns, and so a random one without a loop.
inline constexpr auto kPick = [] {
  std::array<std::array<std::uint8_t, kMaxColumns>, 1U << kMaxColumns> pick{};
  for (unsigned set = 0; set < pick.size(); ++set) {
    std::size_t n = 0;
    for (int column = 0; column < kMaxColumns; ++column) {
      if ((set >> column & 1) != 0) pick[set][n++] = static_cast<std::uint8_t>(column);
    }
  }
  return pick;
}();

// The shape of the board and what follows from it.
struct Shape {
  int rows = 6;
  int columns = 7;
  int connect = 4;
  int stride = 7;            // bits of a column
  int second = 2;            // a line of `connect` in three steps: pairs, two pairs `second` apart,
  int third = 0;             // and two of those `third` apart (0: not needed)
  std::uint64_t board = 0;   // all cells
  std::uint64_t column = 0;  // the cells of column 0
  std::array<std::uint64_t, kMaxColumns> cells{};  // of each column

  std::uint64_t cell(int row, int column_index) const { return std::uint64_t{1} << (column_index * stride + row); }

  // The lowest cells of all lines of full length within a set of cells, in one direction.
  std::uint64_t lines(std::uint64_t cells, int direction) const {
    cells &= cells >> direction;
    cells &= cells >> second * direction;
    return third == 0 ? cells : cells & cells >> third * direction;
  }

  [[gnu::always_inline]] bool has_line(std::uint64_t cells) const {
    // The usual board with shifts the compiler knows: half the time of the general case.
    if (stride == 7 && connect == 4) return (four<1>(cells) | four<6>(cells) | four<7>(cells) | four<8>(cells)) != 0;
    return (lines(cells, 1) | lines(cells, stride - 1) | lines(cells, stride) | lines(cells, stride + 1)) != 0;
  }

  // The cells that would complete a line of four, on the usual board; occupied cells may be among them.
  static std::uint64_t completing(std::uint64_t cells) {
    return (cells << 1 & cells << 2 & cells << 3) | three<6>(cells) | three<7>(cells) | three<8>(cells);
  }

  template <int kDirection>
  static std::uint64_t three(std::uint64_t cells) {
    const std::uint64_t below = cells << kDirection;
    const std::uint64_t above = cells >> kDirection;
    const std::uint64_t two_below = below & cells << 2 * kDirection;
    const std::uint64_t two_above = above & cells >> 2 * kDirection;
    return (two_below & (cells << 3 * kDirection | above)) | (two_above & (cells >> 3 * kDirection | below));
  }

  template <int kDirection>
  static std::uint64_t four(std::uint64_t cells) {
    cells &= cells >> kDirection;
    return cells & cells >> 2 * kDirection;
  }

  // All cells of all lines of full length within a set of cells.
  std::uint64_t line_cells(std::uint64_t cells) const {
    std::uint64_t out = 0;
    for (const int direction : {1, stride - 1, stride, stride + 1}) {
      const std::uint64_t lowest = lines(cells, direction);
      for (int k = 0; k < connect; ++k) out |= lowest << k * direction;
    }
    return out;
  }

  int count_lines(std::uint64_t cells) const {
    return std::popcount(lines(cells, 1)) + std::popcount(lines(cells, stride - 1)) +
           std::popcount(lines(cells, stride)) + std::popcount(lines(cells, stride + 1));
  }
};

class Game;

class State {
 public:
  State(const Game* game, int columns) : game_(game), open_(static_cast<std::uint8_t>((1U << columns) - 1)) {}

  int player() const { return over_ ? kTerminal : mover(); }

  int legal(Action* out) const {
    int n = 0;
    for (unsigned set = over_ ? 0 : open_; set != 0; set &= set - 1) out[n++] = std::countr_zero(set);
    return n;
  }

  std::uint32_t legal_set() const { return over_ ? 0 : open_; }

  bool quiet() const;

  Action random_legal(Rng& rng) const {
    return kPick[open_][rng.below(static_cast<std::uint32_t>(std::popcount(unsigned{open_})))];
  }

  int outcomes(Outcome*) const { return 0; }

  void apply(Action a);

  // Only the player who moved last can have a line.
  void returns(double* out) const {
    const double first = mover() == 1 ? 1 : -1;
    out[0] = won_ ? first : 0;
    out[1] = -out[0];
  }

  // Exact: in each column the sum tells the height first, then whose stones they are. The height gives the mover.
  std::uint64_t key() const { return mine_ + all_; }

  // "lines": how many more lines are still open to a player than to the other one, as part of all lines.
  double evaluate(int kind, int player) const;

  // The centre first: most lines pass there.
  int order(Action a) const;

  std::string name(Action a) const { return {static_cast<char>('a' + a)}; }
  int kind(Action) const { return 0; }
  std::optional<Action> parse(std::string_view text) const;
  std::string text() const;
  Fields save() const;
  // The position, and the cells of lines that are complete, numbered as in it: row by row from the top.
  Fields public_facts() const;
  void tensor(float* out) const;

  // The player who would be to move if the game were not over.
  int mover() const { return plies_ & 1; }
  std::uint64_t stones(int player) const { return player == mover() ? mine_ : all_ ^ mine_; }

 private:
  friend class Game;

  char symbol(std::uint64_t cell) const {
    if ((all_ & cell) == 0) return '.';
    return (stones(0) & cell) != 0 ? 'x' : 'o';
  }

  std::uint64_t mine_ = 0;  // stones of the player to move
  std::uint64_t all_ = 0;
  const Game* game_;
  std::uint8_t plies_ = 0;
  std::uint8_t open_;  // columns that are not full
  bool over_ = false;
  bool won_ = false;  // by the player who moved last
};

class Game {
 public:
  using State = connect_four::State;

  explicit Game(const Fields& parameters) {
    const FieldReader<ParameterError> in(parameters);
    shape_.rows = static_cast<int>(in.integer("rows", 2, 12));
    shape_.columns = static_cast<int>(in.integer("columns", 2, kMaxColumns));
    shape_.connect = static_cast<int>(in.integer("connect", 2, 8));
    shape_.stride = shape_.rows + 1;
    if (shape_.stride * shape_.columns > 64) {
      throw ParameterError("rows and columns: expected (rows + 1) * columns of at most 64, got " +
                           std::to_string(shape_.stride * shape_.columns));
    }
    if (shape_.connect > std::max(shape_.rows, shape_.columns)) {
      throw ParameterError("connect: expected a line that fits the board, at most " +
                           std::to_string(std::max(shape_.rows, shape_.columns)) + ", got " +
                           std::to_string(shape_.connect));
    }
    shape_.second = std::min(2, shape_.connect - 2);
    shape_.third = std::max(0, shape_.connect - 4);
    shape_.column = (std::uint64_t{1} << shape_.rows) - 1;
    for (int c = 0; c < shape_.columns; ++c) {
      shape_.cells[static_cast<std::size_t>(c)] = shape_.column << c * shape_.stride;
      shape_.board |= shape_.cells[static_cast<std::size_t>(c)];
    }
    all_lines_ = shape_.count_lines(shape_.board);

    const int cells = shape_.rows * shape_.columns;
    const bool usual = shape_.rows == 6 && shape_.columns == 7 && shape_.connect == 4;
    info_.name = "connect_four";
    info_.title = "Connect Four";
    info_.actions = shape_.columns;
    info_.max_legal = shape_.columns;
    info_.max_length = cells;
    info_.branching = shape_.columns;
    info_.log10_states = usual ? 12.656 : 0;  // 4,531,985,219,092 positions (Edelkamp and Kissmann 2008)
    info_.tensor_size = 3 * cells;
    info_.evaluations = {"lines"};
    info_.kinds = {{"drop", "move", ""}};
  }

  static std::vector<Parameter> parameters() {
    return {{"rows", "height of the board; (rows + 1) * columns is at most 64", std::int64_t{6}, 2, 12, {}},
            {"columns", "width of the board", std::int64_t{7}, 2, kMaxColumns, {}},
            {"connect", "stones in a line that win", std::int64_t{4}, 2, 8, {}}};
  }
  static std::vector<Preset> presets() { return {}; }

  const GameInfo& info() const { return info_; }
  const Shape& shape() const { return shape_; }
  int all_lines() const { return all_lines_; }
  State root() const { return State(this, shape_.columns); }

  // Checks the stones, not whether some order of play leads to them.
  State load(const Fields& fields) const;

 private:
  Shape shape_;
  int all_lines_ = 0;
  GameInfo info_;
};

[[gnu::always_inline]] inline void State::apply(Action a) {
  const Shape& shape = game_->shape();
  const std::uint64_t column = shape.cells[static_cast<std::size_t>(a)];
  const std::uint64_t moved = mine_ | ((all_ + (column & -column)) & column);
  mine_ ^= all_;
  all_ |= moved;
  ++plies_;
  open_ = static_cast<std::uint8_t>(open_ ^ static_cast<unsigned>((all_ & column) == column) << a);
  won_ = shape.has_line(moved);
  over_ = won_ | (open_ == 0);  // no branch: the caller will branch anyway
}

[[gnu::always_inline]] inline bool State::quiet() const {
  const Shape& shape = game_->shape();
  if (shape.stride != 7 || shape.connect != 4 || plies_ + 1 == shape.rows * shape.columns) return false;
  const std::uint64_t bottom = shape.board & ~(shape.board << 1);
  return (Shape::completing(mine_) & (all_ + bottom) & shape.board) == 0;
}

inline double State::evaluate(int, int player) const {
  if (over_) return won_ ? (player == mover() ? -1 : 1) : 0;
  const Shape& shape = game_->shape();
  const int own = shape.count_lines(shape.board & ~stones(1 - player));
  const int other = shape.count_lines(shape.board & ~stones(player));
  // One more than all lines, so that no guess is as good as a win.
  return static_cast<double>(own - other) / (game_->all_lines() + 1);
}

inline int State::order(Action a) const { return -std::abs(2 * a + 1 - game_->shape().columns); }

inline std::optional<Action> State::parse(std::string_view text) const {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  if (text.size() != 1) return std::nullopt;
  const char c = text[0];
  const int column = c >= '1' && c <= '9' ? c - '1' : (c | 0x20) - 'a';
  if (column < 0 || column >= game_->shape().columns) return std::nullopt;
  return column;
}

inline std::string State::text() const {
  const Shape& shape = game_->shape();
  std::string out;
  for (int column = 0; column < shape.columns; ++column) {
    out += column == 0 ? "" : " ";
    out += static_cast<char>('a' + column);
  }
  out += '\n';
  for (int row = shape.rows - 1; row >= 0; --row) {
    for (int column = 0; column < shape.columns; ++column) {
      out += column == 0 ? "" : " ";
      out += symbol(shape.cell(row, column));
    }
    out += '\n';
  }
  return out;
}

// The rows from the top down, with a stroke between them.
inline Fields State::save() const {
  const Shape& shape = game_->shape();
  std::string board;
  for (int row = shape.rows - 1; row >= 0; --row) {
    for (int column = 0; column < shape.columns; ++column) board += symbol(shape.cell(row, column));
    if (row > 0) board += '/';
  }
  return {{"board", board}};
}

inline Fields State::public_facts() const {
  const Shape& shape = game_->shape();
  const std::uint64_t cells = shape.line_cells(stones(0)) | shape.line_cells(stones(1));
  std::vector<std::int64_t> line;
  for (int i = 0; i < shape.rows * shape.columns; ++i) {
    if ((cells & shape.cell(shape.rows - 1 - i / shape.columns, i % shape.columns)) != 0) line.push_back(i);
  }
  Fields out = save();
  out.emplace_back("line", std::move(line));
  return out;
}

// Empty cells, stones of x, stones of o; each row by row from the bottom.
// Planes of cells, the lowest row first: empty, stones of the player to move, stones of the other one.
inline void State::tensor(float* out) const {
  const Shape& shape = game_->shape();
  const int cells = shape.rows * shape.columns;
  for (int row = 0; row < shape.rows; ++row) {
    for (int column = 0; column < shape.columns; ++column) {
      const std::uint64_t cell = shape.cell(row, column);
      const int i = row * shape.columns + column;
      out[i] = (all_ & cell) == 0;
      out[cells + i] = (mine_ & cell) != 0;
      out[2 * cells + i] = (all_ & ~mine_ & cell) != 0;
    }
  }
}

inline State Game::load(const Fields& fields) const {
  const FieldReader<PositionError> in(fields);
  in.only({"board"});
  const std::string& board = in.text("board");
  const auto width = static_cast<std::size_t>(shape_.columns) + 1;
  if (board.size() != static_cast<std::size_t>(shape_.rows) * width - 1) {
    throw PositionError("board: expected " + std::to_string(shape_.rows) + " rows of " +
                        std::to_string(shape_.columns) + " cells, the top row first, with / between them");
  }
  std::array<std::uint64_t, 2> stones{};
  for (std::size_t i = 0; i < board.size(); ++i) {
    const auto row = shape_.rows - 1 - static_cast<int>(i / width);
    const auto column = static_cast<int>(i % width);
    const char c = static_cast<char>(board[i] | 0x20);
    if (column == shape_.columns ? board[i] != '/' : board[i] != '.' && c != 'x' && c != 'o') {
      throw PositionError("board: expected x, o or . in each cell and / between the rows");
    }
    if (c == 'x' || c == 'o') stones[c == 'x' ? 0 : 1] |= shape_.cell(row, column);
  }
  State state = root();
  state.all_ = stones[0] | stones[1];
  const int x = std::popcount(stones[0]);
  const int o = std::popcount(stones[1]);
  if (x != o && x != o + 1) throw PositionError("board: x begins, so expected as many x as o or one more");
  state.plies_ = static_cast<std::uint8_t>(x + o);
  state.mine_ = stones[static_cast<std::size_t>(state.mover())];

  std::uint64_t tops = 0;  // the highest stone of each column: one of them was played last
  for (int c = 0; c < shape_.columns; ++c) {
    const std::uint64_t column = state.all_ >> c * shape_.stride & shape_.column;
    if ((column & (column + 1)) != 0)
      throw PositionError("board: a stone of column " + state.name(c) + " hangs in the air");
    if (column == shape_.column) state.open_ = static_cast<std::uint8_t>(state.open_ & ~(1U << c));
    tops |= (column & ~(column >> 1)) << c * shape_.stride;
  }
  const std::uint64_t last = state.all_ ^ state.mine_;
  state.won_ = shape_.has_line(last);
  bool possible = !shape_.has_line(state.mine_);
  if (state.won_ && possible) {
    possible = false;
    for (std::uint64_t top = tops & last; top != 0 && !possible; top &= top - 1) {
      possible = !shape_.has_line(last & ~(top & -top));
    }
  }
  if (!possible) throw PositionError("board: the game was over before the last move");
  state.over_ = state.won_ || state.open_ == 0;
  return state;
}

}  // namespace kiebitz::connect_four
