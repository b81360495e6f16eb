// Doppelkopf's beliefs (specification 2.16, 7.2, 7.3): DK-2 fair deals, DK-50 the consistency checker, DK-51 and DK-52
// CAP, and the exact belief: its deals are those that brute force finds, its draws have their probabilities.
//
// What is consistent is decided here by replaying: a world explains a view if every move that the view shows was legal
// in it and the observer ends up seeing just that. Constraints and checker are both held against it.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "games/doppelkopf.hpp"
#include "games/doppelkopf_consistent.hpp"

using namespace kiebitz;
using namespace kiebitz::doppelkopf;
using cards::Count;
using cards::Hands;

namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr int kShare = 5;  // of the positions: the sanitizers take their time
#else
constexpr int kShare = 1;
#endif

Game make(const Fields& given = {}) {
  return Game(resolve_parameters(Game::parameters(), Game::presets(), "thesis", given));
}

Game house_rules() { return make({{"piglets", true}, {"second_ten", true}}); }
Game short_pack() { return make({{"nines", false}, {"piglets", true}}); }

Game some_game(int i) { return i % 8 == 6 ? house_rules() : i % 8 == 7 ? short_pack() : make(); }

// A random game with habits of its own: how freely solos and calls are said. Calls visit(state) at every decision and
// at the end.
template <class Visit>
void random_game(const Game& game, Rng& rng, Visit&& visit) {
  State state = game.root();
  Outcome outcomes[kTypes];
  while (state.player() == kChance) state.apply(random_outcome(state, rng, outcomes));
  constexpr std::uint32_t percent[] = {0, 5, 20, 60, 100};
  const std::uint32_t solos = percent[rng.below(4)], calls = percent[rng.below(5)];
  while (state.player() != kTerminal) {
    visit(std::as_const(state));
    Action action = state.random_legal(rng);
    if (state.phase() == Phase::reservation && action >= kFirstReservation + kFirstSolo && rng.below(100) >= solos) {
      const bool wedding = copies(state.hand(state.player()), kClubQueen) == 2 && rng.below(2) == 0;
      action = kFirstReservation + (wedding ? kWedding : kHealthy);
    }
    if (state.phase() == Phase::call && rng.below(100) >= calls) action = kPass;
    state.apply(action);
  }
  visit(std::as_const(state));
}

// So many positions of random games under all rules: visit(game, state, observer), one in `every` decisions.
template <class Visit>
void positions(int n, std::uint64_t seed, std::uint32_t every, Visit&& visit) {
  Rng rng(seed);
  for (int i = 0; n > 0; ++i) {
    const Game game = some_game(i);
    random_game(game, rng, [&](const State& state) {
      if (n > 0 && rng.below(every) == 0) {
        --n;
        visit(game, state, static_cast<int>(rng.below(kSeats)));
      }
    });
  }
}

Hands hidden_hands(const State& state, int observer) {
  Hands out{};
  for (int i = 0; i < kSeats - 1; ++i) out[static_cast<std::size_t>(i)] = state.hand(hidden_seat(observer, i));
  return out;
}

// Do the moves that the view shows, all of them legal in this world, lead to the view and to the world's parties?
bool replays(const Game& game, const View& view, const State& world) {
  const Table& table = view.table();
  State state = game.root();
  const auto play = [&](Action action) {
    Action legal[kTypes];
    const int n = state.legal(legal);
    if (std::find(legal, legal + n, action) == legal + n) return false;
    state.apply(action);
    return true;
  };
  std::array<Hand, kSeats> dealt{};
  for (int seat = 0; seat < kSeats; ++seat) dealt[static_cast<std::size_t>(seat)] = world.hand(seat);
  for (int i = 0; i < table.cards; ++i) {
    Hand& hand = dealt[static_cast<std::size_t>(table.seat_at(i))];
    hand = with(hand, table.card_at(i));
  }
  state.apply(table.start);
  for (const Hand hand : dealt) {
    if (count(hand) != game.rules().hand) return false;
    for (int card = 0; card < kTypes; ++card) {
      for (int k = copies(hand, card); k > 0; --k) state.apply(card);
    }
  }
  for (int i = 0; i < kSeats; ++i) {
    const int name = world.reservation((table.start + i) & 3);
    if (name != kSilent && !play(kFirstReservation + name)) return false;
  }
  // Who is asked passes unless the next call is its own.
  for (int card = 0, call = 0;;) {
    if (card == table.cards && call == table.called && state.view(view.observer()) == view)
      return state.re() == world.re();
    if (state.phase() == Phase::call) {
      const Call& next = table.calls[static_cast<std::size_t>(call)];
      const bool speaks = call < table.called && next.before == card && next.seat == state.player();
      if (speaks && state.side(next.seat) != next.party) return false;
      if (!play(speaks ? kFirstCall + next.step - 1 : kPass)) return false;
      call += speaks ? 1 : 0;
    } else {
      if (card == table.cards || state.player() != table.seat_at(card) || !play(table.card_at(card))) return false;
      ++card;
    }
  }
}

