// Fictitious play in extensive form (Heinrich, Lanctot and Silver 2015, XFP): every player mixes a best response to
// the others' averages into its own average, weighted by reach. On plans that is a plain running mean.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/stop.hpp"
#include "solve/compiled.hpp"
#include "solve/response.hpp"

namespace kiebitz::solve {

class FictitiousPlay {
 public:
  struct Memory {
    std::int64_t iterations = 0;  // best responses; the uniform start counts as one more in the mean
    std::vector<Plan> averages;
  };

  explicit FictitiousPlay(std::shared_ptr<const Compiled> game) : game_(std::move(game)), evaluator_(*game_) {
    for (const Side& side : game_->sides) {
      memory_.averages.push_back(plan_of(side, uniform_strategy(side)));
      responses_.emplace_back(side.sequences());
    }
  }

  const Memory& memory() const { return memory_; }
  void load(Memory memory) { memory_ = std::move(memory); }

  void iterate(std::int64_t count, Stop& stop) {
    for (std::int64_t i = 0; i < count; ++i) {
      if (i % kInterval == 0 && stop.poll()) return;
      evaluator_.set_plans(memory_.averages);
      for (int p = 0; p < game_->players; ++p) {
        Plan& response = responses_[static_cast<std::size_t>(p)];
        evaluator_.best_response(p, response.data());
        plan_of(game_->side(p), response.data(), response.data());
      }
      const double share = 1.0 / static_cast<double>(++memory_.iterations + 1);
      for (std::size_t p = 0; p < responses_.size(); ++p) {
        Plan& average = memory_.averages[p];
        for (std::size_t s = 0; s < average.size(); ++s) average[s] += share * (responses_[p][s] - average[s]);
      }
    }
  }

  Strategy average(int player) const {
    return strategy_of(game_->side(player), memory_.averages[static_cast<std::size_t>(player)]);
  }

 private:
  static constexpr int kInterval = 16;

  std::shared_ptr<const Compiled> game_;
  Evaluator evaluator_;
  Memory memory_;
  std::vector<Plan> responses_;
};

}  // namespace kiebitz::solve
