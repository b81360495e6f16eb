"""Comparisons: agents on shared deals, in every seating that matters, on all cores.

Luck of the cards is most of a single result, so every deal is played in several seatings (duplicate play) and what
counts is the difference between agents on the same deal. A job is a deal with its seatings; jobs run in a pool of
processes and the rows they return do not depend on the number of workers. Finished deals are kept in a checkpoint file,
from which the same comparison goes on when it is started again.

Ways to seat agents: ``two_against_two`` (every way to give half of the seats to each of two agents),
``constellations`` (who plays against how many of whom, seats drawn at random; with two agents at a table of four equal
numbers of 3-1, 2-2 and 1-3 tables) and ``self_play``.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import math
import multiprocessing
import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import combinations, combinations_with_replacement
from pathlib import Path
from types import TracebackType
from typing import Any

import kiebitz.agents
from kiebitz import _core
from kiebitz._core import TERMINAL, Game, State
from kiebitz.agents.base import create
from kiebitz.arena.match import choose, derive_seed
from kiebitz.errors import LimitError, ParameterError
from kiebitz.stats import Estimate, mean_interval, wilson

MAX_DEALS = 10_000_000
MAX_WORKERS = 1024

Seating = tuple[int, ...]
"""Which agent sits at each seat."""
Metrics = Callable[[State, Sequence[tuple[int, int]]], dict[str, Any]]
"""What else a finished game says, from its state and its moves (seat, action): true or false, numbers or text for the
whole game, lists for one value a seat. A function of a module, so that other processes find it."""


@dataclass(frozen=True)
class Row:
    """One game of a comparison."""

    deal: int
    seating: Seating
    payoffs: tuple[float, ...]
    plies: int
    """Actions of players, forced ones included."""
    choices: int
    """Legal actions, added up over all plies."""
    moves: tuple[int, ...]
    """For each seat, how often it had a choice; forced moves are played without asking."""
    seconds: tuple[float, ...]
    """For each seat, the time taken over them."""
    metrics: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Row:
        """The row that ``dataclasses.asdict`` made plain values of."""
        values: dict[str, Any] = {key: tuple(v) if isinstance(v, list) else v for key, v in data.items()}
        return cls(**values)


# --- Seatings ---------------------------------------------------------------------------------------------------------


def two_against_two(players: int = 4) -> list[Seating]:
    """Every way to give half of the seats to agent 0 and half to agent 1.

    >>> two_against_two()
    [(0, 0, 1, 1), (0, 1, 0, 1), (0, 1, 1, 0), (1, 0, 0, 1), (1, 0, 1, 0), (1, 1, 0, 0)]
    """
    if players % 2:
        raise ParameterError(f"two_against_two: expected an even number of players, got {players}")
    chosen = combinations(range(players), players // 2)
    return [tuple(0 if seat in seats else 1 for seat in range(players)) for seats in map(set, chosen)]


def constellations(agents: int, players: int = 4) -> list[Seating]:
    """Who can sit at one table, disregarding order: with two or three agents, tables at which all of them play; with
    more, tables at which at least two play.

    >>> constellations(2)
    [(0, 0, 0, 1), (0, 0, 1, 1), (0, 1, 1, 1)]
    >>> constellations(3)
    [(0, 0, 1, 2), (0, 1, 1, 2), (0, 1, 2, 2)]
    >>> len(constellations(4)), len(constellations(6))
    (31, 120)
    """
    least = min(agents if agents <= 3 else 2, players)
    tables = combinations_with_replacement(range(agents), players)
    return [table for table in tables if len(set(table)) >= least]


@dataclass(frozen=True)
class Plan:
    """What is to be played: everything a worker has to know, and what makes a checkpoint fit."""

    game: Game
    specs: tuple[str, ...]
    seatings: str
    seed: int
    per_deal: int | None = None
    metrics: Metrics | None = None

    def tables(self, deal: int) -> list[Seating]:
        """The seatings in which a deal is played."""
        players = self.game.info.players
        if self.seatings == "self_play":
            return [(0,) * players]
        if self.seatings == "two_against_two":
            return two_against_two(players)
        tables = constellations(len(self.specs), players)
        if self.per_deal is not None:  # the deals take turns through all of them
            random.Random(derive_seed(self.seed, "tables")).shuffle(tables)
            tables = [tables[(deal * self.per_deal + i) % len(tables)] for i in range(self.per_deal)]
        seats = random.Random(derive_seed(self.seed, "seats", deal))
        return [tuple(seats.sample(table, players)) for table in tables]

    @property
    def identity(self) -> str:
        """Changes with whatever could change a row: rules, agents, seeds, code."""
        data = [self.game.to_json(), self.specs, self.seatings, self.per_deal, self.seed, _code_version(self.metrics)]
        return hashlib.blake2b(json.dumps(data, sort_keys=True).encode(), digest_size=8).hexdigest()

    def check(self) -> None:
        """Refuses what cannot be played before the first game."""
        wanted = {"self_play": 1, "two_against_two": 2}
        if self.seatings not in (*wanted, "constellations"):
            raise ParameterError(
                f"seatings: expected two_against_two, constellations or self_play, got '{self.seatings}'"
            )
        if self.seatings in wanted and len(self.specs) != wanted[self.seatings]:
            number = wanted[self.seatings]
            raise ParameterError(f"{self.seatings}: expected {number} agent{'s' * (number > 1)}, got {len(self.specs)}")
        if self.seatings == "constellations" and len(self.specs) < 2:
            raise ParameterError("constellations: expected at least two agents")
        if self.per_deal is not None and (self.seatings != "constellations" or self.per_deal < 1):
            raise ParameterError("per_deal: expected a positive number, and only with constellations")
        self.tables(0)


def play(plan: Plan, deal: int, seating: Seating) -> Row:
    """Plays one game. Chance depends on the deal alone; agents are new, with the seed of the deal and their seat.

    So agents that differ in one option play alike as long as it does not matter, and what they have in common cancels.
    """
    agents = [
        create(plan.specs[agent], plan.game, derive_seed(plan.seed, "seat", deal, seat))
        for seat, agent in enumerate(seating)
    ]
    state = plan.game.new(seed=derive_seed(plan.seed, "chance", deal))
    played: list[tuple[int, int]] = []
    choices = 0
    moves, seconds = [0] * len(seating), [0.0] * len(seating)
    while (seat := state.player) != TERMINAL:
        legal = state.legal()
        action = legal[0]
        if len(legal) > 1:
            begun = time.perf_counter()
            action = choose(agents[seat], state)
            seconds[seat] += time.perf_counter() - begun
            moves[seat] += 1
        choices += len(legal)
        played.append((seat, action))
        state.apply(action)
    metrics = {} if plan.metrics is None else plan.metrics(state, played)
    return Row(deal, seating, tuple(state.returns()), len(played), choices, tuple(moves), tuple(seconds), metrics)


# --- What came out ----------------------------------------------------------------------------------------------------


@dataclass
class Comparison:
    """The games of a comparison and what they say; ``to_dict`` for programs."""

    game: dict[str, Any]
    specs: tuple[str, ...]
    cheats: tuple[bool, ...]
    seatings: str
    seed: int
    planned: int
    """Deals asked for."""
    rows: list[Row] = field(default_factory=list)
    """Ordered by deal."""
    resumed: int = 0
    """Deals that came from the checkpoint file."""
    workers: int = 1
    seconds: float = 0.0
    """Wall clock, without the resumed deals."""
    interrupted: bool = False

    @property
    def deals(self) -> int:
        """Deals played in all their seatings."""
        return len({row.deal for row in self.rows})

    def blocks(self, agent: int) -> list[list[float]]:
        """The payoffs of an agent, those of one deal together."""
        found: dict[int, list[float]] = {}
        for row in self.rows:
            block = found.setdefault(row.deal, [])
            block += [payoff for payoff, who in zip(row.payoffs, row.seating, strict=True) if who == agent]
        return list(found.values())

    def payoff(self, agent: int) -> Estimate:
        """Mean payoff per player and game, with an interval from the spread between deals."""
        return mean_interval(self.blocks(agent))

    def deviation(self, agent: int) -> float:
        """Standard deviation of single results."""
        return _deviation([value for block in self.blocks(agent) for value in block])

    def difference(self, a: int = 0, b: int = 1) -> Estimate:
        """Mean payoff of a minus mean payoff of b, with Student's interval over the differences of single deals."""
        pairs = zip(self.blocks(a), self.blocks(b), strict=True)
        return mean_interval([[_mean(ours) - _mean(theirs)] for ours, theirs in pairs if ours and theirs])

    def share(self, what: str, agent: int | None = None, given: str | None = None) -> Estimate:
        """How often a metric was true: of the seats of an agent (without it, of all) for which ``given`` was true too,
        or of all games where it is a metric of the whole game.

        Wilson's interval: it takes the trials as independent, and games that share a deal are only nearly so.
        """
        values = list(self._values(what, agent, given))
        return wilson(sum(map(bool, values)), len(values))

    def histogram(self, what: str) -> dict[str, int]:
        """How often a metric of the whole game had which value, the most frequent first."""
        return {str(value): n for value, n in Counter(row.metrics[what] for row in self.rows).most_common()}

    def plies(self) -> tuple[Estimate, float]:
        """Actions of players per game, and their standard deviation."""
        return self._per_game(lambda row: float(row.plies))

    def branching(self) -> tuple[Estimate, float]:
        """Legal actions per ply of a game, and their standard deviation."""
        return self._per_game(lambda row: row.choices / row.plies)

    def effort(self, agent: int) -> tuple[int, float]:
        """Moves that an agent had to choose, and the seconds that took."""
        seats = [(row, seat) for row in self.rows for seat, who in enumerate(row.seating) if who == agent]
        return sum(row.moves[seat] for row, seat in seats), math.fsum(row.seconds[seat] for row, seat in seats)

    def to_dict(self) -> dict[str, Any]:
        """All of it but the single games as plain values for JSON."""
        two = len(self.specs) == 2
        return {
            "game": self.game,
            "seed": self.seed,
            "seatings": self.seatings,
            "planned_deals": self.planned,
            "deals": self.deals,
            "games": len(self.rows),
            "interrupted": self.interrupted,
            "resumed_deals": self.resumed,
            "workers": self.workers,
            "seconds": self.seconds,
            "plies": self.plies()[0].to_dict(),
            "branching": self.branching()[0].to_dict(),
            "difference": self.difference().to_dict() if two else None,
            "agents": [self._agent_dict(agent) for agent in range(len(self.specs))],
        }

    def _agent_dict(self, agent: int) -> dict[str, Any]:
        moves, seconds = self.effort(agent)
        return {
            "agent": self.specs[agent],
            "cheats": self.cheats[agent],
            "player_games": sum(map(len, self.blocks(agent))),
            "payoff": self.payoff(agent).to_dict(),
            "deviation": self.deviation(agent),
            "moves": moves,
            "seconds": seconds,
            "seconds_per_move": seconds / moves if moves else None,
        }

    def _values(self, what: str, agent: int | None, given: str | None) -> Iterator[Any]:
        for row in self.rows:
            value = row.metrics[what]
            if not isinstance(value, list):
                yield value
                continue
            for seat, who in enumerate(row.seating):
                if agent in (None, who) and (given is None or row.metrics[given][seat]):
                    yield value[seat]

    def _per_game(self, value: Callable[[Row], float]) -> tuple[Estimate, float]:
        blocks: dict[int, list[float]] = {}
        for row in self.rows:
            blocks.setdefault(row.deal, []).append(value(row))
        return mean_interval(list(blocks.values())), _deviation([x for block in blocks.values() for x in block])


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _deviation(values: Sequence[float]) -> float:
    if len(values) < 2:
        return math.nan
    mean = _mean(values)
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1))


