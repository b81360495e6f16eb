"""pimc: perfect-information Monte Carlo, also called determinization.

Draws worlds from what the player knows, searches each with its own UCT tree as if all cards lay open, and fuses the
results. Strong in trick games; it can neither hide what it knows nor pay for information (see docs/strategy-fusion.md).
"""

from __future__ import annotations

from kiebitz._core import Game, State, View
from kiebitz.agents.base import register
from kiebitz.agents.guided import guides, guiding_megabytes
from kiebitz.agents.search import ViewSearchAgent, tree_megabytes
from kiebitz.agents.uct import UctOptions
from kiebitz.analysis import AnalysisLike
from kiebitz.beliefs import EXACT, HandBelief, WeightedWorlds, draw, python_belief
from kiebitz.errors import ParameterError, UnsuitableGame
from kiebitz.options import arguments, option, read, replace, search_options, write
from kiebitz.search import Pimc, Uct
from kiebitz.spec import Spec


@search_options("pimc", belief=EXACT)
class PimcOptions:
    """Options of ``pimc``."""

    inner: Spec = option(
        Spec("uct"), "the search of each world; its iterations are those of one world, its seconds those of all"
    )
    worlds: int
    belief: str
    threads: int
    leak: bool = option(False, "worlds keep everybody's true side: not fair, only inside cheat(...)", most=False)


@register("pimc")
class PimcAgent(ViewSearchAgent):
    """Searches sampled worlds as if all cards lay open and plays what is good in most of them."""

    Options = PimcOptions
    options: PimcOptions
    offered = 90

    def __init__(self, game: Game, options: PimcOptions, seed: int = 0, cheating: bool = False) -> None:
        super().__init__(game, options, seed, cheating)
        if options.inner.name != "uct":
            raise ParameterError(f"pimc: expected uct(...) as the search of each world, got {options.inner}")
        if options.leak and not cheating:
            raise UnsuitableGame("pimc: leak=true uses what nobody may know: write cheat(pimc(..., leak=true))")
        if options.leak and python_belief(options.belief) is not None:
            raise ParameterError(f"pimc: leak=true works with the beliefs of the game, got {options.belief}")
        self.uct: UctOptions = read(options.inner, UctOptions)
        self.options = replace(options, inner=write("uct", self.uct))
        self._guides = guides(self.uct, game)
        self._try_search()

    @classmethod
    def simulations(cls, options: PimcOptions) -> int:
        """Those of all worlds together."""
        return options.worlds * super().simulations(read(options.inner, UctOptions))

    @property
    def megabytes(self) -> float:
        """A tree for each thread, or in open games, and with nets, for each world."""
        trees = self.options.worlds if self._guides or not self.game.info.hidden else self.options.threads
        return trees * tree_megabytes(self.uct, self.game) + guiding_megabytes(self.uct)

    def search(self, view: View, seed: int) -> AnalysisLike:
        """The fused search of worlds drawn by the core, or by a belief written in Python."""
        made = python_belief(self.options.belief)
        if made is None:
            return super().search(view, seed)
        if isinstance(made, HandBelief):
            drawn = made.hands(view, self.options.worlds, seed)
            return self.view_search(seed).search_hands(view, drawn.hands, drawn.weights, self.stop)
        batch = made.worlds(view, self.options.worlds, seed)
        return self.view_search(seed).search_worlds(view, batch.worlds, batch.weights, self.stop)

    def analyse_state(self, state: State) -> AnalysisLike:
        """With ``leak`` the worlds have the true sides; otherwise only the view of the player is used."""
        view = state.view(state.player)
        if not self.options.leak or not self.game.info.hidden:
            return self.analyse(view)
        self._check_turn(view.player, view.observer)
        return self.view_search(self.seed_for(view)).search_state(state, self.stop)

    def worlds(self, view: View) -> WeightedWorlds:
        """The worlds that this agent looks at in a view."""
        return draw(view, self.options.worlds, self.seed_for(view), self.options.belief)

    def view_search(self, seed: int) -> Pimc:
        """A tree for each world, fused."""
        given = arguments(self.options)
        if python_belief(self.options.belief) is not None:
            del given["belief"]
        return Pimc(Uct(self.game, **{**arguments(self.uct), **self._guides}), seed=seed, **given)

    def open_search(self, seed: int) -> Uct:
        """Where nothing is hidden all worlds are the same: one tree for each of them, added up."""
        given = {**arguments(self.uct), **self._guides}
        for budget in ("iterations", "nodes"):
            if budget in given:
                given[budget] *= self.options.worlds
        streams = min(self.options.worlds, 256)
        return Uct(self.game, **{**given, "streams": streams, "threads": self.options.threads, "seed": seed})
