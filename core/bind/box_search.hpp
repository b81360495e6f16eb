// The searches of one game behind the abstract classes of any.hpp.
#pragma once

#include <utility>

#include "bind/box.hpp"
#include "search/alphabeta.hpp"
#include "search/guided.hpp"
#include "search/ismcts.hpp"
#include "search/pimc.hpp"
#include "search/self_play.hpp"
#include "search/uct.hpp"

namespace kiebitz::bind {

// A state of the game that a search was made for.
template <GameLike G>
const StateBox<G>& own_state(const GameBox<G>& box, const AnyState& state) {
  const auto* own = dynamic_cast<const StateBox<G>*>(&state);
  if (own != nullptr && box.same_rules(*own->box())) return *own;
  throw UnsuitableGame("this search was made for another game than the state's");
}

template <GameLike G, class Search>
class SearchBox final : public AnySearch {
 public:
  template <class... Options>
  SearchBox(std::shared_ptr<const GameBox<G>> box, bool calls_python, const Options&... options)
      : box_(std::move(box)), search_(box_->rules(), options...), calls_python_(calls_python) {}

  Search& search() { return search_; }

  search::Analysis run(const AnyState& state, Stop& stop) override {
    const StateBox<G>& own = own_state(*box_, state);
    return search_.search(own.state(), own.seen(), stop);
  }

  bool needs_interpreter() const override { return calls_python_; }

 private:
  std::shared_ptr<const GameBox<G>> box_;
  Search search_;
  bool calls_python_;
};

template <GameLike G>
std::unique_ptr<AnySearch> GameBox<G>::uct(const search::UctOptions& options) const {
  if (options.evaluator) {
    return std::make_unique<SearchBox<G, search::GuidedUct<G>>>(self(), NeedsInterpreter<G>, options);
  }
  return std::make_unique<SearchBox<G, search::Uct<G>>>(self(), NeedsInterpreter<G>, options);
}

template <GameLike G>
std::unique_ptr<AnySearch> GameBox<G>::alphabeta(const search::AlphaBetaOptions& options,
                                                 AnyEvaluation evaluation) const {
  auto box = std::make_unique<SearchBox<G, search::AlphaBeta<G>>>(self(), NeedsInterpreter<G> || evaluation, options);
  if (evaluation) {
    box->search().set_evaluation(
        [evaluation = std::move(evaluation), game = self()](const typename G::State& state, int player) {
          return evaluation(StateBox<G>(game, state, {}, std::nullopt), player);
        });
  }
  return box;
}

template <GameLike G>
std::unique_ptr<AnySearch> GameBox<G>::open_hand() const {
  if constexpr (HasSides<typename G::State>) {
    return std::make_unique<SearchBox<G, search::OpenHand<G>>>(self(), NeedsInterpreter<G>);
  } else {
    throw UnsuitableGame("open_hand: " + info().name + " is not a game of two sides with open cards at the end");
  }
}

// Searches of views. States and worlds must be of the same game.
template <HiddenGame G, class Search>
class ViewSearchBox final : public AnyViewSearch {
 public:
  using State = typename G::State;
  static constexpr bool kFromWorlds =
      requires(Search s, const State& state, Stop& stop) { s.search_leaky(state, stop); };

  template <class Options>
  ViewSearchBox(std::shared_ptr<const GameBox<G>> box, const Options& options)
      : box_(std::move(box)), search_(box_->rules(), options) {}

  search::Analysis run(const AnyView& view, Stop& stop) override { return search_.search(own_view(view), stop); }

  search::Analysis run_worlds(const AnyView& view, const std::vector<const AnyState*>& worlds,
                              std::vector<double> weights, Stop& stop) override {
    if constexpr (kFromWorlds) {
      std::vector<State> own;
      own.reserve(worlds.size());
      for (const AnyState* world : worlds) own.push_back(own_state(*box_, *world).state());
      return search_.search_worlds(own_view(view), std::move(own), std::move(weights), stop);
    } else {
      (void)view;
      (void)worlds;
      (void)weights;
      (void)stop;
      throw UnsuitableGame("this search draws its own worlds");
    }
  }

  search::Analysis run_hands(const AnyView& view, std::span<const std::int8_t> hands, std::vector<double> weights,
                             Stop& stop) override {
    if constexpr (kFromWorlds && HasHands<G>) {
      return search_.search_hands(own_view(view), hands, std::move(weights), stop);
    } else {
      (void)view;
      (void)hands;
      (void)weights;
      (void)stop;
      no_hands(box_->info());
    }
  }

  search::Analysis run_leaky(const AnyState& state, Stop& stop) override {
    if constexpr (kFromWorlds) {
      return search_.search_leaky(own_state(*box_, state).state(), stop);
    } else {
      (void)state;
      (void)stop;
      throw UnsuitableGame("this search looks at views only");
    }
  }

  bool needs_interpreter() const override { return NeedsInterpreter<G>; }

 private:
  const typename G::View& own_view(const AnyView& view) const {
    const auto* own = dynamic_cast<const ViewBox<G>*>(&view);
    if (own != nullptr && box_->same_rules(*own->box())) return own->view();
    throw UnsuitableGame("this search was made for another game than the view's");
  }

  std::shared_ptr<const GameBox<G>> box_;
  Search search_;
};

template <GameLike G>
std::unique_ptr<AnyViewSearch> GameBox<G>::pimc(const search::PimcOptions& options) const {
  if constexpr (HiddenGame<G>) {
    return std::make_unique<ViewSearchBox<G, search::Pimc<G>>>(self(), options);
  } else {
    throw UnsuitableGame("pimc: nothing is hidden in " + info().name + ", search it with uct");
  }
}

template <GameLike G>
std::unique_ptr<AnyViewSearch> GameBox<G>::ismcts(const search::IsmctsOptions& options) const {
  if constexpr (HiddenGame<G>) {
    if (options.evaluator) return std::make_unique<ViewSearchBox<G, search::GuidedIsmcts<G>>>(self(), options);
    return std::make_unique<ViewSearchBox<G, search::Ismcts<G>>>(self(), options);
  } else {
    throw UnsuitableGame("ismcts: nothing is hidden in " + info().name + ", search it with uct");
  }
}

template <GameLike G>
search::PlayedGames GameBox<G>::self_play(const search::SelfPlayOptions& options, const nets::Evaluator& evaluator,
                                          std::uint64_t seed, int games, Stop& stop) const {
  if constexpr (HiddenGame<G> && !NeedsInterpreter<G>) {
    (void)options;
    (void)evaluator;
    (void)seed;
    (void)games;
    (void)stop;
    throw UnsuitableGame("self_play: expected a game without hidden information, got " + info().name);
  } else {
    return search::SelfPlay<G>(*game_, options).run(evaluator, seed, games, stop);
  }
}

}  // namespace kiebitz::bind
