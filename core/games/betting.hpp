// The story of the betting as everybody at the table follows it: who did what in which round, what each has put in,
// what is owed. Poker games of any number of players and rounds report their actions and get the public facts.
#pragma once

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "base/types.hpp"

namespace kiebitz {

class BettingStory {
 public:
  // `stakes`: what each seat has put in before the first action.
  explicit BettingStory(std::vector<double> stakes) : pot_(std::move(stakes)), folded_(pot_.size()), rounds_(1) {}

  double owed(int seat) const { return highest() - pot_[index(seat)]; }

  void fold(int seat) {
    folded_[index(seat)] = true;
    add(seat, "fold", 0);
  }
  // Checks where nothing is owed.
  void call(int seat) {
    const double owes = owed(seat);
    pot_[index(seat)] = highest();
    add(seat, owes > 0 ? "call" : "check", owes);
  }
  // Bets where nothing is owed.
  void raise(int seat, double by) {
    const bool owes = owed(seat) > 0;
    pot_[index(seat)] = highest() + by;
    add(seat, owes ? "raise" : "bet", by);
  }
  void next_round() { rounds_.emplace_back(); }

  // "pot" and "folded" by seat, "total", all that is in the pot, "rounds" of {seat, kind, amount}, "owed" by the seat
  // that is next, and "step", by how much it may raise.
  void append_facts(Fields& out, int next, double step) const {
    std::vector<Value> folded(folded_.begin(), folded_.end());
    std::vector<Value> rounds(rounds_.begin(), rounds_.end());
    out.emplace_back("pot", pot_);
    out.emplace_back("total", std::accumulate(pot_.begin(), pot_.end(), 0.0));
    out.emplace_back("folded", std::move(folded));
    out.emplace_back("rounds", std::move(rounds));
    out.emplace_back("owed", owed(next));
    out.emplace_back("step", step);
  }

 private:
  static std::size_t index(int seat) { return static_cast<std::size_t>(seat); }
  double highest() const { return *std::max_element(pot_.begin(), pot_.end()); }
  void add(int seat, const char* kind, double amount) {
    rounds_.back().emplace_back(Fields{{"seat", std::int64_t{seat}}, {"kind", std::string(kind)}, {"amount", amount}});
  }

  std::vector<double> pot_;
  std::vector<bool> folded_;
  std::vector<std::vector<Value>> rounds_;
};

}  // namespace kiebitz
