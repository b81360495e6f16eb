"""One hand of the jam/fold endgame, at every stack at once: what choices are worth, best responses, equilibria.

Strategies are arrays (stack, hand, action) with a row for each stack at which both players are in. Values are an array
of two rows, our probability to win as the small and as the big blind before the cards are dealt, with a column for each
stack from none to all chips. `jamfold.py` says what the game is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.optimize import linprog

from kiebitz.errors import LimitError, ParameterError
from kiebitz.solve.preflop import BOARDS, DEALS, HANDS, Floats, all_in_table

Stacks: TypeAlias = npt.NDArray[np.int64]
Booleans: TypeAlias = npt.NDArray[np.bool_]

STOP = 1e-13
"""The probability that a match stops after a hand, so that its value is defined even if it could go on forever."""
MOST_IMPROVEMENTS = 100
SAME = 1e-13
"""Values that differ by no more than this are equal but for rounding."""


class Own(NamedTuple):
    """Our strategy, fold or jam: in the small blind, and in the big blind if the opponent does not fold."""

    sb: Floats  # fold, jam
    bb: Floats  # fold, jam


class Opponent(NamedTuple):
    """The opponent's strategy: in the big blind after our jam, and in the small blind."""

    call: Floats  # fold, call
    play: Floats  # fold, limp to fold, limp to call


class Odds(NamedTuple):
    """The all-in table as probabilities."""

    prior: Floats  # how likely a hand is
    pairs: Floats  # how likely it is that we hold the first, the opponent the second hand
    wins: Floats  # that, and that we win
    ties: Floats
    to_opponent: Floats  # from weights of our hands to wins, ties and pairs by the opponent's: three blocks of columns
    to_own: Floats  # from weights of the opponent's hands to those by ours


@cache
def odds() -> Odds:
    """The table that ships with the package."""
    table = all_in_table()
    pairs, wins, ties = table.pairs / DEALS, table.wins / (DEALS * BOARDS), table.ties / (DEALS * BOARDS)
    return Odds(pairs.sum(axis=1), pairs, wins, ties, np.hstack([wins, ties, pairs]), np.hstack([wins.T, ties, pairs]))


