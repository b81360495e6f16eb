// The cards of Doppelkopf: numbers, eyes, and for every contract which cards are trumps, what must be followed and what
// beats what (tournament rules of the German Doppelkopf association, the thesis' section on contracts). All of it is
// tables made at compile time.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace kiebitz::doppelkopf {

inline constexpr int kSeats = 4;
inline constexpr int kTypes = 24;  // different cards; each exists twice
inline constexpr int kMostCards = 48;

// Card number = 6 * suit + rank, the action number of playing it.
inline constexpr int kDiamonds = 0;
inline constexpr int kHearts = 1;
inline constexpr int kClubs = 2;
inline constexpr int kSpades = 3;
inline constexpr int kNine = 0;
inline constexpr int kTen = 1;
inline constexpr int kJack = 2;
inline constexpr int kQueen = 3;
inline constexpr int kKing = 4;
inline constexpr int kAce = 5;

constexpr int card_of(int suit, int rank) { return 6 * suit + rank; }
constexpr int suit_of(int card) { return card / 6; }
constexpr int rank_of(int card) { return card % 6; }

inline constexpr int kHeartTen = card_of(kHearts, kTen);
inline constexpr int kClubQueen = card_of(kClubs, kQueen);
inline constexpr int kClubJack = card_of(kClubs, kJack);
inline constexpr int kFox = card_of(kDiamonds, kAce);
inline constexpr int kDiamondKing = card_of(kDiamonds, kKing);

inline constexpr std::array<std::uint8_t, kTypes> kEyes = [] {
  constexpr int by_rank[] = {0, 10, 2, 3, 4, 11};
  std::array<std::uint8_t, kTypes> eyes{};
  for (int c = 0; c < kTypes; ++c) eyes[static_cast<std::size_t>(c)] = static_cast<std::uint8_t>(by_rank[rank_of(c)]);
  return eyes;
}();

inline constexpr std::uint32_t kAllTypes = (1U << kTypes) - 1;
inline constexpr std::uint32_t kNines =
    1U << card_of(0, 0) | 1U << card_of(1, 0) | 1U << card_of(2, 0) | 1U << card_of(3, 0);

// --- Contracts ------------------------------------------------------------------------------------------------------

// A reservation and the contract it leads to have the same number; action = 24 + number.
inline constexpr int kHealthy = 0;
inline constexpr int kNormal = 0;
inline constexpr int kWedding = 1;
inline constexpr int kFirstSolo = 2;     // diamonds, hearts, spades, clubs, trumpless, queens, jacks
inline constexpr int kReservations = 9;  // of the thesis; the house rules' follow
inline constexpr int kPoverty = 9;
inline constexpr int kThrowIn = 10;
inline constexpr int kNames = 11;

constexpr bool is_solo(int contract) { return contract >= kFirstSolo && contract < kReservations; }

// Orders of the cards. Normal games, weddings, poverty and the diamond solo share one. Those from kPigletOrder on are
// the same with piglets, piglets and superpiglets, and all three; each of the last two in a pack with and without
// nines.
inline constexpr int kPigletOrder = 7;
inline constexpr int kOrders = 12;

constexpr int order_of(int contract) { return is_solo(contract) ? contract - kFirstSolo : 0; }

// House rule: both copies in one hand are the highest trumps. The second kind counts only above the first, and so on.
inline constexpr int kSwineKinds = 3;
constexpr int swine_card(int kind, bool nines) {
  constexpr int ranks[] = {kAce, kNine, kKing, kJack};
  return card_of(kDiamonds, ranks[kind == 0 || nines ? kind : kind + 1]);
}
// The order with that many kinds in play.
constexpr int swine_order(int kinds, bool nines) {
  return kinds <= 1 ? (kinds == 0 ? 0 : kPigletOrder) : kPigletOrder + 2 * kinds - (nines ? 3 : 2);
}
// How many kinds an order has in play.
constexpr int swine_kinds(int order) { return order < kPigletOrder ? 0 : (order - kPigletOrder + 1) / 2 + 1; }
// Can they come into play? Not where other cards are trumps.
constexpr bool has_swine(int order) { return order == 0 || order >= kPigletOrder; }

