// A batch of games stepped together, for learners: one call plays one action in each of them. Chance is resolved and
// finished games restart inside. What a learner reads is in arrays that are allocated once, so a step allocates no
// memory, except where a game gets longer than any before it in its row.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "games/contract.hpp"
#include "games/path.hpp"

namespace kiebitz::env {

// The arrays, one row per game. They are only written, never read back, so changing them changes no game.
class Batch {
 public:
  Batch(const GameInfo& info, int games)
      : info(info),
        games(games),
        observation(rows(info.tensor_size)),
        mask(rows(info.actions)),
        player(rows(1)),
        rewards(rows(info.players)),
        done(rows(1)),
        gains(rows(info.players)),
        episode(rows(1)),
        seed(rows(1)) {}
  virtual ~Batch() = default;
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  // Row r plays the episodes r, r + games, r + 2 games, ...: a row does not depend on the other rows.
  virtual void reset(std::uint64_t seed) = 0;
  // One action in each row, or in those that are not 0 in `moving`; the others stay where they are. Throws
  // IllegalAction, without any change, unless all of them are legal.
  virtual void step(const std::int64_t* actions, const std::uint8_t* moving) = 0;
  // Gives the games up that are not 0 in `rows`: the next ones begin there.
  virtual void restart(const std::uint8_t* rows) = 0;
  virtual bool needs_interpreter() const = 0;

  // Where all games are: enough to go on from there in another process. `actions` are those of the players in the
  // current episodes, row after row.
  struct Place {
    std::uint64_t seed = 0;
    std::vector<std::int64_t> episodes;
    std::vector<std::int64_t> counts;
    std::vector<std::int64_t> actions;
  };
  virtual Place place() const = 0;
  // Goes there. Throws ParameterError or IllegalAction for a place where this batch cannot be, and has to be reset
  // then.
  virtual void go(const Place& place) = 0;

  // The evaluation of which `gains` speaks from the next reset on; -1: none.
  void watch(int evaluation) { evaluation_ = evaluation; }

  const GameInfo info;
  const int games;
  std::vector<float> observation;    // what the player to move knows: tensor_size numbers
  std::vector<std::int8_t> mask;     // one number per action, 1 for the legal ones
  std::vector<std::int32_t> player;  // the player to move
  std::vector<double> rewards;       // payoffs of the game that the last step ended, otherwise 0
  std::vector<std::uint8_t> done;    // whether the last step ended a game
  std::vector<double> gains;         // what the last step added to the watched evaluation of each player
  std::vector<std::int64_t> episode;
  std::vector<std::uint64_t> seed;  // resolves the chance of the episode, as Game::fresh(seed) does

 protected:
  std::size_t rows(int columns) const { return static_cast<std::size_t>(games) * static_cast<std::size_t>(columns); }

  int evaluation_ = -1;
};

template <GameLike G>
class BatchOf final : public Batch {
 public:
  using State = typename G::State;

  BatchOf(std::shared_ptr<const G> game, int games)
      : Batch(game->info(), games),
        game_(std::move(game)),
        root_(game_->root()),
        states_(rows(1), root_),
        paths_(rows(1)),
        chance_(rows(1)),
        played_(rows(1)),
        worth_(rows(info.players)),
        episodes_(rows(1)),
        legal_(rows(info.max_legal)),
        legal_count_(rows(1)),
        outcomes_(static_cast<std::size_t>(info.max_legal)) {}

  bool needs_interpreter() const override { return NeedsInterpreter<G>; }

  void reset(std::uint64_t seed) override {
    ready_ = false;
    seed_ = seed;
    for (std::size_t r = 0; r < states_.size(); ++r) {
      forget(r);
      start(r, static_cast<std::int64_t>(r));
    }
    ready_ = true;
  }

  void step(const std::int64_t* actions, const std::uint8_t* moving) override {
    // A game written in Python can fail halfway through a step.
    if (!ready_) throw Error("the last step failed: reset the environment first");
    const auto moves = [moving](std::size_t r) { return moving == nullptr || moving[r] != 0; };
    for (std::size_t r = 0; r < states_.size(); ++r) {
      if (moves(r) && !is_legal(r, actions[r])) throw IllegalAction(refusal(r, actions[r]));
    }
    ready_ = false;
    for (std::size_t r = 0; r < states_.size(); ++r) {
      forget(r);
      if (!moves(r)) continue;
      State& state = states_[r];
      play(r, actions[r]);
      weigh(r);
      done[r] = state.player() == kTerminal;
      if (done[r]) {
        state.returns(rewards.data() + r * static_cast<std::size_t>(info.players));
        start(r, episodes_[r] + games);
      } else {
        look(r);
      }
    }
    ready_ = true;
  }

  void restart(const std::uint8_t* rows) override {
    if (!ready_) throw Error("the last step failed: reset the environment first");
    ready_ = false;
    for (std::size_t r = 0; r < states_.size(); ++r) {
      if (rows[r] == 0) continue;
      forget(r);
      start(r, episodes_[r] + games);
    }
    ready_ = true;
  }

  Place place() const override {
    if (!ready_) throw Error("the last step failed: reset the environment first");
    Place out;
    out.seed = seed_;
    out.episodes = episodes_;
    for (const auto& actions : played_) {
      out.counts.push_back(static_cast<std::int64_t>(actions.size()));
      out.actions.insert(out.actions.end(), actions.begin(), actions.end());
    }
    return out;
  }

