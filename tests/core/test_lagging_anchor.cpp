// The lagging anchor in extensive form: gradients against derivatives, sampled ones against exact ones (PK2-63), what
// the table of node values is good for (PK2-64), and the agreement with the rule for matrices.
#include <cmath>
#include <memory>

#include "games/kuhn.hpp"
#include "games/rock_paper_scissors.hpp"
#include "hidden_checks.hpp"
#include "solve/compile.hpp"
#include "solve/dynamics.hpp"
#include "solve/lagging_anchor.hpp"
#include "solve/response.hpp"

using namespace kiebitz;
using namespace kiebitz::solve;

namespace {

template <class G>
std::shared_ptr<const Compiled> compiled(const Fields& parameters = {}) {
  const G game = checks::make<G>(parameters);
  Stop stop;
  return std::make_shared<const Compiled>(Compiler<G>(game, {}, stop).run());
}

Profile random_profile(const Compiled& game, Rng& rng) {
  Profile out;
  for (const Side& side : game.sides) {
    std::vector<double> weights(side.sequences());
    for (double& x : weights) x = rng.below(4) == 0 ? 0 : rng.unit();  // some choices are never made
    out.push_back(strategy_of(side, weights));
  }
  return out;
}

LaggingAnchor solver_at(std::shared_ptr<const Compiled> game, const Profile& profile, LaggingAnchorOptions options) {
  LaggingAnchor out(std::move(game), options);
  LaggingAnchor::Memory memory = out.memory();
  memory.strategies = memory.anchors = profile;
  out.load(std::move(memory));
  return out;
}

double exploitability(const Compiled& game, const LaggingAnchor& solver) {
  const Profile profile = {solver.average(0), solver.average(1)};
  Evaluator evaluator(game);
  evaluator.set_profile({profile[0].data(), profile[1].data()});
  return (evaluator.best_response(0) + evaluator.best_response(1)) / 2;
}

void run(LaggingAnchor& solver, std::int64_t count) {
  Stop stop;
  solver.iterate(count, stop);
}

// Mean and variance of many estimates of the gradients, by player and sequence.
struct Moments {
  std::vector<std::vector<double>> mean, variance;
};

Moments moments(const Compiled& game, LaggingAnchor& solver, int samples) {
  Moments out;
  for (const Side& side : game.sides) {
    out.mean.emplace_back(side.sequences());
    out.variance.emplace_back(side.sequences());
  }
  for (int n = 1; n <= samples; ++n) {
    solver.estimate_gradients();
    for (int p = 0; p < game.players; ++p) {
      const auto i = static_cast<std::size_t>(p);
      const std::vector<double>& found = solver.gradient(p);
      for (std::size_t s = 1; s < game.side(p).sequences(); ++s) {  // Welford
        const double before = found[s] - out.mean[i][s];
        out.mean[i][s] += before / n;
        out.variance[i][s] += before * (found[s] - out.mean[i][s]);
      }
    }
  }
  for (auto& own : out.variance) {
    for (double& x : own) x /= samples - 1;
  }
  return out;
}

double total(const std::vector<std::vector<double>>& tables) {
  double sum = 0;
  for (const auto& table : tables) {
    for (const double x : table) sum += x;
  }
  return sum;
}

}  // namespace

TEST_CASE("exact gradients are the derivatives of the payoffs") {
  Rng rng(1);
  for (const auto& game : {compiled<kuhn::Game>(), compiled<kuhn::Game>({{"players", std::int64_t{3}}})}) {
    const Profile profile = random_profile(*game, rng);
    LaggingAnchor solver = solver_at(game, profile, {});
    solver.exact_gradients();
    Evaluator evaluator(*game);
    for (int p = 0; p < game->players; ++p) {
      for (std::size_t s = 1; s < game->side(p).sequences(); ++s) {
        double paid[2];  // the payoff is linear in every single probability, so a difference is the derivative
        for (const int up : {0, 1}) {
          Profile moved = profile;
          moved[static_cast<std::size_t>(p)][s] += up;
          std::vector<const double*> pointers;
          for (const Strategy& strategy : moved) pointers.push_back(strategy.data());
          evaluator.set_profile(pointers);
          paid[up] = evaluator.payoff(p);
        }
        REQUIRE(solver.gradient(p)[s] == doctest::Approx(paid[1] - paid[0]).epsilon(1e-12));
      }
    }
  }
}

