// Game, State and View for Python, and the games that there are.
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <random>

#include "base/key_text.hpp"
#include "bind/any.hpp"
#include "bind/arrays.hpp"
#include "bind/convert.hpp"
#include "bind/module.hpp"
#include "bind/python_game.hpp"
#include "bind/stoppable.hpp"

namespace kiebitz::bind {

PyObject* new_action_list(const AnyState& state);
void install_hot_calls(nb::handle state_type);
GameInfo info_from(const nb::dict& d);
std::shared_ptr<AnyGame> box_python_game(std::shared_ptr<const python::Game> game, Fields parameters);

namespace {

using namespace nb::literals;

const std::vector<GameKind>& kinds() {
  static const std::vector<GameKind> all = all_games();
  return all;
}

const GameKind& kind(const std::string& name) {
  for (const auto& k : kinds()) {
    if (k.name == name) return k;
  }
  throw UnknownName("unknown game '" + name + "'");
}

nb::object json_of(const std::string& text) { return nb::module_::import_("json").attr("loads")(text); }

// Unpickling goes through functions of the registry, which knows games written in Python too.
nb::object registry(const char* function) { return nb::module_::import_("kiebitz.games.registry").attr(function); }

// Hands as people and records write them: a text each, or a list of cards each.
std::vector<std::string> hands_of(nb::handle object) {
  if (!is_list(object)) throw PositionError("hands: expected a list of hands");
  std::vector<std::string> out;
  for (nb::handle hand : object) {
    if (nb::isinstance<nb::str>(hand)) {
      out.push_back(text_value<PositionError>(hand));
      continue;
    }
    if (!is_list(hand)) throw PositionError("hands: expected each hand as text or as a list of cards");
    std::string cards;
    for (nb::handle card : hand) {
      if (!nb::isinstance<nb::str>(card)) throw PositionError("hands: expected cards as text");
      cards += (cards.empty() ? "" : " ") + text_value<PositionError>(card);
    }
    out.push_back(std::move(cards));
  }
  return out;
}

// The number of deals can be larger than any whole number of C++.
nb::dict beliefs_of(const AnyView& view) {
  nb::dict out = to_python(view.beliefs());
  out["deals"] = nb::int_(nb::str(out["deals"]));
  return out;
}

nb::dict result_of(const AnyState& state) {
  nb::dict out;
  const auto returns = state.returns();
  out["returns"] = nb::cast(returns);
  const auto best = std::max_element(returns.begin(), returns.end());
  const bool unique = std::count(returns.begin(), returns.end(), *best) == 1;
  out["winner"] = unique && returns.size() > 1 ? nb::cast(static_cast<int>(best - returns.begin())) : nb::none();
  for (const auto& [name, value] : state.result()) out[name.c_str()] = to_python(value);
  return out;
}

// Numbers beyond every action are illegal actions like any other.
Action as_action(std::int64_t a) {
  if (a < 0 || a > std::numeric_limits<Action>::max()) {
    throw IllegalAction("action " + std::to_string(a) + " is not legal anywhere; expected one of legal()");
  }
  return static_cast<Action>(a);
}

using Tensor = nb::ndarray<nb::numpy, float, nb::ndim<1>>;

Tensor tensor_of(const AnyView& view) {
  const auto size = static_cast<std::size_t>(view.game()->info().tensor_size);
  auto numbers = std::make_unique<float[]>(size);
  view.tensor(numbers.get());
  float* data = numbers.release();
  const nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<float*>(p); });
  return Tensor(data, {size}, owner);
}

