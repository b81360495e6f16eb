// Proofs of endings of Oware for the rule that a repeated position ends the game: can the player to move force a goal
// in seeds, given all moves so far? The endgame table has bounds for positions without a past; this is the rest.
//
// Two parts.
//   - A picture of the play without captures from here on: its positions are nodes, captures lead out to what the table
//     knows, and positions of the past are ends of the game, where the rows decide. A player who can reach a
//     good end, or in the end stay for ever where their row is worth enough, is sure of the goal: there is a strategy
//     that looks at the position alone, so a first repetition after now closes a circle of good positions (see
//     endgame.hpp).
//   - Where neither player is sure that way it depends on which player is the first to come round. A proof-number
//   search (Allis 1994)
//     looks at the moves: each one makes a position more part of the past. It is a tree and not a graph, because what a
//     position is worth depends on the way to it.
//
// Where the table says which player is sure of a position without a past, only that player's move by the table is in
// the picture, and their other moves count as unknown: so a picture is small. Where the past has spoiled that move, all
// are in.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/stop.hpp"
#include "players/oware/endgame.hpp"

namespace kiebitz::oware {

class Prover {
 public:
  struct Proof {
    int sure = 0;             // 1: of at least the goal; -1: the opponent can prevent it; 0: not found out
    Action move = kNoAction;  // one that keeps it
    std::int64_t nodes = 0;   // positions visited, repeats included
  };

  explicit Prover(std::shared_ptr<const Endgame> table)
      : table_(std::move(table)), game_(Endgame::rules_of(table_->kind())) {}

  const Endgame& table() const { return *table_; }

  // Does the player to move gain at least `goal` seeds more than the other from here on? `seen`: keys of the positions
  // before, since the last capture. The state must be in the table. A limit of zero means no limit.
  Proof at_least(int goal, const State& state, std::span<const std::uint64_t> seen, std::int64_t nodes, double seconds,
                 Stop& stop) {
    if (!state.game().rules().repetition) throw UnsuitableGame("proof: a repetition does not end this game");
    const auto most = std::chrono::duration<double>(seconds > 0 ? std::min(seconds, kLongest) : kLongest);
    answers_.clear();  // an answer must not depend on what was asked before
    limits_ = {Stop::Clock::now() + std::chrono::duration_cast<Stop::Clock::duration>(most), &stop};
    return Search(*this, goal).run(without_limits(state), seen, nodes > 0 ? nodes : kMostNodes);
  }

 private:
  static constexpr double kLongest = 7 * 24 * 3600.0;
  static constexpr std::int64_t kMostNodes = std::int64_t{1} << 50;

  struct Limits {
    Stop::Clock::time_point end;
    Stop* stop = nullptr;
    bool out() const { return stop->poll() || Stop::Clock::now() >= end; }
  };

  // The same position, with the same key, in a game without guard and majority.
  State without_limits(const State& state) const {
    std::vector<std::int64_t> pits(kPits);
    for (int i = 0; i < kPits; ++i) pits[static_cast<std::size_t>(i)] = state.pit(i);
    return game_.load({{"pits", pits},
                       {"captured", std::vector<std::int64_t>{state.captured(0), state.captured(1)}},
                       {"player", std::int64_t{state.mover()}}});
  }

  // One question: a picture, and the tree over it. "Ours" is the player to move at its start.
  class Search {
   public:
    Search(Prover& prover, int goal) : prover_(prover), goal_(goal) {}

    Proof run(const State& start, std::span<const std::uint64_t> seen, std::int64_t budget) {
      me_ = start.mover();
      lead_ = start.captured(me_) - start.captured(1 - me_);
      Proof proof;
      do {
        const bool whole = draw(start, seen, budget - proof.nodes);
        proof.nodes += size();
        if (!whole) return proof;
        label();
      } while (labels_[0] == 0 && widen());
      tree_.push_back({.node = 0});
      if (labels_[0] != 0) {
        settle(tree_[0], labels_[0]);
        proof.move = nodes_[0].move;
      } else {
        shrink();
      }
      while (tree_[0].open() && proof.nodes < budget && tree_.size() < kMostBranches && !prover_.limits_.out()) {
        proof.nodes += expand(budget - proof.nodes);
      }
      proof.sure = tree_[0].proof == 0 ? 1 : tree_[0].refutation == 0 ? -1 : 0;
      for (const Branch& child : children(tree_[0])) {
        if (child.proof == 0) proof.move = child.action;
      }
      if (proof.sure <= 0) proof.move = kNoAction;
      return proof;
    }

