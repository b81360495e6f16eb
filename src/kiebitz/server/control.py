"""What steers a table beside the moves: taking back, giving up, the kibitz against others, how fast bots move.

`Control` is the state of it, changed by events alone. The functions check what somebody asks for and return the event.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from kiebitz.server.errors import TableError
from kiebitz.server.events import BOT, Event

if TYPE_CHECKING:
    from kiebitz.server.table import ServerTable


@dataclass(frozen=True)
class GivenUp:
    """When a seat gave up a game, counted in actions before, the agent that plays on for it, and whether its time was
    up."""

    ply: int
    spec: str
    late: bool = False


@dataclass
class Control:
    """Who wants what at a table, and how fast its bots move."""

    pace_ms: int
    paused: bool = False
    """Whether bots wait until somebody lets them go on."""
    undoing: list[int] = field(default_factory=list)
    """The seats that want an action to be taken back; the first is the one whose action it is."""
    kibitzing: list[int] = field(default_factory=list)
    """The persons who want the kibitz panel in this game although others play."""

    rematching: list[int] = field(default_factory=list)
    """The persons who want another series."""
    resigned: dict[int, GivenUp] = field(default_factory=dict)
    """The seats that have given up this game, in order."""

    def apply(self, event: Event) -> bool:
        """Makes a change that was checked; false if the event steers nothing."""
        if event.kind == "ask":
            self.undoing = [int(seat) for seat in event.data["seats"]]
        elif event.kind == "kibitz":
            self.kibitzing = [int(seat) for seat in event.data["seats"]]
        elif event.kind == "rematch":
            self.rematching = [int(seat) for seat in event.data["seats"]]
        elif event.kind == "pace":
            self.pace_ms, self.paused = int(event.data["pace_ms"]), bool(event.data["paused"])
        else:
            return False
        return True

    def forget(self) -> None:
        """Drops what other persons agreed on."""
        self.undoing, self.kibitzing, self.rematching = [], [], []

    def taken_back(self, ply: int) -> None:
        """Actions were taken back, so that there are ``ply`` now; who has given up stays so."""
        self.undoing = []
        self.resigned = {seat: replace(each, ply=min(ply, each.ply)) for seat, each in self.resigned.items()}


def undo(table: ServerTable, seat: int, version: int) -> Event:
    """Somebody wants to take back their last action, or agrees that another does; it is taken back once all persons
    agree."""
    table.check_version(version)
    if table.over:
        raise TableError("game_over", "the game is over")
    undoing = table.control.undoing
    wanted = [*undoing, *(() if seat in undoing else (seat,))]
    if not may_undo(table, wanted[0]):
        raise TableError("wrong_turn", "there is nothing to take back")
    if set(_playing(table)) <= set(wanted):
        return Event("undo", wanted[0])
    return Event("ask", seat, data={"seats": wanted})


def _playing(table: ServerTable) -> list[int]:
    """The persons who have not given up this game: whoever has is not asked any more."""
    return [seat for seat in table.persons() if seat not in table.control.resigned]


def keep(table: ServerTable, seat: int, version: int) -> Event:
    """Somebody does not want an action to be taken back, or no longer."""
    table.check_version(version)
    if not table.control.undoing:
        raise TableError("wrong_turn", "nobody wants to take back anything")
    return Event("ask", seat, data={"seats": []})


def may_undo(table: ServerTable, seat: int | None) -> bool:
    """Whether a seat has an action to take back."""
    if table.over or seat is None or seat in table.control.resigned:
        return False
    return table.last_act(seat) is not None


def resign(table: ServerTable, seat: int, game: int, spec: str, *, late: bool = False) -> Event:
    """Somebody gives up a game, or their time is up: it is lost, or an agent plays on for the seat, as the game
    declares."""
    if table.over or game != table.number:
        raise TableError("game_over", "the game is over")
    if seat in table.control.resigned:
        raise TableError("wrong_turn", "you have given up this game already")
    return Event("resign", seat, data={"ply": len(table.state.history), "spec": spec, "late": late})


def may_resign(table: ServerTable, seat: int | None) -> str | None:
    """What giving up would mean for a seat: the ``loss`` of the game, or a ``bot`` that plays on; None if it cannot."""
    if table.over or seat is None or seat in table.control.resigned:
        return None
    return "bot" if table.loss_of(seat) is None else "loss"


def want_kibitz(table: ServerTable, seat: int, wanted: bool) -> Event:
    """Somebody wants the kibitz panel in this game, or no longer."""
    return Event("kibitz", seat, data={"seats": _with(table.control.kibitzing, seat, wanted)})


def _with(seats: list[int], seat: int, wanted: bool) -> list[int]:
    rest = [each for each in seats if each != seat]
    return [*rest, seat] if wanted else rest


def rematch(table: ServerTable, seat: int, wanted: bool) -> Event:
    """Somebody wants another series after the last game of one, or no longer."""
    if not table.finished:
        raise TableError("game_runs", "the series is not over")
    return Event("rematch", seat, data={"seats": _with(table.control.rematching, seat, wanted)})


def all_rematch(table: ServerTable) -> bool:
    """Whether all persons want another series; bots always do."""
    return table.finished and set(table.persons()) <= set(table.control.rematching)


def why_quiet(table: ServerTable) -> str | None:
    """Why the kibitz panel is off; None where it may be asked. The same for spectators: a player may be one in a second
    window."""
    if table.over:
        return None
    if table.options.fair:
        return "at a fair table the kibitz panel is off while a game runs"
    persons = _playing(table)
    if len(persons) > 1 and not set(persons) <= set(table.control.kibitzing):
        return "against other persons the kibitz panel is off while a game runs, unless all of them want it"
    return None


def steers(table: ServerTable, seat: int | None, owner: bool) -> bool:
    """Whether somebody decides alone how fast bots move: the only person, or the owner where bots play alone."""
    people = [i for i, each in enumerate(table.seats) if each.kind != BOT]
    return people == [seat] if people else owner


def pace(table: ServerTable, pace_ms: int | None, paused: bool | None) -> Event:
    """How fast bots move from now on, and whether they wait; None leaves it as it is."""
    now = table.control
    return Event(
        "pace",
        data={
            "pace_ms": now.pace_ms if pace_ms is None else pace_ms,
            "paused": now.paused if paused is None else paused,
        },
    )


def carried(table: ServerTable) -> list[Event]:
    """What stays as it is from one game to the next, as events of the next."""
    now = table.control
    usual = now.pace_ms == table.options.pace_ms and not now.paused
    return [] if usual else [pace(table, None, None)]


def control_part(table: ServerTable, seat: int | None) -> dict[str, Any]:
    """What a snapshot says of all this."""
    now = table.control
    return {
        "undo": may_undo(table, seat),
        "undoing": now.undoing,
        "resign": may_resign(table, seat),
        "resigned": list(now.resigned),
        "rematching": now.rematching,
        "kibitz": why_quiet(table) is None,
        "kibitzing": now.kibitzing,
        "pace_ms": now.pace_ms,
        "paused": now.paused,
    }
