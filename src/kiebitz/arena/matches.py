"""The functions that people call: matches, comparisons on shared deals and tournaments. Each is a plan, a run and its
summary.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kiebitz import records
from kiebitz._core import Game
from kiebitz.agents.base import Agent, create, is_registered
from kiebitz.arena.metrics import default_metrics
from kiebitz.arena.plan import Limits, Openings, Plan
from kiebitz.arena.ratings import Rating, bradley_terry
from kiebitz.arena.run import ArenaRun, Progress, run
from kiebitz.arena.sprt import Sprt
from kiebitz.arena.summary import Summary
from kiebitz.errors import ParameterError
from kiebitz.spec import Spec
from kiebitz.store.rows import Row

if TYPE_CHECKING:  # SQLAlchemy is slow to load, and not every run is stored
    from kiebitz.store.store import Store

PathLike = str | os.PathLike[str]


class Result(Summary):
    """The result of a run: a `Summary` that knows its plan and how the run went.

    >>> import kiebitz as kb
    >>> result = match(kb.game("nim"), ["nim_perfect", "random"], games=10, seed=1)
    >>> result.games, result.outcomes(0).wins
    (10, 10)
    """

    def __init__(self, played: ArenaRun) -> None:
        plan = played.plan
        cheats = [plan.agent(number).sees_state for number in range(len(plan.agents))]
        super().__init__(played.rows, plan.agents, plan.game, cheats)
        self.run = played
        self.plan = plan

    @property
    def rows(self) -> list[Row]:
        """The games, in the order of their numbers."""
        return self.run.rows

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended the run."""
        return self.run.interrupted

    def __str__(self) -> str:
        """A line for each agent, then what the games show.

        >>> import kiebitz as kb
        >>> print(match(kb.game("nim"), ["nim_perfect", "random"], games=40, seed=1))
        nim: 40 games
          nim_perfect  won 40, drew 0, lost 0   payoff +1.000 (+1.000 to +1.000)
          random       won 0, drew 0, lost 40   payoff -1.000 (-1.000 to -1.000)
        nim_perfect is better than random by 2 a game (p < 0.001)
        """
        names = [f"{spec} *" if cheats else spec for spec, cheats in zip(self.specs, self.cheats, strict=True)]
        width = max(map(len, names))
        lines = [f"{self.plan.game.name}: {self.games:,} games{' (interrupted)' if self.interrupted else ''}"]
        for agent, name in enumerate(names):
            won, paid = self.outcomes(agent), self.payoff(agent)
            score = f"won {won.wins:,}, drew {won.draws:,}, lost {won.losses:,}"
            interval = "" if paid.low is None or paid.high is None else f" ({paid.low:+.3f} to {paid.high:+.3f})"
            lines.append(f"  {name:<{width}}  {score}   payoff {paid.value:+.3f}{interval}")
        lines += [words for _, _, words in self.verdicts()]
        lines += self.remarks()
        if any(self.cheats):
            lines.append("* cheats: sees everything")
        return "\n".join(lines)

    @cached_property
    def ratings(self) -> list[Rating]:
        """Strength of the agents on one scale (Bradley-Terry)."""
        return bradley_terry(self)

    def to_dict(self) -> dict[str, Any]:
        """Everything except the single games, as plain values for JSON."""
        run_, plan = self.run, self.plan
        return {
            "game": plan.game.to_json(),
            "format": plan.format,
            "seed": plan.seed,
            "planned": plan.games,
            "planned_deals": plan.deals,
            "interrupted": run_.interrupted,
            "sprt": None if run_.test is None else run_.test.to_dict(),
            "resumed": run_.resumed,
            "run": run_.id,
            "workers": run_.workers,
            "seconds": run_.seconds,
            "games_per_second": (len(run_.rows) - run_.resumed) / run_.seconds if run_.seconds > 0 else None,
            **super().to_dict(),
            "running": [self.bankroll(agent).tolist() for agent in range(len(self.specs))]
            if plan.format == "series"
            else None,
            "ratings": [{**rating.to_dict(), "agent": self.specs[rating.agent]} for rating in self.ratings],
        }


def match(
    game: Game,
    specs: Sequence[str | Spec | Agent],
    games: int = 100,
    seed: int = 0,
    *,
    format: str = "match",
    openings: Openings | None = None,
    limits: Limits | None = None,
    metrics: Sequence[str] | None = None,
    record: PathLike | None = None,
    **how: Any,
) -> Result:
    """Plays games between agents, one per seat; every agent sits at every seat in turn and with the same chance.

    `format` is one of `kiebitz.arena.FORMATS`; `openings` begin games with random or given moves, `limits` bound the
    time to think, `metrics` name what else is measured (by default the metrics that the game declares). `record` names
    a file to which games are appended. Ctrl-C ends the run early; the result then covers the finished games. The other
    options are those of `run`: store, workers (1 by default), cluster, progress, stopping.

    Agents are specs, or objects. An object of a registered class stands for its spec. Any other object plays itself:
    with more than one worker each gets a copy, so it must be possible to pickle it.

    >>> import kiebitz as kb
    >>> result = kb.arena.match(kb.game("nim"), ["nim_perfect", "random"], games=10, seed=1)
    >>> result.games, result.specs[0]
    (10, 'nim_perfect')
    """
    plan = make_plan(game, specs, games, seed, format=format, openings=openings, limits=limits, metrics=metrics)
    return play_plan(plan, record=record, **{"workers": 1, "kind": "match", **how})


