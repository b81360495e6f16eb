// Minimax and alpha-beta for two players with opposed interests: one negamax loop whose parts (cut rule, order,
// evaluation, transposition table, null windows, iterative deepening) are options at run time. Knuth and Moore, "An
// analysis of alpha-beta pruning" (1975); fail-soft after Fishburn (1983); null windows after Marsland and Campbell
// (1982); transposition table after Greenblatt (1967).
//
// The searcher is always MAX: a leaf is worth what it is worth to the player to move at the root. A node returns its
// value for its own mover, so a player may move twice in a row, and an evaluation need not be antisymmetric.
//
// Ties at the root go to the action tried first: the lowest one with Order::index.
//
// All options but one leave the value that of minimax to the same depth. The exception is `reduce` (late-move
// reductions): moves from the third on get one ply less at a time unless they surprise. It reaches a larger nominal
// depth and may be wrong.
//
// Repetition. In games where a repeated position ends the game, a value that rests on a repetition of a position above
// its node is not stored. What remains of the graph-history problem: a stored value, found where no repetition was in
// reach, may be used on a path that has one of the later positions behind it. So with a table such games have the value
// of minimax only almost always; without a table, and in all other games, always.
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
#include "games/path.hpp"
#include "search/leaf_value.hpp"
#include "search/move_order.hpp"
#include "search/options.hpp"
#include "search/table.hpp"

namespace kiebitz::search {

// The b for which a tree of this depth with b branches at every node has so many nodes: 1 + b + ... + b^depth.
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

  AlphaBeta(const G& game, AlphaBetaOptions options)
      : game_(&game), options_(std::move(options)), leaf_(game.info(), options_) {
    options_.check();
    const GameInfo& info = game.info();
    const char* const name = options_.cut == Cut::none ? "minimax" : "alpha-beta";
    if (info.players != 2) {
      throw UnsuitableGame(std::string(name) + " is for two players; " + info.name + " has " +
                           std::to_string(info.players));
    }
    if (info.utility != Utility::zero_sum && info.utility != Utility::constant_sum) {
      throw UnsuitableGame(std::string(name) + " needs a zero-sum or constant-sum game; the payoffs of " + info.name +
                           " do not add up to a constant");
    }
    if (options_.table_mb != 0) table_ = std::make_unique<TranspositionTable>(options_.table_mb);
  }

  // Replaces the evaluation named in the options. Values must lie in the range of the payoffs.
  void set_evaluation(Evaluation evaluation) { leaf_.set_function(std::move(evaluation)); }

  // `seen`: keys of the positions before `root` since the last irreversible move (games with repetition only).
  // Returns the best action found, a legal one even if the budget is too small for anything.
  Analysis search(const State& root, std::span<const std::uint64_t> seen, Stop& stop) {
    begin(root, seen, stop);
    const int length = game_->info().max_length > 0 ? game_->info().max_length : AlphaBetaOptions::kDeepest;
    const int most =
        std::min(options_.depth > 0 ? options_.depth : length, std::min(length, AlphaBetaOptions::kDeepest));
    Analysis out;
    for (int depth = options_.deepen ? 1 : most; depth <= most; ++depth) {
      make_room(root, depth);
      const std::int64_t before = nodes_;
      if (!iterate(seen, depth)) break;
      const bool whole = !trace_.horizon;
      out.depth = whole ? deepest_ : depth;
      out.branching = effective_branching(nodes_ - before, out.depth);
      if (whole || proven()) break;
      if (options_.order == Order::full) {
        std::rotate(roots_.begin(), roots_.begin() + best_, roots_.begin() + best_ + 1);
        best_ = 0;
      }
    }
    report(root, seen, out);
    stop_ = nullptr;
    return out;
  }

 private:
  using Clock = std::chrono::steady_clock;

  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static constexpr int kNowhere = std::numeric_limits<int>::max();
  static constexpr int kReduceDepth = 6;
  static constexpr int kTableDepth = 3;  // below this a look into the table costs more than the search it saves