class Stages:
    """The rules: where a hand can lead, and what every choice is worth given what the next hand is worth."""

    def __init__(self, total: int, small: int, big: int, restricted: bool) -> None:
        """All in steps of chips; a restricted opponent only jams or folds, too."""
        self.last = total
        stack = np.arange(1, total)
        at_stake = np.minimum(stack, total - stack)
        # The stack that we have in the next hand.
        self.tie, self.win, self.lose = stack, stack + at_stake, stack - at_stake
        self.our_small, self.our_big = np.maximum(stack - small, 0), np.maximum(stack - big, 0)
        self.their_small, self.their_big = np.minimum(stack + small, total), np.minimum(stack + big, total)
        # A player whose blind is all-in, or covers all that the other can win, has no choice.
        sb_free, bb_free = (at_stake > small)[:, None, None], (at_stake > big)[:, None, None]
        always = np.ones_like(sb_free)
        self.own_allowed = (
            np.concatenate([sb_free, always], axis=2),
            np.concatenate([bb_free, always], axis=2),
        )
        self.opponent_allowed = (
            np.concatenate([bb_free, always], axis=2),
            # Limping to call amounts to a jam.
            np.concatenate([sb_free, bb_free & (not restricted), always], axis=2),
        )

    def start(self) -> Floats:
        """A first guess of the values: the share of the chips."""
        return np.tile(np.linspace(0, 1, self.last + 1), (2, 1))

    def own_from(self, sb_jam: npt.ArrayLike, bb_jam: npt.ArrayLike) -> Own:
        """Strategies from how often to jam, by stack (from none to all chips) and hand."""
        tables = []
        for given, allowed in zip((sb_jam, bb_jam), self.own_allowed, strict=True):
            shape = self.last + 1, HANDS
            try:
                jam = np.broadcast_to(np.asarray(given, dtype=np.float64), shape)[1:-1]
            except (TypeError, ValueError):
                raise ParameterError(f"expected how often to jam for {shape[0]} stacks and {shape[1]} hands") from None
            if not np.all((jam >= 0) & (jam <= 1)):
                raise ParameterError("expected probabilities to jam between 0 and 1")
            tables.append(np.where(allowed[..., :1], np.stack([1 - jam, jam], axis=2), [0.0, 1.0]))
        return Own(*tables)

    def own_gains(self, opponent: Opponent, values: Floats) -> Own:
        """What each of our choices is worth against an opponent, times how likely the hand is."""
        prior, pairs, to_own = odds().prior, odds().pairs, odds().to_own
        as_sb, as_bb = values
        called = opponent.call[..., 1] @ to_own
        sb_fold = prior * _column(as_bb, self.our_small)
        sb_jam = self._showdown(called, as_bb) + (prior - called[:, -HANDS:]) * _column(as_bb, self.their_big)
        called, given_up = opponent.play[..., 2] @ to_own, opponent.play[..., 1] @ pairs
        bb_fold = (called[:, -HANDS:] + given_up) * _column(as_sb, self.our_big)
        bb_jam = self._showdown(called, as_sb) + given_up * _column(as_sb, self.their_big)
        return Own(np.stack([sb_fold, sb_jam], axis=2), np.stack([bb_fold, bb_jam], axis=2))

    def opponent_gains(self, own: Own, values: Floats) -> Opponent:
        """The same for the opponent, who wants our values small."""
        prior, to_opponent = odds().prior, odds().to_opponent
        as_sb, as_bb = values
        jammed = own.sb[..., 1] @ to_opponent
        fold, call = jammed[:, -HANDS:] * _column(as_bb, self.their_big), self._showdown(jammed, as_bb)
        jammed = own.bb[..., 1] @ to_opponent
        give_up = prior * _column(as_sb, self.their_small)
        not_jammed = (prior - jammed[:, -HANDS:]) * _column(as_sb, self.our_big)
        limp_fold = not_jammed + jammed[:, -HANDS:] * _column(as_sb, self.their_big)
        limp_call = not_jammed + self._showdown(jammed, as_sb)
        return Opponent(-np.stack([fold, call], axis=2), -np.stack([give_up, limp_fold, limp_call], axis=2))

    def _showdown(self, hands: Floats, values: Floats) -> Floats:
        """All chips in: hands are weights of wins, ties and all deals."""
        win, tie, lose = (_column(values, to) for to in (self.win, self.tie, self.lose))
        return hands[:, :HANDS] * (win - lose) + hands[:, HANDS:-HANDS] * (tie - lose) + hands[:, -HANDS:] * lose

    def evaluate(self, own: Own, opponent: Opponent, endless_wins: bool = False) -> Floats:
        """The values of two strategies, from linear equations between the stacks.

        A match without end counts as lost for us, or as won.
        """
        prior, to_opponent = odds().prior, odds().to_opponent
        play = opponent.play
        jammed = own.sb[..., 1] @ to_opponent
        pairs = jammed[:, -HANDS:]
        sb_moves = [
            (self.our_small, own.sb[..., 0] @ prior),
            (self.their_big, np.sum(pairs * opponent.call[..., 0], axis=1)),
            *self._outcomes(jammed, opponent.call[..., 1]),
        ]
        jammed = own.bb[..., 1] @ to_opponent
        pairs = jammed[:, -HANDS:]
        bb_moves = [
            (self.their_small, play[..., 0] @ prior),
            (self.our_big, np.sum((prior - pairs) * (play[..., 1] + play[..., 2]), axis=1)),
            (self.their_big, np.sum(pairs * play[..., 1], axis=1)),
            *self._outcomes(jammed, play[..., 2]),
        ]
        n = self.last - 1
        moves = np.zeros((2, n, 2, self.last + 1))  # from seat and stack to seat and stack
        for seat, seat_moves in enumerate((sb_moves, bb_moves)):
            for to, chance in seat_moves:
                moves[seat, np.arange(n), 1 - seat, to] += chance
        moves *= 1 - STOP
        equations = np.eye(2 * n) - moves[..., 1:-1].reshape(2 * n, 2 * n)
        # The chance of the end that an endless match does not count as: exactly 0 where it cannot be reached.
        reached = moves[..., 0 if endless_wins else -1].sum(axis=2).ravel()
        inner = np.clip(np.linalg.solve(equations, reached), 0, 1).reshape(2, n)
        if endless_wins:
            inner = 1 - inner
        return np.hstack([np.zeros((2, 1)), inner, np.ones((2, 1))])

    def _outcomes(self, jammed: Floats, call: Floats) -> list[tuple[Stacks, Floats]]:
        win, tie, all_in = (np.sum(part * call, axis=1) for part in np.split(jammed, 3, axis=1))
        return [(self.win, win), (self.tie, tie), (self.lose, all_in - win - tie)]

    def best_own(self, opponent: Opponent, values: Floats) -> Own:
        """Our best choice with every hand."""
        return Own(*_best(self.own_gains(opponent, values), self.own_allowed))

    def best_opponent(self, own: Own, values: Floats) -> Opponent:
        """The opponent's best choice with every hand."""
        return Opponent(*_best(self.opponent_gains(own, values), self.opponent_allowed))

    def worst_case(self, own: Own, guess: Floats) -> Floats:
        """What we win at least: values against the best response, found by policy iteration over the stacks."""
        return _improve(guess, lambda values: self.evaluate(own, self.best_opponent(own, values)))

    def best_case(self, opponent: Opponent, guess: Floats) -> Floats:
        """What we win at most against an opponent."""
        return _improve(guess, lambda values: self.evaluate(self.best_own(opponent, values), opponent, True))


