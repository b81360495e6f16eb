// One evaluator for each seat: a position is judged by that of the player to move.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "nets/evaluator.hpp"

namespace kiebitz::nets {

class Seated final : public Evaluator {
 public:
  explicit Seated(std::vector<std::shared_ptr<const Evaluator>> seats) : seats_(std::move(seats)) {}

  void check(const GameInfo& info) const override {
    if (static_cast<int>(seats_.size()) != info.players) {
      throw UnsuitableGame("expected an evaluator for each of the " + std::to_string(info.players) + " players of " +
                           info.name + ", got " + std::to_string(seats_.size()));
    }
    for (const auto& seat : seats_) seat->check(info);
  }

  bool has_policy() const override {
    return std::ranges::all_of(seats_, [](const auto& seat) { return seat->has_policy(); });
  }
  bool has_values() const override {
    return std::ranges::all_of(seats_, [](const auto& seat) { return seat->has_values(); });
  }

  void judge(const Positions& positions, Judgements& out) const override {
    const auto* const movers = positions.movers.data();
    if (std::all_of(movers, movers + positions.count, [&](int mover) { return mover == movers[0]; })) {
      if (positions.count > 0) seats_[static_cast<std::size_t>(movers[0])]->judge(positions, out);
      return;
    }
    std::vector<std::size_t> rows;
    Positions own(positions.tensor_size, positions.actions, positions.players);
    Judgements judged;
    for (std::size_t seat = 0; seat < seats_.size(); ++seat) {
      rows.clear();
      own.clear();
      for (std::size_t row = 0; row < positions.count; ++row) {
        if (positions.movers[row] != static_cast<int>(seat)) continue;
        rows.push_back(row);
        own.copy(positions, row);
      }
      if (rows.empty()) continue;
      judged.resize(own);
      seats_[seat]->judge(own, judged);
      for (std::size_t i = 0; i < rows.size(); ++i) out.copy(judged, i, positions, rows[i]);
    }
  }

 private:
  std::vector<std::shared_ptr<const Evaluator>> seats_;
};

}  // namespace kiebitz::nets