  struct RootMove {
    Action action;
    double value = 0;
    bool exact = false;
    bool searched = false;
    std::int64_t nodes = 0;
    std::vector<Action> line;
  };

  // What a value rests on, besides the position: leaves made by the depth limit, and positions above that were
  // repeated.
  struct Trace {
    bool horizon = false;
    int repeated = kNowhere;  // smallest ply of a repeated position; -1: before the root
    void join(const Trace& other) {
      horizon = horizon || other.horizon;
      repeated = std::min(repeated, other.repeated);
    }
  };

  struct Glance {
    std::uint64_t hash;
    int player;
  };

  // --- Before and after ---------------------------------------------------------------------------------------------

  void begin(const State& root, std::span<const std::uint64_t> seen, Stop& stop) {
    start_ = Clock::now();
    player_ = root.player();
    if (player_ == kTerminal) throw IllegalAction("the game is over: there is no action to search for");
    if (player_ == kChance) refuse_chance();
    stop_ = &stop;
    nodes_ = 0;
    leaves_ = 0;
    halted_ = false;
    // Python is slow enough to look at the clock at every node.
    interval_ = NeedsInterpreter<G> || leaf_.has_function() ? 1 : 256;
    next_check_ = 0;
    salt_ = mix64(static_cast<std::uint64_t>(player_) + 1);
    order_.reset(options_.order, game_->info().actions);
    if (table_) table_->begin();
    make_room(root, 1);
    path_.reset(root, seen);

    const int n = root.legal(actions_.data());
    roots_.clear();
    for (int i = 0; i < n; ++i) roots_.push_back({.action = actions_[static_cast<std::size_t>(i)], .line = {}});
    if (options_.order != Order::index) {
      std::stable_sort(roots_.begin(), roots_.end(), [&](const RootMove& a, const RootMove& b) {
        return MoveOrder::guess(root, a.action) > MoveOrder::guess(root, b.action);
      });
    }
    best_ = 0;
    value_ = 0;
    found_ = false;
  }

  void make_room(const State& root, int depth) {
    const auto levels = static_cast<std::size_t>(depth) + 1;
    width_ = static_cast<std::size_t>(game_->info().max_legal);
    constexpr std::size_t kMostEntries = std::size_t{1} << 26;
    if (levels * width_ > kMostEntries) {
      throw LimitError("depth: " + std::to_string(depth) + " plies of up to " + std::to_string(width_) +
                       " actions need more room than a search may take");
    }
    if (states_.size() < levels) states_.resize(levels, root);
    states_[0] = root;
    if (lines_.size() < levels + 1) lines_.resize(levels + 1);
    if (keys_.size() < levels) keys_.resize(levels);
    if (actions_.size() < levels * width_) {
      actions_.resize(levels * width_);
      scores_.resize(levels * width_);
      glances_.resize(width_);
    }
    order_.reach(depth);
  }

  // A value at the end of the payoff range cannot change with more depth, unless it came from an evaluation.
  bool proven() const { return !leaf_.extreme() && (value_ >= leaf_.high() || value_ <= leaf_.low()); }

