"""How far CAP's worlds are from the true distribution: the exact belief draws every deal that fits a view with its
probability; CAP (the thesis' rule-based sampler) draws fitting deals, but with other frequencies.

Both draw worlds from the same views, and the experiment compares how often each hidden seat holds each card. A second
draw from the exact belief shows how much of a distance is due to the finite number of worlds.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import kiebitz as kb
from kiebitz._core import TERMINAL, State, View
from kiebitz.experiments.report import Column, Finding, ReportLine, ReportTable
from kiebitz.experiments.run import Comparison, Conclusion, Evidence
from kiebitz.seeds import derive_seed
from kiebitz.stats import Estimate, mean_interval

SIZES = {"quick": (10, 200), "laptop": (200, 1_000), "thesis": (1_000, 10_000)}
"""Deals, and worlds drawn from each belief in each view."""
PLAYED = (0, 4, 8, 16, 24, 32, 40)
"""Numbers of cards played at which a view is taken."""
COLUMNS = (
    Column("cap", "CAP, first seat", "share"),
    Column("cap_random", "CAP, random seat", "share"),
    Column("again", "exact again", "share"),
)
CARDS = range(24)


def seconds(preset: str) -> float:
    """Estimated cost of the measurement, in seconds of one core: about 20 µs for each world."""
    deals, worlds = SIZES[preset]
    return deals * len(PLAYED) * worlds * 4 * 20e-6


def comparisons(preset: str) -> list[Comparison]:
    """None: this experiment compares no agents."""
    del preset
    return []


def conclude(evidence: Evidence) -> Conclusion:
    """Distances by number of cards played, and whether CAP's is larger than chance."""
    deals, worlds = SIZES[evidence.preset]
    found: dict[int, list[dict[str, float]]] = {played: [] for played in PLAYED}
    for deal in range(deals):
        evidence.tick("worlds", deal, deals)
        for played, view in views(derive_seed(evidence.seed, "belief", deal)):
            found[played].append(distances(view, worlds, derive_seed(evidence.seed, "worlds", deal, played)))
    lines = [
        ReportLine(
            f"{played} cards played", {c.key: _mean([row[c.key] for row in rows]) for c in COLUMNS}, games=len(rows)
        )
        for played, rows in found.items()
        if rows
    ]
    findings = [
        Finding.of(
            f"After {played} cards CAP is further from the exact belief than chance",
            Column("cap", "distance", "share"),
            "above",
            0.0,
            _mean([row["cap"] - row["again"] for row in rows]),
        )
        for played, rows in found.items()
        if rows
    ]
    note = (
        "How often each hidden seat holds each card: the mean absolute difference from the exact belief, over all "
        f"hidden seats and unseen cards of a view, with {worlds:,} worlds from each belief. The views come from games "
        "in which everybody plays at random and nobody calls."
    )
    return Conclusion([ReportTable("Distance to the exact belief", "view", COLUMNS, lines, "cap", note)], findings)


def views(seed: int) -> Iterator[tuple[int, View]]:
    """Views of the player to move along one random game without calls and solos."""
    rng = random.Random(seed)
    state = kb.game("doppelkopf", preset="thesis").new(seed=seed)
    calls, played, wanted = state.game.info.calls, 0, set(PLAYED)
    while (player := state.player) != TERMINAL:
        legal = state.legal()
        if legal[0] not in CARDS:  # healthy is the first reservation, pass the last call
            state.apply(legal[-1] if legal[0] in calls else legal[0])
            continue
        if played in wanted:
            yield played, state.view(player)
        state.apply(rng.choice(legal))
        played += 1


def distances(view: View, worlds: int, seed: int) -> dict[str, float]:
    """The distance of each belief from the exact one, with the same number of worlds for each."""
    exact = holdings(view.worlds(worlds, seed, belief="exact"), view.observer)
    return {
        "again": distance(exact, holdings(view.worlds(worlds, seed + 1, belief="exact"), view.observer)),
        "cap": distance(exact, holdings(view.worlds(worlds, seed, belief="cap"), view.observer)),
        "cap_random": distance(exact, holdings(view.worlds(worlds, seed, belief="cap_random"), view.observer)),
    }


def holdings(worlds: list[State], observer: int) -> dict[tuple[int, str], float]:
    """How often each seat but the observer's holds each card, as a share of the worlds."""
    counts: Counter[tuple[int, str]] = Counter()
    for world in worlds:
        for seat in range(4):
            if seat != observer:
                counts.update((seat, card) for card in set(world.view(seat).fields()["hand"].split()))
    return {key: count / len(worlds) for key, count in counts.items()}


def distance(a: dict[tuple[int, str], float], b: dict[tuple[int, str], float]) -> float:
    """The mean absolute difference between two tables of shares.

    >>> distance({(0, "CQ"): 0.5, (1, "CQ"): 0.25}, {(0, "CQ"): 0.25})
    0.25
    """
    keys = a.keys() | b.keys()
    return sum(abs(a.get(key, 0.0) - b.get(key, 0.0)) for key in keys) / len(keys) if keys else 0.0


def _mean(values: list[float]) -> Estimate:
    return mean_interval([[value] for value in values])