nb::object random_games_of(const AnyGame& game, const std::vector<std::uint64_t>& chance,
                           const std::vector<std::uint64_t>& seeds) {
  const auto players = static_cast<std::size_t>(game.info().players);
  if (seeds.size() != chance.size() * players) {
    throw ParameterError("seeds: expected " + std::to_string(chance.size() * players) +
                         ", one for each seat of each game, got " + std::to_string(seeds.size()));
  }
  search::RandomGames played = run_stoppable(game.needs_interpreter(), nullptr,
                                             [&](Stop& stop) { return game.random_games(chance, seeds, stop); });
  nb::list results;
  for (const Fields& result : played.results) results.append(to_python(result));
  return nb::make_tuple(array_of(std::move(played.payoffs)), array_of(std::move(played.plies)),
                        array_of(std::move(played.choices)), array_of(std::move(played.moves)),
                        array_of(std::move(played.lengths)), array_of(std::move(played.actions)), results);
}

void bind_game(nb::module_& m) {
  nb::class_<AnyGame>(m, "Game", "A game with its rule parameters; made by kiebitz.game().")
      .def_prop_ro(
          "name", [](const AnyGame& g) { return g.info().name; }, "The name in the registry.")
      .def_prop_ro("info", &AnyGame::info, nb::rv_policy::reference_internal, "The descriptor.")
      .def_prop_ro(
          "params", [](const AnyGame& g) { return to_python(g.parameters()); },
          nb::sig("def params(self) -> dict[str, typing.Any]"), "All rule parameters, defaults included.")
      .def_prop_ro("pack", &AnyGame::pack,
                   "Names of the cards that hands are made of, each as often as it is there; empty: there are no hands "
                   "that a belief could hand over.")
      .def_ro("origin", &AnyGame::origin, "How the game was asked for, as JSON text.")
      .def_prop_ro("needs_interpreter", &AnyGame::needs_interpreter, "True for games written in Python.")
      .def(
          "to_json", [](const AnyGame& g) { return json_of(g.origin); },
          nb::sig("def to_json(self) -> dict[str, typing.Any]"),
          "How the game was asked for; games.from_json() reads it.")
      .def_prop_ro(
          "preset", [](const AnyGame& g) { return json_of(g.origin).attr("get")("preset"); },
          nb::sig("def preset(self) -> str | None"), "The preset it was asked for with.")
      .def_prop_ro(
          "parameters",
          [](const AnyGame& g) {
            return g.needs_interpreter() ? std::vector<Parameter>{} : kind(g.info().name).parameters;
          },
          "The rule parameters this kind of game takes.")
      .def_prop_ro(
          "presets",
          [](const AnyGame& g) { return g.needs_interpreter() ? std::vector<Preset>{} : kind(g.info().name).presets; },
          "The presets of this kind of game.")
      .def("root", &AnyGame::root, "The start, chance moves left to the caller.")
      .def(
          "new",
          [](const AnyGame& g, std::optional<std::uint64_t> seed) {
            return g.fresh(seed ? *seed : (std::uint64_t{std::random_device{}()} << 32 | std::random_device{}()));
          },
          "seed"_a = nb::none(),
          "The start, chance moves resolved from the seed as they come; without a seed, at random.")
      .def(
          "deal", [](const AnyGame& g, nb::handle hands, int start) { return g.deal(hands_of(hands), start); },
          "hands"_a, "start"_a = 0,
          nb::sig(
              "def deal(self, hands: collections.abc.Sequence[str | collections.abc.Sequence[str]], start: int = 0) "
              "-> State"),
          "The start with a given deal: for each hand its cards, as one text or as a list of texts.")
      .def(
          "load",
          [](const AnyGame& g, nb::handle position, const std::vector<std::uint64_t>& seen) {
            return g.load(to_fields<PositionError>(position), seen);
          },
          "position"_a.none(), "seen"_a = std::vector<std::uint64_t>{},
          nb::sig("def load(self, position: dict[str, typing.Any], seen: collections.abc.Sequence[int] = []) -> State"),
          "A state from State.position(); `seen`: keys of earlier positions that a repetition could meet.")
      .def(
          "load_view", [](const AnyGame& g, nb::handle view) { return g.load_view(to_fields<ViewError>(view)); },
          "view"_a.none(), nb::sig("def load_view(self, view: dict[str, typing.Any]) -> View"),
          "A view from View.fields().")
      .def("random_games", &random_games_of, "chance"_a, "seeds"_a,
           nb::sig("def random_games(self, chance: list[int], seeds: list[int]) -> tuple[typing.Any, ...]"),
           "Whole games between random players: a seed for the chance of each game, and one for each seat of each. "
           "Arrays of payoffs, plies, choices, moves, lengths and actions, and a list of results.")
      .def(
          "__reduce__",
          [](const AnyGame& g) { return nb::make_tuple(registry("from_json"), nb::make_tuple(json_of(g.origin))); },
          nb::sig("def __reduce__(self) -> tuple[typing.Any, ...]"))
      .def("__repr__", [](const AnyGame& g) { return "<kiebitz.Game " + g.info().name + ">"; });
}

