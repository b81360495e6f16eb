"""best: the strongest player without training that Kiebitz has for a game, under one short name.

It is a search with settings that were measured (docs/experiments): hidden games get sampled worlds, one tree each, open
ones a single tree, Oware alpha-beta with an endgame table. In Doppelkopf calls wait for the last possible moment,
worlds are drawn exactly and the last four tricks are solved. Calls and solos must beat their alternative on the same
worlds by a margin, because open cards and random playouts flatter the one who takes the risk.
"""

from __future__ import annotations

from dataclasses import dataclass

from kiebitz._core import Game, State, View
from kiebitz.agents.analysis import AnalysisLike
from kiebitz.agents.base import Agent, create, register
from kiebitz.options import option
from kiebitz.spec import Spec, Value

_TREES: dict[str, dict[str, Value]] = {
    "doppelkopf": {
        "c": 2.5,
        "scale": Spec("siblings"),
        "expand": Spec("all"),
        "tree_calls": Spec("none"),
        "playout_calls": Spec("none"),
        "class_share": 0.5,
    }
}
OWARE_NODES = 25
"""Positions of alpha-beta that take as long as a simulation of Oware."""
_WORLDS: dict[str, dict[str, Value]] = {"doppelkopf": {"care": 0.5, "margin": 0.7, "bid_margin": 1.0, "exact_last": 16}}


def recommended(game: Game, iterations: int, worlds: int, *, calls: str = "last", solos: bool = True) -> Spec:
    """The search behind ``best``: iterations are those of one world.

    >>> import kiebitz as kb
    >>> str(recommended(kb.game("kuhn"), 100, 20))
    'pimc(uct(iterations=100), worlds=20, fusion=value)'
    >>> str(recommended(kb.game("nim"), 100, 20))
    'uct(iterations=2000)'
    """
    if game.name == "oware":
        return Spec.of("oware_master", nodes=OWARE_NODES * iterations * worlds)
    if not game.info.hidden:
        return Spec.of("uct", iterations=iterations * worlds)
    inner = Spec.of("uct", iterations=iterations, **_TREES.get(game.name, {}))
    options: dict[str, Value] = {"worlds": worlds, "fusion": Spec("value"), **_WORLDS.get(game.name, {})}
    if game.name in _TREES:
        options["calls"] = Spec(calls)
        if not solos:
            options["bids"] = False
    return Spec.of("pimc", inner, **options)


@dataclass(frozen=True)
class BestOptions:
    """Options of ``best``."""

    iterations: int = option(2_000, "simulations for each world", low=1, high=1_000_000)
    worlds: int = option(40, "sampled worlds; in open games it multiplies the iterations", low=1, high=10_000)
    threads: int = option(1, "threads that share the worlds; does not change the move", low=1, high=64)
    calls: bool = option(True, "make calls (Doppelkopf)")
    solos: bool = option(True, "play solos (Doppelkopf)")


@register("best")
class BestAgent(Agent):
    """The strongest untrained player there is for a game.

    >>> import kiebitz as kb
    >>> game = kb.game("doppelkopf")
    >>> view = game.new(seed=1).view(1)
    >>> view.name(kb.agent("best(iterations=100, worlds=5)", game).act(view))
    'healthy'
    """

    Options = BestOptions
    options: BestOptions

    def __init__(self, game: Game, options: BestOptions, seed: int = 0, cheating: bool = False) -> None:
        super().__init__(game, options, seed, cheating)
        calls = "last" if options.calls else "none"
        spec = recommended(game, options.iterations, options.worlds, calls=calls, solos=options.solos)
        if options.threads > 1 and spec.name != "oware_master":  # alpha-beta has no threads
            spec = Spec(spec.name, spec.args, (*spec.kwargs, ("threads", options.threads)))
        self.inner = create(spec, game, seed, cheating)

    def move(self, view: View) -> int:
        """As the search behind it."""
        return self._searching().move(view)

    def analyse(self, view: View) -> AnalysisLike:
        """As the search behind it."""
        return self._searching().analyse(view)

    def analyse_state(self, state: State) -> AnalysisLike:
        """As the search behind it."""
        return self._searching().analyse_state(state)

    def _searching(self) -> Agent:
        self.inner.stop = self.stop
        return self.inner
