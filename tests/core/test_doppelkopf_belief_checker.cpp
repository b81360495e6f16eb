// Which worlds explain a view of Doppelkopf (specification 7.2): DK-50 the consistency checker, held against replaying,
// and saved views that no world explains.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "doppelkopf_worlds.hpp"

using namespace kiebitz;
using namespace kiebitz::doppelkopf;
using namespace kiebitz::doppelkopf_test;

TEST_CASE("DK-50: the true state always passes the checker") {
  std::set<int> contracts;
  int calls = 0;
  positions(1'000'000 / kShare, 4, 1, [&](const Game&, const State& state, int observer) {
    const std::string broken = inconsistency(state.view(observer), state);
    REQUIRE_MESSAGE(broken.empty(), broken << "\n" << state.text());
    if (state.settled()) contracts.insert(state.table().contract);
    calls += state.phase() == Phase::over ? state.table().called : 0;
  });
  if (kShare == 1) CHECK(contracts.size() == kNames);  // a share of the positions need not have all of them
  CHECK(calls > 0);
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
        "piglets without both diamond aces", "both diamond aces that were not shown as piglets",
        "poverty with more than three trumps", "another number of trumps came back",
        "a seat exchanged cards that it does not have", "the observer would see something else"}) {
    CAPTURE(invariant);
    if (kShare == 1) CHECK(broken[invariant] > 0);
  }
  if (kShare == 1) CHECK(broken.size() == 11);
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
