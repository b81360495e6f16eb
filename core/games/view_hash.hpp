// A number for what a player sees: equal views have equal numbers, others almost never. The same on every machine.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/key_text.hpp"
#include "base/rng.hpp"
#include "games/contract.hpp"

namespace kiebitz {

inline std::uint64_t hash_text(std::string_view text) {
  std::uint64_t hash = text.size();
  for (; text.size() >= 8; text.remove_prefix(8)) {
    std::uint64_t word = 0;
    for (int i = 0; i < 8; ++i)
      word |= std::uint64_t{static_cast<unsigned char>(text[static_cast<std::size_t>(i)])} << (8 * i);
    hash = mix64(hash ^ word);
  }
  for (const char c : text) hash = mix64(hash ^ static_cast<unsigned char>(c));
  return hash;
}

// Of a view of a hidden game.
template <class View>
std::uint64_t view_hash(const View& view) {
  if constexpr (HasHash<View>) {
    return view.hash();
  } else {
    return hash_text(key_text(view.save()));
  }
}

// Of what a player sees in a state: the position, in games without hidden information.
template <GameLike G>
std::uint64_t view_hash_of(const typename G::State& state, int player) {
  if constexpr (HiddenGame<G>) {
    return view_hash(state.view(player));
  } else {
    return state.key();
  }
}

// A number that depends on a player's seed and view alone: the randomness of simple agents.
constexpr std::uint64_t draw(std::uint64_t seed, int observer, std::uint64_t hash) {
  return mix64(seed ^ mix64(hash + static_cast<std::uint64_t>(observer)));
}

}  // namespace kiebitz
