// One tree of a UCT search (Kocsis and Szepesvari 2006; max^n payoff vectors) and the loop that grows it: select,
// expand, simulate, backpropagate. Every variant is a run-time parameter of this one loop.
//
// A node sums the payoffs of the player who moved into it, which is all that its parent compares. Payoffs are summed as
// the game gives them, so sums of whole points are exact; a scale only changes the weight of exploration:
//   mean / s + e * width  is largest where  mean + s * e * width  is, for any scale s > 0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "games/contract.hpp"
#include "games/path.hpp"
#include "search/node_pool.hpp"
#include "search/playout.hpp"
#include "search/ucb.hpp"

namespace kiebitz::search {

template <GameLike G>
class UctStream {
 public:
  using State = typename G::State;

  struct Limits {
    std::int64_t iterations = 0;
    std::int64_t nodes = 0;  // 0: none
  };

  // What happened since start(), besides what the tree records.
  struct Counters {
    std::int64_t iterations = 0;
    std::int64_t nodes = 0;     // tree nodes made, the root not counted
    std::int64_t inner = 0;     // nodes that got children
    std::int64_t playouts = 0;  // simulations that left the tree before the end of the game
    std::int64_t depth_sum = 0;
    std::int64_t depth_squares = 0;
    int deepest = 0;
  };

  // `pool_bytes` for each of the two pools: the tree, and the copy that tree reuse needs.
  UctStream(const G& game, const UctOptions& options, std::uint64_t pool_bytes)
      : info_(game.info()),
        options_(options),
        tables_(VisitTables::get()),
        tuned_(options.formula == Formula::ucb1_tuned),
        deepest_(options.tree_depth > 0 ? std::min(options.tree_depth, kDeepest) : kDeepest),
        trail_(static_cast<std::size_t>(deepest_) + 1),
        playouts_(game, {options.playout, options.noise, options.playout_calls, options.solve_last,
                         options.scale == Scale::unit}) {
    range_ = static_cast<float>(info_.max_payoff - info_.min_payoff);
    const double unit = options.scale == Scale::unit && range_ > 0 ? info_.max_payoff - info_.min_payoff : 1;
    exploration_ = static_cast<float>(options.c * exploration_factor(options.formula) * unit);
    const int width = one_number(info_, options) ? 0 : info_.players;
    const auto most = static_cast<std::uint32_t>(std::max(info_.max_legal, 1));
    const bool everywhere = options.reuse || !options.scalar || tuned_;
    tree_.configure(width, everywhere ? NodePool::kAll : most + 1, pool_bytes, most);
    spare_.configure(width, NodePool::kAll, pool_bytes, most);
  }

  // With two players and a constant sum, the payoff of one gives that of the other.
  static bool one_number(const GameInfo& info, const UctOptions& options) {
    const bool constant = info.utility == Utility::zero_sum || info.utility == Utility::constant_sum;
    return options.scalar && info.players == 2 && constant;
  }

  // Prepares a search from `root`, which must outlive it. The tree is the one that reroot() kept, or empty.
  void start(const State& root, std::span<const std::uint64_t> seen, Rng rng, Limits limits) {
    root_ = &root;
    rng_ = rng;
    counters_ = {};
    path_.reset(root, seen);
    base_ = path_.mark();
    playouts_.reset();
    mark_classes(root);
    if (tree_.size() == 0) {
      tree_.add(1);
      tree_.node(0).player = root.player();
    }
    // Visits are 32 bits wide.
    limits.iterations = std::min(limits.iterations, kMostVisits - static_cast<std::int64_t>(tree_.node(0).visits));
    limits_ = limits;
  }

  // Does up to `count` simulations; true if the budget allows more.
  bool advance(std::int64_t count) {
    for (; count > 0 && !finished(); --count) {
      simulate_once();
      ++counters_.iterations;
    }
    return !finished();
  }

  bool finished() const {
    return counters_.iterations >= limits_.iterations || (limits_.nodes > 0 && counters_.nodes >= limits_.nodes);
  }

  void clear() { tree_.clear(); }

  // Makes the subtree that `moves` lead to the tree; clears the tree if it does not reach that far.
  void reroot(std::span<const Action> moves) {
    std::uint32_t at = 0;
    int mover = tree_.size() > 0 ? tree_.node(0).player : kTerminal;
    for (const Action a : moves) {
      mover = tree_.size() > 0 ? tree_.node(at).player : kTerminal;
      at = child(at, a);
      if (at == 0) {
        tree_.clear();
        return;
      }
    }
    if (moves.empty() || tree_.size() == 0) return;
    spare_.keep(tree_, at);
    std::swap(tree_, spare_);
    spare_.clear();
    // From now on the root's total is that of the player who decides here, not of the one who moved here.
    Node& root = tree_.node(0);
    const int owner = std::max(mover, 0);
    if (root.player == owner) return;
    root.total = tree_.has_vectors() ? tree_.totals(0)[root.player] : info_.payoff_sum * root.visits - root.total;
  }

