// CAP in Doppelkopf (specification 7.3): DK-51 its worlds are consistent, DK-52 it reaches every deal.
#include <doctest/doctest.h>

#include <set>
#include <string>

#include "doppelkopf_worlds.hpp"

using namespace kiebitz;
using namespace kiebitz::doppelkopf;
using namespace kiebitz::doppelkopf_test;

TEST_CASE("DK-51: CAP is consistent on 100,000 information sets, in both variants") {
  Rng rng(15);
  positions(100'000 / kShare, 15, 4, [&](const Game& game, const State& state, int observer) {
    const View view = state.view(observer);
    for (const Belief belief : {Belief::cap, Belief::cap_random}) {
      const State world = Sampler(game, view, belief).draw(rng);
      const std::string broken = inconsistency(view, world);
      REQUIRE_MESSAGE(broken.empty(), broken << "\n" << world.text());
    }
  });
}

TEST_CASE("DK-52: CAP reaches every deal of small endgames, in both variants, and no other") {
  int several = 0;
  positions(10'000 / kShare, 16, 17, [&](const Game& game, const State& state, int observer) {
    const int left = game.rules().deck() - state.table().cards;
    if (left > 8) return;
    const View view = state.view(observer);
    const DealForms weights = brute_force(game, view);
    several += weights.size() > 1 ? 1 : 0;
    for (const Belief belief : {Belief::cap, Belief::cap_random}) {
      Sampler sampler(game, view, belief);
      Rng rng(16);
      std::set<Hands> seen;
      for (int i = 0; i < 50'000 && seen.size() < weights.size(); ++i) {
        const Hands hands = hidden_hands(sampler.draw(rng), observer);
        REQUIRE(weights.contains(hands));
        seen.insert(hands);
      }
      REQUIRE(seen.size() == weights.size());
    }
  });
  CHECK(several > 0);
}
