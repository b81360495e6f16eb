// Perfect-information Monte Carlo, also called determinization: draw worlds from what a player knows, search each as if
// all cards were open (one UCT tree each, or exactly when few actions are left), and fuse the results (fusion.hpp).
//
// The search sees only the view. World w has random numbers of its own and threads only share the worlds, so the result
// does not depend on the number of threads. With a budget in seconds every world gets an even share of the time that is
// left when its search begins; worlds that cannot begin in time do not count.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/stop.hpp"
#include "search/fusion.hpp"
#include "search/guided.hpp"
#include "search/open_hand.hpp"
#include "search/uct.hpp"
#include "search/workers.hpp"
#include "search/worlds.hpp"

namespace kiebitz::search {

// Refuses options that cannot be meant.
inline void check_pimc_options(const PimcOptions& options) {
  check_options(options);
  if (options.uct.streams != 1 || options.uct.threads != 1) {
    throw ParameterError("pimc: expected one stream and one thread in each world; worlds are what threads share");
  }
  if (options.uct.reuse) throw ParameterError("pimc: reuse has no meaning where every search draws new worlds");
  if (options.uct.margin != 0) throw ParameterError("pimc: expected the margin outside, on all worlds together");
  if (options.uct.final != Final::visits) throw ParameterError("pimc: final is decided by the fusion of all worlds");
}

template <HiddenGame G>
class Pimc {
 public:
  using State = typename G::State;
  using View = typename G::View;

  // `game` must outlive the search.
  Pimc(const G& game, PimcOptions options)
      : game_(game), options_(std::move(options)), belief_(belief_index(game.info(), options_.belief)) {
    check_pimc_options(options_);
    if (options_.uct.evaluator) check_guided_options(game.info(), options_.uct);
    check_uct_options(game.info(), options_.uct, HasEvaluation<State> && !game.info().evaluations.empty(),
                      HasThumbPlayOut<State>);
    if constexpr (NeedsInterpreter<G>) options_.threads = 1;
  }
  Pimc(const Pimc&) = delete;  // workers refer to the options
  Pimc& operator=(const Pimc&) = delete;

  const PimcOptions& options() const { return options_; }

  // What the observer of the view should do. Searches at least one world, even when asked to stop at once.
  Analysis search(const View& view, Stop& stop) {
    return decide(view, draw_worlds(game_, view, belief_, options_.seed, worlds()), {}, stop);
  }

  // The same with worlds from elsewhere (a learned belief), and their weights if they are not equally likely.
  Analysis search_worlds(const View& view, std::vector<State> worlds, std::vector<double> weights, Stop& stop) {
    for (const State& world : worlds) {
      if (!(world.view(view.observer()) == view)) throw ParameterError("worlds: expected worlds that the view allows");
    }
    return decide_weighted(view, std::move(worlds), std::move(weights), stop);
  }

  // The same with hands from elsewhere: a row of owners for each world.
  Analysis search_hands(const View& view, std::span<const std::int8_t> owners, std::vector<double> weights, Stop& stop)
    requires HasHands<G>
  {
    return decide_weighted(view, worlds_of(game_, view, owners, options_.seed), std::move(weights), stop);
  }

  // Unfair, for comparison with programs that were: worlds are drawn from the view of the player to move, but all
  // players keep their true sides.
  Analysis search_leaky(const State& truth, Stop& stop) {
    if constexpr (HasLeak<State>) {
      if (truth.player() < 0) throw Error("pimc: nobody is to move here");
      const View view = truth.view(truth.player());
      std::vector<State> drawn = draw_worlds(game_, view, belief_, options_.seed, worlds());
      for (State& world : drawn) world.take_sides(truth);
      return decide(view, std::move(drawn), {}, stop);
    } else {
      (void)truth;
      (void)stop;
      throw UnsuitableGame(game_.info().name + " has no hidden sides that a search could know");
    }
  }

 private:
  using Clock = Stop::Clock;
  using Stream = UctStream<G>;

