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

#include "base/guard.hpp"
#include "bind/any.hpp"
#include "bind/arrays.hpp"
#include "bind/convert.hpp"
#include "bind/evaluator.hpp"
#include "bind/module.hpp"
#include "bind/search_options.hpp"
#include "bind/stoppable.hpp"
#include "nets/parts.hpp"

namespace kiebitz::bind {
namespace {

using namespace nb::literals;
using namespace kiebitz::search;

// Evaluators, and evaluations written in Python, that a search holds.
using Held = std::vector<std::shared_ptr<nb::object>>;

// What Python holds: a search with its options and memory.
struct Searcher {
  std::unique_ptr<AnySearch> search;
  Held held{};
  Guard guard{};
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
  Held held{};
  Guard guard{};
};
struct PimcSearcher : ViewSearcher {};
struct IsmctsSearcher : ViewSearcher {};

// Searches work on a copy: other threads may go on with the state meanwhile.
Analysis run_search(Searcher& searcher, const AnyState& state, const StopToken* stop) {
  const Guard::Alone alone(searcher.guard);
  const auto own = state.copy();
  return run_stoppable(searcher.search->needs_interpreter(), stop,
                       [&](Stop& s) { return searcher.search->run(*own, s); });
}

// An evaluation written in Python, called with the interpreter lock only.
AnyEvaluation evaluation_from(std::shared_ptr<nb::object> held) {
  return [held = std::move(held)](const AnyState& state, int player) {
    if (!held->is_valid()) throw Error("evaluation: it has been collected");
    const nb::object answer = (*held)(state.copy(), player);
    double value = 0;
    if (!nb::try_cast(answer, value) || !std::isfinite(value)) {
      throw ParameterError("evaluation: expected a finite number, got " + excerpt(nb::repr(answer).c_str()));
    }
    return value;
  };
}

// What a search holds of Python's: the garbage collector sees it and may take it out of a search that nobody can reach.
template <class Searcher>
int visit_held(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  for (const auto& held : nb::inst_ptr<Searcher>(self)->held) Py_VISIT(held->ptr());
  return 0;
}

template <class Searcher>
int clear_held(PyObject* self) {
  if (!nb::inst_ready(self)) return 0;
  for (const auto& held : nb::inst_ptr<Searcher>(self)->held) held->reset();
  return 0;
}

template <class Searcher>
PyType_Slot held_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(&visit_held<Searcher>)},
                            {Py_tp_clear, reinterpret_cast<void*>(&clear_held<Searcher>)},
                            {0, nullptr}};

// An evaluator that a search was given, and is held by it from now on; null: None.
std::shared_ptr<const nets::Evaluator> evaluator_from(nb::handle part, Held& held) {
  if (part.is_none()) return nullptr;
  held.push_back(std::make_shared<nb::object>(nb::borrow(part)));
  return std::make_shared<HeldEvaluator>(held.back());
}

// Options of a tree search; its evaluators, if it has any, are kept in `held`.
template <class Options>
Options tree_options(const nb::kwargs& given, Held& held) {
  nb::dict plain;
  std::shared_ptr<const nets::Evaluator> evaluator;
  std::shared_ptr<const nets::Evaluator> default_policy;
  for (const auto& [key, part] : given) {
    const auto name = nb::cast<std::string>(key);
    if (name == "evaluator") {
      evaluator = evaluator_from(part, held);
    } else if (name == "default_policy") {
      default_policy = evaluator_from(part, held);
    } else {
      plain[key] = part;
    }
  }
  auto options = read_options<Options>(plain);
  options.evaluator = std::move(evaluator);
  options.default_policy = std::move(default_policy);
  // Without an evaluator of its own the tree has nothing to prefer, and playouts say what a leaf is worth.
  if (!options.evaluator && options.default_policy) {
    options.evaluator = std::make_shared<nets::Parts>(nullptr, nullptr);
  }
  return options;
}

constexpr const char* kEvaluator =
    "evaluator: Evaluator | collections.abc.Callable[..., typing.Any] | None = None, "
    "default_policy: Evaluator | collections.abc.Callable[..., typing.Any] | None = None";

