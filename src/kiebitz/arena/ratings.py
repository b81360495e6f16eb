"""Ratings: one number of strength per agent, on a scale like Elo's (400 points are odds of ten to one).

``bradley_terry`` is the maximum likelihood of the model of Bradley and Terry (1952), a draw counting as half a win,
with intervals from the Fisher information; the order of games does not matter. ``openskill`` follows the games in the
order of their numbers with the Plackett-Luce model of Weng and Lin (2011), by the package of that name.

An agent beats another if its payoff at the same table is higher. At tables of more than two each pair counts, but the
pairs of one table are not independent: a table of k seats counts as k/2 games.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kiebitz.arena.summary import Summary
from kiebitz.errors import ParameterError

ELO = 400 / math.log(10)
"""Elo points for odds of e to one."""
_Z = 1.959963984540054
"""The 97.5 % quantile of the normal distribution, for 95 % intervals."""

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Rating:
    """The strength of an agent; 0 is the mean of its group."""

    agent: int
    value: float
    low: float | None
    """None if the games set no bound."""
    high: float | None
    games: float
    """Games against other agents."""
    group: int
    """Agents of different groups never met, not even through others, so their ratings cannot be compared."""
    note: str = ""
    """What a reader has to know about the number."""

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values for JSON."""
        return dict(vars(self))


def pair_scores(summary: Summary) -> Matrix:
    """What each agent (row) scored against each other agent (column): 1 for a win, 1/2 for a draw."""
    scores = np.zeros((len(summary.specs),) * 2)
    for number, seating in enumerate(summary.seatings):
        payoffs = summary.payoffs_of(number)
        for i, a in enumerate(seating):
            for j, b in enumerate(seating[:i]):
                if a == b:
                    continue
                equal = np.isclose(payoffs[:, i], payoffs[:, j], rtol=1e-9, atol=1e-12)
                draws = float(equal.sum())
                wins = float(((payoffs[:, i] > payoffs[:, j]) & ~equal).sum())
                weight = 1 / (len(seating) - 1)
                scores[a, b] += weight * (wins + draws / 2)
                scores[b, a] += weight * (len(payoffs) - wins - draws / 2)
    return scores


def bradley_terry(scores: Summary | Matrix) -> list[Rating]:
    """The ratings of all agents, from a summary or from what each agent (row) scored against each other (column).

    Agents that scored against everybody around them have no finite maximum. If that happens in a group, one more drawn
    game is counted for each pair of it that met (a weak prior); agents that only won have no upper bound, those that
    only lost have no lower bound, and their notes say so.

    >>> [round(rating.value) for rating in bradley_terry(np.array([[0.0, 10.0], [1.0, 0.0]]))]
    [200, -200]
    """
    scores = pair_scores(scores) if isinstance(scores, Summary) else np.asarray(scores, dtype=np.float64)
    if scores.ndim != 2 or scores.shape[0] != scores.shape[1] or not np.isfinite(scores).all() or (scores < 0).any():
        raise ParameterError("ratings: expected a square matrix of scores that are not below 0")
    from scipy.sparse.csgraph import connected_components

    met = scores + scores.T
    count, group = connected_components(met > 0, directed=False)
    ratings: list[Rating] = []
    for number in range(count):
        agents = np.flatnonzero(group == number)
        if len(agents) == 1:
            ratings.append(Rating(int(agents[0]), 0.0, None, None, 0.0, number, "met nobody"))
            continue
        inside = scores[np.ix_(agents, agents)]
        beats = inside > 0
        # A finite maximum exists if every agent can be reached from every other by wins and draws (Ford 1957).
        parts, part = connected_components(beats, directed=True, connection="strong")
        prior = 0.5 * (inside + inside.T > 0) if parts > 1 else 0.0
        strength, error = _fit(inside + prior)
        for i, agent in enumerate(agents):
            others = part != part[i]
            note, low, high = "", strength[i] - _Z * error[i], strength[i] + _Z * error[i]
            if parts > 1:
                note = "no finite maximum: with one drawn game more for each pair"
                who = "it" if (part == part[i]).sum() == 1 else "its group"
                if not beats[np.ix_(others, part == part[i])].any():
                    high, note = None, f"nobody else scored against {who}: no upper bound"
                elif not beats[np.ix_(part == part[i], others)].any():
                    low, note = None, f"{who} scored against nobody else: no lower bound"
            games = float(met[agent].sum())
            ratings.append(Rating(int(agent), float(strength[i]), _float(low), _float(high), games, number, note))
    if count > 1:
        ratings = [Rating(**{**vars(r), "note": _join(r.note, "never met the other groups")}) for r in ratings]
    return sorted(ratings, key=lambda rating: rating.agent)


def _fit(scores: Matrix) -> tuple[Matrix, Matrix]:
    """Strengths with sum 0 and their standard errors, in Elo, by Newton's method; the likelihood is concave."""
    size = len(scores)
    games, won = scores + scores.T, scores.sum(axis=1)
    strength = np.zeros(size)
    level = _likelihood(strength, scores)
    information = np.zeros((size, size))
    for _ in range(200):
        expected = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
        slope = won - (games * expected).sum(axis=1)
        weights = games * expected * (1 - expected)
        information = np.diag(weights.sum(axis=1)) - weights
        # Only differences matter: the matrix of ones fixes the one direction that does not.
        step = np.linalg.solve(information + information.max() / size, slope)
        while (new := _likelihood(strength + step, scores)) < level and np.abs(step).max() > 1e-12:
            step /= 2
        strength, level = strength + step - (strength + step).mean(), new
        if np.abs(step).max() < 1e-10:
            break
    variance = np.diag(np.linalg.pinv(information, hermitian=True))
    return ELO * strength, ELO * np.sqrt(np.maximum(variance, 0.0))


def _likelihood(strength: Matrix, scores: Matrix) -> float:
    return -float((scores * np.logaddexp(0.0, strength[None, :] - strength[:, None])).sum())


def openskill(summary: Summary) -> list[Rating]:
    """The ratings of all agents after the games in the order of their numbers.

    An agent at several seats of a table gets the mean of its updates there. The interval is the mean ± 1.96 standard
    deviations of the model; its scale is Elo's for two agents that it knows well.
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    skills = dict.fromkeys(range(len(summary.specs)), (model.mu, model.sigma))
    games = dict.fromkeys(skills, 0)
    for seating, payoffs in summary.each_game():
        if len(set(seating)) < 2:
            continue
        teams = [[model.rating(*skills[agent])] for agent in seating]
        after = model.rate(teams, scores=list(payoffs))
        for agent in set(seating):
            own = [team[0] for team, who in zip(after, seating, strict=True) if who == agent]
            skills[agent] = (sum(r.mu for r in own) / len(own), sum(r.sigma for r in own) / len(own))
            games[agent] += 1
    elo = ELO / (math.sqrt(2) * model.beta)
    ratings = []
    for agent, (mu, sigma) in skills.items():
        value, half = elo * (mu - model.mu), elo * _Z * sigma
        note = f"mu {mu:.2f}, sigma {sigma:.2f}"
        ratings.append(Rating(agent, value, value - half, value + half, float(games[agent]), 0, note))
    return ratings


def _float(value: Any) -> float | None:
    return None if value is None else float(value)


def _join(*notes: str) -> str:
    return "; ".join(note for note in notes if note)
