// Poverty in Doppelkopf: what the exchange tells the four seats, exactly, from the first answer to the last trick.
#include <doctest/doctest.h>

#include "doppelkopf_worlds.hpp"

using namespace kiebitz;
using namespace kiebitz::doppelkopf;
using namespace kiebitz::doppelkopf_test;

namespace {

// A game in which a poor hand found a partner, or looks for one: visit(state) at every decision and at the end.
template <class Visit>
void poor_game(const Game& game, Rng& rng, Visit&& visit) {
  State state = dealt(game, rng);
  const auto poor = [&] {
    return is_poor(state.hand(0)) || is_poor(state.hand(1)) || is_poor(state.hand(2)) || is_poor(state.hand(3));
  };
  while (!poor()) state = dealt(game, rng);
  while (state.player() != kTerminal) {
    visit(std::as_const(state));
    Action action = state.random_legal(rng);
    if (state.phase() == Phase::reservation) action = reservation_action(state.may_say(kPoverty) ? kPoverty : kHealthy);
    if (state.phase() == Phase::call && rng.below(10) != 0) action = kPass;
    state.apply(action);
  }
  visit(std::as_const(state));
}

Game with_poverty(int i) { return make({{"poverty", true}, {"piglets", i % 2 == 0}, {"nines", i % 3 != 0}}); }

}  // namespace

TEST_CASE("poverty: worlds of every belief explain the view, at every decision and for every seat") {
  Rng rng(3);
  int exchanging = 0;
  for (int i = 0; i < 60 / kShare; ++i) {
    const Game game = with_poverty(i);
    poor_game(game, rng, [&](const State& state) {
      const bool early = state.phase() > Phase::over;
      if (!early && rng.below(10) != 0) return;
      exchanging += early ? 1 : 0;
      check_beliefs(game, state, rng);
    });
  }
  CHECK(exchanging > 100 / kShare);
}

TEST_CASE("poverty: the deals that are counted equal brute force on late positions") {
  Rng rng(4);
  std::size_t deals = 0;
  for (int i = 0; i < 120 / kShare; ++i) {
    const Game game = with_poverty(i);
    poor_game(game, rng, [&](const State& state) {
      const int left = game.rules().deck() - state.table().cards;
      if (state.table().exchange_partner() < 0 || left > 12 || state.phase() != Phase::card || rng.below(4) != 0)
        return;
      deals += check_counter(game, state.view(static_cast<int>(rng.below(kSeats))));
    });
  }
  CHECK(deals > 100);
}
