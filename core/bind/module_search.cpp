// Searches for Python: options as keywords, the interpreter lock released, Ctrl-C seen.
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <utility>

#include "bind/any.hpp"
#include "bind/convert.hpp"
#include "bind/module.hpp"
#include "bind/stoppable.hpp"

namespace kiebitz::bind {
namespace {

using namespace nb::literals;
using namespace kiebitz::search;

// What Python holds: a search with its options and its memory.
struct Searcher {
  std::unique_ptr<AnySearch> search;
};
struct UctSearcher : Searcher {
  std::shared_ptr<const AnyGame> game;
  UctOptions options;
};
struct AlphaBetaSearcher : Searcher {};
struct OpenHandSearcher : Searcher {};

// The same for searches that see a view.
struct ViewSearcher {
  std::unique_ptr<AnyViewSearch> search;
};
struct PimcSearcher : ViewSearcher {};
struct IsmctsSearcher : ViewSearcher {};

Formula formula_of(const std::string& text) {
  return choose<Formula>("formula", text,
                         {{"ucb1", Formula::ucb1},
                          {"ucb1_sqrt2", Formula::ucb1_sqrt2},
                          {"ucb1_2sqrt2", Formula::ucb1_2sqrt2},
                          {"ucb1_tuned", Formula::ucb1_tuned}});
}
Scale scale_of(const std::string& text) {
  return choose<Scale>("scale", text, {{"unit", Scale::unit}, {"raw", Scale::raw}, {"siblings", Scale::siblings}});
}
Final final_of(const std::string& text) {
  return choose<Final>("final", text, {{"visits", Final::visits}, {"value", Final::value}});
}
Calls calls_of(const char* option, const std::string& text) {
  return choose<Calls>(option, text, {{"all", Calls::all}, {"last", Calls::last}, {"none", Calls::none}});
}

// A budget that was given must allow something; zero is how "not given" looks further down.
Budget budget_of(std::optional<std::int64_t> iterations, std::optional<std::int64_t> nodes,
                 std::optional<double> seconds) {
  if (iterations && *iterations < 1)
    throw BudgetError("iterations: expected at least 1, got " + std::to_string(*iterations));
  if (nodes && *nodes < 1) throw BudgetError("nodes: expected at least 1, got " + std::to_string(*nodes));
  if (seconds && !(*seconds > 0)) throw BudgetError("seconds: expected more than 0, got " + std::to_string(*seconds));
  const Budget budget{iterations.value_or(0), nodes.value_or(0), seconds.value_or(0)};
  budget.check();
  return budget;
}

nb::dict action_dict(const ActionValue& a) {
  nb::dict d;
  d["action"] = a.action;
  d["name"] = a.name;
  d["visits"] = a.visits;
  d["value"] = a.value;
  d["error"] = a.error;
  d["exact"] = a.exact;
  d["mean"] = nb::cast(a.mean);
  return d;
}

nb::dict analysis_dict(const Analysis& a) {
  nb::dict d;
  d["method"] = a.method;
  d["player"] = a.player;
  d["best"] = a.best;
  d["best_name"] = a.best_name;
  d["value"] = a.value;
  nb::list actions;
  for (const auto& action : a.actions) actions.append(action_dict(action));
  d["actions"] = actions;
  d["line"] = nb::cast(a.line);
  d["line_names"] = nb::cast(a.line_names);
  d["iterations"] = a.iterations;
  d["nodes"] = a.nodes;
  d["leaves"] = a.leaves;
  d["depth"] = a.depth;
  d["mean_depth"] = a.mean_depth;
  d["depth_variance"] = a.depth_variance;
  d["branching"] = a.branching;
  d["seconds"] = a.seconds;
  d["stopped"] = a.stopped;
  d["memory_full"] = a.memory_full;
  d["worlds"] = a.worlds;
  nb::list rows;
  for (const auto& values : a.world_values) {
    nb::list row;
    // JSON knows no number that is none.
    for (const double x : values) row.append(std::isnan(x) ? nb::object(nb::none()) : nb::object(nb::float_(x)));
    rows.append(row);
  }
  d["world_values"] = rows;
  return d;
}

ActionValue action_from(const nb::dict& d) {
  ActionValue a;
  a.action = nb::cast<Action>(d["action"]);
  a.name = nb::cast<std::string>(d["name"]);
  a.visits = nb::cast<std::int64_t>(d["visits"]);
  a.value = nb::cast<double>(d["value"]);
  a.error = nb::cast<double>(d["error"]);
  a.exact = nb::cast<bool>(d["exact"]);
  a.mean = nb::cast<std::vector<double>>(d["mean"]);
  return a;
}

Analysis analysis_from(const nb::dict& d) {
  Analysis a;
  a.method = nb::cast<std::string>(d["method"]);
  a.player = nb::cast<int>(d["player"]);
  a.best = nb::cast<Action>(d["best"]);
  a.best_name = nb::cast<std::string>(d["best_name"]);
  a.value = nb::cast<double>(d["value"]);
  for (nb::handle action : nb::cast<nb::list>(d["actions"]))
    a.actions.push_back(action_from(nb::cast<nb::dict>(action)));
  a.line = nb::cast<std::vector<Action>>(d["line"]);
  a.line_names = nb::cast<std::vector<std::string>>(d["line_names"]);
  a.iterations = nb::cast<std::int64_t>(d["iterations"]);
  a.nodes = nb::cast<std::int64_t>(d["nodes"]);
  a.leaves = nb::cast<std::int64_t>(d["leaves"]);
  a.depth = nb::cast<int>(d["depth"]);
  a.mean_depth = nb::cast<double>(d["mean_depth"]);
  a.depth_variance = nb::cast<double>(d["depth_variance"]);
  a.branching = nb::cast<double>(d["branching"]);
  a.seconds = nb::cast<double>(d["seconds"]);
  a.stopped = nb::cast<bool>(d["stopped"]);
  a.memory_full = nb::cast<bool>(d["memory_full"]);
  a.worlds = nb::cast<int>(d["worlds"]);
  for (nb::handle row : nb::cast<nb::list>(d["world_values"])) {
    auto& values = a.world_values.emplace_back();
    for (nb::handle x : nb::cast<nb::list>(row)) {
      values.push_back(x.is_none() ? std::numeric_limits<double>::quiet_NaN() : nb::cast<double>(x));
    }
  }
  return a;
}

// Filled up with spaces to a width that counts characters, not bytes.
std::string padded(const std::string& text, std::size_t width) {
  const auto letters = static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
  return letters < width ? text + std::string(width - letters, ' ') : text;
}

template <class... Numbers>
std::string formatted(const char* format, Numbers... numbers) {
  char line[200];  // numbers only, so it always suffices
  std::snprintf(line, sizeof line, format, numbers...);
  return line;
}

// What a person reads: one line an action, best marked, then the principal line.
std::string analysis_text(const Analysis& a) {
  std::string out = a.method + ": " + a.best_name + formatted(", value %+.4f for player %d (", a.value, a.player);
  if (a.iterations > 0) out += std::to_string(a.iterations) + " iterations, ";
  out += formatted("%lld nodes, depth %d, %.3f s)\n", static_cast<long long>(a.nodes), a.depth, a.seconds);
  out += "   " + padded("action", 14) + "       visits      value      error\n";
  // Values of an exact search that are not exact are what an action is worth at most.
  const bool bounds = std::any_of(a.actions.begin(), a.actions.end(), [](const ActionValue& v) { return v.exact; });
  for (const auto& v : a.actions) {
    out += (v.action == a.best ? " * " : "   ") + padded(v.name, 14);
    out += formatted(bounds && !v.exact ? " %12lld <=%+8.4f %10.4f\n" : " %12lld %+10.4f %10.4f\n",
                     static_cast<long long>(v.visits), v.value, v.error);
  }
  out += "line:";
  for (const auto& name : a.line_names) out += " " + name;
  return out;
}

void bind_analysis(nb::module_& m) {
  nb::class_<ActionValue>(m, "ActionValue", "What a search says about one action.")
      .def_ro("action", &ActionValue::action)
      .def_ro("name", &ActionValue::name)
      .def_ro("visits", &ActionValue::visits, "Simulations or nodes below the action.")
      .def_ro("value", &ActionValue::value, "For the player to move, in payoff units.")
      .def_ro("error", &ActionValue::error, "Standard error of the value; 0 where there is none.")
      .def_ro("exact", &ActionValue::exact, "The value is proven for the depth searched.")
      .def_ro("mean", &ActionValue::mean, "One value per player, where the method has them.")
      .def("to_dict", &action_dict, nb::sig("def to_dict(self) -> dict[str, typing.Any]"));

  nb::class_<Analysis>(m, "Analysis", "What a search found: print it, or read its fields.")
      .def_ro("method", &Analysis::method)
      .def_ro("player", &Analysis::player, "Who is to move.")
      .def_ro("best", &Analysis::best, "The action to play.")
      .def_ro("best_name", &Analysis::best_name)
      .def_ro("value", &Analysis::value, "Of the position for the player to move, in payoff units.")
      .def_ro("actions", &Analysis::actions, "One entry per legal action.")
      .def_ro("line", &Analysis::line, "The principal line.")
      .def_ro("line_names", &Analysis::line_names)
      .def_ro("iterations", &Analysis::iterations)
      .def_ro("nodes", &Analysis::nodes)
      .def_ro("leaves", &Analysis::leaves)
      .def_ro("depth", &Analysis::depth)
      .def_ro("mean_depth", &Analysis::mean_depth)
      .def_ro("depth_variance", &Analysis::depth_variance, "How uneven the tree is.")
      .def_ro("branching", &Analysis::branching, "Effective branching factor, or children per inner node.")
      .def_ro("seconds", &Analysis::seconds)
      .def_ro("stopped", &Analysis::stopped, "Ended before the budget was used up.")
      .def_ro("memory_full", &Analysis::memory_full)
      .def_ro("worlds", &Analysis::worlds, "Sampled worlds, where the search used any.")
      .def_ro("world_values", &Analysis::world_values,
              "A row for each world with the value of each action; not a number where it was never tried.")
      .def("to_dict", &analysis_dict, nb::sig("def to_dict(self) -> dict[str, typing.Any]"))
      .def_static("from_dict", &analysis_from, "fields"_a,
                  nb::sig("def from_dict(fields: dict[str, typing.Any]) -> Analysis"))
      .def("__getstate__", &analysis_dict, nb::sig("def __getstate__(self) -> dict[str, typing.Any]"))
      .def(
          "__setstate__", [](Analysis& a, const nb::dict& d) { new (&a) Analysis(analysis_from(d)); }, "state"_a,
          nb::sig("def __setstate__(self, state: dict[str, typing.Any]) -> None"))
      .def("__str__", &analysis_text);
}

// Searches of hidden games: they see a view.
void bind_view_search(nb::module_& m) {
  nb::borrow<nb::class_<AnyView>>(m.attr("View"))
      .def(
          "worlds",
          [](const AnyView& view, std::int64_t count, std::uint64_t seed, const std::string& belief) {
            if (count < 0 || count > 1'000'000) {
              throw ParameterError("count: expected 0 to 1000000, got " + std::to_string(count));
            }
            return view.worlds(static_cast<int>(count), seed, belief);
          },
          "count"_a, "seed"_a = 0, "belief"_a = "",
          "Full states that the observer cannot tell from the true one, by one of the game's beliefs. World number w "
          "depends on view, seed, belief and w alone: a search with the same seed draws the same worlds.");

  nb::class_<ViewSearcher>(m, "ViewSearch", "A search of what a player knows, with its options and its memory.")
      .def(
          "search",
          [](ViewSearcher& searcher, const AnyView& view, const StopToken* stop) {
            return run_stoppable(searcher.search->needs_interpreter(), stop,
                                 [&](Stop& s) { return searcher.search->run(view, s); });
          },
          "view"_a, "stop"_a.none() = nb::none(), "What the observer, who is to move, should do.");

  nb::class_<PimcSearcher, ViewSearcher>(m, "Pimc",
                                         "Perfect-information Monte Carlo: one tree for each sampled world, fused.")
      .def(
          "__init__",
          [](PimcSearcher* self, const UctSearcher& uct, std::int64_t worlds, std::int64_t threads, std::uint64_t seed,
             const std::string& fusion, const std::string& belief, double care, double margin, double bid_margin,
             const std::string& calls, bool bids, std::int64_t exact_last) {
            PimcOptions o;
            o.uct = uct.options;
            o.worlds = small("worlds", worlds);
            o.threads = small("threads", threads);
            o.seed = seed;
            o.fusion = choose<Fusion>("fusion", fusion,
                                      {{"average", Fusion::average},
                                       {"rank", Fusion::rank},
                                       {"visits", Fusion::visits},
                                       {"value", Fusion::value}});
            o.belief = belief;
            o.care = care;
            o.margin = margin;
            o.bid_margin = bid_margin;
            o.calls = calls_of("calls", calls);
            o.bids = bids;
            o.exact_last = small("exact_last", exact_last);
            new (self) PimcSearcher{{uct.game->pimc(o)}};
          },
          "uct"_a, nb::kw_only(), "worlds"_a = 25, "threads"_a = 1, "seed"_a = 0, "fusion"_a = "average",
          "belief"_a = "", "care"_a = 0.0, "margin"_a = 0.0, "bid_margin"_a = 0.0, "calls"_a = "all", "bids"_a = true,
          "exact_last"_a = 0)
      .def(
          "search_worlds",
          [](PimcSearcher& searcher, const AnyView& view, const std::vector<const AnyState*>& worlds,
             std::optional<std::vector<double>> weights, const StopToken* stop) {
            if (std::ranges::any_of(worlds, [](const AnyState* world) { return world == nullptr; })) {
              throw ParameterError("worlds: expected states");
            }
            return run_stoppable(searcher.search->needs_interpreter(), stop, [&](Stop& s) {
              return searcher.search->run_worlds(view, worlds, weights.value_or(std::vector<double>{}), s);
            });
          },
          "view"_a, "worlds"_a, "weights"_a.none() = nb::none(), "stop"_a.none() = nb::none(),
          "The same with worlds that were drawn elsewhere, such as by a learned belief.")
      .def(
          "search_state",
          [](PimcSearcher& searcher, const AnyState& state, const StopToken* stop) {
            return run_stoppable(searcher.search->needs_interpreter(), stop,
                                 [&](Stop& s) { return searcher.search->run_leaky(state, s); });
          },
          "state"_a, "stop"_a.none() = nb::none(),
          "Not fair, for comparison: worlds are drawn as before, but everybody keeps the side he is truly on.");

  nb::class_<IsmctsSearcher, ViewSearcher>(m, "Ismcts",
                                           "Information-set Monte Carlo tree search: one tree for all worlds.")
      .def(
          "__init__",
          [](IsmctsSearcher* self, const AnyGame& game, std::optional<std::int64_t> iterations,
             std::optional<std::int64_t> nodes, std::optional<double> seconds, double c, const std::string& formula,
             const std::string& scale, const std::string& final, bool availability, const std::string& belief,
             std::int64_t streams, std::int64_t threads, std::uint64_t seed, std::int64_t memory_mb,
             const std::string& tree_calls, const std::string& playout_calls, std::int64_t solve_last) {
            IsmctsOptions o;
            o.budget = budget_of(iterations, nodes, seconds);
            o.c = c;
            o.formula = formula_of(formula);
            o.scale = scale_of(scale);
            o.final = final_of(final);
            o.availability = availability;
            o.belief = belief;
            o.streams = small("streams", streams);
            o.threads = small("threads", threads);
            o.seed = seed;
            o.memory_mb = memory_mb;
            o.tree_calls = calls_of("tree_calls", tree_calls);
            o.playout_calls = calls_of("playout_calls", playout_calls);
            o.solve_last = small("solve_last", solve_last);
            new (self) IsmctsSearcher{{game.ismcts(o)}};
          },
          "game"_a, nb::kw_only(), "iterations"_a = nb::none(), "nodes"_a = nb::none(), "seconds"_a = nb::none(),
          "c"_a = IsmctsOptions{}.c, "formula"_a = "ucb1", "scale"_a = "unit", "final"_a = "visits",
          "availability"_a = true, "belief"_a = "", "streams"_a = 1, "threads"_a = 1, "seed"_a = 0,
          "memory_mb"_a = 1024, "tree_calls"_a = "all", "playout_calls"_a = "all", "solve_last"_a = 0);
}

}  // namespace

void bind_search(nb::module_& m) {
  bind_analysis(m);

  nb::class_<StopToken>(m, "StopToken",
                        "Cancels a search from another thread: search(..., stop=token), then token.request().")
      .def(nb::init<>())
      .def(
          "request", [](StopToken& t) { t.requested = true; }, "Asks the search to return what it has.")
      .def_prop_ro("requested", [](const StopToken& t) { return t.requested.load(); });

  nb::class_<Searcher>(m, "Search", "A search with its options and its memory.")
      .def(
          "search",
          [](Searcher& searcher, const AnyState& state, const StopToken* stop) {
            return run_stoppable(searcher.search->needs_interpreter(), stop,
                                 [&](Stop& s) { return searcher.search->run(state, s); });
          },
          "state"_a, "stop"_a.none() = nb::none(), "Searches the position; it is left as it was.");

  nb::class_<UctSearcher, Searcher>(m, "Uct", "Tree search (UCT) with random playouts.")
      .def(
          "__init__",
          [](UctSearcher* self, const AnyGame& game, std::optional<std::int64_t> iterations,
             std::optional<std::int64_t> nodes, std::optional<double> seconds, double c, const std::string& formula,
             const std::string& scale, const std::string& expand, const std::string& final, const std::string& select,
             const std::string& playout, std::int64_t tree_depth, std::int64_t streams, std::int64_t threads,
             std::uint64_t seed, bool reuse, bool scalar, std::int64_t memory_mb, const std::string& tree_calls,
             const std::string& playout_calls, double class_share, double margin, std::int64_t solve_last,
             double noise) {
            UctOptions o;
            o.budget = budget_of(iterations, nodes, seconds);
            o.c = c;
            o.formula = formula_of(formula);
            o.scale = scale_of(scale);
            o.expand = choose<Expand>("expand", expand, {{"one", Expand::one}, {"all", Expand::all}});
            o.final = final_of(final);
            o.select = choose<Select>("select", select, {{"ucb", Select::ucb}, {"round_robin", Select::round_robin}});
            o.playout = choose<Playout>(
                "playout", playout,
                {{"random", Playout::random}, {"evaluation", Playout::evaluation}, {"thumb", Playout::thumb}});
            o.tree_depth = small("tree_depth", tree_depth);
            o.streams = small("streams", streams);
            o.threads = small("threads", threads);
            o.seed = seed;
            o.reuse = reuse;
            o.scalar = scalar;
            o.memory_mb = memory_mb;
            o.tree_calls = calls_of("tree_calls", tree_calls);
            o.playout_calls = calls_of("playout_calls", playout_calls);
            o.class_share = class_share;
            o.margin = margin;
            o.solve_last = small("solve_last", solve_last);
            o.noise = noise;
            new (self) UctSearcher{{game.uct(o)}, game.shared_from_this(), o};
          },
          "game"_a, nb::kw_only(), "iterations"_a = nb::none(), "nodes"_a = nb::none(), "seconds"_a = nb::none(),
          "c"_a = UctOptions{}.c, "formula"_a = "ucb1", "scale"_a = "unit", "expand"_a = "one", "final"_a = "visits",
          "select"_a = "ucb", "playout"_a = "random", "tree_depth"_a = 0, "streams"_a = 1, "threads"_a = 1,
          "seed"_a = 0, "reuse"_a = false, "scalar"_a = true, "memory_mb"_a = 1024, "tree_calls"_a = "all",
          "playout_calls"_a = "all", "class_share"_a = 0.0, "margin"_a = 0.0, "solve_last"_a = 0,
          "noise"_a = UctOptions{}.noise);

  nb::class_<AlphaBetaSearcher, Searcher>(m, "AlphaBeta", "Exact depth-limited search: minimax or alpha-beta.")
      .def(
          "__init__",
          [](AlphaBetaSearcher* self, const AnyGame& game, std::int64_t depth, std::optional<std::int64_t> nodes,
             std::optional<double> seconds, const std::string& cut, const std::string& order,
             const std::string& terminals, nb::object evaluation, bool deepen, bool narrow, std::int64_t table_mb,
             std::shared_ptr<const AnyKnown> known) {
            AlphaBetaOptions o;
            o.budget = budget_of(std::nullopt, nodes, seconds);
            o.depth = small("depth", depth);
            o.cut = choose<Cut>("cut", cut, {{"none", Cut::none}, {"strict", Cut::strict}, {"equal", Cut::equal}});
            o.order =
                choose<Order>("order", order, {{"index", Order::index}, {"game", Order::game}, {"full", Order::full}});
            o.terminals = choose<Terminals>("terminals", terminals,
                                            {{"payoff", Terminals::payoff}, {"evaluation", Terminals::evaluation}});
            o.deepen = deepen;
            o.narrow = narrow;
            o.table_mb = table_mb;
            o.known = std::move(known);
            AnyEvaluation function;
            if (nb::isinstance<nb::str>(evaluation)) {
              o.evaluation = nb::cast<std::string>(evaluation);
            } else {
              // Held and called only with the interpreter lock.
              function = [evaluation](const AnyState& state, int player) {
                return nb::cast<double>(evaluation(state.copy(), player));
              };
            }
            new (self) AlphaBetaSearcher{{game.alphabeta(o, std::move(function))}};
          },
          "game"_a, nb::kw_only(), "depth"_a = 0, "nodes"_a = nb::none(), "seconds"_a = nb::none(), "cut"_a = "equal",
          "order"_a = "index", "terminals"_a = "payoff", "evaluation"_a = "", "deepen"_a = false, "narrow"_a = false,
          "table_mb"_a = 0, "known"_a.none() = nb::none(),
          nb::sig("def __init__(self, game: Game, *, depth: int = 0, nodes: int | None = None, seconds: float | None = "
                  "None, "
                  "cut: str = 'equal', order: str = 'index', terminals: str = 'payoff', "
                  "evaluation: str | collections.abc.Callable[[State, int], float] = '', deepen: bool = False, "
                  "narrow: bool = False, table_mb: int = 0, known: Known | None = None) -> None"));

  nb::class_<OpenHandSearcher, Searcher>(m, "OpenHand", "Exact play of two sides with open cards, to the end.")
      .def(
          "__init__",
          [](OpenHandSearcher* self, const AnyGame& game) { new (self) OpenHandSearcher{{game.open_hand()}}; },
          "game"_a);

  bind_view_search(m);
}

}  // namespace kiebitz::bind
