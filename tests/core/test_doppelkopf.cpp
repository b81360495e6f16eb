// Doppelkopf in random play, under the tournament rules and all house rules: DK-12 payoffs add to zero, DK-13 all cards
// are played, and what the contract promises to searches: views of sampled worlds, restricted calls, fast playouts,
// keys, sides, saved positions.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <set>

#include "games/doppelkopf/game.hpp"

using namespace kiebitz;
using namespace kiebitz::doppelkopf;

static_assert(HiddenGame<Game> && HasSampler<Game> && HasDeal<Game>);
static_assert(HasRandomLegal<State> && HasCalls<State> && HasRisk<State> && HasPlayOut<State> && HasSides<State>);
static_assert(HasResult<State> && HasLeak<State>);
static_assert(sizeof(State) <= 192);

namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr int kShare = 5;  // of the games: the sanitizers take their time
#else
constexpr int kShare = 1;
#endif

constexpr const char* kSwitches[] = {"nines",    "second_ten",     "piglets",
                                     "fox_last", "charlie_caught", "piglets_when_played"};
constexpr unsigned kVariants = 1U << std::size(kSwitches);

// Variant 0 is the tournament's; a bit turns the switch of its number.
Game make(unsigned variant) {
  Fields given;
  for (std::size_t i = 0; i < std::size(kSwitches); ++i)
    given.emplace_back(kSwitches[i], (variant >> i & 1) != (i == 0));
  return Game(resolve_parameters(Game::parameters(), Game::presets(), "thesis", given));
}

State dealt(const Game& game, Rng& rng) {
  State state = game.root();
  Outcome outcomes[kTypes];
  while (state.player() == kChance) state.apply(random_outcome(state, rng, outcomes));
  return state;
}

std::vector<Action> legal_of(const State& state) {
  Action buffer[kTypes];
  return {buffer, buffer + state.legal(buffer)};
}

std::array<double, kSeats> payoffs(const State& state) {
  std::array<double, kSeats> out{};
  state.returns(out.data());
  return out;
}

// Random habits of a game: how often solos and calls are said, in percent of the occasions.
struct Habits {
  std::uint32_t solos;
  std::uint32_t calls;

  explicit Habits(Rng& rng) {
    constexpr std::uint32_t percent[] = {0, 5, 30, 100};
    solos = percent[rng.below(4)];
    calls = percent[rng.below(4)];
  }

  Action choose(const State& state, Rng& rng) const {
    const Action action = state.random_legal(rng);
    if (state.phase() == Phase::call && rng.below(100) >= calls) return kPass;
    if (state.phase() != Phase::reservation || rng.below(100) < solos) return action;
    const bool wedding = copies(state.hand(state.player()), kClubQueen) == 2 && rng.below(2) == 0;
    return kFirstReservation + (wedding ? kWedding : kHealthy);
  }
};

// Random games under all rules, one rule set after the other: visit(game, state) at every decision and at the end.
template <class Visit>
void games(int n, std::uint64_t seed, Visit&& visit) {
  Rng rng(seed);
  for (int i = 0; i < n; ++i) {
    const Game game = make(i % 2 == 0 ? 0 : static_cast<unsigned>(i / 2) % kVariants);
    const Habits habits(rng);
    State state = dealt(game, rng);
    while (state.player() != kTerminal) {
      visit(game, std::as_const(state));
      state.apply(habits.choose(state, rng));
    }
    visit(game, std::as_const(state));
  }
}

bool same(const State& a, const State& b) {
  bool equal = a.table() == b.table() && a.phase() == b.phase() && a.player() == b.player() && a.re() == b.re();
  for (int seat = 0; seat < kSeats; ++seat)
    equal = equal && a.hand(seat) == b.hand(seat) && a.reservation(seat) == b.reservation(seat);
  return equal && a.key() == b.key();
}

}  // namespace