def compare(
    game: Game,
    specs: Sequence[str | Spec | Agent],
    deals: int = 100,
    seed: int = 0,
    *,
    seatings: str = "two_against_two",
    per_deal: int | None = None,
    openings: Openings | None = None,
    limits: Limits | None = None,
    metrics: Sequence[str] | None = None,
    record: PathLike | None = None,
    **how: Any,
) -> Result:
    """Compares agents on the same deals in all seatings: what counts is their difference deal by deal.

    `seatings` is a format; `per_deal` limits the constellations of each deal, which then take turns. The other options
    are those of `match`; by default there is one worker per core.

    >>> import kiebitz as kb
    >>> result = compare(kb.game("nim"), ["nim_perfect", "random"], deals=10, seed=1, workers=1)
    >>> len(result.rows), result.difference().value > 0
    (20, True)
    """
    rules: dict[str, Any] = {"openings": openings, "limits": limits, "metrics": metrics, "per_deal": per_deal}
    plan = plan_deals(make_plan(game, specs, 1, seed, format=seatings, **rules), deals)
    return play_plan(plan, record=record, **{"kind": "compare", **how})


def tournament(
    game: Game,
    specs: Sequence[str | Spec | Agent],
    deals: int = 100,
    seed: int = 0,
    *,
    format: str = "round_robin",
    **how: Any,
) -> Result:
    """A tournament: a round robin (everybody against everybody), a gauntlet (the first against all others) or
    constellations. `result.crosstable` and `result.ratings` compare the agents. The options are those of `compare`.

    >>> import kiebitz as kb
    >>> result = tournament(kb.game("nim"), ["random", "nim_perfect", "greedy"], deals=10, seed=1, workers=1)
    >>> len(result.rows), result.crosstable[1, 0].difference.value > 0
    (60, True)
    """
    return compare(game, specs, deals, seed, seatings=format, **{"kind": "tournament", **how})


def play_plan(
    plan: Plan,
    *,
    store: Store | str | Path | None = None,
    record: PathLike | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    progress: Progress | None = None,
    stopping: Sprt | None = None,
    kind: str = "match",
    command: str = "",
) -> Result:
    """Plays a plan and summarises it; a store may be given as the name of its database.

    >>> import kiebitz as kb
    >>> play_plan(Plan(kb.game("nim"), ("random", "random"), games=4), workers=1).games
    4
    """
    with ExitStack() as stack:
        if isinstance(store, str | Path):
            from kiebitz.store.store import Store

            store = stack.enter_context(Store.open(store))
        played = run(
            plan,
            store=store,
            workers=workers,
            cluster=cluster,
            progress=progress,
            stopping=stopping,
            kind=kind,
            command=command,
            keep=None if record is None else _recorder(plan, record),
        )
    return Result(played)


def make_plan(
    game: Game,
    specs: Sequence[str | Spec | Agent],
    games: int,
    seed: int = 0,
    *,
    format: str = "match",
    openings: Openings | None = None,
    limits: Limits | None = None,
    metrics: Sequence[str] | None = None,
    per_deal: int | None = None,
) -> Plan:
    """A plan from the arguments of a call: agents by their shortest specs, and the metrics that the game declares.

    >>> import kiebitz as kb
    >>> make_plan(kb.game("oware"), ["uct( iterations = 20 )", "random"], 10).agents
    ('uct(iterations=20)', 'random')
    """
    agents = [create(spec, game) for spec in specs]
    given = tuple(None if is_registered(type(agent)) else agent for agent in agents)
    return Plan(
        game,
        tuple(agent.spec for agent in agents),
        games,
        format,
        seed,
        per_deal,
        openings or Openings(),
        limits or Limits(),
        default_metrics(game) if metrics is None else tuple(metrics),
        given if any(given) else (),
    )


def plan_deals(plan: Plan, deals: int) -> Plan:
    """The plan with a number of whole deals.

    >>> import kiebitz as kb
    >>> plan_deals(make_plan(kb.game("nim"), ["random", "random"], 1), 3).games
    6
    """
    if isinstance(deals, bool) or not isinstance(deals, int) or deals < 1:
        raise ParameterError(f"deals: expected a whole number from 1 up, got {deals!r:.60}")
    plan.check()
    return plan.with_games(deals * plan.tables_per_deal)


def _recorder(plan: Plan, path: PathLike) -> Callable[[Iterable[Row]], None]:
    def keep(rows: Iterable[Row]) -> None:
        records.save(path, [record_of_row(plan, row) for row in rows])

    return keep


def record_of_row(plan: Plan, row: Row) -> records.Record:
    """The record of a game from its row.

    >>> import kiebitz as kb
    >>> from kiebitz.arena.play import play
    >>> plan = Plan(kb.game("nim"), ("nim_perfect", "random"), games=2)
    >>> record_of_row(plan, play(plan, 1)).seats
    ('random', 'nim_perfect')
    """
    state = plan.game.root()
    for action in row.actions:
        state.apply(action)
    names = tuple(plan.agents[agent] for agent in row.seating)
    return records.record_of(state, names, plan.chance_seed(row.deal))
