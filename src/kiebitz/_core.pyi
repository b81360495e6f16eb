"""
The C++ core of Kiebitz: games and searches. Use it through the package kiebitz.
"""

from collections.abc import Callable, Sequence
from typing import Annotated, Any

import numpy
import numpy.typing
from numpy.typing import NDArray


class Error(ValueError):
    """Base of all errors that Kiebitz raises on purpose; a ValueError."""

class IllegalAction(Error):
    """An action that the rules do not allow here."""

class UnknownName(Error):
    """A game, preset, agent or option that does not exist."""

class ParameterError(Error):
    """A rule parameter or option out of its range."""

class PositionError(Error):
    """A position or deal that the rules cannot produce."""

class ViewError(Error):
    """A view that no state can explain."""

class TreeError(Error):
    """An explicit tree that is not a game with perfect recall."""

class BudgetError(Error):
    """A search budget that is empty or absurd."""

class UnsuitableGame(Error):
    """An algorithm asked to run on a game it is not made for."""

class LimitError(Error):
    """A memory or size limit was reached."""

class FaultyGame(Error):
    """Rules written in Python that break the contract of games."""

CHANCE: int = -1

TERMINAL: int = -2

SOMEBODY: int = -3

class Parameter:
    """A rule parameter: its name, meaning, default and range."""

    @property
    def name(self) -> str: ...

    @property
    def help(self) -> str: ...

    @property
    def initial(self) -> Any: ...

    @property
    def low(self) -> float: ...

    @property
    def high(self) -> float: ...

    @property
    def choices(self) -> list[str]: ...

class Preset:
    """A named set of rule parameters."""

    @property
    def name(self) -> str: ...

    @property
    def help(self) -> str: ...

    @property
    def values(self) -> dict[str, Any]: ...

class ActionKind:
    """
    What an action is: its name, the phase it belongs to, the unit of its amount.
    """

    def __init__(self, name: str, phase: str, unit: str = '') -> None: ...

    @property
    def name(self) -> str: ...

    @property
    def phase(self) -> str: ...

    @property
    def unit(self) -> str:
        """Of the amount, such as chips; empty: the kind has no amount."""

    def __eq__(self, other: object) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

class Choice:
    """
    One thing to choose: a legal action, or a run of them that differ by an amount only.
    """

    @property
    def kind(self) -> str: ...

    @property
    def phase(self) -> str: ...

    @property
    def unit(self) -> str: ...

    @property
    def action(self) -> int:
        """The first action of the run: the one with the smallest amount."""

    @property
    def count(self) -> int:
        """Actions in the run."""

    @property
    def actions(self) -> list[int]:
        """All actions of the run, by rising amounts."""

    @property
    def low(self) -> float | None:
        """The smallest amount; None for kinds without a unit."""

    @property
    def high(self) -> float | None:
        """The largest amount."""

    @property
    def step(self) -> float | None:
        """From one amount to the next; 0 if there is only one."""

    def action_for(self, amount: float) -> int:
        """
        The action with this amount. An amount outside the range or between two steps raises IllegalAction.
        """

    def __repr__(self) -> str: ...

class GameInfo:
    """
    The descriptor of a game: what an algorithm has to know before it starts.
    """

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def players(self) -> int: ...

    @property
    def actions(self) -> int: ...

    @property
    def max_legal(self) -> int: ...

    @property
    def max_length(self) -> int: ...

    @property
    def min_payoff(self) -> float: ...

    @property
    def max_payoff(self) -> float: ...

    @property
    def utility(self) -> str: ...

    @property
    def payoff_sum(self) -> float: ...

    @property
    def hidden(self) -> bool: ...

    @property
    def chance(self) -> bool: ...

    @property
    def repetition(self) -> bool: ...

    @property
    def branching(self) -> float: ...

    @property
    def log10_states(self) -> float: ...

    @property
    def tensor_size(self) -> int: ...

    @property
    def evaluations(self) -> list[str]: ...

    @property
    def beliefs(self) -> list[str]:
        """How hidden worlds can be drawn; empty: in one way only."""

    @property
    def calls(self) -> list[int]:
        """Actions that are calls: declarations beside the cards."""

    @property
    def kinds(self) -> list[ActionKind]:
        """What actions can be, chance included."""

    @property
    def decline(self) -> int | None:
        """
        The action that says nothing in a secret round; None where the game has no such rounds.
        """

    def to_dict(self) -> dict[str, Any]:
        """All but `kinds` and `decline` as a dictionary."""

