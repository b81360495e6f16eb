// Backward induction: fixture 2.2 of the DL4G specification, brute force, grades of solution, refusals (DL-2, DL-4,
// DL-5).
#include <doctest/doctest.h>

#include <functional>
#include <map>
#include <set>

#include "explicit_tree.hpp"
#include "games/kuhn.hpp"
#include "games/nim.hpp"
#include "games/oware/game.hpp"
#include "games/tic_tac_toe.hpp"
#include "search/induction.hpp"

using namespace kiebitz;
using namespace kiebitz::search;
using Tree = explicit_tree::Game;

namespace {

template <class G>
G make(const std::string& preset = "", const Fields& given = {}) {
  return G(resolve_parameters(G::parameters(), G::presets(), preset, given));
}

template <class G>
Solution solved(const G& game, Grade grade, std::int64_t memory_mb = 64) {
  Stop stop;
  return solve(game, game.root(), grade, stop, memory_mb);
}

explicit_tree::Node mover(int player) { return {player, {}, {}, {}}; }

// Black (0): U or D; White (1): L or H; action 0 is U or L.
struct Fixture22 : Tree {
  int after_u, after_d, after_ul;
  Fixture22() : Tree(2, Utility::general) {
    const int root = add(-1, mover(0));
    after_u = add(root, mover(1));
    after_d = add(root, mover(1));
    after_ul = add(after_u, mover(0));
    leaf(after_u, {3, 0});
    leaf(after_ul, {1, 3});
    leaf(after_ul, {2, 1});
    leaf(after_d, {0, 1});
    leaf(after_d, {1, 2});
  }
};

// A tree with different payoffs everywhere, so that there are no ties; chance nodes where asked for.
Tree random_tree(Rng& rng, int players, int depth, bool with_chance = false) {
  Tree tree(players, Utility::general);
  tree.info().chance = with_chance;
  const std::function<void(int, int)> grow = [&](int parent, int left) {
    if (left == 0 || (left < depth && rng.below(5) == 0)) {
      std::vector<double> payoffs;
      for (int p = 0; p < players; ++p) payoffs.push_back(rng.unit());
      tree.leaf(parent, payoffs);
      return;
    }
    const int branches = 2 + static_cast<int>(rng.below(2));
    explicit_tree::Node node = mover(static_cast<int>(rng.below(static_cast<std::uint32_t>(players))));
    if (with_chance && rng.below(3) == 0) {
      node.player = kChance;
      node.probabilities.assign(static_cast<std::size_t>(branches), 1.0 / branches);
    }
    const int me = tree.add(parent, node);
    for (int i = 0; i < branches; ++i) grow(me, left - 1);
  };
  grow(-1, depth);
  return tree;
}

std::vector<int> decision_nodes(const Tree& tree) {
  std::vector<int> nodes;
  for (int i = 0; i < tree.size(); ++i) {
    if (tree.node(i).player >= 0) nodes.push_back(i);
  }
  return nodes;
}

// Where a pure strategy profile (one choice per node) leads from a node.
const std::vector<double>& play(const Tree& tree, const std::map<int, int>& profile, int node) {
  while (tree.node(node).player >= 0) {
    node = tree.node(node).children[static_cast<std::size_t>(profile.at(node))];
  }
  return tree.node(node).payoffs;
}

}  // namespace

TEST_CASE("DL-4: fixture 2.2 has the value (2, 1) and the line U, L, D") {
  const Fixture22 tree;
  const Solution s = solved<Tree>(tree, Grade::strong);
  CHECK(s.value == std::vector<double>{2, 1});
  CHECK(s.line == std::vector<Action>{0, 0, 1});
  CHECK(s.outcome == "player 0 gets 2, player 1 gets 1");
  CHECK(s.positions == 9);
  CHECK(s.lookup(static_cast<std::uint64_t>(tree.after_u))->optimal == std::vector<Action>{0});
  CHECK(s.lookup(static_cast<std::uint64_t>(tree.after_d))->optimal == std::vector<Action>{1});
  CHECK(s.lookup(static_cast<std::uint64_t>(tree.after_d))->value == std::vector<double>{1, 2});
  CHECK(s.lookup(static_cast<std::uint64_t>(tree.after_ul))->optimal == std::vector<Action>{1});
  CHECK_FALSE(s.lookup(std::uint64_t{1000}).has_value());
}

