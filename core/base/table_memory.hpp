// The memory of a large table: zeroed, in huge pages where the system has them, refused where the machine is too small.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "base/error.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace kiebitz {

class TableMemory {
 public:
  static constexpr std::int64_t kMostMegabytes = 1 << 20;

  TableMemory(std::int64_t megabytes, std::int64_t least) {
    if (megabytes < least || megabytes > kMostMegabytes) {
      throw ParameterError("table_mb: expected " + std::to_string(least) + " to " + std::to_string(kMostMegabytes) +
                           ", got " + std::to_string(megabytes));
    }
#if defined(__linux__)
    const std::int64_t machine = (static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE)) >> 20;
    if (machine > 0 && megabytes > machine / 4 * 3) {
      throw LimitError("table_mb: " + std::to_string(megabytes) + " MB asked for, but only " +
                       std::to_string(machine / 4 * 3) + " of the machine's " + std::to_string(machine) +
                       " MB may go into one table");
    }
#endif
    constexpr std::size_t kAlign = 2U << 20;
    bytes_ = static_cast<std::size_t>(megabytes) << 20;
    memory_.reset(std::malloc(bytes_ + kAlign));
    if (!memory_) throw LimitError("table_mb: no memory for " + std::to_string(megabytes) + " MB");
    const auto address = (reinterpret_cast<std::uintptr_t>(memory_.get()) + kAlign - 1) & ~(kAlign - 1);
    data_ = reinterpret_cast<void*>(address);
#if defined(__linux__)
    madvise(data_, bytes_, MADV_HUGEPAGE);  // fewer TLB misses; nothing depends on it
#endif
    clear();  // touched now, so that page faults do not count against the time limit of a search
  }

  void clear() { std::memset(data_, 0, bytes_); }

  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  struct Free {
    void operator()(void* p) const { std::free(p); }
  };

  std::unique_ptr<void, Free> memory_;
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace kiebitz
