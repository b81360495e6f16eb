"""What is known of a state and to whom: public facts, phases, secret rounds, hands and beliefs to show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from kiebitz._core import Game, State, View

if TYPE_CHECKING:
    from kiebitz.games.scene import Scene

Public = dict[str, Any]
Hands = list[list[str]]
"""What each seat holds, by codes of cards or faces of dice."""

MOST_DEALS = 20_000
"""Deals that are counted one by one."""
SAMPLED = 200
"""Worlds to estimate from where there are more deals than that."""


@dataclass(frozen=True)
class SecretRound:
    """Seats that are asked at the same time, as far as everybody knows; their answers stay hidden until all are there.

    The rules may ask only some of them, or nobody: who is asked would tell what they hold.
    """

    phase: str
    able: tuple[int, ...]
    decline: int
    """The action of a seat that has nothing to say."""
    decline_name: str


@dataclass(frozen=True)
class Beliefs:
    """For each card, or face of a die, the probability that a seat holds at least one of it."""

    cards: dict[str, list[float]]
    exact: bool
    given: Literal["rules", "deal"]
    """What they take into account: all that the rules say about what was seen, or the deal alone."""


@dataclass(frozen=True)
class Facts:
    """What is known of a state and to whom: public facts, phases, secret rounds, hands and beliefs to show."""

    prompts: ClassVar[tuple[str, ...]] = ()
    """Phases in which a seat is asked a question instead of making a move."""

    # --- What everybody knows -----------------------------------------------------------------------------------------

    def public(self, scene: Scene) -> Public:
        """What everybody knows: of an open game the whole position, of a hidden one whose turn it is."""
        turn = self.turn(scene)
        if scene.game.info.hidden:
            return {"turn": turn}
        return {"position": scene.state.position(), "turn": turn, "text": str(scene.state)}

    def turn(self, scene: Scene) -> int | None:
        """Whose turn it is, if everybody knows."""
        player, seats = scene.state.player, range(scene.game.info.players)
        if player < 0 or (scene.game.info.hidden and any(scene.view(seat).player != player for seat in seats)):
            return None
        return player

    def phase(self, scene: Scene) -> str:
        """The phase of a game that runs, outside secret rounds; ``move`` where not everybody knows it."""
        if not scene.game.info.hidden:
            return scene.state.phase
        phases = {scene.view(seat).phase for seat in range(scene.game.info.players)}
        return phases.pop() if len(phases) == 1 else "move"

    def text(self, view: View) -> str | None:
        """A view as text, for pages that do not draw the game; None where they do."""
        return str(view)

    # --- Secret rounds ------------------------------------------------------------------------------------------------

    def round(self, scene: Scene) -> SecretRound | None:
        """The secret round that comes before the next public action, if there is one as far as everybody knows."""
        del scene
        return None

    def asks(self, state: State) -> bool:
        """Whether the rules ask somebody in a secret round now. Hidden: nobody outside may learn it."""
        del state
        return False

    def if_asked(self, view: View) -> View | None:
        """The view as if the rules asked its observer now; None if the observer has nothing to say."""
        del view
        return None

    def unasked(self, view: View) -> View:
        """The view as if the rules asked nobody."""
        return view

    def round_fields(self, scene: Scene, seat: int, asked: View | None) -> dict[str, Any]:
        """The fields of a seat's view in a secret round, whomever the rules ask; ``asked`` is its view as if asked."""
        return (asked or scene.view(seat)).fields()

    # --- Actions ------------------------------------------------------------------------------------------------------

    def code(self, view: View, action: int) -> str:
        """An action in the letters that pages know, such as the code of a card."""
        return view.name(action)

    def refusal(self, state: State, action: int) -> str | None:
        """The rule that an illegal action would break; None if there is no more to say than that it is illegal."""
        del state, action
        return None

    def place(self, view: View) -> dict[str, Any]:
        """Where in the game a decision stands, in words of the game; empty where the number of the move says it all."""
        del view
        return {}

    # --- Hidden hands -------------------------------------------------------------------------------------------------

    def holdings(self, game: Game) -> list[str]:
        """All that a hand may hold: codes of cards, faces of dice; empty where there are no hands."""
        del game
        return []

    def hands(self, state: State) -> Hands:
        """What each seat holds in a world, for games with `holdings`."""
        raise NotImplementedError(f"{state.game.name} has no hands")

    def deals(self, view: View) -> list[State] | None:
        """Every world that the view allows, all equally likely by the deal; None if there are too many to count."""
        del view
        return None

    def beliefs(self, view: View, seed: int) -> Beliefs:
        """The hidden hands of a view as probabilities: counted where all deals are known, else estimated."""
        counted = self.deals(view)
        hands = [self.hands(state) for state in (view.worlds(SAMPLED, seed) if counted is None else counted)]
        seats = range(view.game.info.players)
        cards = {
            each: [sum(each in held[seat] for held in hands) / len(hands) for seat in seats]
            for each in self.holdings(view.game)
        }
        return Beliefs(cards, counted is not None, "deal")


def matching(view: View, field: str, deals: Iterable[Sequence[int]]) -> list[State]:
    """The worlds of a view in which the hidden ``field`` of the position is one of these deals.

    >>> import kiebitz as kb
    >>> view = kb.game("kuhn").deal(["Q", "J"], start=0).view(0)
    >>> [state.position()["cards"] for state in matching(view, "cards", [[0, 1], [1, 0], [1, 2]])]
    [[1, 0], [1, 2]]
    """
    position = view.sample(0).position()
    states = (view.game.load({**position, field: list(deal)}) for deal in deals)
    return [state for state in states if state.view(view.observer) == view]
