// CAP, the baseline sampler (7.3 and 2.16 of the Doppelkopf specification): DK-51 always consistent and never stuck,
// DK-52 every deal can come, and the price, a distribution that is not the true one. DealCounter says what is true.
#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "cards/cap.hpp"

using namespace kiebitz;
using namespace kiebitz::cards;

namespace {

constexpr CapVariant kVariants[] = {CapVariant::first, CapVariant::random};

bool fits(const DealProblem& p, const Deal& deal) {
  for (int s = 0; s < p.seats; ++s) {
    int cards = 0;
    for (int t = 0; t < p.types; ++t) {
      const int n = deal.counts[s][t];
      cards += n;
      if (n > 0 && (p.allowed[t] >> s & 1) == 0) return false;
      if (n < p.least[t][s] || n > p.most[t][s]) return false;
    }
    if (cards != p.slots[s]) return false;
  }
  for (int t = 0; t < p.types; ++t) {
    int given = 0;
    for (int s = 0; s < p.seats; ++s) given += deal.counts[s][t];
    if (given != p.copies[t]) return false;
  }
  return true;
}

// Constraints of all kinds that a deal chosen at random meets, from loose to so tight that hardly another deal does.
DealProblem random_consistent(Rng& rng, int seats, int types, int most_copies, int most_cards) {
  DealProblem p(seats, types);
  Deal deal;
  const int cards = 1 + static_cast<int>(rng.below(most_cards));
  for (int i = 0; i < cards; ++i) {
    const int t = static_cast<int>(rng.below(types)), s = static_cast<int>(rng.below(seats));
    if (p.copies[t] == most_copies || p.slots[s] == 12) continue;
    ++p.copies[t];
    ++p.slots[s];
    ++deal.counts[s][t];
  }
  const std::uint32_t tightness = 1 + rng.below(9);
  for (int t = 0; t < types; ++t) {
    for (int s = 0; s < seats; ++s) {
      const std::uint8_t n = deal.counts[s][t];
      if (n == 0 && rng.below(10) < tightness) p.allowed[t] &= ~(1 << s);
      if (rng.below(20) == 0) p.least[t][s] = n;
      if (rng.below(20) < tightness) p.most[t][s] = n + rng.below(2);
    }
  }
  return p;
}

// Chi-square of the deals drawn against those of the exact counter.
double chi_square(const DealCounter& counter, std::map<Deal, int> seen, int draws) {
  double chi = 0;
  counter.for_each([&](const Deal& deal, Count weight) {
    const double expected = draws * static_cast<double>(weight) / static_cast<double>(counter.total());
    chi += std::pow(seen[deal] - expected, 2) / expected;
  });
  return chi;
}

int deals_of(const DealCounter& counter) {
  int deals = 0;
  counter.for_each([&](const Deal&, Count) { ++deals; });
  return deals;
}

std::map<Deal, int> draw_many(const DealProblem& p, CapVariant variant, Rng& rng, int draws) {
  const CapSampler sampler(p, variant);
  std::map<Deal, int> seen;
  for (int i = 0; i < draws; ++i) {
    Deal deal;
    REQUIRE(sampler.draw(rng, deal));
    ++seen[deal];
  }
  return seen;
}

}  // namespace

TEST_CASE("cap: DK-51, never stuck and always consistent with up to three seats") {
  Rng rng(1);
  for (int round = 0; round < 20'000; ++round) {
    // Doppelkopf's size in three of four rounds, then other decks.
    const bool doppelkopf = round % 4 != 0;
    const int seats = doppelkopf ? 3 : 1 + static_cast<int>(rng.below(3));
    const DealProblem p = doppelkopf ? random_consistent(rng, 3, 24, 2, 40) : random_consistent(rng, seats, 8, 8, 36);
    for (const CapVariant variant : kVariants) {
      const CapSampler sampler(p, variant);
      for (int i = 0; i < 3; ++i) {
        Deal deal;
        REQUIRE(sampler.draw(rng, deal));
        REQUIRE(fits(p, deal));
      }
    }
  }
}

