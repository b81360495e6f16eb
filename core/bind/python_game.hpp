// The adapter that lets a game written in Python (kiebitz.games.python.PythonGame) run through every template of the
// core. The interpreter lock is held, one thread; exceptions of the game pass through. What the game answers is
// checked, so that a faulty game gets an error and never a crash.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "bind/convert.hpp"
#include "games/contract.hpp"

namespace kiebitz::python {

namespace nb = nanobind;

// Rules written in Python that break the contract of games.
class FaultyGame : public Error {
 public:
  using Error::Error;
};

class Game;

class View {
 public:
  int observer() const { return observer_; }
  int player() const { return player_; }
  std::string text() const;
  Fields save() const {
    Fields out = {{"observer", std::int64_t{observer_}}, {"player", std::int64_t{player_}}};
    out.insert(out.end(), known_.begin(), known_.end());
    return out;
  }
  void tensor(float* out) const;
  Fields public_facts() const;
  Fields outline() const;
  friend bool operator==(const View& a, const View& b) {
    return a.observer_ == b.observer_ && a.player_ == b.player_ && a.known_ == b.known_;
  }

 private:
  friend class State;
  friend class Game;
  const Game* game_ = nullptr;
  int observer_ = 0;
  int player_ = 0;
  Fields known_;
};

class State {
 public:
  State(const Game* game, nb::object kernel) : game_(game), kernel_(std::move(kernel)) {}
  State(const State& other);
  State(State&&) noexcept = default;
  State& operator=(const State& other) {
    if (this != &other) *this = State(other);
    return *this;
  }
  State& operator=(State&&) noexcept = default;
  ~State() = default;

  int player() const;
  int legal(Action* out) const;
  int outcomes(Outcome* out) const;
  void apply(Action a);
  void returns(double* out) const;
  std::uint64_t key() const;
  std::string name(Action a) const { return text_of(kernel_.attr("name")(a)); }
  int kind(Action a) const;
  double amount(Action a) const { return finite(kernel_.attr("amount")(a), "amount()"); }
  int target(Action a) const { return answer<int>(kernel_.attr("target")(a), "target()", "a whole number"); }
  std::string refusal(Action a) const { return text_of(kernel_.attr("refusal")(a)); }
  std::optional<Action> parse(std::string_view text) const;
  std::string text() const { return text_of(nb::str(kernel_)); }
  Fields save() const { return bind::to_fields<FaultyGame>(kernel_.attr("save")()); }
  View view(int player) const;
  double evaluate(int kind, int player) const;

 private:
  friend class Game;
  friend class View;
  static std::string text_of(nb::handle object) {
    if (!nb::isinstance<nb::str>(object))
      throw FaultyGame("a game written in Python answered something that is not text");
    return bind::text_value<FaultyGame>(object);
  }

  static std::string number_text(double x) {
    char buffer[32];
    return {buffer, std::to_chars(buffer, buffer + sizeof buffer, x).ptr};
  }
  [[noreturn]] void fail(const std::string& words) const;

  // What a method of the game answered, if it is of the right kind.
  template <class T>
  T answer(nb::handle given, const char* method, const char* expected) const {
    T out{};
    if (!nb::try_cast(given, out)) {
      fail(std::string(method) + " answered " + excerpt(nb::repr(given).c_str()) + ", expected " + expected);
    }
    return out;
  }
  double finite(nb::handle given, const char* method) const {
    const auto x = answer<double>(given, method, "a number");
    if (!std::isfinite(x)) fail(std::string(method) + " answered " + number_text(x) + ", expected a finite number");
    return x;
  }

  const Game* game_;
  nb::object kernel_;
  int length_ = 0;  // actions since the root, or since the position was loaded
  // Asked once for each position, so that the answers cannot change under a search.
  mutable std::optional<int> player_;
  mutable std::optional<std::vector<Action>> legal_;
};

class Game {
 public:
  using State = python::State;
  using View = python::View;
  static constexpr bool kNeedsInterpreter = true;