TEST_CASE("DK-12: payoffs add to zero in 1,000,000 random games, a lone Re seat has three times the points") {
  Rng rng(1);
  for (int i = 0; i < 2'000 / kShare; ++i) {
    const Game game = make(i % 2 == 0 ? 0 : static_cast<unsigned>(i / 2) % kVariants);
    State start = dealt(game, rng);
    const Habits habits(rng);
    while (start.phase() == Phase::reservation) start.apply(habits.choose(start, rng));
    State quiet = start;
    quiet.restrict_calls(Calls::none);
    for (int k = 0; k < 500; ++k) {
      State state = k % 10 == 0 ? start : quiet;
      state.play_out(rng);
      REQUIRE(state.player() == kTerminal);
      const auto points = payoffs(state);
      REQUIRE(points[0] + points[1] + points[2] + points[3] == 0);
      const bool alone = std::has_single_bit(state.re());
      double loser = 0;
      for (int seat = 0; seat < kSeats; ++seat) {
        const double p = points[static_cast<std::size_t>(seat)];
        REQUIRE(std::abs(p) <= game.info().max_payoff);
        if (state.side(seat) == kKontra) loser = p;
      }
      for (int seat = 0; seat < kSeats; ++seat) {
        const double expected = state.side(seat) == kKontra ? loser : alone ? -3 * loser : -loser;
        REQUIRE(points[static_cast<std::size_t>(seat)] == expected);
      }
    }
  }
}

TEST_CASE("DK-13: every game is played to the last card, under all rules") {
  std::set<int> contracts;
  int length = 0;
  games(6'400 / kShare, 2, [&](const Game& game, const State& state) {
    const Table& table = state.table();
    ++length;
    if (state.player() != kTerminal) {
      REQUIRE(state.left() == game.rules().deck() - table.cards + (table.all_spoken() ? 0 : kSeats));
      return;
    }
    REQUIRE(length + 1 + game.rules().deck() <= game.info().max_length);
    length = 0;
    REQUIRE(table.cards == game.rules().deck());
    REQUIRE(state.left() == 0);
    int eyes = 0, tricks = 0;
    std::array<int, kTypes> seen{};
    for (int seat = 0; seat < kSeats; ++seat) {
      REQUIRE(state.hand(seat) == 0);
      eyes += table.eyes[static_cast<std::size_t>(seat)];
      tricks += table.tricks[static_cast<std::size_t>(seat)];
    }
    for (int i = 0; i < table.cards; ++i) ++seen[static_cast<std::size_t>(table.card_at(i))];
    for (int card = 0; card < kTypes; ++card)
      REQUIRE(seen[static_cast<std::size_t>(card)] == ((game.rules().types() >> card & 1) != 0 ? 2 : 0));
    REQUIRE(eyes == 240);
    REQUIRE(tricks == game.rules().hand);
    contracts.insert(table.contract);
  });
  CHECK(contracts.size() == kReservations);
}

TEST_CASE("legal actions: ascending, named and read back, never all of them risky") {
  Rng rng(3);
  games(640 / kShare, 3, [&](const Game& game, const State& state) {
    const auto legal = legal_of(state);
    REQUIRE(legal.empty() == (state.player() == kTerminal));
    REQUIRE(static_cast<int>(legal.size()) <= game.info().max_legal);
    REQUIRE(std::is_sorted(legal.begin(), legal.end()));
    if (legal.empty()) return;
    REQUIRE(std::find(legal.begin(), legal.end(), state.random_legal(rng)) != legal.end());
    REQUIRE(!std::all_of(legal.begin(), legal.end(), [&](Action a) { return state.risky(a); }));
    if (rng.below(50) == 0) {
      for (const Action a : legal) REQUIRE(state.parse(state.name(a)) == a);
    }
  });
}

TEST_CASE("random_legal is uniform over the legal actions") {
  Rng rng(4);
  double value = 0, freedom = 0;
  games(20, 4, [&](const Game&, const State& state) {
    const auto legal = legal_of(state);
    if (legal.size() < 2 || rng.below(4) > 0) return;
    std::map<Action, int> seen;
    const int draws = 1'000;
    for (int i = 0; i < draws; ++i) ++seen[state.random_legal(rng)];
    const double expected = static_cast<double>(draws) / static_cast<double>(legal.size());
    for (const Action a : legal) value += std::pow(seen[a] - expected, 2) / expected;
    freedom += static_cast<double>(legal.size()) - 1;
  });
  REQUIRE(freedom > 0);
  // Chance exceeds this once in a thousand (Wilson and Hilferty 1931).
  const double k = 2 / (9 * freedom);
  CHECK(value < freedom * std::pow(1 - k + 3.0902 * std::sqrt(k), 3));
}

