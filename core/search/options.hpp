// The options of every search, each declared once: the member that holds it and its description (option.hpp).
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/named_enum.hpp"
#include "games/contract.hpp"
#include "games/known.hpp"
#include "nets/evaluator.hpp"
#include "search/option.hpp"

namespace kiebitz {

constexpr std::string_view enum_text(Calls) { return "all, last, none"; }

}  // namespace kiebitz

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
};

// c*sqrt(ln N/n), c*sqrt(2 ln N/n), 2c*sqrt(2 ln N/n); tuned: c*sqrt(ln N/n * min(1/4, variance + sqrt(2 ln N/n)))
KIEBITZ_NAMED_ENUM(Formula, ucb1, ucb1_sqrt2, ucb1_2sqrt2, ucb1_tuned)
KIEBITZ_NAMED_ENUM(Scale, unit, raw, siblings)
KIEBITZ_NAMED_ENUM(Expand, one, all)
KIEBITZ_NAMED_ENUM(Final, visits, value)
KIEBITZ_NAMED_ENUM(Select, ucb, round_robin)  // round_robin: every action of the root in turn (flat Monte Carlo)
// How a leaf gets its payoffs: random actions to the end, the game's evaluation, or the game's rules of thumb with a
// share of random actions (HasThumbPlayOut).
KIEBITZ_NAMED_ENUM(Playout, random, evaluation, thumb)
// How the trees of several worlds become one decision (fusion.hpp).
KIEBITZ_NAMED_ENUM(Fusion, average, rank, visits, value)
// What a leaf of a tree with an evaluator is worth: what the evaluator says, or a playout.
KIEBITZ_NAMED_ENUM(LeafValues, evaluator, playout)
// How the root of a tree with an evaluator is searched (gumbel.hpp).
KIEBITZ_NAMED_ENUM(Root, puct, gumbel)
KIEBITZ_NAMED_ENUM(Cut, none, strict, equal)  // none: plain minimax
KIEBITZ_NAMED_ENUM(Order, index, game, full)  // action number; the game's static guess; hash move, killers, history
KIEBITZ_NAMED_ENUM(Terminals, payoff, evaluation)  // what a finished game is worth inside the search

// --- Options that several searches have ------------------------------------------------------------------------------

namespace shared {

inline constexpr double kMostSolved = 32;  // actions before the end that an exact search may be asked for
inline constexpr double kMostMegabytes = 1 << 20;
inline constexpr double kMostPayoff = 1e6;

inline constexpr OptionInfo iterations{.name = "iterations",
                                       .help = "simulations per move",
                                       .low = 1,
                                       .high = Budget::kMost,
                                       .most = 200'000,
                                       .budget = true};
inline constexpr OptionInfo nodes{.name = "nodes",
                                  .help = "most nodes in the tree",
                                  .low = 1,
                                  .high = Budget::kMost,
                                  .most = 5'000'000,
                                  .budget = true};
inline constexpr OptionInfo seconds{.name = "seconds",
                                    .help = "time per move (then the move depends on the machine)",
                                    .low = 1e-9,
                                    .high = Budget::kLongest,
                                    .most = 5,
                                    .effect = Effect::impure,
                                    .budget = true};
inline constexpr OptionInfo c{.name = "c", .help = "exploration constant", .high = 1e9};
inline constexpr OptionInfo formula{
    .name = "formula",
    .help = "c*sqrt(ln N/n), c*sqrt(2 ln N/n), 2c*sqrt(2 ln N/n), or with the observed variance (tuned)"};
inline constexpr OptionInfo scale{
    .name = "scale", .help = "payoffs mapped to 0..1 by the game's range, raw, or between worst and best sibling"};
inline constexpr OptionInfo final{.name = "final", .help = "the move played: most visits or best mean"};
inline constexpr OptionInfo streams{
    .name = "streams", .help = "independent trees whose visits are added up", .low = 1, .high = 256, .most = 8};
inline constexpr OptionInfo threads{.name = "threads",
                                    .help = "threads that share the work; does not change the move",
                                    .low = 1,
                                    .high = 64,
                                    .most = 2,
                                    .effect = Effect::speed};
inline constexpr OptionInfo seed{.name = "seed", .help = "random numbers", .in_specs = false};
inline constexpr OptionInfo belief{.name = "belief", .help = "how worlds are drawn: one of the game's beliefs"};
inline constexpr OptionInfo memory_mb{
    .name = "memory_mb", .help = "memory limit in megabytes", .low = 1, .high = kMostMegabytes, .most = 256};
inline constexpr OptionInfo tree_calls{
    .name = "tree_calls",
    .help = "announcements considered below the root: all, those at the last possible moment, or none"};
inline constexpr OptionInfo playout_calls{
    .name = "playout_calls", .help = "announcements made in playouts, likewise; never more than below the root"};
inline constexpr OptionInfo values{.name = "values",
                                   .help = "with an evaluator: what a leaf is worth, by the evaluator or by a playout",
                                   .in_specs = false};
inline constexpr OptionInfo leaves{
    .name = "leaves",
    .help = "with an evaluator: positions of one tree that are judged together (larger is quicker and less careful)",
    .low = 1,
    .high = 1024,
    .most = 64};
inline constexpr OptionInfo batch{.name = "batch",
                                  .help = "with an evaluator: most positions of all trees that are judged together",
                                  .low = 1,
                                  .high = 65536,
                                  .effect = Effect::speed,
                                  .in_specs = false};
inline constexpr OptionInfo solve_last{.name = "solve_last",
                                       .help = "exact values replace playouts this many actions before the end",
                                       .high = kMostSolved,
                                       .most = 16};

}  // namespace shared

