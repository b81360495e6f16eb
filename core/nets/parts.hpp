// The policy of one evaluator and the values of another, for searches that take one of them and not the other.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "nets/evaluator.hpp"

namespace kiebitz::nets {

class Parts final : public Evaluator {
 public:
  // Null: all actions are alike, or all values are 0.
  Parts(std::shared_ptr<const Evaluator> policy, std::shared_ptr<const Evaluator> values)
      : policy_(std::move(policy)), values_(std::move(values)) {}

  void check(const GameInfo& info) const override {
    if (policy_) policy_->check(info);
    if (values_) values_->check(info);
  }
  bool has_policy() const override { return policy_ && policy_->has_policy(); }
  bool has_values() const override { return values_ && values_->has_values(); }

  void judge(const Positions& positions, Judgements& out) const override {
    if (values_) {
      values_->judge(positions, out);
    } else {
      std::fill_n(out.values.begin(), positions.count * positions.players, 0.0F);
    }
    if (!policy_) {
      std::fill_n(out.logits.begin(), positions.count * positions.actions, 0.0F);
      return;
    }
    const std::vector<float> values = out.values;  // those of the policy's net are thrown away
    policy_->judge(positions, out);
    std::ranges::copy(values, out.values.begin());
  }

 private:
  std::shared_ptr<const Evaluator> policy_;
  std::shared_ptr<const Evaluator> values_;
};

}  // namespace kiebitz::nets
