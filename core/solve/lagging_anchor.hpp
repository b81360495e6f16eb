// The lagging anchor algorithm in extensive form (Dahl 2002): both players follow the gradient of their payoff, and
// each strategy is tied to an anchor that follows it, which damps the circles that plain gradients run in.
//
// The parameters are the probabilities themselves, kept on the simplex of each information set. The derivative of a
// payoff by the probability of an action is the sum over the nodes of the set of reach times what the action is worth:
//   exact      all of it, over the sequences
//   canonical  from sampled games: in every decision the action taken is worth what the game paid, each other action
//              what one additional game from there pays; unbiased
//   truncated  from sampled games: a table of node values, learned by temporal differences, says what the actions are
//              worth; less noise, but biased until the table is good. The table sees the whole node and is never used
//              to play. An additional game now and then keeps the values of actions that are no longer played.
// A constant added to all actions of a set changes nothing on the simplex, so no baseline is needed.
//
// With exact gradients strategies and anchors converge; with sampled ones they keep moving by the noise of a step, and
// the mean over all iterations is the answer. A set that is never reached learns nothing, so there is no proof of
// convergence as there is for matrices (dynamics.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/named_enum.hpp"
#include "base/rng.hpp"
#include "base/stop.hpp"
#include "solve/compiled.hpp"
#include "solve/simplex.hpp"

namespace kiebitz::solve {

KIEBITZ_NAMED_ENUM(GradientEstimate, exact, canonical, truncated)

struct LaggingAnchorOptions {
  GradientEstimate estimate = GradientEstimate::exact;
  double alpha = 0.1;       // size of a step
  double eta = 0.3;         // strength of the pull between strategy and anchor
  std::int64_t games = 10;  // sampled for each step
  double rate = 0.2;        // truncated: how far the value of a node moves towards its target
  double trace = 0.9;       // truncated: the weight of the real payoff in the target; the rest is that of later nodes
  double explore = 0.2;     // truncated: how often a game is followed by one with another choice, for the table
  std::uint64_t seed = 0;
};

class LaggingAnchor {
 public:
  struct Memory {
    std::int64_t iterations = 0;
    std::vector<Strategy> strategies;
    std::vector<Strategy> anchors;
    std::vector<Plan> averages;  // sums of plans; sampled only
    std::vector<double> values;  // of each node for each player; truncated only
    std::int64_t games = 0;      // sampled
    std::int64_t extra = 0;      // additional ones
    std::int64_t nodes = 0;      // looked at in all of these
    Rng rng;
  };

  LaggingAnchor(std::shared_ptr<const Compiled> game, LaggingAnchorOptions options)
      : game_(std::move(game)), options_(options) {
    memory_.rng = Rng(options.seed);
    for (const Side& side : game_->sides) {
      memory_.strategies.push_back(uniform_strategy(side));
      memory_.averages.emplace_back(sampled() ? side.sequences() : 0);
      plans_.emplace_back(side.sequences());
      gradients_.emplace_back(side.sequences());
    }
    memory_.anchors = memory_.strategies;
    path_.resize(static_cast<std::size_t>(game_->depth) + 1);
    if (options_.estimate == GradientEstimate::truncated) {
      memory_.values.resize(game_->nodes.size() * players());
      for (std::size_t node = 0; node < game_->nodes.size(); ++node) {
        if (game_->nodes[node].player != kTerminal) continue;
        std::copy_n(payoffs_at(game_->nodes[node]), players(), memory_.values.data() + node * players());
      }
    }
  }

  const LaggingAnchorOptions& options() const { return options_; }
  const Memory& memory() const { return memory_; }
  void load(Memory memory) { memory_ = std::move(memory); }

  // Runs up to `count` more iterations; fewer if stopped, but only complete ones.
  void iterate(std::int64_t count, Stop& stop) {
    for (std::int64_t i = 0; i < count; ++i) {
      if (i % kInterval == 0 && stop.poll()) return;
      ++memory_.iterations;
      estimate_gradients();
      for (std::size_t p = 0; p < players(); ++p) {
        step(p);
        if (sampled()) add_plan(p);
      }
    }
  }

  // Finds the gradients at the current strategies without taking a step. Games that are sampled for it count, and the
  // table of node values learns from them.
  void estimate_gradients() {
    if (!sampled()) return exact_gradients();
    for (auto& gradient : gradients_) std::ranges::fill(gradient, 0.0);
    for (std::int64_t g = 0; g < options_.games; ++g) sample_game();
    const double share = 1 / static_cast<double>(options_.games);
    for (auto& gradient : gradients_) {
      for (double& x : gradient) x *= share;
    }
  }
  void exact_gradients() {
    std::array<const double*, kMaxPlayers> plans{};
    for (std::size_t p = 0; p < players(); ++p) {
      plan_of(game_->sides[p], memory_.strategies[p].data(), plans_[p].data());
      plans[p] = plans_[p].data();
    }
    for (std::size_t p = 0; p < players(); ++p) {
      const Side& side = game_->sides[p];
      const double* const strategy = memory_.strategies[p].data();
      double* const values = gradients_[p].data();
      end_values(*game_, static_cast<int>(p), plans, values);
      for (std::size_t k = side.sets.size(); k-- > 0;) {
        const InformationSet& set = side.sets[k];
        double value = 0;
        for (Sequence s = set.first; s < set.first + set.count; ++s) {
          value += strategy[s] * values[s];
          values[s] *= plans_[p][set.parent];
        }
        values[set.parent] += value;
      }
    }
  }