// What an exact search may take for known, such as an endgame table; None: nothing.
std::shared_ptr<const AnyKnown> known_part(nb::handle part) {
  std::shared_ptr<const AnyKnown> known;
  if (!part.is_none() && !nb::try_cast(part, known)) throw ParameterError("known: expected known positions or None");
  return known;
}

// What is known of a value, as people read it.
void put_certainty(nb::dict& d, const Certainty& c) {
  d["exact"] = c.exact();
  d["status"] = enum_name(c.status());
  d["bound"] = enum_name(c.bound);
}

nb::dict action_dict(const ActionValue& a) {
  nb::dict d;
  d["action"] = a.action;
  d["name"] = a.name;
  d["visits"] = a.visits;
  d["value"] = a.value;
  d["error"] = a.error;
  put_certainty(d, a.certainty);
  d["mean"] = nb::cast(a.mean);
  d["prior"] = nb::cast(a.prior);
  return d;
}

nb::dict analysis_dict(const Analysis& a) {
  nb::dict d;
  d["method"] = a.method;
  d["player"] = a.player;
  d["best"] = a.best;
  d["best_name"] = a.best_name;
  d["value"] = a.value;
  put_certainty(d, a.certainty);
  d["prior_value"] = nb::cast(a.prior_value);
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
    // JSON has no NaN.
    for (const double x : values) row.append(std::isnan(x) ? nb::object(nb::none()) : nb::object(nb::float_(x)));
    rows.append(row);
  }
  d["world_values"] = rows;
  return d;
}

// Values that to_dict() gave, or anything else.
template <class T>
T value(nb::handle given, const char* name) {
  if constexpr (std::is_same_v<T, nb::dict> || std::is_same_v<T, nb::list>) {
    if (nb::isinstance<T>(given)) return nb::borrow<T>(given);
  } else {
    T out;
    if (nb::try_cast(given, out)) return out;
  }
  throw ParameterError(std::string("analysis: ") + name + " cannot be " + excerpt(nb::repr(given).c_str()));
}

template <class T>
T field(const nb::dict& d, const char* name) {
  if (!d.contains(name)) throw ParameterError(std::string("analysis: expected a field '") + name + "'");
  return value<T>(d[name], name);
}

// A number that may be missing, as in fields of earlier versions.
std::optional<double> number_if_any(const nb::dict& d, const char* name) {
  if (!d.contains(name) || d[name].is_none()) return std::nullopt;
  return field<double>(d, name);
}

// Fields of earlier versions had only `exact`, and only for actions.
Certainty certainty_from(const nb::dict& d) {
  const bool exact = d.contains("exact") && field<bool>(d, "exact");
  if (!d.contains("status")) return {.sound = exact};
  const auto status = enum_of<Status>("analysis: status", field<std::string>(d, "status"));
  const auto bound = enum_of<Limit>("analysis: bound", field<std::string>(d, "bound"));
  return {.sound = status != Status::estimated, .bound = bound};
}

ActionValue action_from(const nb::dict& d) {
  ActionValue a;
  a.action = field<Action>(d, "action");
  a.name = field<std::string>(d, "name");
  a.visits = field<std::int64_t>(d, "visits");
  a.value = field<double>(d, "value");
  a.error = field<double>(d, "error");
  a.certainty = certainty_from(d);
  a.mean = field<std::vector<double>>(d, "mean");
  a.prior = number_if_any(d, "prior");
  return a;
}

