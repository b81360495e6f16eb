// Many games side by side for Python: the arrays of core/env/batch.hpp as NumPy arrays that share its memory.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <optional>

#include "base/guard.hpp"
#include "bind/any.hpp"
#include "bind/arrays.hpp"
#include "bind/module.hpp"
#include "bind/stoppable.hpp"
#include "env/batch.hpp"

namespace kiebitz::bind {

namespace nb = nanobind;
using namespace nb::literals;

namespace {

constexpr std::int64_t kMostBytes = std::int64_t{8} << 30;

using Numbers = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Rows = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// What Python holds.
class SharedBatch {
 public:
  SharedBatch(const AnyGame& game, std::int64_t games, const std::string& gains) {
    const GameInfo& info = game.info();
    const auto found = std::ranges::find(info.evaluations, gains);
    if (!gains.empty() && found == info.evaluations.end()) {
      std::string known;
      for (const std::string& name : info.evaluations) known += (known.empty() ? "" : ", ") + name;
      throw UnknownName("gains: expected an evaluation of " + info.name + " (" +
                        (known.empty() ? "it has none" : known) + "), got '" + excerpt(gains) + "'");
    }
    const std::int64_t row = 4 * std::int64_t{info.tensor_size} + info.actions + 24 * info.players + 4 * info.max_legal;
    if (games < 1) throw ParameterError("games: expected at least 1, got " + std::to_string(games));
    if (games > kMostBytes / (row + 256)) {
      throw LimitError("games: " + std::to_string(games) + " games of " + info.name + " need more than 8 GB");
    }
    batch_ = game.batch(static_cast<int>(games));
    if (!gains.empty()) batch_->watch(static_cast<int>(found - info.evaluations.begin()));
  }

  env::Batch& batch() { return *batch_; }
  void reset(std::uint64_t seed) {
    run([&] { batch_->reset(seed); });
  }
  nb::tuple place() {
    const Guard::Alone alone(guard_);
    env::Batch::Place at = batch_->place();
    return nb::make_tuple(at.seed, array_of(std::move(at.episodes)), array_of(std::move(at.counts)),
                          array_of(std::move(at.actions)));
  }
  void go(std::uint64_t seed, const Numbers& episodes, const Numbers& counts, const Numbers& actions) {
    const auto copied = [](const Numbers& from) {
      return std::vector<std::int64_t>(from.data(), from.data() + from.shape(0));
    };
    const env::Batch::Place at{seed, copied(episodes), copied(counts), copied(actions)};
    run([&] { batch_->go(at); });
  }
  void step(const Numbers& actions, const std::optional<Rows>& rows) {
    if (actions.shape(0) != static_cast<std::size_t>(batch_->games)) {
      throw ParameterError("actions: expected " + std::to_string(batch_->games) + " of them, got " +
                           std::to_string(actions.shape(0)));
    }
    // Copied: they are checked before they are played, and another thread could change them in between.
    const std::vector<std::int64_t> own(actions.data(), actions.data() + actions.shape(0));
    const std::vector<std::uint8_t> moving = rows ? copied(*rows) : std::vector<std::uint8_t>();
    run([&] { batch_->step(own.data(), rows ? moving.data() : nullptr); });
  }
  void restart(const Rows& rows) {
    const std::vector<std::uint8_t> own = copied(rows);
    run([&] { batch_->restart(own.data()); });
  }

 private:
  template <class Work>
  void run(Work work) {
    const Guard::Alone alone(guard_);
    if (batch_->needs_interpreter()) {
      const NativeCall call;
      work();
    } else {
      run_unlocked(work);
    }
  }

  std::vector<std::uint8_t> copied(const Rows& rows) const {
    if (rows.shape(0) != static_cast<std::size_t>(batch_->games)) {
      throw ParameterError("rows: expected a truth value for each of " + std::to_string(batch_->games) +
                           " games, got " + std::to_string(rows.shape(0)));
    }
    return {rows.data(), rows.data() + rows.shape(0)};
  }

