// Drawing worlds: full states that a view allows, by one of the beliefs of its game, or from hands that a belief from
// elsewhere hands over. World number w depends on the view, the seed, w and its hands alone, so the same worlds can be
// drawn again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "games/contract.hpp"

namespace kiebitz::search {

// The number of a belief; "" is the first. Games without a choice have one that is called exact. Throws UnknownName.
inline int belief_index(const GameInfo& info, const std::string& name) {
  static const std::vector<std::string> kOnly = {"exact"};
  const auto& names = info.beliefs.empty() ? kOnly : info.beliefs;
  const auto found = name.empty() ? names.begin() : std::ranges::find(names, name);
  if (found != names.end()) return static_cast<int>(found - names.begin());
  std::string expected;
  for (const auto& each : names) expected += (expected.empty() ? "" : ", ") + each;
  throw UnknownName(info.name + " has no belief '" + excerpt(name) + "'; expected one of " + expected);
}

template <HiddenGame G>
struct SamplerOf {
  // For games without a sampler of their own.
  struct Type {
    const G* game;
    typename G::View view;
    typename G::State draw(Rng& rng) { return game->sample(view, rng); }
  };
  static Type make(const G& game, const typename G::View& view, int) { return {&game, view}; }
};
template <HasSampler G>
struct SamplerOf<G> {
  using Type = typename G::Sampler;
  static Type make(const G& game, const typename G::View& view, int belief) { return game.sampler(view, belief); }
};

// The draw and the search of a world have independent random numbers.
inline Rng draw_rng(std::uint64_t seed, std::size_t world) { return Rng(seed, 2 * std::uint64_t{world}); }
inline Rng search_rng(std::uint64_t seed, std::size_t world) { return Rng(seed, 2 * std::uint64_t{world} + 1); }

template <HiddenGame G>
std::vector<typename G::State> draw_worlds(const G& game, const typename G::View& view, int belief, std::uint64_t seed,
                                           std::size_t count) {
  auto sampler = SamplerOf<G>::make(game, view, belief);
  std::vector<typename G::State> worlds;
  worlds.reserve(count);
  for (std::size_t w = 0; w < count; ++w) {
    Rng rng = draw_rng(seed, w);
    worlds.push_back(sampler.draw(rng));
  }
  return worlds;
}

// Worlds of given hands: a row of owners for each (contract.hpp). Throws ParameterError if the view does not allow one.
template <HasHands G>
std::vector<typename G::State> worlds_of(const G& game, const typename G::View& view,
                                         std::span<const std::int8_t> owners, std::uint64_t seed) {
  const std::size_t cards = game.pack().size();
  const int players = game.info().players;
  std::vector<typename G::State> worlds;
  worlds.reserve(owners.size() / cards);
  for (std::size_t w = 0; w < owners.size() / cards; ++w) {
    const auto row = owners.subspan(w * cards, cards);
    try {
      const auto bad = std::ranges::find_if(row, [&](int owner) { return owner < kNobody || owner >= players; });
      if (bad != row.end()) {
        throw ViewError("expected owners from -1 (nobody) to " + std::to_string(players - 1) + ", got " +
                        std::to_string(int{*bad}));
      }
      Rng rng = draw_rng(seed, w);
      worlds.push_back(game.world(view, row.data(), rng));
    } catch (const ViewError& error) {
      throw ParameterError("hands: row " + std::to_string(w) + ": " + error.what());
    }
  }
  return worlds;
}

}  // namespace kiebitz::search
