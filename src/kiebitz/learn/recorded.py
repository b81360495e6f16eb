"""Trainings in the store, beside the runs that play games: begun, gone on with, ended, however they end."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from kiebitz.learn.run import Run
from kiebitz.options import write
from kiebitz.solve.compiled import rules_of
from kiebitz.store.database import StoreError

if TYPE_CHECKING:
    from kiebitz.store.store import Store

KIND = "training"
"""What such runs are called in lists."""


@contextmanager
def recorded(store: Store | None, run: Run, command: str, warn: Callable[[str], object]) -> Iterator[None]:
    """Keeps a training in a store as soon as nothing can be refused any more. A store that cannot be written costs a
    warning, never the training."""
    if store is None:
        yield
        return
    number: list[int] = []

    def attempt(write_it: Callable[[], object]) -> None:
        try:
            write_it()
        except StoreError as error:
            warn(f"the training goes on, but the store does not know of it: {error}")

    run.begun = lambda: attempt(lambda: number.append(store.begin(plan(run), identity(run), KIND, command).id))
    since = time.monotonic()
    whole = False
    try:
        yield
        whole = run.finished
    finally:
        for each in number:
            seconds = time.monotonic() - since
            attempt(lambda n=each, s=seconds: store.finish(n, s, whole=whole, training=outcome(run)))  # type: ignore[misc]


def plan(run: Run) -> dict[str, Any]:
    """What was asked for, as the store keeps it."""
    options = dataclasses.asdict(run.options)
    return {
        "game": run.game.to_json(),
        "method": run.method,
        "options": options,
        "seed": options.get("seed"),
        "steps": options.get("steps"),
        "folder": str(run.folder.resolve()),
        "agents": [str(write(run.method, run.options))],
    }


def identity(run: Run) -> str:
    """One training, however often it goes on and for however many steps: its folder with what is learned there."""
    options = {name: value for name, value in dataclasses.asdict(run.options).items() if name != "steps"}
    text = json.dumps([KIND, rules_of(run.game), run.method, options, str(run.folder.resolve())], sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def outcome(run: Run) -> dict[str, Any]:
    """What became of it: how long it took, what was measured last, and a fingerprint of the file of its net."""
    last = run.rows[-1] if run.rows else {}
    file = run.folder / "net.npz"
    return {
        "steps": run.step,
        "cpu_hours": round(run.seconds / 3600, 4),
        "results": {name: value for name, value in last.items() if name not in ("step", "cpu_seconds", "wall_seconds")},
        "net": hashlib.blake2b(file.read_bytes(), digest_size=8).hexdigest() if file.is_file() else None,
    }
