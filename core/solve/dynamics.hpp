// Simple dynamics of two-player matrix games: both players adapt to each other at the same time.
//
//   regret_matching   Hart and Mas-Colell 2000: choose in proportion to positive regrets
//   fictitious_play   Brown 1951: the best response to the mean of the other's choices
//   replicator        Taylor and Jonker 1978 in discrete steps: weights grow by exp(alpha times payoff)
//   gradient          Dahl 2002, the basic rule: a step of alpha along the payoff, projected onto the simplex; circles
//   lagging_anchor    Dahl 2002: an anchor follows the strategy and pulls it back, which damps the circles
//
// In zero-sum games the averages of the first three approach an equilibrium, and so does the anchored strategy itself.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/named_enum.hpp"
#include "base/stop.hpp"
#include "solve/simplex.hpp"

namespace kiebitz::solve {

KIEBITZ_NAMED_ENUM(Rule, regret_matching, fictitious_play, replicator, gradient, lagging_anchor)

struct DynamicsOptions {
  Rule rule = Rule::regret_matching;
  double alpha = 0.02;  // size of a step: replicator, gradient, lagging_anchor
  double eta = 1;       // strength of the pull between strategy and anchor
};

class Dynamics {
 public:
  using Vectors = std::array<std::vector<double>, 2>;

