// One tree of an information-set search (Cowling, Powley and Whitehouse 2012, single observer). A node stands for what
// the searching player knows after a sequence of actions; every iteration draws a world from the root's information set
// and walks the part of the tree that this world allows.
//
// Which actions a node offers changes from world to world, so each child counts how often it was available, and that
// count replaces the parent's visits in the bound.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "games/contract.hpp"
#include "games/path.hpp"
#include "search/playout.hpp"
#include "search/ucb.hpp"
#include "search/worlds.hpp"

namespace kiebitz::search {

template <HiddenGame G>
class IsmctsStream {
 public:
  using State = typename G::State;
  using View = typename G::View;
  using Sampler = typename SamplerOf<G>::Type;

  // Children are a linked list, newest first: they become known one by one.
  struct Node {
    double total = 0;             // payoffs of the player who moved here
    std::uint32_t visits = 0;     // iterations through this node
    std::uint32_t available = 0;  // iterations through the parent in which this could have been chosen
    std::uint32_t first = 0;      // child; 0: none
    std::uint32_t next = 0;       // sibling; 0: none
    std::int32_t action = kNoAction;
    std::int32_t mover = 0;  // the player who moved here; tells siblings apart as well
  };

  struct Limits {
    std::int64_t iterations = 0;
    std::int64_t nodes = 0;  // 0: none
  };

  struct Counters {
    std::int64_t iterations = 0;
    std::int64_t nodes = 0;  // the root not counted
    std::int64_t inner = 0;  // nodes that got a child
    std::int64_t playouts = 0;
    std::int64_t depth_sum = 0;
    std::int64_t depth_squares = 0;
    int deepest = 0;
  };

  IsmctsStream(const G& game, const IsmctsOptions& options, std::uint64_t bytes)
      : info_(game.info()),
        options_(options),
        tables_(VisitTables::get()),
        // While the array grows, the old and the new one are both in memory.
        most_(static_cast<std::size_t>(std::clamp<std::uint64_t>(bytes / sizeof(Node) / 2, 2, 0xFFFFFFF0U))),
        playouts_(game, {Playout::random, 0, options.playout_calls, options.solve_last, options.scale == Scale::unit}),
        marks_(static_cast<std::size_t>(std::max(info_.actions, 1))) {
    const double range = info_.max_payoff - info_.min_payoff;
    const double unit = options.scale == Scale::unit && range > 0 ? range : 1;
    exploration_ = static_cast<float>(options.c * exploration_factor(options.formula) * unit);
  }

