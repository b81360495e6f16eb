// Exact measures of strategies on a compiled game: what a profile pays, and what a best response to the others gets.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "solve/compiled.hpp"

namespace kiebitz::solve {

// Evaluates profiles; keeps its memory between them.
class Evaluator {
 public:
  explicit Evaluator(const Compiled& game) : game_(game), plans_(game.sides.size()), values_(game.sides.size()) {
    for (std::size_t p = 0; p < plans_.size(); ++p) {
      plans_[p].resize(game.sides[p].sequences());
      values_[p].resize(game.sides[p].sequences());
    }
  }

  // What everybody is measured against from now on: one strategy a player, as pointers to its probabilities.
  void set(const std::vector<const double*>& profile) {
    for (std::size_t p = 0; p < plans_.size(); ++p) plan_of(game_.sides[p], profile[p], plans_[p].data());
  }
  // The same with plans instead of strategies.
  void set_plans(const std::vector<Plan>& plans) { plans_ = plans; }

  // What the profile pays a player.
  double payoff(int player) {
    const double* const values = look(player);
    const Plan& plan = plans_[static_cast<std::size_t>(player)];
    double sum = 0;
    for (const Sequence s : game_.side(player).ends.rows) sum += values[s] * plan[s];
    return sum;
  }

  // The best that a player can get against the others. With `response`, one probability a sequence: how; of equally
  // good choices the first.
  double best_response(int player, double* response = nullptr) {
    double* const values = look(player);
    const Side& side = game_.side(player);
    if (response != nullptr) std::fill_n(response, side.sequences(), 0.0);
    for (std::size_t k = side.sets.size(); k-- > 0;) {
      const InformationSet& set = side.sets[k];
      Sequence best = set.first;
      for (Sequence s = set.first + 1; s < set.first + set.count; ++s) {
        if (values[s] > values[best]) best = s;
      }
      values[set.parent] += values[best];
      if (response != nullptr) response[best] = 1;
    }
    if (response != nullptr) response[0] = 1;
    return values[0];
  }

 private:
  double* look(int player) {
    std::array<const double*, kMaxPlayers> plans{};
    for (std::size_t p = 0; p < plans_.size(); ++p) plans[p] = plans_[p].data();
    double* const values = values_[static_cast<std::size_t>(player)].data();
    end_values(game_, player, plans, values);
    return values;
  }

  const Compiled& game_;
  std::vector<Plan> plans_;
  std::vector<std::vector<double>> values_;
};

}  // namespace kiebitz::solve
