// Games without their types: the abstract classes that Python sees. One virtual call per call from Python, none inside
// a search. box.hpp implements them for every game.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/stop.hpp"
#include "env/batch.hpp"
#include "games/choices.hpp"
#include "games/contract.hpp"
#include "search/analysis.hpp"
#include "search/count.hpp"
#include "search/induction.hpp"
#include "search/options.hpp"
#include "search/played_games.hpp"
#include "search/random_games.hpp"
#include "solve/compile.hpp"

namespace kiebitz::bind {

class AnyGame;
class AnyState;

[[noreturn]] inline void no_hands(const GameInfo& info) {
  throw UnsuitableGame(info.name + " has no hands that a belief could hand over");
}

class AnyView {
 public:
  virtual ~AnyView() = default;
  virtual std::shared_ptr<const AnyGame> game() const = 0;
  virtual int observer() const = 0;
  virtual int player() const = 0;
  virtual std::vector<Action> legal() const = 0;
  virtual std::string name(Action a) const = 0;
  virtual ActionKind kind(Action a) const = 0;
  virtual std::optional<double> amount(Action a) const = 0;
  virtual std::string phase() const = 0;
  virtual std::vector<Choice> choices() const = 0;
  virtual Action parse(const std::string& text) const = 0;
  virtual std::string text() const = 0;
  virtual Fields save() const = 0;
  virtual void tensor(float* out) const = 0;
  virtual std::unique_ptr<AnyState> sample(std::uint64_t seed) const = 0;
  virtual std::vector<std::unique_ptr<AnyState>> worlds(int count, std::uint64_t seed,
                                                        const std::string& belief) const = 0;
  // These throw UnsuitableGame where the game has no such thing.
  // Rows of owners (contract.hpp): those of worlds of one of the game's beliefs, and worlds of given ones.
  virtual std::vector<std::int8_t> hands(int count, std::uint64_t seed, const std::string& belief) const = 0;
  virtual std::vector<std::unique_ptr<AnyState>> worlds_of(std::span<const std::int8_t> hands,
                                                           std::uint64_t seed) const = 0;
  virtual Fields beliefs() const = 0;
  virtual Fields public_facts() const = 0;
  // What the rules say about the view beside public facts.
  virtual Fields outline() const = 0;
  virtual Action rule_of_thumb() const = 0;
  // The view as if the observer were asked in a secret round (null: it has nothing to say), and as if it were not.
  // Games without such rounds give null and the view itself.
  virtual std::unique_ptr<AnyView> if_asked() const = 0;
  virtual std::unique_ptr<AnyView> unasked() const = 0;
  // A number that depends on the seed and the view alone.
  virtual std::uint64_t draw(std::uint64_t seed) const = 0;
  virtual bool equals(const AnyView& other) const = 0;
};

class AnyState {
 public:
  virtual ~AnyState() = default;
  virtual std::shared_ptr<const AnyGame> game() const = 0;
  virtual const GameInfo& info() const = 0;
  virtual bool needs_interpreter() const = 0;
  virtual std::unique_ptr<AnyState> copy() const = 0;
  virtual int player() const = 0;
  virtual int legal(Action* out) const = 0;
  virtual std::vector<Outcome> outcomes() const = 0;
  virtual void apply(Action a) = 0;
  // Why an action is illegal; empty if it is legal.
  virtual std::string refusal(Action a) const = 0;
  virtual const std::vector<Action>& history() const = 0;
  virtual std::string name(Action a) const = 0;
  virtual ActionKind kind(Action a) const = 0;
  virtual std::optional<double> amount(Action a) const = 0;
  virtual std::string phase() const = 0;
  virtual std::vector<Choice> choices() const = 0;
  virtual Action parse(const std::string& text) const = 0;
  virtual std::string text() const = 0;
  virtual std::vector<double> returns() const = 0;
  virtual Fields result() const = 0;
  virtual std::uint64_t key() const = 0;
  // The owner of each card of the pack; throws UnsuitableGame where there are none.
  virtual std::vector<std::int8_t> owners() const = 0;
  virtual std::unique_ptr<AnyView> view(int player) const = 0;
  virtual double evaluate(const std::string& evaluation, int player) const = 0;
  // The position as named values, and the keys a repetition could meet.
  virtual Fields save() const = 0;
  virtual std::vector<std::uint64_t> seen() const = 0;
  // Where the history starts, and the generator that resolves chance: what pickling needs besides the history.
  virtual Fields start() const = 0;
  virtual std::vector<std::uint64_t> start_seen() const = 0;
  virtual std::optional<Rng> chance() const = 0;
  virtual void set_chance(std::optional<Rng> chance) = 0;
  // What is asked of a position once.
  virtual search::Solution solve(search::Grade grade, std::int64_t memory_mb, Stop& stop) const = 0;
  virtual std::optional<std::int64_t> perft(int depth, Stop& stop) const = 0;
  virtual search::TreeCount count(search::CountLimits limits, Stop& stop) const = 0;
};

// A search object keeps its memory between searches.
class AnySearch {
 public:
  virtual ~AnySearch() = default;
  virtual search::Analysis run(const AnyState& state, Stop& stop) = 0;
  // True if the search calls Python on the way, so that the interpreter lock must be held.
  virtual bool needs_interpreter() const = 0;
};

// A search that sees a view.
class AnyViewSearch {
 public:
  virtual ~AnyViewSearch() = default;
  virtual search::Analysis run(const AnyView& view, Stop& stop) = 0;
  // From worlds that were drawn elsewhere, and from the true state, for comparison: only some searches can.
  virtual search::Analysis run_worlds(const AnyView& view, const std::vector<const AnyState*>& worlds,
                                      std::vector<double> weights, Stop& stop) = 0;
  virtual search::Analysis run_hands(const AnyView& view, std::span<const std::int8_t> hands,
                                     std::vector<double> weights, Stop& stop) = 0;
  virtual search::Analysis run_leaky(const AnyState& state, Stop& stop) = 0;
  virtual bool needs_interpreter() const = 0;
};

// An evaluation written in Python: called with a state and a player.
using AnyEvaluation = std::function<double(const AnyState&, int player)>;

class AnyGame : public std::enable_shared_from_this<AnyGame> {
 public:
  virtual ~AnyGame() = default;
  // How the game was asked for (name, preset, parameters) as JSON text: records and pickles build it anew from this.
  std::string origin;
  virtual const GameInfo& info() const = 0;
  virtual const Fields& parameters() const = 0;
  virtual bool needs_interpreter() const = 0;
  // Names of the cards that hands are made of; none: the game has no hands that a belief could hand over.
  virtual std::vector<std::string> pack() const = 0;
  virtual std::unique_ptr<AnyState> root() const = 0;
  virtual std::unique_ptr<AnyState> fresh(std::uint64_t seed) const = 0;
  virtual std::unique_ptr<AnyState> deal(const std::vector<std::string>& hands, int start) const = 0;
  virtual std::unique_ptr<AnyState> load(const Fields& position, const std::vector<std::uint64_t>& seen) const = 0;
  virtual std::unique_ptr<AnyView> load_view(const Fields& view) const = 0;