// --- Tree search (uct.hpp) -------------------------------------------------------------------------------------------

// What the searches with a Monte Carlo tree have in common.
struct TreeOptions {
  Budget budget;
  double c = 1.4142135623730951;
  Formula formula = Formula::ucb1;
  Scale scale = Scale::unit;
  Final final = Final::visits;
  int streams = 1;  // independent trees (root-parallel); part of what determines the move
  int threads = 1;  // only schedules the streams
  std::uint64_t seed = 0;
  std::int64_t memory_mb = 1024;
  // For games with announcements (HasCalls); others have none to leave out.
  Calls tree_calls = Calls::all;     // offered below the root
  Calls playout_calls = Calls::all;  // offered in playouts
  int solve_last = 0;                // HasSides: leaves this close to the end get their exact value with open cards
  // Judges leaves and says which actions to look at first, instead of playouts; null: none.
  std::shared_ptr<const nets::Evaluator> evaluator;
  LeafValues values = LeafValues::evaluator;
  std::shared_ptr<const nets::Evaluator> default_policy;  // draws the actions of playouts; null: as without evaluators
  int leaves = 4;
  int batch = 64;
};

// What every tree search refuses: options that cannot be meant.
template <class Options>
void check_tree_options(const Options& options) {
  check_options(options);
  if (options.budget.empty()) throw BudgetError("expected a budget: iterations, nodes or seconds");
}

struct UctOptions : TreeOptions {
  static constexpr const char* kName = "uct";

  Expand expand = Expand::one;
  Select select = Select::ucb;
  Playout playout = Playout::random;
  double noise = 0.1;  // random actions in playouts by thumb
  int tree_depth = 0;  // 1: flat Monte Carlo
  bool reuse = false;  // keep the subtree of what was played
  bool scalar = true;  // one number a node where that suffices, else a payoff for each player; same visits either way
  double class_share = 0;  // smallest share of the root's visits for each class of its actions (HasRisk: risky and not)
  double margin = 0;       // in payoff units

  template <class Self, class Visit>
  static void describe(Self& o, Visit&& option) {
    option(o.budget.iterations, shared::iterations);
    option(o.budget.nodes, shared::nodes);
    option(o.budget.seconds, shared::seconds);
    option(o.c, shared::c);
    option(o.formula, shared::formula);
    option(o.scale, shared::scale);
    option(o.expand, {.name = "expand", .help = "new nodes per simulation: one child or all children"});
    option(o.final, shared::final);
    option(o.select, {.name = "select", .help = "the formula, or every root action in turn", .in_specs = false});
    option(o.tree_depth, {.name = "tree_depth", .help = "actions kept in the tree; 0: no limit", .high = 1'000'000});
    option(o.streams, shared::streams);
    option(o.threads, shared::threads);
    option(o.seed, shared::seed);
    option(o.reuse, {.name = "reuse",
                     .help = "keep the subtree of what was played (then the move depends on the game so far)",
                     .most = 0,
                     .effect = Effect::impure});
    option(o.scalar, {.name = "scalar",
                      .help = "one number a node where that suffices",
                      .effect = Effect::speed,
                      .in_specs = false});
    option(o.memory_mb, shared::memory_mb);
    option(o.tree_calls, shared::tree_calls);
    option(o.playout_calls, shared::playout_calls);
    option(o.class_share, {.name = "class_share",
                           .help = "smallest share of the visits for risky actions (bids and announcements that bet on "
                                   "being strong) and for the others",
                           .high = 0.5});
    option(o.margin, {.name = "margin",
                      .help = "how much more a risky action must be worth than the best other one",
                      .high = shared::kMostPayoff});
    option(
        o.playout,
        {.name = "playout",
         .help = "how a leaf is valued: random actions, the game's evaluation, or its rules of thumb with some noise"});
    option(o.noise, {.name = "noise", .help = "share of random actions in playouts by thumb", .high = 1});
    option(o.solve_last, shared::solve_last);
    option(o.values, shared::values);
    option(o.leaves, shared::leaves);
    option(o.batch, shared::batch);
  }
};