Analysis analysis_from(const nb::dict& d) {
  Analysis a;
  a.method = field<std::string>(d, "method");
  a.player = field<int>(d, "player");
  a.best = field<Action>(d, "best");
  a.best_name = field<std::string>(d, "best_name");
  a.value = field<double>(d, "value");
  a.certainty = certainty_from(d);
  a.prior_value = number_if_any(d, "prior_value");
  for (nb::handle action : field<nb::list>(d, "actions"))
    a.actions.push_back(action_from(value<nb::dict>(action, "actions")));
  a.line = field<std::vector<Action>>(d, "line");
  a.line_names = field<std::vector<std::string>>(d, "line_names");
  a.iterations = field<std::int64_t>(d, "iterations");
  a.nodes = field<std::int64_t>(d, "nodes");
  a.leaves = field<std::int64_t>(d, "leaves");
  a.depth = field<int>(d, "depth");
  a.mean_depth = field<double>(d, "mean_depth");
  a.depth_variance = field<double>(d, "depth_variance");
  a.branching = field<double>(d, "branching");
  a.seconds = field<double>(d, "seconds");
  a.stopped = field<bool>(d, "stopped");
  a.memory_full = field<bool>(d, "memory_full");
  a.worlds = field<int>(d, "worlds");
  for (nb::handle row : field<nb::list>(d, "world_values")) {
    auto& values = a.world_values.emplace_back();
    for (nb::handle x : value<nb::list>(row, "world_values")) {
      values.push_back(x.is_none() ? std::numeric_limits<double>::quiet_NaN() : value<double>(x, "world_values"));
    }
  }
  return a;
}

// Padded with spaces to a width in characters, not bytes.
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

const char* sign_of(Limit bound) { return bound == Limit::upper ? "<=" : bound == Limit::lower ? ">=" : "  "; }