class Game:
    """A game with its rule parameters; made by kiebitz.game()."""

    @property
    def name(self) -> str:
        """The name in the registry."""

    @property
    def info(self) -> GameInfo:
        """The descriptor."""

    @property
    def params(self) -> dict[str, Any]:
        """All rule parameters, defaults included."""

    @property
    def pack(self) -> list[str]:
        """
        Names of the cards that hands are made of, each as often as it is there; empty: there are no hands that a belief could hand over.
        """

    @property
    def origin(self) -> str:
        """How the game was asked for, as JSON text."""

    @property
    def needs_interpreter(self) -> bool:
        """True for games written in Python."""

    def to_json(self) -> dict[str, Any]:
        """How the game was asked for; games.from_json() reads it."""

    @property
    def preset(self) -> str | None:
        """The preset it was asked for with."""

    @property
    def parameters(self) -> list[Parameter]:
        """The rule parameters this kind of game takes."""

    @property
    def presets(self) -> list[Preset]:
        """The presets of this kind of game."""

    def root(self) -> State:
        """The start, chance moves left to the caller."""

    def new(self, seed: int | None = None) -> State:
        """
        The start, chance moves resolved from the seed as they come; without a seed, at random.
        """

    def deal(self, hands: Sequence[str | Sequence[str]], start: int = 0) -> State:
        """
        The start with a given deal: for each hand its cards, as one text or as a list of texts.
        """

    def load(self, position: dict[str, Any], seen: Sequence[int] = []) -> State:
        """
        A state from State.position(); `seen`: keys of earlier positions that a repetition could meet.
        """

    def load_view(self, view: dict[str, Any]) -> View:
        """A view from View.fields()."""

    def random_games(self, chance: list[int], seeds: list[int]) -> tuple[Any, ...]:
        """
        Whole games between random players: a seed for the chance of each game, and one for each seat of each. Arrays of payoffs, plies, choices, moves, lengths and actions, and a list of results.
        """

    def __reduce__(self) -> tuple[Any, ...]: ...

    def __repr__(self) -> str: ...

class State:
    """A position of a game together with the way there."""

    @property
    def game(self) -> Game:
        """The game it belongs to."""

    @property
    def player(self) -> int:
        """Whose turn it is: 0, 1, ..., CHANCE or TERMINAL."""

    def legal(self) -> list[int]:
        """The legal actions, ascending."""

    def outcomes(self) -> list[tuple[int, float]]:
        """Outcomes of a chance move with their probabilities; empty elsewhere."""

    def apply(self, action: int, /) -> None:
        """
        Plays an action. An illegal one raises IllegalAction and changes nothing.
        """

    def refusal(self, action: int) -> str:
        """
        Why an action is illegal, as IllegalAction says it; empty if it is legal.
        """

    def copy(self) -> State:
        """An independent copy."""

    def __copy__(self) -> State: ...

    def __deepcopy__(self, memo: object) -> State: ...

    @property
    def history(self) -> list[int]:
        """All actions so far, chance included."""

    def name(self, action: int) -> str:
        """The action in words."""

    def kind(self, action: int) -> str:
        """What the action is: the name of one of `game.info.kinds`."""

    def amount(self, action: int) -> float | None:
        """How much, for actions whose kind has a unit; None for others."""

    @property
    def phase(self) -> str:
        """The phase that the legal actions belong to; `over` at the end."""

    def choices(self) -> list[Choice]:
        """
        The legal actions as a person chooses from them: those that differ by an amount only are one choice.
        """

    def parse(self, text: str) -> int:
        """The legal action that the text names."""

    def returns(self) -> list[float]:
        """One payoff per player; only at the end."""

    def result(self) -> dict[str, Any]:
        """
        The outcome in items: payoffs, winner (None for a tie) and what the game adds; only at the end.
        """

    @property
    def key(self) -> int:
        """Identity of the position, for transposition tables."""

    def view(self, player: int) -> View:
        """What this player may know."""

    def evaluate(self, evaluation: str, player: int) -> float:
        """The game's own estimate of this position."""

    def position(self) -> dict[str, Any]:
        """The position as plain values; Game.load() reads it."""

    def seen(self) -> list[int]:
        """Keys of earlier positions that a repetition could meet."""

    def __reduce__(self) -> tuple[Any, ...]: ...

    def set_chance(self, words: Sequence[int]) -> None:
        """
        From here on resolve chance moves from a generator with this inner state; unpickling uses it.
        """

    def __str__(self) -> str: ...

    def hands(self) -> numpy.typing.NDArray[numpy.int8]:
        """The owner of every card of the pack: a seat, or -1 for nobody."""

