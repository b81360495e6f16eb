// Monte Carlo counterfactual regret minimisation (Lanctot, Waugh, Zinkevich and Bowling 2009) on the tree of a compiled
// game: an iteration updates every player once, each on a sample of the tree.
//   chance    samples chance and walks all the rest
//   external  samples chance and the other players
//   outcome   samples everything, with some exploration for the player who learns: one game
// The sums that average() normalises are weighted so that their expectation is that of a full walk.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/named_enum.hpp"
#include "base/rng.hpp"
#include "base/stop.hpp"
#include "solve/compiled.hpp"

namespace kiebitz::solve {

KIEBITZ_NAMED_ENUM(Sampling, chance, external, outcome)

struct MccfrOptions {
  Sampling sampling = Sampling::external;
  double exploration = 0.6;  // outcome sampling: the share of uniformly random choices of the player who learns
  std::uint64_t seed = 0;
};

class Mccfr {
 public:
  struct Memory {
    std::int64_t iterations = 0;
    std::vector<std::vector<double>> regrets;  // by player and sequence
    std::vector<std::vector<double>> averages;
    Rng rng;
  };

  Mccfr(std::shared_ptr<const Compiled> game, MccfrOptions options)
      : game_(std::move(game)), options_(options), memory_{0, {}, {}, Rng(options.seed)} {
    std::uint32_t widest = 1;
    for (const Side& side : game_->sides) {
      memory_.regrets.emplace_back(side.sequences(), 0.0);
      memory_.averages.emplace_back(side.sequences(), 0.0);
      for (const InformationSet& set : side.sets) widest = std::max(widest, set.count);
    }
    width_ = widest;
    scratch_.resize(2 * width_ * (static_cast<std::size_t>(game_->depth) + 1));
  }

  const Memory& memory() const { return memory_; }
  void load(Memory memory) { memory_ = std::move(memory); }

  // Runs up to `count` more iterations; fewer if stopped.
  void iterate(std::int64_t count, Stop& stop) {
    for (std::int64_t i = 0; i < count; ++i) {
      if (i % kInterval == 0 && stop.poll()) return;
      ++memory_.iterations;
      for (player_ = 0; player_ < game_->players; ++player_) {
        switch (options_.sampling) {
          case Sampling::chance:
            sample_chance(game_->nodes[0], 1, 1, scratch_.data());
            break;
          case Sampling::external:
            sample_others(game_->nodes[0], scratch_.data());
            break;
          case Sampling::outcome:
            sample_all(game_->nodes[0], 1, 1, 1, scratch_.data());
            break;
        }
      }
    }
  }

  Strategy average(int player) const {
    return strategy_of(game_->side(player), memory_.averages[static_cast<std::size_t>(player)]);
  }

 private:
  static constexpr int kInterval = 64;

  double payoff(const Node& end) const {
    return game_->payoffs[std::size_t{end.index} * static_cast<std::size_t>(game_->players) +
                          static_cast<std::size_t>(player_)];
  }
  const Node& child(const Node& node, std::uint32_t i) const { return game_->nodes[node.child + i]; }
  const InformationSet& set_of(const Node& node) const { return game_->side(node.player).sets[node.index]; }

  std::uint32_t draw_outcome(const Node& node) {
    const Outcome* const outcomes = game_->outcomes.data() + node.index;
    double u = memory_.rng.unit();
    std::uint32_t i = 0;
    for (; i + 1 < node.count; ++i) {
      u -= outcomes[i].probability;
      if (u < 0) break;
    }
    return i;
  }

  static std::uint32_t draw(const double* probabilities, std::uint32_t count, Rng& rng) {
    double u = rng.unit();
    std::uint32_t i = 0;
    for (; i + 1 < count; ++i) {
      u -= probabilities[i];
      if (u < 0) break;
    }
    return i;
  }

  // The strategy in proportion to the positive regrets, uniform if there are none.
  void regret_matching(const Node& node, Sequence first, double* strategy) const {
    const double* const regrets = memory_.regrets[static_cast<std::size_t>(node.player)].data() + first;
    double sum = 0;
    for (std::uint32_t i = 0; i < node.count; ++i) {
      strategy[i] = std::max(regrets[i], 0.0);
      sum += strategy[i];
    }
    const double scale = sum > 0 ? 1 / sum : 0;
    for (std::uint32_t i = 0; i < node.count; ++i) strategy[i] = sum > 0 ? strategy[i] * scale : 1.0 / node.count;
  }

