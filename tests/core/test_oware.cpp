// Oware: the test vectors, leaf counts and properties OW-1 to OW-12 and OW-16, and a slow second opinion for every
// rule.
#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "games/oware/game.hpp"
#include "games/path.hpp"

using namespace kiebitz;
using oware::End;
using oware::Game;
using oware::State;

static_assert(GameLike<Game>);
static_assert(HasRepetition<State> && HasRandomLegal<State> && HasEvaluation<State> && HasOrder<State>);
static_assert(HasTensor<State> && HasResult<State>);
static_assert(sizeof(State) == 32);

namespace {

using Ints = std::vector<std::int64_t>;

Game make(const std::string& preset, const Fields& given = {}) {
  return Game(resolve_parameters(Game::parameters(), Game::presets(), preset, given));
}

State position(const Game& game, Ints pits, Ints captured, int player) {
  return game.load({{"pits", std::move(pits)}, {"captured", std::move(captured)}, {"player", std::int64_t{player}}});
}

Ints pits_of(const State& s) {
  Ints pits;
  for (int i = 0; i < 12; ++i) pits.push_back(s.pit(i));
  return pits;
}

Ints captured_of(const State& s) { return {s.captured(0), s.captured(1)}; }

std::vector<Action> legal_of(const State& s) {
  std::vector<Action> actions(6);
  actions.resize(static_cast<std::size_t>(s.legal(actions.data())));
  return actions;
}

double payoff(const State& s, int player = 0) {
  double out[2];
  s.returns(out);
  CHECK(out[0] == -out[1]);
  return out[player];
}

std::int64_t leaves(const State& s, int depth) {
  if (depth == 0) return 1;
  std::int64_t n = 0;
  for (const Action a : legal_of(s)) {
    State next = s;
    next.apply(a);
    n += leaves(next, depth - 1);
  }
  return n;
}

// The rules once more, seed by seed, as a person plays them.
struct Slow {
  std::array<int, 12> pits{};
  std::array<int, 2> captured{};
  int mover = 0;
  bool over = false;
  std::set<std::vector<int>> seen;

  explicit Slow(const oware::Rules& rules) {
    pits.fill(rules.seeds);
    seen.insert(position());
  }

  std::vector<int> position() const {
    std::vector<int> p(pits.begin(), pits.end());
    p.insert(p.end(), {captured[0], captured[1], mover});
    return p;
  }

  int row(int player) const {
    int sum = 0;
    for (int i = 0; i < 6; ++i) sum += pits[static_cast<std::size_t>(6 * player + i)];
    return sum;
  }

  std::vector<Action> legal(const oware::Rules& rules) const {
    std::vector<Action> actions;
    for (int a = 0; a < 6 && !over; ++a) {
      const int seeds = pits[static_cast<std::size_t>(6 * mover + a)];
      const bool reaches = seeds > 5 - a;
      if (seeds > 0 && (!rules.must_feed || row(1 - mover) > 0 || reaches)) actions.push_back(a);
    }
    return actions;
  }

  void settle() {
    const int rows[2] = {row(0), row(1)};
    pits.fill(0);
    captured[0] += rows[0];
    captured[1] += rows[1];
    over = true;
  }

