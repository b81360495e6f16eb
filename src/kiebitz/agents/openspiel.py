"""openspiel(bot): a bot of OpenSpiel at our table, in the games whose rules are the same in both programs.

Lanctot et al., "OpenSpiel: a framework for reinforcement learning in games" (2019). The bot gets a state of OpenSpiel
that is built from the view. Where something is hidden, that is a world drawn from the view: the bot knows no more than
its player does. ``mcts`` takes that world for the truth; ``ismcts`` draws worlds of its own from what the player knows.
``cheat(openspiel(...))`` hands over the true state.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from kiebitz._core import Game, State, View
from kiebitz.agents.analysis import AnalysisLike, PlainAnalysis
from kiebitz.agents.base import Agent, register
from kiebitz.errors import BudgetError, LimitError, UnsuitableGame
from kiebitz.games.registry import game as make_game
from kiebitz.options import MOST, REQUIRED, option

BOTS = ("uniform_random", "mcts", "ismcts")
MEMORY_MB = 1000
FOLLOWED = 100_000
"""Positions looked at to find the moves that lead to a position of Oware."""


@dataclass(frozen=True)
class OpenSpielOptions:
    """Options of ``openspiel``."""

    bot: str = option(REQUIRED, "the bot", choices=BOTS)
    simulations: int = option(1000, "of mcts and ismcts", low=1, high=MOST, error=BudgetError)
    c: float = option(2.0, "exploration constant of mcts and ismcts", low=0, high=1e6)
    rollouts: int = option(1, "random games for the value of a leaf", low=1, high=10_000)


@register("openspiel")
class OpenSpiel(Agent):
    """Plays what a bot of OpenSpiel answers.

    >>> import kiebitz as kb
    >>> game = kb.game("tic_tac_toe")
    >>> kb.agent("openspiel(mcts)", game).act(game.load({"board": "xx.oo...."}).view(0))
    2
    """

    Options = OpenSpielOptions
    options: OpenSpielOptions

    def __init__(self, game: Game, options: OpenSpielOptions, seed: int = 0, cheating: bool = False) -> None:
        super().__init__(game, options, seed, cheating)
        if options.bot == "ismcts" and game.name not in ("kuhn", "leduc"):
            raise UnsuitableGame(
                f"openspiel(ismcts) needs a game of which OpenSpiel can draw worlds: kuhn or leduc, not {game.name}"
            )
        self._line: list[int] = []

    @classmethod
    def unsuitable(cls, game: Game, cheating: bool = False) -> str | None:
        """The rules must be the same in both programs."""
        del cheating
        if peer_name(game) is None:
            games = ", ".join(_PEERS)
            return f"openspiel plays {games} by OpenSpiel's rules; {game.name} with these rules is none of them"
        if importlib.util.find_spec("pyspiel") is None:
            return "openspiel needs the package open_spiel: pip install 'kiebitz[openspiel]'"
        return None

    @property
    def pure(self) -> bool:
        """Not in Oware, where it follows the game from view to view because OpenSpiel cannot be given a position there;
        nor is ``ismcts``, which settles ties in the order of a hash table."""
        return self.game.name != "oware" and self.options.bot != "ismcts"

    def move(self, view: View) -> int:
        """Asks the bot in a world that the view allows."""
        return self._ask(view.sample(self.seed_for(view)), view)

    def analyse_state(self, state: State) -> AnalysisLike:
        """With the true state: only ``cheat`` asks this in a hidden game."""
        view = state.view(state.player)
        self._check_turn(state.player, state.player)
        return PlainAnalysis.of_move(self.name, view, self._ask(state, view))

    def _ask(self, world: State, view: View) -> int:
        position = world.position()
        if self.game.name == "oware":
            self._line = _follow(self.game, view, self._line)
            position["line"] = self._line
        state = peer_state(self.game, position)
        return int(self._bot(state, self.seed_for(view) % 2**31).step(state))

    def _bot(self, state: Any, seed: int) -> Any:
        import pyspiel

        options = self.options
        if options.bot == "uniform_random":
            return pyspiel.make_uniform_random_bot(state.current_player(), seed)
        leaf = pyspiel.RandomRolloutEvaluator(options.rollouts, seed)
        if options.bot == "mcts":
            return pyspiel.MCTSBot(state.get_game(), leaf, options.c, options.simulations, MEMORY_MB, True, seed, False)
        final = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
        return pyspiel.ISMCTSBot(seed, leaf, options.c, options.simulations, -1, final, False, False)


# --- The same games in both programs ----------------------------------------------------------------------------------


def peer_name(game: Game) -> str | None:
    """What OpenSpiel calls a game, where its rules are the same there.

    >>> import kiebitz as kb
    >>> peer_name(kb.game("kuhn", players=3)), peer_name(kb.game("doppelkopf"))
    ('kuhn_poker(players=3)', None)
    """
    return _PEERS[game.name](game.params) if game.name in _PEERS else None


def peer_state(game: Game, position: Mapping[str, Any]) -> Any:
    """OpenSpiel's state for a position of ours; in Oware ``line`` has the moves that lead there.

    >>> import kiebitz as kb
    >>> game = kb.game("leduc")
    >>> peer_state(game, game.new(seed=1).position()).legal_actions()
    [1, 2]
    """
    import pyspiel

    if game.name == "nim":  # what is left is a game of its own
        return pyspiel.load_game(_nim({**game.params, **position})).new_initial_state()
    peer = pyspiel.load_game(peer_name(game))
    if game.name == "connect_four":
        rows = [list(row) for row in reversed(position["board"].split("/"))]
        stones = sum(cell != "." for row in rows for cell in row)
        mover = "xo"[stones % 2]
        board = {"board": rows, "current_player": mover, "is_terminal": False, "winner": ""}
        return peer.new_initial_state(json.dumps(board))
    state = peer.new_initial_state()
    for action in _ACTIONS[game.name](position):
        state.apply_action(action)
    return state


def _nim(params: Mapping[str, Any]) -> str:
    heaps = ";".join(str(heap) for heap in params["heaps"])
    return f"nim(pile_sizes={heaps},is_misere={str(params['misere']).lower()})"


def _leduc(params: Mapping[str, Any]) -> str | None:
    return "leduc_poker" if params == make_game("leduc", "standard").params else None


def _liars_dice(params: Mapping[str, Any]) -> str | None:
    dice = f"liars_dice(numdice={params['dice']},dice_sides={params['sides']})"
    return dice if params["players"] == 2 else None


def _oware(params: Mapping[str, Any]) -> str | None:
    same = params == make_game("oware", "abapa", seeds=params["seeds"]).params
    return f"oware(num_seeds_per_house={params['seeds']})" if same else None


def _connect_four(params: Mapping[str, Any]) -> str:
    return f"connect_four(rows={params['rows']},columns={params['columns']},x_in_row={params['connect']})"


_PEERS: dict[str, Callable[[Mapping[str, Any]], str | None]] = {
    "tic_tac_toe": lambda params: "tic_tac_toe",
    "connect_four": _connect_four,
    "nim": _nim,
    "kuhn": lambda params: f"kuhn_poker(players={params['players']})",
    "leduc": _leduc,
    "liars_dice": _liars_dice,
    "oware": _oware,
}


def _tic_tac_toe_actions(position: Mapping[str, Any]) -> list[int]:
    """Any order does: nobody has three in a row on the way to a board without."""
    crosses, noughts = ([i for i, cell in enumerate(position["board"]) if cell == mark] for mark in "xo")
    return [cell for pair in zip_longest(crosses, noughts) for cell in pair if cell is not None]


def _leduc_actions(position: Mapping[str, Any]) -> list[int]:
    numbers = {"f": 0, "c": 1, "r": 2, "/": position["public"]}
    return [*position["cards"], *(numbers[letter] for letter in position["betting"])]


_ACTIONS: dict[str, Callable[[Mapping[str, Any]], list[int]]] = {
    "tic_tac_toe": _tic_tac_toe_actions,
    "kuhn": lambda position: [*position["cards"], *("pb".index(letter) for letter in position["betting"])],
    "leduc": _leduc_actions,
    "liars_dice": lambda position: [*position["dice"], *position["bids"]],
    "oware": lambda position: position["line"],
}


def _follow(game: Game, view: View, line: list[int]) -> list[int]:
    """The moves that lead to a position of Oware: those known so far and what must have been played since.

    The view lists the positions since the last capture, so once nothing more is captured there is only one way on.
    """
    target = view.fields()
    seen = {int(key, 16) for key in target["seen"]}
    left = FOLLOWED

    def search(state: State, moves: list[int]) -> list[int] | None:
        nonlocal left
        left -= 1
        position = state.position()
        if position["plies"] == target["plies"]:
            return moves if all(position[name] == target[name] for name in ("pits", "captured")) else None
        taken, final = position["captured"], target["captured"]
        if any(now > then for now, then in zip(taken, final, strict=True)) or left < 0:
            return None
        if taken == final and state.key not in seen:
            return None
        for action in state.legal():
            after = state.copy()
            after.apply(action)
            if (found := search(after, [*moves, action])) is not None:
                return found
        return None

    for known in (line, []):
        state = game.new()
        for action in known:
            state.apply(action)
        if len(known) <= target["plies"] and (found := search(state, known)) is not None:
            return found
    raise LimitError(
        "openspiel cannot tell which moves led to this position of oware: it must see the game from its start"
    )
