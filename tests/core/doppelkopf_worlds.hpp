// Doppelkopf for the tests of its beliefs: positions of random games under all rules, and the worlds behind a view as
// brute force finds them.
//
// What is consistent is decided here by replaying: a world explains a view if every move that the view shows was legal
// in it and the observer ends up seeing just that. Constraints and checker are both held against it.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "games/doppelkopf/consistent.hpp"
#include "games/doppelkopf/game.hpp"

namespace kiebitz::doppelkopf_test {

using namespace kiebitz::doppelkopf;
using cards::Hands;

#ifdef __SANITIZE_ADDRESS__
constexpr int kShare = 5;  // of the positions: the sanitizers take their time
#else
constexpr int kShare = 1;
#endif

inline Game make(const Fields& given = {}) {
  return Game(resolve_parameters(Game::parameters(), Game::presets(), "thesis", given));
}

// Mostly the tournament's rules, with house rules and the short pack now and then.
inline Game some_game(int i) {
  if (i % 8 == 5)
    return make(
        {{"poverty", true}, {"throw_in", true}, {"solo_ranking", true}, {"piglets", true}, {"superpiglets", true}});
  if (i % 8 == 6) return make({{"piglets", true}, {"second_ten", true}, {"piglets_when_played", i % 16 == 6}});
  return i % 8 == 7 ? make({{"nines", false}, {"piglets", true}}) : make();
}

inline State dealt(const Game& game, Rng& rng) {
  State state = game.root();
  Outcome outcomes[kTypes];
  while (state.player() == kChance) state.apply(random_outcome(state, rng, outcomes));
  return state;
}

// A random game with habits of its own: how freely solos and calls are said. Calls visit(state) at every decision and
// at the end.
template <class Visit>
void random_game(const Game& game, Rng& rng, Visit&& visit) {
  State state = dealt(game, rng);
  constexpr std::uint32_t percent[] = {0, 5, 20, 60, 100};
  const std::uint32_t solos = percent[rng.below(4)], calls = percent[rng.below(5)];
  while (state.player() != kTerminal) {
    visit(std::as_const(state));
    Action action = state.random_legal(rng);
    const bool solo = action >= kFirstReservation + kFirstSolo && action < kFirstCall;
    if (state.phase() == Phase::reservation && solo && rng.below(100) >= solos) {
      const bool wedding = copies(state.hand(state.player()), kClubQueen) == 2 && rng.below(2) == 0;
      action = kFirstReservation + (wedding ? kWedding : kHealthy);
    }
    if (state.phase() == Phase::call && rng.below(100) >= calls) action = kPass;
    state.apply(action);
  }
  visit(std::as_const(state));
}

// `n` positions of random games under all rules: visit(game, state, observer), one in `every` decisions.
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

inline bool same(const State& a, const State& b) {
  bool equal = a.table() == b.table() && a.phase() == b.phase() && a.player() == b.player() && a.re() == b.re();
  for (int seat = 0; seat < kSeats; ++seat)
    equal = equal && a.hand(seat) == b.hand(seat) && a.reservation(seat) == b.reservation(seat);
  return equal && a.key() == b.key();
}

inline Hands hidden_hands(const State& state, int observer) {
  Hands out{};
  for (int i = 0; i < kSeats - 1; ++i) out[static_cast<std::size_t>(i)] = state.hand(hidden_seat(observer, i));
  return out;
}

// Do the moves that the view shows, all of them legal in this world, lead to the view and to the world's parties?
inline bool replays(const Game& game, const View& view, const State& world) {
  const Table& table = view.table();
  State state = game.root();
  const auto play = [&](Action action) {
    Action legal[kTypes];
    const int n = state.legal(legal);
    if (std::find(legal, legal + n, action) == legal + n) return false;
    state.apply(action);
    return true;
  };
  std::array<Hand, kSeats> hands{};
  for (int seat = 0; seat < kSeats; ++seat) hands[static_cast<std::size_t>(seat)] = world.hand(seat);
  for (int i = 0; i < table.cards; ++i) {
    Hand& hand = hands[static_cast<std::size_t>(table.seat_at(i))];
    hand = with(hand, table.card_at(i));
  }
  // As they were before an exchange.
  const Passed passed = world.exchanged();
  if (table.exchange_partner() >= 0) {
    Hand& poor = hands[static_cast<std::size_t>(table.declarer)];
    Hand& rich = hands[static_cast<std::size_t>(table.partner)];
    for (int card = 0; card < kTypes; ++card) {
      const int moved = copies(passed.back, card) - copies(passed.down, card);
      if (copies(poor, card) < moved || copies(rich, card) < -moved) return false;
    }
    poor = joined(parted(poor, passed.back), passed.down);
    rich = parted(joined(rich, passed.back), passed.down);
  }
  state.apply(table.start);
  for (const Hand hand : hands) {
    if (count(hand) != game.rules().hand) return false;
    for (int card = 0; card < kTypes; ++card) {
      for (int k = copies(hand, card); k > 0; --k) state.apply(card);
    }
  }
  for (int i = 0; i < kSeats; ++i) {
    const int name = world.reservation((table.start + i) & 3);
    if (name != kSilent && !play(reservation_action(name))) return false;
  }
  while (state.phase() == Phase::poverty && !(state.view(view.observer()) == view)) {
    state.apply(state.player() == table.partner ? kTake : kLeave);
  }
  if (state.exchanged().down != passed.down) return false;
  for (int card = 0; card < kTypes && state.phase() == Phase::exchange; ++card) {
    for (int k = copies(passed.back, card); k > 0; --k) {
      if (!play(card)) return false;
    }
  }
  // A seat that is asked passes unless the next call is its own.
  for (int card = 0, call = 0;;) {
    if (card == table.cards && call == table.called && state.view(view.observer()) == view)
      return state.re() == world.re();
    if (state.phase() == Phase::call) {
      const Call& next = table.calls[static_cast<std::size_t>(call)];
      const bool speaks = call < table.called && next.before == card && next.seat == state.player();
      if (speaks && state.side(next.seat) != next.party) return false;
      if (!play(speaks ? kFirstCall + next.step - 1 : kPass)) return false;
      call += speaks ? 1 : 0;
    } else if (state.phase() == Phase::genscher) {
      if (table.genscher < 0 || !play(kKeep + table.genscher)) return false;
    } else {
      if (card == table.cards || state.player() != table.seat_at(card) || !play(table.card_at(card))) return false;
      ++card;
    }
  }
}

using DealForms = std::map<Hands, std::uint64_t>;

// Every physical hidden card at every hidden seat; what replays, with the number of its physical forms. Along the way
// the checker must agree.
inline DealForms brute_force(const Game& game, const View& view) {
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

// Worlds of every belief explain what each seat sees in a state.
inline void check_beliefs(const Game& game, const State& state, Rng& rng) {
  for (int observer = 0; observer < kSeats; ++observer) {
    const View view = state.view(observer);
    REQUIRE(inconsistency(view, state).empty());
    REQUIRE(game.load_view(view.save()) == view);
    if (view.player() == kSomebody) continue;
    for (int belief = 0; belief < 3; ++belief) {
      const State world = game.sampler(view, belief).draw(rng);
      const std::string broken = inconsistency(view, world);
      REQUIRE_MESSAGE(broken.empty(), broken << "\n" << view.text() << world.text());
      REQUIRE(replays(game, view, world));
      REQUIRE(same(game.load(world.save()), world));
    }
  }
}

// The deals that are counted for a view equal brute force; how many there are.
inline std::size_t check_counter(const Game& game, const View& view) {
  DealForms counted;
  Sampler(game, view, Belief::exact).counter().for_each<Hands>([&](const Hands& hands, cards::Count forms) {
    counted[hands] = static_cast<std::uint64_t>(forms);
  });
  REQUIRE(counted == brute_force(game, view));
  return counted.size();
}

}  // namespace kiebitz::doppelkopf_test