   private:
    static constexpr std::int32_t kNone = -1;
    static constexpr std::int64_t kNever = std::int64_t{1} << 40;
    static constexpr std::size_t kMostBranches = std::size_t{1} << 20;

    // Leads to a node, or out: there our goal is reached (1), or not (-1), or that is not known.
    struct Edge {
      std::int32_t to = kNone;
      std::int8_t out = 0;
      std::int8_t action = -1;  // -1: all moves that the picture leaves out
    };
    struct Node {
      std::int32_t first = 0;
      std::int8_t count = 0;
      std::int8_t move = -1;  // of the player who is sure here
      bool ours = false;      // we are to move
      bool good = false;      // the rows reach our goal
      bool past = false;
      std::int8_t owner = 0;  // whose move by the table is the only one in the picture
      std::uint32_t place = 0;
    };
    // In the tree.
    struct Branch {
      std::int32_t node = kNone;  // kNone: a capture
      std::int32_t edge = kNone;
      std::int32_t parent = kNone;
      std::int32_t first = kNone;
      std::int32_t count = 0;
      std::int8_t action = -1;
      std::int64_t proof = 1;
      std::int64_t refutation = 1;
      bool open() const { return proof > 0 && refutation > 0 && (proof < kNever || refutation < kNever); }
    };

    std::int32_t size() const { return static_cast<std::int32_t>(nodes_.size()); }
    Node& node(std::int32_t i) { return nodes_[static_cast<std::size_t>(i)]; }
    std::int8_t& label(std::int32_t i) { return labels_[static_cast<std::size_t>(i)]; }
    std::span<Edge> edges(const Node& node) {
      return {edges_.data() + node.first, static_cast<std::size_t>(node.count)};
    }
    std::span<const std::int32_t> before(std::int32_t i) const {
      const auto at = static_cast<std::size_t>(i);
      return {before_.data() + starts_[at], static_cast<std::size_t>(starts_[at + 1] - starts_[at])};
    }
    std::span<Branch> children(const Branch& branch) {
      return {tree_.data() + std::max(branch.first, 0), static_cast<std::size_t>(branch.count)};
    }

    // Which player is sure of a position without a past, by the table: 1 we, -1 the opponent, 0 unknown.
    int sure(const State& state, const Ending& ending) const {
      const int gain = state.captured(me_) - state.captured(1 - me_) - lead_;
      const bool ours = state.mover() == me_;
      const int low = gain + (ours ? ending.low : -ending.high);
      const int high = gain + (ours ? ending.high : -ending.low);
      return low >= goal_ ? 1 : high < goal_ ? -1 : 0;
    }

    // --- The picture ---

    // False: too large, or out of time.
    bool draw(const State& start, std::span<const std::uint64_t> seen, std::int64_t budget) {
      int seeds = 0;
      for (int i = 0; i < kPits; ++i) seeds += start.pit(i);
      const std::size_t below = Ranking::below(seeds);
      std::vector<std::int32_t> ids(2 * (Ranking::below(seeds + 1) - below), kNone);
      wide_.resize(ids.size());
      nodes_.clear();
      states_.clear();
      edges_.clear();
      const auto id_of = [&](const State& state) {
        const bool ours = state.mover() == me_;
        const std::size_t place = 2 * (Endgame::rank(state) - below) + (ours ? 1 : 0);
        std::int32_t& id = ids[place];
        if (id == kNone) {
          id = size();
          int row = 0;
          for (int i = 0; i < kRow; ++i) row += state.pit(me_ * kRow + i);
          nodes_.push_back({.ours = ours,
                            .good = 2 * row - seeds >= goal_,
                            .past = id != 0 && std::ranges::find(seen, state.key()) != seen.end(),
                            .place = static_cast<std::uint32_t>(place)});
          states_.push_back(state);
        }
        return id;
      };
      id_of(start);
      for (std::int32_t i = 0; i < size(); ++i) {
        if (i >= budget || (i % 1024 == 0 && prover_.limits_.out())) return false;
        node(i).first = static_cast<std::int32_t>(edges_.size());
        if (!node(i).past) add_moves(i, id_of);
        node(i).count = static_cast<std::int8_t>(static_cast<std::int32_t>(edges_.size()) - node(i).first);
      }
      link();
      return true;
    }

