// Backward induction: solves any finite game of perfect information from its ends, for n players with any payoffs. At
// each node the mover maximises its own payoff; chance nodes take the expectation.
//
// Three grades of solution (Allis 1994): ultra_weak, the value of the start; weak, a line of perfect play as well;
// strong, a table with the value and all optimal actions of every position that can be reached, also after mistakes.
//
// State::key() tells positions apart. Ties: all optimal actions count, the first one gives the value and the line. If
// it is stopped, `stopped` is set and there is no value: half of an induction proves nothing.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/named_enum.hpp"
#include "base/stop.hpp"
#include "games/contract.hpp"
#include "search/key_index.hpp"

namespace kiebitz::search {

KIEBITZ_NAMED_ENUM(Grade, ultra_weak, weak, strong)

class Solution {
 public:
  struct Entry {
    std::vector<double> value;    // one per player
    std::vector<Action> optimal;  // ascending; empty at chance nodes and ends
  };

  Grade grade = Grade::ultra_weak;
  bool stopped = false;
  std::vector<double> value;  // of the start, one per player; empty if stopped
  std::string outcome;        // the same in words
  std::vector<Action>
      line;  // weak and strong: perfect play, through the likeliest outcome (the first of them) of each chance node
  std::vector<std::string> line_names;
  std::int64_t positions = 0;  // different ones, ends included
  std::int64_t bytes = 0;      // what the tables take

  // Strong solutions only; empty for positions that cannot be reached from the start.
  std::optional<Entry> lookup(std::uint64_t key) const {
    const auto number = index_.number(key);
    if (grade != Grade::strong || stopped || !number) return std::nullopt;
    const auto value = row(*number);
    const OptimalActions& optimal = optimal_[*number];
    const auto first = actions_.begin() + static_cast<std::ptrdiff_t>(optimal.first);
    return Entry{{value.begin(), value.end()}, {first, first + optimal.count}};
  }
  template <StateLike S>
  std::optional<Entry> lookup(const S& state) const {
    return lookup(state.key());
  }

 private:
  template <GameLike G>
  friend class Induction;

  struct OptimalActions {
    std::uint64_t first = 0;
    std::uint32_t count = 0;
  };

  std::span<const double> row(std::uint32_t number) const {
    return {values_.data() + std::size_t{number} * players_, players_};
  }

  std::size_t players_ = 0;
  KeyIndex index_;
  std::vector<double> values_;           // players_ numbers a position
  std::vector<Action> best_;             // first optimal action; kOpen, kNoAction
  std::vector<OptimalActions> optimal_;  // strong: where the optimal actions are
  std::vector<Action> actions_;
};

// One run of backward induction, depth first with an explicit stack.
template <GameLike G>
class Induction {
 public:
  using State = typename G::State;

  Induction(const G& game, Grade grade, Stop& stop, std::int64_t memory_mb)
      : info_(game.info()), stop_(stop), limit_(memory_mb << 20) {
    if (memory_mb < 1 || memory_mb > kMostMegabytes) {
      throw ParameterError("memory_mb: expected 1 to " + std::to_string(kMostMegabytes) + ", got " +
                           std::to_string(memory_mb));
    }
    if (info_.hidden) {
      throw UnsuitableGame("backward induction needs perfect information; in " + info_.name +
                           " players see less than the state");
    }
    if (info_.repetition) {
      throw UnsuitableGame("backward induction needs values that depend on the position alone; in " + info_.name +
                           " a repeated position ends the game");
    }
    out_.grade = grade;
    out_.players_ = static_cast<std::size_t>(info_.players);
    actions_.resize(static_cast<std::size_t>(info_.max_legal));
    outcomes_.resize(static_cast<std::size_t>(info_.max_legal));
  }

  Solution solve(const State& root) {
    const std::uint32_t start = enter(root);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      if (frame.next == branches_.size()) {
        leave();
        continue;
      }
      if (++steps_ % kInterval == 0 && stop_.poll()) return abandon();
      Branch& branch = branches_[frame.next++];
      State child = frame.state;
      child.apply(branch.action);
      // enter() may move both stacks.
      const std::size_t at = frame.next - 1;
      const std::uint32_t number = enter(child);
      branches_[at].child = number;
    }
    report(root, start);
    return std::move(out_);
  }

 private:
  static constexpr std::int64_t kMostMegabytes = 1 << 20;
  static constexpr std::uint64_t kInterval = NeedsInterpreter<G> ? 16 : 4096;
  static constexpr Action kOpen = -2;  // in best_: not solved yet

  struct Branch {
    Action action;
    double probability;  // at chance nodes
    std::uint32_t child;
  };
  struct Frame {
    State state;
    std::uint32_t number;
    bool chance;
    std::size_t first;  // of its branches, which reach to the end of the stack of branches
    std::size_t next;
  };

