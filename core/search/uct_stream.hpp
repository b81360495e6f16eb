// One tree of a UCT search (Kocsis and Szepesvari 2006; max^n payoff vectors) and the loop that grows it: select,
// expand, simulate, backpropagate. Every variant is a run-time parameter of this one loop.
//
// A node keeps the payoffs of the player who moved into it, which is all its parent compares. Payoffs are summed as the
// game gives them, so sums of whole points are exact; a scale only changes how much exploration weighs against them:
//   mean / s + e * width  is largest where  mean + s * e * width  is, for any scale s > 0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "games/contract.hpp"
#include "games/path.hpp"
#include "search/node_pool.hpp"
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

  // What happened since start(), beyond what the tree itself says.
  struct Counters {
    std::int64_t iterations = 0;
    std::int64_t nodes = 0;     // tree nodes made, the root not counted
    std::int64_t playouts = 0;  // simulations that left the tree before the end of the game
    std::int64_t depth_sum = 0;
    std::int64_t depth_squares = 0;
    int deepest = 0;
  };

  // `pool_bytes` for each of the two pools: the tree, and the copy that tree reuse needs.
  UctStream(const G& game, const UctOptions& options, bool vectors, std::uint64_t pool_bytes)
      : info_(game.info()),
        options_(options),
        tables_(VisitTables::get()),
        deepest_(options.tree_depth > 0 ? std::min(options.tree_depth, kDeepest) : kDeepest),
        trail_(static_cast<std::size_t>(deepest_) + 1),
        actions_(static_cast<std::size_t>(std::max(info_.max_legal, 1))),
        outcomes_(actions_.size()) {
    const double range = info_.max_payoff - info_.min_payoff;
    const double unit = options.scale == Scale::unit && range > 0 ? range : 1;
    exploration_ = static_cast<float>(options.c * exploration_factor(options.formula) * unit);
    const int width = vectors ? info_.players : 0;
    const auto at_least = static_cast<std::uint32_t>(info_.max_legal) + 1;
    tree_.configure(width, pool_bytes, at_least);
    spare_.configure(width, pool_bytes, at_least);
  }

  // Prepares a search from `root`, which must outlive it. The tree is what reroot() left, or empty after clear().
  void start(const State& root, std::span<const std::uint64_t> seen, Rng rng, Limits limits) {
    root_ = &root;
    rng_ = rng;
    counters_ = {};
    path_.reset(root, seen);
    base_ = path_.mark();
    if (tree_.size() == 0) {
      tree_.add(1);
      tree_.node(0).player = root.player();
    }
    // Visits are 32 bits wide.
    limits.iterations = std::min(limits.iterations, kMostVisits - static_cast<std::int64_t>(tree_.node(0).visits));
    limits_ = limits;
  }

  // Does up to `count` simulations and says whether the budget leaves more to do.
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

  // Keeps the subtree that `moves` lead to and makes it the tree; clears the tree if it does not go that far.
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
  static constexpr int kDeepest = 4096;  // actions in the tree; nothing is lost beyond, playouts begin there
  static constexpr std::int64_t kMostVisits = 4'000'000'000;

  struct Step {
    std::uint32_t node;
    std::int32_t owner;  // whose payoff the node sums
  };

  void simulate_once() {
    State state = *root_;
    const int depth = select_and_expand(state);
    double payoffs[kMaxPlayers];
    simulate(state, tree_.node(trail_[static_cast<std::size_t>(depth)].node).player, payoffs);
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
    for (int depth = 0;;) {
      const int player = tree_.node(at).player;
      if (player == kTerminal) return depth;
      const bool leaf = tree_.node(at).first == 0;
      if (leaf && (depth == deepest_ || !expand(at, state))) return depth;
      bool fresh = false;
      const std::uint32_t next = player == kChance ? draw_outcome(at, state, fresh) : select(at, fresh);
      path_.apply(state, tree_.node(next).action);
      trail_[static_cast<std::size_t>(++depth)] = {next, std::max(player, 0)};
      at = next;
      if (fresh) {
        tree_.node(at).player = state.player();
        if (options_.expand == Expand::one) ++counters_.nodes;
      }
      if (options_.expand == Expand::one ? fresh : leaf) return depth;
    }
  }

  // Gives a node its block of children. Says no when memory is used up.
  bool expand(std::uint32_t at, const State& state) {
    const auto count = static_cast<std::uint32_t>(state.legal(actions_.data()));
    const std::uint32_t first = tree_.add(count);
    if (first == NodePool::kNone) return false;
    for (std::uint32_t i = 0; i < count; ++i) tree_.node(first + i).action = actions_[i];
    Node& node = tree_.node(at);
    node.first = first;
    node.count = static_cast<std::uint16_t>(count);
    if (options_.expand == Expand::all) counters_.nodes += count;
    return true;
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
        // An untried child is nothing but its action, so drawing one is swapping actions.
        Node& drawn = tree_.node(slot + rng_.below(left));
        const Action a = drawn.action;
        drawn.action = tree_.node(slot).action;
        tree_.node(slot).action = a;
      }
      return slot;
    }
    if (in_turn) return node.first + node.visits % node.count;
    return node.first +
           best_bound(tree_.scores() + node.first, node.count, exploration_ * tables_.sqrt_log(node.visits));
  }

  std::uint32_t best_bound(const Score* scores, std::uint32_t count, float weight) const {
    if (options_.scale == Scale::siblings) {
      const auto [low, high] = std::ranges::minmax(std::span(scores, count), {}, &Score::mean);
      // Equal siblings are all worth 0: exploration alone decides, with any weight.
      if (low.mean < high.mean) weight *= (high.mean - low.mean) / 2;
    }
    float best = scores[0].mean + weight * scores[0].width;
    std::uint32_t index = 0;
    for (std::uint32_t i = 1; i < count; ++i) {
      const float bound = scores[i].mean + weight * scores[i].width;
      index = bound > best ? i : index;
      best = bound > best ? bound : best;
    }
    return index;
  }

  std::uint32_t draw_outcome(std::uint32_t at, const State& state, bool& fresh) {
    Node& node = tree_.node(at);
    const Action a = random_outcome(state, rng_, outcomes_.data());
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

  // Phase 3, the default policy: uniformly random actions to the end, or the game's own evaluation of the leaf.
  void simulate(State& state, int player, double* payoffs) {
    if (player != kTerminal) {
      ++counters_.playouts;
      if (options_.playout == Playout::evaluation) {
        if constexpr (HasEvaluation<State>) {
          for (int p = 0; p < info_.players; ++p) payoffs[p] = state.evaluate(0, p);
        }
        check(payoffs);
        return;
      }
      int left = info_.max_length;
      do {
        const Action a =
            player >= 0 ? random_action(state, rng_, actions_.data()) : random_outcome(state, rng_, outcomes_.data());
        path_.apply(state, a);
        player = state.player();
        if (--left < 0) too_long();
      } while (player != kTerminal);
    }
    state.returns(payoffs);
    check(payoffs);
  }

  // Phase 4.
  void backpropagate(int depth, const double* payoffs) {
    Score* const scores = tree_.scores();
    for (int d = depth; d >= 0; --d) {
      const auto [i, owner] = trail_[static_cast<std::size_t>(d)];
      Node& node = tree_.node(i);
      const double payoff = payoffs[owner];
      node.total += payoff;
      node.squares += payoff * payoff;
      ++node.visits;
      scores[i] = {static_cast<float>(node.total / node.visits), tables_.inverse_sqrt(node.visits)};
      if (tree_.has_vectors()) {
        double* totals = tree_.totals(i);
        for (int p = 0; p < info_.players; ++p) totals[p] += payoffs[p];
      }
    }
  }

  // The unit scale relies on the range that the game promises.
  void check(const double* payoffs) const {
    if (options_.scale != Scale::unit) return;
    for (int p = 0; p < info_.players; ++p) {
      if (payoffs[p] >= info_.min_payoff && payoffs[p] <= info_.max_payoff) continue;
      throw Error(info_.name + ": payoff " + std::to_string(payoffs[p]) + " of player " + std::to_string(p) +
                  " is outside the game's range " + std::to_string(info_.min_payoff) + " to " +
                  std::to_string(info_.max_payoff) + "; correct the range or search with scale=raw");
    }
  }

  [[noreturn]] void too_long() const {
    throw Error(info_.name + ": a game went on beyond max_length = " + std::to_string(info_.max_length) + " actions");
  }

  const GameInfo& info_;
  const UctOptions& options_;
  const VisitTables& tables_;
  const int deepest_;
  float exploration_ = 0;
  NodePool tree_;
  NodePool spare_;
  std::vector<Step> trail_;
  std::vector<Action> actions_;
  std::vector<Outcome> outcomes_;
  const State* root_ = nullptr;
  Path<State> path_;
  typename Path<State>::Mark base_{};
  Rng rng_;
  Limits limits_;
  Counters counters_;
};

}  // namespace kiebitz::search
