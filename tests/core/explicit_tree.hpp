// A game that is nothing but a tree written down by a test: any number of players, any payoffs, chance. It knows the
// game contract and nothing else, so that searches are tested against trees whose answers are known.
#pragma once

#include <algorithm>
#include <numeric>
#include <utility>

#include "games/contract.hpp"

namespace explicit_tree {

using namespace kiebitz;

struct Node {
  int player = kTerminal;
  std::vector<int> children;
  std::vector<double> probabilities;  // chance nodes only
  std::vector<double> payoffs;        // ends only
};

class Game;

class State {
 public:
  explicit State(const Game* game) : game_(game) {}
  inline int player() const;
  inline int legal(Action* out) const;
  inline int outcomes(Outcome* out) const;
  inline void apply(Action a);
  inline void returns(double* out) const;
  std::uint64_t key() const { return static_cast<std::uint64_t>(node_); }
  std::string name(Action a) const { return std::to_string(a); }
  std::optional<Action> parse(std::string_view) const { return std::nullopt; }
  int kind(Action) const { return 0; }
  std::string text() const { return "node " + std::to_string(node_) + "\n"; }
  Fields save() const { return {}; }
  int node() const { return node_; }

 private:
  const Game* game_;
  int node_ = 0;
};

class Game {
 public:
  using State = explicit_tree::State;

  explicit Game(const Fields&) {}
  Game(int players, Utility utility) {
    info_.name = "explicit_tree";
    info_.players = players;
    info_.utility = utility;
    info_.max_legal = 1;
    info_.min_payoff = -1000;
    info_.max_payoff = 1000;
  }

  static std::vector<Parameter> parameters() { return {}; }
  static std::vector<Preset> presets() { return {}; }
  const GameInfo& info() const { return info_; }
  GameInfo& info() { return info_; }
  State root() const { return State(this); }
  State load(const Fields&) const { return root(); }
  const Node& node(int i) const { return nodes_[static_cast<std::size_t>(i)]; }
  int size() const { return static_cast<int>(nodes_.size()); }

  // Nodes are added parents first: node 0 is the root.
  int add(int parent, Node node) {
    const int i = size();
    nodes_.push_back(std::move(node));
    if (parent >= 0) {
      auto& children = nodes_[static_cast<std::size_t>(parent)].children;
      children.push_back(i);
      info_.max_legal = std::max(info_.max_legal, static_cast<int>(children.size()));
      info_.actions = info_.max_legal;
    }
    info_.max_length = size();
    return i;
  }
  int leaf(int parent, std::vector<double> payoffs) { return add(parent, {kTerminal, {}, {}, std::move(payoffs)}); }
  // Two players, zero sum.
  int leaf(int parent, double first) { return leaf(parent, std::vector<double>{first, -first}); }

 private:
  std::vector<Node> nodes_;
  GameInfo info_;
};

inline int State::player() const { return game_->node(node_).player; }
inline int State::legal(Action* out) const {
  const int n = static_cast<int>(game_->node(node_).children.size());
  std::iota(out, out + n, 0);
  return n;
}
inline int State::outcomes(Outcome* out) const {
  const auto& p = game_->node(node_).probabilities;
  for (std::size_t i = 0; i < p.size(); ++i) out[i] = {static_cast<Action>(i), p[i]};
  return static_cast<int>(p.size());
}
inline void State::apply(Action a) { node_ = game_->node(node_).children[static_cast<std::size_t>(a)]; }
inline void State::returns(double* out) const {
  const auto& payoffs = game_->node(node_).payoffs;
  std::copy(payoffs.begin(), payoffs.end(), out);
}

static_assert(GameLike<Game>);

}  // namespace explicit_tree
