// The stop token: how a long loop learns that it should return what it has (Ctrl-C, a deadline, a cancelled request).
#pragma once

#include <atomic>
#include <chrono>
#include <functional>

namespace kiebitz {

class Stop {
 public:
  using Clock = std::chrono::steady_clock;

  Stop() = default;
  Stop(const Stop&) = delete;
  Stop& operator=(const Stop&) = delete;

  void request() { stopped_.store(true, std::memory_order_relaxed); }
  bool requested() const { return stopped_.load(std::memory_order_relaxed); }

  // From now on; zero or less means no deadline.
  void set_deadline(double seconds) {
    has_deadline_ = seconds > 0;
    if (has_deadline_) {
      deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    }
  }

  // Asked now and then by the thread that owns the search; true means stop. The bindings look for Ctrl-C here.
  void set_interrupt(std::function<bool()> interrupt) { interrupt_ = std::move(interrupt); }

  // The full question, for the owning thread only: clock and interrupt included. Costs some 50 ns; ask every few
  // hundred nodes.
  bool poll() {
    if (requested()) return true;
    if (late()) {
      request();
      return true;
    }
    if (interrupt_) {
      const auto now = Clock::now();
      if (now >= next_interrupt_) {
        next_interrupt_ = now + std::chrono::milliseconds(20);
        if (interrupt_()) request();
      }
    }
    return requested();
  }

  // For the other threads of a search: flag and clock, never the interrupt.
  bool poll_worker() {
    if (late()) request();
    return requested();
  }

 private:
  bool late() const { return has_deadline_ && Clock::now() >= deadline_; }

  std::atomic<bool> stopped_{false};
  bool has_deadline_ = false;
  Clock::time_point deadline_{};
  Clock::time_point next_interrupt_{};
  std::function<bool()> interrupt_;
};

}  // namespace kiebitz
