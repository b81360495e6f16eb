// What every small hidden game must satisfy, checked on its whole tree: names and saved forms read back, equal views
// for what a player cannot tell apart, and sampled worlds with the probabilities that follow from the rules.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "games/contract.hpp"

namespace checks {

using namespace kiebitz;

template <GameLike G>
G make(const Fields& given = {}, const std::string& preset = "") {
  return G(resolve_parameters(G::parameters(), G::presets(), preset, given));
}

inline std::string written(const Fields& fields) {
  std::string out;
  for (const auto& [name, value] : fields) {
    out += name + "=";
    std::visit(
        [&](const auto& x) {
          using T = std::decay_t<decltype(x)>;
          if constexpr (std::is_same_v<T, std::string>) {
            out += x;
          } else if constexpr (std::is_arithmetic_v<T>) {
            out += std::to_string(x);
          } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
            for (const auto& item : x) out += item + ",";
          } else if constexpr (std::is_same_v<T, Nothing> || std::is_same_v<T, Fields> ||
                               std::is_same_v<T, std::vector<Value>>) {
            FAIL("positions and views hold plain values only");
          } else {
            for (const auto item : x) out += std::to_string(item) + ",";
          }
        },
        value);
    out += ";";
  }
  return out;
}

template <GameLike G>
std::vector<Action> legal_of(const G& game, const typename G::State& state) {
  std::vector<Action> actions(static_cast<std::size_t>(game.info().max_legal));
  actions.resize(static_cast<std::size_t>(state.legal(actions.data())));
  return actions;
}

template <GameLike G>
std::vector<double> returns_of(const G& game, const typename G::State& state) {
  std::vector<double> out(static_cast<std::size_t>(game.info().players));
  state.returns(out.data());
  return out;
}

// Calls visit(state, weights) for every node; weights[p] leaves out the moves of player p: chance times 1/|legal| of
// the others.
template <GameLike G>
void walk(const G& game, const std::function<void(const typename G::State&, const std::vector<double>&)>& visit) {
  const auto players = static_cast<std::size_t>(game.info().players);
  const std::function<void(const typename G::State&, const std::vector<double>&)> go =
      [&](const typename G::State& state, const std::vector<double>& weights) {
        visit(state, weights);
        const int mover = state.player();
        const auto actions = legal_of(game, state);
        std::vector<Outcome> outcomes(static_cast<std::size_t>(game.info().max_legal));
        outcomes.resize(static_cast<std::size_t>(mover == kChance ? state.outcomes(outcomes.data()) : 0));
        for (std::size_t i = 0; i < actions.size(); ++i) {
          auto next = state;
          next.apply(actions[i]);
          auto below = weights;
          for (std::size_t p = 0; p < players; ++p) {
            if (mover == kChance) below[p] *= outcomes[i].probability;
            if (mover >= 0 && static_cast<std::size_t>(mover) != p) below[p] /= static_cast<double>(actions.size());
          }
          go(next, below);
        }
      };
  go(game.root(), std::vector<double>(players, 1.0));
}

// Names, saved positions and saved views of every node read back.
template <HiddenGame G>
void check_round_trips(const G& game) {
  std::vector<float> tensor(static_cast<std::size_t>(game.info().tensor_size));
  walk<G>(game, [&](const typename G::State& state, const std::vector<double>&) {
    REQUIRE(written(game.load(state.save()).save()) == written(state.save()));
    REQUIRE(game.load(state.save()).key() == state.key());
    REQUIRE(game.load(state.save()).player() == state.player());
    const auto actions = legal_of(game, state);
    REQUIRE((state.player() == kTerminal) == actions.empty());
    for (const Action a : actions) {
      REQUIRE(a >= 0);
      REQUIRE(a < game.info().actions);
      REQUIRE(state.parse(state.name(a)) == a);
    }
    if (actions.empty()) {
      double sum = 0;
      for (const double x : returns_of(game, state)) {
        REQUIRE(x >= game.info().min_payoff);
        REQUIRE(x <= game.info().max_payoff);
        sum += x;
      }
      if (game.info().utility == Utility::zero_sum) REQUIRE(std::abs(sum) < 1e-12);
    }
    for (int p = 0; p < game.info().players; ++p) {
      const auto view = state.view(p);
      REQUIRE(view.observer() == p);
      REQUIRE((view.player() == p) == (state.player() == p));
      REQUIRE((view.player() == kTerminal) == (state.player() == kTerminal));
      REQUIRE(game.load_view(view.save()) == view);
      REQUIRE(!view.text().empty());
      view.tensor(tensor.data());
    }
  });
}

// Worlds sampled from a view have that view, and the probabilities that follow from the whole tree (chi-square).
template <HiddenGame G>
void check_sampling(const G& game, int samples) {
  struct Worlds {
    typename G::View view;
    std::map<std::string, double> weight;
  };
  std::map<std::string, Worlds> views;
  walk<G>(game, [&](const typename G::State& state, const std::vector<double>& weights) {
    for (int p = 0; p < game.info().players; ++p) {
      const auto view = state.view(p);
      auto& worlds = views.try_emplace(written(view.save()), Worlds{view, {}}).first->second;
      REQUIRE(worlds.view == view);
      worlds.weight[written(state.save())] += weights[static_cast<std::size_t>(p)];
    }
  });
  Rng rng(11);
  for (const auto& [name, worlds] : views) {
    CAPTURE(name);
    double total = 0;
    for (const auto& [world, weight] : worlds.weight) total += weight;
    std::map<std::string, int> drawn;
    for (int i = 0; i < samples; ++i) {
      const auto state = game.sample(worlds.view, rng);
      REQUIRE(state.view(worlds.view.observer()) == worlds.view);
      ++drawn[written(state.save())];
    }
    double chi = 0;
    for (const auto& [world, weight] : worlds.weight) {
      const double expected = samples * weight / total;
      chi += std::pow(drawn[world] - expected, 2) / expected;
    }
    CHECK(drawn.size() <= worlds.weight.size());
    // Five standard deviations of the chi-square distribution beyond its mean.
    const double freedom = static_cast<double>(worlds.weight.size()) - 1;
    CHECK(chi <= freedom + 5 * std::sqrt(2 * freedom) + 10);
  }
}

}  // namespace checks
