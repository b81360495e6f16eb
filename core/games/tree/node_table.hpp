// The checked arrays behind an explicit tree. Children of a node lie side by side and behind it, so a tree cannot have
// cycles. What is not a finite extensive-form game with perfect recall (Kuhn 1953) is refused with the name of the
// node.
#pragma once

#include <algorithm>
#include <cmath>

#include "games/contract.hpp"

namespace kiebitz::tree {

inline constexpr int kMaxNodes = 1'000'000;
inline constexpr int kMaxEntries = 4'000'000;  // nodes * players
inline constexpr int kMaxChildren = 10'000;
inline constexpr int kNone = -1;

struct Node {
  std::int32_t mover = kTerminal;  // player, kChance or kTerminal
  std::int32_t first = 0;          // child
  std::int32_t count = 0;          // of children
  std::int32_t set = kNone;
  std::int32_t parent = kNone;
  std::int32_t payoffs = kNone;  // where those of an end begin
  double chance = 0;             // probability of the move that leads here
};

// An information set. A sequence is a player's own last move, (information set, action), or none so far. Sequences are
// numbered: first the empty ones of all players, then those of each set in turn.
struct Set {
  int player = kNone;
  int node = kNone;      // the first of its nodes
  int count = 0;         // actions
  int sequence = kNone;  // number of the sequence that ends with its first action
  int before = kNone;    // the player's own last sequence before it
};

struct NodeTable {
  explicit NodeTable(const Fields& parameters) {
    read(parameters);
    check_nodes();
    check_sets();
  }

  int size() const { return static_cast<int>(nodes.size()); }
  int players() const { return static_cast<int>(player_names.size()); }
  const Node& node(int i) const { return nodes[index(i)]; }
  const Set& set(int i) const { return sets[index(i)]; }
  const std::string& label(int i, Action a) const { return labels[index(node(i).first + a)]; }
  // Own last sequence of a player at a node.
  std::int32_t& last(int i, int player) { return last_[index(i * players() + player)]; }
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  std::string title;
  std::vector<std::string> player_names;
  std::vector<std::string> set_names;
  std::vector<std::string> names;   // of nodes
  std::vector<std::string> labels;  // of the moves that lead to nodes
  std::vector<Node> nodes;
  std::vector<double> payoffs;
  std::vector<Set> sets;
  std::vector<std::int32_t> sets_by_sequence;  // sets in ascending order of their sequences
  int sequences = 0;

 private:
  std::string where(int i) const { return "node '" + names[index(i)] + "'"; }

  template <class T>
  static std::vector<T> list(const Fields& parameters, const char* name) {
    const Value* value = find_field(parameters, name);
    if (value == nullptr) throw TreeError(std::string("missing field '") + name + "'");
    if (const auto* same = std::get_if<std::vector<T>>(value)) return *same;
    if (const auto* whole = std::get_if<std::vector<std::int64_t>>(value)) {
      if constexpr (std::is_same_v<T, double>) return {whole->begin(), whole->end()};
      if (whole->empty()) return {};  // an empty list carries no type of its own
    }
    throw TreeError(std::string(name) + ": expected a list of another type, got " + type_name(*value));
  }

  template <class T>
  std::vector<T> per_node(const Fields& parameters, const char* name) const {
    auto values = list<T>(parameters, name);
    if (values.size() != names.size()) {
      throw TreeError(std::string(name) + ": expected " + std::to_string(names.size()) +
                      " entries, one per node, got " + std::to_string(values.size()));
    }
    return values;
  }

