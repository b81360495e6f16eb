// The recursion of alpha-beta: everything below the root. Knuth and Moore, "An analysis of alpha-beta pruning" (1975);
// fail-soft after Fishburn (1983); null windows after Marsland and Campbell (1982); transposition table after
// Greenblatt (1967); a look at the children's entries before the search after Plaat et al. (1996).
//
// Two forms of one loop. Plain: cuts at equal values, actions in index order, nothing else; it is compiled without the
// questions that the features ask at each node, because there the questions cost more than the moves. Featured: order,
// table, null windows and bounds from the game (HasOutlook), as the options say.
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
#include "search/table.hpp"

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
  bool met_horizon() const { return trace_.horizon; }
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
    // Python is slow enough to look at the clock at every node.
    interval_ = NeedsInterpreter<G> || leaf_.has_function() ? 1 : 1024;
    next_check_ = 0;
    salt_ = mix64(static_cast<std::uint64_t>(player_) + 1);
    order_.reset(options_.order, game_->info().actions);
    if (table_) table_->begin();
  }

  void make_room(int depth) {
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
      glances_.resize(width_);
    }
    order_.reach(depth);
  }

  // Visits the root for one more iteration; false if the search has to stop.
  bool enter(const State& root, std::span<const std::uint64_t> seen) {
    path_.reset(root, seen);
    if (table_) table_->age();
    trace_ = {};
    leaf_.begin(player_);
    deepest_ = 0;
    near_ = options_.narrow && options_.cut != Cut::none && leaf_.kind() >= 0;
    return count();
  }

  // The value of an action of the root, within or at least on the right side of the window.
  double attempt(const State& root, Action a, int depth, double alpha, double beta, bool later) {
    const auto mark = path_.mark();
    const double value = plain_ ? plain_child(root, player_, 0, depth - 1, a, alpha, beta)
                                : child(root, player_, 0, depth - 1, a, alpha, beta, later);
    path_.rewind(mark);
    return value;
  }

  // Where the table answered on the principal line, the line goes on with what the table knows.
  void extend(const State& root, std::span<const std::uint64_t> seen, std::vector<Action>& line, int depth) {
    if (!table_) return;
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

  // The next larger number: a window (x, above(x)) has nothing inside.
  static double above(double x) {
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
  // Depths, in plies left. The table pays off where searching takes longer than looking: far from the horizon in games
  // that can do without searching near it.
  static constexpr int kTableDepth = HasOutlook<State> ? 6 : 3;
  static constexpr int kLookAheadDepth = HasOutlook<State> ? 8 : 4;  // ... and looking at all children
  static constexpr int kPrepareDepth = 9;                            // a node without a hint is searched for one first,
  static constexpr int kPrepareLess = 3;                             // with so much less depth
  static constexpr int kNearDepth = kTableDepth - 1;                 // outlooks instead of path, table and line
  static constexpr int kOutlookDepth = 2;                            // the most plies that outlooks are asked for

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

  // --- One action ---

  // The value of an action for the mover of `here`, within or at least on the right side of the window.
  double child(const State& here, int mover, int ply, int depth, Action a, double alpha, double beta, bool later) {
    State next = here;
    path_.apply(next, a);
    if (!count()) return 0;
    const int player = next.player();
    if (player < 0 || depth == 0) return at_leaf(here, next, mover, ply, a);
    if constexpr (HasOutlook<State>) {
      if (depth <= kNearDepth && near_ && !(beta > above(alpha)) && !path_.in_reach(depth)) {
        return below(next, mover, ply, depth, alpha, beta);
      }
    }
    const Outlook known = known_ != nullptr && depth > kNearDepth ? outcome(next, mover) : Outlook{};
    if (known.low == known.high || beats(known.low, beta) || beats(alpha, known.high)) {
      lines_[static_cast<std::size_t>(ply) + 1].clear();
      deepest_ = std::max(deepest_, ply + 1);
      ++leaves_;
      return beats(alpha, known.high) ? known.high : known.low;
    }
    const auto search = [&](double low, double high) {
      const double value = player == mover ? negamax(next, player, ply + 1, depth, low, high)
                                           : -negamax(next, player, ply + 1, depth, -high, -low);
      return std::clamp(value, known.low, known.high);
    };
    if (later && options_.narrow && alpha > -kInfinity && beta > above(alpha)) {
      // Probably not better than the first: ask only whether it is.
      const double value = search(alpha, above(alpha));
      if (!(value > alpha && value < beta) || halted_) return value;
    }
    return search(alpha, beta);
  }

  // What is known, without search, of the payoff at a decision node for the player who moved there. Asked far from the
  // horizon only, whatever the window is: then the value of a node does not depend on the window.
  Outlook outcome(const State& next, int mover) const {
    if (!irreversible(next)) return {};
    const Outlook known = known_->outcome(next, player_);
    return mover == player_ ? known : Outlook{-known.high, -known.low};
  }

  static bool irreversible(const State& state) {
    if constexpr (HasRepetition<State>) {
      return state.irreversible();
    } else {
      return false;
    }
  }

  // --- Near the horizon, in games that have an outlook ---

  // The value of a decision node, reached by `mover`, for that player: below null windows, out of reach of repetitions.
  double below(const State& next, int mover, int ply, int depth, double alpha, double beta) {
    if (depth <= kOutlookDepth) {
      // Does the game itself know on which side of the window the value lies?
      const Outlook outlook = mover == player_ ? next.outlook(leaf_.kind(), player_, depth, alpha, beta)
                                               : next.outlook(leaf_.kind(), player_, depth, -beta, -alpha);
      const double low = mover == player_ ? outlook.low : -outlook.high;
      const double high = mover == player_ ? outlook.high : -outlook.low;
      if (beats(low, beta) || beats(alpha, high)) {
        ++leaves_;
        trace_.horizon = true;
        deepest_ = std::max(deepest_, ply + 1);
        return beats(low, beta) ? low : high;
      }
    }
    const int player = next.player();
    return player == mover ? near(next, player, ply + 1, depth, alpha, beta)
                           : -near(next, player, ply + 1, depth, -beta, -alpha);
  }

  // A featured node without path, table and line.
  double near(const State& here, int mover, int ply, int depth, double alpha, double beta) {
    const auto level = static_cast<std::size_t>(ply);
    Action* const actions = actions_.data() + level * width_;
    MoveOrder::Rank* const ranks = ranks_.data() + level * width_;
    const int n = here.legal(actions);
    const bool sorted = options_.order != Order::index;
    if (sorted) rate<true>(here, mover, ply, actions, n, ranks);
    double best = -kInfinity;
    for (int i = 0; i < n; ++i) {
      if (sorted) MoveOrder::pick(actions, ranks, i, n);
      State next = here;
      next.apply(actions[i]);
      if (!count()) return 0;
      const double value = next.player() < 0 || depth == 1 ? at_leaf(here, next, mover, ply, actions[i])
                                                           : below(next, mover, ply, depth - 1, alpha, beta);
      if (halted_) return 0;
      best = std::max(best, value);
      if (beats(value, beta)) {
        order_.template learn<true>(mover, ply, depth, actions[i]);
        break;
      }
    }
    return best;
  }

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

  // --- A node ---

  // The value of a decision node for its mover: exact inside the window, a bound outside.
  double negamax(const State& here, int mover, int ply, int depth, double alpha, double beta) {
    return table_ && depth >= kTableDepth ? featured<true>(here, mover, ply, depth, alpha, beta)
                                          : featured<false>(here, mover, ply, depth, alpha, beta);
  }

  // --- The plain form (negamax_plain.hpp) ---

  double plain_leaf(const State& here, int mover, int ply, Action a);
  double plain_child(const State& here, int mover, int ply, int depth, Action a, double alpha, double beta);
  double plain(const State& here, int mover, int ply, int depth, double alpha, double beta);
  double last_ply(const State& here, int mover, int ply, double alpha, double beta);

  // The principal line of a node is an action and the line of the child.
  [[gnu::noinline]] void prepend(int ply, Action a) {
    const auto level = static_cast<std::size_t>(ply);
    lines_[level].swap(lines_[level + 1]);
    lines_[level].push_back(a);
  }

  // --- The featured form ---

  // kTabled: far enough from the horizon for the table.
  template <bool kTabled>
  double featured(const State& here, int mover, int ply, int depth, double alpha, double beta) {
    const auto level = static_cast<std::size_t>(ply);
    const double floor = alpha;
    std::uint64_t hash = 0;
    if constexpr (kTabled) {
      hash = mix64(path_.key(here) ^ salt_);
      table_->prefetch(hash);
    }
    Action* const actions = actions_.data() + level * width_;
    MoveOrder::Rank* const ranks = ranks_.data() + level * width_;
    const int n = here.legal(actions);
    const bool sorted = options_.order != Order::index;
    if (sorted) rate<!kTabled>(here, mover, ply, actions, n, ranks);
    Trace outer;
    if constexpr (kTabled) {
      TranspositionTable::Hit hit;
      bool known = table_->probe(hash, hit);
      if (!known && sorted && options_.narrow && depth >= kPrepareDepth) {
        // Internal iterative deepening: only for the order.
        const Trace before = trace_;
        featured<true>(here, mover, ply, depth - kPrepareLess, alpha, beta);
        if (halted_) return 0;
        trace_ = before;
        known = table_->probe(hash, hit);
        here.legal(actions);
        rate<false>(here, mover, ply, actions, n, ranks);
      }
      if (known) {
        // With null windows the few open nodes are the principal line: they are searched, so that the line is complete.
        const bool open = options_.narrow && beta > above(alpha);
        if (!open && fits(hit, depth) && settles(hit, alpha, beta)) {
          lines_[level].clear();
          trace_.horizon = trace_.horizon || !hit.complete;
          return hit.value;
        }
        if (sorted) MoveOrder::prefer(hit.action, actions, n, ranks);
      }
      outer = trace_;
      if (sorted && depth >= kLookAheadDepth && !NeedsInterpreter<G>) {
        double known = 0;
        if (look_ahead(here, mover, depth - 1, beta, actions, n, known)) return known;
      }
    }
    // With null windows on, a node also ends when its mover has got all there is to get.
    const double enough = !options_.narrow ? kInfinity : mover == player_ ? leaf_.high() : -leaf_.low();

    double best = -kInfinity;
    Action best_action = kNoAction;
    Trace all;
    for (int i = 0; i < n; ++i) {
      if (sorted) MoveOrder::pick(actions, ranks, i, n);
      const Action a = actions[i];
      if constexpr (kTabled) trace_ = {};
      const auto mark = path_.mark();
      const double value = child(here, mover, ply, depth - 1, a, alpha, beta, i > 0);
      path_.rewind(mark);
      if (halted_) return 0;
      const bool done = beats(value, beta) || value >= enough;
      if (value > best) {
        best = value;
        best_action = a;
        if (value > alpha && !beats(value, beta)) {
          if (options_.cut != Cut::none) alpha = value;
          prepend(ply, a);
        }
      }
      if (done) {
        order_.template learn<!kTabled>(mover, ply, depth, a);
        if constexpr (kTabled) all = trace_;  // the value rests on this action alone
        break;
      }
      if constexpr (kTabled) all.join(trace_);
    }

    if constexpr (kTabled) {
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
  bool look_ahead(const State& here, int mover, int depth, double beta, const Action* actions, int n, double& value) {
    for (int i = 0; i < n; ++i) {
      Glance& glance = glances_[static_cast<std::size_t>(i)];
      State next = here;
      const auto mark = path_.mark();
      path_.apply(next, actions[i]);
      path_.rewind(mark);
      glance.player = next.player();
      if (known_ != nullptr && irreversible(next)) glance.player = kTerminal;  // what is known counts, not its entry
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

  // With an outlook, actions are ranked by what is left after the best reply, else by the game's own guess.
  template <bool kNear>
  void rate(const State& here, int mover, int ply, const Action* actions, int n, MoveOrder::Rank* ranks) {
    if constexpr (HasOutlook<State>) {
      if (near_ && !kNear) {
        order_.template rate<kNear>([&](Action a) { return foresee(here, mover, a); }, mover, ply, actions, n, ranks);
        return;
      }
    }
    order_.template rate<kNear>([&](Action a) { return MoveOrder::guess(here, a); }, mover, ply, actions, n, ranks);
  }

  // What an action is worth after the best reply, as the game sees it, on the scale of guesses.
  int foresee(const State& here, int mover, Action a) {
    State next = here;
    next.apply(a);
    double value = 0;
    if (next.player() < 0) {
      value = leaf_(next, true);
    } else {
      const Outlook outlook = next.outlook(leaf_.kind(), player_, 1, -kInfinity, kInfinity);
      value = outlook.low == outlook.high ? outlook.low : leaf_.unfinished(next);
    }
    const double part = (value - leaf_.low()) / (leaf_.high() - leaf_.low());
    return static_cast<int>((mover == player_ ? part : 1 - part) * MoveOrder::kMostGuess);
  }

  // --- Small parts ---

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

  // After a terminal child: was it a repetition, and of which position?
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
  bool count() {
    if (++nodes_ >= next_check_) [[unlikely]]
      look_around();
    return !halted_;
  }

  // Budget, clock and stop token.
  [[gnu::noinline]] void look_around() {
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
  bool near_ = false;

  std::unique_ptr<TranspositionTable> table_;
  MoveOrder order_;
  Path<State> path_;
  std::vector<std::vector<Action>> lines_;  // principal line from each ply on, last action first
  std::vector<Action> actions_;             // max_legal per ply
  std::vector<MoveOrder::Rank> ranks_;
  std::size_t width_ = 0;
  std::vector<Glance> glances_;

  int player_ = 0;  // the searcher
  std::uint64_t salt_ = 0;
  std::int64_t nodes_ = 0;
  std::int64_t leaves_ = 0;
  std::int64_t next_check_ = 0;
  std::int64_t interval_ = 1024;
  bool halted_ = false;
  int deepest_ = 0;
  Trace trace_;
  Clock::time_point start_{};
  Stop* stop_ = nullptr;
};

}  // namespace kiebitz::search
