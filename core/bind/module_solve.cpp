// Compiled games, solvers and exact measures for Python. Strategies are NumPy arrays with a probability per sequence.
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "bind/module.hpp"
#include "bind/solver_box.hpp"
#include "solve/cfr.hpp"
#include "solve/fictitious.hpp"
#include "solve/mccfr.hpp"
#include "solve/response.hpp"
#include "solve/subgame_perfect.hpp"

namespace kiebitz::bind {
namespace {

using namespace nb::literals;
using namespace kiebitz::solve;

Evaluator evaluator_of(const CompiledGame& game, const Profile& profile) {
  Evaluator evaluator(*game.arrays);
  std::vector<const double*> pointers;
  for (const Strategy& strategy : profile) pointers.push_back(strategy.data());
  evaluator.set_profile(pointers);
  return evaluator;
}

void bind_compiled(nb::module_& m) {
  nb::class_<CompiledGame>(m, "CompiledGame", "A game as flat arrays, on which solvers and measures run.")
      .def_prop_ro("game", [](const CompiledGame& c) { return c.game; })
      .def_prop_ro("players", [](const CompiledGame& c) { return c.arrays->players; })
      .def_prop_ro("nodes", [](const CompiledGame& c) { return c.arrays->nodes.size(); })
      .def_prop_ro(
          "decision", [](const CompiledGame& c) { return c.arrays->decision; }, "Nodes where a player moves.")
      .def_prop_ro("chance", [](const CompiledGame& c) { return c.arrays->chance; })
      .def_prop_ro("terminal", [](const CompiledGame& c) { return c.arrays->terminal; })
      .def_prop_ro(
          "depth", [](const CompiledGame& c) { return c.arrays->depth; }, "Longest game.")
      .def_prop_ro(
          "bytes", [](const CompiledGame& c) { return c.arrays->bytes(); }, "Memory that the arrays take.")
      .def(
          "sets", [](const CompiledGame& c, int player) { return c.side(player).sets.size(); }, "player"_a,
          "Number of information sets of a player.")
      .def(
          "sequences", [](const CompiledGame& c, int player) { return c.side(player).sequences(); }, "player"_a,
          "Number of sequences of a player, the empty one (number 0) included.")
      .def(
          "parents",
          [](const CompiledGame& c, int player) {
            return array_of<std::int64_t>(c.side(player).sets, [](const InformationSet& s) { return s.parent; });
          },
          "player"_a, "Of each information set: the player's sequence before it.")
      .def(
          "firsts",
          [](const CompiledGame& c, int player) {
            return array_of<std::int64_t>(c.side(player).sets, [](const InformationSet& s) { return s.first; });
          },
          "player"_a, "Of each information set: the sequence of its first choice; the others follow.")
      .def(
          "counts",
          [](const CompiledGame& c, int player) {
            return array_of<std::int64_t>(c.side(player).sets, [](const InformationSet& s) { return s.count; });
          },
          "player"_a, "Of each information set: the number of its choices.")
      .def(
          "actions",
          [](const CompiledGame& c, int player) {
            return array_of<std::int64_t>(c.side(player).actions, [](Action a) { return a; });
          },
          "player"_a, "Of each sequence: its last action; -1 for the empty one.")
      .def(
          "ends",
          [](const CompiledGame& c, int player) {
            const Ends& ends = c.side(player).ends;
            std::vector<std::int64_t> rows;
            for (std::size_t r = 0; r < ends.rows.size(); ++r) {
              rows.insert(rows.end(), ends.begin[r + 1] - ends.begin[r], ends.rows[r]);
            }
            return nb::make_tuple(array_of(std::move(rows)),
                                  array_of<std::int64_t>(ends.others, [](Sequence s) { return s; }),
                                  array_of(std::vector<double>(ends.values)));
          },
          "player"_a, nb::sig("def ends(self, player: int) -> tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]"),
          "What a player gets at the ends: its sequence, sequences of the others (in turn, for each end), chance times "
          "payoff; ends with the same sequences are added up, those that pay 0 left out.")
      .def(
          "path",
          [](const CompiledGame& c, int player, std::size_t set) {
            const Side& side = c.side(player);
            if (set >= side.sets.size()) {
              throw ParameterError("set: expected 0 to " + std::to_string(side.sets.size() - 1) + ", got " +
                                   std::to_string(set));
            }
            return c.arrays->path_to(side.nodes[set]);
          },
          "player"_a, "set"_a, "Actions from the root to a state of an information set, chance included.")
      .def(
          "payoffs",
          [](const CompiledGame& c, const std::vector<Given>& profile) {
            const Profile given = profile_of(c, profile);
            Evaluator evaluator = evaluator_of(c, given);
            std::vector<double> out;
            for (int p = 0; p < c.arrays->players; ++p) out.push_back(evaluator.payoff(p));
            return out;
          },
          "profile"_a, "What each player gets on average when all follow the profile.")
      .def(
          "best_response",
          [](const CompiledGame& c, int player, const std::vector<Given>& profile) {
            const Profile given = profile_of(c, profile);
            Evaluator evaluator = evaluator_of(c, given);
            std::vector<double> response(c.side(player).sequences());
            const double value = evaluator.best_response(player, response.data());
            return nb::make_tuple(value, array_of(std::move(response)));
          },
          "player"_a, "profile"_a,
          nb::sig("def best_response(self, player: int, profile: collections.abc.Sequence[numpy.ndarray]) -> "
                  "tuple[float, numpy.ndarray]"),
          "The most that a player can get against the others of the profile, and the strategy that gets it.")
      .def(
          "best_values",
          [](const CompiledGame& c, const std::vector<Given>& profile) {
            const Profile given = profile_of(c, profile);
            Evaluator evaluator = evaluator_of(c, given);
            std::vector<double> out;
            for (int p = 0; p < c.arrays->players; ++p) out.push_back(evaluator.best_response(p));
            return out;
          },
          "profile"_a, "For each player: the most that it can get while the others follow the profile.")
      .def(
          "plan",
          [](const CompiledGame& c, int player, const Given& strategy) {
            return array_of(plan_of(c.side(player), strategy_of(c, player, strategy)));
          },
          "player"_a, "strategy"_a, "Realisation weights: the product of the probabilities along each sequence.")
      .def(
          "strategy",
          [](const CompiledGame& c, int player, const Given& plan) {
            const auto weights = numbers_of(c, player, plan, "plan");
            return array_of(solve::strategy_of(c.side(player), weights));
          },
          "player"_a, "plan"_a, "The strategy behind realisation weights; uniform where they are 0.")
      .def(
          "subgame_perfect", [](const CompiledGame& c) { return lists_of(subgame_perfect(*c.arrays)); },
          nb::sig("def subgame_perfect(self) -> list[numpy.ndarray]"),
          "Backward induction: one strategy per player, best in every subgame. Perfect information only.")
      .def(
          "uniform", [](const CompiledGame& c, int player) { return array_of(uniform_strategy(c.side(player))); },
          "player"_a, "All choices equally likely.");

  m.def(
      "compile",
      [](std::shared_ptr<const AnyGame> game, std::int64_t nodes, std::int64_t memory_mb, const StopToken* stop) {
        auto arrays = run_stoppable(game->needs_interpreter(), stop, [&](Stop& s) {
          return std::make_shared<const Compiled>(game->compile({nodes, memory_mb}, s));
        });
        return CompiledGame{std::move(game), std::move(arrays)};
      },
      "game"_a, "nodes"_a = CompileLimits{}.nodes, "memory_mb"_a = CompileLimits{}.memory_mb,
      "stop"_a.none() = nb::none(),
      "The game as flat arrays. LimitError if it is too large, UnsuitableGame if a player forgets its own choices.");
}

void bind_cfr(nb::module_& m) {
  using Box = SolverBox<Cfr>;
  bind_solver<Cfr>(m, "Cfr", "Counterfactual regret minimisation without sampling, in all its variants.")
      .def(
          "__init__",
          [](Box* self, const CompiledGame& game, double alpha, double beta, double gamma, bool floor, bool predictive,
             bool simultaneous, std::optional<int> restricted, double probability, std::optional<Given> given) {
            for (const auto& [name, x] : {std::pair{"alpha", alpha}, {"beta", beta}, {"gamma", gamma}}) {
              if (std::isnan(x)) throw ParameterError(std::string(name) + ": expected a number");
            }
            if (!std::isfinite(gamma) || gamma < 0 || gamma > 100) {
              throw ParameterError("gamma: expected 0 to 100");
            }
            std::optional<Restriction> restriction;
            if (restricted.has_value() != given.has_value()) {
              throw ParameterError("restricted, given: expected both or none");
            }
            if (restricted) {
              if (!(probability >= 0 && probability <= 1)) throw ParameterError("probability: expected 0 to 1");
              restriction = Restriction{*restricted, probability, strategy_of(game, *restricted, *given)};
            }
            const CfrOptions options{alpha, beta, gamma, floor, predictive, simultaneous};
            new (self) Box{game, Guarded<Cfr>(std::in_place, game.arrays, options, restriction)};
          },
          "game"_a, "alpha"_a = CfrOptions{}.alpha, "beta"_a = CfrOptions{}.beta, "gamma"_a = 0.0, "floor"_a = false,
          "predictive"_a = false, "simultaneous"_a = false, "restricted"_a.none() = nb::none(), "probability"_a = 0.0,
          "given"_a.none() = nb::none(),
          "Past regrets are kept by t^alpha/(t^alpha+1) (beta for negative ones), averages weighted by t^gamma; "
          "`restricted`: this player follows the strategy `given` with `probability`.")
      .def(
          "current",
          [](Box& b, int player) { return b.game.side(player), array_of(Strategy(b.solver.use()->current(player))); },
          "player"_a, "The strategy of the next iteration.")
      .def(
          "memory",
          [](Box& b) {
            const auto solver = b.solver.use();
            const Cfr::Memory& memory = solver->memory();
            return nb::make_tuple(memory.iterations, lists_of(memory.regrets),
                                  solver->options().predictive ? lists_of(memory.guesses) : nb::list(),
                                  lists_of(memory.averages));
          },
          nb::sig("def memory(self) -> tuple[int, list[numpy.ndarray], list[numpy.ndarray], list[numpy.ndarray]]"),
          "Iterations, regrets, guesses of the next regrets (predictive only) and sums of plans: what load() takes.")
      .def(
          "load",
          [](Box& b, std::int64_t iterations, const std::vector<Given>& regrets, const std::vector<Given>& guesses,
             const std::vector<Given>& averages) {
            const auto solver = b.solver.use();
            solver->load({count_of(iterations), tables_of(b.game, regrets, false, "regrets"),
                          tables_of(b.game, guesses, !solver->options().predictive, "guesses"),
                          tables_of(b.game, averages, false, "averages")});
          },
          "iterations"_a, "regrets"_a, "guesses"_a, "averages"_a, "Continues where memory() was taken.");
}

void bind_mccfr(nb::module_& m) {
  using Box = SolverBox<Mccfr>;
  bind_solver<Mccfr>(m, "Mccfr", "Counterfactual regret minimisation on samples of the game.")
      .def(
          "__init__",
          [](Box* self, const CompiledGame& game, const std::string& sampling, double exploration, std::uint64_t seed) {
            if (!(exploration > 0 && exploration <= 1))
              throw ParameterError("exploration: expected more than 0, up to 1");
            const auto how = enum_of<Sampling>("sampling", sampling);
            new (self) Box{game, Guarded<Mccfr>(std::in_place, game.arrays, MccfrOptions{how, exploration, seed})};
          },
          "game"_a, "sampling"_a = "external", "exploration"_a = MccfrOptions{}.exploration, "seed"_a = 0)
      .def(
          "memory",
          [](Box& b) {
            const auto solver = b.solver.use();
            const Mccfr::Memory& memory = solver->memory();
            return nb::make_tuple(memory.iterations, lists_of(memory.regrets), lists_of(memory.averages),
                                  memory.rng.words());
          },
          nb::sig("def memory(self) -> tuple[int, list[numpy.ndarray], list[numpy.ndarray], list[int]]"),
          "Iterations, regrets, sums of strategies and the random numbers: what load() takes.")
      .def(
          "load",
          [](Box& b, std::int64_t iterations, const std::vector<Given>& regrets, const std::vector<Given>& averages,
             const std::array<std::uint64_t, 4>& words) {
            const auto solver = b.solver.use();
            Rng rng;
            rng.set_words(words);
            solver->load({count_of(iterations), tables_of(b.game, regrets, false, "regrets"),
                          tables_of(b.game, averages, false, "averages"), rng});
          },
          "iterations"_a, "regrets"_a, "averages"_a, "words"_a, "Continues where memory() was taken.");
}

void bind_fictitious(nb::module_& m) {
  using Box = SolverBox<FictitiousPlay>;
  bind_solver<FictitiousPlay>(m, "FictitiousPlay", "Fictitious play in extensive form: averages of best responses.")
      .def(
          "__init__",
          [](Box* self, const CompiledGame& game) {
            new (self) Box{game, Guarded<FictitiousPlay>(std::in_place, game.arrays)};
          },
          "game"_a)
      .def(
          "memory",
          [](Box& b) {
            const auto solver = b.solver.use();
            return nb::make_tuple(solver->memory().iterations, lists_of(solver->memory().averages));
          },
          nb::sig("def memory(self) -> tuple[int, list[numpy.ndarray]]"), "Iterations and average plans.")
      .def(
          "load",
          [](Box& b, std::int64_t iterations, const std::vector<Given>& averages) {
            const auto solver = b.solver.use();
            solver->load({count_of(iterations), tables_of(b.game, averages, false, "averages")});
          },
          "iterations"_a, "averages"_a, "Continues where memory() was taken.");
}

}  // namespace

void bind_solve(nb::module_& m) {
  bind_compiled(m);
  bind_cfr(m);
  bind_mccfr(m);
  bind_fictitious(m);
}

}  // namespace kiebitz::bind