  void integers(const Fields& parameters, const char* name, std::int64_t low, std::int64_t high,
                std::int32_t Node::*member) {
    const auto values = per_node<std::int64_t>(parameters, name);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] < low || values[i] > high) {
        throw TreeError(where(static_cast<int>(i)) + ": " + name + " must be " + std::to_string(low) + " to " +
                        std::to_string(high) + ", got " + std::to_string(values[i]));
      }
      nodes[i].*member = static_cast<std::int32_t>(values[i]);
    }
  }

  void read(const Fields& parameters) {
    title = FieldReader<TreeError>(parameters).text("title");
    player_names = list<std::string>(parameters, "players");
    if (player_names.empty() || player_names.size() > kMaxPlayers) {
      throw TreeError("players: expected 1 to " + std::to_string(kMaxPlayers) + ", got " +
                      std::to_string(player_names.size()));
    }
    names = list<std::string>(parameters, "nodes");
    if (names.empty()) throw TreeError("nodes: expected at least one");
    if (names.size() > kMaxNodes || names.size() * player_names.size() > kMaxEntries) {
      throw LimitError("nodes: expected at most " + std::to_string(kMaxNodes) + ", and nodes times players at most " +
                       std::to_string(kMaxEntries) + ", got " + std::to_string(names.size()));
    }
    nodes.resize(names.size());
    set_names = list<std::string>(parameters, "set_names");
    labels = per_node<std::string>(parameters, "labels");
    integers(parameters, "movers", kTerminal, players() - 1, &Node::mover);
    integers(parameters, "first", 0, size(), &Node::first);
    integers(parameters, "counts", 0, kMaxChildren, &Node::count);
    integers(parameters, "sets", kNone, static_cast<std::int64_t>(set_names.size()) - 1, &Node::set);
    const auto chances = per_node<double>(parameters, "chances");
    for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i].chance = chances[i];
    payoffs = list<double>(parameters, "payoffs");
  }

  // Every node is the root or the child of exactly one earlier node; ends have payoffs.
  void check_nodes() {
    std::size_t expected = 0;
    for (int i = 0; i < size(); ++i) {
      Node& n = nodes[index(i)];
      if (i > 0 && n.parent == kNone) throw TreeError(where(i) + " cannot be reached: it is nobody's child");
      if ((n.mover == kTerminal) != (n.count == 0)) {
        throw TreeError(where(i) + (n.count == 0 ? " has a mover but no moves" : " is an end but has moves"));
      }
      if (n.count == 0) {
        n.payoffs = static_cast<std::int32_t>(expected);
        expected += player_names.size();
        continue;
      }
      if (n.first <= i || n.first > size() - n.count) {
        throw TreeError(where(i) + ": its children must come later in the list of nodes");
      }
      for (int child = n.first; child < n.first + n.count; ++child) {
        if (node(child).parent != kNone) throw TreeError(where(child) + " is the child of two nodes");
        nodes[index(child)].parent = i;
      }
      check_moves(i);
    }
    if (payoffs.size() != expected) {
      throw TreeError("payoffs: expected " + std::to_string(expected) + " numbers, one per player and end, got " +
                      std::to_string(payoffs.size()));
    }
    for (int i = 0; i < size(); ++i) {
      for (int p = 0; p < players() && node(i).count == 0; ++p) {
        if (!std::isfinite(payoffs[index(node(i).payoffs + p)])) {
          throw TreeError(where(i) + ": a payoff is not a finite number");
        }
      }
    }
  }

  // The moves of a node have names that tell them apart, and those of chance probabilities that add up; some may be 0.
  void check_moves(int i) const {
    std::vector<std::string_view> sorted;
    double sum = 0;
    for (Action a = 0; a < node(i).count; ++a) {
      if (label(i, a).empty()) throw TreeError(where(i) + ": a move has no name");
      sorted.push_back(label(i, a));
      if (node(i).mover != kChance) continue;
      const double p = node(node(i).first + a).chance;
      if (!(p >= 0 && p <= 1)) {
        throw TreeError(where(i) + ": the probability of '" + label(i, a) + "' must be 0 to 1");
      }
      sum += p;
    }
    if (node(i).mover == kChance && std::abs(sum - 1) > 1e-9) {
      throw TreeError(where(i) + ": probabilities must add up to 1, got " + std::to_string(sum));
    }
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) throw TreeError(where(i) + " has two moves called '" + std::string(*twice) + "'");
  }

  // The nodes of an information set belong to one player, offer the same moves and follow the same own moves.
  void check_sets() {
    sets.resize(set_names.size());
    sequences = players();
    last_.resize(nodes.size() * player_names.size());
    for (int p = 0; p < players(); ++p) last(0, p) = p;
    for (int i = 0; i < size(); ++i) {
      const Node& n = node(i);
      if (i > 0) {
        for (int p = 0; p < players(); ++p) last(i, p) = last(n.parent, p);
        const Node& above = node(n.parent);
        if (above.mover >= 0) last(i, above.mover) = set(above.set).sequence + (i - above.first);
      }
      if ((n.mover >= 0) != (n.set != kNone)) {
        throw TreeError(where(i) + (n.mover >= 0 ? " has a player to move but no information set"
                                                 : " has an information set but no player to move"));
      }
      if (n.mover < 0) continue;
      Set& s = sets[index(n.set)];
      if (s.player == kNone) {
        s = {n.mover, i, n.count, sequences, last(i, n.mover)};
        sequences += n.count;
        sets_by_sequence.push_back(n.set);
      } else {
        check_alike(s, i);
      }
    }
    for (std::size_t s = 0; s < sets.size(); ++s) {
      if (sets[s].player == kNone) throw TreeError("information set '" + set_names[s] + "' has no nodes");
    }
  }

  void check_alike(const Set& s, int i) {
    const std::string both =
        where(i) + " and " + where(s.node) + " of information set '" + set_names[index(node(i).set)] + "' ";
    if (s.player != node(i).mover) throw TreeError(both + "belong to different players");
    bool same = s.count == node(i).count;
    for (Action a = 0; same && a < s.count; ++a) same = label(i, a) == label(s.node, a);
    if (!same) throw TreeError(both + "do not offer the same actions in the same order");
    if (last(i, s.player) != s.before) throw TreeError(both + "follow different own moves (perfect recall)");
  }

  std::vector<std::int32_t> last_;
};

}  // namespace kiebitz::tree
