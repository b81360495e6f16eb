// Doppelkopf's exact belief (specification 2.16): DK-2 fair deals, the deals behind a view are those that brute force
// finds, draws have their probabilities, and DK-62, for CAP as well: no belief reads the true state. The checker
// (DK-50) and CAP (DK-51, DK-52) have files of their own.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "chi_square.hpp"
#include "doppelkopf_worlds.hpp"

using namespace kiebitz;
using namespace kiebitz::doppelkopf;
using namespace kiebitz::doppelkopf_test;
using cards::Count;

namespace {

double share_of(Count part, Count all) { return static_cast<double>(part) / static_cast<double>(all); }

// How the copies of a card are spread over the hidden seats, exactly.
std::map<cards::PerSeat, double> spread(const Sampler& sampler, int card) {
  std::map<cards::PerSeat, double> out;
  for (const cards::Share& share : sampler.counter().joint(card))
    out[share.copies] += share_of(share.deals, sampler.counter().total());
  return out;
}

cards::PerSeat spread(const State& world, int observer, int card) {
  cards::PerSeat out{};
  for (int i = 0; i < kSeats - 1; ++i)
    out[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(copies(world.hand(hidden_seat(observer, i)), card));
  return out;
}

// A card whose place is not known, or nothing.
std::optional<int> open_card(const Sampler& sampler, Rng& rng) {
  const int first = static_cast<int>(rng.below(kTypes));
  for (int i = 0; i < kTypes; ++i) {
    const int card = (first + i) % kTypes;
    if (sampler.counter().joint(card).size() > 1) return card;
  }
  return std::nullopt;
}

// The parties of a normal game given that a hidden seat can speak; nullopt if that is no news.
std::map<unsigned, double> parties_while_waiting(const Game& game, const View& view, const Sampler& sampler) {
  const Table& table = view.table();
  unsigned known = copies(view.hand(), kClubQueen) > 0 ? 1U << view.observer() : 0U;
  for (int i = 0; i < table.cards; ++i) known |= table.card_at(i) == kClubQueen ? 1U << table.seat_at(i) : 0U;
  std::map<unsigned, double> out;
  double possible = 0;
  for (const auto& [queens, p] : spread(sampler, kClubQueen)) {
    unsigned re = known;
    for (int i = 0; i < kSeats - 1; ++i)
      re |= queens[static_cast<std::size_t>(i)] > 0 ? 1U << hidden_seat(view.observer(), i) : 0U;
    bool speaks = false;
    for (int i = 0; i < kSeats - 1; ++i) {
      const int seat = hidden_seat(view.observer(), i);
      const int party = (re >> seat & 1) != 0 ? kRe : kKontra;
      speaks = speaks || table.held(seat, game.rules()) >= table.limit(party, game.rules());
    }
    if (!speaks) continue;
    out[re] += p;
    possible += p;
  }
  if (possible > 1 - 1e-9) return {};
  for (auto& [re, p] : out) p /= possible;
  return out;
}

}  // namespace

TEST_CASE("DK-2: deals and start seats are uniform; both club queens in one hand 23.4 %") {
  const Game game = make();
  Rng rng(2);
  const int deals = 100'000 / kShare;
  std::map<std::pair<int, int>, double> expected;  // the seats of the two queens
  for (int a = 0; a < kSeats; ++a) {
    for (int b = a; b < kSeats; ++b) expected[{a, b}] = (a == b ? 66.0 : 144.0) / 1128.0;
  }
  std::map<std::pair<int, int>, int> queens;
  std::map<int, int> starts;
  int together = 0;
  for (int i = 0; i < deals; ++i) {
    const State state = dealt(game, rng);
    std::vector<int> at;
    for (int seat = 0; seat < kSeats; ++seat) {
      REQUIRE(count(state.hand(seat)) == 12);
      at.insert(at.end(), static_cast<std::size_t>(copies(state.hand(seat), kClubQueen)), seat);
    }
    REQUIRE(at.size() == 2);
    ++queens[{at[0], at[1]}];
    ++starts[state.table().start];
    together += at[0] == at[1] ? 1 : 0;
  }
  ChiSquare places, seats;
  places.add(expected, queens, deals);
  places.check();
  seats.add<int>({{0, 0.25}, {1, 0.25}, {2, 0.25}, {3, 0.25}}, starts, deals);
  seats.check();
  if (kShare == 1) CHECK(std::abs(100.0 * together / deals - 23.40) < 0.5);
}

TEST_CASE("2.16: before anybody speaks, the exact belief has both club queens in one hand in 23.4 % of all deals") {
  const Game game = make();
  Rng rng(3);
  const double by_own[] = {198.0 / 630.0, 0, 1};  // C(12,2) at one of three seats of C(36,2), the rest is plain
  std::set<int> own_seen;
  while (own_seen.size() < 3) {
    const State state = dealt(game, rng);
    const int own = copies(state.hand(0), kClubQueen);
    own_seen.insert(own);
    const Sampler sampler(game, state.view(0), Belief::exact);
    // 36 different cards to three seats of twelve.
    CHECK(sampler.counter().total() == Count{3'384'731'762'521'200});
    double together = own == 2 ? 1 : 0;
    for (const auto& [copies, p] : spread(sampler, kClubQueen)) {
      if (*std::max_element(copies.begin(), copies.end()) == 2) together += p;
    }
    CHECK(together == doctest::Approx(by_own[own]).epsilon(1e-12));
  }
  // Over all deals: C(36,2) and C(12,2) of the C(48,2) pairs of places leave the observer none and both.
  CHECK((630 * by_own[0] + 66 * by_own[2]) / 1128 == doctest::Approx(0.2340).epsilon(1e-3));
}

TEST_CASE("the true deal has positive probability at every phase") {
  cards::DealCounter counter;
  int listed = 0;
  positions(100'000 / kShare, 5, 3, [&](const Game& game, const State& state, int observer) {
    const View view = state.view(observer);
    const Hands truth = hidden_hands(state, observer);
    cards::DealProblem problem = deal_problem(view);
    if (state.table().cards >= game.rules().deck() - 12) {
      counter.build(problem);
      bool found = false;
      counter.for_each<Hands>([&](const Hands& hands, Count) { found = found || hands == truth; });
      REQUIRE(found);
      ++listed;
    }
    // Exactly the true deal: one physical form, two for each pair at two seats.
    Count forms = 1;
    for (std::size_t card = 0; card < kTypes; ++card) {
      bool split = problem.copies[card] == 2;
      for (std::size_t s = 0; s < kSeats - 1; ++s) {
        const int n = copies(truth[s], static_cast<int>(card));
        split = split && n < 2;
        problem.least[card][s] = std::max(problem.least[card][s], static_cast<std::uint8_t>(n));
      }
      if (split) forms *= 2;
    }
    counter.build(problem);
    REQUIRE(counter.total() == forms);
  });
  CHECK(listed > 0);
}

TEST_CASE("exact: the deals, their weights, marginals and parties equal brute force on late positions") {
  int deals = 0;
  positions(10'000 / kShare, 8, 13, [&](const Game& game, const State& state, int observer) {
    const int left = game.rules().deck() - state.table().cards;
    if (left > 12) return;
    const View view = state.view(observer);
    const DealForms expected = brute_force(game, view);
    const Sampler sampler(game, view, Belief::exact);
    DealForms counted;
    sampler.counter().for_each<Hands>(
        [&](const Hands& hands, Count forms) { counted[hands] = static_cast<std::uint64_t>(forms); });
    REQUIRE(counted == expected);
    Count total = 0;
    std::array<double, kTypes * kSeats> holds{};
    std::map<unsigned, double> parties;
    Rng rng(1);
    for (const auto& [hands, forms] : expected) total += forms;
    REQUIRE(sampler.counter().total() == total);
    for (const auto& [hands, forms] : expected) {
      const State world = sampler.world(hands, rng);
      parties[world.re()] += share_of(forms, total);
      for (int card = 0; card < kTypes; ++card) {
        for (int seat = 0; seat < kSeats; ++seat) {
          if (copies(world.hand(seat), card) > 0)
            holds[static_cast<std::size_t>(card * kSeats + seat)] += share_of(forms, total);
        }
      }
    }
    const Fields beliefs = view.beliefs();
    const auto& cards = std::get<Fields>(*find_field(beliefs, "cards"));
    REQUIRE(cards.size() == kTypes);
    for (std::size_t card = 0; card < kTypes; ++card) {
      const auto& stated = std::get<std::vector<double>>(cards[card].second);
      for (std::size_t seat = 0; seat < kSeats; ++seat) {
        REQUIRE(std::abs(stated[seat] - holds[card * kSeats + seat]) < 1e-9);
      }
    }
    const auto& odds = std::get<Fields>(*find_field(beliefs, "parties"));
    REQUIRE(odds.size() == parties.size());
    for (const auto& [name, probability] : odds) {
      unsigned re = 0;
      for (const char c : name) re |= c == '+' ? 0U : 1U << (c - '0');
      REQUIRE(std::abs(std::get<double>(probability) - parties[re]) < 1e-9);
    }
    deals += static_cast<int>(expected.size());
  });
  CHECK(deals > 0);
}

TEST_CASE("exact: draws on late positions have the probabilities of brute force") {
  ChiSquare chi;
  const int draws = 4'000;
  positions(4'000 / kShare, 9, 13, [&](const Game& game, const State& state, int observer) {
    const int left = game.rules().deck() - state.table().cards;
    if (left > 9) return;
    const View view = state.view(observer);
    std::map<Hands, double> probability;
    std::map<Hands, int> seen;
    Count total = 0;
    const DealForms weights = brute_force(game, view);
    for (const auto& [hands, forms] : weights) total += forms;
    for (const auto& [hands, forms] : weights) probability[hands] = share_of(forms, total);
    if (probability.size() < 2) return;
    Sampler sampler(game, view, Belief::exact);
    Rng rng(9, seen.size());
    for (int i = 0; i < draws; ++i) ++seen[hidden_hands(sampler.draw(rng), observer)];
    chi.add(probability, seen, draws);
  });
  chi.check();
}