  // `payoffs`: of each player, a row for each action of player 0. `start`: a mixed strategy of each.
  Dynamics(const Vectors& payoffs, Vectors start, DynamicsOptions options) : options_(options) {
    const std::size_t rows = start[0].size();
    const std::size_t columns = start[1].size();
    for (std::size_t p = 0; p < 2; ++p) {
      Player& player = players_[p];
      const std::size_t size = start[p].size();
      player.values.resize(size);
      Memory& memory = player.memory;
      memory.scores.resize(size);
      memory.sums = memory.anchor = memory.strategy = std::move(start[p]);
      if (options_.rule == Rule::replicator) {
        std::ranges::transform(memory.strategy, memory.scores.begin(), [](double x) { return std::log(x); });
      }
    }
    players_[1].payoffs = payoffs[1];
    players_[0].payoffs.resize(rows * columns);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) players_[0].payoffs[j * rows + i] = payoffs[0][i * columns + j];
    }
    played_.resize(std::max(rows, columns));
  }

  // All that a player carries from step to step.
  struct Memory {
    std::vector<double> strategy;
    std::vector<double> scores;  // what the rule sums: regrets, payoffs or logarithms of weights
    std::vector<double> anchor;
    std::vector<double> sums;  // of strategies
  };

  std::int64_t steps() const { return steps_; }
  const Memory& memory(int p) const { return player(p).memory; }
  // Sizes must be those of memory().
  void load(std::int64_t steps, std::array<Memory, 2> memories) {
    steps_ = steps;
    for (std::size_t p = 0; p < 2; ++p) players_[p].memory = std::move(memories[p]);
  }

  // Runs up to `count` more steps; fewer if stopped.
  void iterate(std::int64_t count, Stop& stop) {
    for (std::int64_t i = 0; i < count; ++i) {
      if (i % kInterval == 0 && stop.poll()) return;
      ++steps_;
      update_values(players_[0], players_[1].memory.strategy);
      update_values(players_[1], players_[0].memory.strategy);
      for (Player& player : players_) {
        update_strategy(player);
        Memory& memory = player.memory;
        for (std::size_t a = 0; a < memory.sums.size(); ++a) memory.sums[a] += memory.strategy[a];
      }
    }
  }

  // The strategy of a player after the last step.
  const std::vector<double>& current(int player) const { return memory(player).strategy; }
  // Lagging anchor only; with other rules it is the start.
  const std::vector<double>& anchor(int player) const { return memory(player).anchor; }
  // The mean of all strategies so far, the start included.
  std::vector<double> average(int player) const {
    std::vector<double> out = memory(player).sums;
    for (double& x : out) x /= static_cast<double>(steps_ + 1);
    return out;
  }

 private:
  static constexpr int kInterval = 16;

  struct Player {
    std::vector<double> payoffs;  // a block for each action of the other player
    std::vector<double> values;   // of each action, against the other's strategy
    Memory memory;
  };

  const Player& player(int p) const { return players_[static_cast<std::size_t>(p)]; }

  // The values of a player's actions against a strategy. Only actions that are played cost time, four at once so that
  // the values are written less often.
  void update_values(Player& own, const std::vector<double>& other) {
    std::size_t count = 0;
    for (std::size_t a = 0; a < other.size(); ++a) {
      if (other[a] != 0) played_[count++] = a;
    }
    const std::size_t size = own.values.size();
    double* __restrict const values = own.values.data();
    std::fill_n(values, size, 0.0);
    const auto weight = [&](std::size_t k) { return other[played_[k]]; };
    const auto block = [&](std::size_t k) { return own.payoffs.data() + played_[k] * size; };
    std::size_t k = 0;
    for (; k + 4 <= count; k += 4) {
      const double w0 = weight(k), w1 = weight(k + 1), w2 = weight(k + 2), w3 = weight(k + 3);
      const double *const b0 = block(k), *const b1 = block(k + 1), *const b2 = block(k + 2), *const b3 = block(k + 3);
      for (std::size_t a = 0; a < size; ++a) values[a] += (w0 * b0[a] + w1 * b1[a]) + (w2 * b2[a] + w3 * b3[a]);
    }
    for (; k < count; ++k) {
      const double w = weight(k);
      const double* const b = block(k);
      for (std::size_t a = 0; a < size; ++a) values[a] += w * b[a];
    }
  }

  void update_strategy(Player& own) {
    std::vector<double>& strategy = own.memory.strategy;
    std::vector<double>& scores = own.memory.scores;
    const std::size_t size = strategy.size();
    switch (options_.rule) {
      case Rule::regret_matching: {
        double value = 0;
        for (std::size_t a = 0; a < size; ++a) value += strategy[a] * own.values[a];
        double sum = 0;
        for (std::size_t a = 0; a < size; ++a) {
          scores[a] += own.values[a] - value;
          strategy[a] = std::max(scores[a], 0.0);
          sum += strategy[a];
        }
        for (double& x : strategy) x = sum > 0 ? x / sum : 1.0 / static_cast<double>(size);
        break;
      }
      case Rule::fictitious_play: {
        // The best response to the mean is the one to the sum, which has no rounding errors where payoffs are whole
        // numbers: ties stay ties, and the first action wins them.
        for (std::size_t a = 0; a < size; ++a) scores[a] += own.values[a];
        std::ranges::fill(strategy, 0.0);
        strategy[static_cast<std::size_t>(std::ranges::max_element(scores) - scores.begin())] = 1;
        break;
      }
      case Rule::replicator: {
        // Logarithms, because a weight that has become 0 could never grow again.
        for (std::size_t a = 0; a < size; ++a) scores[a] += options_.alpha * own.values[a];
        const double top = *std::ranges::max_element(scores);
        double sum = 0;
        for (std::size_t a = 0; a < size; ++a) {
          scores[a] -= top;
          strategy[a] = std::exp(scores[a]);
          sum += strategy[a];
        }
        for (double& x : strategy) x /= sum;
        break;
      }
      case Rule::gradient:
        for (std::size_t a = 0; a < size; ++a) strategy[a] += options_.alpha * own.values[a];
        project_to_simplex(strategy.data(), size);
        break;
      case Rule::lagging_anchor: {
        double* const anchor = own.memory.anchor.data();
        for (std::size_t a = 0; a < size; ++a) {
          const double pull = options_.eta * (anchor[a] - strategy[a]);
          strategy[a] += options_.alpha * (own.values[a] + pull);
          anchor[a] -= options_.alpha * pull;
        }
        project_to_simplex(strategy.data(), size);
        break;
      }
    }
  }

  DynamicsOptions options_;
  std::array<Player, 2> players_;
  std::vector<std::size_t> played_;  // scratch
  std::int64_t steps_ = 0;
};

}  // namespace kiebitz::solve
