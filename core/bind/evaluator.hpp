// Evaluators that Python hands to a search: objects of the core, or functions of arrays.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "nets/evaluator.hpp"

namespace kiebitz::bind {

namespace nb = nanobind;

// What Python gave to a search, held in a way that the garbage collector can see and take away (see held_slots in
// module_search.cpp). What evaluators hold inside each other it does not see. Functions are called with the interpreter
// lock, objects of the core without it.
class HeldEvaluator final : public nets::Evaluator {
 public:
  // Throws ParameterError for anything else than an Evaluator or a function.
  explicit HeldEvaluator(std::shared_ptr<nb::object> held);
  void judge(const nets::Positions& positions, nets::Judgements& out) const override;
  void check(const GameInfo& info) const override;
  const nb::object& object() const { return *held_; }
  bool has_policy() const override { return native_ == nullptr || native_->has_policy(); }
  bool has_values() const override { return native_ == nullptr || native_->has_values(); }

 private:
  std::shared_ptr<nb::object> held_;
  const nets::Evaluator* native_ = nullptr;  // inside of `held_`; null: a function
};

}  // namespace kiebitz::bind
