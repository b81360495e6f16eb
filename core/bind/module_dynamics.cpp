// Dynamics of matrix games and the lagging anchor for Python.
#include <nanobind/stl/array.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/module.hpp"
#include "bind/solver_box.hpp"
#include "solve/dynamics.hpp"
#include "solve/lagging_anchor.hpp"

namespace kiebitz::bind {
namespace {

using namespace nb::literals;
using namespace kiebitz::solve;

using PayoffTable = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

void check_step(double alpha, double eta) {
  if (!(alpha > 0 && alpha <= 1000)) throw ParameterError("alpha: expected more than 0, up to 1000");
  if (!(eta >= 0 && alpha * eta <= 1)) throw ParameterError("eta: expected 0 or more, and alpha times eta up to 1");
}

std::vector<double> finite(const double* data, std::size_t size, const char* what) {
  std::vector<double> out(data, data + size);
  if (!std::ranges::all_of(out, [](double x) { return std::isfinite(x); })) {
    throw ParameterError(std::string(what) + ": expected finite numbers");
  }
  return out;
}

std::vector<double> mixed_of(const Given& given, std::size_t size, const char* what) {
  std::vector<double> out = finite(given.data(), given.size(), what);
  double sum = 0;
  for (const double x : out) sum += x;
  if (out.size() != size || std::ranges::any_of(out, [](double x) { return x < 0; }) || std::abs(sum - 1) > 1e-9) {
    throw ParameterError(std::string(what) + ": expected " + std::to_string(size) + " probabilities that add up to 1");
  }
  return out;
}

int side_of(int player) {
  if (player != 0 && player != 1) throw ParameterError("player: expected 0 or 1, got " + std::to_string(player));
  return player;
}

void bind_matrix(nb::module_& m) {
  m.def(
      "project_to_simplex",
      [](const Given& point) {
        std::vector<double> out = finite(point.data(), point.size(), "point");
        if (out.empty()) throw ParameterError("point: expected at least one number");
        project_to_simplex(out.data(), out.size());
        return array_of(std::move(out));
      },
      "point"_a, "The nearest vector of probabilities.");

  using Shared = Guarded<Dynamics>;
  nb::class_<Shared>(m, "Dynamics", "Two players of a matrix game who adapt to each other, both at the same time.")
      .def(
          "__init__",
          [](Shared* self, const PayoffTable& first, const PayoffTable& second, const std::vector<Given>& start,
             const std::string& rule, double alpha, double eta) {
            const std::size_t rows = first.shape(0);
            const std::size_t columns = first.shape(1);
            if (rows == 0 || columns == 0 || second.shape(0) != rows || second.shape(1) != columns) {
              throw ParameterError("payoffs: expected two tables of the same shape");
            }
            if (start.size() != 2) throw ParameterError("start: expected two mixed strategies");
            check_step(alpha, eta);
            const auto chosen = enum_of<Rule>("rule", rule);
            new (self) Shared(std::in_place,
                              Dynamics::Vectors{finite(first.data(), first.size(), "payoffs"),
                                                finite(second.data(), second.size(), "payoffs")},
                              Dynamics::Vectors{mixed_of(start[0], rows, "start of player 0"),
                                                mixed_of(start[1], columns, "start of player 1")},
                              DynamicsOptions{chosen, alpha, eta});
          },
          "first"_a, "second"_a, "start"_a, "rule"_a, "alpha"_a = DynamicsOptions{}.alpha,
          "eta"_a = DynamicsOptions{}.eta,
          "Payoffs of each player with a row for each action of player 0, and the strategies to begin with.")
      .def_prop_ro("steps", [](Shared& d) { return d.use()->steps(); })
      .def(
          "iterate",
          [](Shared& d, std::int64_t count, const StopToken* stop) {
            count_of(count, "count");
            const auto own = d.use();
            run_stoppable(false, stop, [&](Stop& s) {
              own->iterate(count, s);
              return 0;
            });
          },
          "count"_a, "stop"_a.none() = nb::none(), "Runs `count` more steps; Ctrl-C and the token end it.")
      .def(
          "current", [](Shared& d, int player) { return array_of(std::vector(d.use()->current(side_of(player)))); },
          "player"_a, "The current strategy of a player.")
      .def(
          "anchor", [](Shared& d, int player) { return array_of(std::vector(d.use()->anchor(side_of(player)))); },
          "player"_a, "The anchor of a player; with rules other than the lagging anchor the start.")
      .def(
          "average", [](Shared& d, int player) { return array_of(d.use()->average(side_of(player))); }, "player"_a,
          "The mean of all strategies so far, the start included.")
      .def(
          "memory",
          [](Shared& shared) {
            const auto d = shared.use();
            std::array<nb::list, 4> tables;
            for (int p = 0; p < 2; ++p) {
              const Dynamics::Memory& memory = d->memory(p);
              std::size_t t = 0;
              for (const auto* table : {&memory.strategy, &memory.scores, &memory.anchor, &memory.sums}) {
                tables[t++].append(array_of(std::vector<double>(*table)));
              }
            }
            return nb::make_tuple(d->steps(), tables[0], tables[1], tables[2], tables[3]);
          },
          nb::sig("def memory(self) -> tuple[int, list[numpy.ndarray], list[numpy.ndarray], list[numpy.ndarray], "
                  "list[numpy.ndarray]]"),
          "Steps, strategies, scores, anchors and sums of strategies: what load() takes.")
      .def(
          "load",
          [](Shared& shared, std::int64_t steps, const std::vector<Given>& strategies, const std::vector<Given>& scores,
             const std::vector<Given>& anchors, const std::vector<Given>& sums) {
            const auto d = shared.use();
            std::array<Dynamics::Memory, 2> memories;
            for (const auto* table : {&strategies, &scores, &anchors, &sums}) {
              if (table->size() != 2) throw ParameterError("memory: expected two tables of each kind, one per player");
            }
            for (std::size_t p = 0; p < 2; ++p) {
              const std::size_t size = d->current(static_cast<int>(p)).size();
              Dynamics::Memory& memory = memories[p];
              memory.strategy = mixed_of(strategies[p], size, "strategies");
              memory.anchor = mixed_of(anchors[p], size, "anchors");
              memory.scores.assign(scores[p].data(), scores[p].data() + scores[p].size());
              memory.sums = finite(sums[p].data(), sums[p].size(), "sums");
              const auto bad = [](double x) { return std::isnan(x) || x == HUGE_VAL; };  // log 0 is a score
              if (std::ranges::any_of(memory.scores, bad)) throw ParameterError("scores: expected numbers");
              if (memory.scores.size() != size || memory.sums.size() != size) {
                throw ParameterError("memory: expected " + std::to_string(size) + " numbers for player " +
                                     std::to_string(p));
              }
            }
            d->load(count_of(steps, "steps"), std::move(memories));
          },
          "steps"_a, "strategies"_a, "scores"_a, "anchors"_a, "sums"_a, "Continues where memory() was taken.");
}

void bind_lagging_anchor(nb::module_& m) {
  using Box = SolverBox<LaggingAnchor>;
  const LaggingAnchorOptions initial;
  bind_solver<LaggingAnchor>(m, "LaggingAnchor", "Gradient steps tied to an anchor, on the information sets of a game.")
      .def(
          "__init__",
          [](Box* self, const CompiledGame& game, const std::string& estimate, double alpha, double eta,
             std::int64_t games, double rate, double trace, double explore, std::uint64_t seed) {
            check_step(alpha, eta);
            if (games < 1) throw ParameterError("games: expected at least 1, got " + std::to_string(games));
            if (!(rate > 0 && rate <= 1)) throw ParameterError("rate: expected more than 0, up to 1");
            if (!(trace >= 0 && trace <= 1)) throw ParameterError("trace: expected 0 to 1");
            if (!(explore >= 0 && explore < 1)) throw ParameterError("explore: expected 0 to less than 1");
            const auto how = enum_of<GradientEstimate>("estimate", estimate);
            const LaggingAnchorOptions options{how, alpha, eta, games, rate, trace, explore, seed};
            new (self) Box{game, Guarded<LaggingAnchor>(std::in_place, game.arrays, options)};
          },
          "game"_a, "estimate"_a = "exact", "alpha"_a = initial.alpha, "eta"_a = initial.eta, "games"_a = initial.games,
          "rate"_a = initial.rate, "trace"_a = initial.trace, "explore"_a = initial.explore, "seed"_a = 0,
          "`estimate`: gradients are exact, or come from `games` sampled for each step: canonical (with additional "
          "games) "
          "or truncated (with a table of node values that learns at `rate`).")
      .def_prop_ro(
          "games", [](Box& b) { return b.solver.use()->memory().games; }, "Games sampled so far.")
      .def_prop_ro(
          "extra_games", [](Box& b) { return b.solver.use()->memory().extra; }, "Additional games so far.")
      .def_prop_ro(
          "nodes", [](Box& b) { return b.solver.use()->memory().nodes; }, "Nodes of all these games.")
      .def(
          "current",
          [](Box& b, int player) { return b.game.side(player), array_of(Strategy(b.solver.use()->current(player))); },
          "player"_a, "The strategy of the next iteration.")
      .def(
          "anchor",
          [](Box& b, int player) { return b.game.side(player), array_of(Strategy(b.solver.use()->anchor(player))); },
          "player"_a)
      .def(
          "memory",
          [](Box& b) {
            const auto solver = b.solver.use();
            const LaggingAnchor::Memory& memory = solver->memory();
            const bool sampled = solver->options().estimate != GradientEstimate::exact;
            nb::list values;
            if (!memory.values.empty()) values.append(array_of(std::vector<double>(memory.values)));
            return nb::make_tuple(memory.iterations, lists_of(memory.strategies), lists_of(memory.anchors),
                                  sampled ? lists_of(memory.averages) : nb::list(), values,
                                  std::array<std::int64_t, 3>{memory.games, memory.extra, memory.nodes},
                                  memory.rng.words());
          },
          nb::sig("def memory(self) -> tuple[int, list[numpy.ndarray], list[numpy.ndarray], list[numpy.ndarray], "
                  "list[numpy.ndarray], list[int], list[int]]"),
          "Iterations, strategies, anchors, sums of plans, node values, counted games and the random numbers: what "
          "load() takes.")
      .def(
          "load",
          [](Box& b, std::int64_t iterations, const std::vector<Given>& strategies, const std::vector<Given>& anchors,
             const std::vector<Given>& averages, const std::vector<Given>& values,
             const std::array<std::int64_t, 3>& counts, const std::array<std::uint64_t, 4>& words) {
            const auto solver = b.solver.use();
            const LaggingAnchor::Memory& now = solver->memory();
            const bool exact = solver->options().estimate == GradientEstimate::exact;
            LaggingAnchor::Memory memory;
            memory.iterations = count_of(iterations);
            memory.strategies = profile_of(b.game, strategies);
            memory.anchors = profile_of(b.game, anchors);
            memory.averages = tables_of(b.game, averages, exact, "averages");
            if (values.size() != (now.values.empty() ? 0 : 1)) throw ParameterError("values: expected one table");
            for (const Given& table : values) memory.values = finite(table.data(), table.size(), "values");
            if (memory.values.size() != now.values.size()) {
              throw ParameterError("values: expected " + std::to_string(now.values.size()) + " numbers, got " +
                                   std::to_string(memory.values.size()));
            }
            memory.games = count_of(counts[0], "games");
            memory.extra = count_of(counts[1], "games");
            memory.nodes = count_of(counts[2], "nodes");
            memory.rng.set_words(words);
            solver->load(std::move(memory));
          },
          "iterations"_a, "strategies"_a, "anchors"_a, "averages"_a, "values"_a, "counts"_a, "words"_a,
          "Continues where memory() was taken.");
}

}  // namespace

void bind_dynamics(nb::module_& m) {
  bind_matrix(m);
  bind_lagging_anchor(m);
}

}  // namespace kiebitz::bind
