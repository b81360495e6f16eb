"""The exact solver of Connect Four, with an opening book that a command writes.

``python -m kiebitz.games.connect_four.solver`` writes the book anew: all positions with up to ``--stones`` stones, each
with how many plies it takes to win (above 0) or to lose (below 0) with best play; 0 is a draw. Mirror images share an
entry. The command can be stopped and goes on with what its file has.
"""

from __future__ import annotations

import json
import operator
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kiebitz._core import ConnectFourSolver as CoreSolver
from kiebitz._core import Game, State, StopToken
from kiebitz.errors import BudgetError, Error, ParameterError
from kiebitz.files import replacing
from kiebitz.games.declaration.proofs import Proven

TABLE_MB = 64
FULL = -2
"""The outcome of a column without an empty cell in the arrays of `PositionSolver.moves`."""

BOOK = Path(__file__).with_name("book.json")
MOST_STONES = 8
SAVE_EVERY = 30
"""Seconds between two versions of the file while the book is made."""


class PositionSolver:
    """Proves what positions are worth; it remembers what it has found, so the next ones take less time.

    >>> import kiebitz as kb
    >>> game = kb.game("connect_four")
    >>> state = game.load({"board": ".o...../.x...../.o.xo../.o.xo../.x.oxxx/oxxxooo"})
    >>> solver = PositionSolver(game, table_mb=4)
    >>> solver.worth(state)  # a win, and the plies until the end
    (1, 17)
    >>> [(state.name(p.action), p.value, p.plies) for p in solver.prove(state)][:3]
    [('a', -1.0, 22), ('c', -1.0, 2), ('d', 1.0, 19)]
    """

    def __init__(self, game: Game, *, table_mb: int = TABLE_MB, book: bool = True) -> None:
        self.game = game
        self._core = CoreSolver(game, table_mb)
        if book and game.params == {"rows": 6, "columns": 7, "connect": 4}:
            for text, plies in _read(BOOK).items():
                self.learn(_position(game, text), plies)

    @property
    def nodes(self) -> int:
        """Positions looked at so far; may be asked while it solves."""
        return self._core.nodes

    def __len__(self) -> int:
        """Positions of the opening book."""
        return len(self._core)

    def worth(
        self, state: State, *, weak: bool = False, seconds: float = 0, stop: StopToken | None = None
    ) -> tuple[int, int | None] | None:
        """For the player to move with best play: 1, 0 or -1, and the plies until the end, which are not asked for if
        `weak`; None if it was stopped or if so many seconds (0: no limit) were too few."""
        found = self._core.worth(state, weak, seconds, stop)
        return None if found is None else (found[0], None if weak else found[1])

    def prove(
        self,
        state: State,
        *,
        weak: bool = False,
        seconds: float = 0,
        stop: StopToken | None = None,
        progress: Callable[[Proven], None] | None = None,
    ) -> list[Proven]:
        """What the actions of a position are worth, in order. Those that end the game are settled first, with their
        plies, and then those in the centre."""
        if not seconds >= 0:
            raise BudgetError(f"seconds: expected at least 0, got {seconds}")
        end = time.monotonic() + seconds
        centre = (self.game.params["columns"] - 1) / 2
        found: list[Proven] = []
        images: dict[int, tuple[int, int | None]] = {}
        children = {action: state.copy() for action in state.legal()}
        for action, after in children.items():
            after.apply(action)
        for action in sorted(children, key=lambda action: (children[action].player >= 0, abs(action - centre))):
            after = children[action]
            if after.player < 0:
                worth: tuple[int, int | None] = int(after.returns()[state.player]), 1
            else:
                image = self._core.canonical(after)
                theirs = images[image] if image in images else self._after(after, weak, stop, end if seconds else None)
                if theirs is None:
                    break
                images[image] = theirs
                worth = -theirs[0], None if theirs[1] is None else theirs[1] + 1
            found.append(Proven(action, float(worth[0]), worth[1]))
            if progress is not None:
                progress(found[-1])
        return sorted(found, key=lambda proven: proven.action)

    def _after(
        self, state: State, weak: bool, stop: StopToken | None, end: float | None
    ) -> tuple[int, int | None] | None:
        left = 0.0 if end is None else max(1e-6, end - time.monotonic())
        return self.worth(state, weak=weak, seconds=left, stop=stop)

    def moves(
        self, boards: NDArray[np.int8], *, weak: bool = False, stop: StopToken | None = None
    ) -> tuple[NDArray[np.int8], NDArray[np.int16]]:
        """Every move of many positions, one row each: outcomes for the player to move (-2: the column is full), and the
        plies until the end (-1: not asked for); fewer rows if it was stopped. Other threads go on meanwhile.

        A board is a row of cells from the bottom left, 1 for stones of the player to move and -1 for the other's, as
        `boards_of` makes them.

        >>> import kiebitz as kb
        >>> game = kb.game("connect_four")
        >>> state = game.load({"board": ".o...../.x...../.o.xo../.o.xo../.x.oxxx/oxxxooo"})
        >>> outcomes, plies = PositionSolver(game, table_mb=4).moves(boards_of([state]))
        >>> outcomes.tolist()
        [[-1, -2, -1, 1, 1, -1, 0]]
        """
        given = np.asarray(boards)
        if given.dtype.kind not in "iu" or (given.size and not -128 <= given.min() <= given.max() <= 127):
            raise ParameterError(f"boards: expected -1, 0 or 1 in each cell, got an array of {given.dtype}")
        outcomes, plies = self._core.moves(np.ascontiguousarray(given, dtype=np.int8), weak, stop)
        return outcomes, plies

    def learn(self, state: State, plies: int) -> None:
        """Takes over what a position of the opening book is worth."""
        left = state.position()["board"].count(".")
        self._core.learn(state, (plies > 0) - (plies < 0), abs(plies) or left)