TEST_CASE("sampled worlds look the same to the observer, whatever the belief") {
  Rng rng(5);
  games(400 / kShare, 5, [&](const Game& game, const State& state) {
    if (rng.below(4) > 0) return;
    const int observer = static_cast<int>(rng.below(kSeats));
    const View view = state.view(observer);
    for (std::size_t belief = 0; belief < game.info().beliefs.size(); ++belief) {
      auto sampler = game.sampler(view, static_cast<int>(belief));
      const State world = sampler.draw(rng);
      REQUIRE(world.view(observer) == view);
      REQUIRE((world.player() == observer) == (state.player() == observer));
      if (state.player() == observer) REQUIRE(legal_of(world) == legal_of(state));
    }
  });
}

TEST_CASE("a world is a possible position: it can be saved, loaded and played to the end") {
  Rng rng(6);
  games(100 / kShare, 6, [&](const Game& game, const State& state) {
    if (rng.below(20) > 0) return;
    State world = game.sample(state.view(static_cast<int>(rng.below(kSeats))), rng);
    REQUIRE(same(game.load(world.save()), world));
    world.play_out(rng);
    const auto points = payoffs(world);
    REQUIRE(points[0] + points[1] + points[2] + points[3] == 0);
  });
}

TEST_CASE("positions and views are saved and loaded, at all phases and under all rules") {
  Rng rng(7);
  const auto check = [&](const Game& game, const State& state) {
    const State again = game.load(state.save());
    REQUIRE(same(again, state));
    REQUIRE(again.save() == state.save());
    for (int seat = 0; seat < kSeats; ++seat) {
      const View view = state.view(seat);
      REQUIRE(again.view(seat) == view);
      REQUIRE(game.load_view(view.save()) == view);
    }
  };
  games(128 / kShare + 2, 7, [&](const Game& game, const State& state) {
    if (rng.below(20) == 0 || state.player() == kTerminal) check(game, state);
  });
  const Game game = make(0);
  State state = game.root();
  Outcome outcomes[kTypes];
  for (; state.player() == kChance; state.apply(random_outcome(state, rng, outcomes))) {
    if (state.table().start < 0 || rng.below(5) == 0) check(game, state);
  }
}

TEST_CASE("play_out is random play one action after the other: the same game from the same random numbers") {
  Rng rng(8);
  const auto check = [&](State state, Calls calls) {
    state.restrict_calls(calls);
    const std::uint64_t seed = rng.next();
    State quick = state;
    Rng quick_rng(seed), slow_rng(seed);
    quick.play_out(quick_rng);
    Outcome outcomes[kTypes];
    while (state.player() != kTerminal)
      state.apply(state.player() == kChance ? random_outcome(state, slow_rng, outcomes) : state.random_legal(slow_rng));
    REQUIRE(same(quick, state));
    REQUIRE(payoffs(quick) == payoffs(state));
    REQUIRE(quick_rng == slow_rng);
  };
  games(1'280 / kShare, 8, [&](const Game&, const State& state) {
    if (rng.below(10) == 0) check(state, static_cast<Calls>(rng.below(3)));
  });
  for (unsigned variant = 0; variant < kVariants; ++variant) {
    const Game game = make(variant);
    for (const Calls calls : {Calls::all, Calls::last, Calls::none}) check(game.root(), calls);
  }
}

TEST_CASE("calls restricted to none: nobody is asked any more, and the round is over as if all had passed") {
  Rng rng(9);
  int rounds = 0;
  games(640 / kShare, 9, [&](const Game&, const State& state) {
    if (state.player() == kTerminal || rng.below(5) > 0) return;
    State quiet = state, passed = state;
    quiet.restrict_calls(Calls::none);
    while (passed.phase() == Phase::call) passed.apply(kPass);
    REQUIRE(same(quiet, passed));
    rounds += state.phase() == Phase::call ? 1 : 0;
    quiet.restrict_calls(Calls::all);  // no way back
    const int called = state.table().called;
    for (; quiet.player() != kTerminal; quiet.apply(quiet.random_legal(rng))) REQUIRE(quiet.phase() != Phase::call);
    REQUIRE(quiet.table().called == called);
  });
  CHECK(rounds > 0);
}

TEST_CASE("calls restricted to all: nothing changes") {
  Rng rng(10);
  games(64, 10, [&](const Game&, const State& state) {
    State same_calls = state;
    same_calls.restrict_calls(Calls::all);
    REQUIRE(same(same_calls, state));
    REQUIRE(legal_of(same_calls) == legal_of(state));
  });
}

