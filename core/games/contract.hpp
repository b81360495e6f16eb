// The one game contract. Everything above the rules (search, solvers, bindings) is a template over the concepts below,
// so a new game is one header or folder here plus one line in CMakeLists.txt.
//
// core/games/NAME.hpp or core/games/NAME/game.hpp defines in namespace kiebitz::NAME
//
//   Game    immutable rule parameters. Outlives its states: they point to it.
//   State   a small copyable value without heap memory: position, legal actions, payoffs.
//   View    (hidden games only) exactly what one player may know, a small comparable value of its own.
//
// States trust their caller: apply() gets legal actions only. The shell (shell.hpp) around a state is what people and
// files talk to; it refuses everything else, keeps the history and finds repetitions.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/fields.hpp"
#include "base/rng.hpp"
#include "base/types.hpp"

namespace kiebitz {

enum class Utility { zero_sum, constant_sum, team, general };

// What an action is: a card, a raise, a pit to sow. The layers above ask for the kind and never look at numbers or
// names of actions.
struct ActionKind {
  std::string name;   // different from all others of the game, e.g. "raise"
  std::string phase;  // where in the game it belongs; the legal actions of one state share their phase
  std::string unit;   // of its amount, e.g. "chips"; empty: the kind has no amount
  friend bool operator==(const ActionKind&, const ActionKind&) = default;
};

// The descriptor of a game: what an algorithm has to know before it starts.
struct GameInfo {
  std::string name;    // in the registry: lower case, words joined by underscores
  std::string title;   // what people call it
  int players = 2;     // 1 .. kMaxPlayers
  int actions = 0;     // every action of every state (chance included) lies in 0 .. actions-1
  int max_legal = 0;   // most entries legal() or outcomes() ever write: the size of their buffers
  int max_length = 0;  // most actions (chance included) from root to end
  double min_payoff = -1;
  double max_payoff = 1;
  Utility utility = Utility::zero_sum;
  double payoff_sum = 0;                 // for zero_sum and constant_sum
  bool hidden = false;                   // players see less than the state
  bool chance = false;                   // it has chance moves
  bool repetition = false;               // a repeated position ends the game: searches must keep a path
  double branching = 0;                  // typical number of legal actions; 0: unknown
  double log10_states = 0;               // size of the state space as a power of ten; 0: unknown
  int tensor_size = 0;                   // length of the tensor() of a view (of the state, for perfect information)
  std::vector<std::string> evaluations;  // names for evaluate(); empty: none
  std::vector<std::string> beliefs;      // names for sampler(); empty: sample() is the only one
  std::vector<Action> calls;             // declarations beside the play (see HasCalls), weakest first; empty: none
  std::vector<ActionKind> kinds;         // of all actions, chance included
  Action decline = kNoAction;            // passes in a secret round (see HasSecretRounds)
};

// A rule parameter as people see it. `initial` also fixes the type.
struct Parameter {
  std::string name;
  std::string help;
  Value initial;
  double low = 0;                    // for numbers (and each number of a list): inclusive range
  double high = 0;                   //
  std::vector<std::string> choices;  // for text: what is allowed; empty: anything
};

struct Preset {
  std::string name;
  std::string help;
  Fields values;  // differs from the initial values in these
};

// Fills in defaults and the preset and checks names, types and ranges. Throws UnknownName or ParameterError.
Fields resolve_parameters(const std::vector<Parameter>& parameters, const std::vector<Preset>& presets,
                          const std::string& preset, const Fields& given);

template <class S>
concept StateLike = std::copyable<S> && requires(S s, const S c, Action a, Action* actions, Outcome* outcomes,
                                                 double* payoffs, float* tensor, std::string_view text) {
  // Whose turn: 0..players-1, kChance or kTerminal.
  { c.player() } -> std::same_as<int>;
  // Writes the legal actions in ascending order into a buffer of info().max_legal entries and returns their number.
  // At chance nodes: the possible outcomes. At the end: 0. Elsewhere never 0.
  { c.legal(actions) } -> std::same_as<int>;
  // Chance nodes only: outcomes in ascending order of action with probabilities that add up to 1.
  { c.outcomes(outcomes) } -> std::same_as<int>;
  // Plays a legal action.
  { s.apply(a) };
  // Terminal states only: one payoff per player.
  { c.returns(payoffs) };
  // Identity of the position for transposition tables: equal positions have equal keys, others differ (exactly where 64
  // bits suffice, else with the usual odds of a hash). The mover is part of it; the way there is not.
  { c.key() } -> std::same_as<std::uint64_t>;
  // Words: name() of any legal action, in a notation that parse() reads back; parse() is generous (case, spaces) and
  // returns nullopt for text that names no action of this game. text() is the position, several lines, plain.
  { c.name(a) } -> std::same_as<std::string>;
  { c.parse(text) } -> std::same_as<std::optional<Action>>;
  { c.text() } -> std::same_as<std::string>;
  // What a legal action is; counts through info().kinds.
  { c.kind(a) } -> std::same_as<int>;
  // The whole position as named values; Game::load() reads it back.
  { c.save() } -> std::same_as<Fields>;
};

template <class V>
concept ViewLike = std::copyable<V> && std::equality_comparable<V> && requires(const V v, float* tensor) {
  // The player whose view it is.
  { v.observer() } -> std::same_as<int>;
  // Whose turn it is, if the observer knows it: as State::player(), or kSomebody.
  { v.player() } -> std::same_as<int>;
  // What the observer knows, for a person.
  { v.text() } -> std::same_as<std::string>;
  // All of the view as named values; Game::load_view() reads it back.
  { v.save() } -> std::same_as<Fields>;
  // The information state as info().tensor_size numbers.
  { v.tensor(tensor) };
};

template <class G>
concept GameLike = StateLike<typename G::State> && requires(const G g, const Fields& fields) {
  { G::parameters() } -> std::same_as<std::vector<Parameter>>;
  { G::presets() } -> std::same_as<std::vector<Preset>>;
  // Built from resolved parameters: G(const Fields&). May still throw ParameterError for impossible combinations.
  requires std::constructible_from<G, const Fields&>;
  { g.info() } -> std::same_as<const GameInfo&>;
  { g.root() } -> std::same_as<typename G::State>;
  // Throws PositionError for anything that is not a possible position.
  { g.load(fields) } -> std::same_as<typename G::State>;
};

// A game whose players see less than the state.
template <class G>
concept HiddenGame =
    GameLike<G> && ViewLike<typename G::View> &&
    requires(const G g, const typename G::State s, const typename G::View v, Rng& rng, const Fields& fields) {
      { s.view(0) } -> std::same_as<typename G::View>;
      // Throws ViewError for anything that no state can explain.
      { g.load_view(fields) } -> std::same_as<typename G::View>;
      // Draws a full state with its true probability given the rules and the view: physical cards, hidden moves of
      // others uniformly among what was legal. A pure function of view and rng.
      { g.sample(v, rng) } -> std::same_as<typename G::State>;
    };

// --- Optional parts -------------------------------------------------------------------------------------------------

// Perfect-information games give the tensor on the state itself.
template <class S>
concept HasTensor = requires(const S s, float* out) { s.tensor(out); };

// How much: the amount of a legal action whose kind has a unit. Actions of one kind that differ by their amount only
// are one choice (choices.hpp).
template <class S>
concept HasAmount = requires(const S s, Action a) {
  { s.amount(a) } -> std::same_as<double>;
};

// Of what: needed where one kind has several things to take an amount of, such as heaps. Any numbers will do.
template <class S>
concept HasTarget = requires(const S s, Action a) {
  { s.target(a) } -> std::same_as<int>;
};

// A faster way to a uniformly random legal action (decision nodes) than legal() and a draw.
template <class S>
concept HasRandomLegal = requires(const S s, Rng& rng) {
  { s.random_legal(rng) } -> std::same_as<Action>;
};

// The legal actions of a decision node as a set of bits, for games with at most 32 actions: a loop that often stops
// after the first one need not write them all down.
template <class S>
concept HasLegalSet = requires(const S s) {
  { s.legal_set() } -> std::same_as<std::uint32_t>;
};

// Whether the state knows that no legal action ends the game (decision nodes); false if it cannot tell quickly.
template <class S>
concept HasQuiet = requires(const S s) {
  { s.quiet() } -> std::same_as<bool>;
};

// Repetition ends the game. The keys since the last irreversible move live in a Path (path.hpp).
template <class S>
concept HasRepetition = requires(S s, const S c) {
  { c.repetition() } -> std::same_as<bool>;    // is the rule on for this game?
  { c.irreversible() } -> std::same_as<bool>;  // the last move made all earlier positions unreachable
  { s.end_by_repetition() };
};

// Leaf values for depth-limited search: evaluate(kind, player) in the units and range of the payoffs, from that
// player's point of view; `kind` counts through info().evaluations.
template <class S>
concept HasEvaluation = requires(const S s, int kind, int player) {
  { s.evaluate(kind, player) } -> std::same_as<double>;
};

// A static guess, best first, for move ordering: larger is better.
template <class S>
concept HasOrder = requires(const S s, Action a) {
  { s.order(a) } -> std::same_as<int>;
};

// Bounds on the value of a position that a search would otherwise find with a few plies.
struct Outlook {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

// outlook(kind, player, plies, low, high): bounds for that player on the value of minimax to a depth of `plies` with
// leaf values evaluate(kind, player), however the search values finished games; decision nodes only. The caller cares
// about the window (low, high): once the value is known to lie outside it, the bounds need not be tighter. Repetitions
// are ignored: the caller makes sure that none is within reach. A state that cannot tell returns the widest bounds.
template <class S>
concept HasOutlook = HasEvaluation<S> && requires(const S s, int kind, int player, int plies, double low, double high) {
  { s.outlook(kind, player, plies, low, high) } -> std::same_as<Outlook>;
};

// Declarations beside the play (calls that raise the stakes): a search may leave them out, or offer them only at the
// last possible moment, below its root and in its playouts, where random players would make them all the time.
// Restricting a state that stands at such a decision moves it on as if everybody had declined.
enum class Calls { all, last, none };

template <class S>
concept HasCalls = requires(S s, Calls calls) { s.restrict_calls(calls); };

// Decisions of which some actions bet on being strong (a call, a solo): searches may ask for more evidence before they
// choose one. At every decision at least one action is not risky.
template <class S>
concept HasRisk = requires(const S s, Action a) {
  { s.risky(a) } -> std::same_as<bool>;
};

// A faster way to the end than one random action after the other: uniformly random legal actions, chance as it is.
template <class S>
concept HasPlayOut = requires(S s, Rng& rng) { s.play_out(rng); };

// The same with sensible actions instead of random ones, a share `random` of them excepted; without declarations.
template <class S>
concept HasThumbPlayOut = requires(S s, Rng& rng) { thumb_play_out(s, rng, 0.1); };

// Two sides with opposite payoffs, for exact search with open cards: side(p) is 0 or 1 once settled() says that they
// cannot change any more, players of a side have payoffs of the same sign, and left() counts the actions to the end
// (without declarations).
template <class S>
concept HasSides = requires(const S s, int player) {
  { s.settled() } -> std::same_as<bool>;
  { s.side(player) } -> std::same_as<int>;
  { s.left() } -> std::same_as<int>;
};

// Why the rules refuse an action, such as "has to follow clubs": asked for any number that is not legal, before the
// end. The shell says it before its list of legal actions; empty: that list says it all.
template <class S>
concept HasRefusal = requires(const S s, Action a) {
  { s.refusal(a) } -> std::same_as<std::string>;
};

// What can be said of a finished game beyond its payoffs.
template <class S>
concept HasResult = requires(const S s) {
  { s.result() } -> std::same_as<Fields>;
};

// A given deal: hands as text and the seat that starts, turned into the chance actions that lead there.
template <class G>
concept HasDeal = requires(const G g, const std::vector<std::string>& hands, int start) {
  { g.deal(hands, start) } -> std::same_as<std::vector<Action>>;
};

// A belief prepared once for a view and drawn from many times: sampler(view, belief) with `belief` counting through
// info().beliefs, the first of which is what sample() draws from. draw() is a pure function of view and rng.
template <class G>
concept HasSampler = HiddenGame<G> && requires(const G g, const typename G::View v, Rng& rng, typename G::Sampler s) {
  { g.sampler(v, 0) } -> std::same_as<typename G::Sampler>;
  { s.draw(rng) } -> std::same_as<typename G::State>;
};

// Who holds which card, for beliefs from elsewhere (a trained network): pack() names the cards that there are, and a
// state and a world have an owner for each of them, a seat or kNobody. owners() gives equal cards to seats in their
// order. world() builds the state in which the hidden cards lie that way, whatever else is hidden drawn by rng; it
// throws ViewError with the reason if the view does not allow it, whatever the owners are (seats, or kNobody).
inline constexpr std::int8_t kNobody = -1;

template <class G>
concept HasHands = HiddenGame<G> && requires(const G g, const typename G::State s, const typename G::View v, Rng& rng,
                                             std::int8_t* out, const std::int8_t* owners) {
  { g.pack() } -> std::same_as<std::vector<std::string>>;
  { s.owners(out) };
  { g.world(v, owners, rng) } -> std::same_as<typename G::State>;
};

// A number for tables of views: equal views have equal ones, others differ with the usual odds of a hash.
template <class V>
concept HasHash = requires(const V v) {
  { v.hash() } -> std::same_as<std::uint64_t>;
};

// What a view says about the hidden cards, exactly, as named values: "deals" (how many explain the view, in decimal
// digits), "cards" and "copies" (for each card, by seat, the probability that the seat holds it and the expected number
// of copies), and what else the game knows.
template <class V>
concept HasBeliefs = requires(const V v) {
  { v.beliefs() } -> std::same_as<Fields>;
};

// What everybody knows, as named values, so that code which shows a game needs no rules: the same in the views of all
// seats of a state, and cheap. Views of hidden games have it, and states of other games whose saved position will not
// do.
template <class T>
concept HasPublicFacts = requires(const T t) {
  { t.public_facts() } -> std::same_as<Fields>;
};

// What the observer knows beyond that by the rules: its hand ("hand": cards as texts, or groups of them with blanks
// between), what it may play, sides. A pure function of the view.
template <class V>
concept HasOutline = HasPublicFacts<V> && requires(const V v) {
  { v.outline() } -> std::same_as<Fields>;
};

// Rounds in which seats are asked in turn and only those with something to say, so that being asked is a secret. At a
// table all seats that might speak are asked at once; these are the views that they decide from.
template <class V>
concept HasSecretRounds = requires(const V v) {
  // This view as if the observer were asked now; none if it has nothing to say.
  { v.if_asked() } -> std::same_as<std::optional<V>>;
  // This view without whether anybody is being asked.
  { v.unasked() } -> std::same_as<V>;
};

// What a sensible player without search would do; a pure function of the view.
template <class V>
concept HasThumb = requires(const V v) {
  { thumb_action(v) } -> std::same_as<Action>;
};

// The phase as the observer knows it, for views whose worlds may be in different ones.
template <class V>
concept HasPhase = requires(const V v) {
  { v.phase() } -> std::same_as<std::string>;
};

// For comparison with programs that were not fair: a world that keeps the sides of the true state.
template <class S>
concept HasLeak = requires(S s, const S c) { s.take_sides(c); };

// Games that run Python code: interpreter lock held, one thread.
template <class G>
concept NeedsInterpreter = requires { requires G::kNeedsInterpreter; };

// --- Small helpers over the contract
// ----------------------------------------------------------------------------------

// A uniformly random legal action of a decision node. `buffer` has info().max_legal entries.
template <StateLike S>
Action random_action(const S& state, Rng& rng, Action* buffer) {
  if constexpr (HasRandomLegal<S>) {
    return state.random_legal(rng);
  } else {
    const int n = state.legal(buffer);
    return buffer[rng.below(static_cast<std::uint32_t>(n))];
  }
}

// Draws an outcome of a chance node. `buffer` has info().max_legal entries.
template <StateLike S>
Action random_outcome(const S& state, Rng& rng, Outcome* buffer) {
  const int n = state.outcomes(buffer);
  double u = rng.unit();
  for (int i = 0; i < n - 1; ++i) {
    u -= buffer[i].probability;
    if (u < 0) return buffer[i].action;
  }
  return buffer[n - 1].action;
}

}  // namespace kiebitz
