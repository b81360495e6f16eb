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
from kiebitz.games import declaration_of
from kiebitz.options import option, search_option
from kiebitz.spec import Spec, parse


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


@dataclass(frozen=True)
class BestOptions:
    """Options of ``best``."""

    iterations: int = option(2_000, "simulations for each world", low=1, high=1_000_000, most=20_000)
    worlds: int = search_option(
        "pimc", "worlds", default=40, help="sampled worlds; in open games it multiplies the iterations", high=10_000
    )
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
    """

    Options = BestOptions
    options: BestOptions
    offered = 100

    def __init__(self, game: Game, options: BestOptions, seed: int = 0, cheating: bool = False) -> None:
        super().__init__(game, options, seed, cheating)
        calls = "last" if options.calls else "none"
        spec = recommended(game, options.iterations, options.worlds, calls=calls, solos=options.solos)
        if options.threads > 1 and any(known.name == "threads" for known in agent_options(spec.name)):
            spec = spec.having(threads=options.threads)
        self.inner = create(spec, game, seed, cheating)

    @classmethod
    def simulations(cls, options: BestOptions) -> int:
        """Those of all worlds together."""
        return options.iterations * options.worlds

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
