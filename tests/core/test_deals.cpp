// The exact counter of hidden deals: equal to brute force over physical cards on thousands of small problems, to the
// closed formulas at full size (DL-25, 2.16 of the Doppelkopf specification), and fair in what it draws.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <string>

#include "cards/deals.hpp"

using namespace kiebitz;
using namespace kiebitz::cards;

namespace {

std::string decimal(Count n) {
  std::string text;
  do {
    text.insert(text.begin(), static_cast<char>('0' + static_cast<int>(n % 10)));
    n /= 10;
  } while (n > 0);
  return text;
}

// Small problems of every kind, contradictions among them.
DealProblem random_problem(Rng& rng) {
  const int seats = 1 + static_cast<int>(rng.below(4));
  const int types = static_cast<int>(rng.below(9));
  DealProblem p(seats, types);
  const std::uint32_t cards = types == 0 ? 0 : rng.below(9);
  for (std::uint32_t i = 0; i < cards; ++i) {
    ++p.copies[rng.below(types)];
    ++p.slots[rng.below(seats)];
  }
  const std::uint32_t looseness = 1 + rng.below(20);
  for (int t = 0; t < types; ++t) {
    for (int s = 0; s < seats; ++s) {
      if (rng.below(looseness + 1) == 0) p.allowed[t] &= ~(1 << s);
      if (rng.below(4 * looseness) == 0) p.least[t][s] = 1 + rng.below(2);
      if (rng.below(2 * looseness) == 0) p.most[t][s] = rng.below(3);
    }
  }
  return p;
}

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
  return true;
}

using Weights = std::map<Deal, std::uint64_t>;

// Every physical card at every seat.
void brute_force(const DealProblem& p, const std::vector<int>& cards, std::size_t i, Deal& deal, Weights& out) {
  if (i == cards.size()) {
    if (fits(p, deal)) ++out[deal];
    return;
  }
  for (int s = 0; s < p.seats; ++s) {
    ++deal.counts[s][cards[i]];
    brute_force(p, cards, i + 1, deal, out);
    --deal.counts[s][cards[i]];
  }
}

Weights brute_force(const DealProblem& p) {
  std::vector<int> cards;
  for (int t = 0; t < p.types; ++t) cards.insert(cards.end(), p.copies[t], t);
  Weights out;
  Deal deal;
  brute_force(p, cards, 0, deal, out);
  return out;
}

Weights enumerate(const DealCounter& counter) {
  Weights out;
  counter.for_each([&](const Deal& deal, Count weight) {
    CHECK(out.emplace(deal, static_cast<std::uint64_t>(weight)).second);  // each once
  });
  return out;
}

PerSeat spread(const Deal& deal, int type) {
  PerSeat out{};
  for (int s = 0; s < kMaxSeats; ++s) out[s] = deal.counts[s][type];
  return out;
}

Deal unpack(const Hands& hands, int types) {
  Deal deal;
  for (int s = 0; s < kMaxSeats; ++s) {
    for (int t = 0; t < types; ++t) deal.counts[s][t] = (hands[s] >> t & 1) + (hands[s] >> (32 + t) & 1);
  }
  return deal;
}

// The value that a chi-square statistic exceeds with probability 0.001 (Wilson and Hilferty 1931).
double critical(std::size_t freedom) {
  const double k = 2.0 / (9.0 * static_cast<double>(freedom));
  return static_cast<double>(freedom) * std::pow(1 - k + 3.0902 * std::sqrt(k), 3);
}

// Draws against the exact joint distribution of one type.
void check_spread(const DealCounter& counter, int type, const std::map<PerSeat, int>& seen, int draws) {
  const auto shares = counter.joint(type);
  double chi = 0;
  int known = 0;
  for (const Share& share : shares) {
    const double expected = draws * (static_cast<double>(share.deals) / static_cast<double>(counter.total()));
    const auto it = seen.find(share.copies);
    const int n = it == seen.end() ? 0 : it->second;
    known += n;
    chi += (n - expected) * (n - expected) / expected;
  }
  CHECK(known == draws);
  if (shares.size() > 1) CHECK(chi < critical(shares.size() - 1));
}

