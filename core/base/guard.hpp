// One user at a time: an object that keeps memory between calls refuses a second thread, and a call into itself,
// instead of mixing two pieces of work. It has a Guard, and whatever touches its memory is Alone with it.
#pragma once

#include <atomic>

#include "base/error.hpp"

namespace kiebitz {

class Guard {
 public:
  Guard() = default;
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

  // Held while the object is used; refuses if somebody else holds it.
  class Alone {
   public:
    explicit Alone(Guard& guard) : guard_(guard) {
      if (guard_.used_.test_and_set()) {
        throw Error("this object is in use by another thread or by a call that has not returned: give each its own");
      }
    }
    ~Alone() { guard_.used_.clear(); }
    Alone(const Alone&) = delete;
    Alone& operator=(const Alone&) = delete;

   private:
    Guard& guard_;
  };

 private:
  std::atomic_flag used_;
};

}  // namespace kiebitz
