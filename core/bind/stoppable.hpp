// Running a long loop of the core from Python: the interpreter lock released, Ctrl-C, a token and the end of Python
// seen, options by name.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <exception>
#include <limits>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/stop.hpp"

namespace kiebitz::bind {

namespace nb = nanobind;

// What Python holds to cancel a search from another thread.
struct StopToken {
  std::atomic<bool> requested{false};
};

// A call that works without the interpreter lock, or calls Python on its way. Leaving Python ends all of them first
// (leave_python): a thread that wants the lock of an interpreter that is gone would be ended in the middle of C++, and
// the process with it.
class NativeCall {
 public:
  NativeCall() {
    if (leaving) throw Error("Python is shutting down: nothing new is started");
    ++running;
  }
  ~NativeCall() { --running; }
  NativeCall(const NativeCall&) = delete;
  NativeCall& operator=(const NativeCall&) = delete;

  inline static std::atomic<bool> leaving{false};
  inline static std::atomic<int> running{0};
};

// Runs `work` without the interpreter lock.
template <class Work>
auto run_unlocked(Work&& work) {
  const NativeCall call;
  const nb::gil_scoped_release unlock;
  return work();
}

// Options that the core keeps as int: a number that does not fit is out of any range.
inline int small(const char* name, std::int64_t n) {
  if (n < std::numeric_limits<int>::min() || n > std::numeric_limits<int>::max()) {
    throw ParameterError(std::string(name) + ": " + std::to_string(n) + " is out of range");
  }
  return static_cast<int>(n);
}

// Runs `work(stop)` without the interpreter lock (unless the game needs it) and lets Ctrl-C and the token end it.
template <class Work>
auto run_stoppable(bool needs_interpreter, const StopToken* token, Work&& work) {
  const NativeCall call;
  Stop stop;
  std::exception_ptr interrupted;
  stop.set_interrupt([&] {
    if (NativeCall::leaving || (token != nullptr && token->requested)) return true;
    nb::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() == 0) return false;
    interrupted = std::make_exception_ptr(nb::python_error());
    return true;
  });
  try {
    auto result = [&] {
      if (needs_interpreter) return work(stop);
      nb::gil_scoped_release unlock;
      return work(stop);
    }();
    if (interrupted) std::rethrow_exception(interrupted);
    return result;
  } catch (const Error&) {
    // That the loop was stopped matters more than what it then complained about.
    if (interrupted) std::rethrow_exception(interrupted);
    throw;
  }
}

}  // namespace kiebitz::bind
