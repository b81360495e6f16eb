// Dynamics of matrix games: the projection onto the simplex, every rule against its definition, and what the rules
// promise (PK2-10, PK2-60 to PK2-62).
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/rng.hpp"
#include "solve/dynamics.hpp"

using namespace kiebitz;
using namespace kiebitz::solve;
using Vectors = Dynamics::Vectors;

namespace {

double around_zero(Rng& rng, double size) { return size * (2 * rng.unit() - 1); }

std::vector<double> mixed(Rng& rng, std::size_t size) {
  std::vector<double> out(size);
  double sum = 0;
  for (double& x : out) sum += x = rng.unit();
  for (double& x : out) x /= sum;
  return out;
}

Vectors uniform(std::size_t rows, std::size_t columns) {
  return {std::vector<double>(rows, 1.0 / static_cast<double>(rows)),
          std::vector<double>(columns, 1.0 / static_cast<double>(columns))};
}

Vectors zero_sum(std::vector<double> first) {
  std::vector<double> second = first;
  for (double& x : second) x = -x;
  return {std::move(first), std::move(second)};
}

const Vectors kRps = zero_sum({0, -1, 1, 1, 0, -1, -1, 1, 0});

// By the definition: what each action of a player is worth against the other's strategy.
std::vector<double> values_of(const Vectors& payoffs, const Vectors& profile, int player) {
  const std::size_t rows = profile[0].size();
  const std::size_t columns = profile[1].size();
  std::vector<double> out(player == 0 ? rows : columns, 0.0);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      if (player == 0) {
        out[i] += payoffs[0][i * columns + j] * profile[1][j];
      } else {
        out[j] += payoffs[1][i * columns + j] * profile[0][i];
      }
    }
  }
  return out;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double nash_conv(const Vectors& payoffs, const Vectors& profile) {
  double sum = 0;
  for (int p = 0; p < 2; ++p) {
    const auto values = values_of(payoffs, profile, p);
    sum += *std::ranges::max_element(values) - dot(values, profile[static_cast<std::size_t>(p)]);
  }
  return sum;
}

Vectors current(const Dynamics& d) { return {d.current(0), d.current(1)}; }
Vectors averages(const Dynamics& d) { return {d.average(0), d.average(1)}; }

void run(Dynamics& d, std::int64_t steps) {
  Stop stop;
  d.iterate(steps, stop);
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double out = 0;
  for (std::size_t i = 0; i < a.size(); ++i) out = std::max(out, std::abs(a[i] - b[i]));
  return out;
}

// The nearest point of the simplex as a quadratic programme, solved by trying every set of entries above 0.
std::vector<double> nearest(const std::vector<double>& x) {
  std::vector<double> best;
  double least = std::numeric_limits<double>::infinity();
  for (unsigned support = 1; support < 1U << x.size(); ++support) {
    double sum = 0;
    int count = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if ((support >> i & 1) != 0) sum += x[i], ++count;
    }
    std::vector<double> point(x.size(), 0.0);
    double distance = 0;
    bool inside = true;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if ((support >> i & 1) != 0) point[i] = x[i] + (1 - sum) / count;
      inside = inside && point[i] >= 0;
      distance += (point[i] - x[i]) * (point[i] - x[i]);
    }
    if (inside && distance < least) {
      least = distance;
      best = point;
    }
  }
  return best;
}

// The rules once more, as they are written in the papers.
struct Reference {
  DynamicsOptions options;
  Vectors payoffs, strategy, anchor, sums, total;  // total: of regrets or payoffs

  void step(std::int64_t t) {
    const Vectors old = strategy;
    for (int p = 0; p < 2; ++p) {
      const auto i = static_cast<std::size_t>(p);
      const auto u = values_of(payoffs, old, p);
      std::vector<double> next = old[i];
      switch (options.rule) {
        case Rule::regret_matching: {
          double sum = 0;
          for (std::size_t a = 0; a < u.size(); ++a) {
            total[i][a] += u[a] - dot(u, old[i]);
            sum += next[a] = std::max(total[i][a], 0.0);
          }
          for (double& x : next) x = sum > 0 ? x / sum : 1.0 / static_cast<double>(u.size());
          break;
        }
        case Rule::fictitious_play: {
          Vectors mean = sums;
          for (auto& v : mean) {
            for (double& x : v) x /= static_cast<double>(t);
          }
          const auto values = values_of(payoffs, mean, p);
          std::ranges::fill(next, 0.0);
          next[static_cast<std::size_t>(std::ranges::max_element(values) - values.begin())] = 1;
          break;
        }
        case Rule::replicator: {
          double sum = 0;
          for (std::size_t a = 0; a < u.size(); ++a) sum += next[a] *= std::exp(options.alpha * u[a]);
          for (double& x : next) x /= sum;
          break;
        }
        case Rule::gradient:
        case Rule::lagging_anchor: {
          const double eta = options.rule == Rule::gradient ? 0 : options.eta;
          for (std::size_t a = 0; a < u.size(); ++a) {
            next[a] += options.alpha * u[a] + options.alpha * eta * (anchor[i][a] - old[i][a]);
            anchor[i][a] += options.alpha * eta * (old[i][a] - anchor[i][a]);
          }
          next = nearest(next);
          break;
        }
      }
      strategy[i] = next;
    }
    for (std::size_t i = 0; i < 2; ++i) {
      for (std::size_t a = 0; a < sums[i].size(); ++a) sums[i][a] += strategy[i][a];
    }
  }
};

