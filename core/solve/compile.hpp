// Turns a game into flat arrays (compiled.hpp) by walking its tree once, depth first.
//
// Views tell information sets apart. In games of perfect information every node is a set of its own. If different
// choices of a player lead to the same set, the player has forgotten something: such a game is refused, because no
// promise of the solvers would hold.
//
// Games that are much too large are refused at once, by a few random walks (Knuth, "Estimating the efficiency of
// backtrack programs", 1975): the product of the numbers of moves on a walk is the number of nodes at its depth on
// average. A walk exceeds the true size by a factor of 1,000 with a probability of at most 1/1,000, so at least eight
// of 16 do so with a probability below 10^-19.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/rng.hpp"
#include "base/stop.hpp"
#include "games/path.hpp"
#include "games/view_hash.hpp"
#include "search/key_index.hpp"
#include "solve/compiled.hpp"

namespace kiebitz::solve {

struct CompileLimits {
  std::int64_t nodes = 50'000'000;  // LimitError beyond
  std::int64_t memory_mb = 6'000;   // of the finished arrays, approximately
};

template <GameLike G>
class Compiler {
 public:
  using State = typename G::State;

  Compiler(const G& game, CompileLimits limits, Stop& stop)
      : info_(game.info()), limits_(limits), stop_(stop), root_(game.root()) {
    if (limits.nodes < 1 || limits.nodes > kMostNodes) {
      throw ParameterError("nodes: expected 1 to " + std::to_string(kMostNodes) + ", got " +
                           std::to_string(limits.nodes));
    }
    if (limits.memory_mb < 1) {
      throw ParameterError("memory_mb: expected at least 1, got " + std::to_string(limits.memory_mb));
    }
    width_ = static_cast<std::size_t>(std::max(info_.max_legal, 1));
    actions_.resize(width_);
  }

  Compiled run() {
    refuse_giants();
    out_.players = info_.players;
    out_.sides.resize(players());
    for (Side& side : out_.sides) side.actions.push_back(kNoAction);
    sequence_.assign(players(), 0);
    index_.resize(players());
    reached_.resize(players());
    path_.reset(root_, {});
    out_.nodes.push_back({});
    visit(root_, 0, 1.0);
    for (int p = 0; p < info_.players; ++p) sum_ends(p);
    out_.nodes.shrink_to_fit();
    out_.payoffs.shrink_to_fit();
    return std::move(out_);
  }

 private:
  static constexpr int kDeepest = 2'000;  // bounds the stack
  static constexpr std::int64_t kMostNodes = 4'000'000'000;
  static constexpr std::int64_t kInterval = NeedsInterpreter<G> ? 16 : 4096;

  std::size_t players() const { return static_cast<std::size_t>(info_.players); }
  Side& side(int player) { return out_.sides[static_cast<std::size_t>(player)]; }

  // Refuses a game if half of the random walks say that it is too large by far.
  void refuse_giants() {
    constexpr double kFactor = 1000;
    Rng rng(1);
    std::array<double, 16> sizes;
    for (double& size : sizes) size = walk_size(rng);
    const auto middle = sizes.begin() + sizes.size() / 2;
    std::ranges::nth_element(sizes, middle);
    if (*middle <= kFactor * static_cast<double>(limits_.nodes)) return;
    throw LimitError(info_.name + ": too large to compile: about 10^" +
                     std::to_string(static_cast<int>(std::log10(*middle))) + " nodes or more, expected at most " +
                     std::to_string(limits_.nodes));
  }

  // The product of the numbers of moves on a random walk to an end.
  double walk_size(Rng& rng) {
    double size = 1;
    State state = root_;
    path_.reset(root_, {});
    std::vector<Outcome> outcomes(width_);
    for (int depth = 0; depth < kDeepest && state.player() != kTerminal && size < 1e300; ++depth) {
      const bool chance = state.player() == kChance;
      const int count = chance ? state.outcomes(outcomes.data()) : state.legal(actions_.data());
      const auto i = static_cast<std::size_t>(rng.below(static_cast<std::uint32_t>(count)));
      path_.apply(state, chance ? outcomes[i].action : actions_[i]);
      size *= count;
    }
    return size;
  }

