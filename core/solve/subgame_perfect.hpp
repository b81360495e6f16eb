// Backward induction on a compiled game of perfect information: a best choice in every subgame, also after mistakes,
// for any number of players with any payoffs. Among equally good choices the first.
#pragma once

#include <vector>

#include "base/error.hpp"
#include "solve/compiled.hpp"

namespace kiebitz::solve {

inline Profile subgame_perfect(const Compiled& game) {
  std::size_t sets = 0;
  for (const Side& side : game.sides) sets += side.sets.size();
  if (sets != static_cast<std::size_t>(game.decision)) {
    throw UnsuitableGame("backward induction needs perfect information: here players cannot tell some states apart");
  }
  const auto players = static_cast<std::size_t>(game.players);
  Profile out;
  for (const Side& side : game.sides) out.emplace_back(side.sequences(), 0.0);
  for (Strategy& strategy : out) strategy[0] = 1;
  std::vector<double> values(game.nodes.size() * players);
  for (std::size_t n = game.nodes.size(); n-- > 0;) {  // children come after their parents
    const Node& node = game.nodes[n];
    double* const value = values.data() + n * players;
    const double* const below = values.data() + std::size_t{node.child} * players;
    if (node.player == kTerminal) {
      std::copy_n(game.payoffs.data() + std::size_t{node.index} * players, players, value);
    } else if (node.player == kChance) {
      for (std::uint32_t i = 0; i < node.count; ++i) {
        for (std::size_t p = 0; p < players; ++p) {
          value[p] += game.outcomes[node.index + i].probability * below[i * players + p];
        }
      }
    } else {
      const auto mover = static_cast<std::size_t>(node.player);
      std::uint32_t best = 0;
      for (std::uint32_t i = 1; i < node.count; ++i) {
        if (below[i * players + mover] > below[best * players + mover]) best = i;
      }
      std::copy_n(below + best * players, players, value);
      out[mover][game.sides[mover].sets[node.index].first + best] = 1;
    }
  }
  return out;
}

}  // namespace kiebitz::solve
