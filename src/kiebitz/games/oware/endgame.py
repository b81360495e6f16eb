"""Endgame tables of Oware as files: built once, kept in the user's cache folder, quick to read.

``python -m kiebitz.games.oware.endgame`` builds those of both presets. A table depends on three rules only (the duty to
feed, grand slams, when an empty row ends the game), so all games that agree in these share one. ``docs/games/oware.md``
explains the values.

A file is a line of JSON (format, version, rules, seeds, number of entries, checksum) and the entries, three bytes each.
A file that is broken, old or for other rules is rebuilt.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kiebitz._core import Game, OwareEndgame
from kiebitz.errors import Error, ParameterError, UnsuitableGame
from kiebitz.files import replacing

SEEDS = 10
"""Seeds in play up to which endings are known by default."""
MOST_SEEDS = 12
VERSION = 1

_RULES = ("must_feed", "grand_slam", "starvation")
_loaded: dict[tuple[str, int], OwareEndgame] = {}


def folder() -> Path:
    """Where tables are kept: ``$XDG_CACHE_HOME/kiebitz``, by default ``~/.cache/kiebitz``.

    >>> folder().name
    'kiebitz'
    """
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if base else Path.home() / ".cache") / "kiebitz"


def rules_of(game: Game) -> dict[str, Any]:
    """The rules that decide the value of an ending.

    >>> import kiebitz as kb
    >>> rules_of(kb.game("oware", preset="abapa"))
    {'must_feed': True, 'grand_slam': 'nothing', 'starvation': 'mover'}
    """
    if game.name != "oware":
        raise UnsuitableGame(f"endgame table: expected oware, got {game.name}")
    return {name: game.params[name] for name in _RULES}


def path_of(game: Game, seeds: int = SEEDS) -> Path:
    """The file of a table.

    >>> import kiebitz as kb
    >>> path_of(kb.game("oware")).name
    'oware-free-allowed-mover-10.endgame'
    """
    rules = rules_of(game)
    feeding = "feed" if rules["must_feed"] else "free"
    return folder() / f"oware-{feeding}-{rules['grand_slam']}-{rules['starvation']}-{seeds}.endgame"


def endgame(game: Game, seeds: int = SEEDS, progress: Callable[[int], None] | None = None) -> OwareEndgame:
    """The endgame table for the rules of a game: from memory, else from its file, else built and written.

    ``progress`` is called with the number of seeds whenever a level is finished. If the cache folder cannot be written,
    the table is still returned, and built again next time.

    >>> import kiebitz as kb
    >>> game = kb.game("oware")
    >>> table = endgame(game, seeds=4)
    >>> state = game.load({"pits": [0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 2], "captured": [16, 16], "player": 0})
    >>> table.find(state)  # at least, at most, and the move for the least
    (4, 4, 5)
    """
    if isinstance(seeds, bool) or not isinstance(seeds, int) or not 1 <= seeds <= MOST_SEEDS:
        raise ParameterError(f"seeds: expected 1 to {MOST_SEEDS}, got {seeds}")
    key = (json.dumps(rules_of(game)), seeds)
    if key not in _loaded:
        path = path_of(game, seeds)
        table = read(path, game, seeds)
        if table is None:
            table = build(game, seeds, progress)
            with contextlib.suppress(OSError):  # a read-only home or a full disk: the table is in memory
                write(path, table, game)
        _loaded[key] = table
    return _loaded[key]


def build(game: Game, seeds: int = SEEDS, progress: Callable[[int], None] | None = None) -> OwareEndgame:
    """Computes a table: seconds for ten seeds.

    >>> import kiebitz as kb
    >>> len(build(kb.game("oware"), seeds=3))
    455
    """
    table = OwareEndgame(game)
    while table.seeds < seeds:
        table.extend()
        if progress is not None:
            progress(table.seeds)
    return table


def write(path: Path, table: OwareEndgame, game: Game) -> None:
    """Writes a table whole or not at all: other processes may read and write the same file."""
    data = table.data()
    head = {**_head(game, table.seeds), "entries": len(table), "checksum": _checksum(data)}
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as file:
        file.write(json.dumps(head).encode() + b"\n" + data)


def read(path: Path, game: Game, seeds: int) -> OwareEndgame | None:
    """The table in a file; None if there is no file, or one that is broken, of another version or for other rules."""
    try:
        line, _, data = path.read_bytes().partition(b"\n")
        head = json.loads(line)
        table = OwareEndgame(game)
        if head != {**_head(game, seeds), "entries": len(data) // 3, "checksum": _checksum(data)}:
            return None
        table.load(data)
    except (OSError, ValueError, Error):
        return None
    return table if table.seeds == seeds else None


def _head(game: Game, seeds: int) -> dict[str, Any]:
    return {"format": "kiebitz oware endgame", "version": VERSION, "rules": rules_of(game), "seeds": seeds}


def _checksum(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def main(arguments: list[str] | None = None) -> int:
    """The command: builds the tables of both presets, or reports that they exist."""
    import argparse

    from kiebitz.games.registry import game as make

    parser = argparse.ArgumentParser(prog="python -m kiebitz.games.oware.endgame", description=main.__doc__)
    parser.add_argument("--seeds", type=int, default=SEEDS, help=f"seeds in play, 1 to {MOST_SEEDS}")
    parser.add_argument("--rebuild", action="store_true", help="build even if the file is there and whole")
    options = parser.parse_args(arguments)
    for preset in ("thesis", "abapa"):
        game = make("oware", preset=preset)
        path = path_of(game, options.seeds)
        try:
            if options.rebuild:
                path.unlink(missing_ok=True)
            table = endgame(game, options.seeds, lambda seeds: print(f"{seeds} ", end="", file=sys.stderr, flush=True))
        except (Error, OSError) as error:
            print(f"error: {error}", file=sys.stderr)
            return 2
        kept = path if path.exists() else "memory only: the folder cannot be written"
        print(f"{preset}: {len(table):,} positions with up to {table.seeds} seeds ({kept})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
