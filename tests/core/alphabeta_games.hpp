// Games, positions and options that the tests of alpha-beta share.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "explicit_tree.hpp"
#include "search/alphabeta.hpp"

namespace kiebitz::alphabeta_games {

using namespace kiebitz::search;
using Tree = explicit_tree::Game;

template <class G>
G make(const std::string& preset = "", const Fields& given = {}) {
  return G(resolve_parameters(G::parameters(), G::presets(), preset, given));
}

template <class G>
Analysis analyse(const G& game, const typename G::State& state, const AlphaBetaOptions& options) {
  Stop stop;
  return AlphaBeta<G>(game, options).search(state, {}, stop);
}
template <class G>
Analysis analyse(const G& game, const AlphaBetaOptions& options) {
  return analyse(game, game.root(), options);
}

inline AlphaBetaOptions with(Cut cut, int depth = 0) {
  AlphaBetaOptions o;
  o.cut = cut;
  o.depth = depth;
  return o;
}

// Everything alpha-beta has.
inline AlphaBetaOptions full(int depth) {
  AlphaBetaOptions o;
  o.depth = depth;
  o.order = Order::full;
  o.deepen = true;
  o.narrow = true;
  o.table_mb = 4;
  return o;
}

inline explicit_tree::Node mover(int player) { return {player, {}, {}, {}}; }

// Leaves in groups below the moves of the root player.
inline Tree two_plies(int root_player, const std::vector<std::vector<double>>& leaves) {
  Tree tree(2, Utility::zero_sum);
  const int root = tree.add(-1, mover(root_player));
  for (const auto& group : leaves) {
    const int node = tree.add(root, mover(1 - root_player));
    for (const double v : group) tree.leaf(node, root_player == 0 ? v : -v);
  }
  return tree;
}

// A random two-player tree; players may move twice in a row. Payoffs are small numbers, so there are many ties.
inline Tree random_tree(Rng& rng, int depth, int branching) {
  Tree tree(2, Utility::zero_sum);
  const std::function<void(int, int)> grow = [&](int parent, int left) {
    if (left == 0 || (left < depth && rng.below(8) == 0)) {
      tree.leaf(parent, static_cast<double>(rng.below(9)) - 4);
      return;
    }
    const int me = tree.add(parent, mover(static_cast<int>(rng.below(2))));
    for (int i = 0; i < branching; ++i) grow(me, left - 1);
  };
  grow(-1, depth);
  return tree;
}

// A uniform tree in which the first move is always the best one, so that alpha-beta cuts all it can.
inline Tree perfectly_ordered(int branching, int depth) {
  Tree tree(2, Utility::zero_sum);
  // `value` is the value of the node for player 0; every later move is worse by one for its mover.
  const std::function<void(int, int, double)> grow = [&](int parent, int left, double value) {
    if (left == 0) {
      tree.leaf(parent, value);
      return;
    }
    const int player = (depth - left) % 2;
    const int me = tree.add(parent, mover(player));
    for (int i = 0; i < branching; ++i) grow(me, left - 1, value + (player == 0 ? -i : i));
  };
  grow(-1, depth, 0);
  return tree;
}

// Random positions of a game that are not over.
template <class G>
std::vector<typename G::State> positions(const G& game, int count, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<typename G::State> out;
  std::vector<Action> buffer(static_cast<std::size_t>(game.info().max_legal));
  while (static_cast<int>(out.size()) < count) {
    auto state = game.root();
    for (int left = static_cast<int>(rng.below(60)); left > 0 && state.player() >= 0; --left) {
      state.apply(random_action(state, rng, buffer.data()));
    }
    if (state.player() >= 0) out.push_back(state);
  }
  return out;
}

inline double value_of(const Analysis& a, Action action) {
  for (const auto& entry : a.actions) {
    if (entry.action == action) return entry.value;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace kiebitz::alphabeta_games