def _column(values: Floats, stacks: Stacks) -> Floats:
    return values[stacks][:, None]


def _best(gains: Iterable[Floats], allowed: Iterable[Booleans]) -> list[Floats]:
    return [np.eye(g.shape[2])[np.where(a, g, -np.inf).argmax(axis=2)] for g, a in zip(gains, allowed, strict=True)]


def _improve(values: Floats, improve: Callable[[Floats], Floats]) -> Floats:
    for _ in range(MOST_IMPROVEMENTS):
        before, values = values, improve(values)
        if np.abs(values - before).max() <= SAME:
            break
    return values


# --- A guess: regret matching ---------------------------------------------------------------------------------------


class RegretMatcher:
    """Predictive CFR+ (Farina, Kroer and Sandholm 2021) for one choice, with every hand at every stack."""

    def __init__(self, allowed: Booleans) -> None:
        self.allowed = np.broadcast_to(allowed, (allowed.shape[0], HANDS, allowed.shape[2]))
        self.regrets = np.zeros(self.allowed.shape)
        self.total = np.zeros(self.allowed.shape)
        self.strategy = self.average()

    def update_regrets(self, gains: Floats, weight: float) -> None:
        """Finds the next strategy from what each choice was worth, and adds it to the average with a weight."""
        regret = gains - np.sum(gains * self.strategy, axis=2, keepdims=True)
        np.maximum(self.regrets + regret, 0, out=self.regrets)
        # The prediction: the next hand brings the regrets of this one.
        self.strategy = self._normal(np.maximum(self.regrets + regret, 0))
        self.total += weight * self.strategy

    def average(self) -> Floats:
        """The strategy that converges."""
        return self._normal(self.total)

    def _normal(self, weights: Floats) -> Floats:
        weights = weights * self.allowed
        sums = weights.sum(axis=2, keepdims=True)
        normal: Floats = self.allowed / self.allowed.sum(axis=2, keepdims=True)
        np.divide(weights, sums, out=normal, where=sums > 0)
        return normal


def guess(stages: Stages, iterations: int) -> tuple[Own, Opponent, Floats]:
    """Strategies near an equilibrium and their values, which follow the strategies."""
    values = stages.start()
    sb, bb = (RegretMatcher(allowed) for allowed in stages.own_allowed)
    call, play = (RegretMatcher(allowed) for allowed in stages.opponent_allowed)
    for iteration in range(1, iterations + 1):
        weight = float(iteration) ** 4
        ours = stages.own_gains(Opponent(call.strategy, play.strategy), values)
        sb.update_regrets(ours.sb, weight)
        bb.update_regrets(ours.bb, weight)
        theirs = stages.opponent_gains(Own(sb.strategy, bb.strategy), values)
        call.update_regrets(theirs.call, weight)
        play.update_regrets(theirs.play, weight)
        if iteration % 5 == 0 or iteration == iterations:
            own, opponent = Own(sb.average(), bb.average()), Opponent(call.average(), play.average())
            values = stages.evaluate(own, opponent)
    return own, opponent, values


# --- Exactly: linear programmes ---------------------------------------------------------------------------------------
#
# At equilibrium nearly all hands are played purely. A programme therefore has variables only for the hands that may be
# mixed; the solution is checked with all hands, and hands that would do better otherwise are added.

OPEN = 1e-3
"""A hand may be mixed if a guess plays it more often than this, and less often than always by this."""
SCALE = 1e4
"""Gains are multiplied by this for the solver of linear programmes, whose tolerances are absolute."""
SURE = 1e-13
"""Gains that differ by this are equal."""


class Stage(NamedTuple):
    """One hand at one stack for one seat, as a bilinear game.

    With p the probabilities to jam, we win `own @ p`, and with each hand of the opponent what it chooses of
    `constants[action] + p @ payoffs[action]`.
    """

    own: Floats
    constants: Floats  # action, hand of the opponent
    payoffs: Floats  # action, our hand, hand of the opponent


