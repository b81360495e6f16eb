"""Game records: whole games as readable JSON lines, one game a line, with a schema version.

    {"schema": 1, "game": {"name": "nim", ...}, "seed": 7, "start": null, "seats": ["person", "nim_perfect"],
     "actions": [[0, "a1"], ...], "returns": [1.0, -1.0], "result": {...}}

``actions`` holds every action from the start, chance included, each with its name, so that a person can read the game
and a program can check it. ``start`` is a saved position, or null for the beginning. ``seats`` has persons and specs of
agents; what both were called at a table is in ``names``, which other records do not have. ``resigned``, where somebody
gave up, has lists of a seat and the number of actions before, with ``"time"`` if that was because their time was up:
the game is lost with that, or else somebody else played on for the seat. Nothing in a file is trusted: ``replay`` plays
every action through the rules and compares names, payoffs and result.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, NamedTuple

import kiebitz.games
from kiebitz._core import CHANCE, TERMINAL, Game, State
from kiebitz.errors import Error
from kiebitz.files import replacing

SCHEMA = 1
"""The version written; readers refuse versions they do not know."""
MAX_LINE = 1_000_000
"""Longest line read, in characters."""
MAX_FILE = 1_000_000_000
"""Largest file read, in characters."""


class RecordError(Error):
    """A record that cannot be read or does not follow the rules. The message names the line and what was expected."""

    def __init__(self, message: str, line: int | None = None) -> None:
        self.message = message
        self.line = line
        super().__init__(message if line is None else f"line {line}: {message}")

    def __reduce__(self) -> tuple[type[RecordError], tuple[str, int | None]]:
        return RecordError, (self.message, self.line)


class Resigned(NamedTuple):
    """A seat that gave up, the number of actions before, and whether its time was up."""

    seat: int
    ply: int
    late: bool = False

    def to_json(self) -> list[Any]:
        """As it stands in a record.

        >>> Resigned(1, 30, late=True).to_json()
        [1, 30, 'time']
        """
        return [self.seat, self.ply, *(["time"] if self.late else [])]


@dataclass(frozen=True)
class Record:
    """One game as it was played."""

    game: dict[str, Any]
    actions: tuple[tuple[int, str], ...] = ()
    seats: tuple[str, ...] = ()
    seed: int | None = None
    start: dict[str, Any] | None = None
    returns: tuple[float, ...] | None = None
    result: dict[str, Any] | None = None
    names: tuple[str, ...] = ()
    resigned: tuple[Resigned, ...] = ()
    schema: int = SCHEMA
    line: int | None = field(default=None, compare=False)
    """Where it was read from, for messages."""

    def to_json(self) -> dict[str, Any]:
        """The record as plain values; ``from_json`` reads it back."""
        return {
            "schema": self.schema,
            "game": self.game,
            "seed": self.seed,
            "start": self.start,
            "seats": list(self.seats),
            **({"names": list(self.names)} if self.names else {}),
            "actions": [list(action) for action in self.actions],
            "returns": None if self.returns is None else list(self.returns),
            "result": self.result,
            **(
                {"resigned": [[*each[:2], *(["time"] if each.late else [])] for each in self.resigned]}
                if self.resigned
                else {}
            ),
        }

    def stood_in(self, seat: int, ply: int) -> bool:
        """Whether somebody else chose action ``ply`` for a seat that had given up."""
        return any(seat == gone.seat and ply >= gone.ply for gone in self.resigned)


def record_of(
    state: State,
    seats: Sequence[str] = (),
    seed: int | None = None,
    start: dict[str, Any] | None = None,
    names: Sequence[str] = (),
    *,
    resigned: Sequence[Resigned] = (),
) -> Record:
    """Writes down the game that led to a state, finished or not.

    ``seats`` says who played (agent specs or names), ``seed`` where the chance moves came from, ``start`` the position
    the game began with, if not the usual one. ``names`` are what the players were called, if their specs do not say it.
    ``resigned`` has the seats that gave up.

    >>> import kiebitz as kb
    >>> state = kb.game("tic_tac_toe").new()
    >>> state.apply(state.parse("b2"))
    >>> kb.records.record_of(state).actions
    ((4, 'b2'),)
    """
    walk = _begin(state.game, start)
    actions: list[tuple[int, str]] = []
    for action in state.history:
        actions.append((action, walk.name(action)))
        walk.apply(action)
    over = state.player == TERMINAL
    returns = outcome(state, resigned)
    return Record(
        game=state.game.to_json(),
        actions=tuple(actions),
        seats=tuple(seats),
        names=tuple(names),
        seed=seed,
        start=start,
        returns=None if returns is None else tuple(returns),
        result=dict(state.result()) if over else None,
        resigned=tuple(resigned),
    )


def outcome(state: State, resigned: Sequence[Resigned] = ()) -> list[float] | None:
    """The payoffs of a game that led to a state, if it is over: by the rules, or because a seat that gave up lost it.

    >>> import kiebitz as kb
    >>> state = kb.game("nim").new()
    >>> outcome(state), outcome(state, [Resigned(seat=1, ply=0)])
    (None, [1.0, -1.0])
    """
    if state.player == TERMINAL:
        return list(state.returns())
    players = kiebitz.games.declaration_of(state.game).players
    return players.resignation(state.game, resigned[0].seat) if resigned else None


def save(path: str | os.PathLike[str], records: Iterable[Record], append: bool = True) -> int:
    """Writes records to a file and returns their number: all of them or, if anything fails, none.

    With ``append`` they are added at the end; otherwise the file is replaced in one step.

    >>> import kiebitz as kb, tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "games.jsonl")
    >>> kb.records.save(path, [kb.records.record_of(kb.game("nim").new())])
    1
    """
    lines = [_line(record) for record in records]
    data = "".join(lines).encode()
    path = Path(path)
    if append:
        _append(path, data)
    else:
        with replacing(path) as out:
            out.write(data)
    return len(lines)


def load(source: str | os.PathLike[str] | IO[str]) -> Iterator[Record]:
    """Reads records one by one from a file or an open text stream; empty lines are skipped.

    Raises RecordError at the first line that is not a record. Rules are not checked here but by ``replay``.
    """
    read = 0
    with _opened(source) as stream:
        number = 0
        while True:
            number += 1
            try:
                text = stream.readline(MAX_LINE + 1)
            except UnicodeDecodeError as error:
                raise RecordError(f"expected text in UTF-8: {error.reason}", number) from None
            if not text:
                return
            read += len(text)
            if len(text) > MAX_LINE:
                raise RecordError(f"expected at most {MAX_LINE:,} characters in a line", number)
            if read > MAX_FILE:
                raise RecordError(f"expected at most {MAX_FILE:,} characters in a file", number)
            if text.strip():
                yield from_json(parse_json(text, number), number)


def replay(record: Record, ply: int | None = None) -> State:
    """Plays a record through the rules and returns the state at its end, or before action ``ply`` (counted from 0).

    Raises RecordError if the record breaks the rules: an unknown game, an illegal action, a wrong name, or payoffs or a
    result that are not those of the game.

    >>> import kiebitz as kb
    >>> state = kb.game("nim").new()
    >>> state.apply(state.legal()[0])
    >>> kb.records.replay(kb.records.record_of(state)).history == state.history
    True
    """
    line = record.line
    if record.schema != SCHEMA:
        raise RecordError(f"schema: expected version {SCHEMA}, got {record.schema}", line)
    if ply is not None and not 0 <= ply <= len(record.actions):
        raise RecordError(f"ply: expected 0 to {len(record.actions)}, got {ply}", line)
    try:
        game = kiebitz.games.from_json(record.game)
    except (Error, TypeError, KeyError, OSError) as error:
        raise RecordError(f"game: {error}", line) from error
    for field_name, texts in (("seats", record.seats), ("names", record.names)):
        if texts and len(texts) != game.info.players:
            raise RecordError(f"{field_name}: expected {game.info.players}, got {len(texts)}", line)
    try:
        state = _begin(game, record.start)
    except (Error, TypeError) as error:
        raise RecordError(f"start: {error}", line) from error
    asked: State | None = None
    for number, (action, name) in enumerate(record.actions):
        if number == ply:
            asked = state.copy()
        where = f"action {number + 1} of {len(record.actions)}"
        try:
            expected = state.name(action)
        except TypeError:  # too large for the core
            raise RecordError(f"{where}: expected the number of an action, got {action!s:.40}", line) from None
        except Error as error:
            raise RecordError(f"{where}: {error}", line) from error
        if name != expected:
            raise RecordError(f"{where}: expected the name {expected!r} for action {action}, got {name!r}", line)
        state.apply(action)
    _check_end(record, state)
    return state if asked is None else asked


def parse_json(text: str, line: int | None = None) -> Any:
    """Strict JSON (no NaN, no endless nesting), or RecordError."""
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise RecordError(f"expected a complete JSON object: {error.msg} at column {error.colno}", line) from None
    except (ValueError, RecursionError) as error:
        raise RecordError(f"expected plain JSON: {str(error)[:80]}", line) from None


def from_json(data: Any, line: int | None = None) -> Record:
    """Checks plain values and makes a Record of them; raises RecordError for anything else."""

    def expect(condition: bool, message: str) -> None:
        if not condition:
            raise RecordError(message, line)

    expect(isinstance(data, dict), f"expected a JSON object, got {_kind(data)}")
    expect("schema" in data, "expected the field 'schema'")
    schema = data["schema"]
    expect(_is_int(schema) and schema == SCHEMA, f"schema: expected version {SCHEMA}, got {json.dumps(schema)[:40]}")
    known = ("schema", "game", "seed", "start", "seats", "names", "actions", "returns", "result", "resigned")
    for key in data:
        expect(key in known, f"unknown field '{key[:40]}'; expected {', '.join(known)}")
    for key in ("game", "actions"):
        expect(key in data, f"expected the field '{key}'")
    expect(isinstance(data["game"], dict), f"game: expected an object, got {_kind(data['game'])}")
    seed, start = data.get("seed"), data.get("start")
    expect(seed is None or _is_int(seed), f"seed: expected a whole number or null, got {_kind(seed)}")
    expect(start is None or isinstance(start, dict), f"start: expected a position or null, got {_kind(start)}")
    for key in ("seats", "names"):
        texts = data.get(key, [])
        expect(isinstance(texts, list) and all(map(_is_text, texts)), f"{key}: expected a list of texts")
    actions = data["actions"]
    expect(isinstance(actions, list), f"actions: expected a list, got {_kind(actions)}")
    for number, pair in enumerate(actions, 1):
        good = isinstance(pair, list) and len(pair) == 2 and _is_int(pair[0]) and isinstance(pair[1], str)
        expect(good, f'action {number} of {len(actions)}: expected [number, "name"]')
    returns, result, resigned = data.get("returns"), data.get("result"), data.get("resigned", [])
    lists = isinstance(resigned, list) and all(
        isinstance(each, list) and len(each) >= 2 and all(map(_is_int, each[:2])) and each[2:] in ([], ["time"])
        for each in resigned
    )
    expect(lists, 'resigned: expected a list of [seat, actions before] or [seat, actions before, "time"]')
    expect(
        returns is None or (isinstance(returns, list) and all(_is_number(x) for x in returns)),
        "returns: expected a list of numbers or null",
    )
    expect(result is None or isinstance(result, dict), f"result: expected an object or null, got {_kind(result)}")
    return Record(
        game=data["game"],
        actions=tuple((pair[0], pair[1]) for pair in actions),
        seats=tuple(data.get("seats", ())),
        names=tuple(data.get("names", ())),
        seed=seed,
        start=start,
        returns=None if returns is None else tuple(float(x) for x in returns),
        result=result,
        resigned=tuple(Resigned(each[0], each[1], len(each) > 2) for each in resigned),
        schema=schema,
        line=line,
    )


# --- Helpers --------------------------------------------------------------------------------------------------------


def _begin(game: Game, start: dict[str, Any] | None) -> State:
    return game.root() if start is None else game.load(start)


def _check_end(record: Record, state: State) -> None:
    _check_resigned(record, state)
    expected = outcome(state, record.resigned)
    if state.player != TERMINAL and (record.result is not None or expected is None):
        if record.returns is not None or record.result is not None:
            who = "chance" if state.player == CHANCE else f"player {state.player}"
            raise RecordError(f"returns: expected none, because the game is not over ({who} is to move)", record.line)
        return
    if record.returns is not None:
        assert expected is not None
        same = len(expected) == len(record.returns) and all(
            math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9) for a, b in zip(expected, record.returns, strict=True)
        )
        if not same:
            raise RecordError(f"returns: expected {list(expected)}, got {list(record.returns)}", record.line)
    if record.result is not None and _plain(record.result) != _plain(dict(state.result())):
        raise RecordError(f"result: expected {_plain(dict(state.result()))}, got {_plain(record.result)}", record.line)


def _check_resigned(record: Record, state: State) -> None:
    seats, length = [each.seat for each in record.resigned], len(record.actions)
    players = state.game.info.players
    if any(not (0 <= each.seat < players and 0 <= each.ply <= length) for each in record.resigned):
        raise RecordError(f"resigned: expected seats from 0 to {players - 1} and 0 to {length} actions", record.line)
    if len(set(seats)) != len(seats):
        raise RecordError("resigned: expected each seat once", record.line)
    declared = kiebitz.games.declaration_of(state.game).players
    ends = bool(seats) and declared.resignation(state.game, seats[0]) is not None
    if ends and (len(seats) > 1 or record.resigned[0].ply != length or state.player == TERMINAL):
        raise RecordError("resigned: expected that the game ends when a seat gives up", record.line)


def _plain(value: Any) -> Any:
    """A value after a round trip through JSON."""
    return json.loads(json.dumps(value))


def _line(record: Record) -> str:
    text = json.dumps(record.to_json(), ensure_ascii=False, allow_nan=False) + "\n"
    if len(text) > MAX_LINE:
        raise RecordError(f"expected a game of at most {MAX_LINE:,} characters, got {len(text):,}")
    return text


def _append(path: Path, data: bytes) -> None:
    """One write at the end of the file; undone if the disk is full half-way."""
    with open(path, "ab") as out:
        size = out.tell()
        if size > 0:
            with open(path, "rb") as before:
                before.seek(size - 1)
                if before.read(1) != b"\n":  # a line that was cut off stays a line of its own
                    data = b"\n" + data
        try:
            out.write(data)
            out.flush()
        except OSError:
            os.ftruncate(out.fileno(), size)
            raise


@contextmanager
def _opened(source: str | os.PathLike[str] | IO[str]) -> Iterator[IO[str]]:
    if isinstance(source, str | os.PathLike):
        with open(source, encoding="utf-8") as stream:
            yield stream
    else:
        yield source


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number")


def _is_text(value: Any) -> bool:
    """Whether a text can be written to a file or a page: JSON can hold half characters, which cannot."""
    return isinstance(value, str) and not any("\ud800" <= char <= "\udfff" for char in value)


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    return _is_int(value) and abs(value) < 2**53  # a larger number would not be exact as a float


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "text", int: "a number", float: "a number", bool: "true or false"}
    return names.get(type(value), "null")