// For people: one line per action, the best one marked, then the principal line.
std::string analysis_text(const Analysis& a) {
  std::string out = a.method + ": " + a.best_name + ", value ";
  if (a.certainty.bound != Limit::none) out += sign_of(a.certainty.bound) + std::string(" ");
  out += formatted("%+.4f for player %d, ", a.value, a.player) + enum_name(a.certainty.status()) + " (";
  if (a.iterations > 0) out += std::to_string(a.iterations) + " iterations, ";
  out += formatted("%lld nodes, depth %d, %.3f s%s)\n", static_cast<long long>(a.nodes), a.depth, a.seconds,
                   a.stopped ? ", stopped" : "");
  if (a.prior_value) out += formatted("   the net alone: value %+.4f\n", *a.prior_value);
  const bool priors = std::ranges::any_of(a.actions, [](const ActionValue& v) { return v.prior.has_value(); });
  out += "   " + padded("action", 14) + "       visits      value      error" + (priors ? "        net\n" : "\n");
  for (const auto& v : a.actions) {
    out += (v.action == a.best ? " * " : "   ") + padded(v.name, 14);
    out += formatted(" %12lld %s%+8.4f %10.4f", static_cast<long long>(v.visits), sign_of(v.certainty.bound), v.value,
                     v.error);
    out += v.prior ? formatted(" %10.4f\n", *v.prior) : "\n";
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
      .def_prop_ro(
          "exact", [](const ActionValue& a) { return a.certainty.exact(); }, "The value is proven.")
      .def_prop_ro(
          "status", [](const ActionValue& a) { return enum_name(a.certainty.status()); },
          "proven, bounded (the bound is proven) or estimated.")
      .def_prop_ro(
          "bound", [](const ActionValue& a) { return enum_name(a.certainty.bound); },
          "upper or lower: the value that was searched for is at most or at least this; none: it is this.")
      .def_ro("mean", &ActionValue::mean, "One value per player, where the method has them.")
      .def_ro("prior", &ActionValue::prior, nb::for_getter(nb::sig("def prior(self) -> float | None")),
              "The probability that a net gives it before any search; None: no net was asked.")
      .def("to_dict", &action_dict, nb::sig("def to_dict(self) -> dict[str, typing.Any]"));

  nb::class_<Analysis>(m, "Analysis", "What a search found: print it, or read its fields.")
      .def_ro("method", &Analysis::method)
      .def_ro("player", &Analysis::player, "Who is to move.")
      .def_ro("best", &Analysis::best, "The action to play.")
      .def_ro("best_name", &Analysis::best_name)
      .def_ro("value", &Analysis::value, "Of the position for the player to move, in payoff units.")
      .def_prop_ro(
          "exact", [](const Analysis& a) { return a.certainty.exact(); }, "The value is proven.")
      .def_prop_ro(
          "status", [](const Analysis& a) { return enum_name(a.certainty.status()); },
          "proven, bounded (the bound is proven) or estimated.")
      .def_prop_ro(
          "bound", [](const Analysis& a) { return enum_name(a.certainty.bound); },
          "lower: the value is at least this; none: it is this.")
      .def_ro("prior_value", &Analysis::prior_value, nb::for_getter(nb::sig("def prior_value(self) -> float | None")),
              "What a net says of the position before any search; None: no net was asked.")
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
      .def_ro("stopped", &Analysis::stopped, "Cut short: by its stop token; an exact search by its budget, too.")
      .def_ro("memory_full", &Analysis::memory_full)
      .def_ro("worlds", &Analysis::worlds, "Sampled worlds, where the search used any.")
      .def_ro("world_values", &Analysis::world_values,
              "A row for each world with the value of each action; NaN where it was never tried.")
      .def("to_dict", &analysis_dict, nb::sig("def to_dict(self) -> dict[str, typing.Any]"))
      .def_static("from_dict", &analysis_from, "fields"_a,
                  nb::sig("def from_dict(fields: dict[str, typing.Any]) -> Analysis"))
      .def("__getstate__", &analysis_dict, nb::sig("def __getstate__(self) -> dict[str, typing.Any]"))
      .def(
          "__setstate__", [](Analysis& a, const nb::dict& d) { new (&a) Analysis(analysis_from(d)); }, "state"_a,
          nb::sig("def __setstate__(self, state: dict[str, typing.Any]) -> None"))
      .def("__str__", &analysis_text);
}

void bind_options(nb::module_& m) {
  nb::class_<SearchOption>(m, "SearchOption", "An option of a search, as its struct in the core describes it.")
      .def_ro("name", &SearchOption::name)
      .def_ro("kind", &SearchOption::kind, "bool, int, float or str.")
      .def_ro("default", &SearchOption::initial, nb::for_getter(nb::sig("def default(self) -> typing.Any")),
              "None: a budget that is not given.")
      .def_ro("low", &SearchOption::low, nb::for_getter(nb::sig("def low(self) -> float | None")), "Numbers only.")
      .def_ro("high", &SearchOption::high, nb::for_getter(nb::sig("def high(self) -> float | None")), "Numbers only.")
      .def_ro("most", &SearchOption::most, nb::for_getter(nb::sig("def most(self) -> float | None")),
              "The largest value that a server allows; False: the switch stays off there.")
      .def_ro("choices", &SearchOption::choices)
      .def_ro("help", &SearchOption::help)
      .def_ro("effect", &SearchOption::effect,
              "What it changes: the move, only the speed, or (impure) the move then depends on clock or game so far.")
      .def_ro("budget", &SearchOption::budget, "One of the limits of which a search needs at least one.")
      .def_ro("in_specs", &SearchOption::in_specs, "Whether people write it in specs of agents.");

  m.def(
      "search_options",
      [](const std::string& search) {
        if (search == UctOptions::kName) return search_options<UctOptions>();
        if (search == PimcOptions::kName) return search_options<PimcOptions>();
        if (search == IsmctsOptions::kName) return search_options<IsmctsOptions>();
        if (search == AlphaBetaOptions::kName) return search_options<AlphaBetaOptions>();
        throw UnknownName("there is no search '" + excerpt(search) + "'; expected uct, pimc, ismcts or alphabeta");
      },
      "search"_a, "The options of a search: uct, pimc, ismcts or alphabeta.");
}

constexpr int kMostWorlds = 1'000'000;
constexpr const char* kHandsSignature =
    "def hands(self, count: int, seed: int = 0, belief: str = '') -> numpy.typing.NDArray[numpy.int8]";

int checked_count(std::int64_t count) {
  if (count < 0 || count > kMostWorlds) {
    throw ParameterError("count: expected 0 to " + std::to_string(kMostWorlds) + ", got " + std::to_string(count));
  }
  return static_cast<int>(count);
}

std::size_t pack_size(const AnyView& view) {
  const std::size_t cards = view.game()->pack().size();
  if (cards == 0) no_hands(view.game()->info());
  return cards;
}

// Rows of owners as an array for Python.
nb::ndarray<nb::numpy, std::int8_t, nb::ndim<2>, nb::c_contig> rows_of(std::vector<std::int8_t> owners,
                                                                       std::size_t cards) {
  auto* const own = new std::vector<std::int8_t>(std::move(owners));
  nb::capsule owner(own, [](void* p) noexcept { delete static_cast<std::vector<std::int8_t>*>(p); });
  return {own->data(), {own->size() / std::max<std::size_t>(cards, 1), cards}, owner};
}

// Anything that NumPy takes for rows of whole numbers.
std::vector<std::int8_t> owners_from(const nb::object& given, std::size_t cards) {
  const auto refuse = [&](const std::string& got) {
    throw ParameterError("hands: expected rows of " + std::to_string(cards) + " owners, whole numbers, got " + got);
  };
  nb::object numbers;
  try {
    numbers = nb::module_::import_("numpy").attr("asarray")(given);
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_ValueError) && !error.matches(PyExc_TypeError)) throw;
    refuse(excerpt(nb::repr(given).c_str()));
  }
  const auto kind = nb::cast<std::string>(numbers.attr("dtype").attr("kind"));
  const nb::object whole = kind == "i" || kind == "u" ? numbers.attr("astype")("int64") : nb::object();
  nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu> array;
  if (!whole.is_valid() || !nb::try_cast(nb::module_::import_("numpy").attr("ascontiguousarray")(whole), array) ||
      array.shape(1) != cards) {
    const nb::object shape = numbers.attr("shape");
    const nb::object type = numbers.attr("dtype");
    refuse("an array of shape " + excerpt(nb::str(shape).c_str()) + " and type " + excerpt(nb::str(type).c_str()));
  }
  if (array.shape(0) > kMostWorlds) refuse(std::to_string(array.shape(0)) + " rows");
  std::vector<std::int8_t> out;
  out.reserve(array.size());
  // What is no owner stays none, and is refused with its row.
  constexpr std::int64_t low = std::numeric_limits<std::int8_t>::min();
  constexpr std::int64_t high = std::numeric_limits<std::int8_t>::max();
  for (std::size_t i = 0; i < array.size(); ++i) {
    out.push_back(static_cast<std::int8_t>(std::clamp(array.data()[i], low, high)));
  }
  return out;
}

