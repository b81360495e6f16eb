// Games of an evaluator against itself: what a search of the root by Gumbel's way finds, what trees keep from move to
// move, and rows that depend on the seed alone.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "games/connect_four.hpp"
#include "games/kuhn.hpp"
#include "games/oware/game.hpp"
#include "games/tic_tac_toe.hpp"
#include "search/self_play.hpp"
#include "uct_games.hpp"

using namespace kiebitz;
using namespace kiebitz::search;

namespace {

using TicTacToe = tic_tac_toe::Game;

// Judges every row by numbers that look random and depend on all of it, in the range of the game.
class Noisy : public nets::Evaluator {
 public:
  explicit Noisy(const GameInfo& info) : low_(info.min_payoff), high_(info.max_payoff) {}
  mutable std::size_t most = 0;

  void judge(const nets::Positions& asked, nets::Judgements& out) const override {
    most = std::max(most, asked.count);
    for (std::size_t row = 0; row < asked.count; ++row) {
      std::uint64_t h = static_cast<std::uint64_t>(asked.movers[row]);
      for (std::size_t i = 0; i < asked.tensor_size; ++i) {
        h = mix64(h ^ static_cast<std::uint64_t>(1000 * asked.tensor(row)[i]));
      }
      for (std::size_t a = 0; a < asked.actions; ++a) out.logits[row * asked.actions + a] = 3 * unit(h = mix64(h));
      for (std::size_t p = 0; p < asked.players; ++p) {
        out.values[row * asked.players + p] = static_cast<float>(low_ + (high_ - low_) * unit(h = mix64(h)));
      }
    }
  }

 private:
  static float unit(std::uint64_t h) { return static_cast<float>(h >> 40) / static_cast<float>(1 << 24); }
  double low_;
  double high_;
};

// Knows nothing.
class Silent : public nets::Evaluator {
 public:
  void judge(const nets::Positions&, nets::Judgements& out) const override {
    std::ranges::fill(out.logits, 0.0F);
    std::ranges::fill(out.values, 0.0F);
  }
};

template <class G>
G usual() {
  return G(resolve_parameters(G::parameters(), G::presets(), "", {}));
}

template <class G>
PlayedGames play(const G& game, const SelfPlayOptions& options, int games = 30, std::uint64_t seed = 5) {
  Stop stop;
  return SelfPlay<G>(game, options).run(Noisy(game.info()), seed, games, stop);
}

SelfPlayOptions quick(Root root = Root::gumbel) {
  SelfPlayOptions options;
  options.simulations = 20;
  options.fast_simulations = 5;
  options.full_share = 0.5;
  options.random_plies = 3;
  options.drawn_plies = 4;
  options.root = root;
  return options;
}

void check_same(const PlayedGames& a, const PlayedGames& b) {
  CHECK(a.tensors == b.tensors);
  CHECK(a.legal == b.legal);
  CHECK(a.policy == b.policy);
  CHECK(a.outcome == b.outcome);
  CHECK(a.expected == b.expected);
  CHECK(a.full == b.full);
  CHECK(a.plies == b.plies);
  CHECK(a.games == b.games);
  CHECK(a.returns == b.returns);
  CHECK(a.lengths == b.lengths);
  CHECK(a.simulations == b.simulations);
  CHECK(a.judged == b.judged);
}

template <class G>
void check_slots_and_threads(const G& game) {
  for (const Root root : {Root::gumbel, Root::puct}) {
    SelfPlayOptions options = quick(root);
    const auto whole = play(game, options);
    options.slots = 1;
    check_same(whole, play(game, options));
    options.slots = 7;
    options.threads = 3;
    check_same(whole, play(game, options));
    CHECK(whole.returns != play(game, options, 30, 6).returns);
  }
}

// A tree of one position, searched to the end of its budget.
template <class G>
struct Lone {
  Lone(const G& game, const nets::Evaluator& evaluator)
      : evaluator(evaluator), tree(game, options, 1 << 24), info(game.info()) {}

