// Fusion: how the trees of several worlds become one decision: average strategy, cumulative rank, summed visits or mean
// value. Risky actions can be compared with the others on the same worlds first. Pure functions.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "search/options.hpp"

namespace kiebitz::search {

// What the searches of all worlds found about the actions of the root: worlds x actions.
struct WorldTable {
  std::size_t worlds = 0;
  std::size_t actions = 0;
  std::vector<std::int64_t> visits;
  std::vector<double> values;   // means for the player to move; not a number where the action was never tried
  std::vector<double> weights;  // of the worlds

  WorldTable(std::size_t worlds_, std::size_t actions_)
      : worlds(worlds_),
        actions(actions_),
        visits(worlds * actions),
        values(worlds * actions, std::numeric_limits<double>::quiet_NaN()),
        weights(worlds, 1.0) {}

  std::span<const std::int64_t> visits_in(std::size_t w) const { return {visits.data() + w * actions, actions}; }
  std::int64_t visits_at(std::size_t w, std::size_t a) const { return visits[w * actions + a]; }
  double value(std::size_t w, std::size_t a) const { return values[w * actions + a]; }
  bool tried(std::size_t w, std::size_t a) const { return !std::isnan(value(w, a)); }
};

struct Estimate {
  double mean = 0;
  double error = std::numeric_limits<double>::infinity();  // standard error; unknown with fewer than two numbers
  std::size_t count = 0;
};

// Weighted mean of all numbers that are not NaN, and its standard error.
template <class Number>
Estimate estimate(std::span<const double> weights, Number number) {
  Estimate out;
  double sum = 0;
  double total = 0;
  for (std::size_t w = 0; w < weights.size(); ++w) {
    const double x = number(w);
    if (std::isnan(x) || weights[w] <= 0) continue;
    sum += weights[w] * x;
    total += weights[w];
    ++out.count;
  }
  if (out.count == 0) return out;
  out.mean = sum / total;
  if (out.count < 2) return out;
  double squares = 0;
  for (std::size_t w = 0; w < weights.size(); ++w) {
    const double x = number(w);
    if (std::isnan(x) || weights[w] <= 0) continue;
    const double part = weights[w] / total * (x - out.mean);
    squares += part * part;
  }
  const auto n = static_cast<double>(out.count);
  out.error = std::sqrt(squares * n / (n - 1));
  return out;
}

// The value of an action: the mean over the worlds in which it was tried.
inline Estimate action_estimate(const WorldTable& table, std::size_t a) {
  return estimate(table.weights, [&](std::size_t w) { return table.value(w, a); });
}

// How much better `a` is than `b`, on the worlds in which both were tried.
inline Estimate difference(const WorldTable& table, std::size_t a, std::size_t b) {
  return estimate(table.weights, [&](std::size_t w) { return table.value(w, a) - table.value(w, b); });
}

// Competition ranking: 1 for the most visits, equal visits share the smaller number.
inline std::vector<int> ranks(std::span<const std::int64_t> visits) {
  std::vector<int> out;
  for (const std::int64_t n : visits) {
    out.push_back(1 + static_cast<int>(std::ranges::count_if(visits, [n](std::int64_t m) { return m > n; })));
  }
  return out;
}

// Sums the ranks of every action; small is good.
inline std::vector<double> rank_sums(const std::vector<std::vector<int>>& rows, std::span<const double> weights) {
  std::vector<double> out(rows.empty() ? 0 : rows.front().size());
  for (std::size_t w = 0; w < rows.size(); ++w) {
    for (std::size_t a = 0; a < out.size(); ++a) out[a] += weights[w] * rows[w][a];
  }
  return out;
}

// One score per action; large is good.
inline std::vector<double> fusion_scores(const WorldTable& table, Fusion fusion) {
  std::vector<double> out(table.actions);
  switch (fusion) {
    case Fusion::average:
      for (std::size_t w = 0; w < table.worlds; ++w) {
        double all = 0;
        for (const std::int64_t n : table.visits_in(w)) all += static_cast<double>(n);
        for (std::size_t a = 0; a < table.actions && all > 0; ++a) {
          out[a] += table.weights[w] * static_cast<double>(table.visits_at(w, a)) / all;
        }
      }
      break;
    case Fusion::visits:
      for (std::size_t w = 0; w < table.worlds; ++w) {
        for (std::size_t a = 0; a < table.actions; ++a) {
          out[a] += table.weights[w] * static_cast<double>(table.visits_at(w, a));
        }
      }
      break;
    case Fusion::rank: {
      std::vector<std::vector<int>> rows;
      for (std::size_t w = 0; w < table.worlds; ++w) rows.push_back(ranks(table.visits_in(w)));
      out = rank_sums(rows, table.weights);
      for (double& sum : out) sum = -sum;
      break;
    }
    case Fusion::value:
      for (std::size_t a = 0; a < table.actions; ++a) {
        const Estimate value = action_estimate(table, a);
        // Worlds that never tried an action had a reason: the other worlds alone would flatter it.
        out[a] = 2 * value.count > table.worlds ? value.mean : -std::numeric_limits<double>::infinity();
      }
      break;
  }
  return out;
}

inline constexpr std::size_t kNoneAllowed = static_cast<std::size_t>(-1);

// The action with the best score among those allowed; ties go to the one with more visits in all worlds together, then
// to the first. kNoneAllowed if none is allowed.
template <class Allowed>
std::size_t best_action(const WorldTable& table, std::span<const double> scores, Allowed allowed) {
  const auto sum = [&](std::size_t a) {
    std::int64_t visits = 0;
    for (std::size_t w = 0; w < table.worlds; ++w) visits += table.visits_at(w, a);
    return visits;
  };
  std::size_t best = kNoneAllowed;
  for (std::size_t a = 0; a < table.actions; ++a) {
    if (!allowed(a)) continue;
    if (best == kNoneAllowed || scores[a] > scores[best] || (scores[a] == scores[best] && sum(a) > sum(best))) best = a;
  }
  return best;
}

inline std::size_t fuse(const WorldTable& table, Fusion fusion) {
  return best_action(table, fusion_scores(table, fusion), [](std::size_t) { return true; });
}

// A decision that asks for evidence: the best risky action must beat the best other one by `margin` plus `care`
// standard errors, on the same worlds. `risky` has one entry per action.
inline std::size_t careful_choice(const WorldTable& table, Fusion fusion, const std::vector<bool>& risky, double care,
                                  double margin) {
  const std::vector<double> scores = fusion_scores(table, fusion);
  const std::size_t bold = best_action(table, scores, [&](std::size_t a) { return risky[a]; });
  const std::size_t safe = best_action(table, scores, [&](std::size_t a) { return !risky[a]; });
  if (bold == kNoneAllowed || safe == kNoneAllowed || (care <= 0 && margin <= 0)) return fuse(table, fusion);
  const Estimate gain = difference(table, bold, safe);
  const double needed = margin + (care > 0 ? care * gain.error : 0);
  return gain.count > 0 && gain.mean > needed ? bold : safe;
}

}  // namespace kiebitz::search
