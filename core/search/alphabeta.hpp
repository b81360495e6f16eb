// Minimax and alpha-beta for two players with opposed interests: one negamax loop whose parts (cut rule, order,
// evaluation, transposition table, null windows, iterative deepening) are options at run time. This file has the root,
// the iterations and the report; the recursion is in negamax.hpp.
//
// The searcher is always MAX: leaves are valued for the player to move at the root. A node returns its value for its
// own mover, so a player may move twice in a row, and an evaluation need not be antisymmetric.
//
// Ties at the root go to the action tried first: the lowest one with Order::index, otherwise the one that the order
// puts first.
//
// What is proven. A value that met no depth limit follows from the rules, and so does one at an end of the payoff range
// that no evaluation can reach. With cuts, most actions only have an upper bound.
//
// All options leave the value that of minimax to the same depth.
//
// Repetition. In games where a repeated position ends the game, a value that rests on a repetition of a position above
// its node is not stored. What remains of the graph-history problem: a stored value, found where no repetition was in
// reach, may be used on a path that has already passed one of the later positions. So with a table such games nearly
// always have the value of minimax, but not always; without a table, and in all other games, they always do.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "search/analysis.hpp"
#include "search/negamax.hpp"
#include "search/negamax_featured.hpp"
#include "search/negamax_plain.hpp"

namespace kiebitz::search {

// The b for which a tree of this depth with b branches at every node has `nodes` nodes: 1 + b + ... + b^depth.
inline double effective_branching(std::int64_t nodes, int depth) {
  if (depth < 1 || nodes <= 1) return 0;
  double low = 0;
  double high = static_cast<double>(nodes);
  for (int step = 0; step < 100; ++step) {
    const double b = (low + high) / 2;
    double sum = 1;
    for (int i = 0; i < depth && sum <= static_cast<double>(nodes); ++i) sum = sum * b + 1;
    (sum > static_cast<double>(nodes) ? high : low) = b;
  }
  return low;
}

template <GameLike G>
class AlphaBeta {
 public:
  using State = typename G::State;
  using Evaluation = typename LeafValue<G>::Evaluation;

  AlphaBeta(const G& game, AlphaBetaOptions options) : game_(&game), negamax_(game, std::move(options)) {
    const GameInfo& info = game.info();
    const char* const name = negamax_.options().cut == Cut::none ? "minimax" : "alpha-beta";
    if (info.players != 2) {
      throw UnsuitableGame(std::string(name) + " is for two players; " + info.name + " has " +
                           std::to_string(info.players));
    }
    if (info.utility != Utility::zero_sum && info.utility != Utility::constant_sum) {
      throw UnsuitableGame(std::string(name) + " needs a zero-sum or constant-sum game; the payoffs of " + info.name +
                           " do not add up to a constant");
    }
  }

  // Replaces the evaluation named in the options. Values must lie in the range of the payoffs.
  void set_evaluation(Evaluation evaluation) { negamax_.leaf().set_function(std::move(evaluation)); }

  // `seen`: keys of the positions before `root` since the last irreversible move (games with repetition only).
  // Returns the best action found, a legal one even if the budget is too small for anything.
  Analysis search(const State& root, std::span<const std::uint64_t> seen, Stop& stop) {
    begin(root, stop);
    const AlphaBetaOptions& options = negamax_.options();
    const int length = game_->info().max_length > 0 ? game_->info().max_length : AlphaBetaOptions::kDeepest;
    const int most = std::min(options.depth > 0 ? options.depth : length, std::min(length, AlphaBetaOptions::kDeepest));
    Analysis out;
    for (int depth = options.deepen ? 1 : most; depth <= most; ++depth) {
      negamax_.reserve(depth);
      const std::int64_t before = negamax_.nodes();
      const bool guessed = options.narrow && options.cut == Cut::equal && found_;
      if (!(guessed ? search_null_windows(root, seen, depth) : search_depth(root, seen, depth, -kInfinity, kInfinity)))
        break;
      const bool whole = !negamax_.met_horizon();
      out.depth = whole ? negamax_.deepest() : depth;
      out.branching = effective_branching(negamax_.nodes() - before, out.depth);
      if (whole || proven()) break;
      if (options.order == Order::full) {
        std::rotate(roots_.begin(), roots_.begin() + best_, roots_.begin() + best_ + 1);
        best_ = 0;
      }
    }
    report(root, seen, out);
    out.stopped = stop.requested() || negamax_.halted();
    return out;
  }

