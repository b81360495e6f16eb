// Runs independent streams of work on a few threads until all are done, time is up or a stop is requested. Threads only
// decide when a stream advances, never what it does: the result does not depend on their number.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/stop.hpp"

namespace kiebitz::search {

template <class Advance>
class Schedule {
 public:
  // `advance(stream, count)` does up to `count` simulations and returns whether the stream has more to do.
  Schedule(int streams, int threads, double seconds, Stop& stop, Advance advance)
      : threads_(std::min(threads, streams)), stop_(stop), advance_(std::move(advance)) {
    for (int s = 0; s < streams; ++s) waiting_.push_back(s);
    if (seconds > 0) deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(Seconds(seconds));
  }

  // The calling thread works too, and only it checks for interrupts. Throws what a stream threw. Returns whether a stop
  // was requested; running out of time does not count.
  bool run() {
    std::vector<std::thread> helpers;
    running_ = threads_;
    try {
      for (int t = 1; t < threads_; ++t) {
        helpers.emplace_back([this] { work(false); });
      }
    } catch (const std::system_error&) {
      // No more threads available: the others take over.
      leave(threads_ - 1 - static_cast<int>(helpers.size()));
    }
    work(true);
    std::unique_lock lock(mutex_);
    while (running_ > 0) {
      idle_.wait_for(lock, std::chrono::milliseconds(10));
      lock.unlock();
      try {
        if (stop_.poll()) end(true);
      } catch (...) {
        fail(std::current_exception());
      }
      lock.lock();
    }
    lock.unlock();
    for (auto& helper : helpers) helper.join();
    if (error_) std::rethrow_exception(error_);
    return stopped_;
  }

 private:
  using Clock = Stop::Clock;
  using Seconds = std::chrono::duration<double>;
  static constexpr std::int64_t kMostAtOnce = 512;                        // simulations between two checks of the clock
  static constexpr auto kCheckInterval = std::chrono::microseconds(500);  // target time between them
  static constexpr auto kSlice = std::chrono::milliseconds(5);            // until another stream gets its turn

  void work(bool owner) {
    try {
      std::int64_t count = 1;
      for (int stream = take(); stream >= 0; stream = take()) {
        const auto begin = Clock::now();
        auto last = begin;
        for (;;) {
          const bool more = advance_(stream, count);
          const auto now = Clock::now();
          if (owner ? stop_.poll() : stop_.requested()) end(true);
          if (now >= deadline_) end(false);
          if (ended_.load(std::memory_order_relaxed)) break;
          if (!more) break;
          if (now - last < kCheckInterval) {
            count = std::min(count * 2, kMostAtOnce);
          } else if (now - last > 4 * kCheckInterval) {
            count = std::max<std::int64_t>(count / 2, 1);
          }
          last = now;
          if (now - begin > kSlice && give_back(stream)) break;
        }
      }
    } catch (...) {
      fail(std::current_exception());
    }
    leave(1);
  }

  int take() {
    const std::lock_guard lock(mutex_);
    if (ended_.load(std::memory_order_relaxed) || waiting_.empty()) return -1;
    const int stream = waiting_.front();
    waiting_.pop_front();
    return stream;
  }

  // Returns a stream to the queue; false if no other stream waits, so that it can go on.
  bool give_back(int stream) {
    const std::lock_guard lock(mutex_);
    if (waiting_.empty()) return false;
    waiting_.push_back(stream);
    return true;
  }

  void end(bool by_token) {
    if (by_token) stopped_.store(true, std::memory_order_relaxed);
    ended_.store(true, std::memory_order_relaxed);
  }

  void fail(std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::move(error);
    end(false);
  }

  void leave(int workers) {
    const std::lock_guard lock(mutex_);
    running_ -= workers;
    if (running_ == 0) idle_.notify_all();
  }

  const int threads_;
  Stop& stop_;
  Advance advance_;
  Clock::time_point deadline_ = Clock::time_point::max();
  std::atomic<bool> ended_{false};
  std::atomic<bool> stopped_{false};
  std::mutex mutex_;
  std::condition_variable idle_;
  std::deque<int> waiting_;
  int running_ = 0;
  std::exception_ptr error_;
};

}  // namespace kiebitz::search
