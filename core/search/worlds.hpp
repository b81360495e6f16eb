// Drawing worlds: full states that a view allows, by one of the beliefs of its game. World number w depends on the
// view, the seed and w alone, so the same worlds can be drawn again.
#pragma once

#include <algorithm>
#include <cstdint>
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

}  // namespace kiebitz::search
