// What the bindings of all solvers share: compiled games and solvers as Python holds them, checked arrays in and out.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bind/any.hpp"
#include "bind/arrays.hpp"
#include "bind/guarded.hpp"
#include "bind/stoppable.hpp"
#include "solve/compiled.hpp"

namespace kiebitz::bind {

inline nb::list lists_of(const std::vector<std::vector<double>>& tables) {
  nb::list out;
  for (const auto& table : tables) out.append(array_of(std::vector<double>(table)));
  return out;
}

// A compiled game knows the game it came from, for names and views.
struct CompiledGame {
  std::shared_ptr<const AnyGame> game;
  std::shared_ptr<const solve::Compiled> arrays;

  const solve::Side& side(int player) const {
    if (player < 0 || player >= arrays->players) {
      throw ParameterError("player: expected 0 to " + std::to_string(arrays->players - 1) + ", got " +
                           std::to_string(player));
    }
    return arrays->side(player);
  }
};

inline std::vector<double> numbers_of(const CompiledGame& game, int player, const Given& given, const char* what) {
  const std::size_t size = game.side(player).sequences();
  if (given.size() != size) {
    throw ParameterError(std::string(what) + " of player " + std::to_string(player) + ": expected " +
                         std::to_string(size) + " numbers, one per sequence, got " + std::to_string(given.size()));
  }
  std::vector<double> out(given.data(), given.data() + size);
  if (!std::ranges::all_of(out, [](double x) { return std::isfinite(x); })) {
    throw ParameterError(std::string(what) + " of player " + std::to_string(player) + ": expected finite numbers");
  }
  return out;
}

inline std::vector<std::vector<double>> tables_of(const CompiledGame& game, const std::vector<Given>& given, bool empty,
                                                  const char* what) {
  std::vector<std::vector<double>> out;
  if (given.size() != (empty ? 0 : game.arrays->sides.size())) {
    throw ParameterError(std::string(what) + ": expected one table per player");
  }
  for (std::size_t p = 0; p < given.size(); ++p) out.push_back(numbers_of(game, static_cast<int>(p), given[p], what));
  if (empty) out.resize(game.arrays->sides.size());
  return out;
}

inline solve::Strategy strategy_of(const CompiledGame& game, int player, const Given& given) {
  solve::Strategy out = numbers_of(game, player, given, "strategy");
  const solve::Side& side = game.side(player);
  for (std::size_t k = 0; k < side.sets.size(); ++k) {
    const solve::InformationSet& set = side.sets[k];
    double sum = 0;
    bool negative = false;
    for (solve::Sequence s = set.first; s < set.first + set.count; ++s) {
      sum += out[s];
      negative = negative || out[s] < 0;
    }
    if (negative || std::abs(sum - 1) > 1e-9) {
      throw ParameterError("strategy of player " + std::to_string(player) + ", information set " + std::to_string(k) +
                           ": expected probabilities that add up to 1, got a sum of " + std::to_string(sum) +
                           (negative ? " with negative ones" : ""));
    }
  }
  out[0] = 1;
  return out;
}

inline solve::Profile profile_of(const CompiledGame& game, const std::vector<Given>& given) {
  if (given.size() != game.arrays->sides.size()) {
    throw ParameterError("profile: expected " + std::to_string(game.arrays->players) +
                         " strategies, one per player, got " + std::to_string(given.size()));
  }
  solve::Profile out;
  for (std::size_t p = 0; p < given.size(); ++p) out.push_back(strategy_of(game, static_cast<int>(p), given[p]));
  return out;
}

inline std::int64_t count_of(std::int64_t count, const char* what = "iterations") {
  if (count < 0) throw ParameterError(std::string(what) + ": expected 0 or more, got " + std::to_string(count));
  return count;
}

// The parts that all iterative solvers share.
template <class Solver>
struct SolverBox {
  CompiledGame game;
  Guarded<Solver> solver;

  void iterate(std::int64_t count, const StopToken* stop) {
    count_of(count, "count");
    const auto own = solver.use();
    run_stoppable(false, stop, [&](Stop& s) {
      own->iterate(count, s);
      return 0;
    });
  }
};

template <class Solver>
nb::class_<SolverBox<Solver>> bind_solver(nb::module_& m, const char* name, const char* doc) {
  using namespace nb::literals;
  using Box = SolverBox<Solver>;
  return nb::class_<Box>(m, name, doc)
      .def_prop_ro("game", [](const Box& b) { return b.game; })
      .def_prop_ro("iterations", [](Box& b) { return b.solver.use()->memory().iterations; })
      .def("iterate", &Box::iterate, "count"_a, "stop"_a.none() = nb::none(),
           "Runs `count` more iterations; Ctrl-C and the token end it after a complete one.")
      .def(
          "average", [](Box& b, int player) { return b.game.side(player), array_of(b.solver.use()->average(player)); },
          "player"_a, "The average strategy so far: a probability for each sequence.");
}

}  // namespace kiebitz::bind