  // By sequence: the derivative of the player's payoff by the probability of its last choice, as last estimated.
  const std::vector<double>& gradient(int player) const { return gradients_[static_cast<std::size_t>(player)]; }
  const Strategy& current(int player) const { return memory_.strategies[static_cast<std::size_t>(player)]; }
  const Strategy& anchor(int player) const { return memory_.anchors[static_cast<std::size_t>(player)]; }
  // The answer so far: the mean of all strategies, weighted by reach; with exact gradients the anchor, itself a mean.
  Strategy average(int player) const {
    if (!sampled()) return anchor(player);
    return strategy_of(game_->side(player), memory_.averages[static_cast<std::size_t>(player)]);
  }

 private:
  static constexpr int kInterval = 16;

  bool sampled() const { return options_.estimate != GradientEstimate::exact; }
  std::size_t players() const { return game_->sides.size(); }
  const double* payoffs_at(const Node& end) const { return game_->payoffs.data() + std::size_t{end.index} * players(); }
  const double* value_of(std::uint32_t node) const { return memory_.values.data() + std::size_t{node} * players(); }

  // Samples what chance or the player to move does at a node.
  std::uint32_t draw(const Node& node) {
    double u = memory_.rng.unit();
    std::uint32_t i = 0;
    if (node.player == kChance) {
      const Outcome* const outcomes = game_->outcomes.data() + node.index;
      while (i + 1 < node.count && (u -= outcomes[i].probability) >= 0) ++i;
    } else {
      const double* const probabilities = current(node.player).data() + first_of(node);
      while (i + 1 < node.count && (u -= probabilities[i]) >= 0) ++i;
    }
    return i;
  }
  Sequence first_of(const Node& node) const { return game_->side(node.player).sets[node.index].first; }

  // Samples one game from the root and adds its part of the gradients.
  void sample_game() {
    ++memory_.games;
    path_[0] = 0;
    const std::size_t end = play_to_end(0);
    const bool canonical = options_.estimate == GradientEstimate::canonical;
    const double* const outcome = payoffs_at(game_->nodes[path_[end]]);
    for (std::size_t k = 0; k < end; ++k) {
      const Node& node = game_->nodes[path_[k]];
      if (node.player == kChance) continue;
      double* const gradient = gradients_[static_cast<std::size_t>(node.player)].data() + first_of(node);
      for (std::uint32_t i = 0; i < node.count; ++i) {
        const std::uint32_t child = node.child + i;
        const double* const worth = !canonical              ? value_of(child)
                                    : child == path_[k + 1] ? outcome
                                                            : sample_payoffs(child);
        gradient[i] += worth[node.player];
      }
    }
    if (canonical) return;
    update_node_values(0, end);
    if (memory_.rng.unit() < options_.explore) try_another_choice(end);
  }

  // Continues the game from `path_[at]`; returns the index of its end.
  std::size_t play_to_end(std::size_t at) {
    ++memory_.nodes;
    while (game_->nodes[path_[at]].player != kTerminal) {
      const Node& node = game_->nodes[path_[at]];
      path_[++at] = node.child + draw(node);
      ++memory_.nodes;
    }
    return at;
  }

  // The payoffs of one additional game from a node.
  const double* sample_payoffs(std::uint32_t node) {
    ++memory_.extra;
    ++memory_.nodes;
    for (; game_->nodes[node].player != kTerminal; ++memory_.nodes) {
      node = game_->nodes[node].child + draw(game_->nodes[node]);
    }
    return payoffs_at(game_->nodes[node]);
  }

  // One additional game for the table alone, from a random choice of a random decision.
  void try_another_choice(std::size_t end) {
    std::uint32_t decisions = 0;
    std::size_t chosen = end;
    for (std::size_t k = 0; k < end; ++k) {
      if (game_->nodes[path_[k]].player != kChance && memory_.rng.below(++decisions) == 0) chosen = k;
    }
    if (chosen == end) return;
    ++memory_.extra;
    const Node& node = game_->nodes[path_[chosen]];
    path_[chosen + 1] = node.child + memory_.rng.below(node.count);
    update_node_values(chosen + 1, play_to_end(chosen + 1));
  }

  // Moves the values of the nodes of a game towards its payoffs, from the last node back.
  void update_node_values(std::size_t begin, std::size_t end) {
    const double* const outcome = payoffs_at(game_->nodes[path_[end]]);
    for (std::size_t p = 0; p < players(); ++p) {
      double target = outcome[p];
      for (std::size_t k = end; k-- > begin;) {
        double& value = memory_.values[std::size_t{path_[k]} * players() + p];
        const double before = value;
        value += options_.rate * (target - before);
        target = options_.trace * target + (1 - options_.trace) * before;
      }
    }
  }

  // One step of a player along its gradient.
  void step(std::size_t p) {
    double* const strategy = memory_.strategies[p].data();
    double* const anchor = memory_.anchors[p].data();
    const double* const gradient = gradients_[p].data();
    for (const InformationSet& set : game_->sides[p].sets) {
      for (Sequence s = set.first; s < set.first + set.count; ++s) {
        const double pull = options_.eta * (anchor[s] - strategy[s]);
        strategy[s] += options_.alpha * (gradient[s] + pull);
        anchor[s] -= options_.alpha * pull;
      }
      project_to_simplex(strategy + set.first, set.count);
    }
  }

  void add_plan(std::size_t p) {
    plan_of(game_->sides[p], memory_.strategies[p].data(), plans_[p].data());
    for (std::size_t s = 0; s < plans_[p].size(); ++s) memory_.averages[p][s] += plans_[p][s];
  }

  std::shared_ptr<const Compiled> game_;
  LaggingAnchorOptions options_;
  Memory memory_;
  std::vector<std::vector<double>> gradients_;
  std::vector<Plan> plans_;          // scratch
  std::vector<std::uint32_t> path_;  // scratch: the nodes of a game
};

}  // namespace kiebitz::solve
