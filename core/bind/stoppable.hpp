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

// A call that works without the interpreter lock, or calls Python on its way. Leaving Python first ends those of all
// other threads, and the threads with them (leave_python): what they work on goes with the process. SystemExit ends a
// thread as quietly as Python ends its daemon threads. The thread that leaves goes on as before: functions registered
// with atexit may play.
class NativeCall {
 public:
  NativeCall() {
    if (ended()) throw nb::python_error();
    ++running;
  }
  ~NativeCall() { --running; }
  NativeCall(const NativeCall&) = delete;
  NativeCall& operator=(const NativeCall&) = delete;

  // Whether this thread must end; then SystemExit is set.
  static bool ended() {
    if (!leaving || leaver) return false;
    PyErr_SetNone(PyExc_SystemExit);
    return true;
  }

  inline static std::atomic<bool> leaving{false};
  inline static thread_local bool leaver = false;
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
    if (token != nullptr && token->requested) return true;
    nb::gil_scoped_acquire lock;
    if (!NativeCall::ended() && PyErr_CheckSignals() == 0) return false;
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
