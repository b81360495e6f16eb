// Genscher in Doppelkopf: what a change of partners tells the four seats, exactly.
#include <doctest/doctest.h>

#include "doppelkopf_worlds.hpp"

using namespace kiebitz;
using namespace kiebitz::doppelkopf;
using namespace kiebitz::doppelkopf_test;

namespace {

// A normal game in which a seat has both diamond kings and plays them when it can: visit(state) at every decision.
template <class Visit>
void kings_game(const Game& game, Rng& rng, Visit&& visit) {
  State state = dealt(game, rng);
  const auto both = [&] {
    for (int seat = 0; seat < kSeats; ++seat) {
      if (copies(state.hand(seat), kDiamondKing) == 2) return true;
    }
    return false;
  };
  while (!both()) state = dealt(game, rng);
  while (state.player() != kTerminal) {
    visit(std::as_const(state));
    Action action = state.random_legal(rng);
    if (state.phase() == Phase::reservation) action = reservation_action(kHealthy);
    if (state.phase() == Phase::call && rng.below(6) != 0) action = kPass;
    if (state.phase() == Phase::card && (state.playable() >> kDiamondKing & 1) != 0) action = kDiamondKing;
    state.apply(action);
  }
  visit(std::as_const(state));
}

Game with_genscher(int i) { return make({{"genscher", true}, {"piglets", i % 2 == 0}, {"nines", i % 3 != 0}}); }

}  // namespace

TEST_CASE("genscher: worlds of every belief explain the view, and parties are settled once nobody can change them") {
  Rng rng(5);
  int chosen = 0;
  for (int i = 0; i < 120 / kShare; ++i) {
    const Game game = with_genscher(i);
    bool settled = false;
    unsigned re = 0;
    kings_game(game, rng, [&](const State& state) {
      if (settled) REQUIRE(state.re() == re);
      settled = state.settled();
      re = state.re();
      const bool asked = state.phase() == Phase::genscher;
      if (!asked && rng.below(10) != 0) return;
      chosen += state.table().genscher > 0 ? 1 : 0;
      check_beliefs(game, state, rng);
    });
  }
  CHECK(chosen > 100 / kShare);
}

TEST_CASE("genscher: the deals that are counted equal brute force on late positions") {
  Rng rng(6);
  std::size_t deals = 0;
  for (int i = 0; i < 120 / kShare; ++i) {
    const Game game = with_genscher(i);
    kings_game(game, rng, [&](const State& state) {
      const int left = game.rules().deck() - state.table().cards;
      if (state.table().genscher <= 0 || left > 12 || state.phase() != Phase::card || rng.below(4) != 0) return;
      deals += check_counter(game, state.view(static_cast<int>(rng.below(kSeats))));
    });
  }
  CHECK(deals > 100);
}