void bind_state(nb::module_& m) {
  auto type = nb::class_<AnyState>(m, "State", "A position of a game together with the way there.");
  type.def_prop_ro("game", &AnyState::game, "The game it belongs to.")
      .def_prop_ro("player", &AnyState::player, "Whose turn it is: 0, 1, ..., CHANCE or TERMINAL.")
      .def(
          "legal", [](const AnyState& s) { return nb::steal(new_action_list(s)); },
          nb::sig("def legal(self) -> list[int]"), "The legal actions, ascending.")
      .def(
          "outcomes",
          [](const AnyState& s) {
            std::vector<std::pair<Action, double>> out;
            for (const auto& o : s.outcomes()) out.emplace_back(o.action, o.probability);
            return out;
          },
          "Outcomes of a chance move with their probabilities; empty elsewhere.")
      .def(
          "apply", [](AnyState& s, std::int64_t a) { s.apply(as_action(a)); }, "action"_a,
          "Plays an action. An illegal one raises IllegalAction and changes nothing.")
      .def(
          "refusal",
          [](const AnyState& s, std::int64_t a) {
            try {
              return s.refusal(as_action(a));
            } catch (const IllegalAction& error) {
              return std::string(error.what());
            }
          },
          "action"_a, "Why an action is illegal, as IllegalAction says it; empty if it is legal.")
      .def("copy", &AnyState::copy, "An independent copy.")
      .def("__copy__", &AnyState::copy)
      .def(
          "__deepcopy__", [](const AnyState& s, nb::handle) { return s.copy(); }, "memo"_a)
      .def_prop_ro(
          "history", [](const AnyState& s) { return s.history(); }, "All actions so far, chance included.")
      .def(
          "name", [](const AnyState& s, std::int64_t a) { return s.name(as_action(a)); }, "action"_a,
          "The action in words.")
      .def(
          "kind", [](const AnyState& s, std::int64_t a) { return s.kind(as_action(a)).name; }, "action"_a,
          "What the action is: the name of one of `game.info.kinds`.")
      .def(
          "amount", [](const AnyState& s, std::int64_t a) { return s.amount(as_action(a)); }, "action"_a,
          "How much, for actions whose kind has a unit; None for others.")
      .def_prop_ro("phase", &AnyState::phase, "The phase that the legal actions belong to; `over` at the end.")
      .def("choices", &AnyState::choices,
           "The legal actions as a person chooses from them: those that differ by an amount only are one choice.")
      .def("parse", &AnyState::parse, "text"_a, "The legal action that the text names.")
      .def("returns", &AnyState::returns, "One payoff per player; only at the end.")
      .def("result", &result_of, nb::sig("def result(self) -> dict[str, typing.Any]"),
           "The outcome in items: payoffs, winner (None for a tie) and what the game adds; only at the end.")
      .def_prop_ro("key", &AnyState::key, "Identity of the position, for transposition tables.")
      .def("view", &AnyState::view, "player"_a, "What this player may know.")
      .def("evaluate", &AnyState::evaluate, "evaluation"_a, "player"_a, "The game's own estimate of this position.")
      .def(
          "position", [](const AnyState& s) { return to_python(s.save()); },
          nb::sig("def position(self) -> dict[str, typing.Any]"), "The position as plain values; Game.load() reads it.")
      .def("seen", &AnyState::seen, "Keys of earlier positions that a repetition could meet.")
      .def(
          "__reduce__",
          [](const AnyState& s) {
            const auto chance = s.chance();
            return nb::make_tuple(registry("restore_state"),
                                  nb::make_tuple(s.game(), to_python(s.start()), s.start_seen(), s.history(),
                                                 chance ? nb::cast(chance->words()) : nb::none()));
          },
          nb::sig("def __reduce__(self) -> tuple[typing.Any, ...]"))
      .def(
          "set_chance",
          [](AnyState& s, const std::array<std::uint64_t, 4>& words) {
            Rng rng;
            rng.set_words(words);
            s.set_chance(rng);
          },
          "words"_a, "From here on resolve chance moves from a generator with this inner state; unpickling uses it.")
      .def("__str__", &AnyState::text);
  install_hot_calls(type);
}

