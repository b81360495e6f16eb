// Pearson's chi-square test for draws whose probabilities are known.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <map>

namespace kiebitz {

// Chi-square over independent experiments: statistics and degrees of freedom add up. Cells that expect fewer than five
// are one cell.
class ChiSquare {
 public:
  template <class Key>
  void add(const std::map<Key, double>& probability, const std::map<Key, int>& seen, int draws) {
    double rest_expected = 0, rest_seen = 0;
    int cells = 0, known = 0;
    const auto cell = [&](double expected, double n) {
      if (expected == 0) return;
      value_ += (n - expected) * (n - expected) / expected;
      ++cells;
    };
    for (const auto& [key, p] : probability) {
      const auto it = seen.find(key);
      const int n = it == seen.end() ? 0 : it->second;
      known += n;
      if (p * draws >= 5) {
        cell(p * draws, n);
      } else {
        rest_expected += p * draws;
        rest_seen += n;
      }
    }
    REQUIRE(known == draws);  // nothing impossible was drawn
    cell(rest_expected, rest_seen);
    freedom_ += cells - 1;
  }

  // Is the statistic below what chance exceeds once in a thousand (Wilson and Hilferty 1931)?
  void check() const {
    REQUIRE(freedom_ > 0);
    const double k = 2.0 / (9.0 * freedom_);
    CHECK(value_ < freedom_ * std::pow(1 - k + 3.0902 * std::sqrt(k), 3));
  }

 private:
  double value_ = 0;
  int freedom_ = 0;
};

}  // namespace kiebitz