TEST_CASE("calls at the last moment: only before the seat's own card with just enough cards in hand") {
  Rng rng(11);
  int asked = 0;
  games(640 / kShare, 11, [&](const Game& game, const State& state) {
    if (state.player() == kTerminal || rng.below(10) > 0) return;
    const auto last_moment = [&](const State& s) {
      const Table& table = s.table();
      return s.player() == table.turn &&
             table.held(table.turn, game.rules()) == table.limit(s.side(table.turn), game.rules());
    };
    // Where the round stands at another moment, everybody declines until one comes.
    State last = state, passed = state;
    last.restrict_calls(Calls::last);
    while (passed.phase() == Phase::call && !last_moment(passed)) passed.apply(kPass);
    REQUIRE(same(last, passed));
    // From there on, who declines and plays a card is too late unless the other party goes on.
    while (last.player() != kTerminal) {
      if (last.phase() == Phase::call) {
        REQUIRE(last_moment(last));
        ++asked;
        State later = last;
        const int seat = later.player();
        const auto other = static_cast<std::size_t>(1 - later.side(seat));
        const int level = later.table().level[other];
        while (later.phase() == Phase::call) later.apply(kPass);
        later.apply(later.random_legal(rng));
        if (later.player() != kTerminal && later.table().level[other] == level)
          REQUIRE(later.table().held(seat, game.rules()) < later.table().limit(later.side(seat), game.rules()));
      }
      last.apply(last.random_legal(rng));
    }
  });
  CHECK(asked > 0);
}

TEST_CASE("calls at the last moment: each seat is asked once if all decline, in every contract") {
  Rng rng(12);
  std::set<int> contracts;
  for (int i = 0; i < 1'280 / kShare; ++i) {
    const Game game = make(static_cast<unsigned>(i) % kVariants);
    State state = dealt(game, rng);
    const Habits habits(rng);
    state.restrict_calls(Calls::last);
    while (state.phase() == Phase::reservation) state.apply(habits.choose(state, rng));
    std::array<int, kSeats> asked{};
    while (state.player() != kTerminal) {
      if (state.phase() == Phase::call) ++asked[static_cast<std::size_t>(state.player())];
      state.apply(state.phase() == Phase::call ? kPass : state.random_legal(rng));
    }
    REQUIRE(asked == std::array<int, kSeats>{1, 1, 1, 1});
    contracts.insert(state.table().contract);
  }
  CHECK(contracts.size() > 2);
}

TEST_CASE("sides: once settled they stay, and decide the sign of the payoffs") {
  std::optional<unsigned> re;
  games(640 / kShare, 13, [&](const Game&, const State& state) {
    if (state.phase() == Phase::reservation) re.reset();
    if (!state.settled()) return;
    if (re) REQUIRE(state.re() == *re);
    re = state.re();
    if (state.player() != kTerminal) return;
    const auto points = payoffs(state);
    for (int a = 0; a < kSeats; ++a) {
      for (int b = 0; b < kSeats; ++b) {
        const double product = points[static_cast<std::size_t>(a)] * points[static_cast<std::size_t>(b)];
        REQUIRE((state.side(a) == state.side(b) ? product : -product) >= 0);
      }
    }
  });
}

TEST_CASE("keys: two tricks in either order lead to the same key and the same future") {
  Rng rng(14);
  int swapped = 0;
  games(1'000 / kShare + 200, 14, [&](const Game&, const State& state) {
    if (state.phase() != Phase::card || state.table().in_trick() != 0 || state.left() < 12) return;
    State start = state;
    start.restrict_calls(Calls::none);
    const int leader = start.player();
    // Two random tricks, both taken by the seat that leads.
    State forward = start;
    std::array<Action, 8> cards{};
    for (std::size_t i = 0; i < 8; ++i) {
      if (i % 4 == 0 && forward.player() != leader) return;
      cards[i] = forward.random_legal(rng);
      forward.apply(cards[i]);
    }
    if (forward.player() != leader) return;
    State backward = start;
    for (std::size_t i = 0; i < 8; ++i) {
      const Action card = cards[(i + 4) % 8];
      if (i % 4 == 0 && backward.player() != leader) return;
      const auto legal = legal_of(backward);
      if (std::find(legal.begin(), legal.end(), card) == legal.end()) return;
      backward.apply(card);
    }
    if (backward.player() != leader || forward.table().solved != backward.table().solved) return;
    const std::uint64_t seed = rng.next();
    Rng a(seed), b(seed);
    REQUIRE(forward.key() == backward.key());
    forward.play_out(a);
    backward.play_out(b);
    REQUIRE(payoffs(forward) == payoffs(backward));
    ++swapped;
  });
  CHECK(swapped > 0);
}