  void search(typename G::State state, std::uint64_t seed, std::int64_t iterations, RootPolicy policy,
              bool keep = false) {
    OneRoot<G> root{state, {}};
    if (keep) {
      tree.go_on(root, {iterations, 0}, policy);
    } else {
      tree.start(root, Rng(seed), {iterations, 0}, policy);
    }
    nets::Positions positions(info);
    nets::Judgements judged;
    while (!tree.finished()) {
      positions.clear();
      tree.collect(positions, 1);
      judged.resize(positions);
      evaluator.judge(positions, judged);
      tree.absorb(positions, judged, 0);
    }
  }

  const nets::Evaluator& evaluator;
  TreeOptions options;
  GuidedTree<G, OneRoot<G>> tree;
  const GameInfo& info;
};

// With the weight of values that the paper has for Go and chess.
RootPolicy gumbel(int considered = 16, double scale = 1) {
  RootPolicy policy;
  policy.gumbel = true;
  policy.considered = considered;
  policy.scale = scale;
  return policy;
}

}  // namespace

TEST_CASE("self_play: games depend on their seed and number, not on slots or threads") {
  check_slots_and_threads(usual<TicTacToe>());
  check_slots_and_threads(usual<oware::Game>());
}

TEST_CASE("self_play: a set of games begins with the smaller set") {
  const auto game = usual<TicTacToe>();
  const auto few = play(game, quick(), 5);
  const auto many = play(game, quick(), 9);
  REQUIRE(many.returns.size() == 18);
  CHECK(std::ranges::equal(few.returns, std::span(many.returns).first(10)));
  CHECK(std::ranges::equal(few.policy, std::span(many.policy).first(few.policy.size())));
}

TEST_CASE("self_play: all games of all slots ask in one batch") {
  const auto game = usual<connect_four::Game>();
  SelfPlayOptions options = quick();
  options.slots = 12;
  const Noisy evaluator(game.info());
  Stop stop;
  SelfPlay<connect_four::Game>(game, options).run(evaluator, 1, 20, stop);
  CHECK(evaluator.most == 12);
}

TEST_CASE("self_play: rows say what the mover saw, and how it ended for it") {
  const auto game = usual<TicTacToe>();
  for (const Root root : {Root::gumbel, Root::puct}) {
    const auto played = play(game, quick(root), 40);
    const std::size_t rows = played.games.size();
    REQUIRE(played.tensors.size() == rows * 27);
    REQUIRE(played.outcome.size() == rows * 2);
    for (std::size_t row = 0; row < rows; ++row) {
      const float* tensor = played.tensors.data() + row * 27;
      const float* policy = played.policy.data() + row * 9;
      const auto mover = static_cast<std::size_t>(played.movers[row]);
      const auto number = static_cast<std::size_t>(played.games[row]);
      float sum = 0;
      int empty = 0;
      for (std::size_t a = 0; a < 9; ++a) {
        CHECK(played.legal[row * 9 + a] == static_cast<std::uint8_t>(tensor[a]));
        CHECK((tensor[a] == 1 || policy[a] == 0));
        sum += policy[a];
        empty += tensor[a] == 1;
      }
      CHECK(sum == doctest::Approx(1));
      CHECK(empty == 9 - played.plies[row]);
      CHECK(played.movers[row] == played.plies[row] % 2);
      CHECK(played.outcome[row * 2] == static_cast<float>(played.returns[number * 2 + mover]));
      CHECK(played.outcome[row * 2 + 1] == -played.outcome[row * 2]);
      CHECK(std::abs(played.expected[row * 2]) <= 1);
      CHECK(played.plies[row] < played.lengths[number]);
    }
  }
}

TEST_CASE("self_play: so many searches are full ones, and they have their simulations") {
  const auto game = usual<TicTacToe>();
  SelfPlayOptions options = quick();
  const auto played = play(game, options, 300);
  const auto rows = static_cast<double>(played.full.size());
  const auto full = std::ranges::count(played.full, 1);
  CHECK(std::abs(static_cast<double>(full) / rows - 0.5) < 4 * std::sqrt(0.25 / rows));
  CHECK(played.simulations == 20 * full + 5 * (static_cast<std::int64_t>(played.full.size()) - full));
  options.full_share = 0;
  CHECK(std::ranges::count(play(game, options).full, 1) == 0);
  options.full_share = 1;
  CHECK(std::ranges::count(play(game, options).full, 0) == 0);
}