TEST_CASE("DL-4: three-player random trees agree with brute force over all pure strategy profiles") {
  Rng rng(4);
  int checked = 0;
  while (checked < 40) {
    const Tree tree = random_tree(rng, 3, 3);
    const auto nodes = decision_nodes(tree);
    double profiles = 1;
    for (const int n : nodes) profiles *= static_cast<double>(tree.node(n).children.size());
    if (nodes.size() < 3 || profiles > 50'000) continue;
    ++checked;
    // A profile is subgame perfect if nobody gains by changing one choice at one node, in the subgame that starts
    // there.
    std::map<int, int> profile;
    for (const int n : nodes) profile[n] = 0;
    std::set<std::vector<double>> perfect;
    while (true) {
      bool stable = true;
      for (const int n : nodes) {
        const auto p = static_cast<std::size_t>(tree.node(n).player);
        const double now = play(tree, profile, n)[p];
        for (const int child : tree.node(n).children) stable = stable && play(tree, profile, child)[p] <= now;
      }
      if (stable) perfect.insert(play(tree, profile, 0));
      std::size_t i = 0;
      while (i < nodes.size() && ++profile[nodes[i]] == static_cast<int>(tree.node(nodes[i]).children.size())) {
        profile[nodes[i++]] = 0;
      }
      if (i == nodes.size()) break;
    }
    REQUIRE(perfect.size() == 1);
    CHECK(solved(tree, Grade::weak).value == *perfect.begin());
  }
}

TEST_CASE("chance nodes pass the expectation") {
  Rng rng(5);
  for (int i = 0; i < 200; ++i) {
    const Tree tree = random_tree(rng, 2, 5, true);
    const std::function<std::vector<double>(int)> value = [&](int n) {
      const auto& node = tree.node(n);
      if (node.player == kTerminal) return node.payoffs;
      std::vector<double> out(2, 0);
      for (std::size_t c = 0; c < node.children.size(); ++c) {
        const auto v = value(node.children[c]);
        if (node.player == kChance) {
          for (std::size_t p = 0; p < 2; ++p) out[p] += node.probabilities[c] * v[p];
        } else if (c == 0 || v[static_cast<std::size_t>(node.player)] > out[static_cast<std::size_t>(node.player)]) {
          out = v;
        }
      }
      return out;
    };
    const auto expected = value(0);
    const Solution s = solved(tree, Grade::strong);
    for (std::size_t p = 0; p < 2; ++p) CHECK(s.value[p] == doctest::Approx(expected[p]));
  }
}

TEST_CASE("ties: all optimal actions, the first one for the line") {
  Tree tree(2, Utility::general);
  const int root = tree.add(-1, mover(0));
  for (const double other : {5.0, 7.0, 9.0}) tree.leaf(root, {other == 5.0 ? 0.0 : 1.0, other});
  const Solution s = solved(tree, Grade::strong);
  CHECK(s.lookup(tree.root())->optimal == std::vector<Action>{1, 2});
  CHECK(s.line == std::vector<Action>{1});
  CHECK(s.value == std::vector<double>{1, 7});
}

TEST_CASE("DL-5: tic-tac-toe, three grades of solution") {
  const auto game = make<tic_tac_toe::Game>();
  const Solution ultra = solved(game, Grade::ultra_weak);
  CHECK(ultra.outcome == "draw");
  CHECK(ultra.value == std::vector<double>{0, 0});
  CHECK(ultra.line.empty());
  CHECK_FALSE(ultra.lookup(game.root()).has_value());

  const Solution weak = solved(game, Grade::weak);
  auto state = game.root();
  for (const Action a : weak.line) state.apply(a);
  REQUIRE(state.player() == kTerminal);
  double payoffs[2];
  state.returns(payoffs);
  CHECK(payoffs[0] == 0);
  CHECK(weak.line_names.size() == weak.line.size());

  const Solution strong = solved(game, Grade::strong);
  CHECK(strong.positions == 5478);
  // Following any optimal action keeps the value, in every position, whatever the other side does.
  std::set<std::uint64_t> seen;
  const std::function<void(const tic_tac_toe::State&)> walk = [&](const tic_tac_toe::State& s) {
    if (!seen.insert(s.key()).second) return;
    const auto entry = strong.lookup(s);
    REQUIRE(entry.has_value());
    Action actions[9];
    const int n = s.legal(actions);
    if (n == 0) {
      CHECK(entry->optimal.empty());
      return;
    }
    REQUIRE_FALSE(entry->optimal.empty());
    const auto p = static_cast<std::size_t>(s.player());
    for (int i = 0; i < n; ++i) {
      auto next = s;
      next.apply(actions[i]);
      walk(next);
      const bool optimal = std::find(entry->optimal.begin(), entry->optimal.end(), actions[i]) != entry->optimal.end();
      const double value = strong.lookup(next)->value[p];
      CHECK(value <= entry->value[p]);
      CHECK((value == entry->value[p]) == optimal);
    }
  };
  walk(game.root());
  CHECK(seen.size() == 5478);
}

TEST_CASE("nim is lost exactly where the heaps' exclusive or is zero (Bouton 1901)") {
  for (std::int64_t a = 0; a <= 5; ++a) {
    for (std::int64_t b = 0; b <= 5; ++b) {
      for (std::int64_t c = 1; c <= 5; ++c) {
        const auto game = make<nim::Game>("", {{"heaps", std::vector<std::int64_t>{a, b, c}}});
        CHECK(solved(game, Grade::ultra_weak).outcome == ((a ^ b ^ c) == 0 ? "player 1 wins" : "player 0 wins"));
      }
    }
  }
}

TEST_CASE("DL-2: games that backward induction is not made for are refused") {
  CHECK_THROWS_WITH_AS(solved(make<kuhn::Game>(), Grade::weak), doctest::Contains("perfect information"),
                       UnsuitableGame);
  CHECK_THROWS_WITH_AS(solved(make<oware::Game>("abapa"), Grade::weak), doctest::Contains("repeated position"),
                       UnsuitableGame);
  // Thesis oware has no repetition rule, but positions can come back.
  const auto tiny = make<oware::Game>("thesis", {{"seeds", std::int64_t{1}}});
  CHECK_THROWS_WITH_AS(solved(tiny, Grade::weak), doctest::Contains("follow from itself"), UnsuitableGame);
}

TEST_CASE("memory limit and stop token") {
  const auto game = make<nim::Game>("", {{"heaps", std::vector<std::int64_t>{15, 15, 15, 15}}});
  CHECK_THROWS_WITH_AS(solved(game, Grade::strong, 1), doctest::Contains("the limit is 1 MB"), LimitError);
  CHECK_THROWS_AS(solved(game, Grade::strong, 0), ParameterError);
  Stop stop;
  stop.request();
  const Solution s = solve(game, game.root(), Grade::strong, stop);
  CHECK(s.stopped);
  CHECK(s.value.empty());
  CHECK_FALSE(s.lookup(game.root()).has_value());
}

TEST_CASE("a chain of 100000 actions is solved without trouble for the stack") {
  Tree chain(1, Utility::general);
  int last = chain.add(-1, mover(0));
  for (int i = 0; i < 100'000; ++i) last = chain.add(last, mover(0));
  chain.leaf(last, std::vector<double>{3});
  const Solution s = solved(chain, Grade::weak, 256);
  CHECK(s.value == std::vector<double>{3});
  CHECK(s.line.size() == 100'001);
}