  virtual std::unique_ptr<AnySearch> uct(const search::UctOptions& options) const = 0;
  virtual std::unique_ptr<AnySearch> alphabeta(const search::AlphaBetaOptions& options,
                                               AnyEvaluation evaluation) const = 0;
  // These throw UnsuitableGame for games without hidden information, or without two sides.
  virtual std::unique_ptr<AnySearch> open_hand() const = 0;
  virtual std::unique_ptr<AnyViewSearch> pimc(const search::PimcOptions& options) const = 0;
  virtual std::unique_ptr<AnyViewSearch> ismcts(const search::IsmctsOptions& options) const = 0;

  virtual search::RandomGames random_games(std::span<const std::uint64_t> chance, std::span<const std::uint64_t> seeds,
                                           Stop& stop) const = 0;

  virtual search::PlayedGames self_play(const search::SelfPlayOptions& options, const nets::Evaluator& evaluator,
                                        std::uint64_t seed, int games, Stop& stop) const = 0;

  virtual solve::Compiled compile(solve::CompileLimits limits, Stop& stop) const = 0;
  virtual std::unique_ptr<env::Batch> batch(int games) const = 0;
};

// One line of the registry.
struct GameKind {
  std::string name;
  std::vector<Parameter> parameters;
  std::vector<Preset> presets;
  std::function<std::shared_ptr<AnyGame>(const Fields& resolved)> make;
};

// Every game that was compiled in, in the order of CMakeLists.txt.
std::vector<GameKind> all_games();

}  // namespace kiebitz::bind
