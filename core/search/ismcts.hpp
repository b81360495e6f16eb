// Information-set Monte Carlo tree search for any hidden game of the contract: root-parallel trees (ismcts_stream.hpp)
// and their merged result. All worlds share one tree, so a decision is the same in all states that the player cannot
// tell apart. Perfect-information Monte Carlo (pimc.hpp) gets that wrong; see docs/strategy-fusion.md.
//
// Streams are summed in their order: with a budget in iterations or nodes the number of threads does not matter.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <deque>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/stop.hpp"
#include "search/analysis.hpp"
#include "search/ismcts_stream.hpp"
#include "search/schedule.hpp"

namespace kiebitz::search {

// A node of the tree, for tests and drawings.
struct InformationNode {
  int stream = 0;
  int depth = 0;
  Action action = kNoAction;
  int mover = 0;
  std::int64_t visits = 0;
  std::int64_t available = 0;
  std::int64_t parent_visits = 0;
  std::int64_t child_visits = 0;
  std::vector<Action> path;  // from the root, the action that led here included
};

template <HiddenGame G>
class Ismcts {
 public:
  using State = typename G::State;
  using View = typename G::View;
  using Stream = IsmctsStream<G>;

  // `game` must outlive the search.
  Ismcts(const G& game, IsmctsOptions options)
      : game_(game), options_(std::move(options)), belief_(belief_index(game.info(), options_.belief)) {
    check_tree_options(options_);
    if constexpr (NeedsInterpreter<G>) options_.threads = 1;
    const std::uint64_t bytes = (static_cast<std::uint64_t>(options_.memory_mb) << 20) / streams();
    for (std::size_t s = 0; s < streams(); ++s) streams_.emplace_back(game, options_, bytes);
  }
  Ismcts(const Ismcts&) = delete;  // streams refer to the options
  Ismcts& operator=(const Ismcts&) = delete;

  const IsmctsOptions& options() const { return options_; }

  // What the observer of the view should do. Does at least one iteration, even when asked to stop at once.
  Analysis search(const View& view, Stop& stop) {
    const auto begun = Stop::Clock::now();
    if (view.player() != view.observer()) {
      throw IllegalAction("ismcts: player " + std::to_string(view.observer()) + " is not to move");
    }
    auto sampler = SamplerOf<G>::make(game_, view, belief_);
    Rng first = draw_rng(options_.seed, 0);
    const State root = sampler.draw(first);
    if (root.player() != view.observer())
      throw Error(game_.info().name + ": a world in which somebody else is to move");
    for (std::size_t s = 0; s < streams(); ++s) streams_[s].start(sampler, search_rng(options_.seed, s), limits(s));
    const auto advance = [this](int s, std::int64_t count) {
      return streams_[static_cast<std::size_t>(s)].advance(count);
    };
    const bool asked = Schedule(options_.streams, options_.threads, options_.budget.seconds, stop, advance).run();
    Analysis out = summarise(root);
    out.stopped = asked && !std::ranges::all_of(streams_, [](const auto& s) { return s.finished(); });
    out.seconds = std::chrono::duration<double>(Stop::Clock::now() - begun).count();
    return out;
  }

  // Calls visit(const InformationNode&) for every node of every tree, parents before children.
  template <class Visit>
  void walk(Visit&& visit) const {
    for (std::size_t s = 0; s < streams(); ++s) {
      InformationNode node;
      node.stream = static_cast<int>(s);
      if (!streams_[s].nodes().empty()) walk(streams_[s].nodes(), 0, node, visit);
    }
  }

 private:
  std::size_t streams() const { return static_cast<std::size_t>(options_.streams); }

  // The share of a stream: even, the remainder to the first ones.
  typename Stream::Limits limits(std::size_t s) const {
    const auto n = static_cast<std::int64_t>(streams());
    const auto share = [&](std::int64_t all) { return all / n + (static_cast<std::int64_t>(s) < all % n ? 1 : 0); };
    const Budget& budget = options_.budget;
    typename Stream::Limits limits{share(budget.iterations), share(budget.nodes)};
    // A tree can be complete before it reaches its node limit: then iterations end the search.
    if (budget.iterations == 0) limits.iterations = budget.seconds == 0 ? 4 * limits.nodes : Budget::kMost;
    if (budget.nodes > 0 && limits.nodes == 0) limits.iterations = 0;
    return limits;
  }

