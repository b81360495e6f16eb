// Any finite extensive-form game, given node by node: players, chance, information sets, general-sum payoffs.
// Files and the readable nested form are read in Python (games/tree/); node_table.hpp holds and checks the flat
// arrays. Actions are numbered 0, 1, ... at each node, in the order of its children.
//
// What a player sees. At a decision of their own: the information set. Elsewhere: the last information set in which
// they decided and what they did there, which is what perfect recall gives them, and whether the game is over (no
// decision follows that this could help). They do not learn which player moves, or how often. If every information set
// is a single node the game has perfect information and the view is the node. A world of a view is one of the nodes
// with that view, drawn with the product of the chance probabilities and 1/|actions| for every move of the others on
// the way there; the player's own moves are the same on all these ways.
#pragma once

#include "games/tree/node_table.hpp"

namespace kiebitz::tree {

class Game;

class View {
 public:
  int observer() const { return observer_; }
  // The player to move if the observer knows it: the observer, the only other player it can be, or kTerminal. Otherwise
  // kChance.
  int player() const;
  std::string text() const;
  std::string phase() const {
    const int p = player();
    return p == kTerminal ? "over" : p == kChance ? "chance" : "move";
  }
  Fields save() const;
  // One cell for each thing that some player can know, with perfect information one for each node.
  void tensor(float* out) const;
  // Compares what the views say, not which Game object they came from.
  friend bool operator==(const View& a, const View& b) { return a.observer_ == b.observer_ && a.seen_ == b.seen_; }

 private:
  friend class State;
  friend class Game;
  const Game* game_ = nullptr;  // for the names
  std::int32_t observer_ = 0;
  std::int32_t seen_ = 0;  // a group of nodes that look the same (Game::group); with perfect information the node
};

class State {
 public:
  State(const Game* game, std::int32_t node) : game_(game), node_(node) {}

  int player() const;
  int legal(Action* out) const;
  Action random_legal(Rng& rng) const;
  int outcomes(Outcome* out) const;
  void apply(Action a);
  void returns(double* out) const;
  std::uint64_t key() const { return static_cast<std::uint64_t>(node_); }
  std::string name(Action a) const;
  int kind(Action) const { return player() == kChance ? 1 : 0; }
  std::optional<Action> parse(std::string_view text) const;
  std::string text() const;
  Fields save() const { return {{"node", std::int64_t{node_}}}; }
  View view(int player) const;

 private:
  const Game* game_;
  std::int32_t node_;
};

class Game {
 public:
  using State = tree::State;
  using View = tree::View;

  explicit Game(const Fields& parameters) : table_(parameters) {
    describe();
    if (info_.hidden) group_views();
  }

