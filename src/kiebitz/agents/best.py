"""best: the strongest player without training that Kiebitz has for a game, under one short name.

Each game declares which search that is, with settings that were measured (``kiebitz.games.declaration``). Without a
declaration hidden games get sampled worlds with one tree each, open games a single tree.
"""

from __future__ import annotations

from dataclasses import dataclass

from kiebitz._core import Game, State, View
from kiebitz.agents.base import Agent, agent_options, create, register
from kiebitz.agents.pimc import PimcAgent
from kiebitz.agents.uct import UctAgent
from kiebitz.analysis import AnalysisLike
from kiebitz.errors import BudgetError
from kiebitz.games import declaration_of
from kiebitz.options import option, search_option
from kiebitz.spec import Spec, parse

ITERATIONS = 2_000
"""Simulations for each world where no budget is given."""
COUNTS = ("iterations", "nodes")
"""Budgets that are not times."""


def recommended(game: Game, iterations: int, worlds: int, *, calls: str = "last", solos: bool = True) -> Spec:
    """The search behind ``best``: `iterations` for each of `worlds` sampled worlds.

    >>> import kiebitz as kb
    >>> str(recommended(kb.game("kuhn"), 100, 20))
    'pimc(uct(iterations=100), worlds=20, fusion=value)'
    >>> str(recommended(kb.game("nim"), 100, 20))
    'uct(iterations=2000)'
    """
    spec = parse(declaration_of(game).players.search(game, iterations, worlds))
    if game.info.hidden and game.info.calls:
        spec = spec.having(calls=Spec(calls))
    return spec if solos or not game.info.hidden else spec.having(bids=False)


def _timed(spec: Spec, seconds: float, counted: bool) -> Spec:
    """The search with a budget in seconds, beside the one that it has or, unless that was asked for, in its place."""
    if spec.args and isinstance(spec.args[0], Spec):  # the search of each world
        return Spec(spec.name, (_timed(spec.args[0], seconds, counted), *spec.args[1:]), spec.kwargs)
    if all(known.name != "seconds" for known in agent_options(spec.name)):
        return spec  # it needs no time
    kept = tuple((name, value) for name, value in spec.kwargs if counted or name not in COUNTS)
    return Spec(spec.name, spec.args, kept).having(seconds=seconds)


@dataclass(frozen=True)
class BestOptions:
    """Options of ``best``."""

    iterations: int | None = option(
        None,
        f"simulations for each world; {ITERATIONS:,} where no budget is given",
        low=1,
        high=1_000_000,
        most=20_000,
        error=BudgetError,
    )
    worlds: int = search_option(
        "pimc", "worlds", default=40, help="sampled worlds; in open games it multiplies the iterations", high=10_000
    )
    seconds: float | None = search_option("uct", "seconds")
    threads: int = search_option("pimc", "threads")
    calls: bool = option(True, "make announcements, in games that have them")
    solos: bool = option(True, "play solos, in games that have them")


@register("best")
class BestAgent(Agent):
    """The strongest player without training that there is for a game.

    >>> import kiebitz as kb
    >>> game = kb.game("doppelkopf")
    >>> view = game.new(seed=1).view(1)
    >>> view.name(kb.agent("best(iterations=100, worlds=5)", game).act(view))
    'healthy'
    >>> kb.agent("best(seconds=2)", kb.game("nim")).inner.spec
    'uct(seconds=2.0)'
    """

    Options = BestOptions
    options: BestOptions
    offered = 100

    def __init__(self, game: Game, options: BestOptions, seed: int = 0, cheating: bool = False) -> None:
        super().__init__(game, options, seed, cheating)
        calls = "last" if options.calls else "none"
        iterations = options.iterations or ITERATIONS
        spec = recommended(game, iterations, options.worlds, calls=calls, solos=options.solos)
        if options.seconds is not None:
            spec = _timed(spec, options.seconds, counted=options.iterations is not None)
        if options.threads > 1 and any(known.name == "threads" for known in agent_options(spec.name)):
            spec = spec.having(threads=options.threads)
        self.inner = create(spec, game, seed, cheating)

    @classmethod
    def simulations(cls, options: BestOptions) -> int:
        """Those of all worlds together."""
        return (options.iterations or ITERATIONS) * options.worlds

    @property
    def megabytes(self) -> float:
        """As the search behind it."""
        return self.inner.megabytes

    @property
    def bounded_by(self) -> Agent:
        """Its own options bound a search that counts simulations; any other has bounds of its own."""
        return self if isinstance(self.inner, UctAgent | PimcAgent) else self.inner

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
