"""Summaries: what the rows of a run say about its agents. Commands and reports print nothing else.

Games of one deal share its luck, so deals are counted: intervals come from the spread between deals, and agents are
compared by their difference on the same deal (duplicate play).
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kiebitz.arena.effort import iterations_of
from kiebitz.arena.played import Floats, Played, Whole
from kiebitz.errors import ParameterError
from kiebitz.games import declaration_of
from kiebitz.stats import CONFIDENCE, Estimate, Mean, population, thesis_interval, wilson
from kiebitz.store.rows import FORFEIT

MOST_REASONS = 3
"""Reasons why an agent failed that a remark gives."""
FEW_DEALS = 6
"""With fewer deals, games may look alike by chance, so no claim is made from a few that agree."""


@dataclass(frozen=True)
class Outcomes:
    """Games that an agent won, drew and lost. The highest payoff wins, partners together; if all payoffs are equal, it
    is a draw.

    >>> round(Outcomes(80, 5, 15).win_rate.low, 3)
    0.711
    """

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def win_rate(self) -> Estimate:
        """Share of games won, with Wilson's interval."""
        return wilson(self.wins, self.games)

    @property
    def draw_rate(self) -> Estimate:
        """Share of games drawn."""
        return wilson(self.draws, self.games)

    @property
    def loss_rate(self) -> Estimate:
        """Share of games lost."""
        return wilson(self.losses, self.games)


@dataclass(frozen=True)
class Cell:
    """One agent against another, at the tables where both sat."""

    games: int
    mean: Mean
    """Of the differences of their payoffs, one per deal."""

    @property
    def difference(self) -> Estimate:
        """Mean payoff of the first minus that of the second."""
        return self.mean.estimate()


@dataclass(frozen=True)
class MovesInWins:
    """Own moves in the games that an agent won, with the conventions of the Oware thesis."""

    wins: int
    mean: float
    deviation: float
    """Of the population: divided by the number of wins."""

    @property
    def estimate(self) -> Estimate:
        """The mean with the interval of the thesis."""
        return thesis_interval(self.mean, self.deviation, self.wins)