  Analysis decide_weighted(const View& view, std::vector<State> worlds, std::vector<double> weights, Stop& stop) {
    if (worlds.empty()) throw ParameterError("worlds: expected at least one");
    if (!weights.empty() && weights.size() != worlds.size()) {
      throw ParameterError("weights: expected one for each of the " + std::to_string(worlds.size()) + " worlds, got " +
                           std::to_string(weights.size()));
    }
    double sum = 0;
    for (const double weight : weights) {
      if (!(weight >= 0) || !std::isfinite(weight)) throw ParameterError("weights: expected numbers from 0 up");
      sum += weight;
    }
    if (!weights.empty() && !(sum > 0)) throw ParameterError("weights: expected one that is more than 0");
    return decide(view, std::move(worlds), std::move(weights), stop);
  }

  // The memory of one thread: a tree that is reused for every world.
  struct Worker {
    Stream stream;
    typename Playouts<G>::Exact solver;
  };

  // The result of one world.
  struct World {
    bool done = false;
    bool exact = false;
    bool memory_full = false;
    typename Stream::Counters counters;
    std::vector<std::int64_t> visits;  // by action
    std::vector<double> values;
    std::vector<double> means;  // actions x players
  };

  std::size_t worlds() const { return static_cast<std::size_t>(options_.worlds); }

  Analysis decide(const View& view, std::vector<State> worlds, std::vector<double> weights, Stop& stop) {
    const auto begun = Clock::now();
    const std::vector<Action> legal = common_actions(view, worlds);
    std::vector<bool> risky(legal.size(), false);
    if constexpr (HasRisk<State>) {
      for (std::size_t a = 0; a < legal.size(); ++a) risky[a] = worlds.front().risky(legal[a]);
      // Somebody who has to take a risk cannot avoid it.
      if (std::ranges::find(risky, false) == risky.end()) risky.assign(legal.size(), false);
    }
    Analysis out;
    out.player = view.observer();
    if (options_.calls != Calls::all && !offered(worlds.front(), legal, options_.calls)) {
      out.method = "pimc, declined without a search";
      const auto safe = std::ranges::find(risky, false);
      describe(worlds.front(), legal, static_cast<std::size_t>(safe - risky.begin()), out);
      return out;
    }

    std::vector<World> found(worlds.size());
    for (World& world : found) {
      world.visits.assign(legal.size(), 0);
      world.values.assign(legal.size(), std::numeric_limits<double>::quiet_NaN());
      world.means.assign(legal.size() * players(), 0.0);
    }
    Analysis opinion;
    if (options_.uct.evaluator) {
      opinion = search_together(worlds, legal, found, end_of(options_.uct.budget, begun), stop);
    } else {
      search_each(worlds, legal, found, begun, stop);
    }

    out.stopped = stop.requested() && !std::ranges::all_of(found, [&](const World& world) {
                    return world.done && (world.exact || complete(world));
                  });
    summarise(worlds.front(), legal, found, weights, risky, out);
    out.prior_value = opinion.prior_value;
    for (std::size_t a = 0; a < opinion.actions.size(); ++a) out.actions[a].prior = opinion.actions[a].prior;
    out.seconds = std::chrono::duration<double>(Clock::now() - begun).count();
    return out;
  }

  // One world after the other in each thread.
  void search_each(const std::vector<State>& worlds, const std::vector<Action>& legal, std::vector<World>& found,
                   Clock::time_point begun, Stop& stop) {
    const int threads = std::min(options_.threads, static_cast<int>(worlds.size()));
    while (static_cast<int>(workers_.size()) < threads) {
      const std::uint64_t bytes = static_cast<std::uint64_t>(options_.uct.memory_mb) << 20;
      workers_.emplace_back(Stream(game_, options_.uct, bytes), typename Playouts<G>::Exact{});
    }
    const double seconds = options_.uct.budget.seconds;
    const auto end =
        seconds > 0 ? begun + std::chrono::duration_cast<Clock::duration>(Seconds(seconds)) : Clock::time_point::max();
    const auto jobs = static_cast<int>(worlds.size());
    share_jobs(jobs, threads, stop, [&](int worker, int job) {
      const auto w = static_cast<std::size_t>(job);
      const auto now = Clock::now();
      if (job > 0 && now >= end) return;
      // The number of worlds left for this thread, this one included.
      const int rounds = (jobs - job + threads - 1) / threads;
      const auto until = end == Clock::time_point::max() ? end : now + (end - now) / rounds;
      run_world(workers_[static_cast<std::size_t>(worker)], worlds[w], legal, search_rng(options_.seed, w), found[w],
                [&] { return should_stop(stop, worker) || Clock::now() >= until; });
    });
  }