namespace {

// Everything that can still happen, as a number: equal for equal positions.
std::uint64_t future(const State& state, std::map<std::uint64_t, std::uint64_t>& by_key, int& visits) {
  ++visits;
  std::uint64_t h = mix64(static_cast<std::uint64_t>(state.player() + 8));
  if (state.player() == kTerminal) {
    for (const double p : payoffs(state)) h = mix64(h ^ static_cast<std::uint64_t>(static_cast<int>(p) + 1000));
  } else {
    for (const Action a : legal_of(state)) {
      State next = state;
      next.apply(a);
      h = mix64(h ^ static_cast<std::uint64_t>(a));
      h = mix64(h ^ future(next, by_key, visits));
    }
  }
  REQUIRE(by_key.try_emplace(state.key(), h).first->second == h);
  return h;
}

}  // namespace

TEST_CASE("keys: positions with equal keys have the same future, in all endgames of two and three tricks") {
  Rng rng(15);
  int visits = 0;
  std::size_t positions = 0;
  games(2'560 / kShare, 15, [&](const Game&, const State& state) {
    const int tricks = rng.below(20) == 0 ? 3 : 2;
    if (state.phase() != Phase::card || state.left() != 4 * tricks) return;
    std::map<std::uint64_t, std::uint64_t> by_key;
    future(state, by_key, visits);
    positions += by_key.size();
  });
  CHECK(positions > 0);
  CHECK(static_cast<std::size_t>(visits) > positions);  // some are reached in several ways
}

TEST_CASE("keys: the phase of a call round counts") {
  std::map<std::uint64_t, std::array<int, 5>> seen;
  games(32, 16, [&](const Game&, const State& state) {
    if (state.phase() == Phase::reservation) seen.clear();
    const Table& table = state.table();
    const std::array<int, 5> now = {state.player(), static_cast<int>(state.phase()), table.cards, table.level[0],
                                    table.level[1]};
    REQUIRE(seen.try_emplace(state.key(), now).first->second == now);
  });
}

TEST_CASE("DK-22: with open cards the 62 objects hold all hands and all names") {
  const Game game = make(0);
  for (std::uint64_t seed = 0; seed < 100 / kShare; ++seed) {
    Rng rng(seed, 1);
    Outcome outcomes[kTypes];
    State state = game.root();
    std::array<int, kSeats> names = {-1, -1, -1, -1};
    while (state.player() != kTerminal) {
      if (state.player() == kChance) {
        state.apply(random_outcome(state, rng, outcomes));
        continue;
      }
      for (int observer = 0; observer < kSeats; ++observer) {
        float tensor[kTensorSize];
        state.tensor(observer, tensor);
        std::array<std::array<int, kTypes>, kSeats> held{};
        std::array<int, kSeats> said = {-1, -1, -1, -1};
        for (int i = 0; i < kObjects; ++i) {
          const auto feature = [&](int f) { return static_cast<int>(tensor[i * kFeatures + f]); };
          const int type = feature(0);
          const int position = feature(1);
          const auto seat = [&](int relative) { return static_cast<std::size_t>((observer + relative) & 3); };
          if (type > 0 && position >= 53) ++held[seat(position - 53)][static_cast<std::size_t>(type - 1)];
          if (type >= 25 && type <= 33) said[seat(feature(3) - 1)] = type - 25;
        }
        REQUIRE(said == names);
        for (int seat = 0; seat < kSeats; ++seat) {
          for (int card = 0; card < kTypes; ++card) {
            const auto s = static_cast<std::size_t>(seat);
            REQUIRE(held[s][static_cast<std::size_t>(card)] == copies(state.hand(seat), card));
          }
        }
      }
      const Action a = state.random_legal(rng);
      if (state.phase() == Phase::reservation) names[static_cast<std::size_t>(state.player())] = a - kFirstReservation;
      state.apply(a);
    }
  }
}