class Summary(Played):
    """The games of a run and their statistics.

    >>> from kiebitz.store.rows import Row
    >>> rows = [Row(n, 0, (n, 1 - n), (1.0, -1.0), 5, 20, (3, 2), (0.1, 0.2), (0.05, 0.15)) for n in (0, 1)]
    >>> summary = Summary(rows, ["random", "uct(iterations=10)"])
    >>> summary.games, summary.deals, summary.outcomes(0).wins, summary.payoff(0).value
    (2, 1, 1, 0.0)
    """

    @property
    def blocks_name(self) -> str:
        """What games with the agents in different seats share: deals, or rounds of seatings where nothing is dealt.

        >>> import kiebitz as kb
        >>> [Summary([], ["random"], kb.game(name)).blocks_name for name in ("kuhn", "connect_four")]
        ['deals', 'rounds']
        """
        return "deals" if self.game is None or self.game.info.chance else "rounds"

    # --- Payoffs ------------------------------------------------------------------------------------------------------

    def _blocks(self, games: Whole, *agents: int) -> list[tuple[Floats, Floats]]:
        """For each agent its payoffs in these games by deal: sums and counts."""
        block, deals = self._deal[games], self.deals
        if 4 * len(games) < deals:  # few games of a large run: number their deals anew
            found, block = np.unique(block, return_inverse=True)
            deals = len(found)
        out: list[tuple[Floats, Floats]] = []
        for agent in agents:
            seats = self._seats(games, agent)
            sums = np.where(seats, self.payoffs[games], 0.0).sum(axis=1)
            counts = seats.sum(axis=1).astype(np.float64)
            out.append((_added(sums, block, deals), _added(counts, block, deals)))
        return out

    def mean(self, agent: int) -> Mean:
        """Mean payoff per player and game, with an error from the spread between deals."""
        return Mean.of(*self._blocks(self._games_with(agent), agent)[0])

    def payoff(self, agent: int) -> Estimate:
        """Mean payoff per player and game with its 95 % interval."""
        return self.mean(agent).estimate()

    def deviation(self, agent: int) -> float:
        """Standard deviation of single results."""
        games = self._games_with(agent)
        return _deviation(self.payoffs[games][self._seats(games, agent)])

    def difference_mean(self, a: int = 0, b: int = 1) -> Mean:
        """The mean of the differences on each deal: payoff of a minus payoff of b, at whatever seats."""
        return self._paired(self._games_with(a, b, together=False), a, b)

    def difference(self, a: int = 0, b: int = 1) -> Estimate:
        """Mean payoff of a minus mean payoff of b, with Student's interval over the differences of single deals."""
        return self.difference_mean(a, b).estimate()

    def _paired(self, games: Whole, a: int, b: int) -> Mean:
        (ours, times), (theirs, others) = self._blocks(games, a, b)
        both = (times > 0) & (others > 0)
        mean = Mean.of(ours[both] / times[both] - theirs[both] / others[both])
        if mean.error == 0.0 and self._same(games):
            return Mean(mean.value, None, 1, 1)  # one deal, no matter how often it was played
        return mean

    def _same(self, games: Whole) -> bool:
        """Whether all games of a seating are the same game repeated: equal numbers of moves and choices, equal payoffs.
        Games that are all drawn may differ, and so may a few short ones."""
        if len(np.unique(self._deal[games])) < FEW_DEALS:
            return False
        alike = np.column_stack([self._seating, self._plies, self._choices, self.payoffs])[games]
        seatings = len(np.unique(self._seating[games]))
        drawn = not self.outcome[games].any()
        return not drawn and len(games) > seatings and len(np.unique(alike, axis=0)) == seatings

    def repeated(self, a: int, b: int) -> bool:
        """Whether two agents repeated one game: neither they nor the game leave anything to chance."""
        cell = self.crosstable.get((a, b))
        return cell is not None and cell.mean.blocks == 1 and self._same(self._games_with(a, b))

    def against(self, a: int, b: int) -> Cell:
        """One agent against another, at the tables where both sat."""
        games = self._games_with(a, b)
        return Cell(len(games), self._paired(games, a, b))

    @cached_property
    def crosstable(self) -> dict[tuple[int, int], Cell]:
        """Every pair of agents that met, in both orders."""
        table: dict[tuple[int, int], Cell] = {}
        for a, b in combinations(range(len(self.specs)), 2):
            cell = self.against(a, b)
            if cell.games:
                mean = cell.mean
                table[a, b] = cell
                table[b, a] = Cell(cell.games, Mean(-mean.value + 0.0, mean.error, mean.blocks, mean.count))
        return table

    @cached_property
    def outcome(self) -> NDArray[np.int8]:
        """For each game and seat 1 for a win, 0 for a draw, -1 for a loss."""
        if not self.games:
            return np.empty((0, 0), np.int8)
        best = self.payoffs.max(axis=1, keepdims=True)
        worst = self.payoffs.min(axis=1, keepdims=True)
        won = np.isclose(self.payoffs, best, rtol=1e-9, atol=1e-12)
        return np.where(np.isclose(best, worst, rtol=1e-9, atol=1e-12), 0, np.where(won, 1, -1)).astype(np.int8)

    def outcomes(self, agent: int) -> Outcomes:
        """Games that an agent won, drew and lost, one for each seat it had."""
        games = self._games_with(agent)
        results = self.outcome[games][self._seats(games, agent)]
        return Outcomes(*(int((results == value).sum()) for value in (1, 0, -1)))

    # --- In words -----------------------------------------------------------------------------------------------------

    def verdict(self, a: int = 0, b: int = 1, margin: float | None = None, p: float | None = None) -> str:
        """Which of two agents is better at the tables where both sat, or how many more games would tell.

        ``margin`` is the difference that matters, by default half of what these games could show. ``p`` replaces the
        p-value by one that was corrected for multiple comparisons.
        """
        mean, one, other = self.against(a, b).mean, self.specs[a], self.specs[b]
        p = mean.p_value() if p is None else p
        if self.repeated(a, b):
            by = f"{_short(abs(mean.value))} for {one if mean.value > 0 else other}" if mean.value else "equal"
            return f"{one} and {other} play the same games over and over: {by}"
        if p is None:
            return f"too few {self.blocks_name} to compare {one} with {other}"
        if p < 1 - CONFIDENCE:
            better, worse = (one, other) if mean.value > 0 else (other, one)
            return f"{better} is better than {worse} by {_short(abs(mean.value))} a game ({_p(p)})"
        if mean.error == 0.0 and mean.value == 0.0:
            return f"{one} and {other} are equal in each of {mean.blocks:,} {self.blocks_name}"
        text = f"no difference shown between {one} and {other} ({_p(p)})"
        margin = float(f"{(mean.detectable() or 0.0) / 2:.1g}") if margin is None else abs(margin)
        needed = mean.blocks_to_show(margin)
        if needed is None:
            return text
        if needed <= mean.blocks:
            return f"{text}: these games would have shown one of {_short(margin)}"
        further = math.ceil((needed - mean.blocks) * self.against(a, b).games / mean.blocks)
        return f"{text}: about {rounded(further)} more games would show one of {_short(margin)}"

    def verdicts(self) -> list[tuple[int, int, str]]:
        """All pairs that met in words, the clearest first. With more than one pair the p-values are corrected by Holm's
        method (1979), so that at most one run in twenty makes any wrong claim."""
        pairs = [(a, b) for a, b in self.crosstable if a < b]
        values = [(value, pair) for pair in pairs if (value := self.crosstable[pair].mean.p_value()) is not None]
        corrected: dict[tuple[int, int], float] = {}
        highest = 0.0
        for place, (value, pair) in enumerate(sorted(values)):
            highest = max(highest, min(1.0, value * (len(values) - place)))
            corrected[pair] = highest
        order = sorted(pairs, key=lambda pair: (corrected.get(pair, 2.0), pair))
        return [(a, b, self.verdict(a, b, p=corrected.get((a, b)))) for a, b in order]

    def remarks(self) -> list[str]:
        """What a reader of the figures should know: agents that were late or failed, games that do not count, and
        agents that repeat the same game."""
        found = []
        for agent, spec in enumerate(self.specs):
            if count := self.timeouts(agent):
                found.append(f"{spec}: over its time {_times(count)}")
            for words, count in self.failures(agent).most_common(MOST_REASONS):
                found.append(f"{spec}: failed {_times(count)}: {words}")
            if (more := len(self.failures(agent)) - MOST_REASONS) > 0:
                found.append(f"{spec}: failed for {more:,} other reasons, too: --json has all of them")
        for words, count in self.void.most_common():
            found.append(f"{count:,} games could not be played and count for nobody: {words}")
        if any(self.repeated(a, b) for a, b in self.crosstable if a < b):
            found.append("agents that leave nothing to chance play the same games over: try --opening 4")
        return found

    def games_needed(self, half_width: float, a: int = 0, b: int | None = None) -> int | None:
        """How many more games narrow the interval of a payoff (with ``b``, of a difference) to plus or minus
        ``half_width``, if the spread between deals stays the same; None if it is unknown."""
        mean = self.mean(a) if b is None else self.difference_mean(a, b)
        blocks = mean.blocks_for(half_width)
        if blocks is None:
            return None
        games = self._games_with(a) if b is None else self._games_with(a, b, together=False)
        return math.ceil(max(0, blocks - mean.blocks) * len(games) / mean.blocks)

    # --- Metrics ------------------------------------------------------------------------------------------------------

    def values(self, what: str, agent: int | None = None, given: str | None = None) -> tuple[Floats, Whole]:
        """The values of a metric and their games: of the seats of an agent (by default of all) for which ``given`` was
        true, or of all games if it is a metric of the whole game."""
        column, values, games = self._column(what)
        if not column.seats:
            return values[:, 0][~np.isnan(values[:, 0])], games[~np.isnan(values[:, 0])]
        wanted = ~np.isnan(values)
        if agent is not None:
            wanted &= self._seats(games, agent)
        if given is not None:
            condition, truth, there = self._column(given)
            if not condition.seats or not np.array_equal(games, there):
                raise ParameterError(f"{given}: expected a metric with one value a seat in the same games as {what}")
            wanted &= truth == 1.0
        return values[wanted], np.repeat(games, wanted.sum(axis=1))

    def share(self, what: str, agent: int | None = None, given: str | None = None) -> Estimate:
        """How often a metric was true: of the seats of an agent (by default of all) for which ``given`` was true, or of
        all games if it is a metric of the whole game.

        The interval is Wilson's, which takes the trials as independent; games that share a deal are only nearly so.
        """
        values, _ = self.values(what, agent, given)
        return wilson(int((values != 0).sum()), len(values))

    def metric_mean(self, what: str, agent: int | None = None, given: str | None = None) -> Estimate:
        """The mean of a numeric metric, with an interval from the spread between deals."""
        values, games = self.values(what, agent, given)
        return self._by_deal(values, games).estimate()

    def histogram(self, what: str) -> dict[str, int]:
        """How often a metric had each value, the most frequent first."""
        column, values, _ = self._column(what)
        found, counts = np.unique(values[~np.isnan(values)], return_counts=True)
        named = [(column.name(value), count) for value, count in zip(found.tolist(), counts.tolist(), strict=True)]
        if column.words:
            named.sort()  # numbers depend on which game came first
        return dict(sorted(named, key=lambda item: -item[1]))

    def kind(self, what: str) -> str:
        """Whether a metric is a ``share`` (true or false), a ``number`` or a ``text``."""
        column, _, _ = self._column(what)
        kinds = column.kinds - {type(None)}
        return "text" if str in kinds else "share" if kinds <= {bool} else "number"

    # --- Length, effort, events ---------------------------------------------------------------------------------------

    def plies(self) -> tuple[Estimate, float]:
        """Actions of players per game, and their standard deviation."""
        return self._per_game(self._plies.astype(np.float64))

    def branching(self) -> tuple[Estimate, float]:
        """Legal actions per ply of a game, and their standard deviation."""
        played = self._plies > 0  # an agent can fail before its first move
        ratio = np.divide(self._choices, self._plies, out=np.zeros(self.games), where=played)
        return self._per_game(ratio, played)

    def effort(self, agent: int) -> tuple[int, float]:
        """Moves that an agent was asked for, and the seconds they took."""
        games = self._games_with(agent)
        seats = self._seats(games, agent)
        return int(self._moves[games][seats].sum()), float(self._seconds[games][seats].sum())

    def slowest(self, agent: int) -> float:
        """The slowest move of an agent, in seconds."""
        games = self._games_with(agent)
        return float(self._slowest[games][self._seats(games, agent)].max(initial=0.0))

    def timeouts(self, agent: int) -> int:
        """Moves for which an agent took too long."""
        return self.events[agent, "timeout"]

    def forfeits(self, agent: int) -> int:
        """Games that an agent lost by failing."""
        return self.events[agent, FORFEIT]

    def failures(self, agent: int) -> Counter[str]:
        """Why an agent failed, and how often."""
        return self.reasons.get(agent, Counter())

    @property
    def guarded(self) -> int | None:
        """Games ended by a guard against endless play; None if no metric counts them."""
        return int(self.values("guarded")[0].sum()) if "guarded" in self.columns else None

    def _per_game(self, values: Floats, there: NDArray[np.bool_] | None = None) -> tuple[Estimate, float]:
        games = np.arange(self.games) if there is None else np.flatnonzero(there)
        return self._by_deal(values[games], games).estimate(), _deviation(values[games])

    def _by_deal(self, values: Floats, games: Whole) -> Mean:
        block = self._deal[games]
        return Mean.of(_added(values, block, self.deals), np.bincount(block, minlength=self.deals))

    # --- Bets, matches, moves -----------------------------------------------------------------------------------------

    @property
    def bet(self) -> float | None:
        """What a bet is worth; None in games without bets."""
        return None if self.game is None else declaration_of(self.game).metrics.bet(self.game)

    def milli_bets(self, agent: int) -> Estimate | None:
        """Thousandths of a bet won per hand; None in games without bets."""
        return None if self.bet is None else self.payoff(agent).scaled(1000 / self.bet)

    def bankroll(self, agent: int) -> Floats:
        """What an agent has won after each game of the run: the running score of a series, the bankroll of a poker
        match."""
        won = np.where(self._seats(np.arange(self.games), agent), self.payoffs, 0.0).sum(axis=1)
        return np.cumsum(won)

    def matches(self, hands: int | None = None) -> dict[int, Outcomes]:
        """Matches that each agent won, drew and lost. A match is ``hands`` games in a row between the same agents (by
        default all of them), won by the highest total; an incomplete match does not count."""
        if hands is not None and hands < 1:
            raise ParameterError(f"hands: expected at least 1, got {hands}")
        counts: Counter[tuple[int, int]] = Counter()
        tables: dict[tuple[int, ...], list[int]] = {}
        for i, seating in enumerate(self.seatings):
            tables.setdefault(tuple(sorted(set(seating))), []).append(i)
        for agents, seatings in tables.items():
            if len(agents) < 2:
                continue
            games = np.sort(np.concatenate([self._by_seating[self._bounds[i] : self._bounds[i + 1]] for i in seatings]))
            length = hands or len(games)
            whole = games[: len(games) // length * length]
            won = [np.where(self._seats(whole, agent), self.payoffs[whole], 0.0).sum(axis=1) for agent in agents]
            totals = np.array(won).reshape(len(agents), -1, length).sum(axis=2)
            best, worst = totals.max(axis=0), totals.min(axis=0)
            result = np.where(
                np.isclose(best, worst, atol=1e-9), 0, np.where(np.isclose(totals, best, atol=1e-9), 1, -1)
            )
            for agent, line in zip(agents, result, strict=True):
                counts.update((agent, int(value)) for value in line)
        return {agent: Outcomes(*(counts[agent, value] for value in (1, 0, -1))) for agent in range(len(self.specs))}

    def moves_in_wins(self, agent: int) -> MovesInWins:
        """Own moves in the games that an agent won, forced ones included, as the Oware thesis counts them; needs the
        metric ``own_moves``."""
        column, values, games = self._column("own_moves")
        if not column.seats:
            raise ParameterError("own_moves: expected one value a seat")
        won = self._seats(games, agent) & (self.outcome[games] == 1)
        mean, deviation = population(values[won])
        return MovesInWins(int(won.sum()), mean, deviation)

    # --- Plain values -------------------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Everything except the single games, as plain values for JSON; unknown numbers are None."""
        return {
            "games": self.games,
            "deals": self.deals,
            "plies": _json(self.plies()[0]),
            "branching": _json(self.branching()[0]),
            "guarded": self.guarded,
            "void": self.void.total(),
            "difference": _json(self.difference()) if len(self.specs) == 2 else None,
            "agents": [self._agent_dict(agent) for agent in range(len(self.specs))],
            "pairs": [
                {
                    "a": self.specs[a],
                    "b": self.specs[b],
                    "games": self.crosstable[a, b].games,
                    "difference": _json(self.crosstable[a, b].difference),
                    "verdict": verdict,
                }
                for a, b, verdict in self.verdicts()
            ],
            "histograms": {name: self.histogram(name) for name in self.columns if self.kind(name) == "text"},
        }

    def _agent_dict(self, agent: int) -> dict[str, Any]:
        moves, seconds = self.effort(agent)
        iterations = iterations_of(self.specs[agent])
        outcomes, milli_bets = self.outcomes(agent), self.milli_bets(agent)
        metrics = {}
        for name, column in self.columns.items():
            if column.seats and (kind := self.kind(name)) != "text":
                metrics[name] = _json((self.share if kind == "share" else self.metric_mean)(name, agent))
        return {
            "agent": self.specs[agent],
            "cheats": self.cheats[agent],
            "player_games": outcomes.games,
            "payoff": _json(self.payoff(agent)),
            "deviation": _finite(self.deviation(agent)),
            **vars(outcomes),
            "win_rate": _json(outcomes.win_rate),
            "draw_rate": _json(outcomes.draw_rate),
            "loss_rate": _json(outcomes.loss_rate),
            "milli_bets": None if milli_bets is None else _json(milli_bets),
            "bankroll": float(self.bankroll(agent)[-1]) if self.games else 0.0,
            "moves": moves,
            "seconds": seconds,
            "seconds_per_move": seconds / moves if moves else None,
            "iterations_per_second": moves * iterations / seconds if iterations and seconds else None,
            "slowest_move": self.slowest(agent) if moves else None,
            "timeouts": self.timeouts(agent),
            "forfeits": self.forfeits(agent),
            "failures": [{"reason": words, "games": count} for words, count in self.failures(agent).most_common()],
            "metrics": metrics,
        }


def _added(values: Floats, block: Whole, blocks: int) -> Floats:
    """The sum of the values of each block."""
    return np.bincount(block, weights=values, minlength=blocks).astype(np.float64, copy=False)


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"


def _deviation(values: Floats) -> float:
    return float(values.std(ddof=1)) if len(values) > 1 else math.nan


def _short(value: float) -> str:
    return f"{value:.2g}" if value < 1 else f"{value:,.2f}".rstrip("0").rstrip(".")


def rounded(count: int) -> str:
    """A number of games rounded to two digits: more would be false precision.

    >>> rounded(7), rounded(1234)
    ('7', '1,200')
    """
    return f"{int(float(f'{count:.2g}')):,}"


def _p(p: float) -> str:
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}" if p < 0.1 else f"p = {p:.2f}"


def _finite(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else value


def _json(estimate: Estimate) -> dict[str, float | None]:
    return {key: _finite(value) for key, value in estimate.to_dict().items()}
