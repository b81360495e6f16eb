"""Training with neural fictitious self-play, beside the peer's with the same networks, memories and updates."""

from __future__ import annotations

import tempfile
from itertools import count
from pathlib import Path
from typing import Any

import kiebitz as kb
from bench import peers
from bench.measure import Row, Settings, versus

GAMES = 128
NETS: dict[str, Any] = {"hidden": 128, "batch": 128, "rl_memory": 200_000, "sl_memory": 2_000_000}
START = 128
"""Rows that a memory needs: both begin to learn soon."""


def training(settings: Settings) -> list[Row]:
    """Game steps per second of NFSP on Leduc, from scratch, learning included."""
    from kiebitz.learn import train  # PyTorch takes a second to load

    game = kb.game("leduc")
    iterations = 300 if settings.quick else 3000
    theirs, updates = peers.nfsp(**NETS, start=START, hands=200)

    with tempfile.TemporaryDirectory() as folder:
        runs = count()

        def ours() -> float:
            options = {**NETS, "start": START, "games": GAMES, "steps": iterations, "measure_every": iterations}
            train(game, "nfsp", Path(folder) / str(next(runs)), **options)
            return iterations * GAMES

        row = versus(
            settings,
            ours,
            theirs,
            name="nfsp-leduc",
            work=f"NFSP on Leduc, {iterations:,} iterations of {GAMES} steps from scratch",
            peer=f"{peers.version()} NFSP (PyTorch), learn_every=46",
            unit="game steps/s",
            target=30,
        )
    note = f"updates of each net in {GAMES} game steps: ours 2, peer {updates() * GAMES:.2f}"
    return [Row(**{**vars(row), "note": note})]
