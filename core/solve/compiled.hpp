// A game as flat arrays: compiled once (compile.hpp), then every solver runs on them without touching the rules again.
//
// Players have perfect recall: they remember their own choices, so exactly one sequence of a player's choices leads to
// each of its information sets (Koller, Megiddo and von Stengel 1996). Sequences are numbered for each player, the
// empty one is 0, and the choices of a set are neighbours. A set comes after all sets that lead to it: one pass
// forwards turns a strategy into the weight of every sequence (a plan), one pass backwards turns payoffs into values of
// sets. What remains of the tree is one sparse matrix per player.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/types.hpp"

namespace kiebitz::solve {

using Sequence = std::uint32_t;
using Strategy = std::vector<double>;  // of one player: the probability of the last choice of each sequence; [0] is 1
using Plan = std::vector<double>;      // of one player: the product of these over the whole sequence
using Profile = std::vector<Strategy>;

struct InformationSet {
  Sequence parent;      // the player's choice before it
  Sequence first;       // its first choice
  std::uint32_t count;  // of choices
};

// What a player gets at the ends of the game, grouped by its sequence that leads there. Ends with the same sequences of
// all players are one entry, whose value is the sum of chance times payoff. Ends that pay 0 are left out.
struct Ends {
  std::vector<Sequence> rows;        // the player's sequences with entries, ascending
  std::vector<std::uint32_t> begin;  // rows.size() + 1: where the entries of a row are
  std::vector<Sequence> others;      // of each entry: the sequence of every other player, in order of their numbers
  std::vector<double> values;        // of each entry
};

struct Side {
  std::vector<InformationSet> sets;
  std::vector<std::uint32_t> nodes;  // of each set: one of its nodes
  std::vector<Action> actions;       // of each sequence; [0] is unused
  Ends ends;

  std::size_t sequences() const { return actions.size(); }
};

// The tree itself, for sampling. The children of a node are neighbours; all nodes below a child come before those
// below its right neighbour.
struct Node {
  std::int32_t player;  // or kChance or kTerminal
  std::uint32_t index;  // of the player's set; at chance nodes of the first outcome; at ends their number
  std::uint32_t child;  // the first one
  std::uint32_t count;  // of children
};

struct Compiled {
  int players = 0;
  std::int64_t decision = 0;  // nodes where a player moves
  std::int64_t chance = 0;
  std::int64_t terminal = 0;
  int depth = 0;  // longest game
  std::vector<Side> sides;
  std::vector<Node> nodes;        // [0] is the root
  std::vector<Outcome> outcomes;  // of chance, in the order of the children
  std::vector<double> payoffs;    // of the ends, players each

  const Side& side(int player) const { return sides[static_cast<std::size_t>(player)]; }
  std::int64_t bytes() const {
    auto size = [](const auto& v) { return static_cast<std::int64_t>(v.capacity() * sizeof(v[0])); };
    std::int64_t sum = size(nodes) + size(outcomes) + size(payoffs);
    for (const Side& s : sides) {
      sum += size(s.sets) + size(s.nodes) + size(s.actions);
      sum += size(s.ends.rows) + size(s.ends.begin) + size(s.ends.others) + size(s.ends.values);
    }
    return sum;
  }

  // The actions from the root to a node.
  std::vector<Action> path_to(std::uint32_t target) const {
    std::vector<Action> out;
    for (std::uint32_t at = 0; at != target;) {
      const Node& node = nodes[at];
      std::uint32_t i = target - node.child;
      if (i >= node.count) {
        // Further down: below the last child whose children do not begin after the target.
        i = 0;
        for (std::uint32_t k = 0; k < node.count; ++k) {
          const Node& child = nodes[node.child + k];
          if (child.count > 0 && child.child <= target) i = k;
        }
      }
      out.push_back(node.player == kChance ? outcomes[node.index + i].action
                                           : side(node.player).actions[side(node.player).sets[node.index].first + i]);
      at = node.child + i;
    }
    return out;
  }
};

// --- Passes over the sequences of one player ------------------------------------------------------------------------

inline Strategy uniform_strategy(const Side& side) {
  Strategy out(side.sequences(), 1.0);
  for (const InformationSet& set : side.sets) {
    for (Sequence s = set.first; s < set.first + set.count; ++s) out[s] = 1.0 / set.count;
  }
  return out;
}

inline void plan_of(const Side& side, const double* strategy, double* plan) {
  plan[0] = 1;
  for (const InformationSet& set : side.sets) {
    const double reach = plan[set.parent];
    for (Sequence s = set.first; s < set.first + set.count; ++s) plan[s] = reach * strategy[s];
  }
}

inline Plan plan_of(const Side& side, const Strategy& strategy) {
  Plan plan(side.sequences());
  plan_of(side, strategy.data(), plan.data());
  return plan;
}

// The strategy behind a weighted sum of plans; uniform where it has no weight.
inline Strategy strategy_of(const Side& side, std::span<const double> weights) {
  Strategy out(side.sequences(), 1.0);
  for (const InformationSet& set : side.sets) {
    double sum = 0;
    for (Sequence s = set.first; s < set.first + set.count; ++s) sum += weights[s];
    for (Sequence s = set.first; s < set.first + set.count; ++s) out[s] = sum > 0 ? weights[s] / sum : 1.0 / set.count;
  }
  return out;
}

// What each sequence of a player earns at the ends right behind it when all others follow their plans (one pointer per
// player; that of the player itself is not read). Writes a value for every sequence.
inline void end_values(const Compiled& game, int player, std::span<const double* const> plans, double* out) {
  const Side& side = game.side(player);
  const Ends& ends = side.ends;
  std::fill(out, out + side.sequences(), 0.0);
  const std::size_t rows = ends.rows.size();
  if (game.players == 2) {
    const double* const other = plans[static_cast<std::size_t>(1 - player)];
    std::uint32_t e = 0;
    for (std::size_t r = 0; r < rows; ++r) {
      double sum = 0;
      for (; e < ends.begin[r + 1]; ++e) sum += ends.values[e] * other[ends.others[e]];
      out[ends.rows[r]] = sum;
    }
    return;
  }
  const Sequence* sequence = ends.others.data();
  for (std::size_t r = 0; r < rows; ++r) {
    double sum = 0;
    for (std::uint32_t e = ends.begin[r]; e < ends.begin[r + 1]; ++e) {
      double value = ends.values[e];
      for (int p = 0; p < game.players; ++p) {
        if (p != player) value *= plans[static_cast<std::size_t>(p)][*sequence++];
      }
      sum += value;
    }
    out[ends.rows[r]] = sum;
  }
}

}  // namespace kiebitz::solve