constexpr Rule kRules[] = {Rule::regret_matching, Rule::fictitious_play, Rule::replicator, Rule::gradient,
                           Rule::lagging_anchor};

}  // namespace

TEST_CASE("pk2_60_the_projection_solves_the_quadratic_programme") {
  Rng rng(60);
  for (int round = 0; round < 3000; ++round) {
    std::vector<double> x(1 + rng.below(7));
    const double size = std::pow(10.0, around_zero(rng, 3));
    for (double& v : x) v = around_zero(rng, size);
    if (rng.below(4) == 0) x.back() = x.front();  // ties
    const auto expected = nearest(x);
    auto projected = x;
    project_to_simplex(projected.data(), projected.size());
    CAPTURE(x);
    REQUIRE(largest_difference(projected, expected) < 1e-10);
  }
}

TEST_CASE("the projection of large vectors satisfies the conditions of Karush, Kuhn and Tucker") {
  Rng rng(61);
  for (int round = 0; round < 300; ++round) {
    std::vector<double> x(1 + rng.below(200));
    const double offset = around_zero(rng, 1e6);
    const double size = std::pow(10.0, around_zero(rng, 2));
    for (double& v : x) v = offset + around_zero(rng, size);
    auto projected = x;
    project_to_simplex(projected.data(), projected.size());
    double sum = 0;
    double least = std::numeric_limits<double>::infinity();  // x - projected is one number t where projected > 0
    double most = -least;
    for (std::size_t i = 0; i < x.size(); ++i) {
      REQUIRE(projected[i] >= 0);
      sum += projected[i];
      if (projected[i] > 0) {
        least = std::min(least, x[i] - projected[i]);
        most = std::max(most, x[i] - projected[i]);
      }
    }
    REQUIRE(sum == doctest::Approx(1).epsilon(1e-10));
    REQUIRE(most - least < 1e-9);  // the offset costs digits of x
    for (std::size_t i = 0; i < x.size(); ++i) REQUIRE((projected[i] > 0 || x[i] <= most + 1e-9));
  }
}

TEST_CASE("the projection leaves the simplex alone and survives extremes") {
  Rng rng(62);
  for (int round = 0; round < 100; ++round) {
    const auto x = mixed(rng, 1 + rng.below(30));
    auto projected = x;
    project_to_simplex(projected.data(), projected.size());
    REQUIRE(largest_difference(projected, x) < 1e-15);
  }
  std::vector<double> far = {1e300, -1e300, 1e300};
  project_to_simplex(far.data(), 3);
  CHECK(far == std::vector<double>{0.5, 0, 0.5});
  double one = -7;
  project_to_simplex(&one, 1);
  CHECK(one == 1);
}

TEST_CASE("every rule follows its definition, players of different sizes and payoffs included") {
  for (const Rule rule : kRules) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      CAPTURE(static_cast<int>(rule));
      CAPTURE(seed);
      Rng rng(seed);
      const std::size_t rows = 1 + rng.below(6);
      const std::size_t columns = 1 + rng.below(6);
      Vectors payoffs;
      for (auto& table : payoffs) {
        table.resize(rows * columns);
        for (double& x : table) x = around_zero(rng, 3);
      }
      const Vectors start = {mixed(rng, rows), mixed(rng, columns)};
      const DynamicsOptions options{rule, 0.05, 0.7};
      Dynamics dynamics(payoffs, start, options);
      const Vectors zeros = {std::vector<double>(rows), std::vector<double>(columns)};
      Reference reference{options, payoffs, start, start, start, zeros};
      for (std::int64_t t = 1; t <= 60; ++t) {
        run(dynamics, 1);
        reference.step(t);
        for (int p = 0; p < 2; ++p) {
          const auto i = static_cast<std::size_t>(p);
          REQUIRE(largest_difference(dynamics.current(p), reference.strategy[i]) < 1e-9);
          if (rule == Rule::lagging_anchor) {
            REQUIRE(largest_difference(dynamics.anchor(p), reference.anchor[i]) < 1e-9);
          }
          auto mean = reference.sums[i];
          for (double& x : mean) x /= static_cast<double>(t + 1);
          REQUIRE(largest_difference(dynamics.average(p), mean) < 1e-9);
        }
      }
      CHECK(dynamics.steps() == 60);
    }
  }
}