class View:
    """Exactly what one player may know."""

    @property
    def game(self) -> Game:
        """The game it belongs to."""

    @property
    def observer(self) -> int:
        """The player whose view it is."""

    @property
    def player(self) -> int:
        """
        Whose turn it is, if the observer knows it: a player, CHANCE, TERMINAL or SOMEBODY.
        """

    def legal(self) -> list[int]:
        """The observer's legal actions; empty if the observer is not to move."""

    def name(self, action: int) -> str:
        """One of the observer's actions in words."""

    def kind(self, action: int) -> str:
        """
        What one of the observer's actions is: the name of one of `game.info.kinds`.
        """

    def amount(self, action: int) -> float | None:
        """How much, for actions whose kind has a unit; None for others."""

    @property
    def phase(self) -> str:
        """The phase of the game as the observer knows it; `over` at the end."""

    def choices(self) -> list[Choice]:
        """The observer's legal actions as State.choices() groups them."""

    def parse(self, text: str) -> int:
        """The observer's legal action that the text names."""

    def fields(self) -> dict[str, Any]:
        """All of it as plain values; Game.load_view() reads it."""

    @property
    def key(self) -> str:
        """
        The information state as text: equal views have equal keys, others differ.
        """

    def to_json(self) -> dict[str, Any]:
        """View and game; games.view_from_json() reads it."""

    def tensor(self) -> numpy.typing.NDArray[numpy.float32]:
        """The information state as numbers."""

    def draw(self, seed: int) -> int:
        """A number of 64 bits that depends on the seed and the view alone."""

    def sample(self, seed: int = 0) -> State:
        """
        A full state that the observer cannot tell from the true one, drawn with its probability.
        """

    def beliefs(self) -> dict[str, Any]:
        """
        What the view says about hidden cards, exactly: the number of deals, for each card the probability that a seat holds it (cards) and the copies expected there (copies), and what else the game knows.
        """

    def public(self) -> dict[str, Any]:
        """
        What everybody knows, by the rules: the same in the views of all seats. The game's page says what is in it.
        """

    def outline(self, public: bool = True) -> dict[str, Any]:
        """
        What the rules say about a view with hidden parts: the observer's hand, more that the game's page lists, and `public` as above unless it is not wanted.
        """

    def if_asked(self) -> View:
        """
        This view as if the observer were asked now in a secret round; None if it has nothing to say.
        """

    def unasked(self) -> View:
        """This view without whether anybody is being asked in a secret round."""

    def rule_of_thumb(self) -> int:
        """What a sensible player without search would do."""

    def __eq__(self, other: object) -> bool: ...

    def __hash__(self) -> int: ...

    def __reduce__(self) -> tuple[Any, ...]: ...

    def __str__(self) -> str: ...

    def worlds(self, count: int, seed: int = 0, belief: str = '') -> list[State]:
        """
        Full states that the observer cannot tell from the true one, by one of the game's beliefs. World number w depends on view, seed, belief and w alone: a search with the same seed draws the same worlds.
        """

    def hands(self, count: int, seed: int = 0, belief: str = '') -> numpy.typing.NDArray[numpy.int8]:
        """
        The hands of such worlds: for each a row with the owner of every card of the pack, -1 for nobody.
        """

    def worlds_of(self, hands: Any, seed: int = 0) -> list[State]:
        """
        Full states with given hands, rows of owners for every card of the pack, such as those of a learned belief; what else is hidden is drawn. `ParameterError` if the view does not allow one of them.
        """

def game_names() -> list[str]:
    """Names of the compiled games."""

def make_game(name: str, preset: str, params: dict[str, Any], origin: str) -> Game:
    """Builds a compiled game."""

def make_python_game(kernel: object, info: dict[str, Any], params: dict[str, Any], origin: str) -> Game:
    """Wraps a game written in Python."""

class Known:
    """Positions that need no search: AlphaBeta(..., known=...)."""

class OwareEndgame(Known):
    """What positions of Oware with few seeds are worth."""

    def __init__(self, game: Game) -> None: ...

    @property
    def seeds(self) -> int:
        """The table has all positions with up to this many seeds; -1: none."""

    def __len__(self) -> int: ...

    def extend(self, stop: StopToken | None = None) -> bool:
        """Adds the positions with one seed more; false if it was stopped."""

    def find(self, state: State) -> tuple[int, int, int] | None:
        """
        For the player to move: the seeds gained at least and at most, and the move for the least; None if unknown.
        """

    def at(self, pits: Sequence[int]) -> tuple[int, int, int] | None:
        """The same for twelve pits, those of the player to move first."""

    def data(self) -> bytes:
        """All entries, for a file."""

    def load(self, data: bytes) -> None:
        """Takes over entries that data() gave, into an empty table."""

class OwareProver:
    """Proves what endings are worth when a repeated position ends the game."""

    def __init__(self, table: OwareEndgame) -> None: ...

    def at_least(self, state: State, goal: int, nodes: int = 0, seconds: float = 0.0, stop: StopToken | None = None) -> tuple[int, int, int]:
        """
        Can the player to move force a gain of `goal` seeds more than the opponent, given all moves so far? 1: yes, and a move for it; -1: no; 0: not found out within the limits (0: none); and the positions looked at.
        """

class ConnectFourSolver:
    """Proves what positions of Connect Four are worth."""

    def __init__(self, game: Game, table_mb: int = 64) -> None: ...

    def worth(self, state: State, weak: bool = False, seconds: float = 0.0, stop: StopToken | None = None) -> tuple[int, int] | None:
        """
        For the player to move with best play: 1, 0 or -1, and the plies it takes (weak: -1, as they are not asked for); None if it was stopped or if so many seconds (0: no limit) were too few.
        """

    def moves(self, boards: Annotated[NDArray[numpy.int8], dict(shape=(None, None), order='C', device='cpu', writable=False)], weak: bool = False, stop: StopToken | None = None) -> tuple[Annotated[NDArray[numpy.int8], dict(shape=(None, None))], Annotated[NDArray[numpy.int16], dict(shape=(None, None))]]:
        """
        The same for every move of many positions: outcomes (-2: the column is full) and plies, one row for each position; fewer rows if it was stopped. A board is a row of cells from the bottom left: 1 for stones of the player to move, -1 for the other's.
        """

    def learn(self, state: State, outcome: int, plies: int) -> None:
        """
        Takes over what a position with few stones is worth, and so its mirror image.
        """

    def canonical(self, state: State) -> int:
        """A number that a position has in common with its mirror image only."""

    @property
    def nodes(self) -> int:
        """Positions looked at so far; can be asked while it solves."""

    def __len__(self) -> int:
        """Positions that it was taught."""