// One card of one position is one experiment; positions of a phase together are one test.
TEST_CASE("exact: draws at the start, during reservations and later spread the cards as counted") {
  struct Part {
    const char* name;
    std::function<bool(const State&)> holds;
  };
  const Part parts[] = {
      {"start", [](const State& s) { return s.phase() == Phase::reservation && s.table().turn == s.table().start; }},
      {"reservations",
       [](const State& s) { return s.phase() == Phase::reservation && s.table().turn != s.table().start; }},
      {"later", [](const State& s) { return s.table().all_spoken() && s.table().cards < 40; }}};
  const int draws = 2'000;
  for (const Part& part : parts) {
    CAPTURE(part.name);
    ChiSquare cards_spread, hidden_names;
    Rng rng(10);
    int tested = 0;
    positions(40'000 / kShare, 10, 7, [&](const Game& game, const State& state, int observer) {
      if (tested == 200 || !part.holds(state) || rng.below(3) > 0) return;
      Sampler sampler(game, state.view(observer), Belief::exact);
      const auto card = open_card(sampler, rng);
      if (!card || state.view(observer).player() == kSomebody) return;
      // Somebody whose reservation has no name yet, or will never have one; by house rules there are other names.
      int secret = -1;
      for (int i = 0; i < kSeats - 1 && !game.rules().poverty; ++i) {
        const int seat = hidden_seat(observer, i);
        if (state.table().said[static_cast<std::size_t>(seat)] == kSomething) secret = seat;
      }
      std::map<cards::PerSeat, int> seen;
      std::map<int, int> names;
      for (int i = 0; i < draws; ++i) {
        const State world = sampler.draw(rng);
        ++seen[spread(world, observer, *card)];
        if (secret >= 0) ++names[world.reservation(secret)];
      }
      cards_spread.add(spread(sampler, *card), seen, draws);
      if (secret >= 0) {
        // A seat with both queens could have said wedding as well, as long as that is not known.
        double both = 0;
        for (const auto& [copies, p] : spread(sampler, kClubQueen)) {
          for (int i = 0; i < kSeats - 1; ++i) {
            if (hidden_seat(observer, i) == secret && copies[static_cast<std::size_t>(i)] == 2) both += p;
          }
        }
        if (state.table().all_spoken()) both = 0;
        std::map<int, double> expected;
        for (int name = kFirstSolo; name < kReservations; ++name) expected[name] = both / 8 + (1 - both) / 7;
        if (both > 0) expected[kWedding] = both / 8;
        hidden_names.add(expected, names, draws);
      }
      ++tested;
    });
    CHECK(tested > 0);
    cards_spread.check();
    if (part.name != std::string("start")) hidden_names.check();
  }
}

