// Poker hands: cards as numbers and text, and the strength of the best five of five, six or seven cards as one integer.
//
// A hand is two sums over its cards, so adding a card or joining two hands takes two additions. Five cards of a suit
// decide a hand of at most seven cards (the others cannot make a full house then), and a table by the ranks of that
// suit has its strength. Any other hand depends only on how often each rank occurs. These multisets of ranks are
// numbered without gaps: the ranks are split into three groups, a sum of keys identifies the pattern of a group, and
// patterns are ordered by their number of cards, so that those that fit the patterns of the other groups form a range.
// Addresses are thus computed, not searched for, and each of the 73,775 multisets of five to seven ranks takes one
// entry. The idea of a sum that hashes without collisions is Senzee's (2006) and used by many evaluators since.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace kiebitz::poker {

inline constexpr int kRanks = 13;  // 0 is the deuce, 12 the ace
inline constexpr int kSuits = 4;   // clubs, diamonds, hearts, spades
inline constexpr int kCards = kRanks * kSuits;
inline constexpr int kLeastCards = 5;
inline constexpr int kMostCards = 7;

inline constexpr std::string_view kRankLetters = "23456789TJQKA";
inline constexpr std::string_view kSuitLetters = "cdhs";

constexpr int card_of(int rank, int suit) { return rank * kSuits + suit; }
constexpr int rank_of(int card) { return card / kSuits; }
constexpr int suit_of(int card) { return card % kSuits; }

inline std::string card_name(int card) { return {kRankLetters[rank_of(card)], kSuitLetters[suit_of(card)]}; }

// "As" or "Td".
inline int parse_card(std::string_view text) {
  if (text.size() == 2) {
    const auto rank = kRankLetters.find(text[0]), suit = kSuitLetters.find(text[1]);
    if (rank != std::string_view::npos && suit != std::string_view::npos) {
      return card_of(static_cast<int>(rank), static_cast<int>(suit));
    }
  }
  throw ParameterError("expected a card such as As or Td (ranks " + std::string(kRankLetters) + ", suits " +
                       std::string(kSuitLetters) + "), got '" + excerpt(text) + "'");
}

enum class Category : std::uint8_t {
  high_card,
  pair,
  two_pair,
  three_of_a_kind,
  straight,
  flush,
  full_house,
  four_of_a_kind,
  straight_flush,
};

inline constexpr std::array<const char*, 9> kCategoryNames = {
    "high card", "pair",       "two pair",       "three of a kind", "straight",
    "flush",     "full house", "four of a kind", "straight flush",
};

// Larger is better, equal is a tie. The upper four bits are the category, the others the place within it, from 0.
using Strength = std::uint16_t;
inline constexpr int kPlaceBits = 12;

constexpr Category category_of(Strength strength) { return static_cast<Category>(strength >> kPlaceBits); }

// Any set of distinct cards, as sums over the cards.
class Hand {
 public:
  constexpr Hand() = default;
  constexpr Hand(std::initializer_list<int> cards) {
    for (const int card : cards) add(card);
  }

  constexpr void add(int card) { *this = *this + kOfCard[card]; }

  // The cards of both hands, which must not have a card in common.
  friend constexpr Hand operator+(Hand a, Hand b) { return Hand(a.key_ + b.key_, a.cards_ + b.cards_); }

  friend constexpr bool operator==(Hand, Hand) = default;

 private:
  friend class HandEvaluator;

  // The smallest numbers whose sums of up to seven, none of them used more than four times, are all different.
  static constexpr std::array<int, 5> kKeys = {1, 5, 24, 112, 521};
  static constexpr int kLowRanks = 5, kMiddleRanks = 4, kHighRanks = 4;
  // The fields of a key: the sums of the three groups of ranks, then the number of cards of each suit.
  static constexpr int kMiddleAt = 12, kHighAt = 22, kSuitsAt = 32, kSuitBits = 4;
  static constexpr int kRanksAt = 16;  // the cards of a suit take 16 bits

  constexpr Hand(std::uint64_t key, std::uint64_t cards) : key_(key), cards_(cards) {}