class Evaluator:
    """
    Judges positions for a search: a logit for each action, a value for each player.
    """

    def judge(self, game: Game, tensors: numpy.typing.NDArray[numpy.float32], legal: numpy.typing.NDArray[numpy.uint8], movers: numpy.typing.NDArray[numpy.int32]) -> tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32]]:
        """
        Logits (rows x actions) and values (rows x players) of positions, as arrays.
        """

class Net(Evaluator):
    """A network of dense layers and convolutions that the core computes."""

    def __init__(self, game: Game, trunk: Sequence[dict[str, Any]], policy: Sequence[dict[str, Any]], value: Sequence[dict[str, Any]], board: tuple[int, int, int] = (0, 0, 0)) -> None: ...

class Seated(Evaluator):
    """Several evaluators, one for each seat."""

    def __init__(self, seats: Sequence[Evaluator]) -> None: ...

class Parts(Evaluator):
    """The policy of one evaluator and the values of another."""

    def __init__(self, policy: Evaluator | None = None, values: Evaluator | None = None) -> None: ...

class Cache(Evaluator):
    """Remembers what another evaluator said of positions that come again."""

    def __init__(self, evaluator: Evaluator | Callable[..., Any], megabytes: int = 64) -> None: ...

    @property
    def hits(self) -> int:
        """Positions that were known."""

    @property
    def misses(self) -> int:
        """Positions that had to be judged."""

class SeatNets:
    """Small dense networks that learn, one for each seat, all in one call."""

    def __init__(self, sizes: Sequence[int], seats: int, relu_output: bool = False, adam: bool = False) -> None: ...

    def outputs(self, inputs: numpy.typing.NDArray[numpy.float32]) -> numpy.typing.NDArray[numpy.float32]:
        """
        Inputs (seats x rows x numbers) to outputs; rows of seat s go through the weights of seat s.
        """

    def say(self, inputs: numpy.typing.NDArray[numpy.float32], seats: numpy.typing.NDArray[numpy.int64]) -> numpy.typing.NDArray[numpy.float32]:
        """
        The same for rows in any order, each with its seat; `descend` does not follow it.
        """

    def descend(self, slopes: numpy.typing.NDArray[numpy.float32], rate: float) -> None:
        """
        One step of gradient descent: `slopes` is the derivative of the loss by each of the last outputs.
        """

    @property
    def weights(self) -> list[numpy.typing.NDArray[numpy.float32]]:
        """Of each layer, seats x inputs x outputs: to read and to write."""

    @property
    def biases(self) -> list[numpy.typing.NDArray[numpy.float32]]:
        """Of each layer, seats x outputs."""

    @property
    def averages(self) -> list[numpy.typing.NDArray[numpy.float32]]:
        """
        What Adam keeps: averages of gradients and of their squares; nothing without it.
        """

    @property
    def steps(self) -> int:
        """Steps of learning so far, which Adam counts."""

    @steps.setter
    def steps(self, arg: int, /) -> None: ...

class ActionValue:
    """What a search says about one action."""

    @property
    def action(self) -> int: ...

    @property
    def name(self) -> str: ...

    @property
    def visits(self) -> int:
        """Simulations or nodes below the action."""

    @property
    def value(self) -> float:
        """For the player to move, in payoff units."""

    @property
    def error(self) -> float:
        """Standard error of the value; 0 where there is none."""

    @property
    def exact(self) -> bool:
        """The value is proven."""

    @property
    def status(self) -> str:
        """proven, bounded (the bound is proven) or estimated."""

    @property
    def bound(self) -> str:
        """
        upper or lower: the value that was searched for is at most or at least this; none: it is this.
        """

    @property
    def mean(self) -> list[float]:
        """One value per player, where the method has them."""

    @property
    def prior(self) -> float | None:
        """
        The probability that a net gives it before any search; None: no net was asked.
        """

    def to_dict(self) -> dict[str, Any]: ...

class Analysis:
    """What a search found: print it, or read its fields."""

    @property
    def method(self) -> str: ...

    @property
    def player(self) -> int:
        """Who is to move."""

    @property
    def best(self) -> int:
        """The action to play."""

    @property
    def best_name(self) -> str: ...

    @property
    def value(self) -> float:
        """Of the position for the player to move, in payoff units."""

    @property
    def exact(self) -> bool:
        """The value is proven."""

    @property
    def status(self) -> str:
        """proven, bounded (the bound is proven) or estimated."""

    @property
    def bound(self) -> str:
        """lower: the value is at least this; none: it is this."""

    @property
    def prior_value(self) -> float | None:
        """
        What a net says of the position before any search; None: no net was asked.
        """

    @property
    def actions(self) -> list[ActionValue]:
        """One entry per legal action."""

    @property
    def line(self) -> list[int]:
        """The principal line."""

    @property
    def line_names(self) -> list[str]: ...

    @property
    def iterations(self) -> int: ...

    @property
    def nodes(self) -> int: ...

    @property
    def leaves(self) -> int: ...

    @property
    def depth(self) -> int: ...

    @property
    def mean_depth(self) -> float: ...

    @property
    def depth_variance(self) -> float:
        """How uneven the tree is."""

    @property
    def branching(self) -> float:
        """Effective branching factor, or children per inner node."""

    @property
    def seconds(self) -> float: ...

    @property
    def stopped(self) -> bool:
        """Cut short: by its stop token; an exact search by its budget, too."""

    @property
    def memory_full(self) -> bool: ...

    @property
    def worlds(self) -> int:
        """Sampled worlds, where the search used any."""

    @property
    def world_values(self) -> list[list[float]]:
        """
        A row for each world with the value of each action; NaN where it was never tried.
        """

    def to_dict(self) -> dict[str, Any]: ...

    @staticmethod
    def from_dict(fields: dict[str, Any]) -> Analysis: ...

    def __getstate__(self) -> dict[str, Any]: ...

    def __setstate__(self, state: dict[str, Any]) -> None: ...

    def __str__(self) -> str: ...

