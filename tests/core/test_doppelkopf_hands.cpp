// Hands from elsewhere: every world that they make explains the view by replaying, whatever the owners are, and the
// hands of a world that does are never refused.
#include <doctest/doctest.h>

#include <optional>
#include <vector>

#include "doppelkopf_worlds.hpp"
#include "search/worlds.hpp"

using namespace kiebitz;
using namespace kiebitz::doppelkopf_test;

namespace {

std::vector<std::int8_t> owners_of(const Game& game, const State& state) {
  std::vector<std::int8_t> out(game.pack().size());
  state.owners(out.data());
  return out;
}

std::optional<State> built(const Game& game, const View& view, const std::vector<std::int8_t>& owners, Rng& rng) {
  try {
    return game.world(view, owners.data(), rng);
  } catch (const ViewError&) {
    return std::nullopt;
  }
}

}  // namespace

TEST_CASE("hands: those of any world build it again, in every phase and under all rules") {
  Rng rng(31);
  positions(8'000 / kShare, 31, 5, [&](const Game& game, const State& state, int observer) {
    const View view = state.view(observer);
    for (const State& world : {state, Sampler(game, view, Belief::exact).draw(rng)}) {
      const State again = game.world(view, owners_of(game, world).data(), rng);
      for (int seat = 0; seat < kSeats; ++seat) REQUIRE(again.hand(seat) == world.hand(seat));
      REQUIRE(replays(game, view, again));
    }
  });
}

TEST_CASE("hands: what is changed in them is refused, or explains the view") {
  Rng rng(32);
  int refused = 0;
  int allowed = 0;
  positions(8'000 / kShare, 32, 5, [&](const Game& game, const State& state, int observer) {
    const View view = state.view(observer);
    auto owners = owners_of(game, Sampler(game, view, Belief::exact).draw(rng));
    const auto cards = static_cast<std::uint32_t>(owners.size());
    const auto any = [&] { return static_cast<std::int8_t>(static_cast<int>(rng.below(kSeats + 1)) - 1); };
    switch (rng.below(3)) {
      case 0:
        std::swap(owners[rng.below(cards)], owners[rng.below(cards)]);
        break;
      case 1:
        owners[rng.below(cards)] = any();
        break;
      default:
        for (auto& owner : owners) owner = any();
    }
    const auto world = built(game, view, owners, rng);
    if (world) REQUIRE(replays(game, view, *world));
    ++(world ? allowed : refused);
  });
  CHECK(refused > 1000 / kShare);
  CHECK(allowed > 100 / kShare);
}

TEST_CASE("hands: rows are refused by number, and owners that are no seats") {
  Rng rng(33);
  const Game game = make();
  const State state = dealt(game, rng);
  const View view = state.view(0);
  auto rows = owners_of(game, state);
  const auto one = rows;
  rows.insert(rows.end(), one.begin(), one.end());
  CHECK(search::worlds_of(game, view, rows, 1).size() == 2);
  const auto refusal = [&](std::size_t place, std::int8_t owner) {
    auto bad = rows;
    bad[place] = owner;
    try {
      search::worlds_of(game, view, bad, 1);
    } catch (const ParameterError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refusal(60, 4) == "hands: row 1: expected owners from -1 (nobody) to 3, got 4");
  CHECK(refusal(3, -2) == "hands: row 0: expected owners from -1 (nobody) to 3, got -2");
  CHECK(refusal(48, one[0] == 0 ? 1 : 0) == "hands: row 1: the observer's own hand is another one");
}
