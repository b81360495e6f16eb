"""What is known of a state and to whom: public facts, phases, secret rounds, hands and beliefs to show.

The facts themselves come from the rules (``view.public()``, ``view.outline()``, ``view.beliefs()``); a declaration says
how they are shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from kiebitz._core import State, View

if TYPE_CHECKING:
    from kiebitz.games.scene import Scene

Public = dict[str, Any]
Hands = list[list[str]]
"""The hand of each seat, by codes of cards or faces of dice."""


@dataclass(frozen=True)
class SecretRound:
    """Seats that may be asked at the same time, judging by public facts; answers stay hidden until all are there.

    The rules may ask only some of them, or nobody: being asked would reveal what a seat holds.
    """

    phase: str
    able: tuple[int, ...]
    decline: int
    """The action of a seat that has nothing to say."""
    decline_name: str


@dataclass(frozen=True)
class Facts:
    """What is known of a state and to whom: public facts, phases, secret rounds, hands and beliefs to show."""

    drawn: bool = False
    """Whether pages draw the game from its facts; otherwise they get views and open positions as text."""
    prompts: tuple[str, ...] = ()
    """Phases in which a seat is asked a question instead of making a move."""
    secret_phase: str = ""
    """The phase in which the rules ask seats in secret, for games whose public facts say who is ``asked``."""
    decline_name: str = "pass"
    """The name of the action that declines in that phase."""
    given: Literal["rules", "deal"] = "deal"
    """What beliefs take into account: all that the rules say about what was seen, or the deal alone."""

    # --- What everybody knows -----------------------------------------------------------------------------------------

    def public(self, scene: Scene) -> Public:
        """What everybody knows. Where pages do not draw the game: also whose turn it is, and of an open game the
        position as text."""
        if self.drawn:
            return scene.known
        text = {} if scene.game.info.hidden else {"text": str(scene.state)}
        return {**scene.known, "turn": self.turn(scene), **text}

    def turn(self, scene: Scene) -> int | None:
        """Whose turn it is, if everybody knows."""
        player, seats = scene.state.player, range(scene.game.info.players)
        if player < 0 or not scene.game.info.hidden:
            return player if player >= 0 else None
        if "turn" in scene.known:
            turn = scene.known["turn"]
            return turn if isinstance(turn, int) else None
        return player if all(scene.view(seat).player == player for seat in seats) else None

    def phase(self, scene: Scene) -> str:
        """The phase of a game that runs, outside secret rounds; ``move`` where not everybody knows it."""
        if not scene.game.info.hidden:
            return scene.state.phase
        if self.secret_phase:
            return scene.some_view.unasked().phase
        phases = {scene.view(seat).phase for seat in range(scene.game.info.players)}
        return phases.pop() if len(phases) == 1 else "move"

    # --- Secret rounds ------------------------------------------------------------------------------------------------

    def round(self, scene: Scene) -> SecretRound | None:
        """The secret round that comes before the next public action, if public facts allow one."""
        able, decline = scene.known.get("asked"), scene.game.info.decline
        if not self.secret_phase or not able or decline is None:
            return None
        return SecretRound(self.secret_phase, tuple(able), decline, self.decline_name)

    def asks(self, state: State) -> bool:
        """Whether the rules ask somebody in a secret round now. Hidden: nobody outside may learn it."""
        return bool(self.secret_phase) and state.phase == self.secret_phase

    def round_fields(self, scene: Scene, seat: int, asked: View | None) -> dict[str, Any]:
        """The fields of a seat's view in a secret round, whomever the rules ask; ``asked`` is its view as if asked."""
        return (asked or scene.view(seat).unasked()).fields()

    # --- Actions ------------------------------------------------------------------------------------------------------

    def code(self, view: View, action: int) -> str:
        """An action in the letters that pages know, such as the code of a card."""
        return view.name(action)

    def place(self, view: View) -> dict[str, Any]:
        """Where in the game a decision stands, in terms of the game; empty if its number says all there is."""
        del view
        return {}

    # --- Hidden hands -------------------------------------------------------------------------------------------------

    def hands(self, state: State) -> Hands:
        """What each seat holds in a world."""
        seats = range(state.game.info.players)
        return [" ".join(state.view(seat).outline()["hand"]).split() for seat in seats]

    def beliefs(self, view: View) -> dict[str, list[float]]:
        """For each card, or face of a die, the probability that a seat holds at least one of it."""
        cards: dict[str, list[float]] = view.beliefs()["cards"]
        return cards