# --- Running ----------------------------------------------------------------------------------------------------------


def compare(
    game: Game,
    specs: Sequence[str],
    deals: int = 100,
    seed: int = 0,
    *,
    seatings: str = "two_against_two",
    per_deal: int | None = None,
    metrics: Metrics | None = None,
    workers: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Comparison:
    """Lets agents play the same deals in all seatings and counts. Ctrl-C ends it: the finished deals are returned.

    ``per_deal`` gives every deal only so many of the constellations, in turn; ``metrics`` adds what a finished game
    says beyond its payoffs; ``workers`` is the number of processes (without it, one for each core; 1 stays in this
    process); ``checkpoint`` names the file that keeps finished deals; ``progress`` is called with the number of deals
    finished so far.

    >>> import kiebitz as kb
    >>> result = compare(kb.game("nim"), ["nim_perfect", "random"], deals=10, seed=1, workers=1)
    >>> len(result.rows), result.difference().value > 0
    (20, True)
    """
    if isinstance(deals, bool) or not isinstance(deals, int) or not 1 <= deals <= MAX_DEALS:
        raise ParameterError(f"deals: expected 1 to {MAX_DEALS:,}, got {deals}")
    workers = (os.cpu_count() or 1) if workers is None else workers
    if not 1 <= workers <= MAX_WORKERS:
        raise ParameterError(f"workers: expected 1 to {MAX_WORKERS:,}, got {workers}")
    plan = Plan(game, tuple(specs), seatings, seed, per_deal, metrics)
    plan.check()
    agents = [create(spec, game) for spec in specs]
    begun = time.perf_counter()
    done: dict[int, list[Row]] = {}
    result = Comparison(
        game.to_json(), plan.specs, tuple(agent.sees_state for agent in agents), seatings, seed, deals, workers=workers
    )
    with _Checkpoint(checkpoint, plan) as file:
        done.update((deal, rows) for deal, rows in file.rows.items() if deal < deals)
        result.resumed = len(done)
        missing = [deal for deal in range(deals) if deal not in done]
        try:
            for rows in _run(plan, missing, min(workers, max(len(missing), 1))):
                file.add(rows)
                done[rows[0].deal] = rows
                if progress is not None:
                    progress(len(done))
        except KeyboardInterrupt:
            result.interrupted = True
    result.rows = [row for deal in sorted(done) for row in done[deal]]
    result.seconds = time.perf_counter() - begun
    return result


def _play_deal(plan: Plan, deal: int) -> list[Row]:
    return [play(plan, deal, seating) for seating in plan.tables(deal)]


def _run(plan: Plan, deals: Sequence[int], workers: int) -> Iterator[list[Row]]:
    """The rows of each deal as they are finished."""
    if workers == 1:
        yield from map(partial(_play_deal, plan), deals)
        return
    others = set(multiprocessing.active_children())
    context = multiprocessing.get_context("spawn")  # the same on every system, and safe whatever threads there are
    pool = ProcessPoolExecutor(workers, context, _start_worker, (plan,))
    try:
        waiting = [pool.submit(_work, deal) for deal in deals]
        for future in as_completed(waiting):
            yield future.result()
    except BrokenProcessPool as error:
        raise LimitError("a worker process was killed, perhaps for want of memory: try fewer workers") from error
    except BaseException:
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()  # in the middle of a game, of which nothing is kept
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


_worker_plan: Plan | None = None


def _start_worker(plan: Plan) -> None:
    global _worker_plan  # noqa: PLW0603 (how a process of a pool gets what all its jobs share)
    _worker_plan = plan
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that waits for us
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(deal: int) -> list[Row]:
    assert _worker_plan is not None
    return _play_deal(_worker_plan, deal)


# --- Checkpoints ------------------------------------------------------------------------------------------------------


class _Checkpoint:
    """Finished deals as JSON lines under a line that says of what. Lines are written whole; a last line that a crash
    cut off is dropped."""

    def __init__(self, path: str | os.PathLike[str] | None, plan: Plan) -> None:
        self.rows: dict[int, list[Row]] = {}
        self.fd: int | None = None
        if path is None:
            return
        path = Path(path)
        header = json.dumps({"comparison": plan.identity, "agents": plan.specs}, ensure_ascii=False) + "\n"
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        text = text[: text.rfind("\n") + 1]
        if text and not text.startswith(header):
            raise ParameterError(
                f"{path}: expected the checkpoint of this comparison, got that of other rules, agents, seeds or code; "
                "delete it to start anew"
            )
        for number, line in enumerate(text.splitlines()[1:], 2):
            try:
                rows = [Row.from_json(row) for row in json.loads(line)]
                self.rows[rows[0].deal] = rows
            except (ValueError, TypeError, AttributeError, IndexError):
                raise ParameterError(f"{path}: line {number}: expected the games of a deal; delete the file") from None
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text or header, encoding="utf-8")
        self.fd = os.open(path, os.O_WRONLY | os.O_APPEND)

    def add(self, rows: Sequence[Row]) -> None:
        if self.fd is not None:
            os.write(self.fd, (json.dumps([vars(row) for row in rows], ensure_ascii=False) + "\n").encode())

    def __enter__(self) -> _Checkpoint:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.fd is not None:
            os.close(self.fd)


@cache
def _code_version(metrics: Metrics | None) -> str:
    """A hash of the code that decides what is played: the core, the agents and the metrics."""
    files = [Path(str(_core.__file__)), *sorted(Path(kiebitz.agents.__path__[0]).glob("*.py"))]
    if metrics is not None and (source := inspect.getsourcefile(metrics)) is not None:
        files.append(Path(source))
    code = hashlib.blake2b(digest_size=8)
    for file in files:
        code.update(file.read_bytes())
    return code.hexdigest()