// The 36 hidden cards of a Doppelkopf player who holds every second card of some types.
DealProblem first_decision() {
  DealProblem p(3, 24);
  p.slots = {12, 12, 12};
  for (int t = 0; t < 24; ++t) p.copies[t] = t < 4 ? 0 : t < 8 ? 1 : 2;
  return p;
}

DealProblem whole_deck() {
  DealProblem p(4, 24);
  p.slots = {12, 12, 12, 12};
  for (int t = 0; t < 24; ++t) p.copies[t] = 2;
  return p;
}

}  // namespace

TEST_CASE("deals: equal to brute force over physical cards") {
  Rng rng(1);
  DealCounter counter;  // one object for all problems
  int possible = 0;
  for (int round = 0; round < 3000; ++round) {
    const DealProblem p = random_problem(rng);
    CAPTURE(round);
    const Weights truth = brute_force(p);
    counter.build(p);
    std::uint64_t total = 0;
    for (const auto& [deal, weight] : truth) total += weight;
    REQUIRE(counter.total() == total);
    REQUIRE(enumerate(counter) == truth);
    for (int t = 0; t < p.types; ++t) {
      std::map<PerSeat, std::uint64_t> expected, found;
      for (const auto& [deal, weight] : truth) expected[spread(deal, t)] += weight;
      for (const Share& share : counter.joint(t)) found[share.copies] += static_cast<std::uint64_t>(share.deals);
      REQUIRE(found == expected);
    }
    if (total == 0) continue;
    ++possible;
    const Marginals marginals = counter.marginals();
    for (int t = 0; t < p.types; ++t) {
      for (int s = 0; s < p.seats; ++s) {
        double copies = 0, holds = 0;
        for (const auto& [deal, weight] : truth) {
          copies += static_cast<double>(weight) * deal.counts[s][t];
          holds += deal.counts[s][t] > 0 ? static_cast<double>(weight) : 0;
        }
        REQUIRE(marginals.expected[s][t] == doctest::Approx(copies / static_cast<double>(total)));
        REQUIRE(marginals.holds[s][t] == doctest::Approx(holds / static_cast<double>(total)));
      }
    }
  }
  CHECK(possible > 1000);
  CHECK(possible < 2900);
}

TEST_CASE("deals: ranks are the physical deals, in both forms of a deal") {
  Rng rng(2);
  DealCounter counter;
  int packed = 0;
  for (int round = 0; round < 2000; ++round) {
    const DealProblem p = random_problem(rng);
    counter.build(p);
    Weights found;
    for (Count rank = 0; rank < counter.total(); ++rank) {
      Deal deal;
      counter.unrank(rank, deal);
      ++found[deal];
      if (!fits_hands(p)) continue;
      ++packed;
      Hands hands;
      counter.unrank(rank, hands);
      REQUIRE(unpack(hands, p.types) == deal);
    }
    REQUIRE(found == enumerate(counter));
    if (!fits_hands(p)) continue;
    Weights hands_found;
    counter.for_each<Hands>([&](const Hands& hands, Count weight) {
      hands_found[unpack(hands, p.types)] = static_cast<std::uint64_t>(weight);
    });
    REQUIRE(hands_found == found);
  }
  CHECK(packed > 5000);
}

TEST_CASE("deals: up to eight copies of a type") {
  DealProblem p(4, 2);
  p.slots = {3, 2, 2, 3};
  p.copies = {8, 2};
  p.allowed[1] = 0b0110;
  p.least[0][3] = 1;
  p.most[0][0] = 3;
  const DealCounter counter(p);
  const Weights truth = brute_force(p);
  CHECK(enumerate(counter) == truth);
  Weights found;
  for (Count rank = 0; rank < counter.total(); ++rank) {
    Deal deal;
    counter.unrank(rank, deal);
    ++found[deal];
  }
  CHECK(found == truth);
}

