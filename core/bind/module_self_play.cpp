// Games of an evaluator against itself for Python, as arrays.
#include <nanobind/ndarray.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bind/any.hpp"
#include "bind/arrays.hpp"
#include "bind/evaluator.hpp"
#include "bind/module.hpp"
#include "bind/search_options.hpp"
#include "bind/stoppable.hpp"

namespace kiebitz::bind {

using namespace nb::literals;
using namespace kiebitz::search;

namespace {

constexpr std::int64_t kMostGames = 1 << 20;

// Rows of so many numbers each.
template <class T>
nb::object table_of(std::vector<T> numbers, std::size_t columns) {
  auto* const own = new std::vector<T>(std::move(numbers));
  nb::capsule owner(own, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<2>>(own->data(), {own->size() / columns, columns}, owner));
}

nb::dict dict_of(PlayedGames played, const GameInfo& info) {
  const auto actions = static_cast<std::size_t>(info.actions);
  const auto players = static_cast<std::size_t>(info.players);
  nb::dict d;
  d["tensors"] = table_of(std::move(played.tensors), static_cast<std::size_t>(info.tensor_size));
  d["legal"] = table_of(std::move(played.legal), actions);
  d["policy"] = table_of(std::move(played.policy), actions);
  d["outcome"] = table_of(std::move(played.outcome), players);
  d["expected"] = table_of(std::move(played.expected), players);
  d["full"] = array_of(std::move(played.full));
  d["movers"] = array_of(std::move(played.movers));
  d["plies"] = array_of(std::move(played.plies));
  d["games"] = array_of(std::move(played.games));
  d["returns"] = table_of(std::move(played.returns), players);
  d["lengths"] = array_of(std::move(played.lengths));
  d["simulations"] = played.simulations;
  d["judged"] = played.judged;
  return d;
}

std::string self_play_signature() {
  const std::string options = signature<SelfPlayOptions>("");  // def __init__(self, , *, ...) -> None
  const std::size_t from = options.find("*,");
  return "def self_play(game: Game, evaluator: Evaluator | collections.abc.Callable[..., typing.Any], games: int, "
         "seed: int = 0, stop: StopToken | None = None, " +
         options.substr(from, options.rfind(')') - from) + ") -> dict[str, typing.Any] | None";
}

}  // namespace

void bind_self_play(nb::module_& m) {
  m.def(
      "self_play",
      [](const AnyGame& game, nb::object evaluator, std::int64_t games, std::uint64_t seed, const StopToken* stop,
         const nb::kwargs& given) -> nb::object {
        if (games < 1 || games > kMostGames) {
          throw ParameterError("games: expected 1 to " + std::to_string(kMostGames) + ", got " + std::to_string(games));
        }
        if (game.info().tensor_size == 0) throw UnsuitableGame("self_play: " + game.info().name + " has no tensor");
        const auto options = read_options<SelfPlayOptions>(given);
        const HeldEvaluator held(std::make_shared<nb::object>(std::move(evaluator)));
        PlayedGames played = run_stoppable(game.needs_interpreter(), stop, [&](Stop& s) {
          return game.self_play(options, held, seed, static_cast<int>(games), s);
        });
        if (played.stopped) return nb::none();
        return dict_of(std::move(played), game.info());
      },
      "game"_a, "evaluator"_a, "games"_a, "seed"_a = 0, "stop"_a.none() = nb::none(), "options"_a,
      nb::sig(self_play_signature().c_str()),
      "Games of an evaluator against itself with a tree search, one row for each decision, in a game without hidden "
      "information; None if it was stopped. Arrays: `tensors`, `legal` and `policy` (the search's improvement) of the "
      "mover; payoffs at the end (`outcome`) and as the search `expected` them, the mover's first; whether the search "
      "was `full`; `movers`, `plies` and `games`; and for each game `returns` and `lengths`. Game number n depends on "
      "the seed, on n and on the evaluator, and not on slots, threads or other games.");
}

}  // namespace kiebitz::bind
