// What a search found, for people and programs to read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/named_enum.hpp"
#include "base/types.hpp"

namespace kiebitz::search {

// How a value relates to what was searched for: it is that, or the true one is at least (lower) or at most (upper)
// this.
KIEBITZ_NAMED_ENUM(Limit, none, lower, upper)
// What a value is worth: it holds in the game itself, or only its bound does, or neither.
KIEBITZ_NAMED_ENUM(Status, estimated, bounded, proven)

// What is known of a value. Estimates come from playouts, evaluations, sampled worlds or a limit of depth.
struct Certainty {
  bool sound = false;  // follows from the rules alone, all the way to the end of the game
  Limit bound = Limit::none;
  Status status() const { return !sound ? Status::estimated : bound == Limit::none ? Status::proven : Status::bounded; }
  bool exact() const { return status() == Status::proven; }
};

// What a search says about one action at the root.
struct ActionValue {
  Action action = kNoAction;
  std::string name;
  std::int64_t visits = 0;  // simulations (tree search) or nodes (exact search) below the action
  double value = 0;         // for the player to move, in payoff units
  double error = 0;         // standard error of value; 0 where there is none
  Certainty certainty{};
  std::vector<double> mean;       // one entry per player, where the algorithm has vectors
  std::optional<double> prior{};  // the probability that a network gives it, before any search; none: there was none
};

struct Analysis {
  std::string method;
  int player = 0;  // the player to move at the root
  Action best = kNoAction;
  std::string best_name;
  double value = 0;  // of the root for `player`
  Certainty certainty{};
  std::optional<double> prior_value{};  // what a network says of the root, before any search
  std::vector<ActionValue> actions;
  std::vector<Action> line;  // principal line from the root
  std::vector<std::string> line_names;
  std::int64_t iterations = 0;
  std::int64_t nodes = 0;   // tree nodes made (UCT) or positions visited (alpha-beta)
  std::int64_t leaves = 0;  // playouts (UCT) or evaluated and terminal positions (alpha-beta)
  int depth = 0;            // deepest node (UCT) or completed depth (alpha-beta)
  double mean_depth = 0;    // UCT: of the nodes where simulations left the tree; their variance says how uneven it is
  double depth_variance = 0;
  double branching = 0;  // alpha-beta: effective branching factor; searches of a view: children per inner node
  double seconds = 0;
  bool stopped = false;      // cut short: by the stop token, an exact search by its budget, too
  bool memory_full = false;  // the memory limit was reached; the search went on without growing
  // Searches over sampled worlds: how many, and what each action was worth in each of them (worlds x actions, in the
  // order of `actions`; not a number where it was never tried), so that actions can be compared on the same worlds.
  int worlds = 0;
  std::vector<std::vector<double>> world_values;
};

}  // namespace kiebitz::search