TEST_CASE("deals: DL-25 and the numbers of deals without constraints") {
  DealProblem jass(3, 27);
  jass.slots = {9, 9, 9};
  for (int t = 0; t < 27; ++t) jass.copies[t] = 1;
  CHECK(decimal(DealCounter(jass).total()) == "227873431500");                         // 27! / (9!)^3
  CHECK(decimal(DealCounter(first_decision()).total()) == "3384731762521200");         // 36! / (12!)^3
  CHECK(decimal(DealCounter(whole_deck()).total()) == "235809301462142612780721600");  // 48! / (12!)^4
  DealProblem bridge(4, 52);
  bridge.slots = {13, 13, 13, 13};
  for (int t = 0; t < 52; ++t) bridge.copies[t] = 1;
  CHECK(decimal(DealCounter(bridge).total()) == "53644737765488792839237440000");  // 52! / (13!)^4
}

TEST_CASE("deals: 2.16, both club queens in one hand in 23.4 % of all deals") {
  const DealCounter counter(whole_deck());
  for (const int type : {0, 11, 23}) {
    Count together = 0, all = 0;
    for (const Share& share : counter.joint(type)) {
      all += share.deals;
      if (*std::max_element(share.copies.begin(), share.copies.end()) == 2) together += share.deals;
    }
    CHECK(all == counter.total());
    CHECK(together * 47 == all * 11);  // 4 C(12, 2) / C(48, 2) = 11 / 47 = 23.40 %
  }
  const Marginals marginals = counter.marginals();
  for (int s = 0; s < 4; ++s) {
    for (int t = 0; t < 24; ++t) CHECK(marginals.expected[s][t] == doctest::Approx(0.5));
  }
}

TEST_CASE("deals: counts beyond 64 bits agree with those within") {
  Rng rng(3);
  for (int round = 0; round < 20; ++round) {
    DealProblem small(3, 39);
    small.slots = {13, 13, 13};
    for (int t = 0; t < 39; ++t) {
      small.copies[t] = 1;
      small.allowed[t] = 1 + rng.below(7);
    }
    // The same, beside a seat whose 13 cards are known: without that knowledge there are more than 2^64 deals.
    DealProblem large = small;
    large.seats = 4;
    large.types = 52;
    large.slots[3] = 13;
    for (int t = 39; t < 52; ++t) {
      large.copies[t] = 1;
      large.allowed[t] = 0b1000;
    }
    const DealCounter narrow(small), wide(large);
    REQUIRE(wide.total() == narrow.total());
    if (narrow.total() == 0) continue;
    for (int t = 0; t < 39; ++t) {
      const auto a = narrow.joint(t), b = wide.joint(t);
      REQUIRE(a.size() == b.size());
      for (std::size_t i = 0; i < a.size(); ++i) {
        CHECK(a[i].copies == b[i].copies);
        CHECK(a[i].deals == b[i].deals);
      }
    }
    for (int i = 0; i < 100; ++i) {
      const Count rank = (Count{rng.next()} << 64 | rng.next()) % narrow.total();
      Deal a, b;
      narrow.unrank(rank, a);
      wide.unrank(rank, b);
      for (int s = 0; s < 3; ++s) CHECK(a.counts[s] == b.counts[s]);
    }
  }
}

