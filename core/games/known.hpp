// Positions whose outcome is known without search: what an endgame table has to offer to a search.
#pragma once

#include "games/contract.hpp"

namespace kiebitz {

// Without the type of the state, for options that all games share.
class AnyKnown {
 public:
  virtual ~AnyKnown() = default;
};

template <StateLike S>
class Known : public AnyKnown {
 public:
  // Bounds on what perfect play from a decision node is worth to a player, in payoffs, whatever happened before. Asked
  // only right after irreversible moves, when no earlier position can be repeated. The widest bounds: unknown.
  virtual Outlook outcome(const S& state, int player) const = 0;
};

}  // namespace kiebitz
