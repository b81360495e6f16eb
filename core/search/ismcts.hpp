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
#include "search/budget_share.hpp"
#include "search/ismcts_stream.hpp"
#include "search/root_summary.hpp"
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
    for (std::size_t s = 0; s < streams(); ++s)
      streams_[s].start(sampler, search_rng(options_.seed, s),
                        budget_share<typename Stream::Limits>(options_.budget, streams(), s));
    const auto advance = [this](int s, std::int64_t count) {
      return streams_[static_cast<std::size_t>(s)].advance(count);
    };
    const bool asked = Schedule(options_.streams, options_.threads, options_.budget.seconds, stop, advance).run();
    Analysis out = summarise_root(game_.info(), streams_, root, options_.final, "ismcts");
    // Each iteration draws a world.
    out.worlds = static_cast<int>(std::min<std::int64_t>(out.iterations, std::numeric_limits<int>::max()));
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