  // Flat arrays, one entry per node unless said otherwise. The initial values are a small game with hidden information:
  // player 1 chooses U, M or D, player 2 only learns whether it was D.
  static std::vector<Parameter> parameters() {
    using Integers = std::vector<std::int64_t>;
    using Numbers = std::vector<double>;
    using Texts = std::vector<std::string>;
    return {
        {"title", "what the game is called", std::string("U, M or D"), 0, 0, {}},
        {"players", "names of the players", Texts{"Player 1", "Player 2"}, 0, 0, {}},
        {"nodes",
         "names of the nodes",
         Texts{"root", "U", "M", "D", "U/L", "U/R", "M/L", "M/R", "D/L", "D/R"},
         0,
         0,
         {}},
        {"movers",
         "player to move, from 0 up; -1 chance, -2 the end",
         Integers{0, 1, 1, 1, -2, -2, -2, -2, -2, -2},
         kTerminal,
         kMaxPlayers - 1,
         {}},
        {"first", "number of the first child; 0 at the end", Integers{1, 4, 6, 8, 0, 0, 0, 0, 0, 0}, 0, kMaxNodes, {}},
        {"counts", "number of children", Integers{3, 2, 2, 2, 0, 0, 0, 0, 0, 0}, 0, kMaxChildren, {}},
        {"sets",
         "information set of a decision, -1 elsewhere",
         Integers{0, 1, 1, 2, -1, -1, -1, -1, -1, -1},
         kNone,
         kMaxNodes,
         {}},
        {"set_names", "names of the information sets", Texts{"start", "U or M", "after D"}, 0, 0, {}},
        {"labels",
         "the move that leads to the node; empty at the root",
         Texts{"", "U", "M", "D", "L", "R", "L", "R", "L", "R"},
         0,
         0,
         {}},
        {"chances",
         "probability of that move where chance makes it, 0 elsewhere",
         Numbers{0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
         0,
         1,
         {}},
        {"payoffs",
         "one number per player for each end, in the order of the nodes",
         Numbers{2, 1, 0, 2, 0, 2, 2, 1, 0.5, 1, 0.5, 0},
         -1e18,
         1e18,
         {}},
    };
  }
  static std::vector<Preset> presets() { return {}; }

  const GameInfo& info() const { return info_; }
  const NodeTable& table() const { return table_; }
  State root() const { return State(this, 0); }

  State load(const Fields& fields) const {
    const FieldReader<PositionError> in(fields);
    in.only({"node"});
    return State(this, static_cast<std::int32_t>(in.integer("node", 0, table_.size() - 1)));
  }

  View load_view(const Fields& fields) const {
    const FieldReader<ViewError> in(fields);
    View v;
    v.game_ = this;
    v.observer_ = static_cast<std::int32_t>(in.integer("observer", 0, info_.players - 1));
    if (!info_.hidden) {
      in.only({"observer", "node"});
      v.seen_ = static_cast<std::int32_t>(in.integer("node", 0, table_.size() - 1));
      return v;
    }
    in.only({"observer", "phase", "set", "action"});
    const std::string& phase = in.text("phase");
    if (phase != "move" && phase != "wait" && phase != "over") {
      throw ViewError("phase: expected move, wait or over, got '" + excerpt(phase, 20) + "'");
    }
    const auto set = static_cast<int>(in.integer("set", kNone, static_cast<std::int64_t>(table_.sets.size()) - 1));
    const auto action = static_cast<int>(in.integer("action", kNone, info_.actions - 1));
    if (set != kNone && table_.set(set).player != v.observer_) throw ViewError("set: belongs to another player");
    if (phase == "move") {
      if (set == kNone || action != kNone) throw ViewError("phase: move comes with a set and no action");
      v.seen_ = set;
      return v;
    }
    if ((set == kNone) != (action == kNone)) throw ViewError("action: set and action come together");
    if (set != kNone && action >= table_.set(set).count) throw ViewError("action: the set has no such action");
    v.seen_ = group(set == kNone ? v.observer_ : table_.set(set).sequence + action, phase == "over");
    const std::size_t g = NodeTable::index(v.seen_);
    if (group_start_[g] == group_start_[g + 1]) throw ViewError("phase: no node of the tree looks like this");
    return v;
  }

  State sample(const View& v, Rng& rng) const {
    if (!info_.hidden) return State(this, v.seen_);
    const std::size_t g = NodeTable::index(v.seen_);
    const auto begin = group_weight_.begin() + group_start_[g];
    const auto end = group_weight_.begin() + group_start_[g + 1];
    // Weights are running sums, so the first one beyond the draw is the node; the last catches rounding.
    const auto found = std::min(std::upper_bound(begin, end, rng.unit() * *(end - 1)), end - 1);
    return State(this, group_nodes_[static_cast<std::size_t>(found - group_weight_.begin())]);
  }

 private:
  friend State;
  friend View;

  // Nodes that look the same to a player: those of an information set, or those after one of the player's sequences
  // where others move or the game is over.
  int group(int sequence, bool over) const { return static_cast<int>(table_.sets.size()) + 2 * sequence + over; }

  void describe() {
    info_.name = "tree";
    info_.title = table_.title;
    info_.kinds = {{"move", "move", ""}, {"chance", "chance", ""}};
    info_.players = table_.players();
    info_.max_legal = 1;
    std::vector<int> depth(table_.nodes.size());
    double decisions = 0;
    double choices = 0;
    for (int i = 0; i < table_.size(); ++i) {
      const Node& n = table_.node(i);
      if (i > 0) depth[NodeTable::index(i)] = depth[NodeTable::index(n.parent)] + 1;
      info_.max_length = std::max(info_.max_length, depth[NodeTable::index(i)]);
      info_.max_legal = std::max(info_.max_legal, int{n.count});
      info_.chance = info_.chance || n.mover == kChance;
      if (n.mover < 0) continue;
      decisions += 1;
      choices += n.count;
      info_.hidden = info_.hidden || table_.set(n.set).node != i;
    }
    info_.actions = info_.max_legal;
    info_.branching = decisions > 0 ? choices / decisions : 0;
    info_.log10_states = std::log10(static_cast<double>(table_.size()));
    info_.tensor_size = info_.hidden ? group(table_.sequences, false) : table_.size();
    describe_payoffs();
  }

  void describe_payoffs() {
    const auto& payoffs = table_.payoffs;
    info_.min_payoff = *std::min_element(payoffs.begin(), payoffs.end());
    info_.max_payoff = *std::max_element(payoffs.begin(), payoffs.end());
    const std::size_t players = table_.player_names.size();
    const auto sum_at = [&](std::size_t at) {
      double sum = 0;
      for (std::size_t p = 0; p < players; ++p) sum += payoffs[at + p];
      return sum;
    };
    const double sum = sum_at(0);
    bool constant = players > 1;
    for (std::size_t at = 0; at < payoffs.size(); at += players) {
      constant = constant && std::abs(sum_at(at) - sum) <= 1e-9 * std::max(1.0, std::abs(sum));
    }
    info_.utility = !constant ? Utility::general : std::abs(sum) <= 1e-9 ? Utility::zero_sum : Utility::constant_sum;
    info_.payoff_sum = info_.utility == Utility::constant_sum ? sum : 0;
  }

  // Lists the nodes of each group with running sums of their weights.
  void group_views() {
    const int players = info_.players;
    const std::size_t entries = table_.nodes.size() * table_.player_names.size();
    const auto at = [&](int node, int player) { return NodeTable::index(node * players + player); };
    std::vector<double> logs(entries);
    seen_.resize(entries);
    for (int i = 0; i < table_.size(); ++i) {
      const Node& n = table_.node(i);
      for (int p = 0; p < players; ++p) {
        seen_[at(i, p)] = n.mover == p ? n.set : group(table_.last(i, p), n.mover == kTerminal);
        if (i == 0) continue;
        const Node& above = table_.node(n.parent);
        double& weight = logs[at(i, p)] = logs[at(n.parent, p)];
        if (above.mover == kChance) weight += std::log(n.chance);
        if (above.mover >= 0 && above.mover != p) weight -= std::log(above.count);
      }
    }
    const std::size_t groups = NodeTable::index(info_.tensor_size);
    group_start_.assign(groups + 1, 0);
    for (const std::int32_t g : seen_) ++group_start_[NodeTable::index(g + 1)];
    for (std::size_t g = 0; g < groups; ++g) group_start_[g + 1] += group_start_[g];
    group_nodes_.resize(entries);
    group_weight_.resize(entries);
    group_mover_.assign(groups, kChance);
    std::vector<std::int32_t> next(group_start_.begin(), group_start_.end() - 1);
    for (int i = 0; i < table_.size(); ++i) {
      const auto mover = static_cast<std::int8_t>(table_.node(i).mover);
      for (int p = 0; p < players; ++p) {
        const std::size_t g = NodeTable::index(seen_[at(i, p)]);
        const std::size_t place = NodeTable::index(next[g]++);
        const bool first = place == NodeTable::index(group_start_[g]);
        group_nodes_[place] = i;
        group_weight_[place] = logs[at(i, p)];
        group_mover_[g] = first || group_mover_[g] == mover ? mover : static_cast<std::int8_t>(kChance);
      }
    }
    // Relative to the likeliest node of the group, so that long games do not vanish in rounding.
    for (std::size_t g = 0; g < groups; ++g) {
      const auto begin = group_weight_.begin() + group_start_[g];
      const auto end = group_weight_.begin() + group_start_[g + 1];
      if (begin == end) continue;
      const double most = *std::max_element(begin, end);
      const bool possible = std::isfinite(most);  // otherwise chance never leads here: all nodes are alike
      double sum = 0;
      for (auto w = begin; w != end; ++w) *w = sum += possible ? std::exp(*w - most) : 1.0;
    }
  }

  NodeTable table_;
  GameInfo info_;
  // For hidden information only.
  std::vector<std::int32_t> seen_;         // group of (node, player)
  std::vector<std::int32_t> group_start_;  // in the two lists that follow
  std::vector<std::int32_t> group_nodes_;
  std::vector<double> group_weight_;
  std::vector<std::int8_t> group_mover_;  // as View::player() tells it
};

inline int State::player() const { return game_->table_.node(node_).mover; }

// Moves of chance with probability 0 are part of the tree, but never happen.
inline int State::legal(Action* out) const {
  const Node& node = game_->table_.node(node_);
  int n = 0;
  for (Action a = 0; a < node.count; ++a) {
    if (node.mover != kChance || game_->table_.node(node.first + a).chance > 0) out[n++] = a;
  }
  return n;
}

inline Action State::random_legal(Rng& rng) const {
  return static_cast<Action>(rng.below(static_cast<std::uint32_t>(game_->table_.node(node_).count)));
}

inline int State::outcomes(Outcome* out) const {
  const Node& n = game_->table_.node(node_);
  if (n.mover != kChance) return 0;
  int count = 0;
  for (Action a = 0; a < n.count; ++a) {
    const double chance = game_->table_.node(n.first + a).chance;
    if (chance > 0) out[count++] = {a, chance};
  }
  return count;
}

inline void State::apply(Action a) { node_ = game_->table_.node(node_).first + a; }

inline void State::returns(double* out) const {
  std::copy_n(game_->table_.payoffs.begin() + game_->table_.node(node_).payoffs, game_->info_.players, out);
}

inline std::string State::name(Action a) const { return game_->table_.label(node_, a); }

// The label; in either case if that is not ambiguous.
inline std::optional<Action> State::parse(std::string_view text) const {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; };
  const auto alike = [&](char x, char y) { return lower(x) == lower(y); };
  const auto match = [&](std::string_view wanted, bool exact) -> std::optional<Action> {
    std::optional<Action> found;
    for (Action a = 0; a < game_->table_.node(node_).count; ++a) {
      const std::string& label = game_->table_.label(node_, a);
      if (exact ? label != wanted : !std::equal(label.begin(), label.end(), wanted.begin(), wanted.end(), alike)) {
        continue;
      }
      if (found) return std::nullopt;
      found = a;
    }
    return found;
  };
  if (const auto a = match(text, true)) return a;
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return match(text, false);
}

inline std::string State::text() const {
  const NodeTable& t = game_->table_;
  std::vector<int> path;
  for (int node = node_; node > 0; node = t.node(node).parent) path.push_back(node);
  std::string out = "node: " + t.names[NodeTable::index(node_)] + "\npath:";
  for (auto node = path.rbegin(); node != path.rend(); ++node) out += " " + t.labels[NodeTable::index(*node)];
  const Node& n = t.node(node_);
  if (n.mover == kTerminal) {
    out += "\npayoffs:";
    for (int p = 0; p < t.players(); ++p) {
      std::string digits = std::to_string(t.payoffs[NodeTable::index(n.payoffs + p)]);
      digits.erase(digits.find_last_not_of('0') + 1);
      if (digits.back() == '.') digits.pop_back();
      out += " " + digits;
    }
    return out + "\n";
  }
  out += "\nto move: " + (n.mover == kChance ? "chance" : t.player_names[NodeTable::index(n.mover)]) + "\nmoves:";
  for (Action a = 0; a < n.count; ++a) out += (a == 0 ? " " : ", ") + name(a);
  return out + "\n";
}

inline View State::view(int player) const {
  View v;
  v.game_ = game_;
  v.observer_ = player;
  v.seen_ = game_->info_.hidden ? game_->seen_[NodeTable::index(node_ * game_->info_.players + player)] : node_;
  return v;
}

inline int View::player() const {
  return game_->info_.hidden ? game_->group_mover_[NodeTable::index(seen_)] : game_->table_.node(seen_).mover;
}

inline Fields View::save() const {
  Fields out = {{"observer", std::int64_t{observer_}}};
  if (!game_->info_.hidden) {
    out.emplace_back("node", std::int64_t{seen_});
    return out;
  }
  const NodeTable& t = game_->table_;
  const int sets = static_cast<int>(t.sets.size());
  std::string phase = "move";
  int set = seen_;
  int action = kNone;
  if (seen_ >= sets) {
    const int sequence = (seen_ - sets) / 2;
    phase = (seen_ - sets) % 2 == 0 ? "wait" : "over";
    set = kNone;
    if (sequence >= t.players()) {
      const auto& order = t.sets_by_sequence;
      const auto behind = std::upper_bound(order.begin(), order.end(), sequence,
                                           [&](int value, int id) { return value < t.set(id).sequence; });
      set = *(behind - 1);
      action = sequence - t.set(set).sequence;
    }
  }
  out.emplace_back("phase", phase);
  out.emplace_back("set", std::int64_t{set});
  out.emplace_back("action", std::int64_t{action});
  return out;
}

inline std::string View::text() const {
  if (!game_->info_.hidden) return State(game_, seen_).text();
  const NodeTable& t = game_->table_;
  const Fields fields = save();
  const auto& phase = std::get<std::string>(fields[1].second);
  const auto set = static_cast<int>(std::get<std::int64_t>(fields[2].second));
  const auto action = static_cast<Action>(std::get<std::int64_t>(fields[3].second));
  std::string out = t.player_names[NodeTable::index(observer_)];
  if (phase == "move") {
    out += " to move in: " + t.set_names[NodeTable::index(set)] + "\nmoves:";
    for (Action a = 0; a < t.set(set).count; ++a) out += (a == 0 ? " " : ", ") + t.label(t.set(set).node, a);
    return out + "\n";
  }
  out += phase == "over" ? ": the game is over\n" : " waits\n";
  if (set == kNone) return out + "own last move: none\n";
  return out + "own last move: " + t.label(t.set(set).node, action) + " in " + t.set_names[NodeTable::index(set)] +
         "\n";
}

inline void View::tensor(float* out) const {
  std::fill(out, out + game_->info_.tensor_size, 0.0F);
  out[seen_] = 1;
}

}  // namespace kiebitz::tree
