// Searches guided by an evaluator: what they find with hand-made ones, and what batches must not change.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <vector>

#include "games/connect_four.hpp"
#include "games/kuhn.hpp"
#include "games/leduc/game.hpp"
#include "games/tic_tac_toe.hpp"
#include "nets/parts.hpp"
#include "nets/seated.hpp"
#include "search/alphabeta.hpp"
#include "search/guided.hpp"
#include "search/pimc.hpp"
#include "uct_games.hpp"

using namespace kiebitz;
using namespace kiebitz::search;
using uct_test::check_same;

namespace {

// Judges by functions of a row; counts what it was asked.
class HandMade : public nets::Evaluator {
 public:
  std::function<float(const float* tensor, int mover, int action)> logit = [](const float*, int, int) { return 0.0F; };
  std::function<float(const float* tensor, int mover, int player)> value = [](const float*, int, int) { return 0.0F; };
  mutable std::int64_t positions = 0;
  mutable std::size_t most = 0;

  void judge(const nets::Positions& asked, nets::Judgements& out) const override {
    positions += static_cast<std::int64_t>(asked.count);
    most = std::max(most, asked.count);
    for (std::size_t row = 0; row < asked.count; ++row) {
      for (std::size_t a = 0; a < asked.actions; ++a) {
        out.logits[row * asked.actions + a] = logit(asked.tensor(row), asked.movers[row], static_cast<int>(a));
      }
      for (std::size_t p = 0; p < asked.players; ++p) {
        out.values[row * asked.players + p] = value(asked.tensor(row), asked.movers[row], static_cast<int>(p));
      }
    }
  }
};

// Numbers that depend on everything in the row, and look random.
float noise(const float* tensor, std::size_t size, int salt) {
  std::uint64_t h = mix64(static_cast<std::uint64_t>(salt));
  for (std::size_t i = 0; i < size; ++i)
    h = mix64(h ^ static_cast<std::uint64_t>(static_cast<std::int64_t>(1000 * tensor[i])));
  return static_cast<float>(h >> 40) / static_cast<float>(1 << 24);
}

std::shared_ptr<HandMade> noisy(const GameInfo& info, float scale = 1) {
  auto out = std::make_shared<HandMade>();
  const auto size = static_cast<std::size_t>(info.tensor_size);
  out->logit = [=](const float* t, int mover, int a) { return 3 * noise(t, size, 100 + 10 * a + mover); };
  out->value = [=](const float* t, int mover, int p) {
    return (p == 0 ? scale : -scale) * (noise(t, size, mover) - 0.5F);
  };
  return out;
}

UctOptions guided(std::shared_ptr<const nets::Evaluator> evaluator, std::int64_t iterations, int leaves = 1) {
  UctOptions options;
  options.budget.iterations = iterations;
  options.evaluator = std::move(evaluator);
  options.leaves = leaves;
  return options;
}

template <class G>
G usual() {
  return G(resolve_parameters(G::parameters(), G::presets(), "", {}));
}

template <class G>
typename G::State after(const G& game, std::initializer_list<Action> actions) {
  auto state = game.root();
  for (const Action a : actions) state.apply(a);
  return state;
}

template <class G>
Analysis decide(const G& game, const typename G::State& state, const UctOptions& options) {
  Stop stop;
  return GuidedUct<G>(game, options).search(state, {}, stop);
}

using TicTacToe = tic_tac_toe::Game;

}  // namespace

TEST_CASE("guided: a win in one is found without knowing anything") {
  const auto game = usual<TicTacToe>();
  const auto state = after(game, {0, 3, 1, 4});  // three in a row with 2; the other threatens 5
  for (const int leaves : {1, 4, 16}) {
    const auto found = decide(game, state, guided(std::make_shared<HandMade>(), 200, leaves));
    CHECK(found.best == 2);
    CHECK(found.certainty.exact());
  }
}