    template <class IdOf>
    void add_moves(std::int32_t i, IdOf&& id_of) {
      const State here = states_[static_cast<std::size_t>(i)];
      const Ending& ending = prover_.table_->entries()[Endgame::rank(here)];
      const int who = sure(here, ending);
      if (who == (node(i).ours ? 1 : -1) && !wide_[node(i).place]) node(i).owner = static_cast<std::int8_t>(who);
      Action actions[kRow];
      const int n = here.legal(actions);
      for (int k = 0; k < n; ++k) {
        if (node(i).owner != 0 && actions[k] != ending.move) continue;
        State next = here;
        next.apply(actions[k]);
        Edge edge{.action = static_cast<std::int8_t>(actions[k])};
        if (next.player() < 0) {
          edge.out = next.captured(me_) - next.captured(1 - me_) - lead_ >= goal_ ? 1 : -1;
        } else if (next.irreversible()) {
          edge.out = static_cast<std::int8_t>(sure(next, prover_.table_->entries()[Endgame::rank(next)]));
        } else {
          edge.to = id_of(next);
        }
        edges_.push_back(edge);
      }
      if (node(i).owner != 0 && n > 1) edges_.push_back({});
    }

    // Asks for all moves where the past has spoiled the one of the table; false: nowhere.
    bool widen() {
      bool more = false;
      for (std::int32_t i = 0; i < size(); ++i) {
        if (node(i).owner == 0 || node(i).owner == label(i)) continue;
        wide_[node(i).place] = more = true;
      }
      return more;
    }

    // Leaves only open nodes. A player who is sure of a node has a strategy that stays among sure nodes, and the tree
    // grows through open ones, so what it adds to the past cannot spoil that.
    void shrink() {
      std::vector<std::int32_t> order{0};
      std::vector<std::int32_t> ids(nodes_.size(), kNone);
      ids[0] = 0;
      std::vector<Node> nodes;
      std::vector<State> states;
      std::vector<Edge> kept;
      for (std::size_t k = 0; k < order.size(); ++k) {
        nodes.push_back(node(order[k]));
        states.push_back(states_[static_cast<std::size_t>(order[k])]);
        nodes.back().first = static_cast<std::int32_t>(kept.size());
        for (Edge edge : edges(node(order[k]))) {
          if (edge.to != kNone && label(edge.to) != 0) {
            edge.out = label(edge.to);
            edge.to = kNone;
          } else if (edge.to != kNone) {
            std::int32_t& id = ids[static_cast<std::size_t>(edge.to)];
            if (id == kNone) {
              id = static_cast<std::int32_t>(order.size());
              order.push_back(edge.to);
            }
            edge.to = id;
          }
          kept.push_back(edge);
        }
      }
      nodes_.swap(nodes);
      states_.swap(states);
      edges_.swap(kept);
      link();
    }

    // Notes where each node can be reached from.
    void link() {
      starts_.assign(nodes_.size() + 1, 0);
      for (const Edge& edge : edges_) {
        if (edge.to != kNone) ++starts_[static_cast<std::size_t>(edge.to) + 1];
      }
      for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
      before_.resize(static_cast<std::size_t>(starts_.back()));
      std::vector<std::int32_t> at = starts_;
      for (std::int32_t i = 0; i < size(); ++i) {
        for (const Edge& edge : edges(node(i))) {
          if (edge.to != kNone) before_[static_cast<std::size_t>(at[static_cast<std::size_t>(edge.to)]++)] = i;
        }
      }
    }

