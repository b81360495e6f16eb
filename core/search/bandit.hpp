// The bandit experiment behind UCB1 (Auer, Cesa-Bianchi and Fischer 2002): slot machines with unknown chances of
// winning, a number of coins, and a policy that decides where the next coin goes. Uses the formulas of the tree search
// (ucb.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/rng.hpp"
#include "base/stop.hpp"
#include "search/ucb.hpp"

namespace kiebitz::search {

KIEBITZ_NAMED_ENUM(BanditPolicy, ucb1, ucb1_tuned, random, oracle)  // oracle: knows the best arm

struct BanditOptions {
  std::vector<double> arms;  // chance of winning 1 per coin, one entry per arm
  std::int64_t coins = 1000;
  double c = 1.4142135623730951;  // ucb1 only
  BanditPolicy policy = BanditPolicy::ucb1;
  std::int64_t repetitions = 400;
  std::uint64_t seed = 0;

  static constexpr std::int64_t kMost = 10'000'000'000;  // coins times repetitions

  void check() const {
    if (arms.empty() || arms.size() > 1000) {
      throw ParameterError("arms: expected 1 to 1000 probabilities, got " + std::to_string(arms.size()));
    }
    for (const double p : arms) {
      if (!(p >= 0 && p <= 1)) throw ParameterError("arms: expected probabilities 0 to 1, got " + std::to_string(p));
    }
    if (!(c >= 0) || !std::isfinite(c)) {
      throw ParameterError("c: expected a number that is not negative, got " + std::to_string(c));
    }
    if (coins < 1 || coins > kMost) {
      throw BudgetError("coins: expected 1 to " + std::to_string(kMost) + ", got " + std::to_string(coins));
    }
    if (repetitions < 1 || repetitions > kMost / coins) {
      throw BudgetError("repetitions: expected 1 to " + std::to_string(kMost / coins) + " with " +
                        std::to_string(coins) + " coins, got " + std::to_string(repetitions));
    }
  }
};

struct BanditResult {
  std::int64_t repetitions = 0;  // completed
  double total = 0;              // mean winnings per repetition
  double error = 0;              // its standard error
  std::vector<double> pulls;     // mean coins per arm
  int best = 0;                  // the best arm (the first of several)
  double best_share = 0;         // share of the repetitions in which it got the most coins
  // Mean regret (what the best arm wins on average, less what the arms played win on average) after 10, 100, 1000, ...
  // coins and after the last.
  std::vector<std::pair<std::int64_t, double>> regret;
  bool stopped = false;  // the stop token ended the experiment; the figures are those of the completed repetitions
};

namespace bandit_detail {

struct Arm {
  std::int64_t pulls = 0;
  std::int64_t wins = 0;
  double mean() const { return pulls == 0 ? 0 : static_cast<double>(wins) / static_cast<double>(pulls); }
};

// The first arm with the largest bound; untried arms come first, in their order.
template <class Bound>
std::size_t largest(const std::vector<Arm>& arms, Bound&& bound) {
  std::size_t best = 0;
  double most = -1;
  for (std::size_t i = 0; i < arms.size(); ++i) {
    const double value = bound(arms[i]);
    if (value > most) {
      most = value;
      best = i;
    }
  }
  return best;
}

inline std::size_t choose(const BanditOptions& options, const std::vector<Arm>& arms, std::int64_t spent,
                          std::size_t best, Rng& rng) {
  const auto n = static_cast<double>(spent);
  switch (options.policy) {
    case BanditPolicy::ucb1:
      return largest(arms, [&](const Arm& a) { return ucb1(a.mean(), options.c, n, static_cast<double>(a.pulls)); });
    case BanditPolicy::ucb1_tuned:
      return largest(arms, [&](const Arm& a) {
        // The variance of zeros and ones.
        return ucb1_tuned(a.mean(), a.mean() * (1 - a.mean()), n, static_cast<double>(a.pulls));
      });
    case BanditPolicy::random:
      return rng.below(static_cast<std::uint32_t>(arms.size()));
    case BanditPolicy::oracle:
      break;
  }
  return best;
}

}  // namespace bandit_detail

// Plays the experiment. Every repetition has its own random numbers, so more repetitions continue the same experiment.
inline BanditResult play_bandit(const BanditOptions& options, Stop& stop) {
  options.check();
  const std::size_t arm_count = options.arms.size();
  const auto best = static_cast<std::size_t>(std::ranges::max_element(options.arms) - options.arms.begin());
  BanditResult out;
  out.best = static_cast<int>(best);
  for (std::int64_t mark = 10; mark < options.coins; mark *= 10) out.regret.emplace_back(mark, 0.0);
  out.regret.emplace_back(options.coins, 0.0);

  std::vector<double> totals;
  std::vector<double> pulls(arm_count);
  std::vector<double> regrets(out.regret.size());
  std::int64_t best_most = 0;
  for (std::int64_t r = 0; r < options.repetitions && !out.stopped; ++r) {
    Rng rng(options.seed, static_cast<std::uint64_t>(r));
    std::vector<bandit_detail::Arm> arms(arm_count);
    std::vector<double> regret_at;
    double regret = 0;
    std::int64_t total = 0;
    for (std::int64_t spent = 0; spent < options.coins; ++spent) {
      if (spent % 256 == 0 && stop.poll()) {
        out.stopped = true;
        break;
      }
      const std::size_t i = bandit_detail::choose(options, arms, spent, best, rng);
      const bool win = rng.unit() < options.arms[i];
      ++arms[i].pulls;
      arms[i].wins += win;
      total += win;
      regret += options.arms[best] - options.arms[i];
      if (spent + 1 == out.regret[regret_at.size()].first) regret_at.push_back(regret);
    }
    if (out.stopped) break;
    totals.push_back(static_cast<double>(total));
    for (std::size_t i = 0; i < arm_count; ++i) pulls[i] += static_cast<double>(arms[i].pulls);
    for (std::size_t k = 0; k < regrets.size(); ++k) regrets[k] += regret_at[k];
    const auto most = std::ranges::max_element(arms, {}, &bandit_detail::Arm::pulls) - arms.begin();
    best_most += static_cast<std::size_t>(most) == best;
  }

  out.repetitions = static_cast<std::int64_t>(totals.size());
  out.pulls.assign(arm_count, 0.0);
  if (totals.empty()) return out;
  const auto n = static_cast<double>(totals.size());
  out.total = std::accumulate(totals.begin(), totals.end(), 0.0) / n;
  double squares = 0;
  for (const double total : totals) squares += (total - out.total) * (total - out.total);
  if (totals.size() > 1) out.error = std::sqrt(squares / (n - 1) / n);
  for (std::size_t i = 0; i < arm_count; ++i) out.pulls[i] = pulls[i] / n;
  for (std::size_t k = 0; k < regrets.size(); ++k) out.regret[k].second = regrets[k] / n;
  out.best_share = static_cast<double>(best_most) / n;
  return out;
}

}  // namespace kiebitz::search
