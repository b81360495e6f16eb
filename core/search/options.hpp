// What goes into a search and what comes out: budgets, options of every algorithm, and the Analysis a person can read.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "base/error.hpp"
#include "base/types.hpp"
#include "games/contract.hpp"
#include "games/known.hpp"

namespace kiebitz::search {

// How much a search may do. Zero means no limit of that kind; at least one limit must be set (an algorithm may bring
// its own, such as a depth).
struct Budget {
  std::int64_t iterations = 0;
  std::int64_t nodes = 0;
  double seconds = 0;

  static constexpr std::int64_t kMost = 10'000'000'000;  // beyond this a budget is a typing error
  static constexpr double kLongest = 7 * 24 * 3600.0;

  bool empty() const { return iterations == 0 && nodes == 0 && seconds == 0; }
  void check() const {
    const auto bad = [](const char* what, const std::string& value, const std::string& high) {
      throw BudgetError(std::string(what) + ": expected 1 to " + high + ", got " + value);
    };
    if (iterations < 0 || iterations > kMost) bad("iterations", std::to_string(iterations), std::to_string(kMost));
    if (nodes < 0 || nodes > kMost) bad("nodes", std::to_string(nodes), std::to_string(kMost));
    if (!(seconds >= 0 && seconds <= kLongest)) {
      throw BudgetError("seconds: expected more than 0 and at most " + std::to_string(static_cast<int>(kLongest)) +
                        ", got " + std::to_string(seconds));
    }
  }
};

template <class Number>
void check_range(const char* name, Number value, std::type_identity_t<Number> low, std::type_identity_t<Number> high) {
  if (value >= low && value <= high) return;
  const auto shown = [](Number x) {
    std::string digits = std::to_string(x);
    if constexpr (std::is_floating_point_v<Number>) {
      if (digits.find('.') != std::string::npos) digits.erase(digits.find_last_not_of('0') + 1);
      if (digits.back() == '.') digits.pop_back();
    }
    return digits;
  };
  throw ParameterError(std::string(name) + ": expected " + shown(low) + " to " + shown(high) + ", got " + shown(value));
}

// What a search says about one action at the root.
struct ActionValue {
  Action action = kNoAction;
  std::string name;
  std::int64_t visits = 0;   // simulations (tree search) or nodes (exact search) below the action
  double value = 0;          // for the player to move, in payoff units
  double error = 0;          // standard error of value; 0 where it is exact or a bound
  bool exact = false;        // value is proven (for the depth searched), not an estimate or a bound
  std::vector<double> mean;  // one entry per player, where the algorithm has vectors
};

struct Analysis {
  std::string method;
  int player = 0;  // who is to move at the root
  Action best = kNoAction;
  std::string best_name;
  double value = 0;  // of the root for `player`
  std::vector<ActionValue> actions;
  std::vector<Action> line;  // principal line from the root
  std::vector<std::string> line_names;
  std::int64_t iterations = 0;
  std::int64_t nodes = 0;   // tree nodes made (UCT) or positions visited (alpha-beta)
  std::int64_t leaves = 0;  // playouts (UCT) or evaluated and terminal positions (alpha-beta)
  int depth = 0;            // deepest node (UCT) or completed depth (alpha-beta)
  double mean_depth =
      0;  // UCT: of the nodes where simulations left the tree, and their variance: how uneven the tree is
  double depth_variance = 0;
  double branching = 0;  // alpha-beta: effective branching factor; searches of a view: children per inner node
  double seconds = 0;
  bool stopped = false;      // ended by the stop token before the budget was used up
  bool memory_full = false;  // the memory limit was reached; the search went on without growing
  // Searches over sampled worlds: how many, and what each action was worth in each of them (worlds x actions, in the
  // order of `actions`; not a number where it was never tried), so that actions can be compared on the same worlds.
  int worlds = 0;
  std::vector<std::vector<double>> world_values;
};

// --- Tree search (uct.hpp)
// ----------------------------------------------------------------------------------------------

// c*sqrt(ln N/n), c*sqrt(2 ln N/n), 2c*sqrt(2 ln N/n); tuned: c*sqrt(ln N/n * min(1/4, variance + sqrt(2 ln N/n)))
enum class Formula { ucb1, ucb1_sqrt2, ucb1_2sqrt2, ucb1_tuned };
enum class Scale { unit, raw, siblings };
enum class Expand { one, all };
enum class Final { visits, value };
enum class Select { ucb, round_robin };  // round_robin: every action of the root in turn (flat Monte Carlo)
// How a leaf gets its payoffs: random actions to the end, the game's evaluation, or the game's rules of thumb with a
// share of random actions (HasThumbPlayOut).
enum class Playout { random, evaluation, thumb };

inline constexpr int kMostSolved = 32;  // actions before the end that an exact search may be asked for

struct UctOptions {
  Budget budget;
  double c = 1.4142135623730951;
  Formula formula = Formula::ucb1;
  Scale scale = Scale::unit;
  Expand expand = Expand::one;
  Final final = Final::visits;
  Select select = Select::ucb;
  Playout playout = Playout::random;
  double noise = 0.1;  // random actions in playouts by thumb
  int tree_depth = 0;  // actions kept in the tree; 0: no limit; 1: flat Monte Carlo
  int streams = 1;     // independent trees (root-parallel); part of what determines the move
  int threads = 1;     // only schedules the streams
  std::uint64_t seed = 0;
  bool reuse = false;  // keep the subtree of what was played
  bool scalar = true;  // one number a node where that suffices, else a payoff for each player; same visits either way
  std::int64_t memory_mb = 1024;
  // For games with declarations (HasCalls); others have none to leave out.
  Calls tree_calls = Calls::all;     // offered below the root
  Calls playout_calls = Calls::all;  // offered in playouts
  // Smallest share of the root's visits for each class of its actions (HasRisk: risky and not), up to one half.
  double class_share = 0;
  // What a risky action (HasRisk) has to be worth more than the best other one, in payoff units, to be chosen.
  double margin = 0;
  // HasSides: so many actions before the end a leaf gets its exact value with open cards instead of a playout.
  int solve_last = 0;
};

// What every tree search refuses: options that cannot be meant.
template <class Options>
void check_tree_options(const Options& options) {
  options.budget.check();
  if (options.budget.empty()) throw BudgetError("expected a budget: iterations, nodes or seconds");
  check_range("c", options.c, 0.0, 1e9);
  check_range("streams", options.streams, 1, 256);
  check_range("threads", options.threads, 1, 64);
  check_range("memory_mb", options.memory_mb, 1, 1 << 20);
  check_range("solve_last", options.solve_last, 0, kMostSolved);
}

// --- Search of a view (pimc.hpp, ismcts.hpp)
// ----------------------------------------------------------------------------

// How the trees of several worlds become one decision (fusion.hpp).
enum class Fusion { average, rank, visits, value };

struct PimcOptions {
  // The search in each world. Iterations and nodes are those of one world; seconds are those of all worlds together.
  UctOptions uct;
  int worlds = 25;
  int threads = 1;  // only share the worlds
  std::uint64_t seed = 0;
  std::string belief;  // one of info().beliefs; "": the first
  Fusion fusion = Fusion::average;
  // What a risky action (HasRisk) has to be better by than the best other one, on the same worlds: a margin in payoff
  // units (`margin` for declarations, `bid_margin` for other risky actions) plus `care` standard errors. All 0: the
  // fusion alone decides.
  double care = 0;
  double margin = 0;
  double bid_margin = 0;
  Calls calls = Calls::all;  // which declarations are considered at all (HasCalls)
  bool bids = true;          // whether other risky actions are
  int exact_last = 0;        // HasSides: so many actions before the end worlds are solved instead of searched
  std::int64_t exact_nodes = 2'000'000;  // most nodes for that in one world; beyond it is searched like the others
};

struct IsmctsOptions {
  Budget budget;
  double c = 1.4142135623730951;
  Formula formula = Formula::ucb1;  // not tuned
  Scale scale = Scale::unit;
  Final final = Final::visits;
  bool availability = true;  // count for each action when it was available; false: visits of the parent, to compare
  int streams = 1;
  int threads = 1;
  std::uint64_t seed = 0;
  std::string belief;
  std::int64_t memory_mb = 1024;
  Calls tree_calls = Calls::all;
  Calls playout_calls = Calls::all;
  int solve_last = 0;
};

// --- Exact depth-limited search (alphabeta.hpp)
// --------------------------------------------------------------------------

enum class Cut { none, strict, equal };  // none: plain minimax
enum class Order { index, game, full };  // action number; the game's static guess; hash move, killers, history on top
enum class Terminals { payoff, evaluation };  // what a finished game is worth inside the search

struct AlphaBetaOptions {
  Budget budget;  // nodes and seconds end an iterative search early
  int depth = 0;  // plies; 0: to the end (or until the budget is used, with deepening)
  Cut cut = Cut::equal;
  Order order = Order::index;
  Terminals terminals = Terminals::payoff;
  std::string evaluation;                 // "" : the game's first, or 0 where it has none; "zero": constant
  bool deepen = false;                    // iterative deepening
  bool narrow = false;                    // null-window search behind the first move (principal variation search)
  std::int64_t table_mb = 0;              // transposition table; 0: none
  std::shared_ptr<const AnyKnown> known;  // positions that need no search, such as an endgame table; null: none

  static constexpr int kDeepest = 2'000;  // the search recurses: this bounds the stack

  void check() const {
    budget.check();
    if (budget.iterations != 0) {
      throw BudgetError("iterations: this search counts nodes or seconds, expected no iterations");
    }
    if (depth < 0 || depth > kDeepest) {
      throw ParameterError("depth: expected 0 (to the end of the game) to " + std::to_string(kDeepest) + ", got " +
                           std::to_string(depth));
    }
  }
};

}  // namespace kiebitz::search
