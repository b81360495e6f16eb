// Exact measures of strategies on a compiled game: what a profile pays, and what a best response to it gets.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "solve/compiled.hpp"

namespace kiebitz::solve {

// Evaluates profiles; its memory is reused.
class Evaluator {
 public:
  explicit Evaluator(const Compiled& game) : game_(game), plans_(game.sides.size()), values_(game.sides.size()) {
    for (std::size_t p = 0; p < plans_.size(); ++p) {
      plans_[p].resize(game.sides[p].sequences());
      values_[p].resize(game.sides[p].sequences());
    }
  }

  // The profile to measure: one strategy per player, as pointers to its probabilities.
  void set_profile(const std::vector<const double*>& profile) {
    for (std::size_t p = 0; p < plans_.size(); ++p) plan_of(game_.sides[p], profile[p], plans_[p].data());
  }
  // The same with plans instead of strategies.
  void set_plans(const std::vector<Plan>& plans) { plans_ = plans; }

  // What a player gets when all follow the profile.
  double payoff(int player) {
    const double* const value = values(player);
    const Plan& plan = plans_[static_cast<std::size_t>(player)];
    double sum = 0;
    for (const Sequence s : game_.side(player).ends.rows) sum += value[s] * plan[s];
    return sum;
  }

  // The most that a player can get against the others. `response` takes the strategy that gets it, one probability per
  // sequence; among equally good choices the first.
  double best_response(int player, double* response = nullptr) {
    double* const value = values(player);
    const Side& side = game_.side(player);
    if (response != nullptr) std::fill_n(response, side.sequences(), 0.0);
    for (std::size_t k = side.sets.size(); k-- > 0;) {
      const InformationSet& set = side.sets[k];
      Sequence best = set.first;
      for (Sequence s = set.first + 1; s < set.first + set.count; ++s) {
        if (value[s] > value[best]) best = s;
      }
      value[set.parent] += value[best];
      if (response != nullptr) response[best] = 1;
    }
    if (response != nullptr) response[0] = 1;
    return value[0];
  }

 private:
  // By sequence of the player: what it earns at the ends right behind it, against the others.
  double* values(int player) {
    std::array<const double*, kMaxPlayers> plans{};
    for (std::size_t p = 0; p < plans_.size(); ++p) plans[p] = plans_[p].data();
    double* const out = values_[static_cast<std::size_t>(player)].data();
    end_values(game_, player, plans, out);
    return out;
  }

  const Compiled& game_;
  std::vector<Plan> plans_;
  std::vector<std::vector<double>> values_;
};

}  // namespace kiebitz::solve