TEST_CASE("with one decision each the algorithm is the rule for matrices") {
  const auto game = compiled<rock_paper_scissors::Game>();
  const Profile start = {{1, 0.5, 0.3, 0.2}, {1, 0.1, 0.6, 0.3}};
  LaggingAnchor solver = solver_at(game, start, {GradientEstimate::exact, 0.05, 0.8});
  const std::vector<double> first = {0, -1, 1, 1, 0, -1, -1, 1, 0};
  std::vector<double> second;
  for (const double x : first) second.push_back(-x);
  Dynamics dynamics({first, second}, {std::vector<double>{0.5, 0.3, 0.2}, std::vector<double>{0.1, 0.6, 0.3}},
                    {Rule::lagging_anchor, 0.05, 0.8});
  Stop stop;
  for (int step = 0; step < 200; ++step) {
    solver.iterate(1, stop);
    dynamics.iterate(1, stop);
    for (int p = 0; p < 2; ++p) {
      for (std::size_t a = 0; a < 3; ++a) {
        REQUIRE(solver.current(p)[a + 1] == doctest::Approx(dynamics.current(p)[a]).epsilon(1e-10));
        REQUIRE(solver.anchor(p)[a + 1] == doctest::Approx(dynamics.anchor(p)[a]).epsilon(1e-10));
      }
    }
  }
}

TEST_CASE("exact gradients solve kuhn") {
  const auto game = compiled<kuhn::Game>();
  LaggingAnchor solver(game, {GradientEstimate::exact, 0.5, 0.3});
  run(solver, 5000);
  CHECK(exploitability(*game, solver) < 1e-6);
  CHECK(solver.memory().games == 0);
}

TEST_CASE("pk2_63_canonical_estimates_are_unbiased") {
  constexpr int kSamples = 100'000;
  const auto game = compiled<kuhn::Game>();
  Rng rng(63);
  int comparisons = 0;
  int beyond = 0;  // three standard errors: about one of 370 by chance
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const Profile profile = seed == 0 ? Profile{uniform_strategy(game->side(0)), uniform_strategy(game->side(1))}
                                      : random_profile(*game, rng);
    LaggingAnchor exact = solver_at(game, profile, {});
    exact.exact_gradients();
    LaggingAnchorOptions options{GradientEstimate::canonical};
    options.games = 1;
    options.seed = seed;
    LaggingAnchor sampled = solver_at(game, profile, options);
    const Moments found = moments(*game, sampled, kSamples);
    for (int p = 0; p < 2; ++p) {
      const auto i = static_cast<std::size_t>(p);
      for (std::size_t s = 1; s < game->side(p).sequences(); ++s) {
        CAPTURE(p);
        CAPTURE(s);
        const double away = std::abs(found.mean[i][s] - exact.gradient(p)[s]);
        const double error = std::sqrt(found.variance[i][s] / kSamples);
        ++comparisons;
        beyond += away > 3 * error + 1e-12;
        REQUIRE(away <= 4.5 * error + 1e-12);  // by chance once in 2,000 runs of this test
      }
    }
  }
  CHECK(comparisons == 72);
  CHECK(beyond <= 1);
}

