// Counterfactual regret minimisation over the sequences of a compiled game: a matrix product for the values of the
// ends, one pass backwards for values and regrets, one forwards for the plan. No tree is walked.
//
// One rule with parameters covers the family:
//   CFR         Zinkevich, Johanson, Bowling and Piccione 2007
//   CFR+        Tammelin 2014: regrets never below 0, averages weighted by t
//   linear CFR, discounted CFR: Brown and Sandholm 2019: past regrets times t^a/(t^a + 1) (b for negative ones),
//               averages weighted by t^g
//   predictive CFR+: Farina, Kroer and Sandholm 2021: the last regret as a guess of the next
//   restricted Nash response: Johanson, Zinkevich and Bowling 2007: one player follows a given strategy with
//               probability p and is free otherwise
//
// Players take turns within an iteration unless `simultaneous`. The average is a weighted sum of plans; normalised it
// is the strategy averaged with the weight of each player's own reach.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/stop.hpp"
#include "solve/compiled.hpp"

namespace kiebitz::solve {

struct CfrOptions {
  double alpha = std::numeric_limits<double>::infinity();  // infinite: past positive regrets are kept
  double beta = std::numeric_limits<double>::infinity();   // the same for negative ones
  double gamma = 0;                                        // 0: all iterations count alike in the average
  bool floor = false;                                      // regrets never fall below 0
  bool predictive = false;
  bool simultaneous = false;
};

// A player who, by a hidden draw before the game, follows a given strategy with some probability.
struct Restriction {
  int player = 0;
  double probability = 0;
  Strategy strategy;
};

class Cfr {
 public:
  // All that is needed to continue later.
  struct Memory {
    std::int64_t iterations = 0;
    std::vector<std::vector<double>> regrets;   // by player and sequence
    std::vector<std::vector<double>> guesses;   // predictive only: the last regrets
    std::vector<std::vector<double>> averages;  // sums of plans
  };

  Cfr(std::shared_ptr<const Compiled> game, CfrOptions options, std::optional<Restriction> restriction = {})
      : game_(std::move(game)), options_(options), restriction_(std::move(restriction)) {
    for (int p = 0; p < game_->players; ++p) {
      const Side& side = game_->side(p);
      memory_.regrets.emplace_back(side.sequences(), 0.0);
      memory_.guesses.emplace_back(options_.predictive ? side.sequences() : 0, 0.0);
      memory_.averages.emplace_back(side.sequences(), 0.0);
      strategies_.push_back(uniform_strategy(side));
      plans_.push_back(plan_of(side, strategies_.back()));
      values_.emplace_back(side.sequences());
    }
    if (restriction_) {
      given_ = plan_of(game_->side(restriction_->player), restriction_->strategy);
      mixed_ = given_;
    }
  }

  const CfrOptions& options() const { return options_; }
  const Memory& memory() const { return memory_; }

  void load(Memory memory) {
    memory_ = std::move(memory);
    for (int p = 0; p < game_->players; ++p) {
      const auto i = static_cast<std::size_t>(p);
      for (const InformationSet& set : game_->side(p).sets) regret_matching(i, set);
      plan_of(game_->side(p), strategies_[i].data(), plans_[i].data());
    }
  }

  // Runs up to `count` more iterations; fewer if stopped, but only complete ones.
  void iterate(std::int64_t count, Stop& stop) {
    for (std::int64_t i = 0; i < count; ++i) {
      if (i % kInterval == 0 && stop.poll()) return;
      const auto t = static_cast<double>(++memory_.iterations);
      discount_ = {kept_share(t - 1, options_.alpha), kept_share(t - 1, options_.beta)};
      weight_ = options_.gamma == 0 ? 1 : std::pow(t, options_.gamma);
      if (options_.simultaneous) {
        for (int p = 0; p < game_->players; ++p) update_values(p);
        for (int p = 0; p < game_->players; ++p) update_regrets(p);
      } else {
        for (int p = 0; p < game_->players; ++p) {
          update_values(p);
          update_regrets(p);
        }
      }
    }
  }