  void apply(const oware::Rules& rules, Action a) {
    const int start = 6 * mover + a;
    int hand = std::exchange(pits[static_cast<std::size_t>(start)], 0);
    int last = start;
    while (hand > 0) {
      last = (last + 1) % 12;
      if (last == start) continue;
      ++pits[static_cast<std::size_t>(last)];
      --hand;
    }
    auto after = pits;
    int taken = 0;
    for (int i = last; i / 6 == 1 - mover && i >= 0; --i) {
      int& pit = after[static_cast<std::size_t>(i)];
      if (pit != 2 && pit != 3) break;
      taken += std::exchange(pit, 0);
      if (i == 0) break;
    }
    if (taken == row(1 - mover) && !rules.slam_takes) taken = 0;
    if (taken > 0) {
      pits = after;
      captured[static_cast<std::size_t>(mover)] += taken;
      seen.clear();
    }
    const bool majority = 2 * captured[static_cast<std::size_t>(mover)] > rules.total;
    mover = 1 - mover;
    if (majority) {
      if (rules.award_leftover) settle();
      over = true;
    } else if (legal(rules).empty() || (rules.starved_either && (row(0) == 0 || row(1) == 0))) {
      settle();
    } else if (rules.repetition && !seen.insert(position()).second) {
      settle();
    }
  }
};

// Random games through a path and by the slow rules side by side; returns how many ended by repetition.
int compare_with_slow_rules(const Game& game, int games, std::uint64_t seed) {
  Rng rng(seed);
  Path<State> path;
  int repetitions = 0;
  for (int i = 0; i < games; ++i) {
    State s = game.root();
    Slow slow(game.rules());
    path.reset(s, {});
    while (s.player() != kTerminal) {
      REQUIRE(s.player() == slow.mover);
      REQUIRE(legal_of(s) == slow.legal(game.rules()));
      const Action a = s.random_legal(rng);
      path.apply(s, a);
      slow.apply(game.rules(), a);
      if (s.end() == End::guard) slow.settle();
      REQUIRE(pits_of(s) == Ints(slow.pits.begin(), slow.pits.end()));
      REQUIRE(captured_of(s) == Ints(slow.captured.begin(), slow.captured.end()));
    }
    REQUIRE(slow.over);
    repetitions += s.end() == End::repetition;
  }
  return repetitions;
}

// Two single seeds that chase each other and never meet.
State chase(const Game& game, std::int64_t captured) {
  return position(game, {1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0}, {captured, captured}, 0);
}

// The pit nearest to the other row: in the chase it keeps the two seeds half a lap apart.
Action foremost(const State& s) { return legal_of(s).back(); }

struct Vector {
  const char* name;
  Ints before, captured_before;
  int mover;
  Action action;
  Ints after, captured_after;
  End end;
};

}  // namespace

TEST_CASE("oware: test vectors TV1 to TV9 (OW-1 to OW-5, OW-7)") {
  const Game game = make("thesis");
  const std::vector<Vector> vectors = {
      {"TV1", Ints(12, 3), {0, 0}, 0, 5, {3, 3, 3, 3, 3, 0, 4, 4, 4, 3, 3, 3}, {0, 0}, End::none},
      {"TV2",
       {12, 0, 0, 0, 0, 0, 4, 4, 4, 4, 4, 4},
       {0, 0},
       0,
       0,
       {0, 2, 1, 1, 1, 1, 5, 5, 5, 5, 5, 5},
       {0, 0},
       End::none},
      {"TV2b",
       {23, 0, 0, 0, 0, 0, 2, 2, 2, 2, 2, 3},
       {0, 0},
       0,
       0,
       {0, 3, 2, 2, 2, 2, 4, 4, 4, 4, 4, 5},
       {0, 0},
       End::none},
      {"TV3",
       {1, 0, 0, 0, 0, 4, 1, 2, 1, 1, 5, 0},
       {0, 0},
       0,
       5,
       {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0},
       {9, 0},
       End::none},
      {"TV4",
       {1, 0, 0, 0, 0, 4, 1, 3, 1, 1, 0, 0},
       {0, 0},
       0,
       5,
       {1, 0, 0, 0, 0, 0, 2, 4, 0, 0, 0, 0},
       {4, 0},
       End::none},
      {"TV5", {1, 0, 0, 0, 0, 2, 1, 1, 0, 0, 0, 0}, {10, 10}, 0, 5, Ints(12, 0), {15, 10}, End::starvation},
      {"TV6",
       {4, 4, 0, 0, 0, 1, 1, 2, 2, 0, 0, 3},
       {17, 2},
       0,
       5,
       {4, 4, 0, 0, 0, 0, 0, 2, 2, 0, 0, 3},
       {19, 2},
       End::majority},
      {"TV7",
       {1, 1, 0, 0, 0, 0, 5, 5, 5, 5, 5, 5},
       {2, 2},
       0,
       0,
       {0, 2, 0, 0, 0, 0, 5, 5, 5, 5, 5, 5},
       {2, 2},
       End::none},
      {"TV8",
       {0, 0, 0, 0, 0, 1, 4, 0, 0, 0, 0, 0},
       {16, 15},
       0,
       5,
       {0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0},
       {16, 15},
       End::none},
      {"TV9",
       {1, 2, 1, 1, 5, 0, 1, 0, 0, 0, 0, 4},
       {0, 0},
       1,
       5,
       {0, 0, 0, 0, 5, 0, 1, 0, 0, 0, 0, 0},
       {0, 9},
       End::none},
  };
  for (const Vector& v : vectors) {
    CAPTURE(v.name);
    State s = position(game, v.before, v.captured_before, v.mover);
    CHECK(s.player() == v.mover);
    const int expected =
        static_cast<int>(v.captured_after[0] + v.captured_after[1] - v.captured_before[0] - v.captured_before[1]) -
        (v.end == End::starvation ? 1 : 0);
    CHECK(s.order(v.action) == expected);
    s.apply(v.action);
    CHECK(pits_of(s) == v.after);
    CHECK(captured_of(s) == v.captured_after);
    CHECK(s.end() == v.end);
    CHECK(s.player() == (v.end == End::none ? 1 - v.mover : kTerminal));
    CHECK(s.irreversible() == (expected > 0));
    if (v.end != End::none) CHECK(payoff(s) == 1);
  }
}