TEST_CASE("a dominant action takes over with every rule") {
  const Vectors dilemma = {std::vector<double>{3, 0, 5, 1}, std::vector<double>{3, 5, 0, 1}};
  for (const Rule rule : kRules) {
    CAPTURE(static_cast<int>(rule));
    Dynamics dynamics(dilemma, uniform(2, 2), {rule, 0.05, 1});
    run(dynamics, 2000);
    for (int p = 0; p < 2; ++p) CHECK(dynamics.current(p)[1] > 0.999);
  }
}

TEST_CASE("averages of regret matching, fictitious play and replicator approach an equilibrium of zero-sum games") {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Rng rng(seed);
    std::vector<double> first(6 * 4);
    for (double& x : first) x = around_zero(rng, 1);
    const Vectors game = zero_sum(first);
    for (const Rule rule : {Rule::regret_matching, Rule::fictitious_play, Rule::replicator}) {
      CAPTURE(seed);
      CAPTURE(static_cast<int>(rule));
      Dynamics dynamics(game, uniform(6, 4), {rule, 0.01, 0});
      run(dynamics, 1000);
      const double early = nash_conv(game, averages(dynamics));
      run(dynamics, 19'000);
      const double late = nash_conv(game, averages(dynamics));
      CHECK(late < 0.025);
      CHECK(late < early);
    }
  }
}

TEST_CASE("a stop ends the loop between two steps") {
  Stop stop;
  stop.request();
  Dynamics dynamics(kRps, uniform(3, 3), {});
  dynamics.iterate(1000, stop);
  CHECK(dynamics.steps() == 0);
  CHECK(dynamics.average(0) == uniform(3, 3)[0]);
}

TEST_CASE("pk2_10_fictitious_play_on_rock_paper_scissors") {
  Dynamics dynamics(kRps, uniform(3, 3), {Rule::fictitious_play, 0, 0});
  run(dynamics, 10'000);
  CHECK(nash_conv(kRps, averages(dynamics)) <= 0.02);
  run(dynamics, 90'000);
  CHECK(nash_conv(kRps, averages(dynamics)) <= 0.006);
}

TEST_CASE("pk2_10_a_fourth_symbol_that_beats_one_and_loses_to_two_vanishes") {
  // It beats paper and loses to rock and scissors: scissors do at least as well against everything.
  const Vectors game = zero_sum({0, -1, 1, 1, 1, 0, -1, -1, -1, 1, 0, 1, -1, 1, -1, 0});
  Dynamics dynamics(game, uniform(4, 4), {Rule::fictitious_play, 0, 0});
  run(dynamics, 10'000);
  for (int p = 0; p < 2; ++p) CHECK(dynamics.average(p)[3] <= 0.002);
  CHECK(nash_conv(game, averages(dynamics)) <= 0.02);
}

TEST_CASE("pk2_61_the_anchor_comes_to_rest_where_the_basic_rule_circles") {
  const Vectors start = {std::vector<double>{0.4, 0.3, 0.3}, std::vector<double>{0.3, 0.4, 0.3}};
  Dynamics anchored(kRps, start, {Rule::lagging_anchor, 0.01, 1});
  run(anchored, 5000);
  CHECK(nash_conv(kRps, current(anchored)) <= 1e-9);
  CHECK(nash_conv(kRps, {anchored.anchor(0), anchored.anchor(1)}) <= 1e-9);
  Dynamics basic(kRps, start, {Rule::gradient, 0.01, 1});
  run(basic, 10'000);
  CHECK(nash_conv(kRps, current(basic)) >= 0.05);
}

TEST_CASE("pk2_62_the_anchor_solves_random_matrices_up_to_dimension_100") {
  constexpr double kRounding = 1e-13;
  int straight = 0;  // runs whose logarithm falls to the end about as it does before, or down to rounding errors
  for (const std::size_t n : {10, 30, 100}) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      CAPTURE(n);
      CAPTURE(seed);
      Rng rng(seed);
      std::vector<double> first(n * n);
      for (double& x : first) x = around_zero(rng, 1);
      const Vectors game = zero_sum(first);
      Dynamics dynamics(game, uniform(n, n), {Rule::lagging_anchor, 0.02, 1});
      std::vector<double> logs;
      for (const std::int64_t steps : {20'000, 40'000, 40'000}) {
        run(dynamics, steps);
        logs.push_back(std::log(std::max(nash_conv(game, current(dynamics)), kRounding)));
      }
      CHECK(logs[2] <= std::log(1e-4));
      straight += logs[2] == std::log(kRounding) || logs[1] - logs[2] > (logs[0] - logs[1]) / 2;
    }
  }
  CHECK(straight >= 20);
}