using DealForms = std::map<Hands, std::uint64_t>;

// Every physical hidden card at every hidden seat; what replays, with the number of its physical forms. Along the way
// the checker must agree.
DealForms brute_force(const Game& game, const View& view) {
  const Sampler sampler(game, view, Belief::cap);
  Rng rng(1);
  std::vector<int> hidden;
  std::array<int, kSeats - 1> free{};
  for (int card = 0; card < kTypes; ++card) {
    int n = (game.rules().types() >> card & 1) != 0 ? 2 : 0;
    n -= copies(view.hand(), card);
    for (int i = 0; i < view.table().cards; ++i) n -= view.table().card_at(i) == card ? 1 : 0;
    hidden.insert(hidden.end(), static_cast<std::size_t>(n), card);
  }
  for (int i = 0; i < kSeats - 1; ++i) {
    int& slots = free[static_cast<std::size_t>(i)] = game.rules().hand;
    for (int k = 0; k < view.table().cards; ++k)
      slots -= view.table().seat_at(k) == hidden_seat(view.observer(), i) ? 1 : 0;
  }
  std::map<Hands, bool> known;
  DealForms out;
  Hands hands{};
  const std::function<void(std::size_t)> go = [&](std::size_t i) {
    if (i == hidden.size()) {
      const auto [it, fresh] = known.try_emplace(hands, false);
      if (fresh) {
        const State world = sampler.world(hands, rng);
        it->second = replays(game, view, world);
        REQUIRE(inconsistency(view, world).empty() == it->second);
      }
      if (it->second) ++out[hands];
      return;
    }
    for (std::size_t s = 0; s < free.size(); ++s) {
      if (free[s] == 0) continue;
      const Hand before = hands[s];
      --free[s];
      hands[s] = with(before, hidden[i]);
      go(i + 1);
      hands[s] = before;
      ++free[s];
    }
  };
  go(0);
  return out;
}

// Chi-square over independent experiments: statistics and degrees of freedom add up. Cells that expect fewer than five
// are one cell.
class ChiSquare {
 public:
  template <class Key>
  void add(const std::map<Key, double>& probability, const std::map<Key, int>& seen, int draws) {
    double rest_expected = 0, rest_seen = 0;
    int cells = 0, known = 0;
    const auto cell = [&](double expected, double n) {
      if (expected == 0) return;
      value_ += (n - expected) * (n - expected) / expected;
      ++cells;
    };
    for (const auto& [key, p] : probability) {
      const auto it = seen.find(key);
      const int n = it == seen.end() ? 0 : it->second;
      known += n;
      if (p * draws >= 5) {
        cell(p * draws, n);
      } else {
        rest_expected += p * draws;
        rest_seen += n;
      }
    }
    REQUIRE(known == draws);  // nothing impossible was drawn
    cell(rest_expected, rest_seen);
    freedom_ += cells - 1;
  }

  // Is the statistic below what chance exceeds once in a thousand (Wilson and Hilferty 1931)?
  void check() const {
    REQUIRE(freedom_ > 0);
    const double k = 2.0 / (9.0 * freedom_);
    CHECK(value_ < freedom_ * std::pow(1 - k + 3.0902 * std::sqrt(k), 3));
  }

 private:
  double value_ = 0;
  int freedom_ = 0;
};

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