TEST_CASE("oware: starvation of the mover only, or of either player (OW-8, TV8)") {
  const Game either = make("thesis", {{"starvation", std::string("either")}});
  State s = position(either, {0, 0, 0, 0, 0, 1, 4, 0, 0, 0, 0, 0}, {16, 15}, 0);
  s.apply(5);
  CHECK(s.end() == End::starvation);
  CHECK(captured_of(s) == Ints{16, 20});
  CHECK(payoff(s) == -1);
}

TEST_CASE("oware: leaf counts from the start (OW-10)") {
  const Game thesis = make("thesis");
  const std::int64_t expected[] = {6, 36, 186, 971, 4756, 23555, 112420, 543753};
  for (int depth = 1; depth <= 8; ++depth) CHECK(leaves(thesis.root(), depth) == expected[depth - 1]);
  // Counted with OpenSpiel as well.
  const Game abapa = make("abapa");
  const std::int64_t tournament[] = {6, 36, 190, 1014, 5219, 27332, 139157, 711414};
  for (int depth = 1; depth <= 8; ++depth) CHECK(leaves(abapa.root(), depth) == tournament[depth - 1]);
}

TEST_CASE("oware: random games keep their seeds, offer every pit and end as they must (OW-1, OW-6, OW-7, OW-11)") {
  const Game game = make("");
  Rng rng(11);
  const int games = 20'000;
  int wrong = 0;
  int first = 0;
  int draws = 0;
  std::int64_t plies = 0;
  for (int i = 0; i < games; ++i) {
    State s = game.root();
    while (s.player() != kTerminal) {
      std::vector<Action> filled;
      for (int a = 0; a < 6; ++a) {
        if (s.pit(6 * s.player() + a) > 0) filled.push_back(a);
      }
      wrong += legal_of(s) != filled;
      s.apply(s.random_legal(rng));
      int sum = s.captured(0) + s.captured(1);
      for (int p = 0; p < 12; ++p) sum += s.pit(p);
      wrong += sum != 36;
    }
    wrong += std::max(s.captured(0), s.captured(1)) < 19 && s.captured(0) != s.captured(1);
    wrong += s.end() == End::guard;
    wrong += s.captured(0) == s.captured(1) && s.captured(0) != 18;
    first += payoff(s) > 0;
    draws += payoff(s) == 0;
    plies += s.plies();
  }
  CHECK(wrong == 0);
  CHECK(std::abs(100.0 * first / games - 45.4) < 1.5);
  CHECK(std::abs(100.0 * draws / games - 6.0) < 0.7);
  CHECK(std::abs(static_cast<double>(plies) / games - 73.6) < 1.5);
}

