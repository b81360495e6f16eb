// Whole games between random players, many at a time. They are the games that the agent `random` plays through the
// shell, with chance and choices drawn from the same seeds.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/stop.hpp"
#include "games/shell.hpp"
#include "games/view_hash.hpp"

namespace kiebitz::search {

struct RandomGames {
  std::vector<double> payoffs;        // of all seats of the first game, then of the second, ...
  std::vector<std::int64_t> plies;    // of all seats: its actions
  std::vector<std::int64_t> choices;  // legal actions, added up over all plies
  std::vector<std::int64_t> moves;    // of all seats: how often there was a choice
  std::vector<std::int64_t> lengths;  // actions, chance included
  std::vector<std::int64_t> actions;  // all of them, one game after the other
  std::vector<Fields> results;        // what the game says about its end
};

// `chance`: a seed for each game. `seeds`: of all seats of the first game, then of the second. Ends early when stopped.
template <GameLike G>
RandomGames random_games(const std::shared_ptr<const G>& game, std::span<const std::uint64_t> chance,
                         std::span<const std::uint64_t> seeds, Stop& stop) {
  const auto players = static_cast<std::size_t>(game->info().players);
  std::vector<Action> legal(static_cast<std::size_t>(game->info().max_legal));
  RandomGames out;
  for (std::size_t g = 0; g < chance.size() && !stop.poll(); ++g) {
    Shell<G> shell(game, game->root(), {}, Rng(chance[g]));
    std::int64_t choices = 0;
    out.plies.resize(out.plies.size() + players);
    out.moves.resize(out.moves.size() + players);
    std::int64_t* const plies = out.plies.data() + g * players;
    std::int64_t* const moves = out.moves.data() + g * players;
    for (int seat = 0; (seat = shell.state().player()) != kTerminal; ++plies[seat]) {
      const auto count = static_cast<std::size_t>(shell.state().legal(legal.data()));
      std::size_t chosen = 0;
      if (count > 1) {
        ++moves[seat];
        const std::uint64_t seed = seeds[g * players + static_cast<std::size_t>(seat)];
        chosen = draw(seed, seat, view_hash_of<G>(shell.state(), seat)) % count;
      }
      choices += static_cast<std::int64_t>(count);
      shell.apply(legal[chosen]);
    }
    out.payoffs.resize(out.payoffs.size() + players);
    shell.state().returns(out.payoffs.data() + g * players);
    out.choices.push_back(choices);
    out.lengths.push_back(static_cast<std::int64_t>(shell.history().size()));
    out.actions.insert(out.actions.end(), shell.history().begin(), shell.history().end());
    if constexpr (HasResult<typename G::State>) out.results.push_back(shell.state().result());
  }
  return out;
}

}  // namespace kiebitz::search
