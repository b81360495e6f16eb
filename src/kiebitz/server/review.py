"""The review after a game: what every decision cost, the worst mistakes in words, and how the expectation moved.

Every decision is judged from what the player could know, by the same analysis as in the kibitz panel; losses are those
of ``kiebitz.agents.review``. A mistake is a loss of more than two standard errors that is worth mentioning.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kiebitz._core import State, StopToken
from kiebitz.agents.advice import Effort, advisers, study
from kiebitz.agents.review import Decision, decisions, last_calls, summary
from kiebitz.analysis import AnalysisLike
from kiebitz.errors import Error, ParameterError
from kiebitz.games import declaration_of
from kiebitz.records import Record, outcome
from kiebitz.server.replays import check, names_of
from kiebitz.server.review_words import explain
from kiebitz.solve.measures import is_two_player_zero_sum

WORST = 3
"""Mistakes that are explained in words."""
_EFFORTS: dict[str, Effort] = {"quick": "glance", "normal": "quick", "deep": "normal"}
"""A game has many decisions, so each gets less effort than a single question in the kibitz panel."""
EFFORTS = tuple(_EFFORTS)
FORM = 2
"""Counts the forms of what `review` returns: reviews of an older form are not shown again."""

Progress = Callable[[float], None]


class CancelledError(Error):
    """The review was cancelled."""


def review(
    record: Record, effort: str = "normal", stop: StopToken | None = None, progress: Progress | None = None
) -> dict[str, Any]:
    """Judges every decision of a game; ``progress`` is called with the share that is done, from 0 to 1.

    >>> import kiebitz as kb
    >>> state = kb.game("nim", heaps=[1, 2]).new()
    >>> for move in ("2:2", "1:1"):
    ...     state.apply(state.parse(move))
    >>> found = review(kb.records.record_of(state, ["Ada", "Bob"]), "quick")
    >>> found["worst"], found["words"]["en"][0].partition(";")[0]
    ([0], 'Move 1: Ada chose 2 from heap 2')
    """
    if effort not in _EFFORTS:
        raise ParameterError(f"effort: expected one of {', '.join(EFFORTS)}, got {effort!r:.60}")
    final = check(record)
    game, level = final.game, _EFFORTS[effort]

    def judge(state: State, action: int) -> AnalysisLike:
        return study(state.view(state.player), level, stop=stop, calls=last_calls(state, action)).analysis

    judged: list[Decision] = []
    for number, decision in enumerate(decisions(record, judge, waits=bool(game.info.calls)), 1):
        if stop is not None and stop.requested:
            raise CancelledError("the review was cancelled")
        if decision is not None and not decision.later:
            judged.append(decision)
        if progress is not None:
            progress(number / len(record.actions))
    rows = [decision.row() for decision in judged]
    worst = worst_of(rows)
    names = names_of(record, game.info.players)
    return {
        "form": FORM,
        "spec": str(advisers(game, level)[-1]),
        "decisions": [_decision(*pair) for pair in zip(judged, rows, strict=True)],
        "players": [_player(rows, seat) for seat in range(game.info.players)],
        "worst": worst,
        "words": explain([judged[place] for place in worst], [place + 1 for place in worst], names),
        "curve": _curve(judged, final, outcome(final, record.resigned)),
    }


def worst_of(rows: list[dict[str, Any]]) -> list[int]:
    """The indices of the worst mistakes, the worst first.

    >>> worst_of([{"mistake": True, "lost": 1.0}, {"mistake": False, "lost": 9.0}, {"mistake": True, "lost": 2.0}])
    [2, 0]
    """
    mistakes = [place for place, row in enumerate(rows) if row["mistake"]]
    return sorted(mistakes, key=lambda place: -rows[place]["lost"])[:WORST]


def _decision(decision: Decision, row: dict[str, Any]) -> dict[str, Any]:
    kept = (
        "ply",
        "played",
        "best",
        "good",
        "value",
        "best_value",
        "lost",
        "error",
        "outcome",
        "best_outcome",
        "status",
    )
    view = decision.view
    place = declaration_of(view.game).facts.place(view)
    return {
        **{key: row[key] for key in (*kept, "worlds", "mistake", "forced")},
        "seat": row["player"],
        "decision": view.phase,
        "place": place,
        "options": decision.options() if row["mistake"] else [],
    }


def _player(rows: list[dict[str, Any]], seat: int) -> dict[str, Any]:
    whole = summary(rows, seat)
    return {"seat": seat, **{key: whole[key] for key in ("decisions", "mistakes", "lost", "lost_by_mistakes")}}


def _curve(judged: list[Decision], final: State, returns: list[float] | None) -> list[dict[str, Any]]:
    """What the player could expect at each decision; in open zero-sum games, also what the opponent could."""
    game = final.game
    both = not game.info.hidden and is_two_player_zero_sum(game)
    points: list[dict[str, Any]] = []
    for decision in judged:
        if decision.analysis is None:
            continue
        value = decision.analysis.value
        points.append({"ply": decision.ply, "seat": decision.player, "value": value})
        if both:
            points.append(
                {"ply": decision.ply, "seat": 1 - decision.player, "value": game.info.payoff_sum - value},
            )
    if returns is not None:
        end = len(final.history)
        points += [{"ply": end, "seat": seat, "value": value} for seat, value in enumerate(returns)]
    return points
