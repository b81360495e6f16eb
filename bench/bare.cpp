// Bare loops for comparison: what the rules alone cost, without tree, budget or Python. `python -m bench bare` builds
// this with the shipped flags and prints the figures next to those of the searches, which they bound.
//
//   playouts   random games through the game headers, as a search plays them (with the path where repetition ends a
//   game) perft      every line to a fixed depth, nothing evaluated: what a search pays for a node at least alphabeta
//   the tree of a plain alpha-beta search, by the shortest function that walks it kernel     the same random games
//   written by hand for one fixed board: what the generality of a header costs
//
// Prints one JSON object a line: name, count (games or nodes), plies, CPU seconds.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include "games/connect_four.hpp"
#include "games/doppelkopf/game.hpp"
#include "games/oware/game.hpp"
#include "games/path.hpp"

namespace {

using kiebitz::Action;
using kiebitz::Rng;

struct Count {
  std::int64_t count = 0;
  std::int64_t plies = 0;
  std::uint64_t sum = 0;  // of something that depends on every game, so that no loop is optimised away
};

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class Game>
Game make(const std::string& preset) {
  return Game(kiebitz::resolve_parameters(Game::parameters(), Game::presets(), preset, {}));
}

template <class Game>
Count playouts(const Game& game, std::int64_t games) {
  using State = typename Game::State;
  Rng rng(1);
  Count out;
  const State root = game.root();
  kiebitz::Path<State> path;
  path.reset(root, {});
  const auto start = path.mark();
  for (; out.count < games; ++out.count) {
    State state = root;
    do {
      path.apply(state, state.random_legal(rng));
      ++out.plies;
    } while (state.player() >= 0);
    path.rewind(start);
    double payoffs[2];
    state.returns(payoffs);
    out.sum += payoffs[0] > 0;
  }
  return out;
}

template <class State>
void perft(const State& here, int depth, Count& out) {
  Action actions[8];
  const int n = here.legal(actions);
  for (int i = 0; i < n; ++i) {
    State next = here;
    next.apply(actions[i]);
    ++out.count;
    out.sum += static_cast<std::uint64_t>(next.player());
    if (depth > 1) perft(next, depth - 1, out);
  }
}

// Alpha-beta with nothing around it: no line, budget, table or order; leaves at the depth limit are worth 0. Values are
// for player 0, who maximises and moves in turn with player 1.
template <bool kMaximise, class State>
double alphabeta(const State& here, int depth, double low, double high, Count& out) {
  Action actions[8];
  const int n = here.legal(actions);
  double best = kMaximise ? -2 : 2;
  for (int i = 0; i < n && low < high; ++i) {
    State next = here;
    next.apply(actions[i]);
    ++out.count;
    double value = 0;
    if (next.player() < 0) {
      double payoffs[2];
      next.returns(payoffs);
      value = payoffs[0];
    } else if (depth > 1) {
      value = alphabeta<!kMaximise>(next, depth - 1, low, high, out);
    }
    best = kMaximise ? std::max(best, value) : std::min(best, value);
    (kMaximise ? low : high) = kMaximise ? std::max(low, best) : std::min(high, best);
  }
  return best;
}

// --- By hand: seven columns, six rows, nothing else
// -------------------------------------------------------------------

bool four(std::uint64_t stones) {
  const auto line = [stones](int d) {
    const std::uint64_t pairs = stones & stones >> d;
    return pairs & pairs >> 2 * d;
  };
  return (line(1) | line(6) | line(7) | line(8)) != 0;
}

Count connect_four_kernel(std::int64_t games) {
  Rng rng(1);
  Count out;
  for (; out.count < games; ++out.count) {
    std::uint64_t own = 0;  // stones of the player to move
    std::uint64_t all = 0;
    for (unsigned open = 0x7F; open != 0;) {
      const unsigned column =
          kiebitz::connect_four::kPick[open][rng.below(static_cast<std::uint32_t>(std::popcount(open)))];
      const unsigned shift = 7 * column;
      const std::uint64_t cell = (all + (std::uint64_t{1} << shift)) & std::uint64_t{0x3F} << shift;
      const std::uint64_t moved = own | cell;
      own ^= all;
      all |= cell;
      ++out.plies;
      if (four(moved)) {
        ++out.sum;
        break;
      }
      open &= ~(static_cast<unsigned>(all >> (shift + 5) & 1) << column);
    }
  }
  return out;
}

// Oware abapa with a loop over the pits instead of tables and vectors.
class PlainOware {
 public:
  int legal(std::array<int, 6>& out) const {
    int n = 0;
    for (int a = 0; a < 6; ++a) {
      if (pits_[6 * mover_ + a] > 0) out[n++] = 6 * mover_ + a;
    }
    if (row(1 - mover_) > 0) return n;
    int feeding = 0;
    for (int i = 0; i < n; ++i) {
      if (pits_[out[i]] > 5 - out[i] % 6) out[feeding++] = out[i];
    }
    return feeding;
  }

