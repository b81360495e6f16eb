"""How much a search overrates calls and solos: the gain it predicts against the gain when the game is played both ways.

At a decision about a solo (before the first reservation) or about a call (at its last possible moment), the search
estimates on sampled worlds how much more the risky action is worth than the plain one. Then the same players finish the
game after each of the two, with the same seeds. The margins of ``best`` come from such a measurement: a search with
open cards and random playouts is too optimistic about risks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

import kiebitz as kb
from kiebitz._core import TERMINAL, Analysis, State
from kiebitz.agents.base import Agent
from kiebitz.experiments.report import Column, Finding, ReportLine, ReportTable
from kiebitz.experiments.run import Comparison, Conclusion, Evidence
from kiebitz.seeds import derive_seed
from kiebitz.stats import mean_interval

SIZES = {"quick": (20, 20, 10), "laptop": (600, 1_000, 200), "thesis": (20_000, 1_000, 1_000)}
"""Deals for each kind of decision; iterations per world (of ten) for the prediction, and for playing the games."""
BINS = {
    "solo": (-2.0, -1.0, 0.0, 1.0, 2.0, 4.0, 64.0),
    "call": (-1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.1),
}
PREDICTED = Column("predicted", "predicted gain", "points")
ACTUAL = Column("actual", "actual gain", "points")
SECONDS_PER_DEAL = 0.25


def seconds(preset: str) -> float:
    """Estimated cost of the measurement, in seconds of one core."""
    deals, _, playing = SIZES[preset]
    return 2 * deals * SECONDS_PER_DEAL * max(0.1, playing / 200)


def comparisons(preset: str) -> list[Comparison]:
    """None: this experiment compares no agents."""
    del preset
    return []


def conclude(evidence: Evidence) -> Conclusion:
    """The actual gain by the predicted gain, for solos and for calls."""
    tables, findings = [], []
    for kind, bins in BINS.items():
        found = list(samples(kind, evidence))
        lines = []
        for low, high in pairwise(bins):
            inside = [(predicted, actual) for predicted, actual in found if low <= predicted < high]
            if not inside:
                continue
            figures = {
                "predicted": mean_interval([[predicted] for predicted, _ in inside]),
                "actual": mean_interval([[actual] for _, actual in inside]),
            }
            lines.append(ReportLine(f"{low:+g} to {high:+g}", figures, games=2 * len(inside)))
        tables.append(
            ReportTable(
                f"{kind.capitalize()}s: predicted and actual gain", "predicted", (PREDICTED, ACTUAL), lines, "actual"
            )
        )
        liked = [actual - predicted for predicted, actual in found if predicted > 0]
        if liked:
            claim = f"A {kind} that looks good gains less than the search predicts"
            findings.append(Finding.of(claim, ACTUAL, "below", 0.0, mean_interval([[gap] for gap in liked])))
    note = (
        "Predicted is the value of the best risky action minus that of the best other one, averaged over ten worlds; "
        "actual is the difference in points when the same players play the game both ways. Games are not played if the "
        f"predicted gain is less than {BINS['solo'][0]:g} (solos) or {BINS['call'][0]:g} (calls)."
    )
    return Conclusion(tables, findings, [note])


def samples(kind: str, evidence: Evidence) -> Iterator[tuple[float, float]]:
    """Predicted and actual gain of the risky action, one decision per deal."""
    deals, thinking, playing = SIZES[evidence.preset]
    seed = evidence.seed
    game = kb.game("doppelkopf", preset="thesis")
    for deal in range(deals):
        evidence.tick(f"{kind}s", deal, deals)
        state = game.new(seed=derive_seed(seed, "chance", deal))
        number = derive_seed(seed, "risk", kind, deal)
        player = kb.agent(f"best(iterations={playing}, worlds=10, calls=false, solos=false)", game, number)
        if kind == "call" and not _go_to_call(state, player, deal % 4):
            continue
        judge = kb.agent(f"best(iterations={thinking}, worlds=10)", game, number)
        analysis = judge.analyse(state.view(state.player))
        if not isinstance(analysis, Analysis):
            raise TypeError("expected an analysis with worlds")
        risky, plain = _best_two(analysis, game.info.calls)
        predicted = _gain(analysis, risky, plain)
        if predicted < BINS[kind][0]:
            continue
        seat = state.player
        yield predicted, _points(state, risky, player)[seat] - _points(state, plain, player)[seat]


def _go_to_call(state: State, player: Agent, skip: int) -> bool:
    """Plays without calls until a seat has its last chance to call, the first ``skip`` such chances left out. False if
    the game ends before."""
    game = state.game
    asked = kb.agent("pimc(uct(iterations=1), worlds=1, calls=last)", game)
    while state.player != TERMINAL:
        view = state.view(state.player)
        if view.fields()["phase"] != "call":
            state.apply(player.act(view))
        elif asked.analyse(view).iterations == 0:  # the call could still be made later
            state.apply(state.parse("pass"))
        elif skip == 0:
            return True
        else:
            skip -= 1
            state.apply(state.parse("pass"))
    return False


def _best_two(analysis: Analysis, calls: Sequence[int]) -> tuple[int, int]:
    """The best risky action (a call or a solo) and the best other one."""
    order = sorted(analysis.actions, key=lambda entry: -entry.value if entry.visits else np.inf)
    risky = [entry.action for entry in order if entry.action in calls or entry.name.startswith("solo-")]
    return risky[0], next(entry.action for entry in order if entry.action not in risky)


def _gain(analysis: Analysis, risky: int, plain: int) -> float:
    places = {entry.action: i for i, entry in enumerate(analysis.actions)}
    table = np.asarray(analysis.world_values, dtype=float)
    return float(np.nanmean(table[:, places[risky]] - table[:, places[plain]]))


def _points(state: State, action: int, player: Agent) -> list[float]:
    after = state.copy()
    after.apply(action)
    while after.player != TERMINAL:
        legal = after.legal()
        after.apply(legal[0] if len(legal) == 1 else player.act(after.view(after.player)))
    return list(after.returns())