  // All worlds side by side, for an evaluator that judges positions of all of them together. Returns what the evaluator
  // said of the root.
  Analysis search_together(const std::vector<State>& worlds, const std::vector<Action>& legal,
                           std::vector<World>& found, Clock::time_point end, Stop& stop) {
    using Tree = GuidedTree<G, OneRoot<G>>;
    std::deque<Tree> trees;
    std::vector<Tree*> growing;
    std::vector<World*> theirs;
    const auto bytes = (static_cast<std::uint64_t>(options_.uct.memory_mb) << 20) / worlds.size();
    typename Playouts<G>::Exact solver{};
    for (std::size_t w = 0; w < worlds.size(); ++w) {
      if (w > 0 && Clock::now() >= end) break;
      if (solve(solver, worlds[w], legal, found[w], [&] { return stop.poll() || Clock::now() >= end; })) continue;
      Tree& tree = trees.emplace_back(game_, options_.uct, bytes);
      const auto [iterations, nodes] = limits();
      tree.start({worlds[w], {}}, search_rng(options_.seed, w), {iterations, nodes});
      growing.push_back(&tree);
      theirs.push_back(&found[w]);
    }
    grow<Tree>(game_.info(), options_.uct, growing, end, stop);
    for (std::size_t t = 0; t < trees.size(); ++t) {
      const Tree& tree = trees[t];
      World& out = *theirs[t];
      for (std::size_t a = 0; a < legal.size(); ++a) {
        const std::uint32_t i = tree.child(legal[a]);
        if (i == 0) continue;
        out.visits[a] = tree.nodes()[i].visits;
        out.values[a] = tree.nodes()[i].total / static_cast<double>(out.visits[a]);
        for (std::size_t p = 0; p < players(); ++p) {
          out.means[a * players() + p] = tree.details(i)[p + 1] / static_cast<double>(out.visits[a]);
        }
      }
      const auto& counters = tree.counters();
      out.counters = {counters.iterations, counters.nodes,         counters.inner,  counters.playouts,
                      counters.depth_sum,  counters.depth_squares, counters.deepest};
      out.memory_full = tree.full();
      out.done = counters.iterations > 0;
    }
    Analysis opinion;
    describe(worlds.front(), legal, 0, opinion);
    if (!trees.empty()) note_opinion(*options_.uct.evaluator, trees.front(), opinion);
    return opinion;
  }

  // The actions of the root: the same in every world that the view allows.
  std::vector<Action> common_actions(const View& view, const std::vector<State>& worlds) const {
    if (view.player() != view.observer()) {
      throw IllegalAction("pimc: player " + std::to_string(view.observer()) + " is not to move");
    }
    std::vector<Action> first(static_cast<std::size_t>(game_.info().max_legal));
    std::vector<Action> other(first.size());
    for (std::size_t w = 0; w < worlds.size(); ++w) {
      if (worlds[w].player() != view.observer()) {
        throw ParameterError("worlds: expected player " + std::to_string(view.observer()) + " to move in each");
      }
      auto& actions = w == 0 ? first : other;
      actions.resize(static_cast<std::size_t>(game_.info().max_legal));
      actions.resize(static_cast<std::size_t>(worlds[w].legal(actions.data())));
      if (w > 0 && other != first) throw ParameterError("worlds: expected the same legal actions in each");
    }
    return first;
  }

  // Whether this is still a decision when only these announcements are offered.
  bool offered(const State& world, const std::vector<Action>& legal, Calls calls) const {
    if constexpr (HasCalls<State> && HasRisk<State>) {
      State next = world;
      next.restrict_calls(calls);
      if (next.player() != world.player()) return false;
      std::vector<Action> left(static_cast<std::size_t>(game_.info().max_legal));
      left.resize(static_cast<std::size_t>(next.legal(left.data())));
      return std::ranges::includes(legal, left);
    } else {
      (void)world;
      (void)legal;
      (void)calls;
      return true;
    }
  }