  // The visited child of a node by its action; 0: none.
  std::uint32_t child(std::uint32_t at, Action a) const {
    if (tree_.size() == 0) return 0;
    const Node& node = tree_.node(at);
    for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
      if (tree_.node(i).action == a && tree_.node(i).visits > 0) return i;
    }
    return 0;
  }

  const NodePool& tree() const { return tree_; }
  const Counters& counters() const { return counters_; }

 private:
  static constexpr int kDeepest = 4096;  // actions in the tree; beyond it playouts take over
  static constexpr std::int64_t kMostVisits = 4'000'000'000;

  struct Step {
    std::uint32_t node;
    std::int32_t owner;  // the player whose payoffs the node sums
  };

  void simulate_once() {
    State state = *root_;
    const int depth = select_and_expand(state);
    double payoffs[kMaxPlayers];
    if (tree_.node(trail_[static_cast<std::size_t>(depth)].node).player == kTerminal) {
      playouts_.finish(state, payoffs);
    } else {
      ++counters_.playouts;
      playouts_.run(state, path_, rng_, payoffs);
    }
    backpropagate(depth, payoffs);
    path_.rewind(base_);
    counters_.depth_sum += depth;
    counters_.depth_squares += std::int64_t{depth} * depth;
    counters_.deepest = std::max(counters_.deepest, depth);
  }

  // Phases 1 and 2: walks down to where the playout begins and returns the depth; `state` and the trail follow. With
  // Expand::one a simulation adds the first untried child it meets. With Expand::all it goes on through untried
  // children to a node without any, adds all of them and takes one.
  int select_and_expand(State& state) {
    std::uint32_t at = 0;
    trail_[0] = {0, tree_.node(0).player};
    check_player(0, state);
    for (int depth = 0;;) {
      const int player = tree_.node(at).player;
      if (player == kTerminal) return depth;
      const bool leaf = tree_.node(at).first == 0;
      if (leaf && (depth == deepest_ || !expand(at, state))) return depth;
      bool fresh = false;
      const std::uint32_t next = player == kChance ? draw_outcome(at, state, fresh) : select(at, fresh);
      // The children are fetched into the cache while the action is played.
      if (const std::uint32_t first = tree_.node(next).first; first != 0) tree_.prefetch(first);
      path_.apply(state, tree_.node(next).action);
      if constexpr (HasCalls<State>) {
        if (depth == 0 && options_.tree_calls != Calls::all) state.restrict_calls(options_.tree_calls);
      }
      trail_[static_cast<std::size_t>(++depth)] = {next, std::max(player, 0)};
      at = next;
      if (fresh) {
        tree_.node(at).player = state.player();
        if (options_.expand == Expand::one) ++counters_.nodes;
      }
      check_player(at, state);
      if (options_.expand == Expand::one ? fresh : leaf) return depth;
    }
  }

  // The tree trusts that the same actions lead to the same position. Compiled rules are tested for that; a game written
  // in Python may do anything.
  void check_player(std::uint32_t at, const State& state) const {
    if constexpr (NeedsInterpreter<G>) {
      if (state.player() == tree_.node(at).player) return;
      throw Error(info_.name +
                  ": the same actions led to another player; expected an apply() that always does the same "
                  "and a copy() that shares nothing");
    }
  }

  // Gives a node its block of children; false if memory is used up.
  bool expand(std::uint32_t at, const State& state) {
    Action* const actions = playouts_.actions();
    const auto count = static_cast<std::uint32_t>(state.legal(actions));
    const std::uint32_t first = tree_.add(count);
    if (first == NodePool::kNone) return false;
    for (std::uint32_t i = 0; i < count; ++i) tree_.node(first + i).action = actions[i];
    ++counters_.inner;
    Node& node = tree_.node(at);
    node.first = first;
    node.count = static_cast<std::uint16_t>(count);
    if (options_.expand == Expand::all) counters_.nodes += count;
    return true;
  }

  // Minimum shares for the classes of actions at the root, so that risky ones are never given up for lack of visits.
  void mark_classes(const State& root) {
    if constexpr (HasRisk<State>) {
      if (options_.class_share <= 0) return;
      risky_.assign(static_cast<std::size_t>(info_.actions), 0);
      Action* const actions = playouts_.actions();
      const int count = root.legal(actions);
      for (int i = 0; i < count; ++i) risky_[static_cast<std::size_t>(actions[i])] = root.risky(actions[i]);
    }
  }
  bool is_risky(std::uint32_t child) const { return risky_[static_cast<std::size_t>(tree_.node(child).action)] != 0; }

  // Whether there are actions of this class that have had less than their share of the visits.
  template <class Same>
  bool neglected(const Node& node, Same same) const {
    std::uint64_t visits = 0;
    bool any = false;
    for (std::uint32_t i = 0; i < node.count; ++i) {
      if (!same(i)) continue;
      any = true;
      visits += tree_.node(node.first + i).visits;
    }
    return any && static_cast<double>(visits) < options_.class_share * node.visits;
  }

