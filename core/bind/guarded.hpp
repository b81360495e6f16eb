// An object that Python holds and that can be reached through its guard only: `guarded.use()->method()`.
#pragma once

#include <utility>

#include "base/guard.hpp"

namespace kiebitz::bind {

template <class T>
class Guarded {
 public:
  template <class... Arguments>
  explicit Guarded(std::in_place_t, Arguments&&... arguments) : object_(std::forward<Arguments>(arguments)...) {}

  class Use {
   public:
    explicit Use(Guarded& guarded) : alone_(guarded.guard_), object_(guarded.object_) {}
    T* operator->() const { return &object_; }

   private:
    Guard::Alone alone_;
    T& object_;
  };

  // Nobody else can use the object for as long as the answer lives.
  [[nodiscard]] Use use() { return Use(*this); }

 private:
  Guard guard_;
  T object_;
};

}  // namespace kiebitz::bind