TEST_CASE("pk2_63_a_game_needs_fewer_additional_games_than_branching_times_depth") {
  const auto game = compiled<kuhn::Game>();
  LaggingAnchorOptions options{GradientEstimate::canonical};
  options.games = 1;
  LaggingAnchor solver(game, options);
  constexpr std::int64_t kBranching = 2;
  constexpr std::int64_t kDepth = 3;  // decisions of a game
  for (int n = 0; n < 10'000; ++n) {
    const std::int64_t before = solver.memory().extra;
    run(solver, 1);
    const std::int64_t extra = solver.memory().extra - before;
    REQUIRE(extra >= 2);
    REQUIRE(extra < kBranching * kDepth);
  }
  CHECK(solver.memory().games == 10'000);
}

TEST_CASE("pk2_64_truncated_estimates_vary_less_and_cost_fewer_nodes") {
  constexpr int kSamples = 20'000;
  const auto game = compiled<kuhn::Game>();
  Rng rng(64);
  for (int round = 0; round < 3; ++round) {
    const Profile profile = random_profile(*game, rng);
    double variance[2];
    double nodes[2];
    for (const GradientEstimate estimate : {GradientEstimate::canonical, GradientEstimate::truncated}) {
      LaggingAnchorOptions options{estimate};
      options.games = 1;
      LaggingAnchor solver = solver_at(game, profile, options);
      for (int n = 0; n < kSamples; ++n) solver.estimate_gradients();  // the table learns
      variance[estimate == GradientEstimate::truncated] = total(moments(*game, solver, kSamples).variance);
      nodes[estimate == GradientEstimate::truncated] =
          static_cast<double>(solver.memory().nodes) / static_cast<double>(solver.memory().games);
    }
    CAPTURE(round);
    CHECK(variance[1] < variance[0]);
    CHECK(nodes[1] < nodes[0]);
  }
}

TEST_CASE("pk2_64_truncated_estimates_are_biased_until_the_table_is_good") {
  const auto game = compiled<kuhn::Game>();
  Rng rng(65);
  const Profile profile = random_profile(*game, rng);
  LaggingAnchor exact = solver_at(game, profile, {});
  exact.exact_gradients();
  LaggingAnchorOptions options{GradientEstimate::truncated};
  options.games = 1;
  options.rate = 0.02;
  LaggingAnchor solver = solver_at(game, profile, options);
  const auto bias = [&](int samples) {
    const Moments found = moments(*game, solver, samples);
    double worst = 0;
    for (int p = 0; p < 2; ++p) {
      for (std::size_t s = 1; s < game->side(p).sequences(); ++s) {
        worst = std::max(worst, std::abs(found.mean[static_cast<std::size_t>(p)][s] - exact.gradient(p)[s]));
      }
    }
    return worst;
  };
  const double early = bias(200);
  bias(50'000);
  const double late = bias(50'000);
  CHECK(late < 0.03);
  CHECK(early > 3 * late);
}

TEST_CASE("pk2_64_both_samplers_come_close_to_an_equilibrium_of_kuhn") {
  const auto game = compiled<kuhn::Game>();
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    double found[2];
    for (const GradientEstimate estimate : {GradientEstimate::canonical, GradientEstimate::truncated}) {
      LaggingAnchorOptions options{estimate};
      options.seed = seed;
      LaggingAnchor solver(game, options);
      run(solver, 20'000);
      found[estimate == GradientEstimate::truncated] = exploitability(*game, solver);
    }
    CAPTURE(seed);
    CHECK(found[0] < 0.01);
    CHECK(std::abs(found[1] - found[0]) < 0.05);
  }
}

TEST_CASE("a saved memory goes on as if nothing had happened") {
  const auto game = compiled<kuhn::Game>();
  for (const GradientEstimate estimate :
       {GradientEstimate::exact, GradientEstimate::canonical, GradientEstimate::truncated}) {
    LaggingAnchor whole(game, {estimate});
    run(whole, 300);
    LaggingAnchor half(game, {estimate});
    run(half, 100);
    LaggingAnchor other(game, {estimate});
    other.load(half.memory());
    run(other, 200);
    CHECK(other.memory().iterations == 300);
    CHECK(other.memory().nodes == whole.memory().nodes);
    for (int p = 0; p < 2; ++p) {
      CHECK(other.average(p) == whole.average(p));
      CHECK(other.current(p) == whole.current(p));
    }
  }
}

TEST_CASE("strategies and anchors stay probabilities") {
  const auto game = compiled<kuhn::Game>();
  for (const GradientEstimate estimate :
       {GradientEstimate::exact, GradientEstimate::canonical, GradientEstimate::truncated}) {
    LaggingAnchor solver(game, {estimate, 5, 0.2});  // large steps
    run(solver, 500);
    for (int p = 0; p < 2; ++p) {
      for (const InformationSet& set : game->side(p).sets) {
        for (const Strategy& strategy : {solver.current(p), solver.anchor(p), solver.average(p)}) {
          double sum = 0;
          for (Sequence s = set.first; s < set.first + set.count; ++s) {
            REQUIRE(strategy[s] >= 0);
            sum += strategy[s];
          }
          REQUIRE(sum == doctest::Approx(1).epsilon(1e-12));
        }
      }
    }
  }
}