inline constexpr int kTrump = 4;  // categories: the four side suits by number, then trump
inline constexpr int kCategories = 5;

struct Order {
  std::array<std::uint8_t, kTypes> category{};
  std::array<std::uint8_t, kTypes> rank{};         // place in the category, larger is higher, from 1
  std::array<std::uint32_t, kCategories> cards{};  // the cards of a category as bits
  std::array<std::array<std::uint8_t, kTypes>, kCategories>
      power{};  // of a card when that category was led; 0: cannot take the trick
};

constexpr Order make_order(int order) {
  constexpr int suit_of_solo[] = {kDiamonds, kHearts, kSpades, kClubs};
  constexpr int high_to_low[] = {kAce, kTen, kKing, kQueen, kJack, kNine};
  constexpr int suits_high_to_low[] = {kClubs, kSpades, kHearts, kDiamonds};
  std::array<int, kTypes> trumps{};  // highest first
  std::size_t n = 0;
  std::array<bool, kTypes> is_trump{};
  const auto add = [&](int card) {
    if (is_trump[static_cast<std::size_t>(card)]) return;
    is_trump[static_cast<std::size_t>(card)] = true;
    trumps[n++] = card;
  };
  const bool suit_order = order < 4 || order >= kPigletOrder;
  for (int kind = swine_kinds(order) - 1; kind >= 0; --kind) {
    add(swine_card(kind, (order - kPigletOrder) % 2 == 1));
  }
  if (suit_order) add(kHeartTen);
  if (suit_order || order == 5) {
    for (const int suit : suits_high_to_low) add(card_of(suit, kQueen));
  }
  if (suit_order || order == 6) {
    for (const int suit : suits_high_to_low) add(card_of(suit, kJack));
  }
  if (suit_order) {
    const int suit = suit_of_solo[order >= kPigletOrder ? 0 : order];
    for (const int rank : high_to_low) add(card_of(suit, rank));
  }
  Order out;
  for (std::size_t i = 0; i < n; ++i) {
    const auto c = static_cast<std::size_t>(trumps[i]);
    out.category[c] = kTrump;
    out.rank[c] = static_cast<std::uint8_t>(n - i);
  }
  for (int suit = 0; suit < 4; ++suit) {
    std::uint8_t place = 0;
    for (int i = 5; i >= 0; --i) {
      const auto c = static_cast<std::size_t>(card_of(suit, high_to_low[i]));
      if (is_trump[c]) continue;
      out.category[c] = static_cast<std::uint8_t>(suit);
      out.rank[c] = ++place;
    }
  }
  for (std::size_t c = 0; c < kTypes; ++c) {
    out.cards[out.category[c]] |= 1U << c;
    for (std::size_t led = 0; led < kCategories; ++led) {
      const bool trump = out.category[c] == kTrump;
      if (trump || out.category[c] == led) out.power[led][c] = static_cast<std::uint8_t>(out.rank[c] + (trump ? 8 : 0));
    }
  }
  return out;
}

inline constexpr std::array<Order, kOrders> kOrder = [] {
  std::array<Order, kOrders> all{};
  for (int i = 0; i < kOrders; ++i) all[static_cast<std::size_t>(i)] = make_order(i);
  return all;
}();

// --- Hands ----------------------------------------------------------------------------------------------------------

// A hand: bit c says that it holds card c, bit 32 + c that it holds both copies.
using Hand = std::uint64_t;

constexpr std::uint32_t types(Hand hand) { return static_cast<std::uint32_t>(hand); }
constexpr int count(Hand hand) { return std::popcount(hand); }
constexpr int copies(Hand hand, int card) {
  return static_cast<int>(hand >> card & 1) + static_cast<int>(hand >> (32 + card) & 1);
}
constexpr Hand with(Hand hand, int card) { return hand | Hand{1} << (card + ((hand >> card & 1) != 0 ? 32 : 0)); }
constexpr Hand without(Hand hand, int card) {
  return hand & ~(Hand{1} << (card + ((hand >> (32 + card) & 1) != 0 ? 32 : 0)));
}

}  // namespace kiebitz::doppelkopf