  void visit(const State& state, std::uint32_t number, double chance) {
    const int player = state.player();
    if (++visited_ % kInterval == 0) check_limits();
    if (player == kTerminal) return visit_end(state, number, chance);
    if (depth_ >= kDeepest) throw LimitError("depth: games of more than " + std::to_string(kDeepest) + " actions");
    if (player == kChance) return visit_chance(state, number, chance);

    ++out_.decision;
    const auto count = static_cast<std::uint32_t>(state.legal(actions_.data()));
    const std::uint32_t set = set_of(state, player, number, {actions_.data(), count});
    const auto children = add_children(number, {player, set, 0, count});
    Sequence& sequence = sequence_[static_cast<std::size_t>(player)];
    const Sequence before = sequence;
    const Sequence first = side(player).sets[set].first;
    for (std::uint32_t i = 0; i < count; ++i) {
      sequence = first + i;
      visit_child(state, side(player).actions[first + i], children + i, chance);
    }
    sequence = before;
  }

  void visit_chance(const State& state, std::uint32_t number, double chance) {
    ++out_.chance;
    const auto first = static_cast<std::uint32_t>(out_.outcomes.size());
    out_.outcomes.resize(first + width_);
    const auto count = static_cast<std::uint32_t>(state.outcomes(out_.outcomes.data() + first));
    out_.outcomes.resize(first + count);
    const auto children = add_children(number, {kChance, first, 0, count});
    for (std::uint32_t i = 0; i < count; ++i) {
      const Outcome outcome = out_.outcomes[first + i];
      visit_child(state, outcome.action, children + i, chance * outcome.probability);
    }
  }

  void visit_child(const State& state, Action a, std::uint32_t child, double chance) {
    State next = state;
    const auto mark = path_.mark();
    path_.apply(next, a);
    ++depth_;
    visit(next, child, chance);
    --depth_;
    path_.rewind(mark);
  }

  void visit_end(const State& state, std::uint32_t number, double chance) {
    ++out_.terminal;
    out_.depth = std::max(out_.depth, depth_);
    Payoffs payoffs;
    state.returns(payoffs.data());
    out_.nodes[number] = {kTerminal, static_cast<std::uint32_t>(chances_.size()), 0, 0};
    out_.payoffs.insert(out_.payoffs.end(), payoffs.begin(), payoffs.begin() + info_.players);
    chances_.push_back(chance);
    for (const Sequence s : sequence_) ends_.push_back(s);
  }

  // Writes a node and makes room for its children; returns the first of them.
  std::uint32_t add_children(std::uint32_t number, Node node) {
    const std::size_t first = out_.nodes.size();
    if (static_cast<std::int64_t>(first + node.count) > limits_.nodes) too_large("nodes", limits_.nodes);
    node.child = static_cast<std::uint32_t>(first);
    out_.nodes.resize(first + node.count);
    out_.nodes[number] = node;
    return node.child;
  }

  void check_limits() {
    if (stop_.poll()) throw LimitError(info_.name + ": stopped before the game was compiled");
    // Nodes, ends with their matrices, and what is needed only on the way.
    const std::size_t end = 8 * players() + 8 + 8 * players() + 12 * players() * players();
    std::size_t bytes = out_.nodes.capacity() * sizeof(Node) + chances_.capacity() * end;
    for (const auto& views : reached_) bytes += views.capacity() * sizeof(views[0]);
    if (static_cast<std::int64_t>(bytes >> 20) > limits_.memory_mb) too_large("memory_mb", limits_.memory_mb);
  }

  [[noreturn]] void too_large(const char* what, std::int64_t limit) const {
    std::size_t sets = 0;
    for (const Side& s : out_.sides) sets += s.sets.size();
    throw LimitError(info_.name + ": too large to compile: after " + std::to_string(out_.nodes.size()) + " nodes and " +
                     std::to_string(sets) + " information sets the limit of " + what + "=" + std::to_string(limit) +
                     " is reached");
  }

  // The information set of the player to move.
  std::uint32_t set_of(const State& state, int player, std::uint32_t node, std::span<const Action> actions) {
    if constexpr (HiddenGame<G>) {
      // A game written in Python always has views; if nothing is hidden, each node is still a set of its own.
      if (info_.hidden) return set_of_view(state.view(player), player, node, actions);
    }
    return add_set(player, node, actions);
  }

