// The searches of the table without Python around them, for a profiler: `python -m bench.profile NAME`.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include "games/connect_four.hpp"
#include "games/oware/game.hpp"
#include "search/alphabeta.hpp"
#include "search/uct.hpp"

namespace {

template <class Game>
Game make(const std::string& preset) {
  return Game(kiebitz::resolve_parameters(Game::parameters(), Game::presets(), preset, {}));
}

// Searches from the start again and again, for about `seconds` of CPU time, and prints units a second.
template <class Game, class Search>
void repeat(const Game& game, Search& search, double seconds, bool count_nodes) {
  kiebitz::Stop stop;
  double done = 0;
  const std::clock_t start = std::clock();
  double took = 0;
  while (took < seconds) {
    const auto found = search.search(game.root(), {}, stop);
    done += static_cast<double>(count_nodes ? found.nodes : found.iterations);
    took = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  }
  std::printf("%.0f %s/s\n", done / took, count_nodes ? "nodes" : "simulations");
}

template <class Game>
void uct(const std::string& preset, double seconds) {
  const auto game = make<Game>(preset);
  kiebitz::search::UctOptions options;
  options.budget.iterations = 10'000;
  kiebitz::search::Uct<Game> search(game, options);
  repeat(game, search, seconds, false);
}

template <class Game>
void alphabeta(const std::string& preset, kiebitz::search::AlphaBetaOptions options, double seconds) {
  const auto game = make<Game>(preset);
  kiebitz::search::AlphaBeta<Game> search(game, options);
  repeat(game, search, seconds, true);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "";
  const double seconds = argc > 2 ? std::atof(argv[2]) : 2;
  kiebitz::search::AlphaBetaOptions options;
  if (name == "uct-connect-four") {
    uct<kiebitz::connect_four::Game>("", seconds);
  } else if (name == "uct-oware") {
    uct<kiebitz::oware::Game>("abapa", seconds);
  } else if (name == "alphabeta-nodes") {
    options.depth = 9;
    options.evaluation = "zero";
    alphabeta<kiebitz::connect_four::Game>("", options, seconds);
  } else if (name == "alphabeta-depth") {
    options.depth = 15;
    options.deepen = options.narrow = true;
    options.order = kiebitz::search::Order::full;
    options.table_mb = 128;
    alphabeta<kiebitz::oware::Game>("abapa", options, seconds);
  } else {
    std::fputs("usage: searches uct-connect-four|uct-oware|alphabeta-nodes|alphabeta-depth [SECONDS]\n", stderr);
    return 2;
  }
}
