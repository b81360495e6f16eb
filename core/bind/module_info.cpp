// The description of a game for Python: its parameters and presets, kinds of actions, choices, and GameInfo.
#include <nanobind/operators.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>

#include "bind/convert.hpp"
#include "bind/module.hpp"
#include "games/choices.hpp"
#include "games/contract.hpp"

namespace kiebitz::bind {

namespace {

using namespace nb::literals;

const char* utility_name(Utility utility) {
  switch (utility) {
    case Utility::zero_sum:
      return "zero_sum";
    case Utility::constant_sum:
      return "constant_sum";
    case Utility::team:
      return "team";
    case Utility::general:
      break;
  }
  return "general";
}

Utility utility_of(const std::string& name) {
  for (const auto u : {Utility::zero_sum, Utility::constant_sum, Utility::team, Utility::general}) {
    if (name == utility_name(u)) return u;
  }
  throw ParameterError("utility: expected zero_sum, constant_sum, team or general, got '" + name + "'");
}

nb::dict info_dict(const GameInfo& i) {
  nb::dict d;
  d["name"] = i.name;
  d["title"] = i.title;
  d["players"] = i.players;
  d["actions"] = i.actions;
  d["max_legal"] = i.max_legal;
  d["max_length"] = i.max_length;
  d["min_payoff"] = i.min_payoff;
  d["max_payoff"] = i.max_payoff;
  d["utility"] = utility_name(i.utility);
  d["payoff_sum"] = i.payoff_sum;
  d["hidden"] = i.hidden;
  d["chance"] = i.chance;
  d["repetition"] = i.repetition;
  d["branching"] = i.branching;
  d["log10_states"] = i.log10_states;
  d["tensor_size"] = i.tensor_size;
  d["evaluations"] = nb::cast(i.evaluations);
  d["beliefs"] = nb::cast(i.beliefs);
  d["calls"] = nb::cast(i.calls);
  return d;
}

}  // namespace

// The descriptor of a game written in Python, checked.
GameInfo info_from(const nb::dict& d) {
  GameInfo i;
  i.name = nb::cast<std::string>(d["name"]);
  i.title = nb::cast<std::string>(d["title"]);
  i.players = nb::cast<int>(d["players"]);
  i.actions = nb::cast<int>(d["actions"]);
  i.max_legal = nb::cast<int>(d["max_legal"]);
  i.max_length = nb::cast<int>(d["max_length"]);
  i.min_payoff = nb::cast<double>(d["min_payoff"]);
  i.max_payoff = nb::cast<double>(d["max_payoff"]);
  i.utility = utility_of(nb::cast<std::string>(d["utility"]));
  i.payoff_sum = nb::cast<double>(d["payoff_sum"]);
  i.hidden = nb::cast<bool>(d["hidden"]);
  i.chance = nb::cast<bool>(d["chance"]);
  i.tensor_size = nb::cast<int>(d["tensor_size"]);
  i.evaluations = nb::cast<std::vector<std::string>>(d["evaluations"]);
  i.beliefs = nb::cast<std::vector<std::string>>(d["beliefs"]);
  i.kinds = nb::cast<std::vector<ActionKind>>(d["kinds"]);
  for (std::size_t k = 0; k < i.kinds.size(); ++k) {
    const auto same = [&](const ActionKind& other) { return other.name == i.kinds[k].name; };
    if (std::any_of(i.kinds.begin(), i.kinds.begin() + static_cast<std::ptrdiff_t>(k), same)) {
      throw ParameterError("kinds: expected different names, got '" + i.kinds[k].name + "' twice");
    }
  }
  constexpr int kMost = 1'000'000;
  if (i.players < 1 || i.players > kMaxPlayers) throw ParameterError("players: expected 1 to 10");
  if (i.actions < 1 || i.actions > kMost || i.max_legal < 1 || i.max_legal > i.actions) {
    throw ParameterError("actions and max_legal: expected 1 <= max_legal <= actions <= 1000000");
  }
  if (i.max_length < 1 || i.max_length > kMost) throw ParameterError("max_length: expected 1 to 1000000");
  if (i.tensor_size < 0 || i.tensor_size > kMost) throw ParameterError("tensor_size: expected 0 to 1000000");
  if (!std::isfinite(i.min_payoff) || !std::isfinite(i.max_payoff) || i.min_payoff > i.max_payoff) {
    throw ParameterError("min_payoff: expected a finite number of at most max_payoff");
  }
  return i;
}

void bind_info(nb::module_& m) {
  nb::class_<Parameter>(m, "Parameter", "A rule parameter: its name, meaning, default and range.")
      .def_ro("name", &Parameter::name)
      .def_ro("help", &Parameter::help)
      .def_prop_ro(
          "initial", [](const Parameter& p) { return to_python(p.initial); },
          nb::sig("def initial(self) -> typing.Any"))
      .def_ro("low", &Parameter::low)
      .def_ro("high", &Parameter::high)
      .def_ro("choices", &Parameter::choices);
  nb::class_<Preset>(m, "Preset", "A named set of rule parameters.")
      .def_ro("name", &Preset::name)
      .def_ro("help", &Preset::help)
      .def_prop_ro(
          "values", [](const Preset& p) { return to_python(p.values); },
          nb::sig("def values(self) -> dict[str, typing.Any]"));

  nb::class_<ActionKind>(m, "ActionKind",
                         "What an action is: its name, the phase it belongs to, the unit of its amount.")
      .def(nb::init<std::string, std::string, std::string>(), "name"_a, "phase"_a, "unit"_a = "")
      .def_ro("name", &ActionKind::name)
      .def_ro("phase", &ActionKind::phase)
      .def_ro("unit", &ActionKind::unit, "Of the amount, such as chips; empty: the kind has no amount.")
      .def(nb::self == nb::self, nb::sig("def __eq__(self, other: object) -> bool"))
      .def("__hash__", [](const ActionKind& k) { return nb::hash(nb::make_tuple(k.name, k.phase, k.unit)); })
      .def("__repr__", [](const ActionKind& k) {
        return "ActionKind('" + k.name + "', '" + k.phase + "'" + (k.unit.empty() ? "" : ", '" + k.unit + "'") + ")";
      });
  const auto amount_of = [](double Choice::*amount) {
    return [amount](const Choice& c) { return c.has_amount() ? std::optional(c.*amount) : std::nullopt; };
  };
  nb::class_<Choice>(m, "Choice",
                     "One thing to choose: a legal action, or a run of them that differ by an amount only.")
      .def_prop_ro("kind", [](const Choice& c) { return c.kind.name; })
      .def_prop_ro("phase", [](const Choice& c) { return c.kind.phase; })
      .def_prop_ro("unit", [](const Choice& c) { return c.kind.unit; })
      .def_ro("action", &Choice::action, "The first action of the run: the one with the smallest amount.")
      .def_ro("count", &Choice::count, "Actions in the run.")
      .def_prop_ro("actions", &Choice::actions, "All actions of the run, by rising amounts.")
      .def_prop_ro("low", amount_of(&Choice::low), "The smallest amount; None for kinds without a unit.")
      .def_prop_ro("high", amount_of(&Choice::high), "The largest amount.")
      .def_prop_ro("step", amount_of(&Choice::step), "From one amount to the next; 0 if there is only one.")
      .def("action_for", &Choice::action_for, "amount"_a,
           "The action with this amount. An amount outside the range or between two steps raises IllegalAction.")
      .def("__repr__", [](const Choice& c) {
        return "<Choice " + c.kind.name + " of " + std::to_string(c.count) + " from action " +
               std::to_string(c.action) + ">";
      });

  nb::class_<GameInfo>(m, "GameInfo", "The descriptor of a game: what an algorithm has to know before it starts.")
      .def_ro("name", &GameInfo::name)
      .def_ro("title", &GameInfo::title)
      .def_ro("players", &GameInfo::players)
      .def_ro("actions", &GameInfo::actions)
      .def_ro("max_legal", &GameInfo::max_legal)
      .def_ro("max_length", &GameInfo::max_length)
      .def_ro("min_payoff", &GameInfo::min_payoff)
      .def_ro("max_payoff", &GameInfo::max_payoff)
      .def_prop_ro("utility", [](const GameInfo& i) { return utility_name(i.utility); })
      .def_ro("payoff_sum", &GameInfo::payoff_sum)
      .def_ro("hidden", &GameInfo::hidden)
      .def_ro("chance", &GameInfo::chance)
      .def_ro("repetition", &GameInfo::repetition)
      .def_ro("branching", &GameInfo::branching)
      .def_ro("log10_states", &GameInfo::log10_states)
      .def_ro("tensor_size", &GameInfo::tensor_size)
      .def_ro("evaluations", &GameInfo::evaluations)
      .def_ro("beliefs", &GameInfo::beliefs, "How hidden worlds can be drawn; empty: in one way only.")
      .def_ro("calls", &GameInfo::calls, "Actions that are calls: declarations beside the cards.")
      .def_ro("kinds", &GameInfo::kinds, "What actions can be, chance included.")
      .def_prop_ro(
          "decline", [](const GameInfo& i) { return i.decline == kNoAction ? std::nullopt : std::optional(i.decline); },
          "The action that says nothing in a secret round; None where the game has no such rounds.")
      .def("to_dict", &info_dict, "All but `kinds` and `decline` as a dictionary.",
           nb::sig("def to_dict(self) -> dict[str, typing.Any]"));
}

}  // namespace kiebitz::bind