TEST_CASE("guided: a proven win ends the search, and a proven loss is played only where there is nothing else") {
  const auto game = usual<TicTacToe>();
  for (const int leaves : {1, 8}) {
    const auto won = decide(game, after(game, {0, 3, 1, 4}), guided(std::make_shared<HandMade>(), 100'000, leaves));
    CHECK(won.best == 2);
    CHECK(won.certainty.exact());
    CHECK(won.value == 1);
    CHECK(won.iterations < 1000);
    // The evaluator likes everything that loses.
    const auto state = after(game, {0, 3, 1});  // 2 has to be closed
    const auto fond = std::make_shared<HandMade>();
    fond->logit = [](const float*, int mover, int a) { return mover == 1 && a != 2 ? 5.0F : -5.0F; };
    CHECK(decide(game, state, guided(fond, 2000, leaves)).best == 2);
  }
}

TEST_CASE("guided: what is proven is the value of the game") {
  const connect_four::Game game(
      resolve_parameters(connect_four::Game::parameters(), connect_four::Game::presets(), "",
                         {{"rows", std::int64_t{4}}, {"columns", std::int64_t{4}}, {"connect", std::int64_t{3}}}));
  AlphaBetaOptions exact;
  exact.depth = 16;
  AlphaBeta<connect_four::Game> judge(game, exact);
  Stop stop;
  const auto evaluator = noisy(game.info());
  Rng rng(7);
  int proven = 0;
  int estimated = 0;
  int roots = 0;
  for (int n = 0; n < 150; ++n) {
    auto state = game.root();
    std::vector<Action> legal(8);
    for (int ply = 2 + n % 7; ply > 0 && state.player() >= 0; --ply) {
      state.apply(random_action(state, rng, legal.data()));
    }
    if (state.player() < 0) continue;
    const auto found = decide(game, state, guided(evaluator, 40 + 3 * n, 1 + n % 5));
    for (const ActionValue& action : found.actions) {
      estimated += !action.certainty.exact();
      if (!action.certainty.exact()) continue;
      ++proven;
      auto next = state;
      next.apply(action.action);
      double payoffs[2];
      if (next.player() == kTerminal) {
        next.returns(payoffs);
      } else {
        payoffs[next.player()] = judge.search(next, {}, stop).value;
        payoffs[1 - next.player()] = -payoffs[next.player()];
      }
      CHECK(action.value == payoffs[state.player()]);
      CHECK(action.mean == std::vector<double>{payoffs[0], payoffs[1]});
      CHECK(action.error == 0);
    }
    if (!found.certainty.exact()) continue;
    ++roots;
    CHECK(found.value == judge.search(state, {}, stop).value);
  }
  CHECK(proven > 100);
  CHECK(estimated > 100);
  CHECK(roots > 30);
}

TEST_CASE("guided: the root's children share the simulations, and nothing is left waiting") {
  const auto game = usual<TicTacToe>();
  for (const int leaves : {1, 3, 8}) {
    const auto evaluator = noisy(game.info());
    const auto found = decide(game, game.root(), guided(evaluator, 500, leaves));
    std::int64_t visits = 0;
    for (const auto& a : found.actions) visits += a.visits;
    CHECK(visits == 500);
    CHECK(found.iterations == 500);
    CHECK(evaluator->positions == found.leaves);
    CHECK(evaluator->most <= static_cast<std::size_t>(leaves));
    const auto again = decide(game, game.root(), guided(evaluator, 500, leaves));
    check_same(found, again);
  }
}

TEST_CASE("guided: the best prior is tried first, and visits follow priors where values are equal") {
  const auto game = usual<TicTacToe>();
  const auto evaluator = std::make_shared<HandMade>();
  evaluator->logit = [](const float*, int, int a) { return a == 6 ? 2.0F : 0.0F; };
  const auto one = decide(game, game.root(), guided(evaluator, 1));
  CHECK(one.best == 6);
  CHECK(one.value == 0);
  auto options = guided(evaluator, 400);
  options.c = 100;  // exploration decides alone
  const auto many = decide(game, game.root(), options);
  const double share = std::exp(2.0) / (std::exp(2.0) + 8);
  CHECK(static_cast<double>(many.actions[6].visits) == doctest::Approx(400 * share).epsilon(0.05));
}

TEST_CASE("guided: with exact values every move keeps the value of the game") {
  const auto game = usual<TicTacToe>();
  Stop stop;
  AlphaBetaOptions exact;
  exact.depth = 9;
  AlphaBeta<TicTacToe> judge(game, exact);
  // The value of a position by its tensor: the evaluator sees nothing else.
  auto state = game.root();
  const auto evaluator = std::make_shared<HandMade>();
  const auto size = static_cast<std::size_t>(game.info().tensor_size);
  std::map<std::vector<float>, double> values;
  const auto walk = [&](auto& self, const TicTacToe::State& at) -> void {
    if (at.player() == kTerminal) return;
    std::vector<float> tensor(size);
    at.tensor(tensor.data());
    if (values.contains(tensor)) return;
    const double value = judge.search(at, {}, stop).value;
    values[tensor] = at.player() == 0 ? value : -value;
    Action legal[9];
    const int count = at.legal(legal);
    for (int i = 0; i < count; ++i) {
      auto next = at;
      next.apply(legal[i]);
      self(self, next);
    }
  };
  walk(walk, state);
  evaluator->value = [&](const float* t, int, int p) {
    const auto value = static_cast<float>(values.at(std::vector<float>(t, t + size)));
    return p == 0 ? value : -value;
  };
  Rng rng(3);
  for (int games = 0; games < 20; ++games) {
    state = game.root();
    while (state.player() != kTerminal) {
      Action legal[9];
      if (state.player() == 0) {
        state.apply(decide(game, state, guided(evaluator, 60, 2)).best);
      } else {
        state.apply(legal[rng.below(static_cast<std::uint32_t>(state.legal(legal)))]);
      }
    }
    double payoffs[2];
    state.returns(payoffs);
    CHECK(payoffs[0] >= 0);
  }
}

TEST_CASE("guided: batches do not change what trees find") {
  const auto game = usual<connect_four::Game>();
  const auto evaluator = noisy(game.info());
  auto options = guided(evaluator, 2000, 4);
  options.streams = 5;
  options.batch = 4;
  const auto small = decide(game, game.root(), options);
  CHECK(evaluator->most <= 4);
  options.batch = 64;
  const auto large = decide(game, game.root(), options);
  CHECK(evaluator->most == 20);
  check_same(small, large);
}

TEST_CASE("guided: neither do they in sampled worlds") {
  const auto game = usual<leduc::Game>();
  Stop stop;
  auto state = game.root();
  for (const Action a : game.deal({"J", "Q"}, 0)) state.apply(a);
  const auto view = state.view(state.player());
  const auto evaluator = noisy(game.info(), 5);
  PimcOptions options;
  options.uct = guided(evaluator, 100);
  options.worlds = 40;
  options.uct.batch = 1;
  const auto alone = Pimc<leduc::Game>(game, options).search(view, stop);
  CHECK(evaluator->most == 1);
  options.uct.batch = 64;
  const auto together = Pimc<leduc::Game>(game, options).search(view, stop);
  CHECK(evaluator->most == 40);
  check_same(alone, together);
  CHECK(alone.worlds == 40);
  CHECK(alone.iterations == 4000);

  IsmctsOptions own;
  own.budget.iterations = 1000;
  own.evaluator = evaluator;
  own.streams = 6;
  own.leaves = own.batch = 1;
  const auto one = GuidedIsmcts<leduc::Game>(game, own).search(view, stop);
  own.batch = 64;
  const auto many = GuidedIsmcts<leduc::Game>(game, own).search(view, stop);
  check_same(one, many);
  CHECK(one.iterations == 1000);
}

TEST_CASE("guided: numbers that are none end the search and not the next one") {
  const auto game = usual<TicTacToe>();
  const auto evaluator = std::make_shared<HandMade>();
  Stop stop;
  GuidedUct<TicTacToe> search(game, guided(evaluator, 100));
  const auto before = search.search(game.root(), {}, stop);
  evaluator->value = [](const float*, int, int) { return std::numeric_limits<float>::quiet_NaN(); };
  CHECK_THROWS_AS(search.search(game.root(), {}, stop), Error);
  evaluator->value = [](const float*, int, int) { return 0.0F; };
  evaluator->logit = [](const float*, int, int) { return std::numeric_limits<float>::infinity(); };
  CHECK_THROWS_AS(search.search(game.root(), {}, stop), Error);
  evaluator->logit = [](const float*, int, int) { return 0.0F; };
  check_same(before, search.search(game.root(), {}, stop));
}

TEST_CASE("guided: values beyond the range of the payoffs count as its ends") {
  const auto game = usual<TicTacToe>();
  const auto evaluator = std::make_shared<HandMade>();
  evaluator->value = [](const float*, int, int p) { return p == 0 ? 50.0F : -50.0F; };
  const auto found = decide(game, game.root(), guided(evaluator, 50));
  for (const auto& a : found.actions) CHECK(std::abs(a.value) <= 1);
}

TEST_CASE("guided: a search ends when memory is used up") {
  const auto game = usual<connect_four::Game>();
  auto options = guided(noisy(game.info()), 60'000, 8);
  options.memory_mb = 1;
  const auto found = decide(game, game.root(), options);
  CHECK(found.memory_full);
  CHECK(found.iterations == 60'000);
}

TEST_CASE("guided: asked to stop, a search has done something") {
  const auto game = usual<connect_four::Game>();
  Stop stop;
  stop.request();
  const auto found =
      GuidedUct<connect_four::Game>(game, guided(noisy(game.info()), 1'000'000)).search(game.root(), {}, stop);
  CHECK(found.stopped);
  CHECK(found.iterations >= 1);
  CHECK(found.iterations < 1000);
  auto options = guided(noisy(game.info()), 0);
  options.budget.seconds = 0.02;
  Stop later;
  CHECK(GuidedUct<connect_four::Game>(game, options).search(game.root(), {}, later).iterations > 10);
}

TEST_CASE("guided: options without a meaning are refused") {
  const auto game = usual<TicTacToe>();
  const auto evaluator = std::make_shared<HandMade>();
  const auto refused = [&](auto change) {
    auto options = guided(evaluator, 10);
    change(options);
    CHECK_THROWS_AS(GuidedUct<TicTacToe>(game, options), ParameterError);
  };
  refused([](UctOptions& o) { o.expand = Expand::all; });
  refused([](UctOptions& o) { o.playout = Playout::evaluation; });
  refused([](UctOptions& o) { o.formula = Formula::ucb1_tuned; });
  refused([](UctOptions& o) { o.scale = Scale::siblings; });
  refused([](UctOptions& o) { o.reuse = true; });
  refused([](UctOptions& o) { o.leaves = 0; });
  refused([](UctOptions& o) { o.leaves = 8, o.batch = 4; });
}

TEST_CASE("guided: games for any number of players, each for its own payoff") {
  uct_test::OneShot game{Fields{}};
  game.set(2, {{5, 0, 1}, {0, 5, 3}, {0, 0, 2}}, 0, 5);
  const auto found = decide(game, game.root(), guided(std::make_shared<HandMade>(), 100));
  CHECK(found.best == 1);
  CHECK(found.value == 3);
  CHECK(found.actions[1].mean == std::vector<double>{0, 5, 3});
}

TEST_CASE("guided: values of playouts take the place of the evaluator's") {
  const auto game = usual<TicTacToe>();
  const auto evaluator = std::make_shared<HandMade>();
  evaluator->value = [](const float*, int, int p) { return p == 0 ? -1.0F : 1.0F; };  // nonsense, and not used
  auto options = guided(evaluator, 400, 4);
  options.values = LeafValues::playout;
  const auto found = decide(game, game.root(), options);
  CHECK(found.value > 0);  // whoever begins wins more often
  CHECK(found.iterations == 400);
  check_same(found, decide(game, game.root(), options));
  // Any way to play out is possible then.
  const auto big = usual<connect_four::Game>();
  auto judged = guided(std::make_shared<HandMade>(), 50);
  judged.values = LeafValues::playout;
  judged.playout = Playout::random;
  CHECK(decide(big, big.root(), judged).iterations == 50);
}

TEST_CASE("guided: a default policy draws the actions of playouts") {
  const auto game = usual<TicTacToe>();
  // Plays the lowest free field: the first player wins with 0, 2, 4, 6.
  const auto lowest = std::make_shared<HandMade>();
  lowest->logit = [](const float*, int, int a) { return -50.0F * static_cast<float>(a); };
  UctOptions options = guided(std::make_shared<nets::Parts>(nullptr, nullptr), 1, 1);
  options.values = LeafValues::playout;
  options.default_policy = lowest;
  const auto one = decide(game, game.root(), options);  // tries field 0, and plays 1, 2, 3, ...
  CHECK(one.best == 0);
  CHECK(one.value == 1);
  CHECK(lowest->positions == 7 + 6);  // of the root and of its child, until somebody has three in a row
  for (const int leaves : {1, 8}) {
    options = guided(std::make_shared<nets::Parts>(nullptr, nullptr), 300, leaves);
    options.values = LeafValues::playout;
    options.default_policy = noisy(game.info());
    const auto found = decide(game, after(game, {0, 3, 1, 4}), options);
    CHECK(found.best == 2);
    check_same(found, decide(game, after(game, {0, 3, 1, 4}), options));
  }
  // Chance and hidden cards as well, in worlds side by side.
  const auto leduc = usual<leduc::Game>();
  Stop stop;
  auto state = leduc.root();
  for (const Action a : leduc.deal({"J", "Q"}, 0)) state.apply(a);
  IsmctsOptions hidden;
  hidden.budget.iterations = 200;
  hidden.evaluator = noisy(leduc.info());
  hidden.values = LeafValues::playout;
  hidden.default_policy = noisy(leduc.info());
  const auto asked = GuidedIsmcts<leduc::Game>(leduc, hidden).search(state.view(state.player()), stop);
  CHECK(asked.iterations == 200);
  options.values = LeafValues::evaluator;
  CHECK_THROWS_AS(GuidedUct<TicTacToe>(game, options), ParameterError);
}

TEST_CASE("guided: parts are the policy of one evaluator and the values of another") {
  const auto game = usual<TicTacToe>();
  const auto one = noisy(game.info());
  const auto other = std::make_shared<HandMade>();
  other->logit = [](const float*, int, int a) { return a == 7 ? 9.0F : 0.0F; };
  const auto both = std::make_shared<nets::Parts>(other, one);
  const auto found = decide(game, game.root(), guided(both, 1));
  CHECK(found.best == 7);
  CHECK(found.value == decide(game, after(game, {7}), guided(one, 1)).prior_value.value() * -1);
  const nets::Parts nothing(nullptr, nullptr);
  CHECK_FALSE(nothing.has_policy());
  CHECK_FALSE(nothing.has_values());
  CHECK(both->has_policy());
}

TEST_CASE("guided: what the evaluator says of the root stands beside what was found") {
  const auto game = usual<TicTacToe>();
  const auto evaluator = std::make_shared<HandMade>();
  evaluator->logit = [](const float*, int, int a) { return a == 8 ? std::log(2.0F) : 0.0F; };
  evaluator->value = [](const float*, int, int p) { return p == 0 ? 0.25F : -0.25F; };
  const auto state = after(game, {0, 3});
  const auto check = [&](const Analysis& found) {
    CHECK(found.prior_value == doctest::Approx(0.25));
    double sum = 0;
    for (const auto& a : found.actions) {
      CHECK(a.prior.value() == doctest::Approx(a.action == 8 ? 0.25 : 0.125));
      sum += *a.prior;
    }
    CHECK(sum == doctest::Approx(1));
  };
  check(decide(game, state, guided(evaluator, 50, 4)));
  Stop stop;
  AlphaBetaOptions exact;
  exact.depth = 2;
  exact.evaluator = evaluator;
  check(AlphaBeta<TicTacToe>(game, exact).search(state, {}, stop));
  const auto half = std::make_shared<nets::Parts>(nullptr, evaluator);
  const auto found = decide(game, state, guided(half, 50));
  CHECK(found.prior_value == doctest::Approx(0.25));
  CHECK_FALSE(found.actions[0].prior.has_value());
}

TEST_CASE("alpha-beta: an evaluator judges leaves, and never claims a win") {
  const auto game = usual<connect_four::Game>();
  Stop stop;
  AlphaBetaOptions options;
  options.depth = 3;
  const auto evaluator = noisy(game.info());
  // As an evaluation that says the same.
  const auto values = [&](const connect_four::Game::State& state, int player) {
    nets::Positions positions(game.info());
    std::vector<Action> legal(7);
    nets::add_position<connect_four::Game>(state, legal.data(), state.legal(legal.data()), positions);
    nets::Judgements judged;
    judged.resize(positions);
    evaluator->judge(positions, judged);
    return static_cast<double>(judged.values[static_cast<std::size_t>(player)]);
  };
  AlphaBeta<connect_four::Game> plain(game, options);
  plain.set_evaluation(values);
  const auto expected = plain.search(game.root(), {}, stop);
  options.evaluator = evaluator;
  for (const bool full : {false, true}) {
    options.order = full ? Order::full : Order::index;
    options.deepen = options.narrow = full;
    options.table_mb = full ? 1 : 0;
    const auto found = AlphaBeta<connect_four::Game>(game, options).search(game.root(), {}, stop);
    CHECK(found.value == expected.value);
    CHECK(found.actions[static_cast<std::size_t>(found.best)].value == expected.value);
  }
  // Each seat can have one of its own.
  options.evaluator =
      std::make_shared<nets::Seated>(std::vector<std::shared_ptr<const nets::Evaluator>>{evaluator, evaluator});
  CHECK(AlphaBeta<connect_four::Game>(game, options).search(game.root(), {}, stop).value == expected.value);

  evaluator->value = [](const float*, int, int p) { return p == 0 ? 5.0F : -5.0F; };
  const auto sure = AlphaBeta<connect_four::Game>(game, options).search(game.root(), {}, stop);
  CHECK(sure.value < 1);
  CHECK(sure.value > 0.99);
  CHECK(sure.certainty.status() == Status::estimated);
  auto state = game.root();
  for (const Action a : {0, 6, 0, 6, 0, 6}) state.apply(a);
  const auto won = AlphaBeta<connect_four::Game>(game, options).search(state, {}, stop);
  CHECK(won.best == 0);
  CHECK(won.value == 1);
  CHECK(won.certainty.exact());
  evaluator->value = [](const float*, int, int) { return std::numeric_limits<float>::quiet_NaN(); };
  CHECK_THROWS_AS(AlphaBeta<connect_four::Game>(game, options).search(game.root(), {}, stop), Error);
  options.evaluation = "zero";
  CHECK_THROWS_AS(AlphaBeta<connect_four::Game>(game, options), ParameterError);
  options.evaluation = "";
  options.evaluator = std::make_shared<nets::Parts>(evaluator, nullptr);
  CHECK_THROWS_AS(AlphaBeta<connect_four::Game>(game, options), UnsuitableGame);
}