class SearchOption:
    """An option of a search, as its struct in the core describes it."""

    @property
    def name(self) -> str: ...

    @property
    def kind(self) -> str:
        """bool, int, float or str."""

    @property
    def default(self) -> Any:
        """None: a budget that is not given."""

    @property
    def low(self) -> float | None:
        """Numbers only."""

    @property
    def high(self) -> float | None:
        """Numbers only."""

    @property
    def most(self) -> float | None:
        """
        The largest value that a server allows; False: the switch stays off there.
        """

    @property
    def choices(self) -> list[str]: ...

    @property
    def help(self) -> str: ...

    @property
    def effect(self) -> str:
        """
        What it changes: the move, only the speed, or (impure) the move then depends on clock or game so far.
        """

    @property
    def budget(self) -> bool:
        """One of the limits of which a search needs at least one."""

    @property
    def in_specs(self) -> bool:
        """Whether people write it in specs of agents."""

def search_options(search: str) -> list[SearchOption]:
    """The options of a search: uct, pimc, ismcts or alphabeta."""

class StopToken:
    """
    Cancels a search from another thread: search(..., stop=token), then token.request().
    """

    def __init__(self) -> None: ...

    def request(self) -> None:
        """Asks the search to return what it has."""

    @property
    def requested(self) -> bool: ...

class Search:
    """A search with its options and its memory."""

    def search(self, state: State, stop: StopToken | None = None) -> Analysis:
        """Searches the position, which is left unchanged."""

class Uct(Search):
    """
    Tree search: UCT with random playouts, or guided by an evaluator (PUCT).
    """

    def __init__(self, game: Game, *, iterations: int | None = None, nodes: int | None = None, seconds: float | None = None, c: float = 1.4142135623730951, formula: str = 'ucb1', scale: str = 'unit', expand: str = 'one', final: str = 'visits', select: str = 'ucb', tree_depth: int = 0, streams: int = 1, threads: int = 1, seed: int = 0, reuse: bool = False, scalar: bool = True, memory_mb: int = 1024, tree_calls: str = 'all', playout_calls: str = 'all', class_share: float = 0.0, margin: float = 0.0, playout: str = 'random', noise: float = 0.1, solve_last: int = 0, values: str = 'evaluator', leaves: int = 4, batch: int = 64, evaluator: Evaluator | Callable[..., Any] | None = None, default_policy: Evaluator | Callable[..., Any] | None = None) -> None: ...

class AlphaBeta(Search):
    """Exact depth-limited search: minimax or alpha-beta."""

    def __init__(self, game: Game, *, depth: int = 0, nodes: int | None = None, seconds: float | None = None, evaluation: str | Callable[[State, int], float] = '', terminals: str = 'payoff', cut: str = 'equal', order: str = 'index', deepen: bool = False, narrow: bool = False, table_mb: int = 0, known: Known | None = None, evaluator: Evaluator | Callable[..., Any] | None = None) -> None: ...

class OpenHand(Search):
    """Exact play of two sides with open cards, to the end."""

    def __init__(self, game: Game) -> None: ...

class ViewSearch:
    """A search of what a player knows, with its options and its memory."""

    def search(self, view: View, stop: StopToken | None = None) -> Analysis:
        """What the observer, who is to move, should do."""

class Pimc(ViewSearch):
    """
    Perfect-information Monte Carlo: one tree for each sampled world, fused.
    """

    def __init__(self, uct: Uct, *, worlds: int = 25, fusion: str = 'average', belief: str = '', threads: int = 1, seed: int = 0, care: float = 0.0, margin: float = 0.0, bid_margin: float = 0.0, calls: str = 'all', bids: bool = True, exact_last: int = 0) -> None: ...

    def search_worlds(self, view: View, worlds: Sequence[State], weights: Sequence[float] | None = None, stop: StopToken | None = None) -> Analysis:
        """The same with worlds from elsewhere."""

    def search_hands(self, view: View, hands: Any, weights: Sequence[float] | None = None, stop: StopToken | None = None) -> Analysis:
        """
        The same with hands from elsewhere, such as a learned belief: `View.worlds_of` with the seed of the search.
        """

    def search_state(self, state: State, stop: StopToken | None = None) -> Analysis:
        """
        Unfair, for comparison: worlds are drawn as before, but all players keep their true sides.
        """

