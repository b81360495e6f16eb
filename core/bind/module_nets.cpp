// Evaluators for Python: functions of arrays become evaluators of the core, and those of the core can be asked
// directly.
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bind/any.hpp"
#include "bind/convert.hpp"
#include "bind/evaluator.hpp"
#include "bind/module.hpp"
#include "bind/stoppable.hpp"
#include "nets/cache.hpp"
#include "nets/net.hpp"
#include "nets/parts.hpp"
#include "nets/seat_nets.hpp"
#include "nets/seated.hpp"

namespace kiebitz::bind {

using namespace nb::literals;
using namespace kiebitz::nets;

namespace {

template <class T>
using Rows = nb::ndarray<nb::numpy, T, nb::ndim<2>, nb::c_contig>;
using GivenRows = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// A copy that Python may keep.
template <class T, std::size_t N>
nb::object copied(const T* numbers, const std::size_t (&shape)[N]) {
  std::size_t size = 1;
  for (const std::size_t n : shape) size *= n;
  auto* const own = new T[size];
  std::copy_n(numbers, size, own);
  nb::capsule owner(own, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T>(own, N, shape, owner));
}

// Anything that NumPy takes for numbers, as 32-bit floats side by side.
nb::object floats(nb::handle given, const std::string& what) {
  try {
    return nb::module_::import_("numpy").attr("ascontiguousarray")(given, "dtype"_a = "float32");
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_ValueError) && !error.matches(PyExc_TypeError)) throw;
    throw ParameterError(what + ", got " + excerpt(nb::repr(given).c_str()));
  }
}

void read_rows(nb::handle given, const char* name, std::size_t rows, std::size_t columns, std::vector<float>& out) {
  GivenRows array;
  const nb::object numbers = floats(given, std::string("evaluator: expected numbers as ") + name);
  if (!nb::try_cast(numbers, array) || array.shape(0) != rows || array.shape(1) != columns) {
    const nb::object shape = numbers.attr("shape");
    throw ParameterError(std::string("evaluator: expected ") + name + " as an array of " + std::to_string(rows) +
                         " x " + std::to_string(columns) + " numbers, got " + excerpt(nb::repr(shape).c_str()));
  }
  std::copy_n(array.data(), rows * columns, out.data());
}

void ask_function(const nb::object& function, const Positions& positions, Judgements& out) {
  const nb::gil_scoped_acquire lock;
  const std::size_t n = positions.count;
  const nb::object answer =
      function(copied(positions.tensors.data(), {n, positions.tensor_size}),
               copied(positions.legal.data(), {n, positions.actions}), copied(positions.movers.data(), {n}));
  if (!nb::isinstance<nb::tuple>(answer) || nb::len(answer) != 2) {
    throw ParameterError("evaluator: expected a pair (logits, values), got " + excerpt(nb::repr(answer).c_str()));
  }
  read_rows(answer[0], "logits", n, positions.actions, out.logits);
  read_rows(answer[1], "values", n, positions.players, out.values);
}

// A layer as a dictionary: kind, weights, bias, perhaps weights2, bias2 and relu.
LayerSpec layer_from(const nb::dict& given, const char* part) {
  LayerSpec out;
  const auto numbers = [&](const char* name, bool needed) {
    if (!given.contains(name)) {
      if (needed) throw ParameterError(std::string("net: expected '") + name + "' in each layer of the " + part);
      return std::vector<float>();
    }
    nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu> array;
    const nb::object flat = floats(given[name], std::string("net: expected numbers as ") + name).attr("ravel")();
    if (!nb::try_cast(flat, array)) throw ParameterError(std::string("net: expected numbers as ") + name);
    return std::vector<float>(array.data(), array.data() + array.shape(0));
  };
  if (!given.contains("kind") || !nb::isinstance<nb::str>(given["kind"])) {
    throw ParameterError(std::string("net: expected a 'kind' in each layer of the ") + part);
  }
  out.kind = text_value<ParameterError>(given["kind"]);
  out.weights = numbers("weights", true);
  out.bias = numbers("bias", true);
  out.weights2 = numbers("weights2", out.kind == "residual");
  out.bias2 = numbers("bias2", out.kind == "residual");
  if (given.contains("scale")) {
    double scale = 0;
    if (!nb::try_cast(given["scale"], scale)) throw ParameterError("net: expected a number as scale");
    out.scale = static_cast<float>(scale);
  }
  if (given.contains("relu")) {
    const nb::object relu = given["relu"];
    const int truth = PyObject_IsTrue(relu.ptr());
    if (truth < 0) throw nb::python_error();
    out.relu = truth == 1;
  }
  return out;
}

