// Positions that need no search, for Python: the endgame table of Oware, and proofs where it has bounds only.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "bind/any.hpp"
#include "bind/guarded.hpp"
#include "bind/module.hpp"
#include "bind/stoppable.hpp"
#include "players/oware/proof.hpp"

namespace kiebitz::bind {
namespace {

using namespace nb::literals;
using oware::Endgame;
using oware::Ending;

using SharedProver = Guarded<oware::Prover>;
using Found = std::optional<std::tuple<int, int, int>>;

oware::Game rules_of(const AnyGame& game) {
  if (game.info().name != "oware") throw UnsuitableGame("endgame table: expected oware, got " + game.info().name);
  return oware::Game(game.parameters());
}

Found found(const Ending* ending) {
  if (ending == nullptr) return std::nullopt;
  return std::tuple<int, int, int>{ending->low, ending->high, ending->move};
}

Found at(const Endgame& table, const std::vector<int>& pits) {
  if (pits.size() != oware::kPits || std::ranges::any_of(pits, [](int n) { return n < 0 || n > oware::kMaxSeeds; })) {
    throw PositionError("pits: expected twelve numbers of seeds, those of the player to move first");
  }
  std::array<int, oware::kPits> array{};
  std::ranges::copy(pits, array.begin());
  return found(table.find(array));
}

void check_rules(const Endgame& table, const oware::Game& game) {
  if (Endgame::kind_of(game.rules()) == table.kind()) return;
  throw UnsuitableGame("endgame table: it was built for other rules than the state's");
}

Found find(const Endgame& table, const AnyState& state) {
  check_rules(table, rules_of(*state.game()));
  if (state.player() < 0) return std::nullopt;
  const Fields fields = state.save();
  const auto pits =
      FieldReader<PositionError>(fields).integers("pits", 0, oware::kMaxSeeds, oware::kPits, oware::kPits);
  std::array<int, oware::kPits> array{};
  const auto turned = static_cast<std::size_t>(state.player() * oware::kRow);
  for (std::size_t i = 0; i < oware::kPits; ++i) array[i] = static_cast<int>(pits[(i + turned) % oware::kPits]);
  return found(table.find(array));
}

std::tuple<int, int, std::int64_t> at_least(SharedProver& shared, const AnyState& state, int goal, std::int64_t nodes,
                                            double seconds, const StopToken* stop) {
  const auto prover = shared.use();
  const oware::Game game = rules_of(*state.game());
  check_rules(prover->table(), game);
  if (!find(prover->table(), state)) throw PositionError("proof: the position is not in the endgame table");
  const oware::State start = game.load(state.save());
  const std::vector<std::uint64_t> seen = state.seen();
  const auto proof =
      run_stoppable(false, stop, [&](Stop& s) { return prover->at_least(goal, start, seen, nodes, seconds, s); });
  return {proof.sure, proof.move, proof.nodes};
}

nb::bytes data_of(const Endgame& table) {
  const auto entries = table.entries();
  return nb::bytes(reinterpret_cast<const char*>(entries.data()), entries.size_bytes());
}

void load(Endgame& table, const nb::bytes& data) {
  if (data.size() % sizeof(Ending) != 0) throw PositionError("endgame table: expected whole entries");
  std::vector<Ending> entries(data.size() / sizeof(Ending));
  std::memcpy(entries.data(), data.c_str(), data.size());
  table.load(entries);
}

}  // namespace

void bind_endgame(nb::module_& m) {
  nb::class_<AnyKnown>(m, "Known", "Positions that need no search: AlphaBeta(..., known=...).");

  nb::class_<Endgame, AnyKnown>(m, "OwareEndgame", "What positions of Oware with few seeds are worth.")
      .def(
          "__init__", [](Endgame* self, const AnyGame& game) { new (self) Endgame(rules_of(game)); }, "game"_a)
      .def_prop_ro("seeds", &Endgame::seeds, "The table has all positions with up to this many seeds; -1: none.")
      .def("__len__", [](const Endgame& table) { return table.entries().size(); })
      .def(
          "extend",
          [](Endgame& table, const StopToken* stop) {
            return run_stoppable(false, stop, [&](Stop& s) { return table.extend(s); });
          },
          "stop"_a.none() = nb::none(), "Adds the positions with one seed more; false if it was stopped.")
      .def(
          "find", &find, "state"_a,
          "For the player to move: the seeds gained at least and at most, and the move for the least; None if unknown.")
      .def("at", &at, "pits"_a, "The same for twelve pits, those of the player to move first.")
      .def("data", &data_of, "All entries, for a file.")
      .def("load", &load, "data"_a, "Takes over entries that data() gave, into an empty table.");

  nb::class_<SharedProver>(m, "OwareProver", "Proves what endings are worth when a repeated position ends the game.")
      .def(
          "__init__",
          [](SharedProver* self, std::shared_ptr<const Endgame> table) {
            new (self) SharedProver(std::in_place, std::move(table));
          },
          "table"_a)
      .def("at_least", &at_least, "state"_a, "goal"_a, "nodes"_a = 0, "seconds"_a = 0.0, "stop"_a.none() = nb::none(),
           "Can the player to move force a gain of `goal` seeds more than the opponent, given all moves so far? "
           "1: yes, and a move for it; -1: no; 0: not found out within the limits (0: none); and the positions looked "
           "at.");
}

}  // namespace kiebitz::bind