TEST_CASE("exact: while another seat is asked for a call, parties are those in which somebody can speak") {
  const Game game = make();
  const int draws = 2'000, most = 100 / kShare;
  Rng rng(11);
  ChiSquare chi;
  int tested = 0;
  while (tested < most) {
    // One seat of each party calls early up to some step, later all pass: then the others, whose party is not known,
    // are asked as long as they are of the party that went further.
    const std::uint32_t target[] = {rng.below(4), rng.below(4)};
    State state = dealt(game, rng);
    while (state.phase() == Phase::reservation) state.apply(kFirstReservation + kHealthy);
    while (state.player() != kTerminal && tested < most) {
      if (state.phase() == Phase::card) {
        state.apply(state.random_legal(rng));
        continue;
      }
      const auto party = static_cast<std::size_t>(state.side(state.player()));
      const int speaker = std::countr_zero(party == kRe ? state.re() : ~state.re());
      if (state.player() == speaker && state.table().cards < 4 && state.table().level[party] < target[party]) {
        state.apply(kFirstCall + state.table().level[party]);
        continue;
      }
      const int observer = state.table().turn;
      if (state.player() != observer && state.table().cards >= 4) {
        const View view = state.view(observer);
        REQUIRE(view.player() == kSomebody);
        Sampler sampler(game, view, Belief::exact);
        const auto probability = parties_while_waiting(game, view, sampler);
        if (probability.size() > 1) {
          std::map<unsigned, int> seen;
          for (int i = 0; i < draws; ++i) {
            const State world = sampler.draw(rng);
            REQUIRE(inconsistency(view, world).empty());
            ++seen[world.re()];
          }
          chi.add(probability, seen, draws);
          ++tested;
        }
      }
      state.apply(kPass);
    }
  }
  chi.check();
}

