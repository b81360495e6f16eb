"""What the two studies of learned players share: the stages of their trainings, whom they meet, and the tables."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import kiebitz as kb
from kiebitz.env import SoloEnv
from kiebitz.experiments.oware import thesis
from kiebitz.experiments.oware.agents import MODES, RANDOM, Mode, alphabeta, mcts
from kiebitz.experiments.oware.figures import (
    DEVIATION,
    DRAWN,
    GAP,
    LOST,
    MOVES,
    WON,
    WON_SECOND,
    OwareComparison,
    figures,
    gap,
    published,
)
from kiebitz.experiments.report import Bar, Column, Finding, ReportLine, ReportTable
from kiebitz.experiments.run import Comparison, Evidence
from kiebitz.experiments.training import Trained, Training, train_all
from kiebitz.nets import NetFile
from kiebitz.stats import Estimate, wilson

SIZES: dict[str, dict[str, int]] = {
    "quick": {"fresh": 2000, "more": 1000, "episodes": 1000, "random": 20, "mcts": 2},
    "laptop": {"fresh": 150_000, "more": 50_000, "episodes": 200_000, "random": 500, "mcts": 50},
    "thesis": {"fresh": 150_000, "more": 50_000, "episodes": 200_000, "random": 100, "mcts": 100},
}
"""Iterations of the first stage and of the others, episodes of the actor, and games in each seat."""
SECONDS = {"dqn": 0.0012, "episodes": 0.0025}
"""Of an iteration, and of an episode of the actor."""

OPENING = 6
"""Random plies with which games begin that are not those of the thesis."""
MASKED = Column("masked", "choices masked", "share")
TRAINING_CYCLES = 100
"""Of MCTS as an opponent to learn from."""


def kept_after(preset: str) -> int:
    """After how many steps of the first stage the others begin."""
    return SIZES[preset]["fresh"] * 2 // 3


def deep_folder(evidence: Evidence) -> Path:
    """Where the deep Q-learners are trained, whichever experiment asks first."""
    assert evidence.folder is not None
    return evidence.folder.parent / f"oware-dqn-{evidence.preset}" / "runs"


def deep_stage(  # noqa: PLR0917 (a line of the table of stages)
    key: str, opponent: str, start: Path | None, steps: int, rate: float, evidence: Evidence
) -> Training:
    """A stage of the deep Q-learners: the options are those of the preset `thesis` but for these."""
    options: dict[str, Any] = {"steps": steps, "rate": rate, "opponent": opponent, "seed": evidence.seed}
    options["keep_every"] = kept_after(evidence.preset) if start is None else 0
    options |= {} if start is None else {"start_from": str(start)}
    return Training(key, "oware", "dqn", "thesis", "thesis", options)


def first_stage(evidence: Evidence) -> Training:
    """The one that begins with random weights."""
    return deep_stage("Random", RANDOM, None, SIZES[evidence.preset]["fresh"], 5e-4, evidence)


def train_deep(evidence: Evidence) -> dict[str, Trained]:
    """All deep Q-learners, by name: Random; from it Perfekt2, 4 and 6, in both modes; from Perfekt2 Mcts."""
    folder, sizes = deep_folder(evidence), SIZES[evidence.preset]
    out = train_all([first_stage(evidence)], folder, evidence.tick, evidence.workers)
    start = folder / "Random" / f"net-{kept_after(evidence.preset)}.npz"
    stages = [
        deep_stage(deep_name(depth, mode), alphabeta(depth, mode), start, sizes["more"], 5e-5, evidence)
        for mode in MODES
        for depth in (2, 4, 6)
    ]
    out |= train_all(stages, folder, evidence.tick, evidence.workers)
    start = folder / deep_name(2, "thesis") / "net.npz"
    last = deep_stage("Mcts", mcts(TRAINING_CYCLES), start, sizes["more"], 1e-6, evidence)
    return out | train_all([last], folder, evidence.tick, evidence.workers)


def deep_name(depth: int, mode: Mode) -> str:
    """The name of a net.

    >>> deep_name(2, "thesis"), deep_name(4, "strong")
    ('Perfekt2', 'Perfekt4-strong')
    """
    return f"Perfekt{depth}" + ("-strong" if mode == "strong" else "")


def spec_of(net: Path) -> str:
    """The agent that plays a net alone."""
    return f'net(file="{net}")'


# --- Whom they meet ---------------------------------------------------------------------------------------------------


def key_of(name: str, opponent: str) -> str:
    """The name of a comparison.

    >>> key_of("DQN-Random", "MCTS(200)")
    'DQN-Random against MCTS(200)'
    """
    return f"{name} against {opponent}"


def searchers() -> dict[str, tuple[str, int, Mode | None]]:
    """Alpha-beta in both modes and MCTS: for each name the spec, depth or cycles, and the mode."""
    out: dict[str, tuple[str, int, Mode | None]] = {
        f"alpha-beta({depth}), {mode}": (alphabeta(depth, mode), depth, mode)
        for mode in MODES
        for depth in thesis.DEEP_AGAINST
    }
    return out | {f"MCTS({cycles})": (mcts(cycles), cycles, None) for cycles in thesis.DEEP_CYCLES}


def meetings(name: str, net: str, preset: str) -> list[Comparison]:
    """A net against random, every search from the usual start, and a few opponents from random openings."""
    sizes = SIZES[preset]
    out: list[Comparison] = [OwareComparison(key_of(name, RANDOM), (net, RANDOM), sizes["random"], "two_against_two")]
    for opponent, (spec, _, mode) in searchers().items():
        deals = sizes["mcts"] if mode is None else 1  # two players without chance play one game
        out.append(OwareComparison(key_of(name, opponent), (net, spec), deals, "two_against_two"))
    for opponent, spec in varied().items():
        out.append(
            OwareComparison(
                key_of(name, opponent), (net, spec), sizes["random"] // 2, "two_against_two", opening=OPENING
            )
        )
    return out


def varied() -> dict[str, str]:
    """Opponents that are met from random openings."""
    out = {f"{RANDOM}, random openings": RANDOM}
    return out | {f"alpha-beta({depth}), strong, random openings": alphabeta(depth, "strong") for depth in (2, 4)}


def masked_choices(net: Path, games: int, seed: int) -> Estimate:
    """The share of decisions against random play in which the net prefers an empty pit, so that a mask decides."""
    game = kb.game("oware", preset="thesis")
    file = NetFile.load(net, game)
    env = SoloEnv(game, RANDOM, games, seed, seat=None)
    asked = wrong = 0
    playing = np.ones(games, bool)
    while playing.any():
        legal = env.mask > 0
        movers = env.seat.astype(np.int32)
        logits = file.net.judge(game, env.observation, np.ones(legal.shape, np.uint8), movers)[0]
        preferred = logits.argmax(axis=1)
        asked += int(playing.sum())
        wrong += int((~legal[np.arange(games), preferred] & playing).sum())
        env.step(np.where(legal, logits, -np.inf).argmax(axis=1), playing)
        playing &= ~env.done
    return wilson(wrong, asked)


# --- Tables -----------------------------------------------------------------------------------------------------------

Cell = tuple[int, int, int]


def line(
    evidence: Evidence, key: str, title: str, cell: Cell | None, *, moves: thesis.Moves | None = None,
    more: Mapping[str, Estimate] | None = None,
) -> ReportLine:  # fmt: skip
    """A cell of the thesis beside ours, the net moving first, and the games in which it moved second."""
    row = published(*cell, moves) if cell is not None else {}
    result = evidence.results.get(key)
    if result is None:
        return ReportLine(title, None, row)
    ours = figures(result, first_only=True) | dict(more or {})
    ours["won_second"] = figures(result)["won_second"]
    ours["gap"] = Estimate(math.nan, None, None)
    bars = []
    if cell is not None:
        ours["gap"] = gap(ours["won"], cell[0])
        bars.append(Bar("gap", "near", 0.0))
    if moves is not None:
        bars.append(Bar("moves", "most", moves.high))
    return ReportLine(title, ours, row, bars, sum(each.seating[0] == 0 for each in result.rows))


def search_tables(
    evidence: Evidence, names: Sequence[str], cells: Mapping[str, Mapping[int, Cell]],
    tree_cells: Mapping[str, Mapping[int, Cell]], numbers: tuple[str, str],
) -> list[ReportTable]:  # fmt: skip
    """Nets against alpha-beta in both modes and against MCTS. The thesis has one alpha-beta: its cells stand beside the
    mode that fits it."""
    out = []
    columns = (WON, LOST, DRAWN, GAP, WON_SECOND)
    for mode in (*MODES, None):
        lines = []
        for name in names:
            known = tree_cells if mode is None else cells
            for opponent, (_, number, each) in searchers().items():
                if each == mode:
                    cell = None if mode == "strong" else known.get(name, {}).get(number)
                    lines.append(line(evidence, key_of(name, opponent), f"{name}, {opponent}", cell))
        if mode is None:
            title = f"Against MCTS, the net moving first ({numbers[1]})"
        else:
            title = f"Against alpha-beta, {mode} mode, the net moving first" + (
                f" ({numbers[0]})" if mode == "thesis" else ""
            )
        shown = columns if mode != "strong" else (WON, LOST, DRAWN, WON_SECOND)
        out.append(ReportTable(title, "net, opponent", shown, lines, "won"))
    return out


def varied_table(evidence: Evidence, names: Sequence[str]) -> ReportTable:
    """Games from random openings."""
    lines = [line(evidence, key_of(name, other), f"{name}, {other}", None) for name in names for other in varied()]
    return ReportTable(
        f"From openings of {OPENING} random plies", "net, opponent", (WON, LOST, DRAWN, MOVES, WON_SECOND), lines, "won"
    )


def agreement(tables: Sequence[ReportTable], what: str) -> Finding:
    """How many cells of the thesis agree with ours."""
    gaps = [each.ours["gap"] for table in tables for each in table.lines if each.ours is not None and each.published]
    near = [each for each in gaps if each.low is not None and each.high is not None and each.low <= 0 <= each.high]
    claim = f"OW-54: the cells of {what} are those of the thesis, within the noise of both"
    return Finding(claim, len(near) == len(gaps) if gaps else None, f"{len(near)} of {len(gaps)} cells")


def seconds_per_move(evidence: Evidence, key: str) -> Estimate:
    """Of the net in a comparison."""
    result = evidence.results.get(key)
    value = float("nan") if result is None else float(result.to_dict()["agents"][0]["seconds_per_move"])
    return Estimate(value, value, value)


RANDOM_COLUMNS = (WON, LOST, DRAWN, GAP, MOVES, DEVIATION, WON_SECOND, MASKED)
