// Puts one game into the abstract classes of any.hpp. Instantiated once per game, in a translation unit of its own.
#pragma once

#include <algorithm>
#include <charconv>
#include <memory>
#include <utility>

#include "bind/any.hpp"
#include "games/shell.hpp"
#include "search/worlds.hpp"

namespace kiebitz::bind {

inline std::string hex(std::uint64_t x) {
  char buffer[16];
  const auto end = std::to_chars(buffer, buffer + 16, x, 16).ptr;
  return {buffer, end};
}

template <GameLike G>
class GameBox;

template <GameLike G>
class StateBox final : public AnyState {
 public:
  using State = typename G::State;

  StateBox(std::shared_ptr<const GameBox<G>> box, State start, std::vector<std::uint64_t> seen,
           std::optional<Rng> chance)
      : box_(std::move(box)), shell_(box_->shared(), std::move(start), std::move(seen), chance) {}

  std::shared_ptr<const AnyGame> game() const override { return box_; }
  const GameInfo& info() const override { return shell_.game().info(); }
  bool needs_interpreter() const override { return NeedsInterpreter<G>; }
  std::unique_ptr<AnyState> copy() const override { return std::make_unique<StateBox>(*this); }
  int player() const override { return shell_.state().player(); }
  int legal(Action* out) const override { return shell_.state().legal(out); }

  std::vector<Outcome> outcomes() const override {
    std::vector<Outcome> out(static_cast<std::size_t>(info().max_legal));
    out.resize(player() == kChance ? static_cast<std::size_t>(shell_.state().outcomes(out.data())) : 0);
    return out;
  }

  void apply(Action a) override { shell_.apply(a); }
  std::string refusal(Action a) const override { return shell_.refusal(a); }
  const std::vector<Action>& history() const override { return shell_.history(); }
  std::string name(Action a) const override { return shell_.name(a); }
  ActionKind kind(Action a) const override { return shell_.kind(a); }
  std::optional<double> amount(Action a) const override { return shell_.amount(a); }
  std::string phase() const override { return shell_.phase(); }
  std::vector<Choice> choices() const override { return shell_.choices(); }
  Action parse(const std::string& text) const override { return shell_.parse(text); }
  std::string text() const override { return shell_.state().text(); }

  std::vector<double> returns() const override {
    if (player() != kTerminal) throw Error("returns: the game is not over");
    std::vector<double> out(static_cast<std::size_t>(info().players));
    shell_.state().returns(out.data());
    return out;
  }

  Fields result() const override {
    if constexpr (HasResult<State>) {
      if (player() == kTerminal) return shell_.state().result();
    }
    return {};
  }

  std::uint64_t key() const override { return shell_.state().key(); }
  std::vector<std::int8_t> owners() const override {
    std::vector<std::int8_t> out(box_->some_pack().size());
    if constexpr (HasHands<G>) shell_.state().owners(out.data());
    return out;
  }
  std::unique_ptr<AnyView> view(int player) const override;

  double evaluate(const std::string& evaluation, int player) const override {
    if (player < 0 || player >= info().players) {
      throw ParameterError("player: expected 0 to " + std::to_string(info().players - 1));
    }
    if constexpr (HasEvaluation<State>) {
      const auto& names = info().evaluations;
      const auto found = std::find(names.begin(), names.end(), evaluation);
      if (found != names.end()) return shell_.state().evaluate(static_cast<int>(found - names.begin()), player);
    }
    throw UnknownName("this game has no evaluation '" + evaluation + "'");
  }

  Fields save() const override { return shell_.state().save(); }
  std::vector<std::uint64_t> seen() const override { return shell_.seen(); }
  Fields start() const override { return shell_.start().save(); }
  std::vector<std::uint64_t> start_seen() const override { return shell_.start_seen(); }
  std::optional<Rng> chance() const override { return shell_.chance(); }
  void set_chance(std::optional<Rng> chance) override { shell_.set_chance(chance); }

