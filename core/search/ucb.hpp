// Upper confidence bounds: UCB1 and UCB1-tuned (Auer, Cesa-Bianchi and Fischer 2002), the exploration terms of UCT
// (Kocsis and Szepesvari 2006) in their three usual forms, and tables that keep logarithms and roots out of the search
// loop.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "search/options.hpp"

namespace kiebitz::search {

// Every form is factor * c * sqrt(ln N / n).
inline double exploration_factor(Formula formula) {
  switch (formula) {
    case Formula::ucb1_sqrt2:
      return std::sqrt(2.0);
    case Formula::ucb1_2sqrt2:
      return 2 * std::sqrt(2.0);
    case Formula::ucb1:
    case Formula::ucb1_tuned:
      break;
  }
  return 1;
}

// mean + c * sqrt(ln N / n), where N are the visits of the parent and n those of the child. Untried: infinite.
inline double ucb1(double mean, double c, double parent_visits, double visits) {
  if (visits == 0) return std::numeric_limits<double>::infinity();
  return mean + c * std::sqrt(std::log(parent_visits) / visits);
}

// The same with the width of the interval taken from the observed variance; 1/4 is the largest variance in [0, 1].
inline double ucb1_tuned(double mean, double variance, double parent_visits, double visits) {
  if (visits == 0) return std::numeric_limits<double>::infinity();
  const double log_ratio = std::log(parent_visits) / visits;
  return mean + std::sqrt(log_ratio * std::fmin(0.25, variance + std::sqrt(2 * log_ratio)));
}

// sqrt(ln n) and 1/sqrt(n). Nearly all nodes of a tree have few visits, and those near the root move through the table
// one entry at a time, so it stays in the cache.
class VisitTables {
 public:
  static const VisitTables& get() {
    static const VisitTables tables;
    return tables;
  }

  float sqrt_log(std::uint32_t n) const {
    return n < kSize ? sqrt_log_[n] : std::sqrt(std::log(static_cast<float>(n)));
  }
  float inverse_sqrt(std::uint32_t n) const {
    return n < kSize ? inverse_sqrt_[n] : 1.0F / std::sqrt(static_cast<float>(n));
  }

 private:
  static constexpr std::uint32_t kSize = 8192;

  VisitTables() {
    for (std::uint32_t n = 1; n < kSize; ++n) {
      sqrt_log_[n] = static_cast<float>(std::sqrt(std::log(n)));
      inverse_sqrt_[n] = static_cast<float>(1 / std::sqrt(n));
    }
  }

  std::array<float, kSize> sqrt_log_{};
  std::array<float, kSize> inverse_sqrt_{};
};

}  // namespace kiebitz::search