  // The number of a position; opens a frame for one that still has to be solved.
  std::uint32_t enter(const State& state) {
    make_room();
    const auto [number, fresh] = out_.index_.add(state.key());
    if (!fresh) {
      if (out_.best_[number] == kOpen) {
        throw UnsuitableGame("backward induction needs a game without cycles; in " + info_.name +
                             " this position can follow from itself:\n" + state.text());
      }
      return number;
    }
    const std::size_t at = out_.values_.size();
    out_.values_.resize(at + out_.players_);
    out_.best_.push_back(kOpen);
    if (out_.grade == Grade::strong) out_.optimal_.push_back({});
    const int player = state.player();
    if (player == kTerminal) {
      Payoffs payoffs{};
      state.returns(payoffs.data());
      std::copy_n(payoffs.begin(), out_.players_, out_.values_.begin() + static_cast<std::ptrdiff_t>(at));
      out_.best_[number] = kNoAction;
      return number;
    }
    const std::size_t first = branches_.size();
    if (player == kChance) {
      const int n = state.outcomes(outcomes_.data());
      for (int i = 0; i < n; ++i) {
        const Outcome& o = outcomes_[static_cast<std::size_t>(i)];
        branches_.push_back({o.action, o.probability, 0});
      }
    } else {
      const int n = state.legal(actions_.data());
      for (int i = 0; i < n; ++i) branches_.push_back({actions_[static_cast<std::size_t>(i)], 0, 0});
    }
    frames_.push_back({state, number, player == kChance, first, first});
    return number;
  }

  // All children of the top frame are solved.
  void leave() {
    const Frame& frame = frames_.back();
    const std::span<const Branch> branches(branches_.data() + frame.first, branches_.size() - frame.first);
    double* const value = out_.values_.data() + std::size_t{frame.number} * out_.players_;
    if (frame.chance) {
      double likeliest = 0;
      for (const Branch& b : branches) {
        const auto child = out_.row(b.child);
        for (std::size_t p = 0; p < out_.players_; ++p) value[p] += b.probability * child[p];
        if (b.probability > likeliest * (1 + 1e-12)) {
          likeliest = b.probability;
          out_.best_[frame.number] = b.action;
        }
      }
    } else {
      const auto mover = static_cast<std::size_t>(frame.state.player());
      double best = out_.row(branches[0].child)[mover];
      for (const Branch& b : branches) best = std::max(best, out_.row(b.child)[mover]);
      // Expectations have rounding errors: values that differ by no more than that are equal.
      const double slack =
          info_.chance ? 1e-12 * std::max({1.0, std::abs(info_.min_payoff), std::abs(info_.max_payoff)}) : 0;
      if (out_.grade == Grade::strong) out_.optimal_[frame.number].first = out_.actions_.size();
      bool first = true;
      for (const Branch& b : branches) {
        const auto child = out_.row(b.child);
        if (child[mover] < best - slack) continue;
        if (first) {
          std::copy(child.begin(), child.end(), value);
          out_.best_[frame.number] = b.action;
        }
        first = false;
        if (out_.grade != Grade::strong) break;
        out_.actions_.push_back(b.action);
        ++out_.optimal_[frame.number].count;
      }
    }
    branches_.resize(frame.first);
    frames_.pop_back();
  }

  // Before anything grows: a vector doubles, and the old one is still in memory meanwhile.
  void make_room() {
    const auto next = [](const auto& v, std::size_t more) {
      const std::size_t size = sizeof(v[0]);
      return static_cast<std::int64_t>(size *
                                       (v.size() + more <= v.capacity() ? v.capacity() : 3 * v.capacity() + more));
    };
    const std::size_t width = actions_.size();
    const std::int64_t needed = out_.index_.bytes() + out_.index_.room_needed() + next(out_.values_, out_.players_) +
                                next(out_.best_, 1) + next(out_.optimal_, 1) + next(out_.actions_, width) +
                                next(branches_, width) + next(frames_, 1);
    if (needed > limit_) {
      throw LimitError("memory_mb: " + std::to_string(out_.index_.size()) + " positions found so far; going on needs " +
                       std::to_string((needed >> 20) + 1) + " MB, the limit is " + std::to_string(limit_ >> 20) +
                       " MB");
    }
    out_.bytes = needed;
  }

  Solution abandon() {
    Solution out;
    out.grade = out_.grade;
    out.stopped = true;
    out.positions = out_.index_.size();
    return out;
  }

  void report(const State& root, std::uint32_t start) {
    const auto value = out_.row(start);
    out_.value.assign(value.begin(), value.end());
    out_.positions = out_.index_.size();
    out_.outcome = outcome_text();
    if (out_.grade == Grade::ultra_weak) return;
    State state = root;
    while (state.player() != kTerminal) {
      const Action a = out_.best_[*out_.index_.number(state.key())];
      out_.line.push_back(a);
      out_.line_names.push_back(state.name(a));
      state.apply(a);
    }
  }

  std::string outcome_text() const {
    const auto& value = out_.value;
    if (info_.players == 2 && !info_.chance &&
        (info_.utility == Utility::zero_sum || info_.utility == Utility::constant_sum)) {
      if (value[0] == value[1]) return "draw";
      return value[0] > value[1] ? "player 0 wins" : "player 1 wins";
    }
    std::string text;
    for (std::size_t p = 0; p < value.size(); ++p) {
      std::string number = std::to_string(value[p]);
      number.erase(number.find_last_not_of('0') + 1);
      if (number.back() == '.') number.pop_back();
      text += (p == 0 ? "player " : ", player ") + std::to_string(p) + (info_.chance ? " expects " : " gets ") + number;
    }
    return text;
  }

  const GameInfo& info_;
  Stop& stop_;
  std::int64_t limit_;
  std::uint64_t steps_ = 0;
  std::vector<Frame> frames_;
  std::vector<Branch> branches_;
  std::vector<Action> actions_;
  std::vector<Outcome> outcomes_;
  Solution out_;
};

// Throws UnsuitableGame (hidden information, repetition, cycles) and LimitError.
template <GameLike G>
Solution solve(const G& game, const typename G::State& root, Grade grade, Stop& stop, std::int64_t memory_mb = 1024) {
  return Induction<G>(game, grade, stop, memory_mb).solve(root);
}

}  // namespace kiebitz::search