class Ismcts(ViewSearch):
    """Information-set Monte Carlo tree search: one tree for all worlds."""

    def __init__(self, game: Game, *, iterations: int | None = None, nodes: int | None = None, seconds: float | None = None, c: float = 1.4142135623730951, formula: str = 'ucb1', scale: str = 'unit', final: str = 'visits', availability: bool = True, belief: str = '', streams: int = 1, threads: int = 1, seed: int = 0, memory_mb: int = 1024, tree_calls: str = 'all', playout_calls: str = 'all', solve_last: int = 0, values: str = 'evaluator', leaves: int = 4, batch: int = 64, evaluator: Evaluator | Callable[..., Any] | None = None, default_policy: Evaluator | Callable[..., Any] | None = None) -> None: ...

def self_play(game: Game, evaluator: Evaluator | Callable[..., Any], games: int, seed: int = 0, stop: StopToken | None = None, *, simulations: int = 32, fast_simulations: int = 8, full_share: float = 1.0, root: str = 'gumbel', considered: int = 16, scale: float = 0.1, c: float = 1.4142135623730951, noise: float = 0.25, drawn_plies: int = 0, random_plies: int = 0, reuse: bool = True, slots: int = 64, threads: int = 1) -> dict[str, Any] | None:
    """
    Games of an evaluator against itself with a tree search, one row for each decision, in a game without hidden information; None if it was stopped. Arrays: `tensors`, `legal` and `policy` (the search's improvement) of the mover; payoffs at the end (`outcome`) and as the search `expected` them, the mover's first; whether the search was `full`; `movers`, `plies` and `games`; and for each game `returns` and `lengths`. Game number n depends on the seed, on n and on the evaluator, and not on slots, threads or other games.
    """

class Solution:
    """The proof that backward induction found."""

    @property
    def game(self) -> Game: ...

    @property
    def grade(self) -> str: ...

    @property
    def value(self) -> list[float]:
        """One payoff per player under perfect play."""

    @property
    def outcome(self) -> str:
        """The same in words."""

    @property
    def line(self) -> list[int]:
        """A line of perfect play; empty if ultra_weak."""

    @property
    def line_names(self) -> list[str]: ...

    @property
    def positions(self) -> int:
        """Different positions met."""

    @property
    def stopped(self) -> bool:
        """Cancelled: there is no value."""

    def optimal(self, state: State) -> list[int] | None:
        """
        All optimal actions of a position; None for one that cannot be reached. Strong solutions only.
        """

    def value_of(self, state: State) -> list[float] | None:
        """The value of a position, one payoff per player. Strong solutions only."""

def solve(state: State, grade: str = 'strong', memory_mb: int = 1024, stop: StopToken | None = None) -> Solution:
    """
    Backward induction for any finite game of perfect information, any number of players, chance included.
    """

def perft(state: State, depth: int, stop: StopToken | None = None) -> int | None:
    """
    Number of paths of exactly `depth` actions from here; None if cancelled.
    """

class TreeCount:
    """How large a game tree is."""

    @property
    def nodes(self) -> int: ...

    @property
    def decision(self) -> int:
        """Nodes where a player moves."""

    @property
    def chance(self) -> int: ...

    @property
    def terminal(self) -> int:
        """Complete games."""

    @property
    def positions(self) -> int:
        """Different positions."""

    @property
    def draws(self) -> int: ...

    @property
    def wins(self) -> list[int]:
        """Complete games won, one entry per player."""

    @property
    def depth(self) -> int:
        """Longest game."""

    @property
    def branching(self) -> float: ...

    @property
    def stopped(self) -> bool:
        """Cancelled: all figures are lower bounds."""

def count(state: State, nodes: int = 10000000000, memory_mb: int = 1024, positions: bool = True, stop: StopToken | None = None) -> TreeCount:
    """Walks the whole tree below a position and counts it."""

class BanditResult:
    """What a bandit experiment measured."""

    @property
    def repetitions(self) -> int: ...

    @property
    def total(self) -> float:
        """Mean winnings of a repetition."""

    @property
    def error(self) -> float:
        """Its standard error."""

    @property
    def pulls(self) -> list[float]:
        """Mean coins per arm."""

    @property
    def best(self) -> int:
        """The best arm."""

    @property
    def best_share(self) -> float:
        """Share of repetitions in which it got the most coins."""

    @property
    def regret(self) -> list[tuple[int, float]]:
        """Mean regret after 10, 100, ... coins."""

    @property
    def stopped(self) -> bool: ...

def bandit(arms: Sequence[float], coins: int = 1000, c: float = 1.4142135623730951, policy: str = 'ucb1', repetitions: int = 400, seed: int = 0, stop: StopToken | None = None) -> BanditResult:
    """Plays slot machines with the given winning probabilities."""