TEST_CASE("self_play: a win in one becomes the target") {
  const auto game = usual<TicTacToe>();
  const Silent silent;
  Lone<TicTacToe> lone(game, silent);
  auto state = game.root();
  for (const Action a : {0, 3, 1, 4}) state.apply(a);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    lone.search(state, seed, 32, gumbel());
    CHECK(lone.tree.chosen() == 2);
    float policy[9];
    lone.tree.improved(policy);
    CHECK(policy[2] > 0.99F);
    double expected[2];
    lone.tree.expected(policy, expected);
    CHECK(expected[0] > 0.99);
    CHECK(expected[0] == doctest::Approx(-expected[1]));
  }
}

TEST_CASE("self_play: without values Gumbel's way draws from the priors") {
  uct_test::OneShot game{Fields{}};
  game.set(0, {{0.5}, {0.5}, {0.5}}, 0, 1);
  class Prior : public Silent {
    void judge(const nets::Positions& asked, nets::Judgements& out) const override {
      Silent::judge(asked, out);
      out.logits[1] = std::log(3.0F);
    }
  } const prior;
  Lone<uct_test::OneShot> lone(game, prior);
  int counts[3] = {0, 0, 0};
  constexpr int kDraws = 4000;
  for (std::uint64_t seed = 0; seed < kDraws; ++seed) {
    lone.search(game.root(), seed, 8, gumbel());
    ++counts[lone.tree.chosen()];
    float policy[3];
    lone.tree.improved(policy);
    CHECK(policy[1] == doctest::Approx(0.6));
  }
  CHECK(std::abs(counts[1] / double{kDraws} - 0.6) < 4 * std::sqrt(0.24 / kDraws));
  CHECK(std::abs(counts[0] / double{kDraws} - 0.2) < 4 * std::sqrt(0.16 / kDraws));
}

TEST_CASE("self_play: sequential halving shares simulations among fewer and fewer actions") {
  const std::vector<float> logits(12, 0.0F);
  std::vector<float> values(12);
  for (std::size_t i = 0; i < 12; ++i) values[i] = 100 * static_cast<float>(i);
  SequentialHalving halving;
  Rng rng(1);
  for (const auto& [simulations, considered] : {std::pair{64, 8}, {64, 16}, {200, 12}, {24, 8}, {3, 8}, {1, 1}}) {
    halving.start(logits, simulations, considered, rng);
    std::vector<int> counts(12, 0);
    for (int n = 0; n < simulations; ++n) {
      ++counts[halving.next([&]() -> std::span<const float> { return values; })];
    }
    const auto tried = 12 - std::ranges::count(counts, 0);
    CHECK(tried == std::min({simulations, considered, 12}));
    // The best of those that were considered has the most simulations.
    std::size_t best = 0;
    for (std::size_t i = 0; i < 12; ++i) best = counts[i] > 0 ? i : best;
    CHECK(halving.best(values) == best);
    CHECK(counts[best] == std::ranges::max(counts));
    CHECK(std::ranges::max(counts) >= simulations / static_cast<int>(2 * std::bit_width(static_cast<unsigned>(tried))));
  }
}

