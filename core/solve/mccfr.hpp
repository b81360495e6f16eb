// Monte Carlo counterfactual regret minimisation (Lanctot, Waugh, Zinkevich and Bowling 2009) on the tree of a compiled
// game: an iteration updates every player once, each on a sample of the tree.
//   chance    draws what chance does and walks all the rest
//   external  draws what chance and the others do
//   outcome   draws everything, own choices with some exploration: one game
// The sums that average() normalises are weighted so that their expectation is that of the full walk.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/choices.hpp"
#include "base/error.hpp"
#include "base/rng.hpp"
#include "base/stop.hpp"
#include "solve/compiled.hpp"

namespace kiebitz::solve {

KIEBITZ_CHOICES(Sampling, chance, external, outcome)

struct MccfrOptions {
  Sampling sampling = Sampling::external;
  double exploration = 0.6;  // outcome sampling: the share of uniformly random own choices
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
    rooms_.resize(2 * width_ * (static_cast<std::size_t>(game_->depth) + 1));
  }

  const Memory& memory() const { return memory_; }
  void load(Memory memory) { memory_ = std::move(memory); }

  // Up to so many more iterations; fewer when stopped.
  void iterate(std::int64_t count, Stop& stop) {
    for (std::int64_t i = 0; i < count; ++i) {
      if (i % kInterval == 0 && stop.poll()) return;
      ++memory_.iterations;
      for (player_ = 0; player_ < game_->players; ++player_) {
        switch (options_.sampling) {
          case Sampling::chance:
            sample_chance(game_->nodes[0], 1, 1, rooms_.data());
            break;
          case Sampling::external:
            sample_others(game_->nodes[0], rooms_.data());
            break;
          case Sampling::outcome:
            sample_all(game_->nodes[0], 1, 1, 1, rooms_.data());
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
    return game_
        ->payoffs[std::size_t{end.what} * static_cast<std::size_t>(game_->players) + static_cast<std::size_t>(player_)];
  }
  const Node& child(const Node& node, std::uint32_t i) const { return game_->nodes[node.child + i]; }
  const InformationSet& set_of(const Node& node) const { return game_->side(node.player).sets[node.what]; }

  std::uint32_t roll(const Node& node) {
    const Outcome* const outcomes = game_->outcomes.data() + node.what;
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

  // Regret matching.
  void match(const Node& node, Sequence first, double* strategy) const {
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

  // `own` and `others`: the probability that the player and the other players go this way. `room` has space for the
  // strategy and the values of this node and of all below.
  double sample_chance(const Node& node, double own, double others, double* room) {
    if (node.player == kTerminal) return payoff(node);
    if (node.player == kChance) return sample_chance(child(node, roll(node)), own, others, room);
    const Sequence first = set_of(node).first;
    double* const strategy = room;
    double* const values = room + width_;
    match(node, first, strategy);
    const bool mine = node.player == player_;
    double value = 0;
    for (std::uint32_t i = 0; i < node.count; ++i) {
      values[i] = sample_chance(child(node, i), mine ? own * strategy[i] : own, mine ? others : others * strategy[i],
                                room + 2 * width_);
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

  double sample_others(const Node& node, double* room) {
    if (node.player == kTerminal) return payoff(node);
    if (node.player == kChance) return sample_others(child(node, roll(node)), room);
    const Sequence first = set_of(node).first;
    double* const strategy = room;
    double* const values = room + width_;
    match(node, first, strategy);
    if (node.player != player_) {
      // Each player's average grows in the walk of the one before, where the own choices are drawn by it.
      if (node.player == (player_ + 1) % game_->players) {
        double* const averages = averages_of(node, first);
        for (std::uint32_t i = 0; i < node.count; ++i) averages[i] += strategy[i];
      }
      return sample_others(child(node, draw(strategy, node.count, memory_.rng)), room);
    }
    double value = 0;
    for (std::uint32_t i = 0; i < node.count; ++i) {
      values[i] = sample_others(child(node, i), room + 2 * width_);
      value += strategy[i] * values[i];
    }
    double* const regrets = regrets_of(node, first);
    for (std::uint32_t i = 0; i < node.count; ++i) regrets[i] += values[i] - value;
    return value;
  }

  // `others` includes chance; `drawn`: the probability that this way was drawn.
  double sample_all(const Node& node, double own, double others, double drawn, double* room) {
    if (node.player == kTerminal) return payoff(node);
    if (node.player == kChance) {
      const std::uint32_t i = roll(node);
      const double p = game_->outcomes[node.what + i].probability;
      return sample_all(child(node, i), own, others * p, drawn * p, room);
    }
    const Sequence first = set_of(node).first;
    double* const strategy = room;
    double* const sampled = room + width_;
    match(node, first, strategy);
    const bool mine = node.player == player_;
    const double explore = mine ? options_.exploration : 0;
    for (std::uint32_t i = 0; i < node.count; ++i) {
      sampled[i] = explore / node.count + (1 - explore) * strategy[i];
    }
    const std::uint32_t chosen = draw(sampled, node.count, memory_.rng);
    const double p = strategy[chosen];
    const double q = sampled[chosen];
    const double below =
        sample_all(child(node, chosen), mine ? own * p : own, mine ? others : others * p, drawn * q, room + 2 * width_);
    // The choices that were not drawn count as 0, the drawn one for as many games as it stands for.
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
  int player_ = 0;  // who learns
  std::size_t width_ = 1;
  std::vector<double> rooms_;
};

}  // namespace kiebitz::solve
