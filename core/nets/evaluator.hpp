// What a search asks of a network, or of anything that judges like one: for each position a preference for every action
// and a value for every player. Questions come in batches, because a network needs little more time for many positions
// than for one.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "games/contract.hpp"

namespace kiebitz::nets {

// Positions to be judged, one row each. The arrays keep their memory when the next batch begins.
struct Positions {
  explicit Positions(const GameInfo& info)
      : tensor_size(static_cast<std::size_t>(info.tensor_size)),
        actions(static_cast<std::size_t>(info.actions)),
        players(static_cast<std::size_t>(info.players)) {}
  Positions(std::size_t tensor_size_, std::size_t actions_, std::size_t players_)
      : tensor_size(tensor_size_), actions(actions_), players(players_) {}

  std::size_t tensor_size;
  std::size_t actions;
  std::size_t players;
  std::size_t count = 0;
  std::vector<float> tensors;        // what the player to move knows: tensor_size numbers
  std::vector<std::uint8_t> legal;   // one number per action, 1 for the legal ones
  std::vector<std::int32_t> movers;  // the player to move

  void clear() { count = 0; }

  // A new row for `mover`, without legal actions; returns its number.
  std::size_t add(int mover) {
    const std::size_t row = count++;
    if (tensors.size() < count * tensor_size) tensors.resize(count * tensor_size);
    if (movers.size() < count) movers.resize(count);
    legal.resize(std::max(legal.size(), count * actions));
    std::fill_n(legal.begin() + static_cast<std::ptrdiff_t>(row * actions), actions, std::uint8_t{0});
    movers[row] = mover;
    return row;
  }
  // The same row as in another batch.
  void copy(const Positions& from, std::size_t row) {
    const std::size_t to = add(from.movers[row]);
    std::copy_n(from.tensor(row), tensor_size, tensor(to));
    std::copy_n(from.allowed(row), actions, allowed(to));
  }
  float* tensor(std::size_t row) { return tensors.data() + row * tensor_size; }
  const float* tensor(std::size_t row) const { return tensors.data() + row * tensor_size; }
  std::uint8_t* allowed(std::size_t row) { return legal.data() + row * actions; }
  const std::uint8_t* allowed(std::size_t row) const { return legal.data() + row * actions; }
};

// What was thought of them, row by row.
struct Judgements {
  std::vector<float> logits;  // a number per action: larger is better, only those of legal actions count
  std::vector<float> values;  // a number per player, in the units of the payoffs

  // Takes a row from others, about positions of the same game.
  void copy(const Judgements& from, std::size_t row, const Positions& positions, std::size_t to) {
    const std::size_t actions = positions.actions;
    const std::size_t players = positions.players;
    std::copy_n(from.logits.data() + row * actions, actions, logits.data() + to * actions);
    std::copy_n(from.values.data() + row * players, players, values.data() + to * players);
  }

  void resize(const Positions& positions) {
    logits.resize(positions.count * positions.actions);
    values.resize(positions.count * positions.players);
  }
};

class Evaluator {
 public:
  virtual ~Evaluator() = default;
  // Judges all rows. The answer for a row must not depend on the other rows. May be called by several threads.
  virtual void judge(const Positions& positions, Judgements& out) const = 0;
  // Throws UnsuitableGame for a game that it was not made for.
  virtual void check(const GameInfo& info) const { (void)info; }
  // False: all actions are alike to it, or all values are.
  virtual bool has_policy() const { return true; }
  virtual bool has_values() const { return true; }
};

// Numbers that a search cannot use are refused before they get into a tree.
inline void check_judgements(const Positions& positions, const Judgements& judged) {
  for (std::size_t row = 0; row < positions.count; ++row) {
    const std::uint8_t* legal = positions.allowed(row);
    for (std::size_t a = 0; a < positions.actions; ++a) {
      if (legal[a] != 0 && !std::isfinite(judged.logits[row * positions.actions + a])) {
        throw Error("evaluator: expected finite logits, got " +
                    std::to_string(judged.logits[row * positions.actions + a]) + " for action " + std::to_string(a));
      }
    }
    for (std::size_t p = 0; p < positions.players; ++p) {
      if (!std::isfinite(judged.values[row * positions.players + p])) {
        throw Error("evaluator: expected finite values, got " +
                    std::to_string(judged.values[row * positions.players + p]) + " for player " + std::to_string(p));
      }
    }
  }
}

// Writes a position, in which a player is to move, as the next row. In a hidden game it is what that player knows,
// never the tensor of the state, which may show all cards.
template <GameLike G>
void add_position(const typename G::State& state, const Action* legal, int count, Positions& out) {
  const std::size_t row = out.add(state.player());
  if constexpr (HiddenGame<G>) {
    state.view(state.player()).tensor(out.tensor(row));
  } else if constexpr (HasTensor<typename G::State>) {
    state.tensor(out.tensor(row));
  }
  std::uint8_t* allowed = out.allowed(row);
  for (int i = 0; i < count; ++i) allowed[legal[i]] = 1;
}

}  // namespace kiebitz::nets