 private:
  static constexpr double kInfinity = Negamax<G>::kInfinity;

  struct RootMove {
    Action action;
    double value = 0;
    Certainty certainty{};
    std::int64_t nodes = 0;
    std::vector<Action> line;
  };

  void begin(const State& root, Stop& stop) {
    player_ = root.player();
    if (player_ == kTerminal) throw IllegalAction("the game is over: there is no action to search for");
    if (player_ == kChance) negamax_.refuse_chance();
    negamax_.begin(player_, stop);
    negamax_.reserve(1);

    std::vector<Action> actions(static_cast<std::size_t>(game_->info().max_legal));
    actions.resize(static_cast<std::size_t>(root.legal(actions.data())));
    roots_.clear();
    for (const Action a : actions) roots_.push_back({.action = a, .line = {}});
    if (negamax_.options().order != Order::index) {
      std::stable_sort(roots_.begin(), roots_.end(), [&](const RootMove& a, const RootMove& b) {
        return MoveOrder::guess(root, a.action) > MoveOrder::guess(root, b.action);
      });
    }
    best_ = 0;
    value_ = 0;
    found_ = false;
  }

  // A value at the end of the payoff range cannot change with more depth, unless it came from an evaluation.
  bool proven() const {
    const auto& leaf = negamax_.leaf();
    return !leaf.extreme() && (value_ >= leaf.high() || value_ <= leaf.low());
  }

  // One iteration with null windows: the root is searched in a window around the value of the last iteration and, if
  // the value lies outside, around the bound that was found (Plaat et al. 1996, MTD(f)). An iteration that changes the
  // best action then need not find out how bad the old one is.
  bool search_null_windows(const State& root, std::span<const std::uint64_t> seen, int depth) {
    constexpr int kSteps = 4;  // evaluations with many values would take many small steps
    double guess = value_;
    double low = -kInfinity;
    double high = kInfinity;
    for (int step = 0;; ++step) {
      // If the bounds contradict each other (see above: repetition), one open window ends it.
      const bool contradiction = low >= high;
      const double alpha = contradiction ? -kInfinity : step < kSteps ? std::max(low, next_down(guess)) : low;
      const double beta = contradiction ? kInfinity : step < kSteps ? std::min(high, next_up(guess)) : high;
      if (!search_depth(root, seen, depth, alpha, beta)) return false;
      if (bound_ <= alpha) {
        high = next_up(bound_);
      } else if (bound_ >= beta) {
        low = next_down(bound_);
      } else {
        return true;
      }
      guess = bound_;
    }
  }
  static double next_up(double x) { return Negamax<G>::next_up(x); }
  static double next_down(double x) { return -Negamax<G>::next_up(-x); }

