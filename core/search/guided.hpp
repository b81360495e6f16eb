// Tree search guided by an evaluator (guided_tree.hpp): trees grow side by side, and what all of them want to know goes
// to the evaluator in one batch.
//
// A tree asks for `leaves` positions at a time and waits for all of them, so what it finds does not depend on the other
// trees or on the size of the batches.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/stop.hpp"
#include "search/analysis.hpp"
#include "search/budget_share.hpp"
#include "search/guided_tree.hpp"
#include "search/root_summary.hpp"
#include "search/worlds.hpp"

namespace kiebitz::search {

// Refuses what cannot be meant together with an evaluator, and an evaluator made for another game.
template <class Options>
void check_guided_options(const GameInfo& info, const Options& options) {
  check_tree_options(options);
  const Options usual;
  const auto refuse = [](bool given, const char* name) {
    if (given) throw ParameterError(std::string(name) + ": has no meaning with an evaluator");
  };
  refuse(options.formula != usual.formula, "formula");
  refuse(options.scale == Scale::siblings, "scale=siblings");
  const bool playouts = options.values == LeafValues::playout;
  const bool plain = playouts && !options.default_policy;
  refuse(!plain && options.playout_calls != usual.playout_calls, "playout_calls");
  if constexpr (std::is_same_v<Options, UctOptions>) {
    refuse(options.expand != usual.expand, "expand");
    refuse(options.select != usual.select, "select");
    refuse(!plain && options.playout != usual.playout, "playout");
    refuse(options.tree_depth != usual.tree_depth, "tree_depth");
    refuse(options.reuse, "reuse");
    refuse(options.class_share != usual.class_share, "class_share");
    refuse(options.margin != usual.margin, "margin");
  }
  if (options.batch < options.leaves) {
    throw ParameterError("batch: expected at least as many as leaves, " + std::to_string(options.leaves));
  }
  if (options.default_policy && !playouts) {
    throw ParameterError("default_policy: expected values=playout, which it is for");
  }
  if (options.default_policy) options.default_policy->check(info);
  options.evaluator->check(info);
}

// When the time of a search that has begun is up.
inline Stop::Clock::time_point end_of(const Budget& budget, Stop::Clock::time_point begun) {
  if (budget.seconds == 0) return Stop::Clock::time_point::max();
  return begun + std::chrono::duration_cast<Stop::Clock::duration>(std::chrono::duration<double>(budget.seconds));
}

// Plays what waits to the end, all playouts of all trees side by side; `rows` is scratch for the rows of each tree.
template <class Tree>
void play_out(const nets::Evaluator& policy, std::span<const std::pair<Tree*, std::size_t>> trees,
              nets::Positions& positions, nets::Judgements& judged, std::vector<std::size_t>& rows) {
  for (;;) {
    positions.clear();
    rows.clear();
    for (const auto& [tree, row] : trees) {
      rows.push_back(positions.count);
      tree->ask_playouts(positions);
    }
    if (positions.count == 0) return;
    judged.resize(positions);
    policy.judge(positions, judged);
    check_judgements(positions, judged);
    for (std::size_t i = 0; i < trees.size(); ++i) trees[i].first->advance_playouts(positions, judged, rows[i]);
  }
}

// What the evaluator said of the root itself, beside what the search found.
template <class Tree>
void note_opinion(const nets::Evaluator& evaluator, const Tree& tree, Analysis& out) {
  if (evaluator.has_values()) out.prior_value = tree.root_value();
  if (!evaluator.has_policy()) return;
  std::vector<Action> actions;
  for (const ActionValue& action : out.actions) actions.push_back(action.action);
  const auto priors = tree.root_priors(actions);
  for (std::size_t i = 0; i < priors.size(); ++i) out.actions[i].prior = priors[i];
}

// Grows trees until their budgets are used, time is up or a stop is requested; returns whether one was.
template <class Tree>
bool grow(const GameInfo& info, const TreeOptions& options, std::span<Tree* const> trees, Stop::Clock::time_point end,
          Stop& stop) {
  const auto most = static_cast<std::size_t>(options.batch);
  const auto leaves = static_cast<std::size_t>(options.leaves);
  nets::Positions positions(info);
  nets::Judgements judged;
  nets::Positions steps(info);  // of playouts
  nets::Judgements drawn;
  std::vector<std::size_t> rows;
  std::vector<std::pair<Tree*, std::size_t>> asked;  // and the first row of its answers
  std::size_t turn = 0;
  bool begun = false;  // at least one simulation, even when asked to stop at once
  for (;;) {
    positions.clear();
    asked.clear();
    bool busy = false;
    for (std::size_t i = 0; i < trees.size() && positions.count + leaves <= most;
         ++i, turn = (turn + 1) % trees.size()) {
      Tree* const tree = trees[turn];
      if (tree->finished()) continue;
      busy = true;
      asked.emplace_back(tree, positions.count);
      tree->collect(positions, options.leaves);
    }
    if (!busy) return false;
    if (positions.count > 0) {
      judged.resize(positions);
      options.evaluator->judge(positions, judged);
      check_judgements(positions, judged);
    }
    if (options.default_policy) play_out<Tree>(*options.default_policy, asked, steps, drawn, rows);
    for (const auto& [tree, row] : asked) {
      tree->absorb(positions, judged, row);
      begun = begun || tree->counters().iterations > 0;
    }
    const bool asked_to_stop = stop.poll();
    if (!asked_to_stop && Stop::Clock::now() < end) continue;
    if (begun) return asked_to_stop;
    trees = trees.first(1);
    turn = 0;
  }
}

// A search of positions (OneRoot) or views (WorldRoots) with one or more trees whose visits are added up.
template <GameLike G, class Roots, class Options>
class Guided {
 public:
  using State = typename G::State;
  using Tree = GuidedTree<G, Roots>;

