"""What a table is made of and what changes it, as it is stored: seats, options, the start of a game, events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from kiebitz._core import Game

PERSON, OPEN, BOT = "person", "open", "bot"


@dataclass(frozen=True)
class Seat:
    """A seat: held by a person or a bot, or still open. ``token`` is the SHA-256 of the token that proves it."""

    kind: str
    name: str
    strength: str | None = None
    spec: str | None = None
    token: str | None = None


@dataclass(frozen=True)
class Options:
    """What was agreed on when the table was opened."""

    fair: bool = False
    open: bool = False
    games: int | None = 1
    pace_ms: int = 600
    language: str | None = None
    alternate: bool = False
    """Whether two players change seats from game to game, so that each begins every other one."""
    chat: bool = True
    """Whether persons can write to each other."""
    clock_seconds: int | None = None
    """Thinking time of each person in a game; None: as long as they like."""
    increment_seconds: int = 0
    """Thinking time that every action adds."""


@dataclass(frozen=True)
class Start:
    """The position of an earlier game that a game goes on from. Hidden: it has the whole deal."""

    actions: list[int]
    """From the beginning, or from a saved position, chance included."""
    position: dict[str, Any] | None = None


@dataclass(frozen=True)
class Event:
    """One change of a running game, as it is stored. At a table with thinking time, ``data`` says when that was.

    ``act``: a seat's action, public. ``answer``: what a person said in a secret round. ``resolve``: the end of a secret
    round, with what the bots said. ``seats``: who sits where from now on. ``ask``: somebody wants to take back a move,
    and who agrees; nobody any more if that is empty. ``undo``: a seat's last action is taken back, and all after it.
    ``kibitz``: the seats that want the kibitz panel. ``pace``: how fast bots move from now on, and whether they wait.
    ``rematch``: the seats that want another series. ``resign``: a seat gives up this game; if that does not end it, the
    agent that plays on for the seat.
    """

    kind: str
    seat: int | None = None
    action: int | None = None
    data: dict[str, Any] = field(default_factory=dict)


def why_closed(game: Game, options: Options, seats: Sequence[Seat]) -> str | None:
    """Why not everything may be shown to spectators while a game runs; None where it may.

    Everybody can be a spectator in a second window, players included.

    >>> import kiebitz as kb
    >>> print(why_closed(kb.game("kuhn"), Options(open=True), [Seat("person", "Ada"), Seat("bot", "Bot 2")]))
    None
    """
    if not game.info.hidden:
        return None
    if options.fair:
        return "a fair table with hidden cards or dice cannot be open: players could watch all hands"
    if sum(seat.kind != BOT for seat in seats) > 1:
        return "with hidden cards or dice a table of two persons or more cannot be open: they could watch all hands"
    return None