  // One search to the given depth, in a window; false if it had to stop. Even then the best action so far counts, once
  // the first action (with deepening: the best one of the iteration before) has been searched.
  bool search_depth(const State& root, std::span<const std::uint64_t> seen, int depth, double floor, double ceiling) {
    if (!negamax_.begin_iteration(root, seen)) return false;
    const Cut cut = negamax_.options().cut;
    double best = -kInfinity;
    bound_ = -kInfinity;
    for (std::size_t i = 0; i < roots_.size(); ++i) {
      RootMove& move = roots_[i];
      const double alpha = cut == Cut::none ? -kInfinity : std::max(floor, best);
      const std::int64_t before = negamax_.nodes();
      const double value = negamax_.root_action(root, move.action, depth, alpha, ceiling, i > 0);
      if (negamax_.halted()) return false;
      found_ = true;
      const bool inside = value < ceiling && (value > alpha || (value == alpha && cut == Cut::strict));
      note(root, move, value, inside ? Limit::none : value < ceiling ? Limit::upper : Limit::lower);
      move.nodes = negamax_.nodes() - before;
      bound_ = std::max(bound_, value);
      if (value > best && value > floor) {
        best = value_ = value;
        best_ = static_cast<std::ptrdiff_t>(i);
        move.line.assign(1, move.action);
        move.line.insert(move.line.end(), negamax_.line().rbegin(), negamax_.line().rend());
      }
      if (value >= ceiling) break;
    }
    return true;
  }

  // Writes down what a search found of an action, unless more is known already.
  void note(const State& root, RootMove& move, double value, Limit bound) {
    if (move.certainty.exact()) return;
    const auto& leaf = negamax_.leaf();
    Certainty found{.sound = !negamax_.action_met_horizon(), .bound = bound};
    if (!leaf.extreme() && value >= leaf.high() && bound != Limit::upper) found = {.sound = true};
    if (!leaf.extreme() && value <= leaf.low() && bound != Limit::lower) found = {.sound = true};
    found.sound = found.sound && negamax_.sound(root);
    move.value = value;
    move.certainty = found;
  }

  // What is known of the position: the best action may be proven although others are not.
  Certainty root_certainty(const State& root) const {
    const RootMove& best = roots_[static_cast<std::size_t>(best_)];
    if (!best.certainty.sound || best.certainty.bound == Limit::upper || best.value != value_) return {};
    const auto no_better = [&](const RootMove& m) {
      return m.certainty.sound && m.certainty.bound != Limit::lower && m.value <= value_;
    };
    const bool all =
        value_ >= negamax_.leaf().high() || (best.certainty.exact() && std::ranges::all_of(roots_, no_better));
    return {.sound = negamax_.sound(root), .bound = all ? Limit::none : Limit::lower};
  }

  void report(const State& root, std::span<const std::uint64_t> seen, Analysis& out) {
    out.method = negamax_.options().cut == Cut::none ? "minimax" : "alphabeta";
    out.player = player_;
    RootMove& best = roots_[static_cast<std::size_t>(best_)];
    if (!found_) {
      // Not even one action was finished: take the first one, with the evaluation of the position.
      negamax_.leaf().begin(player_);
      value_ = negamax_.leaf()(root, false);
      best.line = {best.action};
    }
    out.best = best.action;
    out.best_name = root.name(out.best);
    out.value = value_ + 0.0;  // no negative zero
    if (found_) out.certainty = root_certainty(root);
    out.line = best.line;
    if (found_) negamax_.extend_line(root, seen, out.line, out.depth);
    State state = root;
    for (const Action a : out.line) {
      out.line_names.push_back(state.name(a));
      state.apply(a);
    }
    for (const RootMove& move : roots_) {
      ActionValue a;
      a.action = move.action;
      a.name = root.name(move.action);
      a.visits = move.nodes;
      a.value = move.value + 0.0;
      a.certainty = move.certainty;
      out.actions.push_back(std::move(a));
    }
    std::sort(out.actions.begin(), out.actions.end(),
              [](const ActionValue& a, const ActionValue& b) { return a.action < b.action; });
    negamax_.leaf().note_opinion(root, out);
    out.nodes = negamax_.nodes();
    out.leaves = negamax_.leaves();
    out.seconds = negamax_.seconds();
  }

  const G* game_;
  Negamax<G> negamax_;
  int player_ = 0;
  std::vector<RootMove> roots_;
  std::ptrdiff_t best_ = 0;
  double value_ = 0;
  bool found_ = false;
  double bound_ = 0;  // what the last search found: the value inside its window, otherwise a bound
};

}  // namespace kiebitz::search