class CompiledGame:
    """A game as flat arrays, on which solvers and measures run."""

    @property
    def game(self) -> Game: ...

    @property
    def players(self) -> int: ...

    @property
    def nodes(self) -> int: ...

    @property
    def decision(self) -> int:
        """Nodes where a player moves."""

    @property
    def chance(self) -> int: ...

    @property
    def terminal(self) -> int: ...

    @property
    def depth(self) -> int:
        """Longest game."""

    @property
    def bytes(self) -> int:
        """Memory that the arrays take."""

    def sets(self, player: int) -> int:
        """Number of information sets of a player."""

    def sequences(self, player: int) -> int:
        """Number of sequences of a player, the empty one (number 0) included."""

    def parents(self, player: int) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C')]:
        """Of each information set: the player's sequence before it."""

    def firsts(self, player: int) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C')]:
        """
        Of each information set: the sequence of its first choice; the others follow.
        """

    def counts(self, player: int) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C')]:
        """Of each information set: the number of its choices."""

    def actions(self, player: int) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C')]:
        """Of each sequence: its last action; -1 for the empty one."""

    def ends(self, player: int) -> tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]:
        """
        What a player gets at the ends: its sequence, sequences of the others (in turn, for each end), chance times payoff; ends with the same sequences are added up, those that pay 0 left out.
        """

    def path(self, player: int, set: int) -> list[int]:
        """
        Actions from the root to a state of an information set, chance included.
        """

    def payoffs(self, profile: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]) -> list[float]:
        """What each player gets on average when all follow the profile."""

    def best_response(self, player: int, profile: Sequence[numpy.ndarray]) -> tuple[float, numpy.ndarray]:
        """
        The most that a player can get against the others of the profile, and the strategy that gets it.
        """

    def best_values(self, profile: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]) -> list[float]:
        """
        For each player: the most that it can get while the others follow the profile.
        """

    def plan(self, player: int, strategy: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
        """
        Realisation weights: the product of the probabilities along each sequence.
        """

    def strategy(self, player: int, plan: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
        """The strategy behind realisation weights; uniform where they are 0."""

    def subgame_perfect(self) -> list[numpy.ndarray]:
        """
        Backward induction: one strategy per player, best in every subgame. Perfect information only.
        """

    def uniform(self, player: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
        """All choices equally likely."""

def compile(game: Game, nodes: int = 50000000, memory_mb: int = 6000, stop: StopToken | None = None) -> CompiledGame:
    """
    The game as flat arrays. LimitError if it is too large, UnsuitableGame if a player forgets its own choices.
    """

class Cfr:
    """
    Counterfactual regret minimisation without sampling, in all its variants.
    """

    def __init__(self, game: CompiledGame, alpha: float = float('inf'), beta: float = float('inf'), gamma: float = 0.0, floor: bool = False, predictive: bool = False, simultaneous: bool = False, restricted: int | None = None, probability: float = 0.0, given: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> None:
        """
        Past regrets are kept by t^alpha/(t^alpha+1) (beta for negative ones), averages weighted by t^gamma; `restricted`: this player follows the strategy `given` with `probability`.
        """

    @property
    def game(self) -> CompiledGame: ...

    @property
    def iterations(self) -> int: ...

    def iterate(self, count: int, stop: StopToken | None = None) -> None:
        """
        Runs `count` more iterations; Ctrl-C and the token end it after a complete one.
        """

    def average(self, player: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
        """The average strategy so far: a probability for each sequence."""

    def current(self, player: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
        """The strategy of the next iteration."""

    def memory(self) -> tuple[int, list[numpy.ndarray], list[numpy.ndarray], list[numpy.ndarray]]:
        """
        Iterations, regrets, guesses of the next regrets (predictive only) and sums of plans: what load() takes.
        """

    def load(self, iterations: int, regrets: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], guesses: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], averages: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]) -> None:
        """Continues where memory() was taken."""

class Mccfr:
    """Counterfactual regret minimisation on samples of the game."""

    def __init__(self, game: CompiledGame, sampling: str = 'external', exploration: float = 0.6, seed: int = 0) -> None: ...

    @property
    def game(self) -> CompiledGame: ...

    @property
    def iterations(self) -> int: ...

    def iterate(self, count: int, stop: StopToken | None = None) -> None:
        """
        Runs `count` more iterations; Ctrl-C and the token end it after a complete one.
        """

    def average(self, player: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
        """The average strategy so far: a probability for each sequence."""

    def memory(self) -> tuple[int, list[numpy.ndarray], list[numpy.ndarray], list[int]]:
        """
        Iterations, regrets, sums of strategies and the random numbers: what load() takes.
        """

    def load(self, iterations: int, regrets: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], averages: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], words: Sequence[int]) -> None:
        """Continues where memory() was taken."""

class FictitiousPlay:
    """Fictitious play in extensive form: averages of best responses."""

    def __init__(self, game: CompiledGame) -> None: ...

    @property
    def game(self) -> CompiledGame: ...

    @property
    def iterations(self) -> int: ...

    def iterate(self, count: int, stop: StopToken | None = None) -> None:
        """
        Runs `count` more iterations; Ctrl-C and the token end it after a complete one.
        """

    def average(self, player: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
        """The average strategy so far: a probability for each sequence."""

    def memory(self) -> tuple[int, list[numpy.ndarray]]:
        """Iterations and average plans."""

    def load(self, iterations: int, averages: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]) -> None:
        """Continues where memory() was taken."""

def parse_card(text: str) -> int:
    """The number of a card such as 'As' or 'Td': rank * 4 + suit."""

def card_name(card: int) -> str:
    """The text of a card."""

def hand_category(strength: int) -> str:
    """
    A strength in words, such as 'full house'; strengths >> 12 are the same as numbers.
    """

def evaluate_hands(cards: numpy.typing.NDArray[numpy.uint8]) -> numpy.typing.NDArray[numpy.uint16]:
    """
    The strength of the best five cards of each row of 5, 6 or 7 cards (a C-ordered array). Larger is better, equal is a tie.
    """

def all_in_wins(stop: StopToken | None = None) -> NDArray[numpy.uint32] | None:
    """
    In row a, column b: in how many deals (two hands and a board) a starting hand of kind a beats one of kind b. None if cancelled.
    """

def all_in_wins_of(kind: int, stop: StopToken | None = None) -> NDArray[numpy.uint32] | None:
    """
    One row of that table, found by comparing hand with hand. None if cancelled.
    """

def project_to_simplex(point: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
    """The nearest vector of probabilities."""

class Dynamics:
    """
    Two players of a matrix game who adapt to each other, both at the same time.
    """

    def __init__(self, first: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], second: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], start: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], rule: str, alpha: float = 0.02, eta: float = 1.0) -> None:
        """
        Payoffs of each player with a row for each action of player 0, and the strategies to begin with.
        """

    @property
    def steps(self) -> int: ...

    def iterate(self, count: int, stop: StopToken | None = None) -> None:
        """Runs `count` more steps; Ctrl-C and the token end it."""

    def current(self, player: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
        """The current strategy of a player."""

    def anchor(self, player: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
        """
        The anchor of a player; with rules other than the lagging anchor the start.
        """

    def average(self, player: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
        """The mean of all strategies so far, the start included."""

    def memory(self) -> tuple[int, list[numpy.ndarray], list[numpy.ndarray], list[numpy.ndarray], list[numpy.ndarray]]:
        """
        Steps, strategies, scores, anchors and sums of strategies: what load() takes.
        """

    def load(self, steps: int, strategies: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], scores: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], anchors: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], sums: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]) -> None:
        """Continues where memory() was taken."""

