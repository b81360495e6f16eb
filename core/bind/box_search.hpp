// The searches of one game behind the abstract classes of any.hpp.
#pragma once

#include <utility>

#include "bind/box.hpp"
#include "search/alphabeta.hpp"
#include "search/uct.hpp"

namespace kiebitz::bind {

template <GameLike G, class Search>
class SearchBox final : public AnySearch {
 public:
  template <class Options>
  SearchBox(std::shared_ptr<const GameBox<G>> box, const Options& options, bool calls_python)
      : box_(std::move(box)), search_(box_->rules(), options), calls_python_(calls_python) {}

  Search& search() { return search_; }

  search::Analysis run(const AnyState& state, Stop& stop) override {
    const auto* own = dynamic_cast<const StateBox<G>*>(&state);
    if (own == nullptr || !box_->same_rules(*own->box())) {
      throw UnsuitableGame("this search was made for another game than the state's");
    }
    return search_.search(own->state(), own->seen(), stop);
  }

  bool needs_interpreter() const override { return calls_python_; }

 private:
  std::shared_ptr<const GameBox<G>> box_;
  Search search_;
  bool calls_python_;
};

template <GameLike G>
std::unique_ptr<AnySearch> GameBox<G>::uct(const search::UctOptions& options) const {
  return std::make_unique<SearchBox<G, search::Uct<G>>>(self(), options, NeedsInterpreter<G>);
}

template <GameLike G>
std::unique_ptr<AnySearch> GameBox<G>::alphabeta(const search::AlphaBetaOptions& options,
                                                 AnyEvaluation evaluation) const {
  auto box = std::make_unique<SearchBox<G, search::AlphaBeta<G>>>(self(), options, NeedsInterpreter<G> || evaluation);
  if (evaluation) {
    box->search().set_evaluation(
        [evaluation = std::move(evaluation), game = self()](const typename G::State& state, int player) {
          return evaluation(StateBox<G>(game, state, {}, std::nullopt), player);
        });
  }
  return box;
}

}  // namespace kiebitz::bind
