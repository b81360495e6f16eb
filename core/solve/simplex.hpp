// The point of the simplex (all probability vectors) that is nearest to a given one, exactly and in finitely many steps
// (Michelot 1986).
#pragma once

#include <algorithm>
#include <cstddef>

namespace kiebitz::solve {

// The answer is max(x - t, 0) with the one t that makes it add up to 1. Shifted so that the largest entry is 0, t is at
// least -1. The t that fits all entries above a lower bound is a better lower bound, and once no entry drops out it is
// exact. Gradient steps stay close to the simplex, so a few rounds suffice, where sorting would cost all of n.
inline void project_to_simplex(double* x, std::size_t n) {
  const double top = *std::max_element(x, x + n);
  for (std::size_t i = 0; i < n; ++i) x[i] -= top;
  double bound = -1;
  for (std::size_t before = n + 1;;) {
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t i = 0; i < n; ++i) {
      sum += x[i] > bound ? x[i] : 0.0;
      count += x[i] > bound;
    }
    if (count >= before) break;
    before = count;
    bound = (sum - 1) / static_cast<double>(count);
  }
  for (std::size_t i = 0; i < n; ++i) x[i] = std::max(x[i] - bound, 0.0);
}

}  // namespace kiebitz::solve