    // --- Which player is sure of which node, with the past as it is now ---

    void label() {
      labels_.assign(nodes_.size(), 0);
      label_for(1);
      label_for(-1);
    }

    // "In the end always": what the player can reach, then where they can stay for ever among good nodes, and again.
    void label_for(std::int8_t who) {
      queue_.clear();
      left_.assign(nodes_.size(), 0);
      for (std::int32_t i = 0; i < size(); ++i) {
        const Node& here = node(i);
        if (here.past) {
          if (here.good == (who > 0)) win(i, who, -1);
          continue;
        }
        int won = 0;
        std::int8_t action = -1;
        for (const Edge& edge : edges(here)) {
          if (edge.to != kNone || edge.out != who) continue;  // what nodes are worth is counted when they are won
          ++won;
          action = edge.action;
        }
        left(i) = static_cast<std::int8_t>(here.count - won);
        if (moves(here, who) ? won > 0 : left(i) == 0) win(i, who, action);
      }
      std::size_t done = 0;
      do {
        for (; done < queue_.size(); ++done) reach(queue_[done], who);
      } while (stay(who));
    }

    static bool moves(const Node& node, int who) { return node.ours == (who > 0); }

    // Out to what is won, or to a node that is.
    bool leads_to(const Edge& edge, int who) { return (edge.to == kNone ? edge.out : label(edge.to)) == who; }

    void win(std::int32_t i, std::int8_t who, std::int8_t action) {
      label(i) = who;
      node(i).move = action;
      queue_.push_back(i);
    }

    void reach(std::int32_t won, std::int8_t who) {
      for (const std::int32_t i : before(won)) {
        if (label(i) != 0 || node(i).past) continue;
        if (moves(node(i), who)) {
          win(i, who, std::ranges::find(edges(node(i)), won, &Edge::to)->action);
        } else if (--left(i) == 0) {
          win(i, who, -1);
        }
      }
    }

    // Adds the largest set of nodes that are good for the player and from which they can stay in it or reach what is
    // won.
    bool stay(std::int8_t who) {
      stays_.assign(nodes_.size(), 0);
      for (std::int32_t i = 0; i < size(); ++i) {
        stays(i) = label(i) == 0 && !node(i).past && node(i).good == (who > 0);
      }
      const auto fits = [&](const Edge& edge) { return leads_to(edge, who) || (edge.to != kNone && stays(edge.to)); };
      drop_.clear();
      for (std::int32_t i = 0; i < size(); ++i) {
        if (stays(i)) keep(i, who, fits);
      }
      for (std::size_t k = 0; k < drop_.size(); ++k) {
        for (const std::int32_t i : before(drop_[k])) {
          if (stays(i)) keep(i, who, fits);
        }
      }
      bool more = false;
      for (std::int32_t i = 0; i < size(); ++i) {
        if (!stays(i)) continue;
        win(i, who, moves(node(i), who) ? std::ranges::find_if(edges(node(i)), fits)->action : std::int8_t{-1});
        more = true;
      }
      return more;
    }

    template <class Fits>
    void keep(std::int32_t i, int who, Fits&& fits) {
      const auto list = edges(node(i));
      if (moves(node(i), who) ? std::ranges::any_of(list, fits) : std::ranges::all_of(list, fits)) return;
      stays(i) = false;
      drop_.push_back(i);
    }

    // --- The tree ---

    static void settle(Branch& branch, int who) {
      branch.proof = who > 0 ? 0 : kNever;
      branch.refutation = who < 0 ? 0 : kNever;
    }

