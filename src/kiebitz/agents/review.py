"""Review of a recorded game: for every decision what was played, what was best, and what the difference cost.

The loss of a move is the value of the best action minus that of the one played. Where the analysis has values on
sampled worlds, both are compared on the same worlds, so that the luck of the deal cancels out. A loss is a mistake if
it exceeds two standard errors and what players of the game call small (``Unit.small``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from kiebitz._core import CHANCE, Game, State, View
from kiebitz.analysis import ActionValueLike, AnalysisLike
from kiebitz.games import declaration_of
from kiebitz.records import Record, replay

SIGNIFICANT = 2.0
"""Standard errors by which a loss must exceed zero to be called a mistake."""


@dataclass(frozen=True)
class Loss:
    """What a move cost against the best one, in payoff units."""

    value: float | None
    """None if the move or the best one was not examined."""
    error: float | None = None
    """Standard error; None if unknown."""
    worlds: int = 0
    """Worlds on which both moves were compared; 0: compared by their means."""

    @property
    def mistake(self) -> bool:
        """Whether the loss is more than chance explains."""
        if self.value is None or self.error is None:
            return False
        return self.value > max(SIGNIFICANT * self.error, 1e-9)


def world_differences(analysis: AnalysisLike, action: int) -> list[float]:
    """The value of the best action minus that of another one, on each sampled world that has both.

    ``world_values`` has for each world a value per action, in the order of ``actions``, nan if it was not visited.
    """
    places = {entry.action: i for i, entry in enumerate(analysis.actions)}
    worlds: Sequence[Sequence[float]] = getattr(analysis, "world_values", None) or ()
    if not worlds or action not in places or analysis.best not in places:
        return []
    table = np.asarray(worlds, dtype=float)
    differences = table[:, places[analysis.best]] - table[:, places[action]]
    return [float(each) for each in differences[np.isfinite(differences)]]


def loss_of(analysis: AnalysisLike, action: int) -> Loss:
    """The loss of an action against the best one of an analysis.

    With values on sampled worlds it is the mean of the differences on worlds that have both, with the standard error of
    that mean. Without, the errors of the two values are taken as independent, which overstates the combined error.

    >>> import kiebitz as kb
    >>> state = kb.game("tic_tac_toe").load({"board": "xx.oo...."})
    >>> analysis = kb.agent("minimax(depth=9)", state.game).analyse(state.view(0))
    >>> loss_of(analysis, state.parse("c1")).mistake, loss_of(analysis, state.parse("a3")).mistake
    (False, True)
    """
    if action == analysis.best:
        return Loss(0.0, 0.0)
    entries = {entry.action: entry for entry in analysis.actions}
    if action not in entries or analysis.best not in entries:
        return Loss(None)
    differences = np.asarray(world_differences(analysis, action))
    if len(differences) > 1:
        error = float(differences.std(ddof=1)) / math.sqrt(len(differences))
        return Loss(float(differences.mean()), error, len(differences))
    best, played = entries[analysis.best], entries[action]
    if not best.visits or not played.visits:
        return Loss(None)
    known = all(entry.error or entry.exact or not analysis.iterations for entry in (best, played))
    return Loss(best.value - played.value, math.hypot(best.error, played.error) if known else None)


Outcome = Literal["won", "drawn", "lost"]


def outcome_of(game: Game, entry: ActionValueLike) -> Outcome | None:
    """How a game ends after an action if both sides play well: proven, in an open game with wins, draws and losses.

    >>> import kiebitz as kb
    >>> state = kb.game("tic_tac_toe").load({"board": "xx.oo...."})
    >>> found = kb.agent("every_move", state.game).analyse(state.view(0))
    >>> [outcome_of(state.game, entry) for entry in found.actions][:3]
    ['won', 'drawn', 'lost']
    """
    if game.info.hidden or (game.info.min_payoff, game.info.max_payoff) != (-1, 1) or not entry.exact:
        return None
    ends: dict[float, Outcome] = {1.0: "won", 0.0: "drawn", -1.0: "lost"}
    return ends.get(entry.value)


def best_of(analysis: AnalysisLike, game: Game) -> list[int]:
    """All actions that are as good as the best one, as far as the game's unit shows; none where every action loses.

    >>> import kiebitz as kb
    >>> game = kb.game("tic_tac_toe")
    >>> def best(board):
    ...     view = game.load({"board": board}).view(0)
    ...     return [view.name(action) for action in best_of(kb.agent("every_move", game).analyse(view), game)]
    >>> best("xx.oo...."), len(best(".........")), best("o.o..xoxx")
    (['c1'], 9, [])
    """
    best = next((entry for entry in analysis.actions if entry.action == analysis.best), None)
    if best is None or (best.exact and best.value <= game.info.min_payoff):
        return []
    unit = declaration_of(game).words.unit(game)
    losses = {entry.action: loss_of(analysis, entry.action).value for entry in analysis.actions}
    return [action for action, lost in losses.items() if lost is not None and not unit.shows(lost)]


@dataclass(frozen=True)
class Decision:
    """One decision of a recorded game, judged."""

    ply: int
    view: View
    """What the player knew."""
    action: int
    analysis: AnalysisLike | None
    """None if there was only one legal action."""
    loss: Loss
    later: bool = False
    """A call was declined that can still be made: nothing has been decided yet."""

    @property
    def player(self) -> int:
        """The player who decided."""
        return self.view.player

    @property
    def forced(self) -> bool:
        """Whether there was only one legal action."""
        return self.analysis is None

    @property
    def mistake(self) -> bool:
        """Whether the loss is more than chance explains and worth mentioning in this game."""
        return self.counts(self.loss)

    def counts(self, loss: Loss) -> bool:
        """The same of any loss."""
        unit = declaration_of(self.view.game).words.unit(self.view.game)
        return loss.value is not None and loss.mistake and unit.counts(loss.value)

    def options(self) -> list[dict[str, Any]]:
        """Every action with what it would have cost, for somebody who tries to find a better one."""
        if self.analysis is None:
            return []
        found, good = [], best_of(self.analysis, self.view.game)
        for entry in self.analysis.actions:
            loss = loss_of(self.analysis, entry.action)
            mistake = self.counts(loss)
            told = {
                "action": entry.action,
                "name": entry.name,
                "lost": None if loss.value is None else max(0.0, loss.value),
            }
            told |= {"outcome": outcome_of(self.view.game, entry), "mistake": mistake, "best": entry.action in good}
            found.append(told)
        return found

    def row(self) -> dict[str, Any]:
        """All of it as plain values."""
        view, name = self.view, self.view.name(self.action)
        row = {
            "ply": self.ply,
            "player": self.player,
            **declaration_of(view.game).facts.place(view),
            "action": self.action,
            "played": name,
        }
        if self.analysis is None:
            certain: dict[str, Any] = {
                "value": None,
                "best": name,
                "good": [],
                "best_value": None,
                "lost": 0.0,
                "error": 0.0,
            }
            certain |= {"outcome": None, "best_outcome": None, "status": None}
            return {**row, "forced": True, "later": False, **certain, "worlds": 0, "mistake": False}
        analysis = self.analysis
        entry = next((a for a in analysis.actions if a.action == self.action and a.visits), None)
        best = next((a for a in analysis.actions if a.action == analysis.best and a.visits), None)
        outcomes = [None if each is None else outcome_of(view.game, each) for each in (entry, best)]
        return {
            **row,
            "forced": False,
            "later": self.later,
            "value": None if entry is None else entry.value,
            "best": analysis.best_name,
            "good": [view.name(action) for action in best_of(analysis, view.game)],
            "outcome": outcomes[0],
            "best_outcome": outcomes[1],
            "status": "proven" if entry and best and entry.exact and best.exact else "estimated",
            "best_value": best.value if best is not None else None if view.game.info.hidden else analysis.value,
            # An action that the judge would not have played may still turn out better: that is not a loss.
            "lost": None if self.loss.value is None else max(0.0, self.loss.value),
            "error": self.loss.error,
            "worlds": self.loss.worlds,
            "mistake": self.mistake,
        }


Judge = Callable[[State, int], AnalysisLike]
"""Analyses a decision, given the state (a fair judge looks only at the view) and the action that was played."""


def decisions(record: Record, judge: Judge, *, waits: bool = False) -> Iterator[Decision | None]:
    """Every action of a game, judged: a decision each, or None for a chance move and for what somebody else played
    after a seat had given up.

    Forced moves of hidden games are not searched. ``waits`` says that the judge considers a call only at the last
    possible moment, so that declining it earlier is not a decision yet.
    """
    final = replay(record)
    state = final.game.root() if record.start is None else final.game.load(record.start)
    for ply, (action, _) in enumerate(record.actions):
        skipped = state.player == CHANCE or record.stood_in(state.player, ply)
        yield None if skipped else _judged(state, ply, action, judge, waits)
        state.apply(action)


def _judged(state: State, ply: int, action: int, judge: Judge, waits: bool) -> Decision:
    view = state.view(state.player)
    if len(state.legal()) == 1 and state.game.info.hidden:
        return Decision(ply, view, action, None, Loss(0.0, 0.0))
    analysis = judge(state, action)
    declined = action == state.game.info.decline and action == analysis.best and not analysis.iterations
    return Decision(ply, view, action, analysis, loss_of(analysis, action), waits and declined)


def last_calls(state: State, action: int) -> str:
    """Which calls to consider when a decision is judged. A player who declines can still call later, so declining costs
    nothing before the last possible moment."""
    return "last" if action == state.game.info.decline else "all"


def summary(rows: Sequence[dict[str, Any]], player: int) -> dict[str, Any]:
    """What a player lost in total, from the rows of a game's decisions."""
    own = [row for row in rows if row["player"] == player and not (row["forced"] or row["later"])]
    return {
        "player": player,
        "decisions": len(own),
        "mistakes": sum(row["mistake"] for row in own),
        "lost": math.fsum(row["lost"] or 0.0 for row in own),
        "lost_by_mistakes": math.fsum(row["lost"] for row in own if row["mistake"]),
    }
