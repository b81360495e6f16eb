// All-in before the flop: how often each of the 169 kinds of starting hands beats each other, counted over all deals.
//
// A deal is two hands without a common card and a board of five of the other 48 cards. Boards that differ only in the
// names of the suits are counted once, with their number of copies. For each board the 1,081 possible hands are sorted
// and swept from the weakest to the strongest. The sweep keeps counts of the weaker hands by kind, in all and by card
// held; subtracting the hands that share a card gives the hands that the current one beats. So a board costs 1,081
// additions of vectors instead of half a million comparisons.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/stop.hpp"
#include "cards/poker.hpp"

namespace kiebitz::poker {

inline constexpr int kClasses = kRanks * kRanks;
inline constexpr int kHoleCount = kCards * (kCards - 1) / 2;
inline constexpr int kBoardCards = 5;
inline constexpr int kLiveCount = (kCards - kBoardCards) * (kCards - kBoardCards - 1) / 2;  // hands left by a board

using Board = std::array<std::uint8_t, kBoardCards>;

// The kind of a starting hand is its place in the usual chart: rows and columns from the ace down to the deuce, pairs
// on the diagonal, suited hands above it, offsuit hands below.
constexpr int class_of(int a, int b) {
  const int high = kRanks - 1 - std::max(rank_of(a), rank_of(b));
  const int low = kRanks - 1 - std::min(rank_of(a), rank_of(b));
  return suit_of(a) == suit_of(b) ? high * kRanks + low : low * kRanks + high;
}

// The two cards that a player starts with.
struct Hole {
  std::uint8_t a = 0, b = 0;
  std::uint8_t kind = 0;
  Hand hand;

  constexpr bool holds(int card) const { return a == card || b == card; }
};

inline constexpr std::array<Hole, kHoleCount> kHoles = [] {
  std::array<Hole, kHoleCount> holes;
  int n = 0;
  for (int a = 0; a < kCards; ++a) {
    for (int b = 0; b < a; ++b) {
      holes[n++] = {static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b),
                    static_cast<std::uint8_t>(class_of(a, b)), Hand{a, b}};
    }
  }
  return holes;
}();

// Calls visit(board, copies) for one of each group of boards that differ only in the names of the suits.
template <class Visit>
void for_each_board(Visit&& visit) {
  for (int a = 0; a < kCards; ++a) {
    for (int b = 0; b < a; ++b) {
      for (int c = 0; c < b; ++c) {
        for (int d = 0; d < c; ++d) {
          for (int e = 0; e < d; ++e) {
            std::array<int, kSuits> ranks{};  // a set per suit; the board with sorted sets represents its group
            for (const int card : {a, b, c, d, e}) ranks[suit_of(card)] |= 1 << rank_of(card);
            if (ranks[0] < ranks[1] || ranks[1] < ranks[2] || ranks[2] < ranks[3]) continue;
            int copies = 24, equal = 1;
            for (int s = 1; s < kSuits; ++s) {
              equal = ranks[s] == ranks[s - 1] ? equal + 1 : 1;
              copies /= equal;
            }
            visit(Board{static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b), static_cast<std::uint8_t>(c),
                        static_cast<std::uint8_t>(d), static_cast<std::uint8_t>(e)},
                  copies);
          }
        }
      }
    }
  }
}

// The hands that a board leaves possible, with their strength on it.
class LiveHands {
 public:
  struct Entry {
    Strength strength;
    std::uint16_t hole;  // index in kHoles
  };

  void deal(const Board& board) {
    std::uint64_t dead = 0;
    Hand shared;
    for (const auto card : board) {
      dead |= std::uint64_t{1} << card;
      shared.add(card);
    }
    std::size_t n = 0;
    for (std::size_t i = 0; i < kHoleCount; ++i) {
      const Hole& hole = kHoles[i];
      if ((dead >> hole.a & 1) != 0 || (dead >> hole.b & 1) != 0) continue;
      entries_[n++] = {evaluate_(shared + hole.hand), static_cast<std::uint16_t>(i)};
    }
  }

  // Weakest first: a counting sort by the lower, then by the upper byte of the strength.
  void sort() {
    sort_by_byte(entries_, other_, 0);
    sort_by_byte(other_, entries_, 8);
  }

  const Entry* begin() const { return entries_.data(); }
  const Entry* end() const { return entries_.data() + entries_.size(); }

