"""A table: seats, a running series of games, and the rules of who may do what when. No input or output, no clock.

Whatever changes a table is an `Event`. A method that is asked for a change checks it and returns the event; `apply`
makes the change. The caller stores the event in between, so that a table can be rebuilt by applying the stored events.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence
from typing import Any

from kiebitz import records
from kiebitz._core import Game, State, View
from kiebitz.games import declaration_of
from kiebitz.games.dealing import deal, draws_start, resume
from kiebitz.games.declaration.words import Line, did, phrase
from kiebitz.games.scene import Scene
from kiebitz.seeds import derive_seed
from kiebitz.server.catalogue import rules_can_be_chosen
from kiebitz.server.clocks import moved_on, new_clock
from kiebitz.server.control import Control, GivenUp, control_part
from kiebitz.server.errors import TableError
from kiebitz.server.events import BOT, OPEN, PERSON, Event, Options, Seat, Start, why_closed
from kiebitz.server.tokens import digest
from kiebitz.server.views import Lost, OpenRound, Role, prompt_part, snapshot_parts
from kiebitz.server.wishes import Wish, chosen_action
from kiebitz.server.words import log_lines

MOST_LOGGED = 200
PLAYED = ("act", "answer", "resolve")
"""Events that change the game itself."""


class ServerTable:
    """Seats around one game after the other.

    >>> import kiebitz as kb
    >>> seats = [Seat("person", "Ada", token=digest("secret")), Seat("bot", "Bot 1", spec="random")]
    >>> table = ServerTable("t", kb.game("nim"), Options(), seats, secret=1)
    >>> table.begin(1, seed=1)
    >>> table.apply(table.act(0, 0, version=table.version))
    >>> table.version, table.turn
    (2, 1)
    """

    def __init__(
        self, id: str, game: Game, options: Options, seats: Sequence[Seat], *, secret: int, owner: str | None = None
    ) -> None:
        self.id = id
        self.game = game
        self.options = options
        self.seats = list(seats)
        self.secret = secret
        """The source of the bots' seeds, so that their behaviour reveals nothing about the deal."""
        self.owner = owner
        """The SHA-256 of the owner's token, for a table that was opened without persons."""
        self.version = self._begun = 0
        self.number = self.place = 0
        """The game on the table: counted among all that were dealt here, and among those that count in the series."""
        self.seed = 0
        self.start: Start | None = None
        self.scores: list[list[float]] = []
        self.series = declaration_of(game).series
        self.results: list[dict[str, Any]] = []
        """The results of the games that count, as far as the series remembers them."""
        self.control = Control(options.pace_ms)
        self.clock = new_clock(options, len(seats))
        self._alternates = options.alternate and game.info.players == 2 and not draws_start(game)
        self._parts: dict[tuple[str, int | None], dict[str, Any]] = {}
        self._deal(game.new(seed=0))

    # --- A game of the series -----------------------------------------------------------------------------------------

    def begin(self, number: int, seed: int, start: Start | None = None) -> None:
        """Starts game ``number`` of the series, counted from 1; with ``start`` it goes on from there."""
        self.number, self.seed, self.start = number, seed, start
        self.place = len(self.results) + 1
        self.control.forget()
        self.control.resigned = {}
        self.clock = new_clock(self.options, len(self.seats))
        self._begin_again()
        self._changed()
        self._begun = self.version

    def _begin_again(self) -> None:
        if self.start is None:
            following = self.series.next(self.game, self.results, self.options.games)
            self._deal(deal(following.game, self.seed, following.start))
        else:
            dealt, *others = resume(self.game, self.seed, self.start.actions, self.start.position)
            self._deal(dealt)
            for state in others:
                self._act(state)
            self._next_round()

    def next_seats(self) -> list[Seat]:
        """Who sits where in the next game."""
        return self.seats[::-1] if self._alternates else list(self.seats)

    def turned(self, values: list[float], games: int) -> list[float]:
        """The values of the seats as they were so many games ago, for those who sit there now."""
        return values[::-1] if self._alternates and games % 2 else values

    def move_on(self) -> None:
        """Lets everybody take the seat of the next game, and their points with them."""
        self.seats = self.next_seats()
        self.scores = [self.turned(values, 1) for values in self.scores]

    def _deal(self, state: State) -> None:
        self.scene = Scene(state)
        self.round: OpenRound | None = None
        self._lines: list[Line] = []
        self.log: list[dict[str, Any]] = []
        self.history: list[str] = []
        self._played: list[Event] = []
        """What has been played in this game, to play it again up to what is taken back."""

    @property
    def state(self) -> State:
        """The state of the current game; only the table may change it."""
        return self.scene.state

    @property
    def over(self) -> bool:
        """Whether the game on the table has ended."""
        return self.scene.over or self.lost is not None

    def loss_of(self, seat: int) -> list[float] | None:
        """The payoffs if a seat gives up; None where that does not end the game."""
        return declaration_of(self.game).players.resignation(self.game, seat)

    @property
    def lost(self) -> Lost | None:
        """The seat that has lost this game by giving up, if any."""
        for seat in self.control.resigned:
            if not self.scene.over and (returns := self.loss_of(seat)) is not None:
                return Lost(seat, returns, self.control.resigned[seat].late)
        return None

    @property
    def finished(self) -> bool:
        """Whether the last game of the series has ended; after a rematch another series of that length follows."""
        games, counted = self.options.games, len(self.results)
        return self.over and games is not None and counted == self.place and counted % games == 0

    @property
    def ply(self) -> int:
        """Public changes of this game so far: unlike its actions, they reveal nothing about secret answers."""
        return self.version - self._begun

    @property
    def turn(self) -> int | None:
        """Whose turn it is; None in a secret round and at the end."""
        return None if self.round is not None or self.over else self.state.player

    def asked(self) -> list[int]:
        """The seats of persons, present or awaited, that still have to answer in a secret round."""
        if self.round is None:
            return []
        return [s for s in self.round.round.able if not self.bot_at(s) and self.round.asks(s)]

    def asked_bots(self) -> list[int]:
        """The bots that take part in a secret round, according to what is public."""
        return [] if self.round is None else [s for s in self.round.round.able if self.bot_at(s)]

    def bot_at(self, seat: int) -> bool:
        """Whether a bot plays a seat: its own, or that of a person who has given up this game."""
        return self.seats[seat].kind == BOT or seat in self.control.resigned

    def names(self) -> list[str]:
        """The names of the players; empty for open seats."""
        return [seat.name for seat in self.seats]

    def persons(self) -> list[int]:
        """The seats that somebody holds."""
        return [i for i, seat in enumerate(self.seats) if seat.kind == PERSON]

    def spec(self, seat: int) -> str:
        """The agent of the bot at a seat."""
        resigned = self.control.resigned.get(seat)
        return (resigned.spec if resigned else self.seats[seat].spec) or "random"

    def bot_seed(self, seat: int) -> int:
        """The seed of the bot at a seat in this game."""
        return derive_seed(self.secret, "bot", self.number, seat)

    def decision_view(self, seat: int) -> View | None:
        """The view of a seat that has something to decide now, as an agent takes it; None for any other."""
        if self.round is not None:
            return self.scene.view_if_asked(seat) if self.round.asks(seat) else None
        return self.scene.view(seat) if self.state.player == seat else None

    def knowledge(self, seat: int) -> View:
        """What a seat knows, whether it has to decide or not; in a secret round, not whom the rules ask."""
        if self.round is None:
            return self.scene.view(seat)
        return self.scene.view_if_asked(seat) or self.scene.view(seat).unasked()

    # --- What may be asked for ----------------------------------------------------------------------------------------

    def seat_of(self, proof: str) -> int | None:
        """The seat that the SHA-256 of a token proves; None for that of the owner. Raises TableError for any other."""
        seat = self.proved(proof)
        if seat is None and not (self.owner is not None and hmac.compare_digest(self.owner, proof)):
            raise TableError("foreign_token", "this token does not belong to a seat at this table")
        return seat

    def proved(self, proof: str | None) -> int | None:
        """The seat that the SHA-256 of a token proves now; None if it proves none."""
        if proof is None:
            return None
        for i, seat in enumerate(self.seats):
            if seat.token is not None and hmac.compare_digest(seat.token, proof):
                return i
        return None

    def act(self, seat: int, action: int | str | Wish, version: int) -> Event:
        """An action of a person: a move, or the answer in a secret round."""
        self.check_version(version)
        if self.over:
            raise TableError("game_over", "the game is over")
        if seat in self.control.resigned:
            raise TableError("wrong_turn", "you have given up this game: a bot plays on for you")
        if self.round is not None:
            if seat not in self.asked():
                raise TableError("wrong_turn", "you are not asked now")
            return Event("answer", seat, self._answer(self.round, seat, action))
        if self.state.player != seat:
            raise TableError("wrong_turn", "it is not your turn")
        return Event("act", seat, chosen_action(self.scene.view(seat), action))

    def _answer(self, asking: OpenRound, seat: int, action: int | str | Wish) -> int:
        """An answer in a secret round: a seat that has nothing to say can still decline."""
        view, declining = self.scene.view_if_asked(seat), asking.round
        if view is not None:
            return chosen_action(view, action)
        if action in (declining.decline, declining.decline_name):
            return declining.decline
        raise TableError("illegal_action", f"you have nothing to say here; expected {declining.decline_name}")

    def bot_act(self, seat: int, action: int, note: str | None = None) -> Event:
        """A bot's move."""
        assert self.round is None
        assert self.state.player == seat
        return Event("act", seat, action, {"note": note} if note else {})

    def resolve(self, answers: Mapping[int, int]) -> Event:
        """The end of a secret round, with what the bots answered."""
        assert self.round is not None
        assert self.clock is not None or not self.asked()  # with thinking time, who does not answer declines
        return Event("resolve", data={"answers": {str(seat): action for seat, action in answers.items()}})

    def sit(self, seat: int, name: str, token: str) -> Event:
        """Somebody claims an open seat."""
        if not 0 <= seat < len(self.seats):
            raise TableError("not_found", f"there is no seat {seat}; expected 0 to {len(self.seats) - 1}")
        if self.seats[seat].kind != OPEN:
            raise TableError("seat_taken", "this seat is taken")
        return self._seated(seat, Seat(PERSON, name, token=digest(token)))

    def stand(self, seat: int, strength: str, spec: str) -> Event:
        """Somebody gets up; a bot takes over, so that the others can go on."""
        return self._seated(seat, Seat(BOT, f"Bot {seat + 1}", strength, spec))

    def _seated(self, seat: int, who: Seat) -> Event:
        seats = [who if i == seat else other for i, other in enumerate(self.seats)]
        return Event("seats", data={"seats": [vars(each) for each in seats]})

    def check_version(self, version: int) -> None:
        """Refuses what was decided on an older state of the table."""
        if version != self.version:
            raise TableError(
                "stale_version", f"the table has changed: expected version {self.version}, got {version}; look again"
            )

    def check_next(self, seat: int | None) -> None:
        """Whether the next game of the series may begin; ``seat`` is None for the owner."""
        if not self.over:
            raise TableError("game_runs", "the game is not over")
        if self.finished:
            raise TableError("series_over", "this was the last game of the series")
        if seat is None and self.persons():
            raise TableError("foreign_token", "the persons at this table decide when to go on")

    # --- Changes ------------------------------------------------------------------------------------------------------

    def after(self, event: Event) -> State | None:
        """The state that an action leads to, for `apply`; None for events that are no public action."""
        if event.kind != "act" or event.action is None:
            return None
        state = self.state.copy()
        state.apply(event.action)
        return state

    def apply(self, event: Event, after: State | None = None) -> None:
        """Makes a change that was checked; ``after`` is what `after` found, if it was asked before."""
        self.clock = moved_on(self.clock, event)
        if event.kind in PLAYED:
            self._play(event, after)
        elif event.kind == "seats":
            self.seats = [Seat(**seat) for seat in event.data["seats"]]
            self.control.forget()
            names = self.names()
            self.log = [line.told(names) for line in self._lines]
            self._changed()
        elif event.kind == "undo":
            self._undo(event.seat)
        elif event.kind == "resign":
            self._resign(event)
        elif self.control.apply(event):
            self._changed()
        else:
            raise ValueError(f"unknown event '{event.kind}'")

    def _play(self, event: Event, after: State | None = None) -> None:
        self._played.append(event)
        if event.kind == "act":
            after = after or self.after(event)
            assert after is not None
            if event.seat in self.persons():
                self.control.undoing = []  # a person who plays on does not agree
            self._act(after)
            if event.data.get("note"):
                assert event.seat is not None
                text = str(event.data["note"])
                self._write([did(event.seat, "note", phrase(text, _NOTES.get(text, text)))])
        elif event.kind == "answer":
            assert self.round is not None
            assert event.seat is not None
            assert event.action is not None
            self.round.answers[event.seat] = event.action
            for reader in (("seat", event.seat), ("all", None)):  # the version stays: nobody else may notice
                self._parts.pop(reader, None)
        else:
            self._resolve({int(seat): int(action) for seat, action in event.data["answers"].items()})

    def _act(self, after: State) -> None:
        before, self.scene = self.scene, Scene(after)
        if not self.game.info.hidden:
            name = before.state.name(after.history[len(before.state.history)])
            self.history = [*self.history, name]
        self._write(log_lines(before, self.scene))
        self._next_round()
        if self.over:
            self.add(list(after.returns()), after.result() if self.series.remembers(self.game) else {})
        self._changed()

    def add(self, scores: list[float], result: dict[str, Any]) -> None:
        """Writes down a finished game; its result is needed where the series remembers it."""
        self.scores.append(scores)
        if self.series.counts(result):
            self.results.append(result)

    def last_act(self, seat: int | None) -> int | None:
        """Where in this game a seat last acted."""
        acts = (i for i, event in enumerate(self._played) if event.kind == "act" and event.seat == seat)
        return max(acts, default=None)

    def _undo(self, seat: int | None) -> None:
        """Returns to where a seat last decided. The game is played again up to there, a few milliseconds: to keep every
        position would take half a megabyte for a table of cards."""
        version, played = self.version, self._played[: self.last_act(seat)]
        self._begin_again()
        for event in played:
            self._play(event)
        self.version = version
        self.control.taken_back(len(self.state.history))
        self._changed()

    def _resign(self, event: Event) -> None:
        seat = event.seat
        assert seat is not None
        late = bool(event.data.get("late"))
        self.control.resigned[seat] = GivenUp(int(event.data["ply"]), str(event.data["spec"]), late)
        self.control.undoing = []
        self._write([did(seat, "resign", _GONE[late, self.lost is None])])
        if self.lost:
            self.round = None
            self.add(self.lost.returns, {})
        self._changed()

    def _next_round(self) -> None:
        self.round = None if self.scene.round is None else OpenRound(self.scene.round)

    def _resolve(self, bots: Mapping[int, int]) -> None:
        """Hands the answers to the rules, which ask in their own order, up to the first seat that does not decline."""
        assert self.round is not None
        answers, decline = {**bots, **self.round.answers}, self.round.round.decline
        before, state = self.scene, self.state.copy()
        action = decline
        while before.facts.asks(state) and action == decline:
            action = answers.get(state.player, decline)
            action = action if action in state.legal() else decline
            state.apply(action)
        self.scene, self.round = Scene(state), None
        if action != decline:
            self._write(log_lines(before, self.scene))
            self._next_round()
        self._changed()

    def _write(self, lines: list[Line]) -> None:
        names = self.names()
        self._lines = (self._lines + lines)[-MOST_LOGGED:]
        self.log = (self.log + [line.told(names) for line in lines])[-MOST_LOGGED:]

    def _changed(self) -> None:
        self.version += 1
        self._parts.clear()

    # --- What is shown ------------------------------------------------------------------------------------------------

    def role(self, seat: int | None) -> Role:
        """What somebody may see: their own seat, everything at open tables, else what is public."""
        if seat is not None:
            return "seat"
        shown = self.over or why_closed(self.game, self.options, self.seats) is None
        return "all" if self.options.open and shown else "public"

    def snapshot(self, seat: int | None, connected: Sequence[int] = ()) -> dict[str, Any]:
        """The table as the holder of a seat, or a spectator, may see it."""
        role = self.role(seat)
        parts = self._parts.get((role, seat))
        if parts is None:
            acts = seat not in self.control.resigned
            parts = snapshot_parts(self.scene, role, seat, self.round, self.names(), lost=self.lost, acts=acts)
            self._parts[role, seat] = parts
        over = parts["over"]
        return {
            "table": self.id,
            "version": self.version,
            "game": game_part(self.state.game),
            "options": vars(self.options),
            "number": self.number,
            "role": role,
            "you": seat,
            "seats": self.seats_part(connected),
            **parts,
            "prompt": self._prompt(seat),
            "log": self.log,
            "history": self.history,
            "over": over and {**over, "seed": None if self.start else self.seed, "record": True},
            "score": {
                "games": self.scores,
                "totals": self.totals(),
                "columns": self._columns(),
                "place": self.place,
                "last": self.finished,
            },
            "control": control_part(self, seat),
        }

    def _prompt(self, seat: int | None) -> dict[str, Any] | None:
        if seat is None or self.over or seat in self.control.resigned:
            return None
        return prompt_part(self.scene, seat, self.round)

    def seats_part(self, connected: Sequence[int] = ()) -> list[dict[str, Any]]:
        """Who sits where, without what proves it."""
        return [
            {
                "name": seat.name,
                "kind": seat.kind,
                "connected": seat.kind == BOT or i in connected,
                "strength": seat.strength,
                "spec": seat.spec,
            }
            for i, seat in enumerate(self.seats)
        ]

    def _columns(self) -> list[int]:
        """The seats in the order of the first game, in which their players stay on a score sheet."""
        seats = list(range(len(self.seats)))
        return seats[::-1] if self._alternates and self.number % 2 == 0 else seats

    def totals(self) -> list[float]:
        """The sums of the series."""
        return [sum(column) for column in zip(*self.scores, strict=True)] or [0.0] * len(self.seats)

    def finish(self, event: Event, after: State | None) -> records.Record | None:
        """The record of the game if an event ends it; ``after`` is what `after` found for the event."""
        resigned = [records.Resigned(seat, each.ply, each.late) for seat, each in self.control.resigned.items()]
        if event.kind == "resign" and event.seat is not None:
            resigned.append(records.Resigned(event.seat, int(event.data["ply"]), bool(event.data.get("late"))))
        record = self.record(after or self.state, resigned)
        return None if record.returns is None else record

    def record(self, state: State, resigned: Sequence[records.Resigned] = ()) -> records.Record:
        """The game that led to a state as a record, with the agents of the bots and what they were called."""
        seats = [seat.spec if seat.kind == BOT and seat.spec else seat.name for seat in self.seats]
        seed, position = (self.seed, None) if self.start is None else (None, self.start.position)
        return records.record_of(state, seats, seed, position, self.names(), resigned=resigned)


def game_part(game: Game) -> dict[str, Any]:
    """The game of a table in short."""
    info = game.info
    return {
        "name": game.name,
        "title": info.title,
        "players": info.players,
        "hidden": info.hidden,
        "params": game.params if rules_can_be_chosen(game) else {},
        "unit": declaration_of(game).words.unit(game)._asdict(),
    }


_GONE = {
    (False, False): phrase("gives up", "gibt auf"),
    (False, True): phrase("gives up: a bot plays on", "gibt auf: Ein Bot spielt weiter"),
    (True, False): phrase("has run out of time", "hat die Bedenkzeit überschritten"),
    (True, True): phrase(
        "has run out of time: a bot plays on", "hat die Bedenkzeit überschritten: Ein Bot spielt weiter"
    ),
}
"""What the log says of somebody whose time is up or not, for whom a bot plays on or not."""
_NOTES = {
    "was too slow: the table moved": "war zu langsam: der Tisch hat gezogen",
    "failed: the table moved": "ist ausgefallen: der Tisch hat gezogen",
}