std::vector<LayerSpec> layers_from(const nb::sequence& given, const char* part) {
  std::vector<LayerSpec> out;
  for (nb::handle layer : given) {
    if (!nb::isinstance<nb::dict>(layer)) throw ParameterError("net: expected a dictionary for each layer");
    out.push_back(layer_from(nb::borrow<nb::dict>(layer), part));
  }
  return out;
}

// The state of players to move as rows of arrays.
Positions positions_of(const GameInfo& info, const GivenRows& tensors,
                       const nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>& legal,
                       const nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>& movers) {
  Positions out(info);
  const std::size_t n = tensors.shape(0);
  if (tensors.shape(1) != out.tensor_size || legal.shape(0) != n || legal.shape(1) != out.actions ||
      movers.shape(0) != n) {
    throw ParameterError("judge: expected tensors (n x " + std::to_string(out.tensor_size) + "), legal (n x " +
                         std::to_string(out.actions) + ") and movers (n)");
  }
  for (std::size_t row = 0; row < n; ++row) {
    if (movers.data()[row] < 0 || movers.data()[row] >= info.players) {
      throw ParameterError("judge: expected movers from 0 to " + std::to_string(info.players - 1) + ", got " +
                           std::to_string(movers.data()[row]));
    }
    out.add(movers.data()[row]);
    std::copy_n(tensors.data() + row * out.tensor_size, out.tensor_size, out.tensor(row));
    std::copy_n(legal.data() + row * out.actions, out.actions, out.allowed(row));
  }
  return out;
}

using GivenSeats = nb::ndarray<const float, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

void check_seats(const GivenSeats& array, const char* what, std::size_t seats, std::size_t numbers) {
  if (array.shape(0) == seats && array.shape(2) == numbers) return;
  throw ParameterError(std::string(what) + ": expected seats x rows x numbers with " + std::to_string(seats) +
                       " seats and " + std::to_string(numbers) + " numbers");
}

// The numbers of each layer, to read and to write.
// An array of each layer: seats x inputs x outputs, or seats x outputs for what a bias has one of.
nb::list layers_of(nb::handle_t<SeatNets> self, std::vector<float> SeatNets::Layer::*part, bool weights) {
  nb::list out;
  auto& nets = nb::cast<SeatNets&>(self);
  for (SeatNets::Layer& layer : nets.layers()) {
    const auto columns = static_cast<std::int64_t>(layer.columns);
    float* const data = (layer.*part).data();
    if (weights) {
      const std::size_t shape[] = {nets.seats(), layer.inputs, layer.outputs};
      const std::int64_t strides[] = {static_cast<std::int64_t>(layer.inputs) * columns, columns, 1};
      out.append(nb::ndarray<nb::numpy, float>(data, 3, shape, self, strides));
    } else {
      const std::size_t shape[] = {nets.seats(), layer.outputs};
      const std::int64_t strides[] = {columns, 1};
      out.append(nb::ndarray<nb::numpy, float>(data, 2, shape, self, strides));
    }
  }
  return out;
}

// The averages that Adam keeps.
nb::list averages_of(nb::handle_t<SeatNets> self) {
  nb::list out;
  if (!nb::cast<SeatNets&>(self).adam()) return out;
  using Layer = SeatNets::Layer;
  for (const auto& [part, weights] : {std::pair{&Layer::mean, true}, std::pair{&Layer::mean_bias, false},
                                      std::pair{&Layer::square, true}, std::pair{&Layer::square_bias, false}}) {
    out.extend(layers_of(self, part, weights));
  }
  return out;
}