class LaggingAnchor:
    """Gradient steps tied to an anchor, on the information sets of a game."""

    def __init__(self, game: CompiledGame, estimate: str = 'exact', alpha: float = 0.1, eta: float = 0.3, games: int = 10, rate: float = 0.2, trace: float = 0.9, explore: float = 0.2, seed: int = 0) -> None:
        """
        `estimate`: gradients are exact, or come from `games` sampled for each step: canonical (with additional games) or truncated (with a table of node values that learns at `rate`).
        """

    @property
    def game(self) -> CompiledGame: ...

    @property
    def iterations(self) -> int: ...

    def iterate(self, count: int, stop: StopToken | None = None) -> None:
        """
        Runs `count` more iterations; Ctrl-C and the token end it after a complete one.
        """

    def average(self, player: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
        """The average strategy so far: a probability for each sequence."""

    @property
    def games(self) -> int:
        """Games sampled so far."""

    @property
    def extra_games(self) -> int:
        """Additional games so far."""

    @property
    def nodes(self) -> int:
        """Nodes of all these games."""

    def current(self, player: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
        """The strategy of the next iteration."""

    def anchor(self, player: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]: ...

    def memory(self) -> tuple[int, list[numpy.ndarray], list[numpy.ndarray], list[numpy.ndarray], list[numpy.ndarray], list[int], list[int]]:
        """
        Iterations, strategies, anchors, sums of plans, node values, counted games and the random numbers: what load() takes.
        """

    def load(self, iterations: int, strategies: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], anchors: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], averages: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], values: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], counts: Sequence[int], words: Sequence[int]) -> None:
        """Continues where memory() was taken."""

class Batch:
    """
    Many games of one kind side by side; use it through kiebitz.env.VectorEnv.
    """

    def __init__(self, game: Game, games: int, gains: str = '') -> None:
        """`gains` names the evaluation of which the array of that name speaks."""

    def reset(self, seed: int) -> None:
        """Starts all games anew."""

    def step(self, actions: numpy.typing.NDArray[numpy.int64], rows: numpy.typing.NDArray[numpy.bool_] | None = None) -> None:
        """
        Plays one action in each game, or in those of `rows`; refuses all of them if one is illegal.
        """

    def restart(self, rows: numpy.typing.NDArray[numpy.bool_]) -> None:
        """Gives games up: the next ones begin in their rows."""

    def place(self) -> tuple[int, numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64]]:
        """
        Where all games are: the seed, and for each row its episode, how many actions and which.
        """

    def go(self, seed: int, episodes: numpy.typing.NDArray[numpy.int64], counts: numpy.typing.NDArray[numpy.int64], actions: numpy.typing.NDArray[numpy.int64]) -> None:
        """Goes to such a place."""

    @property
    def observation(self) -> numpy.typing.NDArray[numpy.float32]: ...

    @property
    def mask(self) -> numpy.typing.NDArray[numpy.int8]: ...

    @property
    def player(self) -> numpy.typing.NDArray[numpy.int32]: ...

    @property
    def rewards(self) -> numpy.typing.NDArray[numpy.float64]: ...

    @property
    def done(self) -> numpy.typing.NDArray[numpy.bool_]: ...

    @property
    def gains(self) -> numpy.typing.NDArray[numpy.float64]: ...

    @property
    def episode(self) -> numpy.typing.NDArray[numpy.int64]: ...

    @property
    def seed(self) -> numpy.typing.NDArray[numpy.uint64]: ...