TEST_CASE("oware: random actions are uniform (OW-12)") {
  const Game game = make("thesis");
  const State s = position(game, {1, 0, 2, 3, 0, 1, 1, 0, 0, 0, 0, 0}, {0, 0}, 0);
  Rng rng(5);
  std::array<int, 6> counts{};
  for (int i = 0; i < 60'000; ++i) ++counts[static_cast<std::size_t>(s.random_legal(rng))];
  CHECK((counts[1] == 0 && counts[4] == 0));
  double chi = 0;
  for (const std::size_t a : {0, 2, 3, 5}) chi += std::pow(counts[a] - 15'000.0, 2) / 15'000;
  CHECK(chi < 16.27);  // p > 0.001 with three degrees of freedom
}

TEST_CASE("oware: every rule agrees with the slow rules, seed by seed") {
  CHECK(compare_with_slow_rules(make("thesis"), 500, 1) == 0);
  CHECK(compare_with_slow_rules(make("abapa"), 1000, 2) > 50);
  CHECK(compare_with_slow_rules(make("thesis", {{"repetition", true}}), 500, 3) > 0);
  CHECK(compare_with_slow_rules(make("abapa", {{"repetition", false}, {"max_plies", std::int64_t{300}}}), 300, 4) == 0);
  CHECK(compare_with_slow_rules(make("abapa", {{"starvation", std::string("either")}}), 300, 5) > 0);
  CHECK(compare_with_slow_rules(make("thesis", {{"leftover", std::string("awarded")}}), 300, 6) == 0);
  CHECK(compare_with_slow_rules(make("thesis", {{"grand_slam", std::string("nothing")}}), 300, 7) == 0);
  CHECK(compare_with_slow_rules(make("thesis", {{"must_feed", true}}), 300, 8) == 0);
  for (std::int64_t seeds = 1; seeds <= oware::kMaxSeedsPerPit; ++seeds) {
    compare_with_slow_rules(make("abapa", {{"seeds", seeds}}), 60, 100 + static_cast<std::uint64_t>(seeds));
  }
}

TEST_CASE("oware: sowing any number of seeds from any pit (OW-3)") {
  const Game game = make("abapa", {{"seeds", std::int64_t{10}}});
  for (int player = 0; player < 2; ++player) {
    for (int a = 0; a < 6; ++a) {
      for (int seeds = 1; seeds <= 119; ++seeds) {
        Ints pits(12, 0);
        pits[static_cast<std::size_t>(6 * player + a)] = seeds;
        pits[static_cast<std::size_t>(6 * (1 - player) + 5)] = 1;
        State s = position(game, pits, {0, 0}, player);
        Slow slow(game.rules());
        for (std::size_t i = 0; i < 12; ++i) slow.pits[i] = static_cast<int>(pits[i]);
        slow.mover = player;
        s.apply(a);
        slow.apply(game.rules(), a);
        REQUIRE(pits_of(s) == Ints(slow.pits.begin(), slow.pits.end()));
        REQUIRE(captured_of(s) == Ints(slow.captured.begin(), slow.captured.end()));
      }
    }
  }
}

TEST_CASE("oware: a grand slam captures nothing in abapa and everything in thesis (OW-5)") {
  const Ints pits = {1, 0, 0, 0, 0, 2, 1, 1, 0, 0, 0, 0};
  const Game abapa = make("abapa");
  State s = position(abapa, pits, {10, 10}, 0);
  CHECK(s.order(5) == 0);
  s.apply(5);
  CHECK(pits_of(s) == Ints{1, 0, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0});
  CHECK(captured_of(s) == Ints{10, 10});
  CHECK(!s.irreversible());
}

TEST_CASE("oware: the duty to feed") {
  const Game abapa = make("abapa");
  const Ints pits = {1, 1, 4, 2, 1, 1, 0, 0, 0, 0, 0, 0};
  CHECK(legal_of(position(abapa, pits, {10, 10}, 0)) == std::vector<Action>{2, 5});
  CHECK(legal_of(position(make("thesis"), pits, {10, 10}, 0)) == std::vector<Action>{0, 1, 2, 3, 4, 5});
  // Player 1 empties its row; player 0 cannot reach it and takes what is left.
  State s = position(abapa, {3, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1}, {20, 20}, 1);
  s.apply(5);
  CHECK(s.end() == End::starvation);
  CHECK(captured_of(s) == Ints{27, 20});
  CHECK(s.awarded(0) == 7);
}

TEST_CASE("oware: a cyclic game ends by the guard in thesis and by repetition in abapa (OW-9)") {
  const Game thesis = make("thesis");
  State s = chase(thesis, 17);
  Path<State> path;
  path.reset(s, {});
  while (s.player() != kTerminal) path.apply(s, foremost(s));
  CHECK(s.end() == End::guard);
  CHECK(s.plies() == 1000);
  CHECK(captured_of(s) == Ints{18, 18});
  CHECK(std::get<std::string>(*find_field(s.result(), "ended")) == "guard");

  // Twelve plies: the shortest cycle there can be.
  const Game abapa = make("abapa");
  s = chase(abapa, 23);
  path.reset(s, {});
  while (s.player() != kTerminal) path.apply(s, foremost(s));
  CHECK(s.end() == End::repetition);
  CHECK(s.plies() == 2 * State::kCycleActions);
  CHECK(captured_of(s) == Ints{24, 24});
  CHECK(payoff(s) == 0);
  CHECK(std::get<std::string>(*find_field(s.result(), "ended")) == "repetition");
}

TEST_CASE("path: rewinds, and goes on from the positions seen before") {
  const Game abapa = make("abapa");
  const State start = chase(abapa, 23);
  Path<State> path;
  path.reset(start, {});
  State s = start;
  for (int i = 0; i < 7; ++i) path.apply(s, foremost(s));
  const auto mark = path.mark();
  const State middle = s;
  for (int round = 0; round < 3; ++round) {
    s = middle;
    while (s.player() != kTerminal) path.apply(s, foremost(s));
    CHECK(s.plies() == 12);
    path.rewind(mark);
  }
  const auto seen = path.seen();
  CHECK(seen.size() == 7);
  CHECK(seen.front() == start.key());
  Path<State> other;
  other.reset(middle, seen);
  s = middle;
  while (s.player() != kTerminal) other.apply(s, foremost(s));
  CHECK(s.plies() == 12);
  CHECK(other.seen().size() == 11);
  // Without them the cycle has to close once more.
  other.reset(middle, {});
  s = middle;
  while (s.player() != kTerminal) other.apply(s, foremost(s));
  CHECK(s.plies() == 7 + 12);
}

TEST_CASE("oware: leaf values, with and without the award (OW-16, A-20, A-21)") {
  for (const bool seeds : {false, true}) {
    const Game game = make("thesis", {{"payoff", std::string(seeds ? "seeds" : "win")}});
    const double unit = seeds ? 1 : 1.0 / 36;
    CHECK(game.info().max_payoff == (seeds ? 36 : 1));
    State s = position(game, {1, 0, 0, 0, 0, 2, 1, 1, 0, 0, 0, 0}, {10, 12}, 0);
    const double before[2][3] = {{-2, -12, 10}, {2, 12, 12}};
    s.apply(5);
    REQUIRE(s.end() == End::starvation);
    // Player 0 captured 14 by playing and got one more seed.
    const double after[2][6] = {{3, 15, 15, 2, 14, 14}, {-3, -15, 12, -2, -14, 12}};
    const State live = position(game, {1, 0, 0, 0, 0, 2, 1, 1, 0, 0, 0, 0}, {10, 12}, 0);
    for (int player = 0; player < 2; ++player) {
      for (int kind = 0; kind < 6; ++kind) {
        CAPTURE(game.info().evaluations[static_cast<std::size_t>(kind)]);
        CHECK(live.evaluate(kind, player) == doctest::Approx(before[player][kind % 3] * unit));
        CHECK(s.evaluate(kind, player) == doctest::Approx(after[player][kind] * unit));
      }
    }
    CHECK(payoff(s) == (seeds ? 3 : 1));
  }
  const Game game = make("thesis");
  CHECK(position(game, {1, 0, 0, 0, 0, 2, 1, 1, 0, 0, 0, 0}, {9, 9}, 0).evaluate(1, 0) == 0);
}

TEST_CASE("oware: positions and words round-trip") {
  for (const char* preset : {"thesis", "abapa"}) {
    const Game game = make(preset, {{"max_plies", std::int64_t{120}}, {"leftover", std::string("awarded")}});
    Rng rng(21);
    Path<State> path;
    std::set<End> ends;
    for (int i = 0; i < 300; ++i) {
      State s = game.root();
      path.reset(s, {});
      while (true) {
        const State t = game.load(s.save());
        REQUIRE(t.save() == s.save());
        REQUIRE(t.key() == s.key());
        REQUIRE(t.player() == s.player());
        REQUIRE(legal_of(t) == legal_of(s));
        REQUIRE(t.result() == s.result());
        REQUIRE(t.text() == s.text());
        for (int kind = 0; kind < 6; ++kind) REQUIRE(t.evaluate(kind, 0) == s.evaluate(kind, 0));
        for (const Action a : legal_of(s)) REQUIRE(s.parse(s.name(a)) == a);
        if (s.player() == kTerminal) break;
        path.apply(s, s.random_legal(rng));
      }
      ends.insert(s.end());
    }
    CHECK(ends.size() == (std::string(preset) == "abapa" ? 4 : 3));
  }
  const Game game = make("abapa");
  const State s = game.root();
  CHECK(s.parse("A") == 0);
  CHECK(s.parse(" f ") == 5);
  CHECK(s.parse("6") == 5);
  for (const char* bad : {"", "g", "0", "7", "aa", "-"}) CHECK(!s.parse(bad));
}

TEST_CASE("oware: keys tell positions apart") {
  const Game game = make("abapa");
  Rng rng(31);
  std::set<std::vector<std::int64_t>> positions;
  std::set<std::uint64_t> keys;
  for (int i = 0; i < 3000; ++i) {
    State s = game.root();
    while (s.player() != kTerminal) {
      auto p = pits_of(s);
      p.insert(p.end(), {s.captured(0), s.captured(1), s.mover()});
      positions.insert(p);
      keys.insert(s.key());
      s.apply(s.random_legal(rng));
    }
  }
  CHECK(positions.size() > 200'000);
  CHECK(keys.size() == positions.size());
}

TEST_CASE("oware: the tensor shows the mover's side first") {
  const Game game = make("thesis");
  const State s = position(game, {1, 2, 3, 4, 5, 6, 0, 1, 0, 1, 0, 1}, {3, 9}, 1);
  std::array<float, 14> out{};
  s.tensor(out.data());
  CHECK(out[1] == doctest::Approx(1.0 / 36));
  CHECK(out[6] == doctest::Approx(1.0 / 36));
  CHECK(out[11] == doctest::Approx(6.0 / 36));
  CHECK(out[12] == doctest::Approx(9.0 / 36));
  CHECK(out[13] == doctest::Approx(3.0 / 36));
}

TEST_CASE("oware: impossible positions are refused") {
  const Game game = make("abapa");
  const Fields good = game.root().save();
  const auto with = [&](const std::string& name, Value value) {
    Fields fields = good;
    for (auto& [key, old] : fields) {
      if (key == name) old = value;
    }
    return fields;
  };
  CHECK_NOTHROW(game.load(good));
  for (const auto& field : {"pits", "captured", "player"}) {
    Fields fields;
    for (const auto& f : good) {
      if (f.first != field) fields.push_back(f);
    }
    CHECK_THROWS_AS(game.load(fields), PositionError);
  }
  Fields extra = good;
  extra.emplace_back("colour", std::string("red"));
  CHECK_THROWS_AS(game.load(extra), PositionError);
  CHECK_THROWS_AS(game.load(with("pits", Ints(11, 4))), PositionError);
  CHECK_THROWS_AS(game.load(with("pits", Ints(12, 5))), PositionError);
  CHECK_THROWS_AS(game.load(with("pits", Ints{4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, -4})), PositionError);
  CHECK_THROWS_AS(game.load(with("pits", std::string("4 4 4"))), PositionError);
  CHECK_THROWS_AS(game.load(with("pits", Ints{0, 0, 0, 0, 0, 0, 4, 4, 4, 4, 4, 4})), PositionError);
  CHECK_THROWS_AS(game.load(with("captured", Ints{1, 0})), PositionError);
  CHECK_THROWS_AS(game.load(with("captured", Ints{0})), PositionError);
  CHECK_THROWS_AS(game.load(with("player", std::int64_t{2})), PositionError);
  CHECK_THROWS_AS(game.load(with("plies", std::int64_t{1000})), PositionError);
  CHECK_THROWS_AS(game.load(with("plies", std::int64_t{-1})), PositionError);
  CHECK_THROWS_AS(game.load(with("awarded", Ints{1, 0})), PositionError);
  for (const char* end : {"majority", "starvation", "repetition", "guard", "checkmate"}) {
    CHECK_THROWS_AS(game.load(with("ended", std::string(end))), PositionError);
  }
  CHECK_THROWS_AS(position(game, {1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0}, {25, 20}, 0), PositionError);
}

TEST_CASE("oware: parameters out of range are refused") {
  CHECK_THROWS_AS(make("abapa", {{"seeds", std::int64_t{0}}}), ParameterError);
  CHECK_THROWS_AS(make("abapa", {{"seeds", std::int64_t{11}}}), ParameterError);
  CHECK_THROWS_AS(make("abapa", {{"max_plies", std::int64_t{0}}}), ParameterError);
  CHECK_THROWS_AS(make("abapa", {{"grand_slam", std::string("sometimes")}}), ParameterError);
  CHECK_THROWS_AS(make("chess"), UnknownName);
}
