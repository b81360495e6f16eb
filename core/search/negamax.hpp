// The recursion of alpha-beta: everything below the root. Knuth and Moore, "An analysis of alpha-beta pruning" (1975);
// fail-soft after Fishburn (1983); null windows after Marsland and Campbell (1982); transposition table after
// Greenblatt (1967); enhanced transposition cut-offs after Plaat et al. (1996).
//
// There are two forms of one loop, each in a file of its own. Plain (negamax_plain.hpp): actions in index order, cuts
// at equal values, nothing else; it has none of the tests that features need at each node, which would cost more than
// the moves. Featured (negamax_featured.hpp): order, table, null windows and bounds from the game (HasOutlook), as the
// options say. This file has what both share, and what the root (alphabeta.hpp) calls.
#pragma once

#include <algorithm>
#include <bit>
#include <chrono>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/stop.hpp"
#include "games/known.hpp"
#include "games/path.hpp"
#include "search/leaf_value.hpp"
#include "search/move_order.hpp"
#include "search/options.hpp"
#include "search/transposition_table.hpp"

namespace kiebitz::search {

template <GameLike G>
class Negamax {
 public:
  using State = typename G::State;
  using Clock = std::chrono::steady_clock;

  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  Negamax(const G& game, AlphaBetaOptions options)
      : game_(&game), options_(std::move(options)), leaf_(game.info(), options_) {
    options_.check();
    if (options_.table_mb != 0) table_ = std::make_unique<TranspositionTable>(options_.table_mb);
    if (options_.known) {
      known_ = dynamic_cast<const Known<State>*>(options_.known.get());
      if (known_ == nullptr) throw UnsuitableGame("known: these positions are not of " + game.info().name);
      if (options_.terminals != Terminals::payoff) {
        throw ParameterError("terminals: known positions are worth their payoffs: expected payoff");
      }
    }
    plain_ = options_.cut == Cut::equal && options_.order == Order::index && !options_.narrow && !table_ && !known_;
  }

  const AlphaBetaOptions& options() const { return options_; }
  LeafValue<G>& leaf() { return leaf_; }
  const LeafValue<G>& leaf() const { return leaf_; }
  std::int64_t nodes() const { return nodes_; }
  std::int64_t leaves() const { return leaves_; }
  bool halted() const { return halted_; }
  // Whether the depth limit made leaves: since the iteration began, and below the action tried last.
  bool met_horizon() const { return met_horizon_; }
  bool action_met_horizon() const { return trace_.horizon; }
  int deepest() const { return deepest_; }
  // The principal line below the action tried last, last action first.
  const std::vector<Action>& line() const { return lines_[1]; }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  // A new search; the searcher is the player to move at the root.
  void begin(int player, Stop& stop) {
    start_ = Clock::now();
    player_ = player;
    stop_ = &stop;
    nodes_ = 0;
    leaves_ = 0;
    halted_ = false;
    // Games and evaluations in Python are so slow that every node can check the clock; networks lie in between.
    interval_ = NeedsInterpreter<G> || leaf_.has_function() ? 1 : leaf_.has_net() ? 32 : 1024;
    next_check_ = 0;
    salt_ = mix64(static_cast<std::uint64_t>(player_) + 1);
    order_.reset(options_.order, game_->info().actions);
    if (table_) table_->begin();
  }

  void reserve(int depth) {
    const auto levels = static_cast<std::size_t>(depth) + 1;
    width_ = static_cast<std::size_t>(game_->info().max_legal);
    constexpr std::size_t kMostEntries = std::size_t{1} << 26;
    if (levels * width_ > kMostEntries) {
      throw LimitError("depth: " + std::to_string(depth) + " plies of up to " + std::to_string(width_) +
                       " actions need more room than a search may take");
    }
    if (lines_.size() < levels + 1) lines_.resize(levels + 1);
    if (actions_.size() < levels * width_) {
      actions_.resize(levels * width_);
      ranks_.resize(levels * width_);
      probes_.resize(width_);
    }
    order_.reserve(depth);
  }

  // Visits the root for one more iteration; false if the search has to stop.
  bool begin_iteration(const State& root, std::span<const std::uint64_t> seen) {
    path_.reset(root, seen);
    if (table_) table_->age();
    trace_ = {};
    met_horizon_ = false;
    leaf_.begin(player_);
    deepest_ = 0;
    uses_outlooks_ = options_.narrow && options_.cut != Cut::none && leaf_.kind() >= 0;
    return count_node();
  }