def _stage(stages: Stages, seat: int, row: int, values: Floats) -> Stage:
    prior, pairs, wins, ties, _, _ = odds()
    later = values[1 - seat]
    win, tie, lose = (later[to[row]] for to in (stages.win, stages.tie, stages.lose))
    showdown = wins * (win - lose) + ties * (tie - lose) + pairs * lose
    steal = pairs * later[stages.their_big[row]]
    nothing = np.zeros(HANDS)
    if seat == 0:
        own = -prior * later[stages.our_small[row]]
        constants, payoffs = np.stack([nothing, nothing]), np.stack([steal, showdown])
    else:
        own, fold = nothing, later[stages.our_big[row]]
        constants = np.stack([prior * later[stages.their_small[row]], prior * fold, prior * fold])
        payoffs = np.stack([0 * pairs, steal - pairs * fold, showdown - pairs * fold])
    actions = stages.opponent_allowed[seat][row, 0]
    return Stage(own, constants[actions], payoffs[actions])


def _solve_stage(stage: Stage, jam: Floats, reply: Floats) -> tuple[Floats, Floats]:
    """An equilibrium, from a guess: how often we jam, and what the opponent does (hand, action)."""
    ours = (jam > OPEN) & (jam < 1 - OPEN)
    theirs = reply.max(axis=1) < 1 - OPEN
    jam = np.where(ours, jam, np.round(jam))
    reply = np.where(theirs[:, None], reply, np.eye(reply.shape[1])[reply.argmax(axis=1)])
    while True:
        if ours.any() or theirs.any():
            jam[ours], reply[theirs] = _programme(stage, jam, reply, ours, theirs)
        gain = stage.own + np.einsum("aij,ja->i", stage.payoffs, reply)
        cost = stage.constants + jam @ stage.payoffs
        chosen = np.take_along_axis(cost, reply.argmax(axis=1)[None], axis=0)[0]
        our_change = ~ours & (np.where(jam > 0.5, -gain, gain) > SURE)
        their_change = ~theirs & (chosen - cost.min(axis=0) > SURE)
        if not our_change.any() and not their_change.any():
            return jam, reply
        ours |= our_change
        theirs |= their_change


def _programme(stage: Stage, jam: Floats, reply: Floats, ours: Booleans, theirs: Booleans) -> tuple[Floats, Floats]:
    """The best for the open hands of both sides while all others do what they do."""
    n, m, actions = int(ours.sum()), int(theirs.sum()), len(stage.payoffs)
    gain = stage.own[ours] + np.einsum("aij,ja->i", stage.payoffs[:, ours][:, :, ~theirs], reply[~theirs])
    limits = (stage.constants + np.where(ours, 0, jam) @ stage.payoffs)[:, theirs]
    # Variables: how often we jam, then what we get from each open hand of the opponent, which its choices limit.
    open_payoffs = stage.payoffs[:, ours][:, :, theirs].swapaxes(1, 2).reshape(actions * m, n)
    solution = linprog(
        -np.concatenate([gain * SCALE, np.ones(m)]),
        A_ub=np.hstack([-SCALE * open_payoffs, np.tile(np.eye(m), (actions, 1))]),
        b_ub=SCALE * limits.ravel(),
        bounds=[(0, 1)] * n + [(None, None)] * m,
        method="highs-ds",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if solution.x is None:
        raise LimitError(f"the solver of linear programmes gave up: {solution.message}")
    # What the opponent does are the prices of the limits.
    weights = np.maximum(-solution.ineqlin.marginals.reshape(actions, m).T, 0)
    return np.clip(solution.x[:n], 0, 1), weights / weights.sum(axis=1, keepdims=True)


def equilibrium(stages: Stages, own: Own, opponent: Opponent, values: Floats) -> tuple[Own, Opponent]:
    """Optimal strategies of the hand at every stack, if the next one is worth `values`; from a guess of them."""
    best = Own(*(np.round(table) for table in own))
    replies = stages.best_opponent(best, values)
    back = stages.best_own(replies, values)
    for seat in range(2):
        # Two pure strategies that are best responses to each other are an equilibrium.
        for row in np.flatnonzero(np.any(back[seat] != best[seat], axis=(1, 2))):
            actions = stages.opponent_allowed[seat][row, 0]
            stage = _stage(stages, seat, int(row), values)
            jam, reply = _solve_stage(stage, own[seat][row, :, 1], opponent[seat][row][:, actions])
            best[seat][row] = np.stack([1 - jam, jam], axis=1)
            replies[seat][row] = 0
            replies[seat][row][:, actions] = reply
    return best, replies