  static const std::array<Hand, kCards> kOfCard;
  static constexpr std::array<Hand, kCards> of_card() {
    std::array<Hand, kCards> hands;
    for (int card = 0; card < kCards; ++card) {
      const int rank = rank_of(card), suit = suit_of(card);
      std::uint64_t key = std::uint64_t{1} << (kSuitsAt + kSuitBits * suit);
      if (rank < kLowRanks) {
        key += kKeys[rank];
      } else if (rank < kLowRanks + kMiddleRanks) {
        key += kKeys[rank - kLowRanks] << kMiddleAt;
      } else {
        key += std::uint64_t(kKeys[rank - kLowRanks - kMiddleRanks]) << kHighAt;
      }
      hands[card] = Hand(key, std::uint64_t{1} << (kRanksAt * suit + rank));
    }
    return hands;
  }

  std::uint64_t key_ = 0;
  std::uint64_t cards_ = 0;  // one bit per card
};

inline constexpr std::array<Hand, kCards> Hand::kOfCard = Hand::of_card();

// The tables, about 200 KiB, built on first use. Loops should keep the reference.
class HandEvaluator {
 public:
  static const HandEvaluator& get() {
    static const HandEvaluator evaluator;
    return evaluator;
  }

  // The hand must have five to seven cards.
  Strength operator()(Hand hand) const {
    // After adding three to each suit, a fifth card of a suit sets the top bit of its four.
    constexpr std::uint64_t three = std::uint64_t{0x3333} << Hand::kSuitsAt;
    constexpr std::uint64_t top = std::uint64_t{0x8888} << Hand::kSuitsAt;
    if (const std::uint64_t five = (hand.key_ + three) & top; five != 0) [[unlikely]] {
      const int suit = (std::countr_zero(five) - Hand::kSuitsAt) / Hand::kSuitBits;
      return flush_[hand.cards_ >> (Hand::kRanksAt * suit) & (kRankSets - 1)];
    }
    const std::uint32_t key = static_cast<std::uint32_t>(hand.key_);
    const std::uint32_t row = middle_[key >> Hand::kMiddleAt & 0x3FF] + high_[key >> Hand::kHighAt];
    return ranks_[rows_[row] + low_[key & 0xFFF]];
  }

  Strength operator()(std::span<const std::uint8_t> cards) const {
    Hand hand;
    for (const auto card : cards) hand.add(card);
    return (*this)(hand);
  }

 private:
  static constexpr int kRankSets = 1 << kRanks;

  // How often each rank of a group occurs, identified by the sum of its keys.
  struct Pattern {
    int sum = 0, cards = 0;
    std::array<int, 5> counts{};
  };

  // Everything that decides between two hands in one number: the category, then up to five ranks, most important first.
  using Code = std::uint32_t;
  static constexpr int kCodeBits = 4, kCategoryAt = 5 * kCodeBits;
  using Counts = std::array<int, kRanks>;

  HandEvaluator() {
    const auto low = patterns(Hand::kLowRanks), middle = patterns(Hand::kMiddleRanks),
               high = patterns(Hand::kHighRanks);
    std::vector<Code> by_ranks;  // in the order of the addresses
    for (std::size_t i = 0; i < low.size(); ++i) low_[low[i].sum] = static_cast<std::uint16_t>(i);
    for (std::size_t i = 0; i < high.size(); ++i) high_[high[i].sum] = static_cast<std::uint16_t>(i);
    for (const Pattern& m : middle) {
      middle_[m.sum] = static_cast<std::uint16_t>(rows_.size());
      for (const Pattern& h : high) {
        const int others = m.cards + h.cards;
        if (others > kMostCards) break;
        const auto too_few = [&](const Pattern& l) { return l.cards + others < kLeastCards; };
        const auto first = std::partition_point(low.begin(), low.end(), too_few);
        rows_.push_back(static_cast<std::int32_t>(by_ranks.size()) - static_cast<std::int32_t>(first - low.begin()));
        for (auto l = first; l != low.end() && l->cards + others <= kMostCards; ++l) {
          Counts counts{};
          auto next = std::copy_n(l->counts.begin(), Hand::kLowRanks, counts.begin());
          next = std::copy_n(m.counts.begin(), Hand::kMiddleRanks, next);
          std::copy_n(h.counts.begin(), Hand::kHighRanks, next);
          by_ranks.push_back(code_of_ranks(counts));
        }
      }
    }

    std::vector<Code> by_flush(kRankSets, 0);
    for (int set = 0; set < kRankSets; ++set) {
      if (std::popcount(static_cast<unsigned>(set)) >= kLeastCards) by_flush[set] = code_of_flush(set);
    }

    // The place within a category is the rank of a code among those that occur.
    std::vector<Code> codes = by_ranks;
    std::copy_if(by_flush.begin(), by_flush.end(), std::back_inserter(codes), [](Code code) { return code != 0; });
    std::sort(codes.begin(), codes.end());
    codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
    const auto strength_of = [&](Code code) {
      const Code category = code >> kCategoryAt;
      const auto first = std::lower_bound(codes.begin(), codes.end(), category << kCategoryAt);
      const auto place = std::lower_bound(first, codes.end(), code) - first;
      return static_cast<Strength>(category << kPlaceBits | static_cast<Code>(place));
    };
    ranks_.reserve(by_ranks.size());
    for (const Code code : by_ranks) ranks_.push_back(strength_of(code));
    for (int set = 0; set < kRankSets; ++set) flush_[set] = by_flush[set] != 0 ? strength_of(by_flush[set]) : 0;
  }

