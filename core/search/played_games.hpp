// What games of an evaluator against itself leave behind (self_play.hpp).
#pragma once

#include <cstdint>
#include <vector>

namespace kiebitz::search {

// Rows in the order of the games and of their moves.
struct PlayedGames {
  std::vector<float> tensors;         // what the mover knew
  std::vector<std::uint8_t> legal;    // 1 for its legal actions
  std::vector<float> policy;          // the improved policy, a number per action
  std::vector<float> outcome;         // payoffs at the end, the mover's first, then those of the seats after it
  std::vector<float> expected;        // payoffs as the search expects them, likewise
  std::vector<std::uint8_t> full;     // whether the search was a full one
  std::vector<std::int32_t> movers;   // the seat that was to move
  std::vector<std::int32_t> plies;    // actions of players before
  std::vector<std::int32_t> games;    // number of the game
  std::vector<double> returns;        // games x players
  std::vector<std::int32_t> lengths;  // actions of players in each game
  std::int64_t simulations = 0;
  std::int64_t judged = 0;  // positions that the evaluator was asked about
  bool stopped = false;     // then the games are not complete, and there are none here
};

}  // namespace kiebitz::search