  template <class View>
  std::uint32_t set_of_view(const View& view, int player, std::uint32_t node, std::span<const Action> actions) {
    const auto p = static_cast<std::size_t>(player);
    std::uint64_t hash = view_hash(view);
    auto [number, fresh] = index_[p].add(hash);
    while (!fresh && !(reached_[p][number] == view)) {  // two views with one hash: rare and harmless
      hash = mix64(hash + 1);
      std::tie(number, fresh) = index_[p].add(hash);
    }
    if (fresh) {
      reached_[p].push_back(view);
      return add_set(player, node, actions);
    }
    const InformationSet& set = side(player).sets[number];
    if (!std::ranges::equal(actions, std::span(side(player).actions).subspan(set.first, set.count))) {
      throw UnsuitableGame(info_.name + ": an information set of player " + std::to_string(player) +
                           " offers different actions in different states: " + excerpt(view.text(), 200));
    }
    if (set.parent != sequence_[p]) {
      throw UnsuitableGame(info_.name + ": imperfect recall: player " + std::to_string(player) +
                           " forgets its own choices on the way to the information set " + excerpt(view.text(), 200));
    }
    return number;
  }

  std::uint32_t add_set(int player, std::uint32_t node, std::span<const Action> actions) {
    Side& s = side(player);
    s.sets.push_back({sequence_[static_cast<std::size_t>(player)], static_cast<Sequence>(s.actions.size()),
                      static_cast<std::uint32_t>(actions.size())});
    s.nodes.push_back(node);
    s.actions.insert(s.actions.end(), actions.begin(), actions.end());
    return static_cast<std::uint32_t>(s.sets.size() - 1);
  }

  // The matrix of a player: ends sorted by the sequences of all players, those with the same sequences added up.
  void sum_ends(int player) {
    const std::size_t n = players();
    const auto p = static_cast<std::size_t>(player);
    const auto own = [&](std::size_t z) { return ends_[z * n + p]; };
    const auto paid = [&](std::size_t z) { return out_.payoffs[z * n + p]; };
    // By sequence of the player, in one pass: in most games few ends follow one sequence.
    std::vector<std::uint32_t> begin(side(player).sequences() + 1);
    for (std::size_t z = 0; z < chances_.size(); ++z) begin[own(z) + 1] += paid(z) != 0;
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<std::uint32_t> order(begin.back());
    std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
    for (std::size_t z = 0; z < chances_.size(); ++z) {
      if (paid(z) != 0) order[next[own(z)]++] = static_cast<std::uint32_t>(z);
    }
    const auto others = [&](std::uint32_t a, std::uint32_t b) {
      return std::lexicographical_compare_three_way(ends_.begin() + a * n, ends_.begin() + (a + 1) * n,
                                                    ends_.begin() + b * n, ends_.begin() + (b + 1) * n);
    };
    Ends& ends = side(player).ends;
    ends.begin.push_back(0);
    for (Sequence row = 0; row + 1 < begin.size(); ++row) {
      const std::span entries(order.data() + begin[row], begin[row + 1] - begin[row]);
      if (entries.empty()) continue;
      std::ranges::stable_sort(entries, [&](std::uint32_t a, std::uint32_t b) { return others(a, b) < 0; });
      for (std::size_t i = 0; i < entries.size(); ++i) {
        const std::size_t z = entries[i];
        const double value = chances_[z] * paid(z);
        if (i > 0 && others(entries[i - 1], entries[i]) == 0) {
          ends.values.back() += value;
          continue;
        }
        ends.values.push_back(value);
        for (std::size_t q = 0; q < n; ++q) {
          if (q != p) ends.others.push_back(ends_[z * n + q]);
        }
      }
      ends.rows.push_back(row);
      ends.begin.push_back(static_cast<std::uint32_t>(ends.values.size()));
    }
  }

  const GameInfo& info_;
  CompileLimits limits_;
  Stop& stop_;
  State root_;
  std::size_t width_;
  Compiled out_;
  Path<State> path_;
  std::int64_t visited_ = 0;
  int depth_ = 0;
  std::vector<Sequence> sequence_;  // of each player, at the current node
  std::vector<Action> actions_;     // scratch
  std::vector<double> chances_;     // of each end
  std::vector<Sequence> ends_;      // players each
  template <class Game>
  struct ViewOf {
    struct Type {};
  };
  template <HiddenGame Game>
  struct ViewOf<Game> {
    using Type = typename Game::View;
  };
  // By player: information sets by hash, and the view of each.
  std::vector<search::KeyIndex> index_;
  std::vector<std::vector<typename ViewOf<G>::Type>> reached_;
};

}  // namespace kiebitz::solve