void bind_view(nb::module_& m) {
  nb::class_<AnyView>(m, "View", "Exactly what one player may know.")
      .def_prop_ro("game", &AnyView::game, "The game it belongs to.")
      .def_prop_ro("observer", &AnyView::observer, "The player whose view it is.")
      .def_prop_ro("player", &AnyView::player,
                   "Whose turn it is, if the observer knows it: a player, CHANCE, TERMINAL or SOMEBODY.")
      .def("legal", &AnyView::legal, "The observer's legal actions; empty if the observer is not to move.")
      .def(
          "name", [](const AnyView& v, std::int64_t a) { return v.name(as_action(a)); }, "action"_a,
          "One of the observer's actions in words.")
      .def(
          "kind", [](const AnyView& v, std::int64_t a) { return v.kind(as_action(a)).name; }, "action"_a,
          "What one of the observer's actions is: the name of one of `game.info.kinds`.")
      .def(
          "amount", [](const AnyView& v, std::int64_t a) { return v.amount(as_action(a)); }, "action"_a,
          "How much, for actions whose kind has a unit; None for others.")
      .def_prop_ro("phase", &AnyView::phase, "The phase of the game as the observer knows it; `over` at the end.")
      .def("choices", &AnyView::choices, "The observer's legal actions as State.choices() groups them.")
      .def("parse", &AnyView::parse, "text"_a, "The observer's legal action that the text names.")
      .def(
          "fields", [](const AnyView& v) { return to_python(v.save()); },
          nb::sig("def fields(self) -> dict[str, typing.Any]"), "All of it as plain values; Game.load_view() reads it.")
      .def_prop_ro(
          "key", [](const AnyView& v) { return key_text(v.save()); },
          "The information state as text: equal views have equal keys, others differ.")
      .def(
          "to_json",
          [](const AnyView& v) {
            nb::dict d;
            d["schema"] = 1;
            d["game"] = json_of(v.game()->origin);
            d["view"] = to_python(v.save());
            return d;
          },
          nb::sig("def to_json(self) -> dict[str, typing.Any]"), "View and game; games.view_from_json() reads it.")
      .def("tensor", &tensor_of, nb::sig("def tensor(self) -> numpy.typing.NDArray[numpy.float32]"),
           "The information state as numbers.")
      .def("draw", &AnyView::draw, "seed"_a, "A number of 64 bits that depends on the seed and the view alone.")
      .def("sample", &AnyView::sample, "seed"_a = 0,
           "A full state that the observer cannot tell from the true one, drawn with its probability.")
      .def("beliefs", &beliefs_of, nb::sig("def beliefs(self) -> dict[str, typing.Any]"),
           "What the view says about hidden cards, exactly: the number of deals, for each card the probability that a "
           "seat holds it (cards) and the copies expected there (copies), and what else the game knows.")
      .def(
          "public", [](const AnyView& v) { return to_python(v.public_facts()); },
          nb::sig("def public(self) -> dict[str, typing.Any]"),
          "What everybody knows, by the rules: the same in the views of all seats. The game's page says what is in it.")
      .def(
          "outline",
          [](const AnyView& v, bool with_public) {
            Fields told = v.outline();
            if (with_public) told.emplace_back("public", v.public_facts());
            return to_python(told);
          },
          "public"_a = true, nb::sig("def outline(self, public: bool = True) -> dict[str, typing.Any]"),
          "What the rules say about a view with hidden parts: the observer's hand, more that the game's page lists, "
          "and "
          "`public` as above unless it is not wanted.")
      .def("if_asked", &AnyView::if_asked,
           "This view as if the observer were asked now in a secret round; None if it has nothing to say.")
      .def("unasked", &AnyView::unasked, "This view without whether anybody is being asked in a secret round.")
      .def(
          "rule_of_thumb",
          [](const AnyView& v) {
            if (v.player() != v.observer()) {
              throw IllegalAction("player " + std::to_string(v.observer()) + " is not to move");
            }
            return v.rule_of_thumb();
          },
          "What a sensible player without search would do.")
      .def(
          "__eq__",
          [](const AnyView& a, nb::handle b) {
            return nb::isinstance<AnyView>(b) && a.equals(nb::cast<const AnyView&>(b));
          },
          "other"_a.none(), nb::sig("def __eq__(self, other: object) -> bool"))
      .def("__hash__", [](const AnyView& v) { return nb::hash(nb::cast(key_text(v.save()))); })
      .def(
          "__reduce__",
          [](const AnyView& v) {
            return nb::make_tuple(registry("restore_view"), nb::make_tuple(v.game(), to_python(v.save())));
          },
          nb::sig("def __reduce__(self) -> tuple[typing.Any, ...]"))
      .def("__str__", &AnyView::text);
}

}  // namespace