  double* regrets_of(const Node& node, Sequence first) {
    return memory_.regrets[static_cast<std::size_t>(node.player)].data() + first;
  }
  double* averages_of(const Node& node, Sequence first) {
    return memory_.averages[static_cast<std::size_t>(node.player)].data() + first;
  }

  // `own` and `others`: the probabilities with which the player and the other players reach this node. `scratch` has
  // room for the strategy and the values of this node and of all nodes below.
  double sample_chance(const Node& node, double own, double others, double* scratch) {
    if (node.player == kTerminal) return payoff(node);
    if (node.player == kChance) return sample_chance(child(node, draw_outcome(node)), own, others, scratch);
    const Sequence first = set_of(node).first;
    double* const strategy = scratch;
    double* const values = scratch + width_;
    regret_matching(node, first, strategy);
    const bool mine = node.player == player_;
    double value = 0;
    for (std::uint32_t i = 0; i < node.count; ++i) {
      values[i] = sample_chance(child(node, i), mine ? own * strategy[i] : own, mine ? others : others * strategy[i],
                                scratch + 2 * width_);
      value += strategy[i] * values[i];
    }
    if (mine) {
      double* const regrets = regrets_of(node, first);
      double* const averages = averages_of(node, first);
      for (std::uint32_t i = 0; i < node.count; ++i) {
        regrets[i] += others * (values[i] - value);
        averages[i] += own * strategy[i];
      }
    }
    return value;
  }

  double sample_others(const Node& node, double* scratch) {
    if (node.player == kTerminal) return payoff(node);
    if (node.player == kChance) return sample_others(child(node, draw_outcome(node)), scratch);
    const Sequence first = set_of(node).first;
    double* const strategy = scratch;
    double* const values = scratch + width_;
    regret_matching(node, first, strategy);
    if (node.player != player_) {
      // Each player's average is updated in the walk of the player before, where its choices are sampled.
      if (node.player == (player_ + 1) % game_->players) {
        double* const averages = averages_of(node, first);
        for (std::uint32_t i = 0; i < node.count; ++i) averages[i] += strategy[i];
      }
      return sample_others(child(node, draw(strategy, node.count, memory_.rng)), scratch);
    }
    double value = 0;
    for (std::uint32_t i = 0; i < node.count; ++i) {
      values[i] = sample_others(child(node, i), scratch + 2 * width_);
      value += strategy[i] * values[i];
    }
    double* const regrets = regrets_of(node, first);
    for (std::uint32_t i = 0; i < node.count; ++i) regrets[i] += values[i] - value;
    return value;
  }

  // `others` includes chance; `drawn` is the probability with which this path was sampled.
  double sample_all(const Node& node, double own, double others, double drawn, double* scratch) {
    if (node.player == kTerminal) return payoff(node);
    if (node.player == kChance) {
      const std::uint32_t i = draw_outcome(node);
      const double p = game_->outcomes[node.index + i].probability;
      return sample_all(child(node, i), own, others * p, drawn * p, scratch);
    }
    const Sequence first = set_of(node).first;
    double* const strategy = scratch;
    double* const sampled = scratch + width_;
    regret_matching(node, first, strategy);
    const bool mine = node.player == player_;
    const double explore = mine ? options_.exploration : 0;
    for (std::uint32_t i = 0; i < node.count; ++i) {
      sampled[i] = explore / node.count + (1 - explore) * strategy[i];
    }
    const std::uint32_t chosen = draw(sampled, node.count, memory_.rng);
    const double p = strategy[chosen];
    const double q = sampled[chosen];
    const double below = sample_all(child(node, chosen), mine ? own * p : own, mine ? others : others * p, drawn * q,
                                    scratch + 2 * width_);
    // Choices that were not sampled count as 0; the sampled one is weighted by 1 / its probability.
    const double value = below / q;
    if (mine) {
      const double weight = others / drawn;
      double* const regrets = regrets_of(node, first);
      double* const averages = averages_of(node, first);
      for (std::uint32_t i = 0; i < node.count; ++i) {
        regrets[i] += weight * ((i == chosen ? value : 0) - p * value);
        averages[i] += own * strategy[i] / drawn;
      }
    }
    return p * value;
  }

  std::shared_ptr<const Compiled> game_;
  MccfrOptions options_;
  Memory memory_;
  int player_ = 0;  // the player who learns
  std::size_t width_ = 1;
  std::vector<double> scratch_;
};

}  // namespace kiebitz::solve
