// What trees found about the actions of their common root, added up: for searches whose trees keep sums for the
// children of the root (`child`, `nodes`, `details`), such as ismcts_stream.hpp and guided_tree.hpp. Where trees prove
// values (`proven`), what one of them has proven counts.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
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

// The action to play. What is proven decides where it has to: a proven best payoff is taken, and otherwise an action is
// preferred to the best proven one if it looks better.
inline std::size_t chosen_action(const GameInfo& info, const std::vector<ActionValue>& actions, Final final) {
  std::optional<std::size_t> open;
  std::optional<std::size_t> sure;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const ActionValue& a = actions[i];
    std::optional<std::size_t>& best = a.certainty.sound ? sure : open;
    if (!best) {
      best = i;
      continue;
    }
    const ActionValue& b = actions[*best];
    const bool more = a.visits > b.visits;
    const bool larger = a.visits > 0 && (b.visits == 0 || a.value > b.value);
    if (a.certainty.sound ? a.value > b.value || (a.value == b.value && more) : final == Final::visits ? more : larger)
      best = i;
  }
  if (!open || !sure) return open ? *open : *sure;
  const double certain = actions[*sure].value;
  if (certain >= info.max_payoff) return *sure;
  if (certain <= info.min_payoff) return *open;
  return actions[*open].visits > 0 && actions[*open].value > certain ? *open : *sure;
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
  const std::size_t best = chosen_action(info, out.actions, final);
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
