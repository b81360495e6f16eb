// The exact solver of Connect Four for Python.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <bit>
#include <chrono>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/guard.hpp"
#include "bind/any.hpp"
#include "bind/arrays.hpp"
#include "bind/module.hpp"
#include "bind/stoppable.hpp"
#include "players/connect_four/solver.hpp"

namespace kiebitz::bind {
namespace {

using namespace nb::literals;
using connect_four::Solver;
using connect_four::State;
using connect_four::Worth;

template <class T>
using Rows = nb::ndarray<nb::numpy, T, nb::ndim<2>>;
using Boards = nb::ndarray<const std::int8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

connect_four::Game rules_of(const AnyGame& game) {
  if (game.info().name != "connect_four")
    throw UnsuitableGame("solver: expected connect_four, got " + game.info().name);
  return connect_four::Game(game.parameters());
}

// A solver that one call at a time may use; how many positions it has looked at, anybody may ask.
class SharedSolver {
 public:
  SharedSolver(const AnyGame& game, std::int64_t table_mb) : solver_(rules_of(game), table_mb) {}

  std::optional<std::tuple<int, int>> worth(const AnyState& state, bool weak, double seconds, const StopToken* stop) {
    const Guard::Alone alone(guard_);
    const State here = state_of(state);
    check_open(here, "");
    const auto score =
        run_stoppable(false, stop, [&](Stop& s) { return solver_.score(here, weak, limits(s, seconds)); });
    if (!score) return std::nullopt;
    const Worth worth = solver_.worth(*score, stones_of(here));
    return std::tuple<int, int>{worth.outcome, weak ? kUnknown : worth.plies};
  }

  std::pair<Rows<std::int8_t>, Rows<std::int16_t>> moves(const Boards& boards, bool weak, const StopToken* stop) {
    const Guard::Alone alone(guard_);
    const std::vector<State> states = read(boards);
    const auto columns = static_cast<std::size_t>(solver_.game().info().actions);
    std::vector<std::int8_t> outcomes;
    std::vector<std::int16_t> plies;
    outcomes.reserve(states.size() * columns);
    plies.reserve(states.size() * columns);
    run_stoppable(false, stop, [&](Stop& s) {
      for (const State& state : states) {
        const auto scores = s.poll() ? std::nullopt : solver_.scores(state, weak, {s});
        if (!scores) return false;
        for (std::size_t c = 0; c < columns; ++c) {
          const int score = (*scores)[c];
          const bool closed = score == Solver::kClosed;
          const Worth worth = closed ? Worth{kIllegal, kUnknown} : solver_.worth(score, stones_of(state));
          outcomes.push_back(static_cast<std::int8_t>(worth.outcome));
          plies.push_back(static_cast<std::int16_t>(weak ? kUnknown : worth.plies));
        }
      }
      return true;
    });
    return {rows_of(std::move(outcomes), columns), rows_of(std::move(plies), columns)};
  }

  void learn(const AnyState& state, int outcome, int plies) {
    const Guard::Alone alone(guard_);
    const State here = state_of(state);
    check_open(here, "");
    const int left = solver_.cells() - stones_of(here);
    const bool draw = outcome == 0 && plies == left;
    const bool decided =
        (outcome == 1 || outcome == -1) && plies >= 1 && plies <= left && (plies % 2 == 1) == (outcome == 1);
    if (!draw && !decided) {
      throw PositionError("opening book: a position with " + std::to_string(left) + " empty cells cannot be worth " +
                          std::to_string(outcome) + " in " + std::to_string(plies) + " plies");
    }
    solver_.learn(here, solver_.score_of({outcome, plies}, stones_of(here)));
  }

  std::uint64_t canonical(const AnyState& state) const { return solver_.canonical(state_of(state)); }
  std::int64_t nodes() const { return solver_.nodes(); }
  std::size_t known() {
    const Guard::Alone alone(guard_);
    return solver_.known();
  }

 private:
  static constexpr int kUnknown = -1;
  static constexpr int kIllegal = -2;

