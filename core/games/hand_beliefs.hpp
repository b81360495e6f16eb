// What to expect of hidden cards that are drawn evenly from those not seen: small decks and dice.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/types.hpp"

namespace kiebitz {

// Beliefs of HasBeliefs (contract.hpp), filled card by card.
class HandBeliefs {
 public:
  void add(const std::string& card, std::vector<double> holds, std::vector<double> copies) {
    holds_.emplace_back(card, std::move(holds));
    copies_.emplace_back(card, std::move(copies));
  }
  Fields fields(std::string deals) const {
    return {{"deals", std::move(deals)}, {"cards", holds_}, {"copies", copies_}};
  }

 private:
  Fields holds_;
  Fields copies_;
};

// base to the power of `exponent` in decimal digits: the ways dice can fall soon are too many for a whole number.
inline std::string power_text(int base, int exponent) {
  std::vector<int> digits = {1};  // the lowest first
  for (int i = 0; i < exponent; ++i) {
    int carry = 0;
    for (int& digit : digits) {
      carry += digit * base;
      digit = carry % 10;
      carry /= 10;
    }
    for (; carry > 0; carry /= 10) digits.push_back(carry % 10);
  }
  std::string out;
  for (const int digit : digits) out.insert(out.begin(), static_cast<char>('0' + digit));
  return out;
}

// Each seat holds one card at most. `shown`: the card of each seat as the observer knows it, -1: not known; `out`:
// cards that nobody can hold. Seats from `dealt` on have none yet.
template <class Name>
Fields single_card_beliefs(int cards, int seats, int dealt, const std::vector<int>& shown, const std::vector<int>& out,
                           Name name) {
  std::vector<bool> seen(static_cast<std::size_t>(cards));
  int left = cards;
  int hidden = 0;
  const auto see = [&](int card) {
    if (card < 0) return;
    seen[static_cast<std::size_t>(card)] = true;
    --left;
  };
  for (const int card : out) see(card);
  for (int seat = 0; seat < dealt; ++seat) {
    see(shown[static_cast<std::size_t>(seat)]);
    hidden += shown[static_cast<std::size_t>(seat)] < 0 ? 1 : 0;
  }
  HandBeliefs beliefs;
  for (int card = 0; card < cards; ++card) {
    std::vector<double> holds(static_cast<std::size_t>(seats));
    for (int seat = 0; seat < dealt; ++seat) {
      const int known = shown[static_cast<std::size_t>(seat)];
      const bool open = known < 0 && !seen[static_cast<std::size_t>(card)];
      holds[static_cast<std::size_t>(seat)] = known == card ? 1.0 : open ? 1.0 / left : 0.0;
    }
    beliefs.add(name(card), holds, holds);
  }
  std::int64_t deals = 1;  // at most 52 * 51 or 11!
  for (int i = 0; i < hidden; ++i) deals *= left - i;
  return beliefs.fields(std::to_string(deals));
}

}  // namespace kiebitz