  Strategy average(int player) const {
    return strategy_of(game_->side(player), memory_.averages[static_cast<std::size_t>(player)]);
  }
  const Strategy& current(int player) const { return strategies_[static_cast<std::size_t>(player)]; }

 private:
  static constexpr int kInterval = 16;

  static double kept_share(double t, double exponent) {
    if (std::isinf(exponent)) return exponent > 0 ? 1 : 0;
    const double power = std::pow(t, exponent);
    return std::isinf(power) ? 1 : power / (power + 1);
  }

  // The values of the player's sequences at the ends, against the plans of the others.
  void update_values(int player) {
    std::array<const double*, kMaxPlayers> plans;
    for (std::size_t p = 0; p < plans_.size(); ++p) plans[p] = plans_[p].data();
    if (restriction_ && restriction_->player != player) {
      const auto r = static_cast<std::size_t>(restriction_->player);
      const double p = restriction_->probability;
      for (std::size_t s = 0; s < mixed_.size(); ++s) mixed_[s] = p * given_[s] + (1 - p) * plans_[r][s];
      plans[r] = mixed_.data();
    }
    end_values(*game_, player, plans, values_[static_cast<std::size_t>(player)].data());
  }

  // Adds the plan to the average, finds regrets from the values, and from these the next strategy and plan.
  void update_regrets(int player) {
    const auto i = static_cast<std::size_t>(player);
    const Side& side = game_->side(player);
    double* const average = memory_.averages[i].data();
    double* const plan = plans_[i].data();
    for (std::size_t s = 0; s < side.sequences(); ++s) average[s] += weight_ * plan[s];

    double* const values = values_[i].data();
    const double* const strategy = strategies_[i].data();
    double* const regrets = memory_.regrets[i].data();
    double* const guesses = memory_.guesses[i].data();
    for (std::size_t k = side.sets.size(); k-- > 0;) {
      const InformationSet& set = side.sets[k];
      const Sequence end = set.first + set.count;
      double value = 0;
      for (Sequence s = set.first; s < end; ++s) value += strategy[s] * values[s];
      values[set.parent] += value;
      for (Sequence s = set.first; s < end; ++s) {
        const double regret = values[s] - value;
        const double past = regrets[s];
        double sum = past * (past > 0 ? discount_.positive : discount_.negative) + regret;
        if (options_.floor && sum < 0) sum = 0;
        regrets[s] = sum;
        if (options_.predictive) guesses[s] = regret;
      }
      regret_matching(i, set);
    }
    plan_of(side, strategies_[i].data(), plan);
  }

  // The next strategy in a set: in proportion to the positive regrets, uniform if there are none.
  void regret_matching(std::size_t player, const InformationSet& set) {
    double* const strategy = strategies_[player].data();
    const double* const regrets = memory_.regrets[player].data();
    const double* const guesses = options_.predictive ? memory_.guesses[player].data() : nullptr;
    double sum = 0;
    for (Sequence s = set.first; s < set.first + set.count; ++s) {
      const double regret = std::max(guesses == nullptr ? regrets[s] : regrets[s] + guesses[s], 0.0);
      strategy[s] = regret;
      sum += regret;
    }
    const double scale = sum > 0 ? 1 / sum : 0;
    for (Sequence s = set.first; s < set.first + set.count; ++s) {
      strategy[s] = sum > 0 ? strategy[s] * scale : 1.0 / set.count;
    }
  }

  struct Discount {
    double positive = 1;
    double negative = 1;
  };

  std::shared_ptr<const Compiled> game_;
  CfrOptions options_;
  std::optional<Restriction> restriction_;
  Memory memory_;
  std::vector<Strategy> strategies_;  // of the next iteration
  std::vector<Plan> plans_;
  std::vector<std::vector<double>> values_;
  Plan given_;
  Plan mixed_;
  Discount discount_;
  double weight_ = 1;
};

}  // namespace kiebitz::solve
