"""openspiel(bot): a bot of OpenSpiel at our table, in the games whose rules are the same in both programs.

Lanctot et al., "OpenSpiel: a framework for reinforcement learning in games" (2019). The bot gets a state of OpenSpiel
that is built from the view, in a hidden game from a world drawn from it: the bot knows no more than its player.
``mcts`` takes that world for the truth; ``ismcts`` draws worlds of its own from what the player knows.
``cheat(openspiel(...))`` hands over the true state. How games are translated is declared by each game.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kiebitz._core import Game, State, View
from kiebitz.agents.base import Agent, register
from kiebitz.analysis import AnalysisLike, PlainAnalysis
from kiebitz.errors import BudgetError, UnsuitableGame
from kiebitz.games import declaration_of, list_games
from kiebitz.games.declaration import FollowedPeer, Peer
from kiebitz.options import MOST, REQUIRED, option

BOTS = ("uniform_random", "mcts", "ismcts")
MEMORY_MB = 1000


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
        self._peer = _peer(game)
        if options.bot == "ismcts" and not self._peer.draws_worlds:
            games = " or ".join(_shared(draws_worlds=True))
            raise UnsuitableGame(
                f"openspiel(ismcts) needs a game of which OpenSpiel can draw worlds: {games}, not {game.name}"
            )
        self._line: list[int] = []

    @classmethod
    def unsuitable(cls, game: Game, cheating: bool = False) -> str | None:
        """The rules must be the same in both programs."""
        del cheating
        if peer_name(game) is None:
            games = ", ".join(_shared())
            return f"openspiel plays {games} by OpenSpiel's rules; {game.name} with these rules is not one of them"
        if importlib.util.find_spec("pyspiel") is None:
            return "openspiel needs the package open_spiel: pip install 'kiebitz[openspiel]'"
        return None

    @property
    def pure(self) -> bool:
        """Not if it must follow the game from view to view because OpenSpiel cannot be given a position; nor is
        ``ismcts``, which breaks ties in the order of a hash table."""
        return not isinstance(self._peer, FollowedPeer) and self.options.bot != "ismcts"

    def move(self, view: View) -> int:
        """Asks the bot in a world consistent with the view."""
        return self._ask(view.sample(self.seed_for(view)), view)

    def analyse_state(self, state: State) -> AnalysisLike:
        """With the true state: only ``cheat`` asks this in a hidden game."""
        view = state.view(state.player)
        self._check_turn(state.player, state.player)
        return PlainAnalysis.of_move(self.name, view, self._ask(state, view))

    def _ask(self, world: State, view: View) -> int:
        position = world.position()
        if isinstance(self._peer, FollowedPeer):
            position["line"] = self._line = self._peer.follow(view, self._line)
        state = self._peer.state(self.game, position)
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
    """What OpenSpiel calls a game; None if it does not have it, or by other rules.

    >>> import kiebitz as kb
    >>> peer_name(kb.game("kuhn", players=3)), peer_name(kb.game("doppelkopf"))
    ('kuhn_poker(players=3)', None)
    """
    peer = declaration_of(game).players.peer
    return None if peer is None else peer.name(game)


def peer_state(game: Game, position: Mapping[str, Any]) -> Any:
    """OpenSpiel's state for a position of ours; where it needs the moves that lead there, ``line`` has them.

    >>> import kiebitz as kb
    >>> game = kb.game("leduc")
    >>> peer_state(game, game.new(seed=1).position()).legal_actions()
    [1, 2]
    """
    return _peer(game).state(game, position)


def _peer(game: Game) -> Peer:
    peer = declaration_of(game).players.peer
    assert peer is not None, "unsuitable() refuses other games"
    return peer


def _shared(draws_worlds: bool = False) -> list[str]:
    """The games that OpenSpiel plays, too; on request only those of which it can draw worlds."""
    peers = {name: declaration_of(name).players.peer for name in list_games()}
    return [name for name, peer in peers.items() if peer is not None and (peer.draws_worlds or not draws_worlds)]
