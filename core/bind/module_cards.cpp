// Poker hands for Python: the evaluator and the all-in table over NumPy arrays.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "bind/module.hpp"
#include "bind/stoppable.hpp"
#include "cards/equity.hpp"
#include "cards/poker.hpp"

namespace kiebitz::bind {
namespace {

using namespace nb::literals;
using namespace kiebitz::poker;

using CardArray = nb::ndarray<const std::uint8_t, nb::c_contig, nb::device::cpu>;
using Strengths = nb::ndarray<nb::numpy, Strength, nb::ndim<1>>;
using Wins = nb::ndarray<nb::numpy, std::uint32_t>;

// An array that owns what it shows.
template <class Array, class T>
Array array_of(std::vector<T> values, std::initializer_list<std::size_t> shape) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  T* data = owned->data();
  const nb::capsule owner(owned.get(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  owned.release();
  return Array(data, shape, owner);
}

// Different cards of the deck, and nothing else.
bool is_hand(std::span<const std::uint8_t> cards) {
  std::uint64_t seen = 0;
  for (const auto card : cards) {
    if (card >= kCards || (seen >> card & 1) != 0) return false;
    seen |= std::uint64_t{1} << card;
  }
  return true;
}

[[noreturn]] void refuse(std::span<const std::uint8_t> cards, std::size_t row) {
  const std::string where = "cards: row " + std::to_string(row);
  for (const auto card : cards) {
    if (card >= kCards) throw ParameterError(where + " has card " + std::to_string(card) + ", expected 0 to 51");
  }
  throw ParameterError(where + " has a card twice");
}

Strengths evaluate(const CardArray& cards) {
  if (cards.ndim() != 2 || cards.shape(1) < kLeastCards || cards.shape(1) > kMostCards) {
    std::string shape;
    for (std::size_t i = 0; i < cards.ndim(); ++i) shape += (i == 0 ? "" : " x ") + std::to_string(cards.shape(i));
    throw ParameterError("cards: expected a row of 5, 6 or 7 cards for each hand, got an array of shape " + shape);
  }
  const std::size_t n = cards.shape(0), width = cards.shape(1);
  std::vector<Strength> strengths(n);
  run_unlocked([&] {
    const auto& evaluator = HandEvaluator::get();
    std::array<std::uint8_t, kMostCards> own{};
    for (std::size_t i = 0; i < n; ++i) {
      // Copied: another thread could change a card between the check and its use.
      std::copy_n(cards.data() + i * width, width, own.begin());
      const std::span<const std::uint8_t> hand(own.data(), width);
      if (!is_hand(hand)) refuse(hand, i);
      strengths[i] = evaluator(hand);
    }
  });
  return array_of<Strengths>(std::move(strengths), {n});
}

int checked_class(std::int64_t kind) {
  if (kind < 0 || kind >= kClasses) throw ParameterError("kind: expected 0 to 168, got " + std::to_string(kind));
  return static_cast<int>(kind);
}

}  // namespace

void bind_cards(nb::module_& m) {
  m.def("parse_card", &parse_card, "text"_a, "The number of a card such as 'As' or 'Td': rank * 4 + suit.");
  m.def(
      "card_name",
      [](std::int64_t card) {
        if (card < 0 || card >= kCards) throw ParameterError("card: expected 0 to 51, got " + std::to_string(card));
        return card_name(static_cast<int>(card));
      },
      "card"_a, "The text of a card.");

  m.def(
      "hand_category",
      [](std::int64_t strength) {
        const std::int64_t category = strength >> kPlaceBits;
        if (category < 0 || category >= static_cast<std::int64_t>(kCategoryNames.size())) {
          throw ParameterError("strength: expected a result of evaluate_hands, got " + std::to_string(strength));
        }
        return kCategoryNames[static_cast<std::size_t>(category)];
      },
      "strength"_a, "A strength in words, such as 'full house'; strengths >> 12 are the same as numbers.");
  m.def(
      "evaluate_hands",
      [](const nb::object& given) {
        CardArray cards;
        if (!nb::try_cast(given, cards, false)) {
          throw ParameterError("cards: expected a NumPy array of type uint8 in C order, got " +
                               excerpt(nb::repr(given).c_str()));
        }
        return evaluate(cards);
      },
      "cards"_a.none(),
      nb::sig("def evaluate_hands(cards: numpy.typing.NDArray[numpy.uint8]) -> numpy.typing.NDArray[numpy.uint16]"),
      "The strength of the best five cards of each row of 5, 6 or 7 cards (a C-ordered array). Larger is better, equal "
      "is a tie.");

  m.def(
      "all_in_wins",
      [](const StopToken* stop) -> std::optional<Wins> {
        auto wins = run_stoppable(false, stop, [](Stop& s) { return all_in_wins(s); });
        if (!wins) return std::nullopt;
        return array_of<Wins>(std::move(*wins), {kClasses, kClasses});
      },
      "stop"_a.none() = nb::none(),
      "In row a, column b: in how many deals (two hands and a board) a starting hand of kind a beats one of kind b. "
      "None if cancelled.");
  m.def(
      "all_in_wins_of",
      [](std::int64_t kind, const StopToken* stop) -> std::optional<Wins> {
        const int row = checked_class(kind);
        auto wins = run_stoppable(false, stop, [row](Stop& s) { return all_in_wins_of(row, s); });
        if (!wins) return std::nullopt;
        return array_of<Wins>(std::move(*wins), {kClasses});
      },
      "kind"_a, "stop"_a.none() = nb::none(),
      "One row of that table, found by comparing hand with hand. None if cancelled.");
}

}  // namespace kiebitz::bind