  // Says whether seeds were captured.
  bool sow(int pit) {
    int last = pit;
    for (int seeds = std::exchange(pits_[pit], 0); seeds > 0;) {
      last = (last + 1) % 12;
      if (last == pit) continue;
      ++pits_[last];
      --seeds;
    }
    const int other = 1 - mover_;
    int from = last;
    int taken = 0;
    while (from >= 6 * other && from < 6 * other + 6 && (pits_[from] == 2 || pits_[from] == 3)) taken += pits_[from--];
    const bool captures = taken > 0 && taken < row(other);
    if (captures) {
      for (int i = from + 1; i <= last; ++i) pits_[i] = 0;
      captured_[mover_] += taken;
    }
    mover_ = other;
    return captures;
  }

  bool won() const { return captured_[1 - mover_] > 24; }
  std::uint64_t key() const {
    std::uint64_t h = static_cast<std::uint64_t>(mover_);
    for (const int seeds : pits_) h = h * 49 + static_cast<std::uint64_t>(seeds);
    return h;
  }

 private:
  int row(int player) const {
    int sum = 0;
    for (int i = 6 * player; i < 6 * player + 6; ++i) sum += pits_[i];
    return sum;
  }

  int pits_[12] = {4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4};
  int captured_[2] = {0, 0};
  int mover_ = 0;
};

Count oware_kernel(std::int64_t games) {
  Rng rng(1);
  Count out;
  std::vector<std::uint64_t> seen(1024);
  for (; out.count < games; ++out.count) {
    PlainOware board;
    std::size_t known = 0;
    std::array<int, 6> actions;
    for (int ply = 0, n = board.legal(actions); n > 0 && ply < 1000; n = board.legal(actions), ++ply) {
      seen[known++] = board.key();
      if (board.sow(actions[rng.below(static_cast<std::uint32_t>(n))])) known = 0;
      ++out.plies;
      if (board.won()) break;
      bool repeated = false;
      for (std::size_t i = 0; i < known && !repeated; ++i) repeated = seen[i] == board.key();
      if (repeated) break;
    }
    out.sum += board.won();
  }
  return out;
}

// --- Doppelkopf: a normal game from the first card to the points, without calls
// --------------------------------------

namespace doko = kiebitz::doppelkopf;

// A fixed random deal in which all are healthy; the first seat is about to be asked for a call.
doko::State first_card(const doko::Game& game) {
  Rng rng(1);
  kiebitz::Outcome outcomes[doko::kTypes];
  doko::State state = game.root();
  while (state.player() == kiebitz::kChance) state.apply(kiebitz::random_outcome(state, rng, outcomes));
  for (int seat = 0; seat < doko::kSeats; ++seat) state.apply(doko::kFirstReservation);
  return state;
}

Count doppelkopf_playouts(const doko::Game& game, std::int64_t games) {
  Rng rng(1);
  Count out;
  doko::State root = first_card(game);
  root.restrict_calls(kiebitz::Calls::none);
  for (; out.count < games; ++out.count) {
    doko::State state = root;
    state.play_out(rng);
    double payoffs[doko::kSeats];
    state.returns(payoffs);
    out.sum += payoffs[0] > 0;
  }
  out.plies = doko::kMostCards * out.count;
  return out;
}

// Random legal card, the taker of the trick, eyes; no more is kept.
Count doppelkopf_kernel(const doko::Game& game, std::int64_t games) {
  Rng rng(1);
  Count out;
  const doko::State root = first_card(game);
  const doko::Order& order = doko::kOrder[0];
  for (; out.count < games; ++out.count) {
    std::array<doko::Hand, doko::kSeats> hands{};
    std::array<unsigned, doko::kSeats> eyes{};
    for (int seat = 0; seat < doko::kSeats; ++seat) hands[static_cast<std::size_t>(seat)] = root.hand(seat);
    std::size_t leader = static_cast<std::size_t>(root.table().turn);
    for (int trick = 0; trick < 12; ++trick) {
      std::size_t led = 0;
      std::size_t taker = 0;
      unsigned best = 0;
      unsigned sum = 0;
      for (std::size_t i = 0; i < doko::kSeats; ++i) {
        const std::size_t seat = (leader + i) & 3;
        std::uint32_t set = doko::types(hands[seat]);
        if (i > 0 && (set & order.cards[led]) != 0) set &= order.cards[led];
        for (auto k = rng.below(static_cast<std::uint32_t>(std::popcount(set))); k > 0; --k) set &= set - 1;
        const int card = std::countr_zero(set);
        const auto c = static_cast<std::size_t>(card);
        hands[seat] = doko::without(hands[seat], card);
        if (i == 0) led = order.category[c];
        const unsigned power = order.power[led][c];
        if (power > best) {
          best = power;
          taker = seat;
        }
        sum += doko::kEyes[c];
      }
      eyes[taker] += sum;
      leader = taker;
    }
    out.sum += eyes[0];
  }
  out.plies = doko::kMostCards * out.count;
  return out;
}

// Hidden deals drawn for the first card of a game, after the tables were made once.
Count doppelkopf_draws(const doko::Game& game, doko::Belief belief, std::int64_t deals) {
  Rng rng(1);
  Count out;
  const doko::State root = first_card(game);
  doko::Sampler sampler(game, root.view(root.player()), belief);
  for (; out.count < deals; ++out.count) out.sum += sampler.draw(rng).re();
  return out;
}

std::string only;  // the loop to run; empty: all

template <class Work>
void report(const char* name, int repetitions, Work&& work) {
  if (!only.empty() && only != name) return;
  for (int i = 0; i < repetitions; ++i) {
    const double start = cpu_seconds();
    const Count done = work();
    const double seconds = cpu_seconds() - start;
    std::printf("{\"name\": \"%s\", \"count\": %lld, \"plies\": %lld, \"seconds\": %.9f, \"sum\": %llu}\n", name,
                static_cast<long long>(done.count), static_cast<long long>(done.plies), seconds,
                static_cast<unsigned long long>(done.sum));
    std::fflush(stdout);
  }
}

}  // namespace