  search::Solution solve(search::Grade grade, std::int64_t memory_mb, Stop& stop) const override {
    return search::solve(shell_.game(), shell_.state(), grade, stop, memory_mb);
  }
  std::optional<std::int64_t> perft(int depth, Stop& stop) const override {
    return search::Counter<G>(shell_.game(), {}, stop).perft(shell_.state(), shell_.seen(), depth);
  }
  search::TreeCount count(search::CountLimits limits, Stop& stop) const override {
    return search::Counter<G>(shell_.game(), limits, stop).tree(shell_.state(), shell_.seen());
  }

  const State& state() const { return shell_.state(); }
  const std::shared_ptr<const GameBox<G>>& box() const { return box_; }

 private:
  std::shared_ptr<const GameBox<G>> box_;
  Shell<G> shell_;
};

// The view of a hidden game: the game's own View.
template <GameLike G>
class ViewBox final : public AnyView {
 public:
  using View = typename G::View;

  ViewBox(std::shared_ptr<const GameBox<G>> box, View view) : box_(std::move(box)), view_(std::move(view)) {}

  std::shared_ptr<const AnyGame> game() const override { return box_; }
  int observer() const override { return view_.observer(); }
  int player() const override { return view_.player(); }

  // What the observer may do, and how it is called, is the same in every world the view allows: any world tells it.
  std::vector<Action> legal() const override {
    if (player() != observer()) return {};
    return world().legal();
  }
  std::string name(Action a) const override { return world().name(a); }
  ActionKind kind(Action a) const override { return world().kind(a); }
  std::optional<double> amount(Action a) const override { return world().amount(a); }
  std::vector<Choice> choices() const override {
    if (player() != observer()) return {};
    return world().choices();
  }
  std::string phase() const override {
    if constexpr (HasPhase<View>) {
      return view_.phase();
    } else {
      return any_world().phase();
    }
  }
  Action parse(const std::string& text) const override { return world().parse(text); }

  std::string text() const override { return view_.text(); }
  Fields save() const override { return view_.save(); }
  void tensor(float* out) const override { view_.tensor(out); }

  std::unique_ptr<AnyState> sample(std::uint64_t seed) const override {
    Rng rng(seed);
    return std::make_unique<StateBox<G>>(box_, box_->rules().sample(view_, rng), std::vector<std::uint64_t>{},
                                         std::nullopt);
  }

  std::vector<std::unique_ptr<AnyState>> worlds(int count, std::uint64_t seed,
                                                const std::string& belief) const override {
    std::vector<std::unique_ptr<AnyState>> out;
    const int index = search::belief_index(box_->info(), belief);
    for (auto& world : search::draw_worlds(box_->rules(), view_, index, seed, static_cast<std::size_t>(count))) {
      out.push_back(std::make_unique<StateBox<G>>(box_, std::move(world), std::vector<std::uint64_t>{}, std::nullopt));
    }
    return out;
  }

  std::vector<std::int8_t> hands(int count, std::uint64_t seed, const std::string& belief) const override {
    const std::size_t cards = box_->some_pack().size();
    std::vector<std::int8_t> out(static_cast<std::size_t>(count) * cards);
    if constexpr (HasHands<G>) {
      const int index = search::belief_index(box_->info(), belief);
      std::int8_t* row = out.data();
      for (const auto& world :
           search::draw_worlds(box_->rules(), view_, index, seed, static_cast<std::size_t>(count))) {
        world.owners(row);
        row += cards;
      }
    }
    return out;
  }
  std::vector<std::unique_ptr<AnyState>> worlds_of(std::span<const std::int8_t> hands,
                                                   std::uint64_t seed) const override {
    box_->some_pack();
    std::vector<std::unique_ptr<AnyState>> out;
    if constexpr (HasHands<G>) {
      for (auto& world : search::worlds_of(box_->rules(), view_, hands, seed)) {
        out.push_back(
            std::make_unique<StateBox<G>>(box_, std::move(world), std::vector<std::uint64_t>{}, std::nullopt));
      }
    }
    return out;
  }