TEST_CASE("cap: fails exactly when no deal fits") {
  Rng rng(2);
  DealCounter counter;
  int possible = 0, impossible = 0;
  for (int round = 0; round < 20'000; ++round) {
    DealProblem p = random_consistent(rng, 3, 6, 2, 10);
    // Now and then a constraint that the deal behind the problem does not meet.
    for (int i = 0; i < 2; ++i) {
      const int t = static_cast<int>(rng.below(6)), s = static_cast<int>(rng.below(3));
      if (rng.below(2) == 0) p.allowed[t] &= ~(1 << s);
      if (rng.below(4) == 0) p.least[t][s] = 1;
      if (rng.below(4) == 0) p.most[t][s] = rng.below(2);
    }
    counter.build(p);
    ++(counter.total() > 0 ? possible : impossible);
    for (const CapVariant variant : kVariants) {
      Deal deal;
      const bool drawn = CapSampler(p, variant).draw(rng, deal);
      REQUIRE(drawn == (counter.total() > 0));
      if (drawn) REQUIRE(fits(p, deal));
    }
  }
  CHECK(possible > 1000);
  CHECK(impossible > 1000);
}

TEST_CASE("cap: DK-52, every deal of a small problem comes") {
  Rng rng(3);
  int tested = 0;
  while (tested < 60) {
    const DealProblem p = random_consistent(rng, 3, 6, 2, 8);
    const int deals = deals_of(DealCounter(p));
    if (deals < 2 || deals > 60) continue;
    ++tested;
    for (const CapVariant variant : kVariants)
      CHECK(static_cast<int>(draw_many(p, variant, rng, 10'000).size()) == deals);
  }
}

TEST_CASE("cap: without constraints all physical deals are equally likely") {
  DealProblem p(3, 4);
  p.slots = {2, 3, 1};
  p.copies = {2, 1, 2, 1};
  Rng rng(4);
  const DealCounter counter(p);
  REQUIRE(deals_of(counter) == 24);
  for (const CapVariant variant : kVariants) {
    const int draws = 60'000;
    CHECK(chi_square(counter, draw_many(p, variant, rng, draws), draws) < 49.73);  // p > 0.001, 23 degrees of freedom
  }
}

TEST_CASE("cap: voids make it measurably unfair, the exact sampler stays fair") {
  // Two tricks before the end: seat 0 has none of the first two types, seat 1 not the third.
  DealProblem p(3, 6);
  p.slots = {2, 2, 2};
  p.copies = {1, 1, 1, 1, 1, 1};
  p.allowed = {0b110, 0b110, 0b101, 0b111, 0b111, 0b111};
  const DealCounter counter(p);
  REQUIRE(deals_of(counter) == 27);
  const double critical = 54.05;  // p > 0.001, 26 degrees of freedom
  const int draws = 60'000;
  Rng rng(5);
  std::map<Deal, int> exact;
  for (int i = 0; i < draws; ++i) {
    Deal deal;
    counter.draw(rng, deal);
    ++exact[deal];
  }
  CHECK(chi_square(counter, exact, draws) < critical);
  for (const CapVariant variant : kVariants) {
    CHECK(chi_square(counter, draw_many(p, variant, rng, draws), draws) > 3 * critical);  // p < 1e-20
  }
}

TEST_CASE("cap: packed hands hold the same cards") {
  Rng rng(6);
  for (int round = 0; round < 500; ++round) {
    const DealProblem p = random_consistent(rng, 3, 24, 2, 36);
    for (const CapVariant variant : kVariants) {
      const CapSampler sampler(p, variant);
      Rng again = rng;
      Deal deal;
      Hands hands;
      REQUIRE(sampler.draw(rng, deal));
      REQUIRE(sampler.draw(again, hands));
      for (int s = 0; s < 3; ++s) {
        for (int t = 0; t < 24; ++t) {
          REQUIRE((hands[s] >> t & 1) + (hands[s] >> (32 + t) & 1) == deal.counts[s][t]);
        }
      }
    }
  }
}

TEST_CASE("cap: problems that make no sense are refused") {
  DealProblem p(3, 2);
  p.slots = {1, 1, 1};
  CHECK_THROWS_AS(CapSampler(p, CapVariant::first), ParameterError);
  p.copies = {3, 0};
  const CapSampler sampler(p, CapVariant::first);
  Rng rng(7);
  Hands hands;
  CHECK_THROWS_AS(sampler.draw(rng, hands), ParameterError);
}