def boards_of(states: list[State]) -> NDArray[np.int8]:
    """Positions of one game as the rows that `PositionSolver.moves` takes.

    >>> import kiebitz as kb
    >>> state = kb.game("connect_four", rows=4, columns=4).load({"board": "..../..../..../xo.x"})
    >>> boards_of([state])[0, :4].tolist()
    [-1, 1, 0, -1]
    """
    rows = []
    for state in states:
        own, other = "xo" if state.player == 0 else "ox"
        cells = "".join(reversed([*state.position()["board"].split("/")]))
        rows.append([(cell == own) - (cell == other) for cell in cells])
    return np.array(rows, dtype=np.int8).reshape(len(rows), -1)


# --- The opening book -------------------------------------------------------------------------------------------------


def _read(path: Path) -> dict[str, int]:
    """The entries of a book: moves from the start, and plies."""
    try:
        plies = json.loads(path.read_text(encoding="utf-8"))["plies"]
        return {str(moves): operator.index(number) for moves, number in plies.items()}
    except FileNotFoundError:
        return {}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise Error(f"{path}: expected an opening book as this command writes it") from None


def _position(game: Game, moves: str) -> State:
    state = game.root()
    for move in moves:
        action = state.parse(move)
        assert action is not None
        state.apply(action)
    return state


def _positions(game: Game, stones: int) -> dict[int, tuple[str, State]]:
    """All positions of so many stones that are not over, without mirror images, and moves that lead there."""
    core = CoreSolver(game, 4)
    level = {core.canonical(game.root()): ("", game.root())}
    for _ in range(stones):
        after: dict[int, tuple[str, State]] = {}
        for text, state in level.values():
            for action in state.legal():
                new = state.copy()
                new.apply(action)
                if new.player >= 0:
                    after.setdefault(core.canonical(new), (text + state.name(action), new))
        level = after
    return level


def make_book(
    game: Game, stones: int, known: Mapping[str, int], *, table_mb: int = TABLE_MB
) -> Iterator[tuple[str, int, int]]:
    """Solves all positions with up to so many stones: moves, plies, and how many are still to come.

    >>> import kiebitz as kb
    >>> [(moves, plies) for moves, plies, _ in make_book(kb.game("connect_four", rows=4, columns=4), 1, {}, table_mb=4)]
    [('a', 0), ('b', 0), ('', 0)]
    """
    solver = PositionSolver(game, table_mb=table_mb, book=False)
    for text, plies in known.items():
        solver.learn(_position(game, text), plies)
    levels = [list(_positions(game, n).values()) for n in range(stones + 1)]
    left = sum(map(len, levels))
    for level in reversed(levels):  # with all answers known, a position takes no time
        for text, state in level:
            if text in known:
                plies = known[text]
            else:
                worth = solver.worth(state)
                assert worth is not None
                assert worth[1] is not None
                plies = worth[0] * worth[1]
            left -= 1
            solver.learn(state, plies)
            yield text, plies, left


def write_book(path: Path, plies: Mapping[str, int]) -> None:
    """Writes a book whole or not at all."""
    with replacing(path) as file:
        file.write(json.dumps({"plies": dict(plies)}, indent=0, separators=(",", ":")).encode() + b"\n")


def main(arguments: list[str] | None = None) -> int:
    """The command: writes the opening book."""
    import argparse

    from rich.progress import Progress

    from kiebitz.games.registry import game as make

    parser = argparse.ArgumentParser(prog="python -m kiebitz.games.connect_four.solver", description=main.__doc__)
    parser.add_argument("--stones", type=int, default=3, help="most stones of a position, 0 to 8")
    parser.add_argument("--table-mb", type=int, default=1024, help="memory for bounds in megabytes")
    parser.add_argument("--file", type=Path, default=BOOK, help="the book; it is extended if it exists")
    options = parser.parse_args(arguments)
    if not 0 <= options.stones <= MOST_STONES:
        parser.error(f"--stones: expected 0 to {MOST_STONES}, got {options.stones}")
    try:
        known = _read(options.file)
    except Error as error:
        parser.error(str(error))
    found: dict[str, int] = {}
    started, saved = time.process_time(), time.monotonic()
    try:
        with Progress() as bar:
            task = bar.add_task("solving", total=None)
            for text, plies, left in make_book(make("connect_four"), options.stones, known, table_mb=options.table_mb):
                found[text] = plies
                bar.update(task, completed=len(found), total=len(found) + left)
                if time.monotonic() - saved > SAVE_EVERY:
                    write_book(options.file, {**known, **found})
                    saved = time.monotonic()
    except (Error, KeyboardInterrupt) as error:
        print(f"error: {error}" if isinstance(error, Error) else "interrupted", file=sys.stderr)
        write_book(options.file, {**known, **found})
        return 2
    write_book(options.file, {**known, **found})
    print(f"{options.file}: {len(found):,} positions, {time.process_time() - started:.0f} seconds of one core")
    return 0


if __name__ == "__main__":
    sys.exit(main())
