// Doppelkopf, all of it: rules (state.hpp), what a table shows (table.hpp), hidden deals (beliefs.hpp), words and
// files.
#pragma once

#include "games/doppelkopf/beliefs.hpp"
#include "games/doppelkopf/encoding.hpp"
#include "games/doppelkopf/end.hpp"
#include "games/doppelkopf/hands.hpp"
#include "games/doppelkopf/load.hpp"
#include "games/doppelkopf/outline.hpp"
#include "games/doppelkopf/state.hpp"
#include "games/doppelkopf/text.hpp"
