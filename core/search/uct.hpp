// UCT for any game of the contract: root-parallel trees (uct_stream.hpp), their merged result as an Analysis, and the
// memory and subtrees that an agent keeps from move to move. Flat Monte Carlo is the same search with select =
// round_robin, tree_depth = 1.
//
// Each stream is a tree of its own with its own random numbers, and streams are summed in their order: with a budget in
// iterations or nodes the result depends on the options alone, not on the number of threads. Time budgets and reuse are
// exceptions.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/stop.hpp"
#include "search/analysis.hpp"
#include "search/budget_share.hpp"
#include "search/schedule.hpp"
#include "search/uct_stream.hpp"

namespace kiebitz::search {

// Refuses options that cannot be meant. Throws BudgetError, ParameterError or UnsuitableGame.
inline void check_uct_options(const GameInfo& info, const UctOptions& options, bool has_evaluation, bool has_thumb) {
  check_tree_options(options);
  if (options.reuse && options.tree_calls != Calls::all) {
    throw ParameterError("reuse: expected tree_calls=all, because other trees end where a call could be made");
  }
  if (options.playout == Playout::thumb && !has_thumb) {
    throw ParameterError("playout: " + info.name + " has no rules of thumb; expected random");
  }
  if (options.playout == Playout::evaluation && !has_evaluation) {
    throw ParameterError("playout: " + info.name + " has no evaluation; expected random");
  }
  if (info.actions > NodePool::kMostActions || info.max_legal > NodePool::kMostChildren) {
    throw UnsuitableGame("uct: " + info.name + " has too many actions; at most " +
                         std::to_string(NodePool::kMostActions) + " and " + std::to_string(NodePool::kMostChildren) +
                         " at a time fit into the tree");
  }
}

// A node of the tree, for tests and drawings.
struct TreeNode {
  int stream = 0;
  int depth = 0;
  Action action = kNoAction;
  int player = kTerminal;  // the player to move
  int mover = 0;           // the player whose payoffs `total` sums
  std::int64_t visits = 0;
  std::int64_t child_visits = 0;  // sum over its children; the other simulations began their playouts here
  double total = 0;
  std::span<const double> totals;  // one entry per player; empty where the tree keeps one number a node
};

template <GameLike G>
class Uct {
 public:
  using State = typename G::State;
  using Stream = UctStream<G>;

  // `game` must outlive the search.
  explicit Uct(const G& game, UctOptions options) : game_(game), options_(std::move(options)) {
    const GameInfo& info = game.info();
    check_uct_options(info, options_, HasEvaluation<State> && !info.evaluations.empty(), HasThumbPlayOut<State>);
    if constexpr (NeedsInterpreter<G>) options_.threads = 1;
    scalar_ = Stream::one_number(info, options_);
    const auto pools = static_cast<std::uint64_t>(options_.streams) * (options_.reuse ? 2 : 1);
    const std::uint64_t bytes = (static_cast<std::uint64_t>(options_.memory_mb) << 20) / pools;
    for (int s = 0; s < options_.streams; ++s) streams_.emplace_back(game, options_, bytes);
  }
  Uct(const Uct&) = delete;  // streams refer to the options
  Uct& operator=(const Uct&) = delete;

  const UctOptions& options() const { return options_; }

  // Searches from `state`, where a player is to move; `seen` are the keys before it that could repeat. Throws what the
  // game throws, and then forgets its trees. Does at least one simulation, even when asked to stop at once.
  Analysis search(const State& state, std::span<const std::uint64_t> seen, Stop& stop) {
    const auto begin = Stop::Clock::now();
    if (state.player() == kTerminal) throw Error("uct: the game is over, there is nothing to search");
    if (state.player() == kChance) throw Error("uct: chance moves here; search from a player's decision");

    std::optional<std::vector<Action>> moves;
    if (options_.reuse && root_) moves = moves_to(state, seen);
    root_.reset();  // stays empty if anything throws: half-grown trees are not reused
    for (auto& stream : streams_) {
      if (moves) {
        stream.reroot(*moves);
      } else {
        stream.clear();
      }
    }
    const State root = state;
    for (int s = 0; s < options_.streams; ++s) {
      streams_[static_cast<std::size_t>(s)].start(root, seen, Rng(options_.seed, static_cast<std::uint64_t>(s)),
                                                  share(s));
    }
    const auto advance = [this](int s, std::int64_t count) {
      return streams_[static_cast<std::size_t>(s)].advance(count);
    };
    const bool asked = Schedule(options_.streams, options_.threads, options_.budget.seconds, stop, advance).run();

    Analysis analysis = summarise(root, seen);
    analysis.stopped = asked && !std::ranges::all_of(streams_, [](const auto& s) { return s.finished(); });
    root_.emplace(state);
    seen_.assign(seen.begin(), seen.end());
    analysis.seconds = std::chrono::duration<double>(Stop::Clock::now() - begin).count();
    return analysis;
  }