 private:
  using Entries = std::array<Entry, kLiveCount>;

  static void sort_by_byte(const Entries& from, Entries& to, int shift) {
    std::array<std::uint16_t, 257> start{};
    for (const Entry& e : from) ++start[(e.strength >> shift & 0xFF) + 1];
    for (std::size_t i = 1; i < start.size(); ++i) start[i] = static_cast<std::uint16_t>(start[i] + start[i - 1]);
    for (const Entry& e : from) to[start[e.strength >> shift & 0xFF]++] = e;
  }

  const HandEvaluator& evaluate_ = HandEvaluator::get();
  Entries entries_{}, other_{};
};

// Wins of kind against kind, summed over the boards added.
class Showdowns {
 public:
  Showdowns() : wins_(kClasses * kClasses, 0) {}

  void add(const Board& board, int copies) {
    live_.deal(board);
    live_.sort();
    weaker_.fill(0);
    for (auto& row : weaker_with_) row.fill(0);
    for (const auto* first = live_.begin(); first != live_.end();) {
      const auto* last = first;
      for (; last != live_.end() && last->strength == first->strength; ++last) beat_weaker(kHoles[last->hole]);
      for (; first != last; ++first) enter(kHoles[first->hole]);
    }
    for (int kind = 0; kind < kClasses; ++kind) {
      std::uint32_t* total = &wins_[kind * kClasses];
      for (int other = 0; other < kClasses; ++other)
        total[other] += static_cast<std::uint32_t>(copies * won_[kind][other]);
      won_[kind].fill(0);
    }
  }

  // Row a, column b: the number of deals that a hand of kind a wins against one of kind b. At most 144 pairs of hands
  // times 1,712,304 boards, so 32 bits are enough.
  const std::vector<std::uint32_t>& wins() const { return wins_; }

 private:
  // Counts by kind, padded to whole vectors; on one board they stay below 12 * 12.
  using Row = std::array<std::uint16_t, (kClasses + 7) / 8 * 8>;

  void beat_weaker(const Hole& hole) {
    std::uint16_t* __restrict won = won_[hole.kind].data();
    const std::uint16_t* with_a = weaker_with_[hole.a].data();
    const std::uint16_t* with_b = weaker_with_[hole.b].data();
    for (std::size_t i = 0; i < Row{}.size(); ++i) {
      won[i] = static_cast<std::uint16_t>(won[i] + weaker_[i] - with_a[i] - with_b[i]);
    }
  }

  void enter(const Hole& hole) {
    ++weaker_[hole.kind];
    ++weaker_with_[hole.a][hole.kind];
    ++weaker_with_[hole.b][hole.kind];
  }

  LiveHands live_;
  alignas(16) Row weaker_{};
  alignas(16) std::array<Row, kCards> weaker_with_{};
  alignas(16) std::array<Row, kClasses> won_{};
  std::vector<std::uint32_t> wins_;
};

// The whole table, which takes some seconds; nullopt if stopped.
inline std::optional<std::vector<std::uint32_t>> all_in_wins(Stop& stop) {
  Showdowns showdowns;
  bool stopped = false;
  for_each_board([&](const Board& board, int copies) {
    stopped = stopped || stop.poll();
    if (!stopped) showdowns.add(board, copies);
  });
  if (stopped) return std::nullopt;
  return showdowns.wins();
}

// One row of the table by comparing hand with hand, an independent way to the same numbers; nullopt if stopped.
inline std::optional<std::vector<std::uint32_t>> all_in_wins_of(int kind, Stop& stop) {
  LiveHands live;
  std::vector<std::uint32_t> wins(kClasses, 0);
  bool stopped = false;
  for_each_board([&](const Board& board, int copies) {
    stopped = stopped || stop.poll();
    if (stopped) return;
    live.deal(board);
    for (const auto& mine : live) {
      const Hole& hole = kHoles[mine.hole];
      if (hole.kind != kind) continue;
      for (const auto& theirs : live) {
        const Hole& other = kHoles[theirs.hole];
        const bool beaten = mine.strength > theirs.strength && !other.holds(hole.a) && !other.holds(hole.b);
        wins[other.kind] += static_cast<std::uint32_t>(beaten ? copies : 0);
      }
    }
  });
  if (stopped) return std::nullopt;
  return wins;
}

}  // namespace kiebitz::poker