// The parties of a normal game given that a hidden seat can speak; nothing where that is no news.
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

bool same(const State& a, const State& b) {
  bool equal = a.table() == b.table() && a.phase() == b.phase() && a.player() == b.player() && a.re() == b.re();
  for (int seat = 0; seat < kSeats; ++seat)
    equal = equal && a.hand(seat) == b.hand(seat) && a.reservation(seat) == b.reservation(seat);
  return equal && a.key() == b.key();
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
  Outcome outcomes[kTypes];
  for (int i = 0; i < deals; ++i) {
    State state = game.root();
    while (state.player() == kChance) state.apply(random_outcome(state, rng, outcomes));
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
  Outcome outcomes[kTypes];
  const double by_own[] = {198.0 / 630.0, 0, 1};  // C(12,2) at one of three seats of C(36,2), the rest is plain
  std::set<int> own_seen;
  while (own_seen.size() < 3) {
    State state = game.root();
    while (state.player() == kChance) state.apply(random_outcome(state, rng, outcomes));
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

TEST_CASE("DK-50: the true state always passes the checker") {
  std::set<int> contracts;
  int calls = 0;
  positions(1'000'000 / kShare, 4, 1, [&](const Game&, const State& state, int observer) {
    const std::string broken = inconsistency(state.view(observer), state);
    REQUIRE_MESSAGE(broken.empty(), broken << "\n" << state.text());
    if (state.settled()) contracts.insert(state.table().contract);
    calls += state.phase() == Phase::over ? state.table().called : 0;
  });
  CHECK(contracts.size() == kReservations);
  CHECK(calls > 0);
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

TEST_CASE("DK-50: the checker agrees with replaying when cards change hands, and names what is broken") {
  std::map<std::string, int> broken;
  Rng rng(6);
  positions(100'000 / kShare, 6, 5, [&](const Game& game, const State& state, int observer) {
    const View view = state.view(observer);
    if (view.player() == kSomebody) return;
    const Sampler sampler(game, view, Belief::cap);
    Hands hands = hidden_hands(state, observer);
    for (std::uint32_t swaps = 1 + rng.below(2); swaps > 0; --swaps) {
      const std::size_t a = rng.below(3), b = (a + 1 + rng.below(2)) % 3;
      if (hands[a] == 0 || hands[b] == 0) continue;
      // The key cards move more often than others.
      const int keys[] = {kClubQueen, kFox};
      const int key = keys[rng.below(2)];
      const int from_a = copies(hands[a], key) > 0 && rng.below(2) == 0 ? key : random_bit(types(hands[a]), rng);
      const int from_b = random_bit(types(hands[b]), rng);
      if (copies(hands[a], from_b) == 2 || copies(hands[b], from_a) == 2 || from_a == from_b) continue;
      hands[a] = with(without(hands[a], from_a), from_b);
      hands[b] = with(without(hands[b], from_b), from_a);
    }
    const State world = sampler.world(hands, rng);
    const std::string found = inconsistency(view, world);
    REQUIRE_MESSAGE(found.empty() == replays(game, view, world), found << "\n" << world.text());
    ++broken[found];
  });
  for (const char* const invariant :
       {"", "a seat holds what it did not follow", "a wedding without both club queens",
        "Re was called without a club queen", "Kontra was called with a club queen",
        "piglets without both diamond aces", "both diamond aces that were not shown as piglets"}) {
    CAPTURE(invariant);
    CHECK(broken[invariant] > 0);
  }
  CHECK(broken.size() == 7);
}

TEST_CASE("DK-50: cards, sizes, own hand, names, parties and the table of a world are checked") {
  Rng rng(7);
  int hidden_solos = 0, parties = 0, later = 0;
  positions(20'000 / kShare, 7, 5, [&](const Game& game, const State& state, int observer) {
    const View view = state.view(observer);
    const auto finds = [&](const State& world, const std::string& what) {
      REQUIRE(inconsistency(view, world) == what);
    };
    const Sampler sampler(game, view, Belief::cap);
    const Hands truth = hidden_hands(state, observer);
    const std::size_t a = rng.below(3), b = (a + 1) % 3;
    if (truth[a] != 0) {
      Hands hands = truth;
      const int card = random_bit(types(truth[a]), rng);
      hands[a] = without(hands[a], card);
      if (copies(hands[b], card) < 2) {
        hands[b] = with(hands[b], card);
        finds(sampler.world(hands, rng), "a hand has the wrong size");
        hands[b] = truth[b];
      }
      const int other = random_bit(game.rules().types() & ~(1U << card), rng);
      if (copies(hands[a], other) < 2) hands[a] = with(hands[a], other);
      finds(sampler.world(hands, rng), "a card is not there exactly twice over hands and table");
    }
    const int neighbour = hidden_seat(observer, static_cast<int>(rng.below(3)));
    const State elsewhere = Sampler(game, state.view(neighbour), Belief::cap_random).draw(rng);
    if (elsewhere.hand(observer) != view.hand()) finds(elsewhere, "the observer's own hand is another one");
    if (state.settled()) {
      State world = state;
      const State other = Sampler(game, view, Belief::cap_random).draw(rng);
      world.take_sides(other);
      if (world.re() != state.re()) {
        finds(world, "the parties do not follow from the hands");
        ++parties;
      }
    }
    for (int seat = 0; seat < kSeats && rng.below(20) == 0; ++seat) {
      if (!state.table().all_spoken() || state.table().said[static_cast<std::size_t>(seat)] != kSomething) continue;
      // The same deal in which that seat was healthy.
      Fields saved = state.save();
      std::get<std::vector<std::string>>(saved[2].second)[static_cast<std::size_t>(seat)] = "healthy";
      finds(game.load(saved), "a reservation without a name");
      ++hidden_solos;
    }
    if (state.phase() == Phase::card) {
      State world = state;
      world.apply(world.random_legal(rng));
      REQUIRE(!inconsistency(view, world).empty());
      ++later;
    }
  });
  CHECK(hidden_solos > 0);
  CHECK(parties > 0);
  CHECK(later > 0);
}

TEST_CASE("a hidden reservation must be a solo, and a wedding would have been shown") {
  const Game game = make();
  State state = game.root();
  const std::vector<std::string> hands = {"D9 D9 DT DT DJ DJ DQ DQ DK DK DA DA", "H9 H9 HT HT HJ HJ HQ HQ HK HK HA HA",
                                          "C9 C9 CT CT CJ CJ CQ CQ CK CK CA CA", "S9 S9 ST ST SJ SJ SQ SQ SK SK SA SA"};
  for (const Action a : game.deal(hands, 0)) state.apply(a);
  State first = state, second = state;
  for (const char* const word : {"solo-hearts", "healthy", "solo-jacks", "healthy"}) first.apply(*first.parse(word));
  for (const char* const word : {"solo-hearts", "healthy", "wedding", "healthy"}) second.apply(*second.parse(word));
  CHECK(inconsistency(first.view(3), first).empty());
  CHECK(inconsistency(second.view(3), second).empty());
  CHECK(inconsistency(first.view(3), second) == "a hidden reservation is no solo after the one that is played");
  CHECK(inconsistency(second.view(3), first) == "a reservation is not the one that was shown");
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
    const auto& stated = std::get<std::vector<double>>(*find_field(beliefs, "holds"));
    for (std::size_t i = 0; i < stated.size(); ++i) REQUIRE(std::abs(stated[i] - holds[i]) < 1e-9);
    const auto& names = std::get<std::vector<std::string>>(*find_field(beliefs, "parties"));
    const auto& odds = std::get<std::vector<double>>(*find_field(beliefs, "probabilities"));
    REQUIRE(odds.size() == parties.size());
    for (std::size_t i = 0; i < odds.size(); ++i) {
      unsigned re = 0;
      for (const char c : names[i]) re |= c == '+' ? 0U : 1U << (c - '0');
      REQUIRE(std::abs(odds[i] - parties[re]) < 1e-9);
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
      // Somebody whose reservation has no name yet, or will never have one.
      int secret = -1;
      for (int i = 0; i < kSeats - 1; ++i) {
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
    State state = game.root();
    Outcome outcomes[kTypes];
    while (state.player() == kChance) state.apply(random_outcome(state, rng, outcomes));
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
  // Seat 0 has the diamonds, seat 1 has twelve of the other 36 cards: so many club queens.
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

TEST_CASE("DK-51: CAP is consistent on 100,000 information sets, in both variants") {
  Rng rng(15);
  positions(100'000 / kShare, 15, 4, [&](const Game& game, const State& state, int observer) {
    const View view = state.view(observer);
    for (const Belief belief : {Belief::cap, Belief::cap_random}) {
      const State world = Sampler(game, view, belief).draw(rng);
      const std::string broken = inconsistency(view, world);
      REQUIRE_MESSAGE(broken.empty(), broken << "\n" << world.text());
    }
  });
}

TEST_CASE("DK-52: CAP reaches every deal of small endgames, in both variants, and no other") {
  int several = 0;
  positions(10'000 / kShare, 16, 17, [&](const Game& game, const State& state, int observer) {
    const int left = game.rules().deck() - state.table().cards;
    if (left > 8) return;
    const View view = state.view(observer);
    const DealForms weights = brute_force(game, view);
    several += weights.size() > 1 ? 1 : 0;
    for (const Belief belief : {Belief::cap, Belief::cap_random}) {
      Sampler sampler(game, view, belief);
      Rng rng(16);
      std::set<Hands> seen;
      for (int i = 0; i < 50'000 && seen.size() < weights.size(); ++i) {
        const Hands hands = hidden_hands(sampler.draw(rng), observer);
        REQUIRE(weights.contains(hands));
        seen.insert(hands);
      }
      REQUIRE(seen.size() == weights.size());
    }
  });
  CHECK(several > 0);
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

TEST_CASE("a saved view that was tampered with is refused, or else some world explains it") {
  Rng rng(19);
  int accepted = 0, refused = 0;
  const auto some = [&](const auto& list) { return list[rng.below(static_cast<std::uint32_t>(std::size(list)))]; };
  positions(3'000 / kShare, 19, 20, [&](const Game& game, const State& state, int observer) {
    Fields saved = state.view(observer).save();
    const auto field = [&](const char* name) -> Value& {
      return std::find_if(saved.begin(), saved.end(), [&](const auto& f) { return f.first == name; })->second;
    };
    const std::string card = card_code(static_cast<int>(rng.below(kTypes)));
    const auto replace_card = [&](const char* name) {
      auto& text = std::get<std::string>(field(name));
      if (text.size() >= 2) text.replace(3 * rng.below(static_cast<std::uint32_t>(text.size() + 1) / 3), 2, card);
    };
    const auto call = [&] {
      return std::to_string(rng.below(30)) + ":" + std::to_string(rng.below(kSeats)) + ":" +
             call_name(static_cast<int>(rng.below(2)), 1 + static_cast<int>(rng.below(3)));
    };
    auto& calls = std::get<std::vector<std::string>>(field("calls"));
    switch (rng.below(7)) {
      case 0:
        replace_card("cards");
        break;
      case 1:
        replace_card("hand");
        break;
      case 2:
        if (calls.size() < 10)
          calls.insert(calls.begin() + rng.below(static_cast<std::uint32_t>(calls.size() + 1)), call());
        break;
      case 3:
        if (!calls.empty()) calls[rng.below(static_cast<std::uint32_t>(calls.size()))] = call();
        break;
      case 4:
        std::get<std::vector<std::string>>(field("reservations"))[rng.below(kSeats)] =
            some(std::to_array<std::string>({"healthy", "wedding", "solo-hearts", "solo-queens", "hidden", "-"}));
        break;
      case 5:
        field("phase") = some(std::to_array<std::string>({"reservation", "call", "card", "wait", "over"}));
        break;
      default:
        field("piglets") = static_cast<std::int64_t>(rng.below(kSeats + 1)) - 1;
    }
    try {
      const View view = game.load_view(saved);
      ++accepted;
      const State world = game.sample(view, rng);
      const std::string broken = inconsistency(view, world);
      CHECK_MESSAGE(broken.empty(), broken << "\n" << world.text());
      CHECK_MESSAGE(replays(game, view, world), view.text() << world.text());
    } catch (const ViewError&) {
      ++refused;
    }
  });
  CHECK(accepted > 0);
  CHECK(refused > 0);
}