  // Calls visit(const TreeNode&) for every visited node of every tree, parents before children.
  template <class Visit>
  void walk(Visit&& visit) const {
    for (int s = 0; s < options_.streams; ++s) {
      const NodePool& tree = streams_[static_cast<std::size_t>(s)].tree();
      if (tree.size() > 0) walk(s, tree, 0, 0, std::max<int>(tree.node(0).player, 0), visit);
    }
  }

 private:
  typename Stream::Limits share(int s) const {
    return budget_share<typename Stream::Limits>(options_.budget, streams_.size(), static_cast<std::size_t>(s));
  }

  Analysis summarise(const State& root, std::span<const std::uint64_t> seen) const {
    Analysis out;
    out.method = options_.select == Select::round_robin && options_.tree_depth == 1 ? "flat_mc" : "uct";
    out.player = root.player();
    double depths = 0;
    double depth_squares = 0;
    for (const auto& stream : streams_) {
      const auto& counters = stream.counters();
      out.iterations += counters.iterations;
      out.nodes += counters.nodes;
      out.leaves += counters.playouts;
      out.depth = std::max(out.depth, counters.deepest);
      out.memory_full = out.memory_full || stream.tree().full();
      depths += static_cast<double>(counters.depth_sum);
      depth_squares += static_cast<double>(counters.depth_squares);
    }
    if (out.iterations > 0) {
      const auto n = static_cast<double>(out.iterations);
      out.mean_depth = depths / n;
      out.depth_variance = std::max(0.0, depth_squares / n - out.mean_depth * out.mean_depth);
    }
    std::vector<Action> legal(static_cast<std::size_t>(game_.info().max_legal));
    legal.resize(static_cast<std::size_t>(root.legal(legal.data())));
    for (const Action a : legal) out.actions.push_back(action_value(root, a));
    const ActionValue& best = out.actions[final_index(root, out.actions)];
    out.best = best.action;
    out.best_name = best.name;
    out.value = best.value;
    principal_line(root, seen, out);
    return out;
  }

  ActionValue action_value(const State& root, Action a) const {
    const GameInfo& info = game_.info();
    const auto players = static_cast<std::size_t>(info.players);
    const auto mover = static_cast<std::size_t>(root.player());
    ActionValue out;
    out.action = a;
    out.name = root.name(a);
    out.mean.assign(players, 0.0);
    double squares = 0;
    for (const auto& stream : streams_) {
      const std::uint32_t i = stream.child(0, a);
      if (i == 0) continue;
      const Node& node = stream.tree().node(i);
      out.visits += node.visits;
      out.value += node.total;
      squares += stream.tree().squares(i);
      for (std::size_t p = 0; p < players && !scalar_; ++p) out.mean[p] += stream.tree().totals(i)[p];
    }
    // The largest standard deviation of a payoff in the range: all that one simulation or none can tell.
    out.error = (info.max_payoff - info.min_payoff) / 2;
    if (out.visits == 0) return out;
    const auto n = static_cast<double>(out.visits);
    out.value /= n;
    for (double& mean : out.mean) mean /= n;
    if (scalar_) {
      out.mean[mover] = out.value;
      out.mean[1 - mover] = info.payoff_sum - out.value;
    }
    if (out.visits > 1) out.error = std::sqrt(std::max(0.0, squares / n - out.value * out.value) / (n - 1));
    return out;
  }

  std::size_t final_index(const State& root, const std::vector<ActionValue>& actions) const {
    const std::size_t best = final_index(actions, [](const ActionValue&) { return true; });
    if constexpr (HasRisk<State>) {
      if (options_.margin > 0 && root.risky(actions[best].action)) {
        const std::size_t safe = final_index(actions, [&](const ActionValue& a) { return !root.risky(a.action); });
        if (safe == actions.size()) return best;  // somebody who has to take a risk cannot avoid it
        const bool worth = actions[safe].visits > 0 && actions[best].value > actions[safe].value + options_.margin;
        return worth ? best : safe;
      }
    } else {
      (void)root;
    }
    return best;
  }