  // The contract builds games from plain values; this one is built around a Python object instead.
  explicit Game(const Fields&) { throw Error("a game written in Python is registered, not built from parameters"); }
  Game(nb::object kernel, GameInfo info) : kernel_(std::move(kernel)), info_(std::move(info)) {}

  static std::vector<Parameter> parameters() { return {}; }
  static std::vector<Preset> presets() { return {}; }

  const GameInfo& info() const { return info_; }
  nb::handle kernel() const { return kernel_; }
  State root() const { return State(this, kernel_.attr("root")()); }
  State load(const Fields& fields) const { return State(this, kernel_.attr("load")(bind::to_python(fields))); }

  View load_view(const Fields& fields) const {
    const FieldReader<ViewError> in(fields);
    View v;
    v.game_ = this;
    v.observer_ = static_cast<int>(in.integer("observer", 0, info_.players - 1));
    v.player_ = static_cast<int>(in.integer("player", kTerminal, info_.players - 1));
    for (const auto& field : fields) {
      if (field.first != "observer" && field.first != "player") v.known_.push_back(field);
    }
    Rng rng(0);
    if (!(sample(v, rng).view(v.observer_) == v)) throw ViewError("no state of " + info_.name + " gives this view");
    return v;
  }

  State sample(const View& v, Rng& rng) const {
    nb::object random = nb::module_::import_("random").attr("Random")(rng.next());
    return State(this, kernel_.attr("sample")(bind::to_python(v.known_), v.observer_, random));
  }

 private:
  nb::object kernel_;
  GameInfo info_;
};

inline void State::fail(const std::string& words) const { throw FaultyGame(game_->info().name + ": " + words); }

inline State::State(const State& other)
    : game_(other.game_),
      kernel_(other.kernel_.attr("copy")()),
      length_(other.length_),
      player_(other.player_),
      legal_(other.legal_) {
  if (kernel_.is(other.kernel_)) fail("copy() must return a new state, not the same one");
}

inline void State::apply(Action a) {
  if (length_ >= game_->info().max_length) {
    fail("the game goes on after max_length = " + std::to_string(length_) + " actions");
  }
  ++length_;
  player_.reset();
  legal_.reset();
  kernel_.attr("apply")(a);
}

inline int State::player() const {
  if (player_) return *player_;
  const int when = length_;  // another thread may play on while Python answers
  const int p = answer<int>(kernel_.attr("player")(), "player()", "a whole number");
  if (p < kTerminal || p >= game_->info().players) {
    fail("player() answered " + std::to_string(p) + ", expected a seat below " + std::to_string(game_->info().players) +
         ", CHANCE or TERMINAL");
  }
  if (length_ == when) player_ = p;
  return p;
}

inline int State::legal(Action* out) const {
  if (legal_) {
    std::ranges::copy(*legal_, out);
    return static_cast<int>(legal_->size());
  }
  const int when = length_;
  nb::object actions = kernel_.attr("legal")();
  int n = 0;
  for (nb::handle item : actions) {
    const auto a = answer<Action>(item, "legal()", "whole numbers");
    if (a < 0 || a >= game_->info().actions || (n > 0 && a <= out[n - 1])) {
      throw FaultyGame(game_->info().name + ": legal() must list actions of 0 to " +
                       std::to_string(game_->info().actions - 1) + " in ascending order, got " + std::to_string(a));
    }
    if (n == game_->info().max_legal) {
      throw FaultyGame(game_->info().name + ": legal() lists more than max_legal = " + std::to_string(n) + " actions");
    }
    out[n++] = a;
  }
  if (n == 0 && player() != kTerminal) fail("legal() lists no action although the game is not over");
  if (length_ == when) legal_.emplace(out, out + n);
  return n;
}

inline int State::outcomes(Outcome* out) const {
  nb::object outcomes = kernel_.attr("outcomes")();
  int n = 0;
  double sum = 0;
  for (nb::handle item : outcomes) {
    if (n == game_->info().max_legal)
      throw FaultyGame(game_->info().name + ": outcomes() lists more than max_legal actions");
    const auto [action, probability] = answer<std::pair<Action, double>>(item, "outcomes()", "actions with numbers");
    out[n] = {action, probability};
    if (out[n].action < 0 || out[n].action >= game_->info().actions || !(out[n].probability > 0)) {
      throw FaultyGame(game_->info().name + ": outcomes() must list actions in range with positive probabilities");
    }
    sum += out[n++].probability;
  }
  if (n == 0 || std::abs(sum - 1) > 1e-9) throw FaultyGame(game_->info().name + ": outcomes() must add up to 1");
  return n;
}

inline void State::returns(double* out) const {
  nb::object payoffs = kernel_.attr("returns")();
  const GameInfo& info = game_->info();
  const double slack = 1e-9 * std::max({1.0, std::abs(info.min_payoff), std::abs(info.max_payoff)});
  int n = 0;
  double sum = 0;
  for (nb::handle item : payoffs) {
    if (n == info.players) break;
    const double x = finite(item, "returns()");
    if (x < info.min_payoff - slack || x > info.max_payoff + slack) {
      fail("returns() pays " + number_text(x) + " to player " + std::to_string(n) + ", outside the declared range of " +
           number_text(info.min_payoff) + " to " + number_text(info.max_payoff) + " (min_payoff, max_payoff)");
    }
    out[n++] = x;
    sum += x;
  }
  if (n != info.players || nb::len(payoffs) != static_cast<std::size_t>(n)) {
    fail("returns() must list one payoff per player");
  }
  const bool constant = info.utility == Utility::zero_sum || info.utility == Utility::constant_sum;
  if (constant && n > 1 && std::abs(sum - info.payoff_sum) > n * slack) {
    fail("returns() pays " + number_text(sum) + " in all, expected " + number_text(info.payoff_sum) +
         " in a game declared as " + (info.utility == Utility::zero_sum ? "zero_sum" : "constant_sum") + " (utility)");
  }
}

inline std::uint64_t State::key() const {
  nb::object key = kernel_.attr("key")();
  const std::string text = text_of(nb::str(key));
  std::uint64_t h = 0xCBF29CE484222325ULL;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return mix64(h);
}

inline int State::kind(Action a) const {
  const std::string name = text_of(kernel_.attr("kind")(a));
  const auto& kinds = game_->info().kinds;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    if (kinds[k].name == name) return static_cast<int>(k);
  }
  throw FaultyGame(game_->info().name + ": kind() answered '" + excerpt(name) + "', which is not one of its kinds");
}