  Analysis summarise(const State& root) const {
    Analysis out;
    out.method = "ismcts";
    out.player = root.player();
    double depths = 0;
    double depth_squares = 0;
    std::int64_t inner = 0;
    for (const auto& stream : streams_) {
      const auto& counters = stream.counters();
      out.iterations += counters.iterations;
      out.nodes += counters.nodes;
      out.leaves += counters.playouts;
      out.depth = std::max(out.depth, counters.deepest);
      out.memory_full = out.memory_full || stream.full();
      depths += static_cast<double>(counters.depth_sum);
      depth_squares += static_cast<double>(counters.depth_squares);
      inner += counters.inner;
    }
    // Each iteration draws a world.
    out.worlds = static_cast<int>(std::min<std::int64_t>(out.iterations, std::numeric_limits<int>::max()));
    if (out.iterations > 0) {
      const auto n = static_cast<double>(out.iterations);
      out.mean_depth = depths / n;
      out.depth_variance = std::max(0.0, depth_squares / n - out.mean_depth * out.mean_depth);
    }
    if (inner > 0) out.branching = static_cast<double>(out.nodes) / static_cast<double>(inner);
    std::vector<Action> legal(static_cast<std::size_t>(game_.info().max_legal));
    legal.resize(static_cast<std::size_t>(root.legal(legal.data())));
    for (const Action a : legal) out.actions.push_back(action_value(root, a));
    std::size_t best = 0;
    for (std::size_t i = 1; i < legal.size(); ++i) {
      const ActionValue& a = out.actions[i];
      const ActionValue& b = out.actions[best];
      const bool better =
          options_.final == Final::visits ? a.visits > b.visits : a.visits > 0 && (b.visits == 0 || a.value > b.value);
      if (better) best = i;
    }
    out.best = legal[best];
    out.best_name = out.actions[best].name;
    out.value = out.actions[best].value;
    out.line = {out.best};
    out.line_names = {out.best_name};
    return out;
  }

  ActionValue action_value(const State& root, Action a) const {
    const GameInfo& info = game_.info();
    const auto players = static_cast<std::size_t>(info.players);
    ActionValue out;
    out.action = a;
    out.name = root.name(a);
    out.mean.assign(players, 0.0);
    double squares = 0;
    for (const auto& stream : streams_) {
      const std::uint32_t i = stream.child(a);
      if (i == 0) continue;
      out.visits += stream.nodes()[i].visits;
      const double* details = stream.details(i);
      squares += details[0];
      for (std::size_t p = 0; p < players; ++p) out.mean[p] += details[p + 1];
    }
    out.error = (info.max_payoff - info.min_payoff) / 2;  // all that one simulation or none can tell
    if (out.visits == 0) return out;
    const auto n = static_cast<double>(out.visits);
    for (double& mean : out.mean) mean /= n;
    out.value = out.mean[static_cast<std::size_t>(root.player())];
    if (out.visits > 1) out.error = std::sqrt(std::max(0.0, squares / n - out.value * out.value) / (n - 1));
    return out;
  }

  template <class Visit>
  static void walk(const std::vector<typename Stream::Node>& nodes, std::uint32_t at, InformationNode node,
                   Visit& visit) {
    const auto& own = nodes[at];
    node.visits = own.visits;
    node.available = own.available;
    node.action = own.action;
    node.mover = own.mover;
    node.child_visits = 0;
    for (std::uint32_t i = own.first; i != 0; i = nodes[i].next) node.child_visits += nodes[i].visits;
    visit(std::as_const(node));
    node.parent_visits = own.visits;
    ++node.depth;
    for (std::uint32_t i = own.first; i != 0; i = nodes[i].next) {
      node.path.push_back(nodes[i].action);
      walk(nodes, i, node, visit);
      node.path.pop_back();
    }
  }

  const G& game_;
  IsmctsOptions options_;
  int belief_;
  std::deque<Stream> streams_;
};

}  // namespace kiebitz::search