  // The best of the allowed actions, of which there is at least one.
  template <class Allowed>
  std::size_t final_index(const std::vector<ActionValue>& actions, Allowed allowed) const {
    std::size_t best = actions.size();
    for (std::size_t i = 0; i < actions.size(); ++i) {
      if (!allowed(actions[i])) continue;
      const bool better =
          best == actions.size() ||
          (options_.final == Final::visits
               ? actions[i].visits > actions[best].visits
               : actions[i].visits > 0 && (actions[best].visits == 0 || actions[i].value > actions[best].value));
      if (better) best = i;
    }
    return best;
  }

  // The best action, then the most visited ones of all trees together, up to the first chance move.
  void principal_line(const State& root, std::span<const std::uint64_t> seen, Analysis& out) const {
    State state = root;
    Path<State> path;
    path.reset(root, seen);
    std::vector<std::uint32_t> at(streams_.size(), 0);  // the node of each tree; kNone: the line has left the tree
    Action a = out.best;
    while (a != kNoAction) {
      out.line.push_back(a);
      out.line_names.push_back(state.name(a));
      path.apply(state, a);
      std::vector<std::pair<Action, std::int64_t>> visits;
      for (std::size_t s = 0; s < streams_.size(); ++s) {
        if (at[s] == NodePool::kNone) continue;
        const std::uint32_t next = streams_[s].child(at[s], a);
        at[s] = next == 0 ? NodePool::kNone : next;
        if (next == 0) continue;
        const NodePool& tree = streams_[s].tree();
        const Node& node = tree.node(next);
        for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
          if (tree.node(i).visits > 0) visits.emplace_back(tree.node(i).action, tree.node(i).visits);
        }
      }
      a = state.player() >= 0 ? most_visited(visits) : kNoAction;
    }
  }

  // The action with the most visits, summed over trees; the smallest one on ties.
  static Action most_visited(std::vector<std::pair<Action, std::int64_t>>& visits) {
    std::ranges::sort(visits);
    Action best = kNoAction;
    std::int64_t most = 0;
    for (std::size_t i = 0; i < visits.size();) {
      const Action a = visits[i].first;
      std::int64_t sum = 0;
      for (; i < visits.size() && visits[i].first == a; ++i) sum += visits[i].second;
      if (sum > most) {
        most = sum;
        best = a;
      }
    }
    return best;
  }

  // Tree reuse: the actions from the last root to `state`, if the first tree has it within a round of moves.
  std::optional<std::vector<Action>> moves_to(const State& state, std::span<const std::uint64_t> seen) const {
    const int players = game_.info().players;
    const int plies = std::max(2, game_.info().chance ? 2 * players : players);
    int effort = NeedsInterpreter<G> ? 2000 : 50'000;  // states to try
    Path<State> path;
    path.reset(*root_, seen_);
    std::vector<Action> moves;
    for (int depth = 0; depth <= plies; ++depth) {
      if (find(*root_, 0, depth, state, seen, path, moves, effort)) return moves;
    }
    return std::nullopt;
  }

  bool find(const State& from, std::uint32_t at, int depth, const State& state, std::span<const std::uint64_t> seen,
            Path<State>& path, std::vector<Action>& moves, int& effort) const {
    if (depth == 0) {
      // What repeats depends on the path, so that must be the same too.
      return from.player() == state.player() && from.key() == state.key() &&
             (!HasRepetition<State> || std::ranges::equal(path.seen(), seen));
    }
    const NodePool& tree = streams_.front().tree();
    const Node& node = tree.node(at);
    for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
      if (tree.node(i).visits == 0) continue;
      if (--effort < 0) return false;
      State next = from;
      const auto mark = path.mark();
      path.apply(next, tree.node(i).action);
      moves.push_back(tree.node(i).action);
      if (find(next, i, depth - 1, state, seen, path, moves, effort)) return true;
      moves.pop_back();
      path.rewind(mark);
    }
    return false;
  }

  template <class Visit>
  void walk(int stream, const NodePool& tree, std::uint32_t at, int depth, int mover, Visit& visit) const {
    const Node& node = tree.node(at);
    TreeNode out{stream, depth, node.action, node.player, mover, node.visits, 0, node.total, {}};
    if (!scalar_ && tree.detailed(at)) out.totals = {tree.totals(at), static_cast<std::size_t>(game_.info().players)};
    for (std::uint32_t i = node.first; i < node.first + node.count; ++i) out.child_visits += tree.node(i).visits;
    visit(std::as_const(out));
    for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
      if (tree.node(i).visits > 0) walk(stream, tree, i, depth + 1, std::max<int>(node.player, 0), visit);
    }
  }

  const G& game_;
  UctOptions options_;
  bool scalar_ = false;
  std::deque<Stream> streams_;
  std::optional<State> root_;  // of the last search, while its trees are valid
  std::vector<std::uint64_t> seen_;
};

}  // namespace kiebitz::search
