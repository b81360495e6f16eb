// Information-set tree search: its counters (DL-28), the subset-armed bandit of section 12.3 of the DL4G foundations
// (DL-29), and what every search promises.
#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <thread>
#include <vector>

#include "games/kuhn.hpp"
#include "games/leduc/game.hpp"
#include "search/ismcts.hpp"
#include "trick_game.hpp"
#include "uct_games.hpp"

using namespace kiebitz;
using namespace kiebitz::search;
using uct_test::check_same;

namespace {

IsmctsOptions iterations(std::int64_t n, std::uint64_t seed = 1) {
  IsmctsOptions options;
  options.budget.iterations = n;
  options.seed = seed;
  return options;
}

template <class G>
G usual() {
  return G(resolve_parameters(G::parameters(), G::presets(), "", {}));
}

template <class G>
Analysis decide(const G& game, const typename G::State& state, const IsmctsOptions& options) {
  Stop stop;
  return Ismcts<G>(game, options).search(state.view(state.player()), stop);
}

// The observer has one action; then the other player chooses among three arms, in one world out of twenty among four.
// Which arm wins is part of the world.
class Arms;
class ArmsState : public uct_test::PlainState<Arms> {
 public:
  class ArmsView {
   public:
    int observer() const { return 0; }
    int player() const { return step == 0 ? 0 : 1; }
    std::string text() const { return ""; }
    Fields save() const { return {}; }
    void tensor(float*) const {}
    friend bool operator==(const ArmsView&, const ArmsView&) = default;
    int step = 0;
  };

  int player() const { return step == 2 ? kTerminal : step; }
  int legal(Action* out) const {
    const int count = step == 2 ? 0 : step == 0 ? 1 : rare ? 4 : 3;
    for (int a = 0; a < count; ++a) out[a] = a;
    return count;
  }
  void apply(Action a) {
    if (step++ == 1) chosen = a;
  }
  void returns(double* out) const {
    out[1] = (wins >> chosen & 1) != 0 ? 1 : 0;
    out[0] = 1 - out[1];
  }
  std::uint64_t key() const { return static_cast<std::uint64_t>(step); }
  ArmsView view(int) const { return {step}; }

  int step = 0;
  int chosen = 0;
  bool rare = false;
  unsigned wins = 0;
};
class Arms : public uct_test::PlainGame<Arms, ArmsState> {
 public:
  using View = ArmsState::ArmsView;
  explicit Arms(const Fields&) {
    info_.name = "arms";
    info_.actions = info_.max_legal = 4;
    info_.max_length = 2;
    info_.min_payoff = 0;
    info_.utility = Utility::constant_sum;
    info_.payoff_sum = 1;
    info_.hidden = true;
  }
  State root() const { return {}; }
  View load_view(const Fields&) const { return {}; }
  State sample(const View& view, Rng& rng) const {
    State state;
    state.step = view.step;
    state.rare = rng.below(20) == 0;
    for (int a = 0; a < 4; ++a) state.wins |= static_cast<unsigned>(rng.unit() < (a == 3 ? 0.2 : 0.5)) << a;
    return state;
  }
};
static_assert(HiddenGame<Arms>);

// How often the rare arm was chosen, and how often it could have been: means over repetitions.
std::pair<double, double> rare_arm(std::int64_t rounds, double c, bool availability) {
  const Arms game{Fields{}};
  double chosen = 0;
  double available = 0;
  constexpr int kRepetitions = 40;
  for (std::uint64_t seed = 0; seed < kRepetitions; ++seed) {
    IsmctsOptions options = iterations(rounds + 1, seed);  // the first one makes the node of the other player
    options.c = c;
    options.availability = availability;
    Ismcts<Arms> search(game, options);
    Stop stop;
    search.search(game.root().view(0), stop);
    search.walk([&](const InformationNode& node) {
      if (node.depth != 2 || node.action != 3) return;
      chosen += static_cast<double>(node.visits);
      available += static_cast<double>(node.available);
    });
  }
  return {chosen / kRepetitions, available / kRepetitions};
}

}  // namespace

