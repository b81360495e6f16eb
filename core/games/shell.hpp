// The shell around a state: what people, files and the network talk to. It refuses illegal actions before the state
// sees them, keeps the history, finds repetitions and, on request, resolves chance from a seed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "games/choices.hpp"
#include "games/contract.hpp"
#include "games/path.hpp"

namespace kiebitz {

template <GameLike G>
class Shell {
 public:
  using State = typename G::State;

  // `seen`: keys of earlier positions that a repetition could meet. `chance`: resolve chance moves from this generator.
  Shell(std::shared_ptr<const G> game, State start, std::vector<std::uint64_t> seen = {},
        std::optional<Rng> chance = std::nullopt)
      : game_(std::move(game)), start_(start), now_(std::move(start)), seen_(std::move(seen)), chance_(chance) {
    path_.reset(now_, seen_);
    resolve_chance();
  }

  const G& game() const { return *game_; }
  const std::shared_ptr<const G>& shared_game() const { return game_; }
  const State& state() const { return now_; }
  const State& start() const { return start_; }
  const std::vector<std::uint64_t>& start_seen() const { return seen_; }
  const std::vector<Action>& history() const { return history_; }
  const std::optional<Rng>& chance() const { return chance_; }
  void set_chance(std::optional<Rng> chance) { chance_ = chance; }
  std::vector<std::uint64_t> seen() const { return path_.seen(); }

  std::vector<Action> legal() const {
    std::vector<Action> actions(static_cast<std::size_t>(game_->info().max_legal));
    actions.resize(static_cast<std::size_t>(now_.legal(actions.data())));
    return actions;
  }

  bool is_legal(Action a) const {
    constexpr int kSmall = 64;
    const int most = game_->info().max_legal;
    if (most <= kSmall) {
      Action buffer[kSmall];
      const Action* end = buffer + now_.legal(buffer);
      return std::find(static_cast<const Action*>(buffer), end, a) != end;
    }
    const auto actions = legal();
    return std::find(actions.begin(), actions.end(), a) != actions.end();
  }

  void apply(Action a) {
    if (!is_legal(a)) throw IllegalAction(refusal(a));
    play(a);
    resolve_chance();
  }

  Action parse(std::string_view text) const {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    if (const auto a = now_.parse(text); a && is_legal(*a)) return *a;
    throw IllegalAction("'" + excerpt(text) + "' names no legal action here; " + expected());
  }

  std::string name(Action a) const {
    if (!is_legal(a)) throw IllegalAction(refusal(a));
    return now_.name(a);
  }

  const ActionKind& kind(Action a) const {
    if (!is_legal(a)) throw IllegalAction(refusal(a));
    return kind_of(a);
  }

  // How much, for actions whose kind has a unit.
  std::optional<double> amount(Action a) const {
    if (kind(a).unit.empty()) return std::nullopt;
    if constexpr (HasAmount<State>) {
      return now_.amount(a);
    } else {
      return std::nullopt;
    }
  }

  // The phase that the legal actions share; "over" at the end.
  std::string phase() const {
    const auto actions = legal();
    return actions.empty() ? "over" : kind_of(actions.front()).phase;
  }

  std::vector<Choice> choices() const { return choices_of(now_, game_->info(), legal()); }

  // Why an action is illegal: the rule it breaks, where the game names it, and what is expected. Empty if it is legal.
  std::string refusal(Action a) const {
    if (now_.player() == kTerminal) return "the game is over: action " + std::to_string(a) + " cannot be played";
    if (is_legal(a)) return "";
    std::string rule;
    if constexpr (HasRefusal<State>) rule = now_.refusal(a);
    return rule + (rule.empty() ? "" : "; ") + "action " + std::to_string(a) + " is not legal here; " + expected();
  }

 private:
  const ActionKind& kind_of(Action a) const { return game_->info().kinds[static_cast<std::size_t>(now_.kind(a))]; }

  void play(Action a) {
    history_.reserve(32);
    history_.push_back(a);
    path_.apply(now_, a);
  }

  void resolve_chance() {
    if (!chance_ || now_.player() != kChance) return;
    std::vector<Outcome> buffer(static_cast<std::size_t>(game_->info().max_legal));
    while (now_.player() == kChance) play(random_outcome(now_, *chance_, buffer.data()));
  }

  std::string expected() const {
    if (now_.player() == kTerminal) return "the game is over";
    std::string out = "expected one of";
    int shown = 0;
    for (const Action a : legal()) {
      if (++shown > 12) return out + " ...";
      out += (shown == 1 ? " " : ", ") + std::to_string(a) + " (" + now_.name(a) + ")";
    }
    return out;
  }

  std::shared_ptr<const G> game_;
  State start_;
  State now_;
  std::vector<std::uint64_t> seen_;
  std::vector<Action> history_;
  std::optional<Rng> chance_;
  Path<State> path_;
};

}  // namespace kiebitz
