// Shares a number of independent jobs among a few threads. Which thread does a job must not matter to its result, so
// the whole is the same with one thread and with many.
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
// the calling thread. Jobs are begun in order; none is begun once somebody asked to stop, except for the first. Throws
// what a job threw.
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
      stop.request();  // what the others do is of no use any more
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
      break;  // no more threads to be had: the others take over
    }
  }
  run(0);
  // Only this thread may look for an interrupt, so it goes on looking while it waits.
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

// Asks the stop token the way a worker may.
inline bool should_stop(Stop& stop, int worker) { return worker == 0 ? stop.poll() : stop.requested(); }

}  // namespace kiebitz::search