  Fields beliefs() const override {
    if constexpr (HasBeliefs<View>) {
      return view_.beliefs();
    } else {
      throw UnsuitableGame(box_->info().name + " cannot say what its hidden cards are likely to be");
    }
  }
  Fields public_facts() const override {
    if constexpr (HasPublicFacts<View>) {
      return view_.public_facts();
    } else {
      throw UnsuitableGame(box_->info().name + " does not say what everybody knows");
    }
  }
  Fields outline() const override {
    if constexpr (HasOutline<View>) {
      if (!outline_) outline_ = view_.outline();
      return *outline_;
    } else {
      throw UnsuitableGame(box_->info().name + " has no outline: its view says it all");
    }
  }
  std::unique_ptr<AnyView> if_asked() const override {
    if constexpr (HasSecretRounds<View>) {
      if (auto asked = view_.if_asked()) return std::make_unique<ViewBox>(box_, std::move(*asked));
    }
    return nullptr;
  }
  std::unique_ptr<AnyView> unasked() const override {
    if constexpr (HasSecretRounds<View>) {
      return std::make_unique<ViewBox>(box_, view_.unasked());
    } else {
      return std::make_unique<ViewBox>(box_, view_);
    }
  }
  Action rule_of_thumb() const override {
    if constexpr (HasThumb<View>) {
      return thumb_action(view_);
    } else {
      throw UnsuitableGame(box_->info().name + " has no rules of thumb");
    }
  }

  std::uint64_t draw(std::uint64_t seed) const override { return kiebitz::draw(seed, observer(), view_hash(view_)); }

  const View& view() const { return view_; }
  const std::shared_ptr<const GameBox<G>>& box() const { return box_; }

  bool equals(const AnyView& other) const override {
    const auto* same = dynamic_cast<const ViewBox*>(&other);
    return same != nullptr && box_->same_rules(*same->box_) && view_ == same->view_;
  }

 private:
  const Shell<G>& world() const {
    if (player() != observer()) throw IllegalAction("player " + std::to_string(observer()) + " is not to move");
    return any_world();
  }
  const Shell<G>& any_world() const {
    if (!world_) {
      Rng rng(0);
      Shell<G> drawn(box_->shared(), box_->rules().sample(view_, rng));
      // A game written in Python may have let another thread in meanwhile, who uses the world that is there.
      if (!world_) world_.emplace(std::move(drawn));
    }
    return *world_;
  }

  std::shared_ptr<const GameBox<G>> box_;
  View view_;
  // Found when first asked for, under the interpreter lock: drawing a world and finding an outline can mean counting
  // all deals.
  mutable std::optional<Shell<G>> world_;
  mutable std::optional<Fields> outline_;
};

// The view of a perfect-information game: the state itself and the positions a repetition could meet.
template <GameLike G>
class OpenViewBox final : public AnyView {
 public:
  using State = typename G::State;

  OpenViewBox(std::shared_ptr<const GameBox<G>> box, State state, std::vector<std::uint64_t> seen, int observer)
      : box_(std::move(box)), state_(std::move(state)), seen_(std::move(seen)), observer_(observer) {
    std::sort(seen_.begin(), seen_.end());
  }

  std::shared_ptr<const AnyGame> game() const override { return box_; }
  int observer() const override { return observer_; }
  int player() const override { return state_.player(); }
  std::vector<Action> legal() const override { return player() == observer_ ? shell().legal() : std::vector<Action>{}; }
  std::string name(Action a) const override { return shell().name(a); }
  ActionKind kind(Action a) const override { return shell().kind(a); }
  std::optional<double> amount(Action a) const override { return shell().amount(a); }
  std::string phase() const override { return shell().phase(); }
  std::vector<Choice> choices() const override {
    return player() == observer_ ? shell().choices() : std::vector<Choice>{};
  }
  Action parse(const std::string& text) const override { return shell().parse(text); }
  std::string text() const override { return state_.text(); }

  Fields save() const override {
    Fields out = {{"observer", std::int64_t{observer_}}};
    for (auto& field : state_.save()) out.push_back(std::move(field));
    if (box_->info().repetition) {
      std::vector<std::string> seen;
      for (const std::uint64_t key : seen_) seen.push_back(hex(key));
      out.emplace_back("seen", std::move(seen));
    }
    return out;
  }

