// Exact play with open cards for games of two sides (HasSides): alpha-beta over the payoff of a side, with a table of
// positions, and moves that cut elsewhere first. Made for the last tricks of a card game; announcements are left out.
//
// All players of a side get the same payoff and all payoffs add up to 0, so one number per position is enough.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "base/stop.hpp"
#include "games/contract.hpp"
#include "search/analysis.hpp"
#include "search/transposition_table.hpp"

namespace kiebitz::search {

template <GameLike G>
  requires HasSides<typename G::State>
class OpenHand {
 public:
  using State = typename G::State;

  // `game` must outlive the solver.
  explicit OpenHand(const G& game)
      : info_(game.info()),
        width_(static_cast<std::size_t>(std::max(info_.max_legal, 1))),
        table_(kEntries),
        history_(static_cast<std::size_t>(std::max(info_.actions, 1))) {
    reset();
  }

  // Forgets everything, so that the result under a node limit depends on the next position alone.
  void reset() {
    salt_ = mix64(++generation_);
    std::ranges::fill(history_, 0U);
    killers_.clear();
  }

  // The payoff of each player when both sides play their best. False if that takes more nodes than allowed.
  bool payoffs(const State& state, std::int64_t nodes, double* out) {
    State start = state;
    if (!begin(start, nodes, {})) return false;
    const double value = search(start, 0, -kInfinity, kInfinity);
    for (int p = 0; p < info_.players; ++p) out[p] = value * share_[static_cast<std::size_t>(p)];
    return !cut_;
  }

  // The value of each action for the player to move, and the nodes visited below it. False if that takes more nodes
  // than allowed, or if `stop`, which is called now and then, says so; the numbers are then meaningless.
  bool values(const State& state, std::span<const Action> actions, std::int64_t nodes, std::function<bool()> stop,
              double* out, std::int64_t* visited) {
    State start = state;
    const int mover = state.player();
    if (!begin(start, nodes, std::move(stop))) return false;
    for (std::size_t i = 0; i < actions.size() && !cut_; ++i) {
      const std::int64_t before = nodes_;
      State next = state;
      next.apply(actions[i]);
      if constexpr (HasCalls<State>) next.restrict_calls(Calls::none);
      out[i] = share_[static_cast<std::size_t>(mover)] * search(next, 0, -kInfinity, kInfinity);
      visited[i] = nodes_ - before;
    }
    return !cut_;
  }

  // What player `p` gets for each point of player `mover`, in the position that was solved last.
  double ratio(int p, int mover) const {
    return share_[static_cast<std::size_t>(p)] / share_[static_cast<std::size_t>(mover)];
  }

  // A search like any other, for people, with as many nodes as it takes.
  Analysis search(const State& state, std::span<const std::uint64_t>, Stop& stop) {
    const auto begun = Stop::Clock::now();
    if (state.player() < 0) throw Error("open_hand: nobody is to move here");
    if (!state.settled()) throw UnsuitableGame("open_hand: who plays with whom is not settled yet");
    std::vector<Action> legal(width_);
    legal.resize(static_cast<std::size_t>(state.legal(legal.data())));
    std::vector<double> worth(legal.size());
    std::vector<std::int64_t> visited(legal.size());
    reset();
    const auto poll = [&stop] { return stop.poll(); };
    if (!values(state, legal, std::numeric_limits<std::int64_t>::max(), poll, worth.data(), visited.data())) {
      throw LimitError("open_hand: stopped before the position was solved");
    }
    Analysis out;
    out.method = "open_hand";
    out.player = state.player();
    for (std::size_t i = 0; i < legal.size(); ++i) {
      out.actions.push_back({legal[i], state.name(legal[i]), visited[i], worth[i], 0, {.sound = true}, {}});
    }
    const auto best = static_cast<std::size_t>(std::ranges::max_element(worth) - worth.begin());
    out.best = legal[best];
    out.best_name = out.actions[best].name;
    out.value = worth[best];
    out.certainty.sound = true;
    out.line = {out.best};
    out.line_names = {out.best_name};
    out.nodes = nodes_;
    out.leaves = leaves_;
    out.depth = state.left();
    out.seconds = std::chrono::duration<double>(Stop::Clock::now() - begun).count();
    return out;
  }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static constexpr std::size_t kEntries = std::size_t{1} << 16;

  struct Entry {
    std::uint64_t key = 0;
    double value = 0;
    Action best = kNoAction;
    Bound bound = Bound::none;
  };

  // Finds the sides and rules out announcements; false if there is only one side.
  bool begin(State& state, std::int64_t nodes, std::function<bool()> stop) {
    nodes_ = leaves_ = 0;
    most_ = nodes;
    stop_ = std::move(stop);
    cut_ = false;
    int members = 0;
    for (int p = info_.players - 1; p >= 0; --p) {
      sides_[static_cast<std::size_t>(p)] = state.side(p);
      if (state.side(p) != 0) continue;
      ++members;
      first_ = p;
    }
    if (members == 0 || members == info_.players) return false;  // no opponents
    for (int p = 0; p < info_.players; ++p) {
      share_[static_cast<std::size_t>(p)] =
          sides_[static_cast<std::size_t>(p)] == 0 ? 1.0 : -static_cast<double>(members) / (info_.players - members);
    }
    if constexpr (HasCalls<State>) state.restrict_calls(Calls::none);
    return true;
  }

