// The betting of Leduc hold'em: what players can do, and the sequence of their actions in two rounds.
#pragma once

#include <array>

#include "games/contract.hpp"

namespace kiebitz::leduc {

inline constexpr int kFold = 0;
inline constexpr int kCall = 1;
inline constexpr int kRaise = 2;
inline constexpr int kNone = -1;
inline constexpr int kMaxRaises = 6;
enum Kind : int { kDealKind, kFoldKind, kCheckKind, kCallKind, kBetKind, kRaiseKind };

// The public part: the actions so far. A round is a sequence of calls (0) and raises (1) that alternate between the
// seats.
struct Betting {
  std::int8_t round = 0;
  bool folded = false;  // by the seat whose turn it was
  std::array<std::int8_t, 2> length{};
  std::array<std::int8_t, 2> raises{};
  std::array<std::uint16_t, 2> raised{};  // bit i: action i of the round was a raise

  int actor() const { return length[index()] & 1; }
  // The round ends with a call that is not the first action.
  bool round_over() const { return round_over(index()); }
  bool round_over(std::size_t r) const { return length[r] > 1 && (raised[r] >> (length[r] - 1) & 1) == 0; }
  bool over() const { return folded || (round == 1 && round_over()); }
  std::size_t index() const { return static_cast<std::size_t>(round); }

  void add(Action a) {
    const std::size_t r = index();
    if (a == kFold) {
      folded = true;
      return;
    }
    if (a == kRaise) {
      raised[r] = static_cast<std::uint16_t>(raised[r] | 1U << length[r]);
      ++raises[r];
    }
    ++length[r];
  }

  // "crc/rf": the first round, then the second.
  std::string text() const {
    std::string out;
    for (int r = 0; r <= round; ++r) {
      const auto i = static_cast<std::size_t>(r);
      if (r == 1) out += '/';
      for (int k = 0; k < length[i]; ++k) out += (raised[i] >> k & 1) != 0 ? 'r' : 'c';
    }
    return folded ? out + 'f' : out;
  }

  friend bool operator==(const Betting&, const Betting&) = default;
};

}  // namespace kiebitz::leduc