  void go(const Place& place) override {
    if (place.episodes.size() != states_.size() || place.counts.size() != states_.size()) {
      throw ParameterError("expected the place of " + std::to_string(games) + " games");
    }
    ready_ = false;
    seed_ = place.seed;
    std::size_t at = 0;
    for (std::size_t r = 0; r < states_.size(); ++r) {
      forget(r);
      if (place.counts[r] < 0) throw ParameterError("expected numbers of actions from 0 up");
      start(r, place.episodes[r]);
      for (std::int64_t n = 0; n < place.counts[r]; ++n, ++at) {
        if (at == place.actions.size()) throw ParameterError("expected more actions");
        if (states_[r].player() == kTerminal) throw ParameterError("an action after the end of a game");
        if (!is_legal(r, place.actions[at])) throw IllegalAction(refusal(r, place.actions[at]));
        play(r, place.actions[at]);
        look(r);
      }
      value(r);
    }
    if (at != place.actions.size()) throw ParameterError("expected fewer actions");
    ready_ = true;
  }

 private:
  void play(std::size_t r, std::int64_t action) {
    if (legal_count_[r] == 0) return;
    paths_[r].apply(states_[r], static_cast<Action>(action));
    played_[r].push_back(static_cast<Action>(action));
    resolve_chance(r);
  }

  void start(std::size_t r, std::int64_t number) {
    episode[r] = episodes_[r] = number;
    seed[r] = mix64(mix64(seed_) + static_cast<std::uint64_t>(number));
    states_[r] = root_;
    played_[r].clear();
    paths_[r].reset(states_[r], {});
    chance_[r] = Rng(seed[r]);
    resolve_chance(r);
    look(r);
    value(r);
  }

  // Nothing happened in a row yet.
  void forget(std::size_t r) {
    done[r] = 0;
    const auto players = static_cast<std::ptrdiff_t>(info.players);
    const auto at = static_cast<std::ptrdiff_t>(r) * players;
    std::fill_n(rewards.begin() + at, players, 0.0);
    std::fill_n(gains.begin() + at, players, 0.0);
  }

  // What the watched evaluation says of the position.
  void value(std::size_t r) {
    if constexpr (HasEvaluation<State>) {
      if (evaluation_ < 0) return;
      for (int p = 0; p < info.players; ++p) {
        worth_[r * static_cast<std::size_t>(info.players) + static_cast<std::size_t>(p)] =
            states_[r].evaluate(evaluation_, p);
      }
    }
  }

  // ... and by how much it rose.
  void weigh(std::size_t r) {
    if (evaluation_ < 0) return;
    const auto players = static_cast<std::size_t>(info.players);
    for (std::size_t at = r * players; at < (r + 1) * players; ++at) gains[at] = -worth_[at];
    value(r);
    for (std::size_t at = r * players; at < (r + 1) * players; ++at) gains[at] += worth_[at];
  }

  void resolve_chance(std::size_t r) {
    State& state = states_[r];
    while (state.player() == kChance) paths_[r].apply(state, random_outcome(state, chance_[r], outcomes_.data()));
  }

  // Writes down what the player to move knows. A game that ends before anybody moves (a tree can have such branches)
  // has no legal actions; the next step reports its payoffs.
  void look(std::size_t r) {
    const State& state = states_[r];
    const auto tensor = static_cast<std::size_t>(info.tensor_size);
    const auto actions = static_cast<std::size_t>(info.actions);
    player[r] = state.player();
    float* numbers = observation.data() + r * tensor;
    // In a hidden game never the tensor of the state, which may show all cards.
    if constexpr (HiddenGame<G>) {
      if (state.player() >= 0) {
        state.view(state.player()).tensor(numbers);
      } else {
        std::fill(numbers, numbers + tensor, 0.0F);
      }
    } else if constexpr (HasTensor<State>) {
      state.tensor(numbers);
    }
    Action* legal = legal_.data() + r * static_cast<std::size_t>(info.max_legal);
    legal_count_[r] = state.legal(legal);
    std::int8_t* allowed = mask.data() + r * actions;
    std::fill(allowed, allowed + actions, std::int8_t{0});
    for (int i = 0; i < legal_count_[r]; ++i) allowed[legal[i]] = 1;
  }

  bool is_legal(std::size_t r, std::int64_t a) const {
    const Action* legal = legal_.data() + r * static_cast<std::size_t>(info.max_legal);
    const Action* end = legal + legal_count_[r];
    return legal_count_[r] == 0 || std::find(legal, end, a) != end;
  }

  std::string refusal(std::size_t r, std::int64_t a) const {
    std::string out = "row " + std::to_string(r) + ": action " + std::to_string(a) + " is not legal; expected one of";
    for (int i = 0; i < legal_count_[r]; ++i) {
      if (i == 12) return out + " ...";
      const Action legal = legal_[r * static_cast<std::size_t>(info.max_legal) + static_cast<std::size_t>(i)];
      out += (i == 0 ? " " : ", ") + std::to_string(legal) + " (" + states_[r].name(legal) + ")";
    }
    return out;
  }

  std::shared_ptr<const G> game_;
  State root_;
  std::vector<State> states_;
  std::vector<Path<State>> paths_;
  std::vector<Rng> chance_;
  std::vector<std::vector<Action>> played_;  // by the players, in the current episodes
  std::vector<double> worth_;                // the watched evaluation for each player
  std::vector<std::int64_t> episodes_;
  std::vector<Action> legal_;
  std::vector<int> legal_count_;
  std::vector<Outcome> outcomes_;
  std::uint64_t seed_ = 0;
  bool ready_ = false;
};

}  // namespace kiebitz::env