    // Looks one move further at the most telling place; how many positions that took.
    std::int64_t expand(std::int64_t budget) {
      std::int32_t at = 0;
      for (; branch(at).count > 0; at = most_telling(branch(at))) node(branch(at).node).past = true;
      std::int64_t nodes = size();
      if (branch(at).node == kNone) {
        nodes = capture(at, budget);
      } else {
        node(branch(at).node).past = true;
        label();
        branch(at).first = static_cast<std::int32_t>(tree_.size());
        branch(at).count = node(branch(at).node).count;
        for (const Edge& edge : edges(node(branch(at).node))) {
          Branch child{.node = edge.to, .parent = at, .action = edge.action};
          child.edge = static_cast<std::int32_t>(&edge - edges_.data());
          const int who = edge.to == kNone ? edge.out : label(edge.to);
          if (who != 0) settle(child, who);
          tree_.push_back(child);
        }
        back_up(branch(at));
        node(branch(at).node).past = false;
      }
      while ((at = branch(at).parent) != kNone) {
        back_up(branch(at));
        node(branch(at).node).past = false;
      }
      return nodes;
    }

    std::int32_t most_telling(const Branch& parent) {
      const bool ours = node(parent.node).ours;
      const auto effort = [&](const Branch& b) {
        return ours ? std::pair(b.proof, b.refutation) : std::pair(b.refutation, b.proof);
      };
      const Branch* best = nullptr;
      for (const Branch& child : children(parent)) {
        if (child.open() && (best == nullptr || effort(child) < effort(*best))) best = &child;
      }
      return static_cast<std::int32_t>(best - tree_.data());
    }

    void back_up(Branch& parent) {
      const bool ours = node(parent.node).ours;
      std::int64_t least = kNever;
      std::int64_t sum = 0;
      for (const Branch& child : children(parent)) {
        least = std::min(least, ours ? child.proof : child.refutation);
        sum = std::min(kNever, sum + (ours ? child.refutation : child.proof));
      }
      (ours ? parent.proof : parent.refutation) = least;
      (ours ? parent.refutation : parent.proof) = sum;
    }

    // After a capture there is no past: a question of its own, whose answer is kept.
    std::int64_t capture(std::int32_t at, std::int64_t budget) {
      Edge& edge = edges_[static_cast<std::size_t>(branch(at).edge)];
      State next = states_[static_cast<std::size_t>(branch(branch(at).parent).node)];
      next.apply(edge.action);
      const int needed = goal_ - (next.captured(me_) - next.captured(1 - me_) - lead_);
      const bool ours = next.mover() == me_;
      // The opponent keeps us from it by gaining more than the negative of it.
      const int goal = ours ? needed : 1 - needed;
      const std::size_t key = Endgame::rank(next) * 64 + static_cast<std::size_t>(goal + 32);
      const auto known = prover_.answers_.find(key);
      Proof proof;
      if (known != prover_.answers_.end()) {
        proof.sure = known->second;
      } else {
        proof = Search(prover_, goal).run(next, {}, budget);
        if (proof.sure != 0) prover_.answers_.emplace(key, static_cast<std::int8_t>(proof.sure));
      }
      edge.out = static_cast<std::int8_t>(ours ? proof.sure : -proof.sure);
      settle(branch(at), edge.out);
      return proof.nodes + 1;
    }

    Branch& branch(std::int32_t i) { return tree_[static_cast<std::size_t>(i)]; }
    std::int8_t& left(std::int32_t i) { return left_[static_cast<std::size_t>(i)]; }
    std::uint8_t& stays(std::int32_t i) { return stays_[static_cast<std::size_t>(i)]; }

    Prover& prover_;
    int goal_;
    int me_ = 0;
    int lead_ = 0;
    std::vector<bool> wide_;  // by place
    std::vector<Node> nodes_;
    std::vector<State> states_;  // of the nodes
    std::vector<Edge> edges_;
    std::vector<std::int32_t> starts_;  // of each node's part of before_
    std::vector<std::int32_t> before_;
    std::vector<std::int8_t> labels_;
    std::vector<std::int8_t> left_;  // edges that do not lead to what is won
    std::vector<std::uint8_t> stays_;
    std::vector<std::int32_t> queue_;
    std::vector<std::int32_t> drop_;
    std::vector<Branch> tree_;
  };

  std::shared_ptr<const Endgame> table_;
  Game game_;
  Limits limits_;
  std::unordered_map<std::size_t, std::int8_t> answers_;  // for positions right after a capture, by rank and goal
};

}  // namespace kiebitz::oware