// Searches of hidden games: they see a view.
void bind_view_search(nb::module_& m) {
  nb::borrow<nb::class_<AnyView>>(m.attr("View"))
      .def(
          "worlds",
          [](const AnyView& view, std::int64_t count, std::uint64_t seed, const std::string& belief) {
            return view.worlds(checked_count(count), seed, belief);
          },
          "count"_a, "seed"_a = 0, "belief"_a = "",
          "Full states that the observer cannot tell from the true one, by one of the game's beliefs. World number w "
          "depends on view, seed, belief and w alone: a search with the same seed draws the same worlds.")
      .def(
          "hands",
          [](const AnyView& view, std::int64_t count, std::uint64_t seed, const std::string& belief) {
            return rows_of(view.hands(checked_count(count), seed, belief), pack_size(view));
          },
          "count"_a, "seed"_a = 0, "belief"_a = "", nb::sig(kHandsSignature),
          "The hands of such worlds: for each a row with the owner of every card of the pack, -1 for nobody.")
      .def(
          "worlds_of",
          [](const AnyView& view, const nb::object& hands, std::uint64_t seed) {
            return view.worlds_of(owners_from(hands, pack_size(view)), seed);
          },
          "hands"_a, "seed"_a = 0, nb::sig("def worlds_of(self, hands: typing.Any, seed: int = 0) -> list[State]"),
          "Full states with given hands, rows of owners for every card of the pack, such as those of a learned belief; "
          "what else is hidden is drawn. `ParameterError` if the view does not allow one of them.");

  nb::borrow<nb::class_<AnyState>>(m.attr("State"))
      .def(
          "hands", [](const AnyState& state) { return array_of(state.owners()); },
          nb::sig("def hands(self) -> numpy.typing.NDArray[numpy.int8]"),
          "The owner of every card of the pack: a seat, or -1 for nobody.");

  nb::class_<ViewSearcher>(m, "ViewSearch", "A search of what a player knows, with its options and its memory.")
      .def(
          "search",
          [](ViewSearcher& searcher, const AnyView& view, const StopToken* stop) {
            const Guard::Alone alone(searcher.guard);
            return run_stoppable(searcher.search->needs_interpreter(), stop,
                                 [&](Stop& s) { return searcher.search->run(view, s); });
          },
          "view"_a, "stop"_a.none() = nb::none(), "What the observer, who is to move, should do.");

  nb::class_<PimcSearcher, ViewSearcher>(m, "Pimc", nb::type_slots(held_slots<PimcSearcher>),
                                         "Perfect-information Monte Carlo: one tree for each sampled world, fused.")
      .def(
          "__init__",
          [](PimcSearcher* self, const UctSearcher& uct, const nb::kwargs& given) {
            PimcOptions options = read_options<PimcOptions>(given);
            options.uct = uct.options;
            // References of its own: the garbage collector counts those that each object holds.
            Held held;
            const auto own = [&](std::shared_ptr<const nets::Evaluator>& part) {
              const auto* known = dynamic_cast<const HeldEvaluator*>(part.get());
              if (known != nullptr) part = evaluator_from(known->object(), held);
            };
            own(options.uct.evaluator);
            own(options.uct.default_policy);
            new (self) PimcSearcher{{uct.game->pimc(options), std::move(held)}};
          },
          "uct"_a, "options"_a, nb::sig(signature<PimcOptions>("uct: Uct").c_str()))
      .def(
          "search_worlds",
          [](PimcSearcher& searcher, const AnyView& view, const std::vector<const AnyState*>& worlds,
             std::optional<std::vector<double>> weights, const StopToken* stop) {
            if (std::ranges::any_of(worlds, [](const AnyState* world) { return world == nullptr; })) {
              throw ParameterError("worlds: expected states");
            }
            const Guard::Alone alone(searcher.guard);
            std::vector<std::unique_ptr<AnyState>> copies;
            std::vector<const AnyState*> own;
            for (const AnyState* world : worlds) own.push_back(copies.emplace_back(world->copy()).get());
            return run_stoppable(searcher.search->needs_interpreter(), stop, [&](Stop& s) {
              return searcher.search->run_worlds(view, own, weights.value_or(std::vector<double>{}), s);
            });
          },
          "view"_a, "worlds"_a, "weights"_a.none() = nb::none(), "stop"_a.none() = nb::none(),
          "The same with worlds from elsewhere.")
      .def(
          "search_hands",
          [](PimcSearcher& searcher, const AnyView& view, const nb::object& hands,
             std::optional<std::vector<double>> weights, const StopToken* stop) {
            const Guard::Alone alone(searcher.guard);
            const auto owners = owners_from(hands, pack_size(view));
            return run_stoppable(searcher.search->needs_interpreter(), stop, [&](Stop& s) {
              return searcher.search->run_hands(view, owners, weights.value_or(std::vector<double>{}), s);
            });
          },
          "view"_a, "hands"_a, "weights"_a.none() = nb::none(), "stop"_a.none() = nb::none(),
          nb::sig("def search_hands(self, view: View, hands: typing.Any, weights: Sequence[float] | None = None, stop: "
                  "StopToken | None = None) -> Analysis"),
          "The same with hands from elsewhere, such as a learned belief: `View.worlds_of` with the seed of the search.")
      .def(
          "search_state",
          [](PimcSearcher& searcher, const AnyState& state, const StopToken* stop) {
            const Guard::Alone alone(searcher.guard);
            const auto own = state.copy();
            return run_stoppable(searcher.search->needs_interpreter(), stop,
                                 [&](Stop& s) { return searcher.search->run_leaky(*own, s); });
          },
          "state"_a, "stop"_a.none() = nb::none(),
          "Unfair, for comparison: worlds are drawn as before, but all players keep their true sides.");

  nb::class_<IsmctsSearcher, ViewSearcher>(m, "Ismcts", nb::type_slots(held_slots<IsmctsSearcher>),
                                           "Information-set Monte Carlo tree search: one tree for all worlds.")
      .def(
          "__init__",
          [](IsmctsSearcher* self, const AnyGame& game, const nb::kwargs& given) {
            Held held;
            const auto options = tree_options<IsmctsOptions>(given, held);
            new (self) IsmctsSearcher{{game.ismcts(options), std::move(held)}};
          },
          "game"_a, "options"_a, nb::sig(signature<IsmctsOptions>("game: Game", kEvaluator).c_str()));
}

}  // namespace