void bind_seat_nets(nb::module_& m) {
  nb::class_<SeatNets>(m, "SeatNets", "Small dense networks that learn, one for each seat, all in one call.")
      .def(
          "__init__",
          [](SeatNets* self, std::vector<std::int64_t> sizes, std::int64_t seats, bool relu_output, bool adam) {
            constexpr std::int64_t kMost = 1 << 20;
            const bool good = std::ranges::all_of(sizes, [](std::int64_t size) { return size > 0 && size <= kMost; });
            if (sizes.size() < 2 || !good || seats < 1 || seats > 64) {
              throw ParameterError("sizes: expected at least two of 1 to 1,048,576, and 1 to 64 seats");
            }
            new (self) SeatNets({sizes.begin(), sizes.end()}, static_cast<std::size_t>(seats), relu_output, adam);
          },
          "sizes"_a, "seats"_a, "relu_output"_a = false, "adam"_a = false,
          nb::sig("def __init__(self, sizes: collections.abc.Sequence[int], seats: int, relu_output: bool = False, "
                  "adam: bool = False) -> None"))
      .def(
          "outputs",
          [](SeatNets& self, const GivenSeats& inputs) {
            check_seats(inputs, "inputs", self.seats(), self.inputs());
            const std::size_t rows = inputs.shape(1);
            std::vector<float> out(self.seats() * rows * self.outputs());
            self.outputs(inputs.data(), rows, out.data());
            return copied(out.data(), {self.seats(), rows, self.outputs()});
          },
          "inputs"_a,
          nb::sig("def outputs(self, inputs: numpy.typing.NDArray[numpy.float32]) -> "
                  "numpy.typing.NDArray[numpy.float32]"),
          "Inputs (seats x rows x numbers) to outputs; rows of seat s go through the weights of seat s.")
      .def(
          "say",
          [](SeatNets& self, const GivenRows& inputs,
             const nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>& seats) {
            const std::size_t rows = inputs.shape(0);
            if (inputs.shape(1) != self.inputs() || seats.shape(0) != rows) {
              throw ParameterError("inputs: expected rows of " + std::to_string(self.inputs()) +
                                   " numbers, and a seat for each");
            }
            for (std::size_t row = 0; row < rows; ++row) {
              if (seats.data()[row] < 0 || seats.data()[row] >= static_cast<std::int64_t>(self.seats())) {
                throw ParameterError("seats: expected numbers from 0 to " + std::to_string(self.seats() - 1));
              }
            }
            std::vector<float> out(rows * self.outputs());
            self.say(inputs.data(), seats.data(), rows, out.data());
            return copied(out.data(), {rows, self.outputs()});
          },
          "inputs"_a, "seats"_a,
          nb::sig("def say(self, inputs: numpy.typing.NDArray[numpy.float32], "
                  "seats: numpy.typing.NDArray[numpy.int64]) -> numpy.typing.NDArray[numpy.float32]"),
          "The same for rows in any order, each with its seat; `descend` does not follow it.")
      .def(
          "descend",
          [](SeatNets& self, const GivenSeats& slopes, float rate) {
            check_seats(slopes, "slopes", self.seats(), self.outputs());
            if (slopes.shape(1) != self.rows()) {
              throw ParameterError("slopes: expected " + std::to_string(self.rows()) +
                                   " rows, as in the outputs since the last step, got " +
                                   std::to_string(slopes.shape(1)));
            }
            self.descend(slopes.data(), rate);
          },
          "slopes"_a, "rate"_a,
          nb::sig("def descend(self, slopes: numpy.typing.NDArray[numpy.float32], rate: float) -> None"),
          "One step of gradient descent: `slopes` is the derivative of the loss by each of the last outputs.")
      .def_prop_ro(
          "weights", [](nb::handle_t<SeatNets> self) { return layers_of(self, &SeatNets::Layer::weights, true); },
          nb::sig("def weights(self) -> list[numpy.typing.NDArray[numpy.float32]]"),
          "Of each layer, seats x inputs x outputs: to read and to write.")
      .def_prop_ro(
          "biases", [](nb::handle_t<SeatNets> self) { return layers_of(self, &SeatNets::Layer::bias, false); },
          nb::sig("def biases(self) -> list[numpy.typing.NDArray[numpy.float32]]"), "Of each layer, seats x outputs.")
      .def_prop_ro("averages", &averages_of, nb::sig("def averages(self) -> list[numpy.typing.NDArray[numpy.float32]]"),
                   "What Adam keeps: averages of gradients and of their squares; nothing without it.")
      .def_prop_rw(
          "steps", &SeatNets::steps,
          [](SeatNets& nets, std::int64_t steps) {
            if (steps < 0) throw ParameterError("steps: expected at least 0, got " + std::to_string(steps));
            nets.set_steps(steps);
          },
          "Steps of learning so far, which Adam counts.");
}

}  // namespace

HeldEvaluator::HeldEvaluator(std::shared_ptr<nb::object> held) : held_(std::move(held)) {
  if (!nb::try_cast(*held_, native_) && PyCallable_Check(held_->ptr()) == 0) {
    throw ParameterError("evaluator: expected an Evaluator or a function, got " + excerpt(nb::repr(*held_).c_str()));
  }
}

void HeldEvaluator::judge(const Positions& positions, Judgements& out) const {
  if (!held_->is_valid()) throw Error("evaluator: it has been collected");
  if (native_ != nullptr) {
    native_->judge(positions, out);
  } else {
    ask_function(*held_, positions, out);
  }
}

void HeldEvaluator::check(const GameInfo& info) const {
  if (native_ != nullptr) native_->check(info);
}

