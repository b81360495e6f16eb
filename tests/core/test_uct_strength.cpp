// How well the tree search plays tic-tac-toe, against its exact solution (DL-18, DL-19, section 6.8 of the DL4G
// specification).
#include <doctest/doctest.h>

#include <cmath>
#include <unordered_map>
#include <utility>
#include <vector>

#include "uct_games.hpp"

using namespace kiebitz;
using namespace kiebitz::search;
using namespace kiebitz::uct_test;

namespace {

// Tic-tac-toe solved exactly: payoff of X under best play, by position.
class Solution {
 public:
  int value(const tic_tac_toe::State& state) {
    const auto found = values_.find(state.key());
    if (found != values_.end()) return found->second;
    const int player = state.player();
    int best = player == 0 ? -2 : 2;
    if (player == kTerminal) {
      double payoffs[2];
      state.returns(payoffs);
      best = static_cast<int>(payoffs[0]);
    } else {
      Action actions[9];
      const int n = state.legal(actions);
      for (int i = 0; i < n; ++i) {
        const int v = value(after(state, actions[i]));
        best = player == 0 ? std::max(best, v) : std::min(best, v);
      }
    }
    if (values_.emplace(state.key(), best).second) positions_.push_back(state);
    return best;
  }

  std::vector<Action> optimal(const tic_tac_toe::State& state) {
    std::vector<Action> out(9);
    out.resize(static_cast<std::size_t>(state.legal(out.data())));
    const int best = value(state);
    std::erase_if(out, [&](Action a) { return value(after(state, a)) != best; });
    return out;
  }

  static tic_tac_toe::State after(tic_tac_toe::State state, Action a) {
    state.apply(a);
    return state;
  }

  const std::vector<tic_tac_toe::State>& positions() const { return positions_; }

 private:
  std::unordered_map<std::uint64_t, int> values_;
  std::vector<tic_tac_toe::State> positions_;
};

}  // namespace

TEST_CASE("section_6_8_visits_on_the_empty_board") {
  const Analysis analysis = run(kBoard, kBoard.root(), iterations(20'000));
  CHECK(analysis.best == 4);
  CHECK(analysis.best_name == "b2");
  CHECK(analysis.line_names.front() == "b2");
  CHECK(analysis.line.size() >= 5);
  CHECK(analysis.actions[4].visits > 10'000);
  CHECK(std::abs((analysis.actions[4].value + 1) / 2 - 0.752) < 0.03);
  double corners = 0;
  for (const std::size_t corner : {0U, 2U, 6U, 8U}) corners += (analysis.actions[corner].value + 1) / 8;
  CHECK(std::abs(corners - 0.66) < 0.03);
  double edges = 0;
  for (const std::size_t edge : {1U, 3U, 5U, 7U}) edges += (analysis.actions[edge].value + 1) / 8;
  CHECK(std::abs(edges - 0.59) < 0.03);
}

TEST_CASE("dl_18_strength_with_1000_simulations") {
  Solution solution;
  Rng rng(3);
  UctOptions options = iterations(1000);
  // As O against a perfect X whose moves vary, c = 1.41 loses 4.5 % in the long run (3000 games) and c = 0.7 loses 3 %.
  options.c = 0.7;
  // Losses in 200 games: searching as X or O against a random or a perfect opponent.
  const auto losses = [&](int seat, bool perfect) {
    int lost = 0;
    for (int game = 0; game < 200; ++game) {
      tic_tac_toe::State state = kBoard.root();
      while (state.player() != kTerminal) {
        if (state.player() == seat) {
          options.seed = rng.next();
          state.apply(run(kBoard, state, options).best);
        } else if (perfect) {
          const auto best = solution.optimal(state);
          state.apply(best[rng.below(static_cast<std::uint32_t>(best.size()))]);
        } else {
          Action buffer[9];
          state.apply(random_action(state, rng, buffer));
        }
      }
      double payoffs[2];
      state.returns(payoffs);
      lost += payoffs[seat] < 0;
    }
    return lost;
  };
  CHECK(losses(0, false) <= 2);
  CHECK(losses(1, false) <= 2);
  CHECK(losses(0, true) <= 2);
  CHECK(losses(1, true) <= 10);
}

TEST_CASE("dl_19_convergence_to_minimax") {
  Solution solution;
  solution.value(kBoard.root());
  CHECK(solution.positions().size() == 5478);
  std::vector<tic_tac_toe::State> positions;
  for (const auto& state : solution.positions()) {
    Action actions[9];
    if (state.player() != kTerminal && state.legal(actions) >= 4 && solution.optimal(state).size() == 1) {
      positions.push_back(state);
    }
  }
  REQUIRE(positions.size() >= 40);
  Rng rng(5);
  double last = 0;
  for (const auto& [simulations, trials] : {std::pair{10, 1000}, {100, 1000}, {1000, 600}, {10'000, 200}}) {
    int right = 0;
    for (int t = 0; t < trials; ++t) {
      const auto& state = positions[rng.below(static_cast<std::uint32_t>(positions.size()))];
      right += run(kBoard, state, iterations(simulations, rng.next())).best == solution.optimal(state)[0];
    }
    const double share = static_cast<double>(right) / trials;
    MESSAGE(simulations << " simulations: " << 100 * share << " % optimal");
    CHECK(share >= last);
    if (simulations == 1000) CHECK(share >= 0.95);
    if (simulations == 10'000) CHECK(share >= 0.99);
    last = share;
  }
}
