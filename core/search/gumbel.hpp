// How the root of a tree is searched by Gumbel AlphaZero (Danihelka, Guez, Schrittwieser and Silver 2022, Policy
// improvement by planning with Gumbel): a few actions are drawn from the priors without replacement, and sequential
// halving shares the simulations among them. Priors improve even if there are fewer simulations than actions.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "base/rng.hpp"

namespace kiebitz::search {

// How a tree looks at its root. Without Gumbel's way it is a node like others, with noise in its priors (Silver et al.
// 2018) if there is some.
struct RootPolicy {
  bool gumbel = false;
  int considered = 16;  // actions that get simulations
  double scale = 0.1;   // weight of values against priors
  double noise = 0;     // share of the noise in the priors, without Gumbel's way
};

// Values of actions (0 .. 1) as logits, to be added to those of the priors.
inline float value_logit(double value, std::uint32_t most_visits, double scale) {
  return static_cast<float>((50.0 + most_visits) * scale * value);
}

// A draw from the gamma distribution (Marsaglia and Tsang 2000).
inline double draw_gamma(double shape, Rng& rng) {
  if (shape < 1) return draw_gamma(shape + 1, rng) * std::pow(1 - rng.unit(), 1 / shape);
  const double d = shape - 1.0 / 3;
  for (;;) {
    constexpr double kTurn = 6.283185307179586;
    const double normal = std::sqrt(-2 * std::log(1 - rng.unit())) * std::cos(kTurn * rng.unit());
    const double v = std::pow(1 + normal / std::sqrt(9 * d), 3);
    if (v > 0 && std::log(1 - rng.unit()) < normal * normal / 2 + d * (1 - v + std::log(v))) return d * v;
  }
}

// Which action of the root each simulation begins with. Actions are numbered 0 .. n-1 here.
class SequentialHalving {
 public:
  // Draws the actions to be considered.
  void start(std::span<const float> logits, std::int64_t simulations, int considered, Rng& rng) {
    const auto least = std::max<std::int64_t>(std::min<std::int64_t>(considered, simulations), 1);
    const std::size_t count = std::min<std::size_t>(logits.size(), static_cast<std::size_t>(least));
    scores_.resize(logits.size());
    for (std::size_t i = 0; i < logits.size(); ++i) {
      const double u = (static_cast<double>(rng.next() >> 12) + 0.5) * 0x1.0p-52;  // never 0, never 1
      scores_[i] = logits[i] - static_cast<float>(std::log(-std::log(u)));
    }
    left_.resize(logits.size());
    std::iota(left_.begin(), left_.end(), std::size_t{0});
    keep_best(count, {});
    simulations_ = simulations;
    phases_ = static_cast<std::int64_t>(std::bit_width(count - 1));
    begin_phase();
  }

  // `values()` gives the logit of the value of each action, as far as it is known.
  template <class Values>
  std::size_t next(Values values) {
    if (turn_ == turns_) {
      if (left_.size() > 2) keep_best(std::max<std::size_t>(left_.size() / 2, 2), values());
      begin_phase();
    }
    return left_[turn_++ % left_.size()];
  }
  // The last one could not be simulated.
  void take_back() { --turn_; }

  // The best of those that are left.
  std::size_t best(std::span<const float> values) const {
    return *std::ranges::min_element(left_, [&](std::size_t a, std::size_t b) { return before(a, b, values); });
  }

 private:
  bool before(std::size_t a, std::size_t b, std::span<const float> values) const {
    const float of_a = scores_[a] + (values.empty() ? 0 : values[a]);
    const float of_b = scores_[b] + (values.empty() ? 0 : values[b]);
    return of_a != of_b ? of_a > of_b : a < b;
  }

  void keep_best(std::size_t count, std::span<const float> values) {
    std::ranges::sort(left_, [&](std::size_t a, std::size_t b) { return before(a, b, values); });
    left_.resize(count);
  }

  void begin_phase() {
    const auto size = static_cast<std::int64_t>(left_.size());
    turn_ = 0;
    turns_ = static_cast<std::size_t>(
        size * std::max<std::int64_t>(simulations_ / (size * std::max<std::int64_t>(phases_, 1)), 1));
  }

  std::vector<float> scores_;      // prior and noise
  std::vector<std::size_t> left_;  // the best first, as of the last halving
  std::int64_t simulations_ = 0;
  std::int64_t phases_ = 0;
  std::size_t turn_ = 0;
  std::size_t turns_ = 0;
};

}  // namespace kiebitz::search
