// Shares independent jobs among a few threads. The result of a job must not depend on the thread that does it, so the
// whole does not depend on the number of threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/stop.hpp"

namespace kiebitz::search {

// Calls work(worker, job) for jobs 0 .. jobs-1 with workers 0 .. workers-1, each in a thread of its own; worker 0 is
// the calling thread. Jobs begin in order; after a stop was requested none begins, except the first. Throws what a job
// threw.
template <class Work>
void share_jobs(int jobs, int workers, Stop& stop, Work work) {
  std::atomic<int> next{0};
  std::atomic<bool> failed{false};
  std::exception_ptr error;
  std::mutex mutex;
  std::condition_variable ended;
  int running = 0;

  const auto run = [&](int worker) {
    try {
      for (int job = next++; job < jobs && !failed; job = next++) {
        if (job > 0 && stop.requested()) break;
        work(worker, job);
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!error) error = std::current_exception();
      failed = true;
      stop.request();  // the work of the others is useless now
    }
  };
  std::vector<std::thread> helpers;
  for (int t = 1; t < std::min(workers, jobs); ++t) {
    const std::lock_guard lock(mutex);
    try {
      helpers.emplace_back([&, t] {
        run(t);
        const std::lock_guard leave(mutex);
        --running;
        ended.notify_all();
      });
      ++running;
    } catch (const std::system_error&) {
      break;  // no more threads available: the others take over
    }
  }
  run(0);
  // Only this thread may check for interrupts, so it keeps checking while it waits.
  std::unique_lock lock(mutex);
  while (running > 0) {
    ended.wait_for(lock, std::chrono::milliseconds(10));
    lock.unlock();
    try {
      stop.poll();
    } catch (...) {
      const std::lock_guard again(mutex);
      if (!error) error = std::current_exception();
      failed = true;
      stop.request();
    }
    lock.lock();
  }
  lock.unlock();
  for (auto& helper : helpers) helper.join();
  if (error) std::rethrow_exception(error);
}

// Whether to stop; only worker 0 may check for interrupts.
inline bool should_stop(Stop& stop, int worker) { return worker == 0 ? stop.poll() : stop.requested(); }

}  // namespace kiebitz::search