TEST_CASE("self_play: what was found below the move that was played stays") {
  const auto game = usual<connect_four::Game>();
  const Noisy evaluator(game.info());
  Lone<connect_four::Game> lone(game, evaluator);
  auto state = game.root();
  lone.search(state, 3, 400, {});
  const auto& nodes = lone.tree.nodes();
  // By the actions that lead there: visits, totals and priors.
  using Found = std::map<std::vector<Action>, std::tuple<std::uint32_t, double, float, bool>>;
  const auto collect = [&](auto& self, Found& out, std::vector<Action>& line, std::uint32_t at) -> void {
    out[line] = {nodes[at].visits, nodes[at].total, nodes[at].prior, nodes[at].judged};
    for (std::uint32_t i = nodes[at].first; i != 0; i = nodes[i].next) {
      line.push_back(nodes[i].action);
      self(self, out, line, i);
      line.pop_back();
    }
  };
  std::vector<Action> line;
  Found before;
  collect(collect, before, line, lone.tree.child(3));
  REQUIRE(before.size() > 20);
  lone.tree.advance(3);
  Found after;
  collect(collect, after, line, 0);
  CHECK(before == after);
  CHECK(nodes.size() == after.size());
  // The next search goes on there: the visits of the root's children add up.
  state.apply(3);
  const auto visits = nodes[0].visits;
  lone.search(state, 0, 100, {}, true);
  std::uint32_t sum = 0;
  for (std::uint32_t i = nodes[0].first; i != 0; i = nodes[i].next) sum += nodes[i].visits;
  CHECK(sum == visits - 1 + 100);
  CHECK(lone.tree.counters().iterations == 100);
  // Where nothing was found the tree begins anew.
  lone.tree.advance(6);
  for (int n = 0; n < 8; ++n) lone.tree.advance(6);
  CHECK(nodes.size() == 1);
}

TEST_CASE("self_play: noise keeps the sum of the priors, and the average of draws is their shape") {
  const auto game = usual<connect_four::Game>();
  const Noisy evaluator(game.info());
  Lone<connect_four::Game> lone(game, evaluator);
  RootPolicy policy;
  policy.noise = 0.25;
  std::set<float> seen;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    lone.search(game.root(), seed, 1, policy);
    float sum = 0;
    const auto& nodes = lone.tree.nodes();
    for (std::uint32_t i = nodes[0].first; i != 0; i = nodes[i].next) sum += nodes[i].prior;
    CHECK(sum == doctest::Approx(1));
    seen.insert(nodes[nodes[0].first].prior);
  }
  CHECK(seen.size() == 10);
  Rng rng(2);
  for (const double shape : {0.1, 1.0, 4.5}) {
    constexpr int kDraws = 20'000;
    double sum = 0;
    for (int n = 0; n < kDraws; ++n) sum += draw_gamma(shape, rng);
    CHECK(std::abs(sum / kDraws - shape) < 4 * std::sqrt(shape / kDraws));
  }
}

TEST_CASE("self_play: games for any number of players, the mover's payoff first") {
  uct_test::OneShot game{Fields{}};
  game.set(2, {{5, 0, 1}, {0, 5, 3}, {0, 0, 2}}, 0, 5);
  SelfPlayOptions options;
  options.simulations = 64;
  options.scale = 1;
  const auto played = play(game, options, 8);
  for (std::size_t n = 0; n < 8; ++n) {
    CHECK(played.movers[n] == 2);
    CHECK(std::vector<float>(played.outcome.begin() + static_cast<std::ptrdiff_t>(3 * n),
                             played.outcome.begin() + static_cast<std::ptrdiff_t>(3 * n + 3)) ==
          std::vector<float>{3, 0, 5});
  }
}

TEST_CASE("self_play: games that were stopped leave nothing") {
  const auto game = usual<connect_four::Game>();
  Stop stop;
  stop.request();
  const auto played = SelfPlay<connect_four::Game>(game, quick()).run(Noisy(game.info()), 1, 20, stop);
  CHECK(played.stopped);
  CHECK(played.games.empty());
}

TEST_CASE("self_play: what cannot be meant is refused") {
  const auto game = usual<TicTacToe>();
  const auto refused = [&](auto change) {
    SelfPlayOptions options = quick();
    change(options);
    CHECK_THROWS_AS(SelfPlay<TicTacToe>(game, options), ParameterError);
  };
  refused([](SelfPlayOptions& o) { o.simulations = 0; });
  refused([](SelfPlayOptions& o) { o.fast_simulations = 21; });
  refused([](SelfPlayOptions& o) { o.full_share = 1.5; });
  refused([](SelfPlayOptions& o) { o.considered = 0; });
  refused([](SelfPlayOptions& o) { o.slots = 0; });
  const auto kuhn = usual<kuhn::Game>();
  CHECK_THROWS_AS(SelfPlay<kuhn::Game>(kuhn, quick()), UnsuitableGame);
}
