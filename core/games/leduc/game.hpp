// Leduc hold'em (Southey et al. 2005) for two players: one private card each, a betting round, one public card, a
// second betting round, showdown. The preset `standard` (ante 1 each, raises of 2 and 4) is the game of the literature,
// `thesis` has blinds of 0.5 and 1 and raises of 1. Seat 0 acts first in both rounds. Actions: 0 fold (only when
// something is owed), 1 call or check, 2 raise or bet; at the deal, the card: rank * suits + suit. A private card of
// the public card's rank beats all others, then the higher rank wins; equal ranks share.
#pragma once

#include "games/leduc/state.hpp"
#include "games/leduc/view.hpp"