TEST_CASE("dl_29_rare_actions_get_their_due_and_no_more") {
  struct Line {
    std::int64_t rounds;
    double c, available, plain, corrected;
  };
  const std::vector<Line> published = {{2000, 0.7, 98.7, 26.9, 15.6},
                                       {2000, std::sqrt(2.0), 98.7, 69.5, 40.9},
                                       {20'000, 0.7, 996, 44.2, 29.6},
                                       {20'000, std::sqrt(2.0), 996, 153.7, 107.3}};
  for (const Line& line : published) {
    CAPTURE(line.rounds);
    CAPTURE(line.c);
    const auto [plain, available] = rare_arm(line.rounds, line.c, false);
    const auto [corrected, same] = rare_arm(line.rounds, line.c, true);
    CHECK(std::abs(available / line.available - 1) < 0.1);
    CHECK(std::abs(same / line.available - 1) < 0.1);
    CHECK(std::abs(plain / line.plain - 1) < 0.2);
    CHECK(std::abs(corrected / line.corrected - 1) < 0.2);
    CHECK(plain >= 1.3 * corrected);
  }
}

TEST_CASE("dl_28_counters_of_every_node") {
  const trick_game::Game game(5, 2);
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const auto state = game.deal(seed);
    IsmctsOptions options = iterations(5000, seed);
    options.scale = Scale::raw;
    options.c = 2.5;
    options.streams = 2;
    Ismcts<trick_game::Game> search(game, options);
    Stop stop;
    const Analysis analysis = search.search(state.view(state.player()), stop);
    std::int64_t nodes = 0;
    std::int64_t playouts = 0;
    search.walk([&](const InformationNode& node) {
      if (node.depth == 0) {
        CHECK(node.visits == 2500);
        return;
      }
      ++nodes;
      CHECK(node.visits >= 1);
      CHECK(node.visits <= node.available);
      CHECK(node.available <= node.parent_visits);
      CHECK(node.child_visits <= node.visits);
      playouts += node.visits - node.child_visits;
    });
    CHECK(nodes == analysis.nodes);
    CHECK(playouts == 5000);
    CHECK(analysis.branching > 1);
  }
}

TEST_CASE("dl_28_one_tree_of_information_sets") {
  // Two-player Kuhn poker as its first player sees it: p, b, pp, pb, bp, bb, pbp, pbb, whatever the cards are.
  const auto game = usual<kuhn::Game>();
  auto state = game.root();
  std::vector<Outcome> outcomes(static_cast<std::size_t>(game.info().max_legal));
  Rng rng(1);
  while (state.player() == kChance) state.apply(random_outcome(state, rng, outcomes.data()));
  Ismcts<kuhn::Game> search(game, iterations(20'000));
  Stop stop;
  CHECK(search.search(state.view(0), stop).nodes == 8);
  std::set<std::vector<Action>> paths;
  int nodes = 0;
  search.walk([&](const InformationNode& node) {
    paths.insert(node.path);
    ++nodes;
  });
  CHECK(nodes == 9);
  CHECK(paths.size() == 9);  // no information set occurs twice
}

TEST_CASE("dl_28_hidden_branches_are_never_selected") {
  // In the trick game a card is never played twice, and the observer plays only its own cards.
  const trick_game::Game game(4, 0);
  const auto state = game.deal(3);
  const int observer = state.player();
  Ismcts<trick_game::Game> search(game, iterations(4000));
  Stop stop;
  search.search(state.view(observer), stop);
  search.walk([&](const InformationNode& node) {
    std::set<Action> cards(node.path.begin(), node.path.end());
    CHECK(cards.size() == node.path.size());
    if (node.depth == 0) return;
    const bool own = (state.hand(observer) >> node.action & 1) != 0;
    CHECK(own == (node.mover == observer));
  });
}

TEST_CASE("declarations below the root can be left out") {
  const trick_game::Game game(5, 3);
  IsmctsOptions options = iterations(1500);
  options.tree_calls = options.playout_calls = Calls::none;
  options.scale = Scale::raw;
  Ismcts<trick_game::Game> search(game, options);
  Stop stop;
  const auto state = game.deal(1);
  game.calls_made = 0;
  search.search(state.view(state.player()), stop);
  std::int64_t at_root = 0;
  search.walk([&](const InformationNode& node) {
    if (node.depth > 1) CHECK(node.action < game.call());
    if (node.depth == 1 && node.action == game.call()) at_root = node.visits;
  });
  CHECK(at_root > 0);
  CHECK(game.calls_made == at_root);
}

TEST_CASE("chance moves inside the tree follow their probabilities") {
  const auto game = usual<leduc::Game>();
  auto state = game.root();
  std::vector<Outcome> outcomes(static_cast<std::size_t>(game.info().max_legal));
  Rng rng(4);
  while (state.player() == kChance) state.apply(random_outcome(state, rng, outcomes.data()));
  Ismcts<leduc::Game> search(game, iterations(20'000));
  Stop stop;
  const Analysis analysis = search.search(state.view(state.player()), stop);
  CHECK(analysis.iterations == 20'000);
  CHECK(analysis.actions.size() >= 2);
  int chance = 0;
  search.walk([&](const InformationNode& node) {
    if (node.mover != kChance || node.depth == 0) return;
    ++chance;
    CHECK(node.visits == node.available);
  });
  CHECK(chance > 3);
}

TEST_CASE("threads do not change anything and views decide alone") {
  const trick_game::Game game(5, 2);
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const auto truth = game.deal(seed);
    IsmctsOptions options = iterations(3001, seed);
    options.scale = seed % 2 == 0 ? Scale::siblings : Scale::raw;
    options.streams = 5;
    const Analysis one = decide(game, truth, options);
    for (const int threads : {2, 8}) {
      options.threads = threads;
      check_same(one, decide(game, truth, options));
    }
    Rng rng(seed, 3);
    const auto other = game.sample(truth.view(truth.player()), rng);
    check_same(one, decide(game, other, options));
  }
}

TEST_CASE("stop, time and memory limits") {
  const trick_game::Game game(8, 2);
  const auto state = game.deal(1);
  IsmctsOptions options = iterations(1'000'000'000);
  options.memory_mb = 1;
  options.streams = options.threads = 2;
  Ismcts<trick_game::Game> search(game, options);
  Stop at_once;
  at_once.request();
  const Analysis least = search.search(state.view(state.player()), at_once);
  CHECK(least.stopped);
  CHECK(least.iterations >= 1);
  options = iterations(40'000);
  options.memory_mb = 1;
  const Analysis full = decide(game, state, options);
  CHECK(full.memory_full);
  CHECK(full.iterations == 40'000);
  options = iterations(0);
  options.budget.seconds = 0.05;
  CHECK(decide(game, state, options).iterations > 0);
  options = iterations(0);
  options.budget.nodes = 500;
  CHECK(decide(game, state, options).nodes == 500);
}

TEST_CASE("options that cannot be meant are refused by ismcts") {
  const trick_game::Game game(4, 0);
  const auto refused = [&](auto change) {
    IsmctsOptions options = iterations(10);
    change(options);
    CHECK_THROWS_AS(Ismcts<trick_game::Game>(game, options), Error);
  };
  refused([](IsmctsOptions& o) { o.budget.iterations = 0; });
  refused([](IsmctsOptions& o) { o.c = -1; });
  refused([](IsmctsOptions& o) { o.streams = 0; });
  refused([](IsmctsOptions& o) { o.threads = 65; });
  refused([](IsmctsOptions& o) { o.memory_mb = 0; });
  refused([](IsmctsOptions& o) { o.solve_last = 33; });
  refused([](IsmctsOptions& o) { o.formula = Formula::ucb1_tuned; });
  refused([](IsmctsOptions& o) { o.belief = "guess"; });
  const auto state = game.deal(1);
  Stop stop;
  CHECK_THROWS_AS(Ismcts<trick_game::Game>(game, iterations(5)).search(state.view((state.player() + 1) % 4), stop),
                  IllegalAction);
}