  void start(Sampler sampler, Rng rng, Limits limits) {
    sampler_.emplace(std::move(sampler));
    rng_ = rng;
    // Visits are 32 bits wide.
    limits_ = {std::min<std::int64_t>(limits.iterations, 4'000'000'000), limits.nodes};
    counters_ = {};
    full_ = false;
    nodes_.clear();
    nodes_.emplace_back();
    root_children_.clear();
    details_.clear();
    playouts_.reset();
  }

  bool advance(std::int64_t count) {
    for (; count > 0 && !finished(); --count) {
      iterate();
      ++counters_.iterations;
    }
    return !finished();
  }

  bool finished() const {
    return counters_.iterations >= limits_.iterations || (limits_.nodes > 0 && counters_.nodes >= limits_.nodes);
  }

  const Counters& counters() const { return counters_; }
  bool full() const { return full_; }
  const std::vector<Node>& nodes() const { return nodes_; }

  // Sums over the simulations through a child of the root: squares of the mover's payoff, then every player's payoff.
  const double* details(std::uint32_t child) const { return details_.data() + child_rank(child) * stride(); }

  // The child of the root by its action; 0: none.
  std::uint32_t child(Action a) const {
    for (std::uint32_t i = nodes_.front().first; i != 0; i = nodes_[i].next) {
      if (nodes_[i].action == a) return i;
    }
    return 0;
  }

 private:
  void iterate() {
    State state = sampler_->draw(rng_);
    path_.reset(state, {});
    trail_.clear();
    trail_.push_back(0);
    bool inside = true;
    for (int player = state.player(); player != kTerminal && inside; player = state.player()) {
      const std::uint32_t next = player == kChance ? draw_outcome(state, inside) : choose(state, player, inside);
      if (next == 0) break;  // memory is used up
      path_.apply(state, nodes_[next].action);
      if constexpr (HasCalls<State>) {
        if (trail_.size() == 1 && options_.tree_calls != Calls::all) state.restrict_calls(options_.tree_calls);
      }
      trail_.push_back(next);
    }
    double payoffs[kMaxPlayers];
    if (state.player() == kTerminal) {
      playouts_.finish(state, payoffs);
    } else {
      ++counters_.playouts;
      playouts_.run(state, path_, rng_, payoffs);
    }
    backpropagate(payoffs);
  }

  // Untried actions of this world first, then the largest bound among the children that this world allows.
  std::uint32_t choose(const State& state, int player, bool& inside) {
    const std::uint32_t at = trail_.back();
    Action* const actions = playouts_.actions();
    const int count = state.legal(actions);
    // A new stamp for this world and node; stamp + 1 marks the actions that have a child.
    stamp_ += 2;
    for (int i = 0; i < count; ++i) marks_[static_cast<std::size_t>(actions[i])] = stamp_;
    here_.clear();
    for (std::uint32_t i = nodes_[at].first; i != 0; i = nodes_[i].next) {
      Node& child = nodes_[i];
      auto& mark = marks_[static_cast<std::size_t>(child.action)];
      if (child.mover != player || mark != stamp_) continue;
      mark = stamp_ + 1;
      ++child.available;
      here_.push_back(i);
    }
    if (const auto untried = static_cast<std::uint32_t>(count) - static_cast<std::uint32_t>(here_.size());
        untried > 0) {
      std::uint32_t drawn = rng_.below(untried);
      for (int i = 0;; ++i) {
        if (marks_[static_cast<std::size_t>(actions[i])] == stamp_ && drawn-- == 0) {
          inside = false;
          return add(at, actions[i], player);
        }
      }
    }
    return best_bound(nodes_[at]);
  }

  std::uint32_t best_bound(const Node& parent) const {
    float weight = exploration_;
    const auto mean = [](const Node& node) { return static_cast<float>(node.total / node.visits); };
    if (options_.scale == Scale::siblings) {
      float low = mean(nodes_[here_.front()]);
      float high = low;
      for (const std::uint32_t i : here_) {
        low = std::min(low, mean(nodes_[i]));
        high = std::max(high, mean(nodes_[i]));
      }
      if (low < high) weight *= (high - low) / 2;
    }
    std::uint32_t best = here_.front();
    float most = -std::numeric_limits<float>::infinity();
    for (const std::uint32_t i : here_) {
      const Node& child = nodes_[i];
      const std::uint32_t chances = options_.availability ? child.available : parent.visits;
      const float bound = mean(child) + weight * tables_.sqrt_log(chances) * tables_.inverse_sqrt(child.visits);
      if (bound > most || (bound == most && child.action < nodes_[best].action)) {
        most = bound;
        best = i;
      }
    }
    return best;
  }

  std::uint32_t draw_outcome(const State& state, bool& inside) {
    const std::uint32_t at = trail_.back();
    const Action a = random_outcome(state, rng_, playouts_.outcomes());
    for (std::uint32_t i = nodes_[at].first; i != 0; i = nodes_[i].next) {
      if (nodes_[i].action != a || nodes_[i].mover != kChance) continue;
      ++nodes_[i].available;
      return i;
    }
    inside = false;
    return add(at, a, kChance);
  }

  // A new child; 0 if memory is used up.
  std::uint32_t add(std::uint32_t at, Action a, int mover) {
    if (nodes_.size() >= most_) {
      full_ = true;
      return 0;
    }
    const auto fresh = static_cast<std::uint32_t>(nodes_.size());
    Node node;
    node.action = a;
    node.mover = mover;
    node.available = 1;
    node.next = nodes_[at].first;
    if (node.next == 0) ++counters_.inner;
    ++counters_.nodes;
    if (nodes_.size() == nodes_.capacity()) nodes_.reserve(std::min(2 * nodes_.size(), most_));
    nodes_.push_back(node);
    nodes_[at].first = fresh;
    if (at == 0) {
      root_children_.push_back(fresh);
      details_.resize(details_.size() + stride(), 0.0);
    }
    return fresh;
  }

  void backpropagate(const double* payoffs) {
    for (const std::uint32_t i : trail_) {
      Node& node = nodes_[i];
      ++node.visits;
      node.total += payoffs[std::max(node.mover, 0)];
    }
    if (trail_.size() > 1) {
      double* const detail = details_.data() + child_rank(trail_[1]) * stride();
      const double own = payoffs[std::max(nodes_[trail_[1]].mover, 0)];
      detail[0] += own * own;
      for (int p = 0; p < info_.players; ++p) detail[p + 1] += payoffs[p];
    }
    const auto depth = static_cast<std::int64_t>(trail_.size()) - 1;
    counters_.depth_sum += depth;
    counters_.depth_squares += depth * depth;
    counters_.deepest = std::max(counters_.deepest, static_cast<int>(depth));
  }

  std::size_t stride() const { return static_cast<std::size_t>(info_.players) + 1; }
  std::size_t child_rank(std::uint32_t child) const {
    return static_cast<std::size_t>(std::ranges::find(root_children_, child) - root_children_.begin());
  }

  const GameInfo& info_;
  const IsmctsOptions& options_;
  const VisitTables& tables_;
  const std::size_t most_;
  float exploration_ = 0;
  Playouts<G> playouts_;
  std::optional<Sampler> sampler_;
  Path<State> path_;
  Rng rng_;
  Limits limits_;
  Counters counters_;
  bool full_ = false;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> root_children_;  // in the order of `details_`
  std::vector<double> details_;
  std::vector<std::uint32_t> trail_;
  std::vector<std::uint32_t> here_;   // children of the current node that the world allows
  std::vector<std::uint64_t> marks_;  // by action
  std::uint64_t stamp_ = 0;
};

}  // namespace kiebitz::search
