"""What a review may say about a decision: who takes the trick, what it is worth, and whether a call stands."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from kiebitz._core import TERMINAL, State, View
from kiebitz.games.doppelkopf.situation import SEATS

WORLDS = 60
"""Worlds on which a trick or a game is played out."""
TELLING = 10.0
"""Per cent by which something must happen more often, or less, to be worth saying."""
EYES = 3.0
"""Eyes by which a trick must be worth more to be worth saying."""


@dataclass
class TrickFate:
    """What becomes of a trick on sampled worlds."""

    takers: Counter[int] = field(default_factory=Counter)
    own: int = 0
    """How often it goes to the player's side."""
    eyes: int = 0
    """Eyes that the player's side gains by it, those of the others counted as losses, over all worlds."""
    worlds: int = 0

    @property
    def share(self) -> float:
        """Per cent of the worlds in which the player's side takes it."""
        return 100 * self.own / self.worlds

    @property
    def worth(self) -> float:
        """Eyes that the trick brings on average."""
        return self.eyes / self.worlds

    @property
    def taker(self) -> tuple[int, float]:
        """Who takes it most often, and in how many per cent of the worlds."""
        seat, times = min(self.takers.items(), key=lambda each: (-each[1], each[0]))
        return seat, 100 * times / self.worlds


def trick_of(view: View, action: int, worlds: int = WORLDS, seed: int = 0) -> TrickFate:
    """What becomes of the trick after a card if the others then play by rules of thumb.

    >>> import kiebitz as kb
    >>> state = kb.game("doppelkopf").new(seed=7)
    >>> while state.phase != "card":
    ...     state.apply(state.parse("healthy" if state.phase == "reservation" else "pass"))
    >>> view = state.view(state.player)
    >>> trick_of(view, view.parse("♥A")).share > trick_of(view, view.parse("♦9")).share
    True
    """
    number, found = sum(view.public()["tricks_taken"]), TrickFate()
    for state in view.worlds(worlds, seed):
        sides = [state.view(seat).outline()["parties"][seat] for seat in range(SEATS)]
        state.apply(action)
        while sum((seen := state.view(view.observer).public())["tricks_taken"]) == number:
            _by_rule_of_thumb(state)
        taker = seen["last"]["taker"]
        own = taker == view.observer or (sides[taker] != "" and sides[taker] == sides[view.observer])
        found.takers[taker] += 1
        found.own += own
        found.eyes += seen["last"]["eyes"] if own else -seen["last"]["eyes"]
        found.worlds += 1
    return found


@dataclass(frozen=True)
class GameFate:
    """What becomes of a game on sampled worlds."""

    wins: float
    """In how many per cent of them the player's side wins; a call that is not kept loses."""
    eyes: float
    """What that side has in the end, on average."""


def game_of(view: View, action: int, worlds: int = WORLDS, seed: int = 0) -> GameFate:
    """What becomes of the game after an action if everybody then plays by rules of thumb.

    >>> import kiebitz as kb
    >>> state = kb.game("doppelkopf").new(seed=7)
    >>> view = state.view(state.player)
    >>> game_of(view, view.parse("healthy")).wins > game_of(view, view.parse("solo-trumpless")).wins
    True
    """
    won = eyes = 0
    for state in view.worlds(worlds, seed):
        state.apply(action)
        while state.player != TERMINAL:
            _by_rule_of_thumb(state)
        won += state.returns()[view.observer] > 0
        end = state.result()
        eyes += end["eyes_re" if view.observer in end["re"] else "eyes_kontra"]
    return GameFate(100 * won / worlds, eyes / worlds)


def _by_rule_of_thumb(state: State) -> None:
    state.apply(state.view(state.player).rule_of_thumb())