  template <class Stopped>
  void run_world(Worker& worker, const State& root, const std::vector<Action>& legal, Rng rng, World& out,
                 Stopped stopped) {
    if (solve(worker.solver, root, legal, out, stopped)) return;
    Stream& stream = worker.stream;
    stream.clear();
    stream.start(root, {}, rng, limits());
    std::int64_t count = 1;
    auto last = Clock::now();
    while (stream.advance(count) && !stopped()) {
      const auto now = Clock::now();
      count = now - last < kCheckInterval ? std::min(2 * count, kMostAtOnce) : std::max<std::int64_t>(count / 2, 1);
      last = now;
    }
    const NodePool& tree = stream.tree();
    for (std::size_t a = 0; a < legal.size(); ++a) {
      const std::uint32_t i = stream.child(0, legal[a]);
      if (i == 0) continue;
      const Node& node = tree.node(i);
      const auto n = static_cast<double>(node.visits);
      out.visits[a] = node.visits;
      out.values[a] = node.total / n;
      for (std::size_t p = 0; p < players(); ++p) {
        double& mean = out.means[a * players() + p];
        if (tree.has_vectors()) {
          mean = tree.totals(i)[p] / n;
        } else {
          mean = static_cast<int>(p) == root.player() ? out.values[a] : game_.info().payoff_sum - out.values[a];
        }
      }
    }
    out.counters = stream.counters();
    out.memory_full = tree.full();
    out.done = true;
  }

  // The exact value of every action, if the end is near enough and the limits allow it.
  template <class Stopped>
  bool solve(typename Playouts<G>::Exact& exact, const State& root, const std::vector<Action>& legal, World& out,
             Stopped stopped) {
    if constexpr (HasSides<State>) {
      if (options_.exact_last == 0 || root.left() > options_.exact_last || !root.settled()) return false;
      if (!exact) exact.emplace(game_);
      OpenHand<G>& solver = *exact;
      solver.reset();
      if (!solver.values(root, legal, options_.exact_nodes, stopped, out.values.data(), out.visits.data())) {
        out.values.assign(legal.size(), std::numeric_limits<double>::quiet_NaN());
        out.visits.assign(legal.size(), 0);
        return false;
      }
      for (std::size_t a = 0; a < legal.size(); ++a) {
        out.visits[a] = std::max<std::int64_t>(out.visits[a], 1);
        out.counters.nodes += out.visits[a];
        for (std::size_t p = 0; p < players(); ++p) {
          out.means[a * players() + p] = out.values[a] * solver.ratio(static_cast<int>(p), root.player());
        }
      }
      out.exact = out.done = true;
      return true;
    } else {
      (void)exact;
      (void)root;
      (void)legal;
      (void)out;
      (void)stopped;
      return false;
    }
  }

  typename Stream::Limits limits() const {
    const Budget& budget = options_.uct.budget;
    // A tree can be complete before it reaches its node limit: then simulations end the search.
    const std::int64_t most = budget.seconds == 0 ? 4 * budget.nodes : Budget::kMost;
    return {budget.iterations > 0 ? budget.iterations : most, budget.nodes};
  }
  bool complete(const World& world) const {
    const auto most = limits();
    return world.counters.iterations >= most.iterations || (most.nodes > 0 && world.counters.nodes >= most.nodes);
  }

