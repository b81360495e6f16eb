// How a budget is shared among the independent trees of one search: evenly, the remainder to the first ones.
#pragma once

#include <cstddef>
#include <cstdint>

#include "search/options.hpp"

namespace kiebitz::search {

template <class Limits>
Limits budget_share(const Budget& budget, std::size_t trees, std::size_t tree) {
  const auto n = static_cast<std::int64_t>(trees);
  const auto share = [&](std::int64_t all) { return all / n + (static_cast<std::int64_t>(tree) < all % n ? 1 : 0); };
  Limits limits{share(budget.iterations), share(budget.nodes)};
  // A tree can be complete (or memory full) before it reaches its node limit: then simulations end the search.
  if (budget.iterations == 0) limits.iterations = budget.seconds == 0 ? 4 * limits.nodes : Budget::kMost;
  if (budget.nodes > 0 && limits.nodes == 0) limits.iterations = 0;
  return limits;
}

}  // namespace kiebitz::search