  template <class T>
  static Rows<T> rows_of(std::vector<T> numbers, std::size_t columns) {
    auto* const own = new std::vector<T>(std::move(numbers));
    nb::capsule owner(own, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return Rows<T>(own->data(), {own->size() / columns, columns}, owner);
  }

  static connect_four::Limits limits(Stop& stop, double seconds) {
    if (!(seconds >= 0 && seconds <= search::Budget::kLongest)) {
      throw BudgetError("seconds: expected 0 to " +
                        std::to_string(static_cast<std::int64_t>(search::Budget::kLongest)));
    }
    if (seconds == 0) return {stop};
    const auto given = std::chrono::duration_cast<Stop::Clock::duration>(std::chrono::duration<double>(seconds));
    return {stop, Stop::Clock::now() + given};
  }

  static int stones_of(const State& state) { return std::popcount(state.stones(0) | state.stones(1)); }

  static void check_open(const State& state, const std::string& where) {
    if (state.player() == kTerminal) throw PositionError(where + "the game is over: nothing to solve");
  }

  State state_of(const AnyState& state) const {
    const connect_four::Game game = rules_of(*state.game());
    const connect_four::Shape& theirs = game.shape();
    const connect_four::Shape& ours = solver_.game().shape();
    if (theirs.rows != ours.rows || theirs.columns != ours.columns || theirs.connect != ours.connect) {
      throw UnsuitableGame("solver: it was made for another board than the state's");
    }
    return solver_.game().load(state.save());
  }

  // Rows of cells from the bottom: 1 for stones of the player to move, -1 for the others, 0 for empty cells.
  std::vector<State> read(const Boards& boards) const {
    const connect_four::Shape& shape = solver_.game().shape();
    const auto rows = static_cast<std::size_t>(shape.rows);
    const auto columns = static_cast<std::size_t>(shape.columns);
    if (boards.shape(1) != rows * columns) {
      throw PositionError("boards: expected " + std::to_string(rows * columns) + " cells in a row, got " +
                          std::to_string(boards.shape(1)));
    }
    std::vector<State> states;
    states.reserve(boards.shape(0));
    for (std::size_t i = 0; i < boards.shape(0); ++i) {
      const std::int8_t* const cells = boards.data() + i * rows * columns;
      const std::string where = "boards[" + std::to_string(i) + "]: ";
      std::ptrdiff_t more = 0;  // stones of the player to move beyond the other's
      for (std::size_t k = 0; k < rows * columns; ++k) {
        if (cells[k] < -1 || cells[k] > 1) throw PositionError(where + "expected -1, 0 or 1 in each cell");
        more += cells[k];
      }
      if (more != 0 && more != -1) {
        throw PositionError(where + "expected as many 1 as -1, or one less: 1 is the player to move");
      }
      std::string board;
      for (std::size_t row = rows; row-- > 0;) {
        for (std::size_t c = 0; c < columns; ++c) {
          const int cell = more == 0 ? cells[row * columns + c] : -cells[row * columns + c];
          board += cell == 0 ? '.' : cell > 0 ? 'x' : 'o';
        }
        if (row > 0) board += '/';
      }
      try {
        states.push_back(solver_.game().load({{"board", board}}));
      } catch (const PositionError& error) {
        throw PositionError(where + error.what());
      }
      check_open(states.back(), where);
    }
    return states;
  }

  Guard guard_;
  Solver solver_;
};

}  // namespace

void bind_proven_scores(nb::module_& m) {
  nb::class_<SharedSolver>(m, "ConnectFourSolver", "Proves what positions of Connect Four are worth.")
      .def(nb::init<const AnyGame&, std::int64_t>(), "game"_a, "table_mb"_a = 64)
      .def("worth", &SharedSolver::worth, "state"_a, "weak"_a = false, "seconds"_a = 0.0, "stop"_a.none() = nb::none(),
           "For the player to move with best play: 1, 0 or -1, and the plies it takes (weak: -1, as they are not "
           "asked for); None if it was stopped or if so many seconds (0: no limit) were too few.")
      .def("moves", &SharedSolver::moves, "boards"_a, "weak"_a = false, "stop"_a.none() = nb::none(),
           "The same for every move of many positions: outcomes (-2: the column is full) and plies, one row for each "
           "position; fewer rows if it was stopped. A board is a row of cells from the bottom left: 1 for stones of "
           "the player to move, -1 for the other's.")
      .def("learn", &SharedSolver::learn, "state"_a, "outcome"_a, "plies"_a,
           "Takes over what a position with few stones is worth, and so its mirror image.")
      .def("canonical", &SharedSolver::canonical, "state"_a,
           "A number that a position has in common with its mirror image only.")
      .def_prop_ro("nodes", &SharedSolver::nodes, "Positions looked at so far; can be asked while it solves.")
      .def("__len__", &SharedSolver::known, "Positions that it was taught.");
}

}  // namespace kiebitz::bind