  void summarise(const State& root, const std::vector<Action>& legal, const std::vector<World>& found,
                 const std::vector<double>& weights, const std::vector<bool>& risky, Analysis& out) const {
    std::vector<std::size_t> done;
    for (std::size_t w = 0; w < found.size(); ++w) {
      if (found[w].done && (weights.empty() || weights[w] > 0)) done.push_back(w);
    }
    // At least one world was searched; if none of these has a weight, all of them count alike.
    const bool alike = weights.empty() || done.empty();
    for (std::size_t w = 0; w < found.size() && alike && !weights.empty(); ++w) {
      if (found[w].done) done.push_back(w);
    }
    WorldTable table(done.size(), legal.size());
    bool exact = false;
    double depths = 0;
    double depth_squares = 0;
    std::int64_t inner = 0;
    for (std::size_t row = 0; row < done.size(); ++row) {
      const World& world = found[done[row]];
      std::ranges::copy(world.visits, table.visits.begin() + static_cast<std::ptrdiff_t>(row * legal.size()));
      std::ranges::copy(world.values, table.values.begin() + static_cast<std::ptrdiff_t>(row * legal.size()));
      table.weights[row] = alike ? 1 : weights[done[row]];
      out.world_values.push_back(world.values);
      exact = exact || world.exact;
      const auto& counters = world.counters;
      out.iterations += counters.iterations;
      out.nodes += counters.nodes;
      out.leaves += counters.playouts;
      out.depth = std::max(out.depth, counters.deepest);
      out.memory_full = out.memory_full || world.memory_full;
      depths += static_cast<double>(counters.depth_sum);
      depth_squares += static_cast<double>(counters.depth_squares);
      inner += counters.inner;
    }
    out.worlds = static_cast<int>(done.size());
    if (out.iterations > 0) {
      const auto n = static_cast<double>(out.iterations);
      out.mean_depth = depths / n;
      out.depth_variance = std::max(0.0, depth_squares / n - out.mean_depth * out.mean_depth);
    }
    if (inner > 0) out.branching = static_cast<double>(out.nodes) / static_cast<double>(inner);
    // Exact values have no noise, so their mean decides.
    const Fusion fusion = exact ? Fusion::value : options_.fusion;
    out.method = "pimc, " + std::to_string(out.worlds) + " sampled worlds";
    describe(root, legal, choose(root, legal, table, fusion, risky), out);
    for (std::size_t a = 0; a < legal.size(); ++a) {
      ActionValue& value = out.actions[a];
      for (std::size_t w = 0; w < table.worlds; ++w) value.visits += table.visits_at(w, a);
      const Estimate found_value = action_estimate(table, a);
      if (found_value.count == 0) continue;
      value.value = found_value.mean;
      if (found_value.count > 1) value.error = found_value.error;
      for (std::size_t p = 0; p < players(); ++p) {
        value.mean[p] = estimate(table.weights, [&](std::size_t w) {
                          return table.tried(w, a) ? found[done[w]].means[a * players() + p] : table.value(w, a);
                        }).mean;
      }
    }
    for (const ActionValue& value : out.actions) {
      if (value.action == out.best) out.value = value.value;
    }
  }

  std::size_t choose(const State& root, const std::vector<Action>& legal, const WorldTable& table, Fusion fusion,
                     const std::vector<bool>& risky) const {
    const bool bid = std::ranges::find(risky, true) != risky.end() && offered(root, legal, Calls::none);
    if (bid && !options_.bids) {
      return best_action(table, fusion_scores(table, fusion), [&](std::size_t a) { return !risky[a]; });
    }
    return careful_choice(table, fusion, risky, options_.care, bid ? options_.bid_margin : options_.margin);
  }

  // Names the actions and the choice, without any values yet.
  void describe(const State& root, const std::vector<Action>& legal, std::size_t best, Analysis& out) const {
    const GameInfo& info = game_.info();
    for (const Action a : legal) {
      ActionValue value;
      value.action = a;
      value.name = root.name(a);
      value.error = (info.max_payoff - info.min_payoff) / 2;  // all that one world or none can tell
      value.mean.assign(players(), 0.0);
      out.actions.push_back(std::move(value));
    }
    out.best = legal[best];
    out.best_name = out.actions[best].name;
    out.line = {out.best};
    out.line_names = {out.best_name};
  }

  std::size_t players() const { return static_cast<std::size_t>(game_.info().players); }

  using Seconds = std::chrono::duration<double>;
  static constexpr std::int64_t kMostAtOnce = 512;                        // simulations between two checks of the clock
  static constexpr auto kCheckInterval = std::chrono::microseconds(500);  // target time between them

  const G& game_;
  PimcOptions options_;
  int belief_;
  std::deque<Worker> workers_;
};

}  // namespace kiebitz::search
