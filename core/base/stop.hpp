// The stop token: how a long loop learns that it should return what it has (Ctrl-C, a cancelled request).
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
  // The flag alone: threads that do not own the search may ask nothing else.
  bool requested() const { return stopped_.load(std::memory_order_relaxed); }

  // Asked now and then by the thread that owns the search; true means stop. The bindings look for Ctrl-C here.
  void set_interrupt(std::function<bool()> interrupt) { interrupt_ = std::move(interrupt); }

  // The full question, for the owning thread only: interrupt included. Costs some 50 ns; ask every few hundred nodes.
  bool poll() {
    if (requested()) return true;
    if (interrupt_) {
      const auto now = Clock::now();
      if (now >= next_interrupt_) {
        next_interrupt_ = now + std::chrono::milliseconds(20);
        if (interrupt_()) request();
      }
    }
    return requested();
  }

 private:
  std::atomic<bool> stopped_{false};
  Clock::time_point next_interrupt_{};
  std::function<bool()> interrupt_;
};

}  // namespace kiebitz