inline std::optional<Action> State::parse(std::string_view text) const {
  nb::object a = kernel_.attr("parse")(nb::str(text.data(), text.size()));
  if (a.is_none()) return std::nullopt;
  return answer<Action>(a, "parse()", "an action or None");
}

inline View State::view(int player) const {
  View v;
  v.game_ = game_;
  v.observer_ = player;
  v.player_ = this->player();
  v.known_ = bind::to_fields<FaultyGame>(kernel_.attr("view")(player));
  return v;
}

inline double State::evaluate(int kind, int player) const {
  return finite(kernel_.attr("evaluate")(game_->info().evaluations[static_cast<std::size_t>(kind)].c_str(), player),
                "evaluate()");
}

inline std::string View::text() const {
  return State::text_of(game_->kernel().attr("view_text")(bind::to_python(known_), observer_));
}

inline Fields View::public_facts() const {
  return bind::to_fields<FaultyGame>(game_->kernel().attr("public")(bind::to_python(known_)));
}

inline Fields View::outline() const {
  return bind::to_fields<FaultyGame>(game_->kernel().attr("outline")(bind::to_python(known_), observer_));
}

inline void View::tensor(float* out) const {
  nb::object numbers = game_->kernel().attr("tensor")(bind::to_python(known_), observer_);
  const int size = game_->info().tensor_size;
  int n = 0;
  for (nb::handle item : numbers) {
    if (n == size) break;
    if (!nb::try_cast(item, out[n++])) throw FaultyGame(game_->info().name + ": tensor() must list numbers");
  }
  if (n != size) throw FaultyGame(game_->info().name + ": tensor() must list tensor_size numbers");
}

}  // namespace kiebitz::python