  // The value of an action of the root: exact inside the window, otherwise a bound on the right side of it.
  double root_action(const State& root, Action a, int depth, double alpha, double beta, bool later) {
    trace_ = {};
    const auto mark = path_.mark();
    const double value = plain_ ? plain_child(root, player_, 0, depth - 1, a, alpha, beta)
                                : featured_child(root, player_, 0, depth - 1, a, alpha, beta, later);
    path_.rewind(mark);
    met_horizon_ = met_horizon_ || trace_.horizon;
    return value;
  }

  // Whether values without a depth limit are proofs: finished games are worth their payoffs, and no stored value can
  // have overlooked a repetition (see alphabeta.hpp).
  bool sound(const State& root) const {
    if constexpr (HasRepetition<State>) {
      if (table_ && root.repetition()) return false;
    }
    return leaf_.payoffs_count();
  }

  // Continues a principal line that ended where the table answered with what the table knows.
  void extend_line(const State& root, std::span<const std::uint64_t> seen, std::vector<Action>& line, int depth) {
    if (!table_) return;
    State state = root;
    path_.reset(root, seen);
    for (const Action a : line) path_.apply(state, a);
    while (static_cast<int>(line.size()) < depth && state.player() >= 0) {
      TranspositionTable::Hit hit;
      const int left = depth - static_cast<int>(line.size());
      if (!table_->probe(hash_of(state), hit) || hit.bound != Bound::exact || !deep_enough(hit, left)) return;
      const int n = state.legal(actions_.data());
      const auto end = actions_.begin() + n;
      const auto it =
          std::find_if(actions_.begin(), end, [&](Action a) { return TranspositionTable::same_action(hit.action, a); });
      if (it == end) return;
      line.push_back(*it);
      path_.apply(state, line.back());
    }
  }

  // The next larger number: no value lies inside the window (x, next_up(x)).
  static double next_up(double x) {
    if (x == 0) return std::numeric_limits<double>::denorm_min();
    const auto bits = std::bit_cast<std::int64_t>(x);
    return std::bit_cast<double>(x > 0 ? bits + 1 : bits - 1);
  }

  [[noreturn]] void refuse_chance() const {
    throw UnsuitableGame(
        "alpha-beta met a chance node: it is for games, or parts of games, where only players decide; " +
        game_->info().name + " deals or rolls here");
  }

 private:
  static constexpr int kNowhere = std::numeric_limits<int>::max();
  // Depths, in plies left. The table pays off where searching takes longer than probing: farther from the horizon in
  // games that know bounds near it.
  static constexpr int kTableDepth = HasOutlook<State> ? 6 : 3;
  static constexpr int kChildCutoffDepth = HasOutlook<State> ? 8 : 4;  // and probing all children
  static constexpr int kPrepareDepth = 9;             // a node without a hint is first searched for one,
  static constexpr int kPrepareLess = 3;              // to a depth that is smaller by this
  static constexpr int kNearDepth = kTableDepth - 1;  // outlooks instead of path, table and line
  static constexpr int kOutlookDepth = 2;             // most plies that outlooks are asked for

  // What a value depends on besides the position: leaves made by the depth limit, and repetitions of positions above.
  struct Trace {
    bool horizon = false;
    int repeated = kNowhere;  // smallest ply of a repeated position; -1: before the root
    void join(const Trace& other) {
      horizon = horizon || other.horizon;
      repeated = std::min(repeated, other.repeated);
    }
  };

  struct ChildProbe {
    std::uint64_t hash;
    int player;
  };

  // --- The plain form (negamax_plain.hpp) ---

  double plain_leaf(const State& here, int mover, int ply, Action a);
  double plain_child(const State& here, int mover, int ply, int depth, Action a, double alpha, double beta);
  double plain_node(const State& here, int mover, int ply, int depth, double alpha, double beta);
  double last_ply(const State& here, int mover, int ply, double alpha, double beta);

  // --- The featured form (negamax_featured.hpp) ---

  double featured_child(const State& here, int mover, int ply, int depth, Action a, double alpha, double beta,
                        bool later);
  // kTabled: far enough from the horizon for the table.
  template <bool kTabled>
  double featured_node(const State& here, int mover, int ply, int depth, double alpha, double beta);
  // The value of a decision node for its mover: exact inside the window, a bound outside.
  double decision_node(const State& here, int mover, int ply, int depth, double alpha, double beta) {
    return table_ && depth >= kTableDepth ? featured_node<true>(here, mover, ply, depth, alpha, beta)
                                          : featured_node<false>(here, mover, ply, depth, alpha, beta);
  }
  double near_child(const State& next, int mover, int ply, int depth, double alpha, double beta);
  double near_node(const State& here, int mover, int ply, int depth, double alpha, double beta);
  bool child_cutoff(const State& here, int mover, int depth, double beta, const Action* actions, int n, double& value);
  Outlook known_outcome(const State& next, int mover) const;
  template <bool kNear>
  void rank_actions(const State& here, int mover, int ply, const Action* actions, int n, MoveOrder::Rank* ranks);
  int guess_after_reply(const State& here, int mover, Action a);