// Small whole numbers come from the interpreter's cache, so this is the quickest way to a list. A new reference.
PyObject* new_action_list(const AnyState& state) {
  constexpr int kSmall = 64;
  Action small[kSmall];
  std::vector<Action> large;
  Action* actions = small;
  if (const int most = state.info().max_legal; most > kSmall) {
    large.resize(static_cast<std::size_t>(most));
    actions = large.data();
  }
  const int n = state.legal(actions);
  PyObject* list = PyList_New(n);
  if (list == nullptr) throw nb::python_error();
  for (int i = 0; i < n; ++i) PyList_SET_ITEM(list, i, PyLong_FromLong(actions[i]));
  return list;
}

void bind_games(nb::module_& m) {
  bind_game(m);
  bind_state(m);
  bind_view(m);
  m.def(
      "game_names",
      [] {
        std::vector<std::string> names;
        for (const auto& k : kinds()) names.push_back(k.name);
        return names;
      },
      "Names of the compiled games.");
  m.def(
      "make_game",
      [](const std::string& name, const std::string& preset, nb::handle params, std::string origin) {
        const auto& k = kind(name);
        auto game = k.make(resolve_parameters(k.parameters, k.presets, preset, to_fields<ParameterError>(params)));
        game->origin = std::move(origin);
        return game;
      },
      "name"_a, "preset"_a, "params"_a, "origin"_a,
      nb::sig("def make_game(name: str, preset: str, params: dict[str, typing.Any], origin: str) -> Game"),
      "Builds a compiled game.");
  m.def(
      "make_python_game",
      [](nb::object kernel, const nb::dict& info, nb::handle params, std::string origin) {
        auto game = box_python_game(std::make_shared<const python::Game>(std::move(kernel), info_from(info)),
                                    to_fields<ParameterError>(params));
        game->origin = std::move(origin);
        return game;
      },
      "kernel"_a, "info"_a, "params"_a, "origin"_a,
      nb::sig("def make_python_game(kernel: object, info: dict[str, typing.Any], params: dict[str, typing.Any], "
              "origin: str) -> Game"),
      "Wraps a game written in Python.");
}

}  // namespace kiebitz::bind