void bind_nets(nb::module_& m) {
  nb::class_<Evaluator>(m, "Evaluator",
                        "Judges positions for a search: a logit for each action, a value for each player.")
      .def(
          "judge",
          [](const Evaluator& evaluator, const AnyGame& game, const GivenRows& tensors,
             const nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>& legal,
             const nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>& movers) {
            evaluator.check(game.info());
            const Positions positions = positions_of(game.info(), tensors, legal, movers);
            Judgements out;
            out.resize(positions);
            run_unlocked([&] {
              evaluator.judge(positions, out);
              return 0;
            });
            return nb::make_tuple(copied(out.logits.data(), {positions.count, positions.actions}),
                                  copied(out.values.data(), {positions.count, positions.players}));
          },
          "game"_a, "tensors"_a, "legal"_a, "movers"_a,
          nb::sig("def judge(self, game: Game, tensors: numpy.typing.NDArray[numpy.float32], "
                  "legal: numpy.typing.NDArray[numpy.uint8], movers: numpy.typing.NDArray[numpy.int32]) -> "
                  "tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32]]"),
          "Logits (rows x actions) and values (rows x players) of positions, as arrays.");

  nb::class_<Net, Evaluator>(m, "Net", "A network of dense layers and convolutions that the core computes.")
      .def(
          "__init__",
          [](Net* self, const AnyGame& game, const nb::sequence& trunk, const nb::sequence& policy,
             const nb::sequence& value, std::tuple<int, int, int> board) {
            const GameInfo& info = game.info();
            NetSpec spec;
            spec.game = info.name;
            spec.tensor_size = info.tensor_size;
            spec.actions = info.actions;
            spec.players = info.players;
            spec.low = info.min_payoff;
            spec.high = info.max_payoff;
            std::tie(spec.planes, spec.rows, spec.columns) = board;
            spec.trunk = layers_from(trunk, "trunk");
            spec.policy = layers_from(policy, "policy");
            spec.value = layers_from(value, "value");
            new (self) Net(std::move(spec));
            self->check(info);
          },
          "game"_a, "trunk"_a, "policy"_a, "value"_a, "board"_a = std::tuple<int, int, int>{0, 0, 0},
          nb::sig("def __init__(self, game: Game, trunk: collections.abc.Sequence[dict[str, typing.Any]], "
                  "policy: collections.abc.Sequence[dict[str, typing.Any]], "
                  "value: collections.abc.Sequence[dict[str, typing.Any]], "
                  "board: tuple[int, int, int] = (0, 0, 0)) -> None"));

  nb::class_<Seated, Evaluator>(m, "Seated", "Several evaluators, one for each seat.")
      .def(
          "__init__",
          [](Seated* self, std::vector<std::shared_ptr<const Evaluator>> seats) {
            if (std::ranges::find(seats, nullptr) != seats.end()) throw ParameterError("seats: expected evaluators");
            new (self) Seated(std::move(seats));
          },
          "seats"_a, nb::sig("def __init__(self, seats: collections.abc.Sequence[Evaluator]) -> None"));

  nb::class_<Parts, Evaluator>(m, "Parts", "The policy of one evaluator and the values of another.")
      .def(
          "__init__",
          [](Parts* self, std::shared_ptr<const Evaluator> policy, std::shared_ptr<const Evaluator> values) {
            new (self) Parts(std::move(policy), std::move(values));
          },
          "policy"_a.none() = nb::none(), "values"_a.none() = nb::none(),
          nb::sig("def __init__(self, policy: Evaluator | None = None, values: Evaluator | None = None) -> None"));

  nb::class_<Cache, Evaluator>(m, "Cache", "Remembers what another evaluator said of positions that come again.")
      .def(
          "__init__",
          [](Cache* self, nb::object evaluator, std::int64_t megabytes) {
            if (megabytes < 1 || megabytes > (1 << 20)) {
              throw ParameterError("megabytes: expected 1 to 1048576, got " + std::to_string(megabytes));
            }
            auto held = std::make_shared<nb::object>(std::move(evaluator));
            new (self)
                Cache(std::make_shared<HeldEvaluator>(std::move(held)), static_cast<std::uint64_t>(megabytes) << 20);
          },
          "evaluator"_a, "megabytes"_a = 64,
          nb::sig("def __init__(self, evaluator: Evaluator | collections.abc.Callable[..., typing.Any], "
                  "megabytes: int = 64) -> None"))
      .def_prop_ro("hits", &Cache::hits, "Positions that were known.")
      .def_prop_ro("misses", &Cache::misses, "Positions that had to be judged.");

  bind_seat_nets(m);
}

}  // namespace kiebitz::bind