  // All patterns of a group, those with fewer cards first.
  static std::vector<Pattern> patterns(int ranks) {
    std::vector<Pattern> all(1);
    for (int r = 0; r < ranks; ++r) {
      for (std::size_t i = 0, n = all.size(); i < n; ++i) {
        Pattern more = all[i];
        while (++more.counts[r] <= kSuits && ++more.cards <= kMostCards) {
          more.sum += Hand::kKeys[r];
          all.push_back(more);
        }
      }
    }
    std::stable_sort(all.begin(), all.end(), [](const Pattern& a, const Pattern& b) { return a.cards < b.cards; });
    return all;
  }

  static Code code(Category category, std::initializer_list<int> ranks) {
    Code code = static_cast<Code>(category);
    for (const int rank : ranks) code = code << kCodeBits | static_cast<Code>(rank);
    return code << kCodeBits * (5 - ranks.size());
  }

  // The highest rank of the best straight in a set of ranks; negative if none. The ace also counts below the deuce.
  static int straight(int set) {
    const unsigned s = static_cast<unsigned>(set) << 1 | static_cast<unsigned>(set) >> (kRanks - 1);
    return std::bit_width(s & s << 1 & s << 2 & s << 3 & s << 4) - 2;
  }

  static Code code_of_ranks(Counts counts) {
    // Removes and returns the highest remaining rank that occurs at least `times` times, or -1.
    const auto take = [&](int times) {
      for (int rank = kRanks - 1; rank >= 0; --rank) {
        if (counts[rank] >= times) {
          counts[rank] = 0;
          return rank;
        }
      }
      return -1;
    };
    int set = 0;
    for (int rank = 0; rank < kRanks; ++rank) set |= counts[rank] > 0 ? 1 << rank : 0;
    if (const int four = take(4); four >= 0) return code(Category::four_of_a_kind, {four, take(1)});
    const int three = take(3);
    const int two = take(2);
    if (three >= 0 && two >= 0) return code(Category::full_house, {three, two});
    if (const int top = straight(set); top >= 0) return code(Category::straight, {top});
    if (three >= 0) return code(Category::three_of_a_kind, {three, take(1), take(1)});
    if (two < 0) return code(Category::high_card, {take(1), take(1), take(1), take(1), take(1)});
    if (const int second = take(2); second >= 0) return code(Category::two_pair, {two, second, take(1)});
    return code(Category::pair, {two, take(1), take(1), take(1)});
  }

  static Code code_of_flush(int set) {
    if (const int top = straight(set); top >= 0) return code(Category::straight_flush, {top});
    auto take = [left = static_cast<unsigned>(set)]() mutable {
      const int rank = std::bit_width(left) - 1;
      left ^= 1U << rank;
      return rank;
    };
    return code(Category::flush, {take(), take(), take(), take(), take()});
  }

  std::array<std::uint16_t, 1 << (Hand::kMiddleAt)> low_{};
  std::array<std::uint16_t, 1 << (Hand::kHighAt - Hand::kMiddleAt)> middle_{};
  std::array<std::uint16_t, 1 << (Hand::kSuitsAt - Hand::kHighAt)> high_{};
  std::vector<std::int32_t> rows_;
  std::vector<Strength> ranks_;
  std::array<Strength, kRankSets> flush_{};
};

}  // namespace kiebitz::poker