TEST_CASE("exact: the marginals are the frequencies of draws") {
  const int draws = 20'000 / kShare;
  Rng rng(12);
  int tested = 0;
  positions(24, 12, 97, [&](const Game& game, const State& state, int observer) {
    const View view = state.view(observer);
    if (view.player() == kSomebody) return;
    Sampler sampler(game, view, Belief::exact);
    const cards::Marginals marginals = sampler.counter().marginals();
    std::array<std::array<int, kTypes>, kSeats> held{}, sum{};
    for (int i = 0; i < draws; ++i) {
      const State world = sampler.draw(rng);
      for (std::size_t s = 0; s < kSeats - 1; ++s) {
        for (std::size_t c = 0; c < kTypes; ++c) {
          const int n = copies(world.hand(hidden_seat(observer, static_cast<int>(s))), static_cast<int>(c));
          held[s][c] += n > 0 ? 1 : 0;
          sum[s][c] += n;
        }
      }
    }
    for (std::size_t s = 0; s < kSeats - 1; ++s) {
      for (std::size_t c = 0; c < kTypes; ++c) {
        const double p = marginals.holds[s][c];
        // Five standard deviations; two copies vary at most twice as much as one.
        const double error = 5 * std::sqrt(p * (1 - p) / draws) + 1e-9;
        REQUIRE(std::abs(static_cast<double>(held[s][c]) / draws - p) <= error);
        REQUIRE(std::abs(static_cast<double>(sum[s][c]) / draws - marginals.expected[s][c]) <=
                10 * std::sqrt(0.25 / draws));
      }
    }
    ++tested;
  });
  CHECK(tested > 0);
}

TEST_CASE("exact: every world drawn is consistent, and its parties come from its hands") {
  int other_parties = 0;
  Rng rng(13);
  positions(20'000 / kShare, 13, 5, [&](const Game& game, const State& state, int observer) {
    const View view = state.view(observer);
    Sampler sampler(game, view, Belief::exact);
    const State world = sampler.draw(rng);
    const std::string broken = inconsistency(view, world);
    REQUIRE_MESSAGE(broken.empty(), broken << "\n" << world.text());
    REQUIRE(replays(game, view, world));
    other_parties += world.re() != state.re() ? 1 : 0;
  });
  CHECK(other_parties > 0);
}

TEST_CASE("during the deal: worlds are consistent and the cards not seen are in any order") {
  const Game game = make();
  Rng rng(14);
  Outcome outcomes[kTypes];
  for (int i = 0; i < 400 / kShare; ++i) {
    State state = game.root();
    while (state.player() == kChance) {
      const View view = state.view(static_cast<int>(rng.below(kSeats)));
      const State world = game.sample(view, rng);
      const std::string broken = inconsistency(view, world);
      REQUIRE_MESSAGE(broken.empty(), broken);
      state.apply(random_outcome(state, rng, outcomes));
    }
  }
  // Seat 0 has the diamonds, seat 1 has twelve of the other 36 cards: this is how its club queens are spread.
  State state = game.root();
  state.apply(0);
  for (int i = 0; i < 24; ++i) state.apply(i < 12 ? i / 2 : 6 + (i - 12) / 2);
  const double all = 36 * 35;
  const std::map<int, double> expected = {{0, 24 * 23 / all}, {1, 2 * 12 * 24 / all}, {2, 12 * 11 / all}};
  std::map<int, int> seen;
  for (int i = 0; i < 10'000; ++i) ++seen[copies(game.sample(state.view(0), rng).hand(1), kClubQueen)];
  ChiSquare chi;
  chi.add(expected, seen, 10'000);
  chi.check();
}

TEST_CASE("DK-62: no belief reads the true state: two states behind one view give the same worlds") {
  int different = 0;
  positions(5'000 / kShare, 17, 5, [&](const Game& game, const State& state, int observer) {
    Rng other_rng(17);
    const State other = game.sample(state.view(observer), other_rng);
    REQUIRE(other.view(observer) == state.view(observer));
    different += same(state, other) ? 0 : 1;
    for (const Belief belief : {Belief::exact, Belief::cap, Belief::cap_random}) {
      Sampler a(game, state.view(observer), belief), b(game, other.view(observer), belief);
      Rng rng_a(18), rng_b(18);
      for (int i = 0; i < 3; ++i) REQUIRE(same(a.draw(rng_a), b.draw(rng_b)));
    }
  });
  CHECK(different > 0);
}