  // The payoff of a player of side 0, which that side wants large and the other one small.
  double search(const State& state, int depth, double alpha, double beta) {
    const int player = state.player();
    if (player == kTerminal) {
      ++leaves_;
      Payoffs payoffs;
      state.returns(payoffs.data());
      return payoffs[static_cast<std::size_t>(first_)];
    }
    if (player == kChance) throw UnsuitableGame("open_hand: expected a game without chance from here on");
    if (++nodes_ > most_ || (nodes_ % 1024 == 0 && stop_ && stop_())) cut_ = true;
    if (cut_) return 0;
    Action* const actions = room(depth);
    const int count = state.legal(actions);
    if (count == 1) return step(state, actions[0], depth, alpha, beta);

    // The salt hides entries from before the last reset. The place must not depend on it: which positions share a
    // place, and so how many nodes are visited, would depend on what was solved before.
    const std::uint64_t hash = mix64(state.key());
    const std::uint64_t key = hash ^ salt_;
    Entry& entry = table_[hash % kEntries];
    Action first = kNoAction;
    if (entry.key == key && entry.bound != Bound::none) {
      if (entry.bound == Bound::exact || (entry.bound == Bound::lower && entry.value >= beta) ||
          (entry.bound == Bound::upper && entry.value <= alpha)) {
        return entry.value;
      }
      first = entry.best;
    }
    sort(state, actions, count, depth, first);
    const bool larger = sides_[static_cast<std::size_t>(player)] == 0;
    double low = alpha;
    double high = beta;
    double best = larger ? -kInfinity : kInfinity;
    Action chosen = actions[0];
    for (int i = 0; i < count; ++i) {
      const double value = step(state, actions[i], depth, low, high);
      if (cut_) return 0;
      if (larger ? value > best : value < best) {
        best = value;
        chosen = actions[i];
      }
      (larger ? low : high) = larger ? std::max(low, best) : std::min(high, best);
      if (low >= high) {
        history_[static_cast<std::size_t>(chosen)] += static_cast<std::uint32_t>(count);
        killers_[static_cast<std::size_t>(depth)] = chosen;
        break;
      }
    }
    // A position below may have used the same entry: from here on it is only written.
    table_[hash % kEntries] = {key, best, chosen,
                               best <= alpha  ? Bound::upper
                               : best >= beta ? Bound::lower
                                              : Bound::exact};
    return best;
  }

  double step(const State& state, Action a, int depth, double alpha, double beta) {
    State next = state;
    next.apply(a);
    return search(next, depth + 1, alpha, beta);
  }

  // Room for the actions of one depth. Grows by whole depths, so the room of smaller depths does not move.
  Action* room(int depth) {
    const auto d = static_cast<std::size_t>(depth);
    while (rooms_.size() <= d) rooms_.emplace_back(width_);
    if (killers_.size() <= d) killers_.resize(d + 1, kNoAction);
    return rooms_[d].data();
  }

  // Best guess first: the action of the table, the one that cut last at this depth, then those that cut often.
  void sort(const State& state, Action* actions, int count, int depth, Action first) const {
    const Action killer = killers_[static_cast<std::size_t>(depth)];
    const auto worth = [&](Action a) {
      if (a == first) return std::numeric_limits<std::int64_t>::max();
      std::int64_t guess = history_[static_cast<std::size_t>(a)];
      if (a == killer) guess += std::int64_t{1} << 40;
      if constexpr (HasOrder<State>) guess += std::int64_t{state.order(a)} << 20;
      return guess;
    };
    (void)state;
    std::array<std::int64_t, 64> keys;
    const int sorted = std::min(count, static_cast<int>(keys.size()));
    for (int i = 0; i < sorted; ++i) {
      const Action a = actions[i];
      const std::int64_t key = worth(a);
      int at = i;
      for (; at > 0 && keys[static_cast<std::size_t>(at - 1)] < key; --at) {
        keys[static_cast<std::size_t>(at)] = keys[static_cast<std::size_t>(at - 1)];
        actions[at] = actions[at - 1];
      }
      keys[static_cast<std::size_t>(at)] = key;
      actions[at] = a;
    }
  }

  const GameInfo& info_;
  const std::size_t width_;
  std::vector<Entry> table_;
  std::vector<std::uint32_t> history_;
  std::vector<Action> killers_;             // by depth
  std::vector<std::vector<Action>> rooms_;  // by depth
  std::uint64_t generation_ = 0;
  std::uint64_t salt_ = 0;
  std::array<int, kMaxPlayers> sides_{};
  std::array<double, kMaxPlayers> share_{};
  int first_ = 0;  // a player of side 0
  std::int64_t nodes_ = 0;
  std::int64_t leaves_ = 0;
  std::int64_t most_ = 0;
  std::function<bool()> stop_;
  bool cut_ = false;
};

}  // namespace kiebitz::search
