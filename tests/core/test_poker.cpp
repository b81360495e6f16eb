// The evaluator of poker hands (PK-1): counts of all five-card hands, seven cards as the best of their 21 subsets,
// order by the rule book. And the exact all-in table: boards up to suits, and rows checked hand by hand.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/rng.hpp"
#include "cards/equity.hpp"
#include "cards/poker.hpp"

using namespace kiebitz;
using namespace kiebitz::poker;

namespace {

using Cards = std::vector<std::uint8_t>;

Strength strength(const Cards& cards) { return HandEvaluator::get()(std::span(cards)); }

Cards parse(std::string_view text) {
  Cards cards;
  for (std::size_t i = 0; i + 1 < text.size(); i += 3) {
    cards.push_back(static_cast<std::uint8_t>(parse_card(text.substr(i, 2))));
  }
  return cards;
}

Strength strength(std::string_view text) { return strength(parse(text)); }

Cards random_cards(Rng& rng, int n) {
  Cards deck(kCards);
  for (int i = 0; i < kCards; ++i) deck[i] = static_cast<std::uint8_t>(i);
  for (int i = 0; i < n; ++i) std::swap(deck[i], deck[i + rng.below(static_cast<std::uint32_t>(kCards - i))]);
  deck.resize(n);
  return deck;
}

// The best of all choices of five cards: the definition.
Strength best_of_five(const Cards& cards) {
  std::vector<bool> chosen(cards.size(), false);
  std::fill(chosen.begin(), chosen.begin() + 5, true);
  Strength best = 0;
  do {
    Cards five;
    for (std::size_t i = 0; i < cards.size(); ++i) {
      if (chosen[i]) five.push_back(cards[i]);
    }
    best = std::max(best, strength(five));
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  return best;
}

}  // namespace

TEST_CASE("cards and text") {
  CHECK(parse_card("2c") == 0);
  CHECK(parse_card("As") == 51);
  CHECK(parse_card("Td") == card_of(8, 1));
  for (int card = 0; card < kCards; ++card) CHECK(parse_card(card_name(card)) == card);
  for (const char* text : {"", "A", "as", "AS", "1c", "Asd", "10c"}) CHECK_THROWS_AS(parse_card(text), ParameterError);
}

TEST_CASE("PK-1: all five-card hands") {
  const auto& evaluate = HandEvaluator::get();
  std::array<int, 9> counts{};
  std::vector<bool> seen(1 << 16, false);
  for (int a = 0; a < kCards; ++a) {
    for (int b = 0; b < a; ++b) {
      for (int c = 0; c < b; ++c) {
        const Hand three{a, b, c};
        for (int d = 0; d < c; ++d) {
          for (int e = 0; e < d; ++e) {
            const Strength s = evaluate(three + Hand{d, e});
            ++counts[static_cast<int>(category_of(s))];
            seen[s] = true;
          }
        }
      }
    }
  }
  CHECK(counts == std::array{1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40});
  CHECK(std::count(seen.begin(), seen.end(), true) == 7462);
}

TEST_CASE("PK-1: hands in the order of the rules") {
  const std::vector<const char*> ladder = {
      "7c 5d 4h 3s 2c",                                                        // the worst hand
      "8c 5d 4h 3s 2c", "Ac Kd Qh Js 9c",                                      // high cards
      "2c 2d 5h 4s 3c", "2c 2d Ah 4s 3c", "Ac Ad Kh Qs Jc",                    // pairs by rank, then by the other cards
      "3c 3d 2h 2s 4c", "3c 3d 2h 2s Ac", "Ac Ad Kh Ks Qc",                    // two pairs
      "2c 2d 2h 4s 3c", "Ac Ad Ah Ks Qc",                                      // three of a kind
      "5c 4d 3h 2s Ac", "6c 5d 4h 3s 2c", "Ac Kd Qh Js Tc",                    // straights; the ace may be low
      "7c 5c 4c 3c 2c", "Ac Kc Qc Jc 9c",                                      // flushes
      "2c 2d 2h 3s 3c", "2c 2d 2h As Ac", "3c 3d 3h 2s 2c", "Ac Ad Ah Ks Kc",  // full houses
      "2c 2d 2h 2s 3c", "2c 2d 2h 2s Ac", "Ac Ad Ah As Kc",                    // four of a kind
      "5c 4c 3c 2c Ac", "6c 5c 4c 3c 2c", "Ac Kc Qc Jc Tc",                    // straight flushes
  };
  for (std::size_t i = 1; i < ladder.size(); ++i) {
    CAPTURE(ladder[i]);
    CHECK(strength(ladder[i - 1]) < strength(ladder[i]));
  }
  CHECK(strength("Kc Ad 2h 3s 4c") < strength("2c 2d 5h 4s 3c"));          // no straight around the corner
  CHECK(strength("Ac Kd Qh Js 9c") == strength("As Kc Qd Jh 9s"));         // suits do not matter
  CHECK(strength("Ac Ad Kh Ks Qc Qd Jc") == strength("Ac Ad Kh Ks Qc"));   // the third pair is a side card
  CHECK(strength("Ac Ad Ah Ks Kc Kd Qh") == strength("Ac Ad Ah Ks Kc"));   // the second three is a pair
  CHECK(strength("2c 2d 2h 2s Kc Kd Kh") == strength("2c 2d 2h 2s Kc"));   // four of a kind and three
  CHECK(strength("Ac Kc Qc Jc 9c 8c 7c") == strength("Ac Kc Qc Jc 9c"));   // seven of a suit
  CHECK(strength("9c 8c 7c 6c 5c Ac Ad") == strength("9c 8c 7c 6c 5c"));   // a straight flush below a higher flush
  CHECK(category_of(strength("9c 8c 7c 6c 5d 2c")) == Category::flush);    // beats the straight beside it
  CHECK(category_of(strength("Ac Ad Ah Ks Kc")) == Category::full_house);  // categories have names
  CHECK(std::string(kCategoryNames[static_cast<int>(Category::full_house)]) == "full house");
}

TEST_CASE("PK-1: six and seven cards are the best of their fives, in any order and any suits") {
  Rng rng(1);
  for (int round = 0; round < 20000; ++round) {
    const int n = 6 + round % 2;
    // Half of the hands from two suits, so that flushes and straight flushes are frequent.
    Cards cards = random_cards(rng, n);
    if (round % 4 < 2) {
      for (auto& card : cards) card = static_cast<std::uint8_t>(card & ~2);
      std::sort(cards.begin(), cards.end());
      if (std::adjacent_find(cards.begin(), cards.end()) != cards.end()) continue;
    }
    const Strength expected = strength(cards);
    CHECK(expected == best_of_five(cards));

    std::reverse(cards.begin(), cards.end());
    std::swap(cards[rng.below(static_cast<std::uint32_t>(n))], cards[0]);
    CHECK(strength(cards) == expected);
    const int shift = static_cast<int>(rng.below(kSuits));
    for (auto& card : cards) card = static_cast<std::uint8_t>(card_of(rank_of(card), (suit_of(card) + shift) % kSuits));
    CHECK(strength(cards) == expected);
  }
}

TEST_CASE("starting hands and their place in the chart") {
  std::array<int, kClasses> hands{};
  for (const Hole& hole : kHoles) ++hands[hole.kind];
  for (int kind = 0; kind < kClasses; ++kind) {
    const int row = kind / kRanks, column = kind % kRanks;
    CHECK(hands[kind] == (row == column ? 6 : row < column ? 4 : 12));
  }
  CHECK(class_of(parse_card("As"), parse_card("Ac")) == 0);
  CHECK(class_of(parse_card("Kh"), parse_card("Ah")) == 1);
  CHECK(class_of(parse_card("Ah"), parse_card("Kc")) == kRanks);
  CHECK(class_of(parse_card("2h"), parse_card("2c")) == kClasses - 1);
}

TEST_CASE("boards up to suits: 134,459, which stand for all 2,598,960") {
  int boards = 0, all = 0;
  std::array<int, 25> with_copies{};
  for_each_board([&](const Board&, int copies) {
    ++boards;
    all += copies;
    ++with_copies[copies];
  });
  CHECK(boards == 134459);
  CHECK(all == 2598960);
  // At most three suits can be absent or hold the same ranks; never all four of the same ranks.
  CHECK(with_copies[4] + with_copies[6] + with_copies[12] + with_copies[24] == boards);
}

TEST_CASE("the sweep over a board equals the comparison hand by hand") {
  int number = 0;
  for_each_board([&](const Board& board, int copies) {
    if (number++ % 6000 != 0) return;
    Showdowns showdowns;
    showdowns.add(board, copies);

    std::vector<std::uint32_t> expected(kClasses * kClasses, 0);
    const auto& evaluate = HandEvaluator::get();
    Hand shared;
    for (const auto card : board) shared.add(card);
    const auto blocked = [&](int card) { return std::find(board.begin(), board.end(), card) != board.end(); };
    for (const Hole& one : kHoles) {
      if (blocked(one.a) || blocked(one.b)) continue;
      const Strength strength = evaluate(shared + one.hand);
      for (const Hole& two : kHoles) {
        if (blocked(two.a) || blocked(two.b) || two.holds(one.a) || two.holds(one.b)) continue;
        if (strength > evaluate(shared + two.hand)) {
          expected[one.kind * kClasses + two.kind] += static_cast<std::uint32_t>(copies);
        }
      }
    }
    CHECK(showdowns.wins() == expected);
  });
  CHECK(number == 134459);
}