  // The tree policy: untried children first, then the largest upper confidence bound.
  std::uint32_t select(std::uint32_t at, bool& fresh) {
    Node& node = tree_.node(at);
    const bool in_turn = options_.select == Select::round_robin && at == 0;
    if (node.tried < node.count) {
      fresh = true;
      const std::uint32_t slot = node.first + node.tried;
      const auto left = static_cast<std::uint32_t>(node.count - node.tried++);
      if (!in_turn && left > 1) {
        // An untried child is just its action, so drawing one means swapping actions.
        Node& drawn = tree_.node(slot + rng_.below(left));
        const Action a = drawn.action;
        drawn.action = tree_.node(slot).action;
        tree_.node(slot).action = a;
      }
      return slot;
    }
    if (in_turn) return node.first + node.visits % node.count;
    if (at == 0 && !risky_.empty()) {
      for (const bool risky : {true, false}) {
        const auto same = [&](std::uint32_t i) { return is_risky(node.first + i) == risky; };
        if (neglected(node, same)) return node.first + best_child(node, same);
      }
    }
    return node.first + best_child(node, [](std::uint32_t) { return true; });
  }

  // The allowed child with the largest bound.
  template <class Allowed>
  std::uint32_t best_child(const Node& node, Allowed allowed) const {
    const Score* const scores = tree_.scores() + node.first;
    const float root_log = tables_.sqrt_log(node.visits);
    float unit = 1;
    if (options_.scale == Scale::siblings) {
      const auto [low, high] = std::ranges::minmax(std::span(scores, node.count), {}, &Score::mean);
      // If siblings are equal, exploration alone decides, with any weight.
      if (low.mean < high.mean) unit = (high.mean - low.mean) / 2;
    }
    if (!tuned_) {
      const float weight = exploration_ * root_log * unit;
      return largest(node.count, allowed, [=](std::uint32_t i) { return scores[i].mean + weight * scores[i].width; });
    }
    if (options_.scale == Scale::unit) unit = range_;
    const auto c = static_cast<float>(options_.c);
    return largest(node.count, allowed, [=, this](std::uint32_t i) {
      const auto n = static_cast<double>(tree_.node(node.first + i).visits);
      const auto mean_square = static_cast<float>(tree_.squares(node.first + i) / n);
      const float variance = std::max(0.0F, mean_square - scores[i].mean * scores[i].mean);
      const float ratio = root_log * scores[i].width;  // sqrt(ln N / n)
      float spread = variance + unit * unit * ratio * std::numbers::sqrt2_v<float>;
      // The largest variance that the range allows; without a range there is no limit.
      if (options_.scale == Scale::unit) spread = std::min(spread, unit * unit / 4);
      return scores[i].mean + c * ratio * std::sqrt(spread);
    });
  }

  template <class Allowed, class Bound>
  static std::uint32_t largest(std::uint32_t count, Allowed allowed, Bound bound) {
    std::uint32_t index = 0;
    while (!allowed(index)) ++index;
    float best = bound(index);
    for (std::uint32_t i = index + 1; i < count; ++i) {
      const float next = bound(i);
      const bool better = next > best && allowed(i);
      index = better ? i : index;
      best = better ? next : best;
    }
    return index;
  }

  std::uint32_t draw_outcome(std::uint32_t at, const State& state, bool& fresh) {
    Node& node = tree_.node(at);
    const Action a = random_outcome(state, rng_, playouts_.outcomes());
    for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
      if (tree_.node(i).action != a) continue;
      if (tree_.node(i).visits == 0) {
        fresh = true;
        ++node.tried;
      }
      return i;
    }
    throw Error(info_.name + ": a chance outcome that is not among the legal actions: " + std::to_string(a));
  }

  // Phase 4.
  void backpropagate(int depth, const double* payoffs) {
    Score* const scores = tree_.scores();
    for (int d = depth; d >= 0; --d) {
      const auto [i, owner] = trail_[static_cast<std::size_t>(d)];
      Node& node = tree_.node(i);
      const double payoff = payoffs[owner];
      node.total += payoff;
      ++node.visits;
      scores[i] = {static_cast<float>(node.total / node.visits), tables_.inverse_sqrt(node.visits)};
      if (!tree_.detailed(i)) continue;
      tree_.squares(i) += payoff * payoff;
      if (tree_.has_vectors()) {
        double* totals = tree_.totals(i);
        for (int p = 0; p < info_.players; ++p) totals[p] += payoffs[p];
      }
    }
  }

  const GameInfo& info_;
  const UctOptions& options_;
  const VisitTables& tables_;
  const bool tuned_;
  const int deepest_;
  float range_ = 0;
  float exploration_ = 0;
  NodePool tree_;
  NodePool spare_;
  std::vector<Step> trail_;
  Playouts<G> playouts_;
  std::vector<std::uint8_t> risky_;  // by action; empty: no minimum shares
  const State* root_ = nullptr;
  Path<State> path_;
  typename Path<State>::Mark base_{};
  Rng rng_;
  Limits limits_;
  Counters counters_;
};

}  // namespace kiebitz::search