  // `game` must outlive the search.
  Guided(const G& game, Options options) : game_(game), options_(std::move(options)) {
    check_guided_options(game.info(), options_);
    const auto bytes = (static_cast<std::uint64_t>(options_.memory_mb) << 20) / streams();
    for (std::size_t s = 0; s < streams(); ++s) trees_.emplace_back(game, options_, bytes);
  }
  Guided(const Guided&) = delete;  // trees refer to the options
  Guided& operator=(const Guided&) = delete;

  // `roots` says where simulations begin, `root` is one of these positions; random numbers by rng(stream).
  template <class RngOf>
  Analysis search(const Roots& roots, const State& root, const char* method, Stop& stop, RngOf rng) {
    const auto begun = Stop::Clock::now();
    std::vector<Tree*> all;
    for (std::size_t s = 0; s < streams(); ++s) {
      auto limits = budget_share<typename Tree::Limits>(options_.budget, streams(), s);
      limits.proofs = true;
      trees_[s].start(roots, rng(s), limits);
      all.push_back(&trees_[s]);
    }
    const bool asked = grow<Tree>(game_.info(), options_, all, end_of(options_.budget, begun), stop);
    Analysis out = summarise_root(game_.info(), trees_, root, options_.final, method);
    note_opinion(*options_.evaluator, trees_.front(), out);
    out.stopped = asked && !std::ranges::all_of(trees_, [](const Tree& tree) { return tree.finished(); });
    out.seconds = std::chrono::duration<double>(Stop::Clock::now() - begun).count();
    return out;
  }

 private:
  std::size_t streams() const { return static_cast<std::size_t>(options_.streams); }

  const G& game_;
  Options options_;
  std::deque<Tree> trees_;
};

// Of a position.
template <GameLike G>
class GuidedUct {
 public:
  GuidedUct(const G& game, const UctOptions& options) : search_(game, options), seed_(options.seed) {}

  // As Uct::search.
  Analysis search(const typename G::State& state, std::span<const std::uint64_t> seen, Stop& stop) {
    if (state.player() == kTerminal) throw Error("uct: the game is over, there is nothing to search");
    if (state.player() == kChance) throw Error("uct: chance moves here; search from a player's decision");
    return search_.search(OneRoot<G>{state, {seen.begin(), seen.end()}}, state, "uct with an evaluator", stop,
                          [this](std::size_t s) { return Rng(seed_, s); });
  }

 private:
  Guided<G, OneRoot<G>, UctOptions> search_;
  std::uint64_t seed_;
};

// Of a view, with one tree for all worlds.
template <HiddenGame G>
class GuidedIsmcts {
 public:
  using Roots = WorldRoots<typename SamplerOf<G>::Type>;

  GuidedIsmcts(const G& game, const IsmctsOptions& options)
      : game_(game), search_(game, options), seed_(options.seed), belief_(belief_index(game.info(), options.belief)) {}

  // As Ismcts::search.
  Analysis search(const typename G::View& view, Stop& stop) {
    if (view.player() != view.observer()) {
      throw IllegalAction("ismcts: player " + std::to_string(view.observer()) + " is not to move");
    }
    Roots roots{SamplerOf<G>::make(game_, view, belief_), view.observer()};
    Rng first = draw_rng(seed_, 0);
    const auto root = roots.draw(first);
    Analysis out = search_.search(roots, root, "ismcts with an evaluator", stop,
                                  [this](std::size_t s) { return search_rng(seed_, s); });
    out.worlds = static_cast<int>(std::min<std::int64_t>(out.iterations, std::numeric_limits<int>::max()));
    return out;
  }

 private:
  const G& game_;
  Guided<G, Roots, IsmctsOptions> search_;
  std::uint64_t seed_;
  int belief_;
};

}  // namespace kiebitz::search