// --- Search of a view (pimc.hpp, ismcts.hpp) -------------------------------------------------------------------------

struct PimcOptions {
  static constexpr const char* kName = "pimc";

  // The search in each world. Iterations and nodes are those of one world; seconds are those of all worlds together.
  UctOptions uct;
  int worlds = 25;
  int threads = 1;  // only share the worlds
  std::uint64_t seed = 0;
  std::string belief;  // one of info().beliefs; "": the first
  Fusion fusion = Fusion::average;
  // What a risky action (HasRisk) has to be better by than the best other one, on the same worlds: a margin in payoff
  // units (`margin` for announcements, `bid_margin` for other risky actions) plus `care` standard errors. All 0: the
  // fusion alone decides.
  double care = 0;
  double margin = 0;
  double bid_margin = 0;
  Calls calls = Calls::all;              // HasCalls
  bool bids = true;                      // HasRisk
  int exact_last = 0;                    // HasSides
  std::int64_t exact_nodes = 2'000'000;  // limit of an exact search of one world; beyond it the world is searched. For
                                         // tests only, so it has no description.

  template <class Self, class Visit>
  static void describe(Self& o, Visit&& option) {
    option(o.worlds, {.name = "worlds", .help = "sampled worlds", .low = 1, .high = 100'000, .most = 200});
    option(o.fusion, {.name = "fusion",
                      .help = "how worlds decide: mean share of visits, sum of ranks, sum of visits or mean value"});
    option(o.belief, shared::belief);
    option(o.threads, shared::threads);
    option(o.seed, shared::seed);
    option(
        o.care,
        {.name = "care", .help = "standard errors by which a risky action must beat the best other one", .high = 1000});
    option(o.margin,
           {.name = "margin", .help = "extra payoff that an announcement must gain", .high = shared::kMostPayoff});
    option(o.bid_margin, {.name = "bid_margin", .help = "the same for risky bids", .high = shared::kMostPayoff});
    option(o.calls,
           {.name = "calls", .help = "announcements considered: all, those at the last possible moment, or none"});
    option(o.bids, {.name = "bids", .help = "consider risky bids"});
    option(o.exact_last, {.name = "exact_last",
                          .help = "solve worlds exactly once this few actions are left",
                          .high = shared::kMostSolved,
                          .most = 16});
  }
};

struct IsmctsOptions : TreeOptions {
  static constexpr const char* kName = "ismcts";

  bool availability = true;
  std::string belief;

  template <class Self, class Visit>
  static void describe(Self& o, Visit&& option) {
    OptionInfo untuned = shared::formula;
    untuned.help = "c*sqrt(ln N/n), c*sqrt(2 ln N/n) or 2c*sqrt(2 ln N/n)";
    untuned.choices = 3;  // the tree keeps no variances
    option(o.budget.iterations, shared::iterations);
    option(o.budget.nodes, shared::nodes);
    option(o.budget.seconds, shared::seconds);
    option(o.c, shared::c);
    option(o.formula, untuned);
    option(o.scale, shared::scale);
    option(o.final, shared::final);
    option(o.availability,
           {.name = "availability", .help = "N counts when an action was available; false: the visits of its parent"});
    option(o.belief, shared::belief);
    option(o.streams, shared::streams);
    option(o.threads, shared::threads);
    option(o.seed, shared::seed);
    option(o.memory_mb, shared::memory_mb);
    option(o.tree_calls, shared::tree_calls);
    option(o.playout_calls, shared::playout_calls);
    option(o.solve_last, shared::solve_last);
    option(o.values, shared::values);
    option(o.leaves, shared::leaves);
    option(o.batch, shared::batch);
  }
};

// --- Exact depth-limited search (alphabeta.hpp) ----------------------------------------------------------------------

struct AlphaBetaOptions {
  static constexpr const char* kName = "alphabeta";
  static constexpr int kDeepest = 2'000;  // the search recurses: this bounds the stack

  Budget budget;  // nodes and seconds end an iterative search early
  int depth = 0;  // plies; 0: to the end (or until the budget is used, with deepening)
  Cut cut = Cut::equal;
  Order order = Order::index;
  Terminals terminals = Terminals::payoff;
  std::string evaluation;  // "": the game's first, or 0 where it has none; "zero": constant
  bool deepen = false;
  bool narrow = false;
  std::int64_t table_mb = 0;
  std::shared_ptr<const AnyKnown> known;  // positions that need no search, such as an endgame table; null: none
  std::shared_ptr<const nets::Evaluator> evaluator;  // judges leaves instead of the evaluation; null: none

  template <class Self, class Visit>
  static void describe(Self& o, Visit&& option) {
    OptionInfo positions = shared::nodes;
    positions.help = "positions per move";
    option(o.depth, {.name = "depth", .help = "plies to look ahead; 0: to the end", .high = kDeepest, .most = 20});
    option(o.budget.nodes, positions);
    option(o.budget.seconds, shared::seconds);
    option(o.evaluation,
           {.name = "evaluation", .help = "name of the game's evaluation; empty: its first; zero: constant 0"});
    option(o.terminals, {.name = "terminals", .help = "worth of a finished game in the search"});
    option(o.cut, {.name = "cut", .help = "prune where alpha > beta (strict) or also where equal; none: minimax"});
    option(o.order,
           {.name = "order",
            .help = "order of moves: by number, by the game's guess, or with hash move, killers and history on top"});
    option(o.deepen, {.name = "deepen", .help = "iterative deepening"});
    option(o.narrow, {.name = "narrow", .help = "null windows behind the first move (principal variation search)"});
    option(o.table_mb, {.name = "table_mb",
                        .help = "transposition table in megabytes; 0: none",
                        .high = shared::kMostMegabytes,
                        .most = 16});
  }

  void check() const {
    check_options(*this);
    if (budget.iterations != 0) {
      throw BudgetError("iterations: this search counts nodes or seconds, expected no iterations");
    }
  }
};

// --- Games against oneself (self_play.hpp) ---------------------------------------------------------------------------

struct SelfPlayOptions {
  static constexpr const char* kName = "self_play";

  int simulations = 32;
  int fast_simulations = 8;
  double full_share = 1;
  Root root = Root::gumbel;
  int considered = 16;
  double scale = 0.1;
  double c = 1.4142135623730951;
  double noise = 0.25;
  int drawn_plies = 0;
  int random_plies = 0;
  bool reuse = true;
  int slots = 64;
  int threads = 1;

  template <class Self, class Visit>
  static void describe(Self& o, Visit&& option) {
    option(o.simulations, {.name = "simulations", .help = "simulations of a full search", .low = 1, .high = 1'000'000});
    option(o.fast_simulations,
           {.name = "fast_simulations", .help = "simulations of the other searches", .low = 1, .high = 1'000'000});
    option(o.full_share,
           {.name = "full_share",
            .help = "share of full searches; the others only choose the move, so that there are more games",
            .high = 1});
    option(o.root,
           {.name = "root",
            .help = "search of the root: Gumbel's sequential halving, or as elsewhere with noise in the priors"});
    option(o.considered,
           {.name = "considered", .help = "gumbel: actions that get simulations", .low = 1, .high = 1'000'000});
    option(o.scale, {.name = "scale", .help = "gumbel: weight of values against priors", .high = 1000});
    option(o.c, shared::c);
    option(o.noise, {.name = "noise", .help = "puct: share of noise in the priors of the root", .high = 1});
    option(o.drawn_plies, {.name = "drawn_plies",
                           .help = "puct: so many first actions are drawn by their visits, later ones have the most",
                           .high = 1'000'000});
    option(o.random_plies,
           {.name = "random_plies", .help = "most random actions with which a game begins", .high = 1'000'000});
    option(o.reuse, {.name = "reuse", .help = "keep the subtree of what was played"});
    option(o.slots, {.name = "slots",
                     .help = "games side by side in each thread, which share batches of the evaluator",
                     .low = 1,
                     .high = 65536,
                     .effect = Effect::speed});
    option(o.threads, shared::threads);
  }
};

}  // namespace kiebitz::search