  void tensor(float* out) const override {
    if constexpr (HasTensor<State>) {
      state_.tensor(out);
    } else {
      (void)out;
    }
  }

  std::unique_ptr<AnyState> sample(std::uint64_t) const override {
    return std::make_unique<StateBox<G>>(box_, state_, seen_, std::nullopt);
  }
  std::vector<std::int8_t> hands(int, std::uint64_t, const std::string&) const override { no_hands(box_->info()); }
  std::vector<std::unique_ptr<AnyState>> worlds_of(std::span<const std::int8_t>, std::uint64_t) const override {
    no_hands(box_->info());
  }
  Fields beliefs() const override { throw UnsuitableGame(box_->info().name + " hides nothing"); }
  Fields public_facts() const override {
    if constexpr (HasPublicFacts<State>) {
      return state_.public_facts();
    } else {
      return state_.save();
    }
  }
  Fields outline() const override { throw UnsuitableGame(box_->info().name + " has no outline: its view says it all"); }
  std::unique_ptr<AnyView> if_asked() const override { return nullptr; }
  std::unique_ptr<AnyView> unasked() const override {
    return std::make_unique<OpenViewBox>(box_, state_, seen_, observer_);
  }
  Action rule_of_thumb() const override { throw UnsuitableGame(box_->info().name + " has no rules of thumb"); }
  std::vector<std::unique_ptr<AnyState>> worlds(int count, std::uint64_t, const std::string& belief) const override {
    search::belief_index(box_->info(), belief);
    std::vector<std::unique_ptr<AnyState>> out;
    for (int w = 0; w < count; ++w) out.push_back(sample(0));
    return out;
  }

  std::uint64_t draw(std::uint64_t seed) const override { return kiebitz::draw(seed, observer_, state_.key()); }

  bool equals(const AnyView& other) const override {
    const auto* same = dynamic_cast<const OpenViewBox*>(&other);
    return same != nullptr && box_->same_rules(*same->box_) && save() == same->save();
  }

 private:
  Shell<G> shell() const { return Shell<G>(box_->shared(), state_, seen_); }

  std::shared_ptr<const GameBox<G>> box_;
  State state_;
  std::vector<std::uint64_t> seen_;
  int observer_;
};

template <GameLike G>
std::unique_ptr<AnyView> StateBox<G>::view(int player) const {
  if (player < 0 || player >= info().players) {
    throw ParameterError("player: expected 0 to " + std::to_string(info().players - 1) + ", got " +
                         std::to_string(player));
  }
  if constexpr (HiddenGame<G>) {
    return std::make_unique<ViewBox<G>>(box_, shell_.state().view(player));
  } else {
    return std::make_unique<OpenViewBox<G>>(box_, shell_.state(), shell_.seen(), player);
  }
}

template <GameLike G>
class GameBox final : public AnyGame {
 public:
  // From resolved parameters.
  explicit GameBox(Fields parameters)
      : parameters_(std::move(parameters)), game_(std::make_shared<const G>(parameters_)) {}
  // For games that are not built from plain values.
  GameBox(std::shared_ptr<const G> game, Fields parameters)
      : parameters_(std::move(parameters)), game_(std::move(game)) {}

  const G& rules() const { return *game_; }
  const std::shared_ptr<const G>& shared() const { return game_; }
  bool same_rules(const GameBox& other) const {
    return game_ == other.game_ || (info().name == other.info().name && parameters_ == other.parameters_);
  }

  const GameInfo& info() const override { return game_->info(); }
  const Fields& parameters() const override { return parameters_; }
  bool needs_interpreter() const override { return NeedsInterpreter<G>; }

  std::vector<std::string> pack() const override {
    if constexpr (HasHands<G>) {
      return game_->pack();
    } else {
      return {};
    }
  }
  // The same where there must be one.
  std::vector<std::string> some_pack() const {
    if constexpr (!HasHands<G>) no_hands(info());
    return pack();
  }

  std::unique_ptr<AnyState> root() const override { return box(game_->root(), {}, std::nullopt); }
  std::unique_ptr<AnyState> fresh(std::uint64_t seed) const override { return box(game_->root(), {}, Rng(seed)); }