void bind_search(nb::module_& m) {
  bind_analysis(m);
  bind_options(m);

  nb::class_<StopToken>(m, "StopToken",
                        "Cancels a search from another thread: search(..., stop=token), then token.request().")
      .def(nb::init<>())
      .def(
          "request", [](StopToken& t) { t.requested = true; }, "Asks the search to return what it has.")
      .def_prop_ro("requested", [](const StopToken& t) { return t.requested.load(); });

  nb::class_<Searcher>(m, "Search", "A search with its options and its memory.")
      .def("search", &run_search, "state"_a, "stop"_a.none() = nb::none(),
           "Searches the position, which is left unchanged.");

  nb::class_<UctSearcher, Searcher>(m, "Uct", nb::type_slots(held_slots<UctSearcher>),
                                    "Tree search: UCT with random playouts, or guided by an evaluator (PUCT).")
      .def(
          "__init__",
          [](UctSearcher* self, const AnyGame& game, const nb::kwargs& given) {
            Held held;
            const auto options = tree_options<UctOptions>(given, held);
            new (self) UctSearcher{{game.uct(options), std::move(held)}, game.shared_from_this(), options};
          },
          "game"_a, "options"_a, nb::sig(signature<UctOptions>("game: Game", kEvaluator).c_str()));

  nb::class_<AlphaBetaSearcher, Searcher>(m, "AlphaBeta", nb::type_slots(held_slots<AlphaBetaSearcher>),
                                          "Exact depth-limited search: minimax or alpha-beta.")
      .def(
          "__init__",
          [](AlphaBetaSearcher* self, const AnyGame& game, const nb::kwargs& given) {
            nb::dict left;
            std::shared_ptr<const AnyKnown> known;
            Held held;
            std::shared_ptr<const nets::Evaluator> evaluator;
            AnyEvaluation function;
            for (const auto& [name, part] : given) {
              const auto key = nb::cast<std::string>(name);
              if (key == "known") {
                known = known_part(part);
              } else if (key == "evaluator") {
                evaluator = evaluator_from(part, held);
              } else if (key == "evaluation" && PyCallable_Check(part.ptr()) != 0) {
                held.push_back(std::make_shared<nb::object>(nb::borrow(part)));
                function = evaluation_from(held.back());
              } else {
                left[name] = part;
              }
            }
            auto options = read_options<AlphaBetaOptions>(left);
            options.known = std::move(known);
            if (function && evaluator) throw ParameterError("evaluation: has no meaning with an evaluator");
            options.evaluator = std::move(evaluator);
            new (self) AlphaBetaSearcher{{game.alphabeta(options, std::move(function)), std::move(held)}};
          },
          "game"_a, "options"_a,
          nb::sig(signature<AlphaBetaOptions>("game: Game",
                                              "known: Known | None = None, evaluator: Evaluator | "
                                              "collections.abc.Callable[..., typing.Any] | None = None",
                                              {{"evaluation", "str | collections.abc.Callable[[State, int], float]"}})
                      .c_str()));

  nb::class_<OpenHandSearcher, Searcher>(m, "OpenHand", "Exact play of two sides with open cards, to the end.")
      .def(
          "__init__",
          [](OpenHandSearcher* self, const AnyGame& game) { new (self) OpenHandSearcher{{game.open_hand()}}; },
          "game"_a);

  bind_view_search(m);
}

}  // namespace kiebitz::bind
