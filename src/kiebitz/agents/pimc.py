"""pimc: perfect-information Monte Carlo, also called determinization.

Draws worlds from what the player knows, searches each with its own UCT tree as if all cards lay open, and fuses the
results. Strong in trick games; it can neither hide what it knows nor pay for information (see docs/strategy-fusion.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kiebitz._core import Game, State, View
from kiebitz.agents.analysis import AnalysisLike
from kiebitz.agents.base import register
from kiebitz.agents.search import CALLS, ViewSearchAgent
from kiebitz.agents.uct import UctOptions, arguments
from kiebitz.beliefs import EXACT, Batch, draw, python_belief
from kiebitz.errors import ParameterError, UnsuitableGame
from kiebitz.options import option, read, write
from kiebitz.search import Pimc, Uct
from kiebitz.spec import Spec


@dataclass(frozen=True)
class PimcOptions:
    """Options of ``pimc``."""

    inner: Spec = option(  # noqa: RUF009 (it makes a field)
        Spec("uct"), "the search of each world; its iterations are those of one world, its seconds those of all"
    )
    worlds: int = option(25, "sampled worlds", low=1, high=100_000)
    fusion: str = option(
        "average",
        "how worlds decide: mean share of visits, sum of ranks, sum of visits or mean value",
        choices=("average", "rank", "visits", "value"),
    )
    belief: str = option(EXACT, "how worlds are drawn; see kiebitz.beliefs")
    threads: int = option(1, "threads that share the worlds; does not change the move", low=1, high=64)
    care: float = option(
        0.0, "standard errors by which a risky action (a call, a solo) must beat the best other one", low=0, high=1000
    )
    margin: float = option(0.0, "payoff by which a call must be better besides", low=0, high=1e6)
    bid_margin: float = option(0.0, "the same for other risky actions (solos)", low=0, high=1e6)
    calls: str = option("all", "declarations considered: all, at the last possible moment, or none", choices=CALLS)
    bids: bool = option(True, "consider other risky actions (solos)")
    exact_last: int = option(0, "solve worlds exactly when so few actions are left", low=0, high=32)
    leak: bool = option(False, "worlds keep everybody's true side: not fair, only inside cheat(...)")


@register("pimc")
class PimcAgent(ViewSearchAgent):
    """Searches sampled worlds as if all cards lay open and plays what is good in most of them."""

    Options = PimcOptions
    options: PimcOptions

    def __init__(self, game: Game, options: PimcOptions, seed: int = 0, cheating: bool = False) -> None:
        super().__init__(game, options, seed, cheating)
        if options.inner.name != "uct":
            raise ParameterError(f"pimc: expected uct(...) as the search of each world, got {options.inner}")
        if options.leak and not cheating:
            raise UnsuitableGame("pimc: leak=true uses what nobody may know: write cheat(pimc(..., leak=true))")
        if options.leak and python_belief(options.belief) is not None:
            raise ParameterError(f"pimc: leak=true works with the beliefs of the game, got {options.belief}")
        self.uct: UctOptions = read(options.inner, UctOptions)
        self.options = PimcOptions(**{**vars(options), "inner": write("uct", self.uct)})
        self._try_search()

    @property
    def pure(self) -> bool:
        """False with a time budget."""
        return self.uct.seconds is None

    def search(self, view: View, seed: int) -> AnalysisLike:
        """The fused search of the worlds that the core draws, or that a belief written in Python hands over."""
        if python_belief(self.options.belief) is None:
            return super().search(view, seed)
        batch = self.worlds(view)
        return self.view_search(seed).search_worlds(view, batch.worlds, batch.weights, self.stop)

    def analyse_state(self, state: State) -> AnalysisLike:
        """With ``leak`` the true sides are used, else the state is looked at only through the player's eyes."""
        view = state.view(state.player)
        if not self.options.leak or not self.game.info.hidden:
            return self.analyse(view)
        self._check_turn(view.player, view.observer)
        return self.view_search(self.seed_for(view)).search_state(state, self.stop)

    def worlds(self, view: View) -> Batch:
        """The worlds that this agent looks at in a view."""
        return draw(view, self.options.worlds, self.seed_for(view), self.options.belief)

    def view_search(self, seed: int) -> Pimc:
        """A tree for each world, fused."""
        options = self.options
        return Pimc(
            Uct(self.game, **arguments(self.uct)),
            worlds=options.worlds,
            threads=options.threads,
            seed=seed,
            fusion=options.fusion,
            belief=options.belief if python_belief(options.belief) is None else "",
            care=options.care,
            margin=options.margin,
            bid_margin=options.bid_margin,
            calls=options.calls,
            bids=options.bids,
            exact_last=options.exact_last,
        )

    def open_search(self, seed: int) -> Uct:
        """Where nothing is hidden all worlds are the same: as many trees of it as there would be worlds."""
        given: dict[str, Any] = arguments(self.uct)
        for budget in ("iterations", "nodes"):
            if budget in given:
                given[budget] *= self.options.worlds
        streams = min(self.options.worlds, 256)
        return Uct(self.game, **{**given, "streams": streams, "threads": self.options.threads, "seed": seed})