  std::unique_ptr<AnyState> deal(const std::vector<std::string>& hands, int start) const override {
    if constexpr (HasDeal<G>) {
      auto state = root();
      for (const Action a : game_->deal(hands, start)) state->apply(a);
      return state;
    } else {
      (void)hands;
      (void)start;
      throw UnsuitableGame(info().name + " has no cards to deal");
    }
  }

  std::unique_ptr<AnyState> load(const Fields& position, const std::vector<std::uint64_t>& seen) const override {
    return box(game_->load(position), seen, std::nullopt);
  }

  std::unique_ptr<AnyView> load_view(const Fields& fields) const override {
    if constexpr (HiddenGame<G>) {
      return std::make_unique<ViewBox<G>>(self(), game_->load_view(fields));
    } else {
      Fields position;
      std::vector<std::uint64_t> seen;
      int observer = -1;
      for (const auto& [name, value] : fields) {
        if (name == "observer") {
          observer = static_cast<int>(FieldReader<ViewError>(fields).integer("observer", 0, info().players - 1));
        } else if (name == "seen") {
          seen = read_seen(value);
        } else {
          position.emplace_back(name, value);
        }
      }
      if (observer < 0) throw ViewError("missing field 'observer'");
      return std::make_unique<OpenViewBox<G>>(self(), game_->load(position), std::move(seen), observer);
    }
  }

  std::unique_ptr<AnySearch> uct(const search::UctOptions& options) const override;
  std::unique_ptr<AnySearch> alphabeta(const search::AlphaBetaOptions& options,
                                       AnyEvaluation evaluation) const override;
  std::unique_ptr<AnySearch> open_hand() const override;
  std::unique_ptr<AnyViewSearch> pimc(const search::PimcOptions& options) const override;
  std::unique_ptr<AnyViewSearch> ismcts(const search::IsmctsOptions& options) const override;

  search::PlayedGames self_play(const search::SelfPlayOptions& options, const nets::Evaluator& evaluator,
                                std::uint64_t seed, int games, Stop& stop) const override;

  search::RandomGames random_games(std::span<const std::uint64_t> chance, std::span<const std::uint64_t> seeds,
                                   Stop& stop) const override {
    return search::random_games<G>(game_, chance, seeds, stop);
  }

  solve::Compiled compile(solve::CompileLimits limits, Stop& stop) const override {
    return solve::Compiler<G>(*game_, limits, stop).run();
  }

  std::unique_ptr<env::Batch> batch(int games) const override {
    return std::make_unique<env::BatchOf<G>>(game_, games);
  }

  std::shared_ptr<const GameBox> self() const { return std::static_pointer_cast<const GameBox>(shared_from_this()); }

 private:
  std::unique_ptr<AnyState> box(typename G::State state, std::vector<std::uint64_t> seen,
                                std::optional<Rng> chance) const {
    return std::make_unique<StateBox<G>>(self(), std::move(state), std::move(seen), chance);
  }

  static std::vector<std::uint64_t> read_seen(const Value& value) {
    std::vector<std::uint64_t> out;
    if (const auto* none = std::get_if<std::vector<std::int64_t>>(&value); none != nullptr && none->empty()) return out;
    const auto* texts = std::get_if<std::vector<std::string>>(&value);
    if (texts == nullptr) throw ViewError("seen: expected a list of hexadecimal texts");
    for (const auto& text : *texts) {
      std::uint64_t key = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), key, 16);
      if (error != std::errc{} || end != text.data() + text.size()) {
        throw ViewError("seen: expected hexadecimal texts, got '" + excerpt(text) + "'");
      }
      out.push_back(key);
    }
    return out;
  }

  Fields parameters_;
  std::shared_ptr<const G> game_;
};

template <GameLike G>
GameKind game_kind(std::string name) {
  return {std::move(name), G::parameters(), G::presets(),
          [](const Fields& parameters) { return std::make_shared<GameBox<G>>(parameters); }};
}

}  // namespace kiebitz::bind