TEST_CASE("deals: draws at the start of a deal have the exact marginals") {
  DealProblem voids = first_decision();
  for (int t = 12; t < 16; ++t) voids.allowed[t] = 0b101;
  voids.least[20][1] = 1;
  voids.most[21] = {1, 1, 1, 1};
  Rng rng(4);
  for (const DealProblem& p : {first_decision(), voids, whole_deck()}) {
    const DealCounter counter(p);
    const int draws = 20'000;
    std::array<std::map<PerSeat, int>, 24> seen;
    for (int i = 0; i < draws; ++i) {
      Hands hands;
      counter.draw(rng, hands);
      const Deal deal = unpack(hands, 24);
      REQUIRE(fits(p, deal));
      for (int t = 0; t < 24; ++t) ++seen[t][spread(deal, t)];
    }
    for (int t = 0; t < 24; ++t) {
      CAPTURE(t);
      check_spread(counter, t, seen[t], draws);
    }
  }
}

TEST_CASE("deals: draws on small problems have the right probability") {
  Rng rng(5);
  DealCounter counter;
  int tested = 0;
  while (tested < 40) {
    const DealProblem p = random_problem(rng);
    counter.build(p);
    const Weights truth = enumerate(counter);
    if (truth.size() < 2 || truth.size() > 100) continue;
    ++tested;
    const int draws = 200 * static_cast<int>(truth.size());
    std::map<Deal, int> seen;
    for (int i = 0; i < draws; ++i) {
      Deal deal;
      counter.draw(rng, deal);
      ++seen[deal];
    }
    double chi = 0;
    int known = 0;
    for (const auto& [deal, weight] : truth) {
      const double expected = draws * static_cast<double>(weight) / static_cast<double>(counter.total());
      known += seen[deal];
      chi += (seen[deal] - expected) * (seen[deal] - expected) / expected;
    }
    CHECK(known == draws);
    CHECK(chi < critical(truth.size() - 1));
  }
}

TEST_CASE("deals: problems that make no sense are refused") {
  DealCounter counter;
  CHECK_THROWS_AS(counter.build(DealProblem(0, 1)), ParameterError);
  CHECK_THROWS_AS(counter.build(DealProblem(5, 1)), ParameterError);
  CHECK_THROWS_AS(counter.build(DealProblem(1, 53)), ParameterError);
  CHECK_THROWS_AS(counter.build(DealProblem(1, -1)), ParameterError);
  DealProblem p(2, 3);
  p.slots = {1, 1};
  p.copies = {1, 0, 0};
  CHECK_THROWS_WITH_AS(counter.build(p), "hidden cards: expected one for each of the 2 free slots, got 1",
                       ParameterError);
  p.copies = {9, 0, 0};
  p.slots = {5, 4};
  CHECK_THROWS_AS(counter.build(p), ParameterError);
  p.copies = {8, 8, 8};
  p.slots = {27, 0};
  CHECK_THROWS_AS(counter.build(p), ParameterError);
  DealProblem huge(4, 13);
  huge.slots = {26, 26, 26, 26};
  for (int t = 0; t < 13; ++t) huge.copies[t] = 8;
  CHECK_THROWS_AS(counter.build(huge), LimitError);
}

TEST_CASE("deals: without a deal the count is 0 and nothing can be drawn") {
  DealProblem p(2, 2);
  p.slots = {1, 1};
  p.copies = {1, 1};
  p.allowed = {0b01, 0b01};
  const DealCounter counter(p);
  CHECK(counter.total() == 0);
  Rng rng(6);
  Deal deal;
  CHECK_THROWS_AS(counter.draw(rng, deal), ParameterError);
  CHECK_THROWS_AS(counter.unrank(0, deal), ParameterError);
  CHECK_THROWS_AS(counter.marginals(), ParameterError);
  CHECK(counter.joint(0).empty());
  CHECK_THROWS_AS(counter.joint(2), ParameterError);
  p.allowed[0] = 0b10;
  const DealCounter one(p);
  CHECK(one.total() == 1);
  CHECK_THROWS_AS(one.unrank(1, deal), ParameterError);
  DealProblem many(1, 1);
  many.slots = {3};
  many.copies = {3};
  Hands hands;
  CHECK_THROWS_AS(DealCounter(many).draw(rng, hands), ParameterError);
}