  // --- What both share ---

  // A finished game or the depth limit, reached by `mover` with action `a`.
  double at_leaf(const State& here, const State& next, int mover, int ply, Action a) {
    const int player = next.player();
    if (player == kChance) refuse_chance();
    if (player < 0) {
      note_repetition(here, a);
    } else {
      trace_.horizon = true;
    }
    lines_[static_cast<std::size_t>(ply) + 1].clear();
    deepest_ = std::max(deepest_, ply + 1);
    ++leaves_;
    const double value = leaf_(next, player < 0);
    return mover == player_ ? value : -value;
  }

  // The principal line of a node is an action and the line of the child.
  [[gnu::noinline]] void prepend(int ply, Action a) {
    const auto level = static_cast<std::size_t>(ply);
    lines_[level].swap(lines_[level + 1]);
    lines_[level].push_back(a);
  }

  bool beats(double value, double bound) const { return options_.cut == Cut::strict ? value > bound : value >= bound; }

  // Only equal depths, so that a search with a table has exactly the value of minimax to its depth. A search that met
  // no depth limit is as good for any larger depth.
  static bool deep_enough(const TranspositionTable::Hit& hit, int depth) {
    return hit.depth == depth || (hit.complete && hit.depth < depth);
  }

  bool decides(const TranspositionTable::Hit& hit, double alpha, double beta) const {
    switch (hit.bound) {
      case Bound::exact:
        return true;
      case Bound::lower:
        return beats(hit.value, beta);
      case Bound::upper:
        return beats(alpha, hit.value);
      default:
        return false;
    }
  }

  std::uint64_t hash_of(const State& state) const { return mix64(state.key() ^ salt_); }

  static bool irreversible(const State& state) {
    if constexpr (HasRepetition<State>) {
      return state.irreversible();
    } else {
      return false;
    }
  }

  // After a terminal child: notes whether it was a repetition, and of which position.
  void note_repetition(const State& here, Action a) {
    if constexpr (HasRepetition<State>) {
      if (!table_ || !here.repetition()) return;
      State plain = here;
      plain.apply(a);
      if (plain.player() == kTerminal) return;
      trace_.repeated = std::min(trace_.repeated, path_.when(plain.key()));
    }
  }

  // Counts a node; false if the search has to stop.
  bool count_node() {
    if (++nodes_ >= next_check_) [[unlikely]]
      check_limits();
    return !halted_;
  }

  // Budget, clock and stop token.
  [[gnu::noinline]] void check_limits() {
    const std::int64_t limit = options_.budget.nodes;
    if (limit > 0 && nodes_ > limit) {
      --nodes_;
      halted_ = true;
    }
    if (options_.budget.seconds > 0 && seconds() >= options_.budget.seconds) halted_ = true;
    if (stop_->poll()) halted_ = true;
    next_check_ = nodes_ + interval_;
    if (limit > 0) next_check_ = std::min(next_check_, limit + 1);
    if (halted_) next_check_ = std::numeric_limits<std::int64_t>::max();
  }

  const G* game_;
  AlphaBetaOptions options_;
  LeafValue<G> leaf_;
  const Known<State>* known_ = nullptr;
  bool plain_ = false;
  bool uses_outlooks_ = false;

  std::unique_ptr<TranspositionTable> table_;
  MoveOrder order_;
  Path<State> path_;
  std::vector<std::vector<Action>> lines_;  // principal line from each ply on, last action first
  std::vector<Action> actions_;             // max_legal per ply
  std::vector<MoveOrder::Rank> ranks_;
  std::size_t width_ = 0;
  std::vector<ChildProbe> probes_;

  int player_ = 0;  // the searcher
  std::uint64_t salt_ = 0;
  std::int64_t nodes_ = 0;
  std::int64_t leaves_ = 0;
  std::int64_t next_check_ = 0;
  std::int64_t interval_ = 1024;
  bool halted_ = false;
  int deepest_ = 0;
  Trace trace_;
  bool met_horizon_ = false;
  Clock::time_point start_{};
  Stop* stop_ = nullptr;
};

}  // namespace kiebitz::search