  void report(const State& root, std::span<const std::uint64_t> seen, Analysis& out) {
    out.method = options_.cut == Cut::none ? "minimax" : "alphabeta";
    out.player = player_;
    if (!found_) {
      // Not even one action was finished: the first one, with what the position looks like.
      path_.reset(root, seen);
      halted_ = false;
      leaf_.begin(player_);
      value_ = leaf_(root, false);
      roots_[0].line = {roots_[0].action};
    }
    out.best = roots_[static_cast<std::size_t>(best_)].action;
    out.best_name = root.name(out.best);
    out.value = value_ + 0.0;  // no negative zero
    out.line = roots_[static_cast<std::size_t>(best_)].line;
    if (table_ && found_) extend(root, seen, out.line, out.depth);
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
      a.exact = move.exact;
      out.actions.push_back(std::move(a));
    }
    std::sort(out.actions.begin(), out.actions.end(),
              [](const ActionValue& a, const ActionValue& b) { return a.action < b.action; });
    out.nodes = nodes_;
    out.leaves = leaves_;
    out.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    out.stopped = stop_->requested();
  }

  // Where the table answered on the principal line, the line goes on with what the table knows.
  void extend(const State& root, std::span<const std::uint64_t> seen, std::vector<Action>& line, int depth) {
    State state = root;
    path_.reset(root, seen);
    for (const Action a : line) path_.apply(state, a);
    while (static_cast<int>(line.size()) < depth && state.player() >= 0) {
      TranspositionTable::Hit hit;
      const int left = depth - static_cast<int>(line.size());
      if (!table_->probe(hash_of(state), hit) || hit.bound != Bound::exact || !fits(hit, left)) return;
      const int n = state.legal(actions_.data());
      const auto end = actions_.begin() + n;
      const auto it =
          std::find_if(actions_.begin(), end, [&](Action a) { return TranspositionTable::same_action(hit.action, a); });
      if (it == end) return;
      line.push_back(*it);
      path_.apply(state, line.back());
    }
  }

  // --- The search
  // -----------------------------------------------------------------------------------------------------

  // One search to the given depth; false if it had to stop. The best action so far counts even then, once the first
  // action (with deepening: the best one of the iteration before) has been searched.
  bool iterate(std::span<const std::uint64_t> seen, int depth) {
    path_.reset(states_[0], seen);
    if (table_) table_->age();
    trace_ = {};
    leaf_.begin(player_);
    deepest_ = 0;
    if (++nodes_ >= next_check_) look_around();
    if (halted_) return false;
    keys_[0] = key_for_repetition(states_[0]);
    double best = -kInfinity;
    for (std::size_t i = 0; i < roots_.size(); ++i) {
      RootMove& move = roots_[i];
      const double alpha = options_.cut == Cut::none ? -kInfinity : best;
      const std::int64_t before = nodes_;
      const auto mark = path_.mark();
      const double value = child(states_[0], player_, 0, depth - 1, move.action, alpha, kInfinity, i > 0);
      path_.rewind(mark);
      if (halted_) return false;
      if (i == 0) {
        for (RootMove& other : roots_) other.exact = other.searched = false;
        found_ = true;
      }
      move.value = value;
      move.exact = value > alpha || (value == alpha && options_.cut == Cut::strict);
      move.searched = true;
      move.nodes = nodes_ - before;
      if (value > best) {
        best = value_ = value;
        best_ = static_cast<std::ptrdiff_t>(i);
        move.line.assign(1, move.action);
        move.line.insert(move.line.end(), lines_[1].rbegin(), lines_[1].rend());
      }
    }
    return true;
  }

  // The value of an action for the mover of `here`, within or at least on the right side of the window.
  double child(const State& here, int mover, int ply, int depth, Action a, double alpha, double beta, bool later) {
    State& next = states_[static_cast<std::size_t>(ply) + 1];
    next = here;
    path_.apply(next, a);
    if (++nodes_ >= next_check_) {
      look_around();
      if (halted_) return 0;
    }
    const int player = next.player();
    if (player < 0 || depth == 0) {
      if (player == kChance) refuse_chance();
      if (player < 0) {
        note_repetition(here, ply, a);
      } else {
        trace_.horizon = true;
      }
      lines_[static_cast<std::size_t>(ply) + 1].clear();
      deepest_ = std::max(deepest_, ply + 1);
      ++leaves_;
      const double value = leaf_(next, player < 0);
      return mover == player_ ? value : -value;
    }
    const auto search = [&](double low, double high) {
      return player == mover ? negamax(next, player, ply + 1, depth, low, high)
                             : -negamax(next, player, ply + 1, depth, -high, -low);
    };
    if (later && options_.narrow && alpha > -kInfinity && beta > above(alpha)) {
      // Probably not better than the first: ask only whether it is.
      const double value = search(alpha, above(alpha));
      if (!(value > alpha && value < beta) || halted_) return value;
    }
    return search(alpha, beta);
  }

  // The value of a decision node for its mover: exact inside the window, a bound outside.
  double negamax(const State& here, int mover, int ply, int depth, double alpha, double beta) {
    const auto level = static_cast<std::size_t>(ply);
    const double floor = alpha;
    const bool tabled = table_ && depth >= kTableDepth;
    keys_[level] = key_for_repetition(here);
    std::uint64_t hash = 0;
    Action hinted = kNoAction;
    Trace outer;
    if (tabled) {
      hash = hash_of(here);
      TranspositionTable::Hit hit;
      if (table_->probe(hash, hit)) {
        hinted = hit.action;
        // With null windows the few open nodes are the principal line: they are searched, so that the line is complete.
        const bool open = options_.narrow && beta > above(alpha);
        if (!open && fits(hit, depth) && settles(hit, alpha, beta)) {
          lines_[level].clear();
          trace_.horizon = trace_.horizon || !hit.complete;
          return hit.value;
        }
      }
      outer = trace_;
    }

    Action* const actions = actions_.data() + level * width_;
    int* const scores = scores_.data() + level * width_;
    const int n = here.legal(actions);
    const bool sorted = options_.order != Order::index;
    if (sorted) order_.rate(here, mover, ply, hinted, actions, n, scores);
    if (tabled && sorted && depth > kTableDepth && !NeedsInterpreter<G>) {
      double known = 0;
      if (look_ahead(here, mover, ply, depth - 1, beta, actions, n, known)) return known;
    }
    // With null windows on, a node also ends when its mover has got all there is to get.
    const double enough = !options_.narrow ? kInfinity : mover == player_ ? leaf_.high() : -leaf_.low();

    double best = -kInfinity;
    Action best_action = kNoAction;
    Trace all;
    for (int i = 0; i < n; ++i) {
      if (sorted) MoveOrder::pick(actions, scores, i, n);
      const Action a = actions[i];
      if (tabled) trace_ = {};
      const auto mark = path_.mark();
      double value = kInfinity;
      if (options_.reduce && i >= 2 && depth >= kReduceDepth && alpha > -kInfinity && MoveOrder::guess(here, a) <= 0) {
        // A late move that promises nothing is searched in full only if it looks good with one ply less.
        value = child(here, mover, ply, depth - 2, a, alpha, above(alpha), false);
        path_.rewind(mark);
      }
      if (value > alpha) {
        value = child(here, mover, ply, depth - 1, a, alpha, beta, i > 0);
        path_.rewind(mark);
      }
      if (halted_) return 0;
      const bool done = beats(value, beta) || value >= enough;
      if (value > best) {
        best = value;
        best_action = a;
        if (value > alpha && !beats(value, beta)) {
          if (options_.cut != Cut::none) alpha = value;
          lines_[level].swap(lines_[level + 1]);
          lines_[level].push_back(a);
        }
      }
      if (done) {
        order_.learn(mover, ply, depth, a);
        all = trace_;  // the value rests on this action alone
        break;
      }
      if (tabled) all.join(trace_);
    }

    if (tabled) {
      if (all.repeated >= ply) {
        all.repeated = kNowhere;
        const Bound bound = beats(best, beta) ? Bound::lower : beats(floor, best) ? Bound::upper : Bound::exact;
        table_->store(hash, best, best_action, depth, bound, !all.horizon);
      }
      trace_ = all;
      trace_.join(outer);
    }
    return best;
  }

  // Enhanced transposition cut-off (Plaat et al. 1996): does the table already know a child that is good enough? In any
  // case the children's places in the table are then on their way into the cache.
  bool look_ahead(const State& here, int mover, int ply, int depth, double beta, const Action* actions, int n,
                  double& value) {
    State& next = states_[static_cast<std::size_t>(ply) + 1];
    for (int i = 0; i < n; ++i) {
      Glance& glance = glances_[static_cast<std::size_t>(i)];
      next = here;
      const auto mark = path_.mark();
      path_.apply(next, actions[i]);
      path_.rewind(mark);
      glance.player = next.player();
      if (glance.player < 0) continue;
      glance.hash = hash_of(next);
      table_->prefetch(glance.hash);
    }
    for (int i = 0; i < n; ++i) {
      const Glance& glance = glances_[static_cast<std::size_t>(i)];
      TranspositionTable::Hit hit;
      if (glance.player < 0 || !table_->probe(glance.hash, hit) || !fits(hit, depth)) continue;
      const bool same = glance.player == mover;
      if (hit.bound != Bound::exact && hit.bound != (same ? Bound::lower : Bound::upper)) continue;
      value = same ? hit.value : -hit.value;
      if (!beats(value, beta)) continue;
      trace_.horizon = trace_.horizon || !hit.complete;
      return true;
    }
    return false;
  }

  // --- Small parts
  // ------------------------------------------------------------------------------------------------------

  bool beats(double value, double bound) const { return options_.cut == Cut::strict ? value > bound : value >= bound; }

  // Equal depth only: then a search with a table has exactly the value of minimax to its depth. A search that met
  // no depth limit is as good for any larger depth.
  static bool fits(const TranspositionTable::Hit& hit, int depth) {
    return hit.depth == depth || (hit.complete && hit.depth < depth);
  }

  bool settles(const TranspositionTable::Hit& hit, double alpha, double beta) const {
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

  std::uint64_t key_for_repetition(const State& state) const {
    if constexpr (HasRepetition<State>) return table_ ? state.key() : 0;
    return 0;
  }

  // After a terminal child: was it a repetition, and of which position?
  void note_repetition(const State& here, int ply, Action a) {
    if constexpr (HasRepetition<State>) {
      if (!table_ || !here.repetition()) return;
      State plain = here;
      plain.apply(a);
      if (plain.player() == kTerminal) return;
      const std::uint64_t key = plain.key();
      int at = ply;
      while (at >= 0 && keys_[static_cast<std::size_t>(at)] != key) --at;
      trace_.repeated = std::min(trace_.repeated, at);
    }
  }

  // The next larger number: a window (x, above(x)) has nothing inside.
  static double above(double x) {
    if (x == 0) return std::numeric_limits<double>::denorm_min();
    const auto bits = std::bit_cast<std::int64_t>(x);
    return std::bit_cast<double>(x > 0 ? bits + 1 : bits - 1);
  }

  // Budget, clock and stop token.
  void look_around() {
    const std::int64_t limit = options_.budget.nodes;
    if (limit > 0 && nodes_ > limit) {
      --nodes_;
      halted_ = true;
    }
    if (options_.budget.seconds > 0 &&
        std::chrono::duration<double>(Clock::now() - start_).count() >= options_.budget.seconds) {
      halted_ = true;
    }
    if (stop_->poll()) halted_ = true;
    next_check_ = nodes_ + interval_;
    if (limit > 0) next_check_ = std::min(next_check_, limit + 1);
    if (halted_) next_check_ = std::numeric_limits<std::int64_t>::max();
  }

  [[noreturn]] void refuse_chance() const {
    throw UnsuitableGame(
        "alpha-beta met a chance node: it is for games, or parts of games, where only players decide; " +
        game_->info().name + " deals or rolls here");
  }

  const G* game_;
  AlphaBetaOptions options_;
  LeafValue<G> leaf_;

  std::unique_ptr<TranspositionTable> table_;
  MoveOrder order_;
  Path<State> path_;
  std::vector<State> states_;               // one per ply
  std::vector<std::vector<Action>> lines_;  // principal line from each ply on, last action first
  std::vector<std::uint64_t> keys_;
  std::vector<Action> actions_;  // max_legal per ply
  std::vector<int> scores_;
  std::size_t width_ = 0;
  std::vector<Glance> glances_;

  int player_ = 0;  // the searcher
  std::uint64_t salt_ = 0;
  std::int64_t nodes_ = 0;
  std::int64_t leaves_ = 0;
  std::int64_t next_check_ = 0;
  std::int64_t interval_ = 256;
  bool halted_ = false;
  bool found_ = false;
  int deepest_ = 0;
  Trace trace_;
  std::vector<RootMove> roots_;
  std::ptrdiff_t best_ = 0;
  double value_ = 0;
  Clock::time_point start_{};
  Stop* stop_ = nullptr;
};

}  // namespace kiebitz::search