// bare REPETITIONS PART NAME: PART is 1 for the full work, larger to do less; with a NAME only the loop of that name
// runs.
int main(int argc, char** argv) {
  const int repetitions = argc > 1 ? std::atoi(argv[1]) : 5;
  const int part = argc > 2 ? std::atoi(argv[2]) : 1;
  if (repetitions < 1 || part < 1) {
    std::fputs("usage: bare [REPETITIONS [PART [NAME]]], both numbers at least 1\n", stderr);
    return 2;
  }
  only = argc > 3 ? argv[3] : "";
  const auto connect_four = make<kiebitz::connect_four::Game>("");
  const auto oware = make<kiebitz::oware::Game>("abapa");
  const auto perft_of = [](const auto& game, int depth) {
    Count out;
    perft(game.root(), depth, out);
    return out;
  };
  report("playouts connect_four", repetitions, [&] { return playouts(connect_four, 1'000'000 / part); });
  report("kernel connect_four", repetitions, [&] { return connect_four_kernel(1'000'000 / part); });
  report("playouts oware", repetitions, [&] { return playouts(oware, 100'000 / part); });
  report("kernel oware", repetitions, [&] { return oware_kernel(100'000 / part); });
  const auto doppelkopf = make<doko::Game>("thesis");
  report("playouts doppelkopf", repetitions, [&] { return doppelkopf_playouts(doppelkopf, 300'000 / part); });
  report("kernel doppelkopf", repetitions, [&] { return doppelkopf_kernel(doppelkopf, 300'000 / part); });
  report("deals doppelkopf exact", repetitions,
         [&] { return doppelkopf_draws(doppelkopf, doko::Belief::exact, 300'000 / part); });
  report("deals doppelkopf cap", repetitions,
         [&] { return doppelkopf_draws(doppelkopf, doko::Belief::cap, 300'000 / part); });
  report("alphabeta connect_four", repetitions, [&] {
    Count out;
    const auto root = connect_four.root();
    for (int i = 0; i < 200 / part; ++i) {
      ++out.count;
      out.sum += alphabeta<true>(root, 9, -2, 2, out) == 0;
    }
    return out;
  });
  report("perft connect_four", repetitions, [&] { return perft_of(connect_four, part > 1 ? 7 : 8); });
  report("perft oware", repetitions, [&] { return perft_of(oware, part > 1 ? 8 : 9); });
}