  std::unique_ptr<env::Batch> batch_;
  Guard guard_;
};

template <class T, class V>
nb::ndarray<nb::numpy, T> array(nb::handle self, V env::Batch::*member, int columns) {
  static_assert(sizeof(T) == sizeof(typename V::value_type));
  env::Batch& batch = nb::cast<SharedBatch&>(self).batch();
  const std::size_t shape[] = {static_cast<std::size_t>(batch.games), static_cast<std::size_t>(columns)};
  auto* data = reinterpret_cast<T*>((batch.*member).data());
  return nb::ndarray<nb::numpy, T>(data, columns < 0 ? 1 : 2, shape, self);
}

const GameInfo& info_of(nb::handle self) { return nb::cast<SharedBatch&>(self).batch().info; }

}  // namespace

void bind_env(nb::module_& m) {
  nb::class_<SharedBatch>(m, "Batch", "Many games of one kind side by side; use it through kiebitz.env.VectorEnv.")
      .def(nb::init<const AnyGame&, std::int64_t, const std::string&>(), "game"_a, "games"_a, "gains"_a = "",
           "`gains` names the evaluation of which the array of that name speaks.")
      .def("reset", &SharedBatch::reset, "seed"_a, "Starts all games anew.")
      .def("step", &SharedBatch::step, "actions"_a.noconvert(), "rows"_a.noconvert().none() = nb::none(),
           nb::sig("def step(self, actions: numpy.typing.NDArray[numpy.int64], "
                   "rows: numpy.typing.NDArray[numpy.bool_] | None = None) -> None"),
           "Plays one action in each game, or in those of `rows`; refuses all of them if one is illegal.")
      .def("restart", &SharedBatch::restart, "rows"_a.noconvert(),
           nb::sig("def restart(self, rows: numpy.typing.NDArray[numpy.bool_]) -> None"),
           "Gives games up: the next ones begin in their rows.")
      .def("place", &SharedBatch::place,
           nb::sig("def place(self) -> tuple[int, numpy.typing.NDArray[numpy.int64], "
                   "numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64]]"),
           "Where all games are: the seed, and for each row its episode, how many actions and which.")
      .def("go", &SharedBatch::go, "seed"_a, "episodes"_a, "counts"_a, "actions"_a,
           nb::sig("def go(self, seed: int, episodes: numpy.typing.NDArray[numpy.int64], "
                   "counts: numpy.typing.NDArray[numpy.int64], actions: numpy.typing.NDArray[numpy.int64]) -> None"),
           "Goes to such a place.")
      .def_prop_ro(
          "observation",
          [](nb::handle self) { return array<float>(self, &env::Batch::observation, info_of(self).tensor_size); },
          nb::sig("def observation(self) -> numpy.typing.NDArray[numpy.float32]"))
      .def_prop_ro(
          "mask", [](nb::handle self) { return array<std::int8_t>(self, &env::Batch::mask, info_of(self).actions); },
          nb::sig("def mask(self) -> numpy.typing.NDArray[numpy.int8]"))
      .def_prop_ro(
          "player", [](nb::handle self) { return array<std::int32_t>(self, &env::Batch::player, -1); },
          nb::sig("def player(self) -> numpy.typing.NDArray[numpy.int32]"))
      .def_prop_ro(
          "rewards", [](nb::handle self) { return array<double>(self, &env::Batch::rewards, info_of(self).players); },
          nb::sig("def rewards(self) -> numpy.typing.NDArray[numpy.float64]"))
      .def_prop_ro(
          "done", [](nb::handle self) { return array<bool>(self, &env::Batch::done, -1); },
          nb::sig("def done(self) -> numpy.typing.NDArray[numpy.bool_]"))
      .def_prop_ro(
          "gains", [](nb::handle self) { return array<double>(self, &env::Batch::gains, info_of(self).players); },
          nb::sig("def gains(self) -> numpy.typing.NDArray[numpy.float64]"))
      .def_prop_ro(
          "episode", [](nb::handle self) { return array<std::int64_t>(self, &env::Batch::episode, -1); },
          nb::sig("def episode(self) -> numpy.typing.NDArray[numpy.int64]"))
      .def_prop_ro(
          "seed", [](nb::handle self) { return array<std::uint64_t>(self, &env::Batch::seed, -1); },
          nb::sig("def seed(self) -> numpy.typing.NDArray[numpy.uint64]"));
}

}  // namespace kiebitz::bind
