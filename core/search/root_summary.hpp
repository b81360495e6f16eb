// What trees found about the actions of their common root, added up: for searches whose trees keep sums for the
// children of the root (`child`, `nodes`, `details`), such as ismcts_stream.hpp and guided_tree.hpp. Where trees prove
// values (`proven`), what one of them has proven counts.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "games/contract.hpp"
#include "search/analysis.hpp"
#include "search/options.hpp"

namespace kiebitz::search {

template <class Trees, StateLike State>
ActionValue root_action(const GameInfo& info, const Trees& trees, const State& root, Action a) {
  const auto players = static_cast<std::size_t>(info.players);
  ActionValue out;
  out.action = a;
  out.name = root.name(a);
  out.mean.assign(players, 0.0);
  double squares = 0;
  for (const auto& tree : trees) {
    const std::uint32_t i = tree.child(a);
    if (i == 0) continue;
    out.visits += tree.nodes()[i].visits;
    const double* details = tree.details(i);
    squares += details[0];
    for (std::size_t p = 0; p < players; ++p) out.mean[p] += details[p + 1];
  }
  out.error = (info.max_payoff - info.min_payoff) / 2;  // all that one simulation or none can tell
  if (out.visits == 0) return out;
  const auto n = static_cast<double>(out.visits);
  for (double& mean : out.mean) mean /= n;
  out.value = out.mean[static_cast<std::size_t>(root.player())];
  if (out.visits > 1) out.error = std::sqrt(std::max(0.0, squares / n - out.value * out.value) / (n - 1));
  for (const auto& tree : trees) {
    if constexpr (requires { tree.proven(0U); }) {
      const std::uint32_t i = tree.child(a);
      if (i == 0 || std::isnan(tree.proven(i))) continue;
      out.certainty.sound = true;
      out.value = tree.proven(i);
      out.error = 0;
      out.mean.assign(players, info.payoff_sum - out.value);
      out.mean[static_cast<std::size_t>(root.player())] = out.value;
    }
  }
  return out;
}

// How an action may be chosen. Proven wins come first; what is proven to be worse than something proven, or to lose
// everything, comes last.
inline int rank_of(const GameInfo& info, const ActionValue& action, double surest) {
  if (!action.certainty.sound) return 1;
  if (action.value >= info.max_payoff) return 2;
  return action.value < surest || action.value <= info.min_payoff ? 0 : 1;
}

template <class Trees, StateLike State>
Analysis summarise_root(const GameInfo& info, const Trees& trees, const State& root, Final final, const char* method) {
  Analysis out;
  out.method = method;
  out.player = root.player();
  double depths = 0;
  double depth_squares = 0;
  std::int64_t inner = 0;
  for (const auto& tree : trees) {
    const auto& counters = tree.counters();
    out.iterations += counters.iterations;
    out.nodes += counters.nodes;
    out.leaves += counters.playouts;
    out.depth = std::max(out.depth, counters.deepest);
    out.memory_full = out.memory_full || tree.full();
    depths += static_cast<double>(counters.depth_sum);
    depth_squares += static_cast<double>(counters.depth_squares);
    inner += counters.inner;
  }
  if (out.iterations > 0) {
    const auto n = static_cast<double>(out.iterations);
    out.mean_depth = depths / n;
    out.depth_variance = std::max(0.0, depth_squares / n - out.mean_depth * out.mean_depth);
  }
  if (inner > 0) out.branching = static_cast<double>(out.nodes) / static_cast<double>(inner);
  std::vector<Action> legal(static_cast<std::size_t>(info.max_legal));
  legal.resize(static_cast<std::size_t>(root.legal(legal.data())));
  for (const Action a : legal) out.actions.push_back(root_action(info, trees, root, a));
  double surest = -std::numeric_limits<double>::infinity();
  for (const ActionValue& action : out.actions) {
    if (action.certainty.sound) surest = std::max(surest, action.value);
  }
  std::size_t best = 0;
  for (std::size_t i = 1; i < legal.size(); ++i) {
    const ActionValue& a = out.actions[i];
    const ActionValue& b = out.actions[best];
    const int of_a = rank_of(info, a, surest);
    const int of_b = rank_of(info, b, surest);
    const bool better =
        final == Final::visits ? a.visits > b.visits : a.visits > 0 && (b.visits == 0 || a.value > b.value);
    if (of_a > of_b || (of_a == of_b && better)) best = i;
  }
  out.best = legal[best];
  out.best_name = out.actions[best].name;
  out.value = out.actions[best].value;
  const auto sound = [](const ActionValue& action) { return action.certainty.sound; };
  out.certainty.sound =
      sound(out.actions[best]) && (out.value >= info.max_payoff || std::ranges::all_of(out.actions, sound));
  out.line = {out.best};
  out.line_names = {out.best_name};
  return out;
}

}  // namespace kiebitz::search
