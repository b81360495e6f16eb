// Backward induction, counting and the bandit experiment for Python.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <utility>

#include "bind/any.hpp"
#include "bind/module.hpp"
#include "bind/stoppable.hpp"
#include "search/bandit.hpp"

namespace kiebitz::bind {
namespace {

using namespace nb::literals;
using namespace kiebitz::search;

// A solution knows its game, so that it can refuse positions of other games.
struct SolvedGame {
  std::shared_ptr<const AnyGame> game;
  Solution solution;
};

std::optional<Solution::Entry> lookup(const SolvedGame& solved, const AnyState& state) {
  if (state.game()->origin != solved.game->origin) throw UnsuitableGame("this solution belongs to another game");
  if (solved.solution.grade != Grade::strong) {
    throw ParameterError("only a strong solution knows every position, this one is " +
                         enum_name(solved.solution.grade));
  }
  return solved.solution.lookup(state.key());
}

}  // namespace

void bind_exact(nb::module_& m) {
  nb::class_<SolvedGame>(m, "Solution", "The proof that backward induction found.")
      .def_prop_ro("game", [](const SolvedGame& s) { return s.game; })
      .def_prop_ro("grade", [](const SolvedGame& s) { return enum_name(s.solution.grade); })
      .def_prop_ro(
          "value", [](const SolvedGame& s) { return s.solution.value; }, "One payoff per player under perfect play.")
      .def_prop_ro(
          "outcome", [](const SolvedGame& s) { return s.solution.outcome; }, "The same in words.")
      .def_prop_ro(
          "line", [](const SolvedGame& s) { return s.solution.line; }, "A line of perfect play; empty if ultra_weak.")
      .def_prop_ro("line_names", [](const SolvedGame& s) { return s.solution.line_names; })
      .def_prop_ro(
          "positions", [](const SolvedGame& s) { return s.solution.positions; }, "Different positions met.")
      .def_prop_ro(
          "stopped", [](const SolvedGame& s) { return s.solution.stopped; }, "Cancelled: there is no value.")
      .def(
          "optimal",
          [](const SolvedGame& s, const AnyState& state) -> std::optional<std::vector<Action>> {
            auto entry = lookup(s, state);
            if (!entry) return std::nullopt;
            return std::move(entry->optimal);
          },
          "state"_a, "All optimal actions of a position; None for one that cannot be reached. Strong solutions only.")
      .def(
          "value_of",
          [](const SolvedGame& s, const AnyState& state) -> std::optional<std::vector<double>> {
            auto entry = lookup(s, state);
            if (!entry) return std::nullopt;
            return std::move(entry->value);
          },
          "state"_a, "The value of a position, one payoff per player. Strong solutions only.");

  m.def(
      "solve",
      [](const AnyState& state, const std::string& grade, std::int64_t memory_mb, const StopToken* stop) {
        const auto g = enum_of<Grade>("grade", grade);
        const auto own = state.copy();
        return SolvedGame{state.game(), run_stoppable(state.game()->needs_interpreter(), stop,
                                                      [&](Stop& s) { return own->solve(g, memory_mb, s); })};
      },
      "state"_a, "grade"_a = "strong", "memory_mb"_a = 1024, "stop"_a.none() = nb::none(),
      "Backward induction for any finite game of perfect information, any number of players, chance included.");

  m.def(
      "perft",
      [](const AnyState& state, std::int64_t depth, const StopToken* stop) {
        const auto own = state.copy();
        return run_stoppable(state.game()->needs_interpreter(), stop,
                             [&](Stop& s) { return own->perft(small("depth", depth), s); });
      },
      "state"_a, "depth"_a, "stop"_a.none() = nb::none(),
      "Number of paths of exactly `depth` actions from here; None if cancelled.");

  nb::class_<TreeCount>(m, "TreeCount", "How large a game tree is.")
      .def_ro("nodes", &TreeCount::nodes)
      .def_ro("decision", &TreeCount::decision, "Nodes where a player moves.")
      .def_ro("chance", &TreeCount::chance)
      .def_ro("terminal", &TreeCount::terminal, "Complete games.")
      .def_ro("positions", &TreeCount::positions, "Different positions.")
      .def_ro("draws", &TreeCount::draws)
      .def_ro("wins", &TreeCount::wins, "Complete games won, one entry per player.")
      .def_ro("depth", &TreeCount::depth, "Longest game.")
      .def_ro("branching", &TreeCount::branching)
      .def_ro("stopped", &TreeCount::stopped, "Cancelled: all figures are lower bounds.");

  m.def(
      "count",
      [](const AnyState& state, std::int64_t nodes, std::int64_t memory_mb, bool positions, const StopToken* stop) {
        CountLimits limits;
        limits.nodes = nodes;
        limits.memory_mb = memory_mb;
        limits.positions = positions;
        const auto own = state.copy();
        return run_stoppable(state.game()->needs_interpreter(), stop, [&](Stop& s) { return own->count(limits, s); });
      },
      "state"_a, "nodes"_a = CountLimits{}.nodes, "memory_mb"_a = 1024, "positions"_a = true,
      "stop"_a.none() = nb::none(), "Walks the whole tree below a position and counts it.");

  nb::class_<BanditResult>(m, "BanditResult", "What a bandit experiment measured.")
      .def_ro("repetitions", &BanditResult::repetitions)
      .def_ro("total", &BanditResult::total, "Mean winnings of a repetition.")
      .def_ro("error", &BanditResult::error, "Its standard error.")
      .def_ro("pulls", &BanditResult::pulls, "Mean coins per arm.")
      .def_ro("best", &BanditResult::best, "The best arm.")
      .def_ro("best_share", &BanditResult::best_share, "Share of repetitions in which it got the most coins.")
      .def_ro("regret", &BanditResult::regret, "Mean regret after 10, 100, ... coins.")
      .def_ro("stopped", &BanditResult::stopped);

  m.def(
      "bandit",
      [](std::vector<double> arms, std::int64_t coins, double c, const std::string& policy, std::int64_t repetitions,
         std::uint64_t seed, const StopToken* stop) {
        BanditOptions o;
        o.arms = std::move(arms);
        o.coins = coins;
        o.c = c;
        o.policy = enum_of<BanditPolicy>("policy", policy);
        o.repetitions = repetitions;
        o.seed = seed;
        return run_stoppable(false, stop, [&](Stop& s) { return play_bandit(o, s); });
      },
      "arms"_a, "coins"_a = 1000, "c"_a = BanditOptions{}.c, "policy"_a = "ucb1", "repetitions"_a = 400, "seed"_a = 0,
      "stop"_a.none() = nb::none(), "Plays slot machines with the given winning probabilities.");
}

}  // namespace kiebitz::bind
