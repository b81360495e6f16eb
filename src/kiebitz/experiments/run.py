"""Runs an experiment: plays its comparisons on all cores, draws conclusions, writes report, plot and figures.

Interrupted experiments resume where they stopped: finished games are kept in databases beside the report until it is
complete.
"""

from __future__ import annotations

import json
import math
import os
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from kiebitz._core import Game
from kiebitz.agents.base import create
from kiebitz.arena import Openings, Result
from kiebitz.arena.matches import make_plan, plan_deals, play_plan
from kiebitz.errors import UnknownName
from kiebitz.experiments.cost import GAME_SECONDS, seat_seconds
from kiebitz.experiments.report import Finding, Report, ReportTable
from kiebitz.files import replacing
from kiebitz.games import game as make_game
from kiebitz.machine import hardware
from kiebitz.spec import Spec, Value, parse

SMALL = "quick"
PRESETS = {
    SMALL: "a few games, to check that it works; intervals are wide",
    "laptop": "all experiments together in two hours on two cores",
    "thesis": "the sizes of the publication where they are known",
}


@dataclass(frozen=True)
class Comparison:
    """One comparison of an experiment: which agents play, and how many deals."""

    key: str
    specs: tuple[str, ...]
    deals: int
    seatings: str = "two_against_two"
    per_deal: int | None = None
    opening: int = 0
    """Random plies at the start of every deal."""
    rules: str | None = None
    """A preset of the game; without one, the rules of the experiment."""

    def game(self, usual: Game) -> Game:
        """The game to play: the experiment's, or the same game with other rules."""
        return usual if self.rules is None else make_game(usual.name, preset=self.rules)

    def seconds(self, game: Game) -> float:
        """Estimated cost in seconds of one core, see ``cost``."""
        tables = make_plan(game, self.specs, 1, format=self.seatings, per_deal=self.per_deal).tables_per_deal
        prices = [seat_seconds(spec) for spec in self.specs]
        players = game.info.players
        # Over a whole cycle of seatings every agent sits equally often.
        return self.deals * tables * (GAME_SECONDS + players * math.fsum(prices) / len(prices))

    def shrunk(self, deals: int, iterations: int) -> Comparison:
        """The same comparison on a toy scale.

        >>> Comparison("a", ("cheat(uct(iterations=1000, c=2.5))", "random"), 500).shrunk(1, 10).specs
        ('cheat(uct(iterations=10, c=2.5))', 'random')
        """
        specs = tuple(str(_capped(parse(spec), iterations)) for spec in self.specs)
        per_deal = None if self.per_deal is None else min(self.per_deal, 2)
        return replace(self, specs=specs, deals=min(self.deals, deals), per_deal=per_deal)


@dataclass(frozen=True)
class Evidence:
    """What an experiment draws its conclusions from."""

    preset: str
    seed: int
    results: Mapping[str, Result]
    """By key of the comparison."""
    progress: Callable[[str, int, int], None] | None = None
    folder: Path | None = None
    """Where the report goes; None: nothing is written."""
    workers: int | None = None

    def tick(self, name: str, done: int, total: int) -> None:
        """Reports the progress of a measurement that is not a comparison."""
        if self.progress is not None:
            self.progress(name, done, total)


@dataclass(frozen=True)
class Conclusion:
    """Tables and findings, with notes on how to read them."""

    tables: Sequence[ReportTable]
    findings: Sequence[Finding] = ()
    notes: Sequence[str] = ()
    afterword: str = ""
    """Markdown at the end of the report."""


@dataclass(frozen=True)
class Experiment:
    """A published experiment: what to play in each size, and how to draw conclusions from it."""

    name: str
    title: str
    shows: str
    game: Callable[[], Game]
    comparisons: Callable[[str], list[Comparison]]
    """By preset."""
    conclude: Callable[[Evidence], Conclusion]
    metrics: tuple[str, ...] | None = None
    """Metrics kept of every game; None: those of the game."""
    extra_seconds: Mapping[str, float] = field(default_factory=dict)
    """Estimated cost of measurements that are not comparisons: by preset, in seconds of one core."""
    train: Callable[[Evidence], list[Comparison]] | None = None
    """Trains players in the folder of the evidence; what they play then, after the other comparisons."""

    def seconds(self, preset: str) -> float:
        """Estimated cost in seconds of one core, see ``cost``."""
        game = self.game()
        played = math.fsum(comparison.seconds(game) for comparison in self.comparisons(preset))
        return played + self.extra_seconds.get(preset, 0.0)


def run(
    experiment: Experiment,
    preset: str = "quick",
    seed: int = 1,
    out: str | os.PathLike[str] | None = None,
    *,
    workers: int | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    shrink: Callable[[Comparison], Comparison] | None = None,
) -> Report:
    """Runs an experiment. Ctrl-C ends it with a report on the finished games; the same call then resumes.

    The experiment gets a folder of its own in ``out``, with report.md, results.json and plot.svg; without ``out``,
    nothing is written. ``progress`` is called with the name of a comparison, the deals done and the deals in all.
    """
    if preset not in PRESETS:
        raise UnknownName(f"--preset: expected {', '.join(PRESETS)}, got '{preset}'")
    begun = time.perf_counter()
    game = experiment.game()
    folder = None if out is None else Path(out) / f"{game.name}-{experiment.name}-{preset}"
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    todo = experiment.comparisons(preset)
    if experiment.train is not None:
        if folder is None:
            with tempfile.TemporaryDirectory() as scratch:
                return run(experiment, preset, seed, scratch, workers=workers, progress=progress, shrink=shrink)
        todo += experiment.train(Evidence(preset, seed, {}, progress, folder, workers))
    todo = todo if shrink is None else [shrink(item) for item in todo]
    for rules, spec in {(item.rules, spec): (item.game(game), spec) for item in todo for spec in item.specs}.values():
        create(spec, rules)  # an agent that cannot play is refused before the first game
    total = sum(item.deals for item in todo)
    done, files = 0, []
    results: dict[str, Result] = {}
    for number, item in enumerate(todo):
        plan = make_plan(
            item.game(game),
            item.specs,
            1,
            seed,
            format=item.seatings,
            per_deal=item.per_deal,
            openings=Openings(plies=item.opening),
            metrics=experiment.metrics,
        )
        plan = plan_deals(plan, item.deals)
        file = None if folder is None else folder / f"games-{number}-{plan.identity}.sqlite"
        files.append(file)

        def advance(
            games: int, _: int, name: str = item.key, before: int = done, share: int = plan.tables_per_deal
        ) -> None:
            if progress is not None:
                progress(name, before + games // share, total)

        advance(0, 0)
        results[item.key] = play_plan(plan, workers=workers, store=file, progress=advance, kind="experiment")
        done += item.deals
        if results[item.key].interrupted:
            break
    interrupted = any(result.interrupted for result in results.values())
    results = {key: result for key, result in results.items() if result.rows}
    conclusion = experiment.conclude(Evidence(preset, seed, results, progress, folder, workers))
    report = Report(
        name=f"{game.name} {experiment.name}",
        title=experiment.title,
        shows=experiment.shows,
        preset=preset,
        seed=seed,
        command=f"kiebitz experiment {game.name} {experiment.name} --preset {preset} --seed {seed}",
        hardware=hardware(),
        tables=conclusion.tables,
        findings=conclusion.findings,
        notes=[*([_too_small(experiment)] if preset == SMALL else []), *conclusion.notes],
        small=preset == SMALL,
        comparisons={key: result.to_dict() for key, result in results.items()},
        seconds=time.perf_counter() - begun,
        interrupted=interrupted,
        afterword=conclusion.afterword,
    )
    if folder is not None:
        write(report, folder)
        if not interrupted:
            for file in files:
                for part in () if file is None else file.parent.glob(f"{file.name}*"):  # with the database's log
                    part.unlink(missing_ok=True)
    return report


def _too_small(experiment: Experiment) -> str:
    minutes = experiment.seconds("laptop") / 60
    time = f"{minutes:.0f} minutes" if minutes < 100 else f"{minutes / 60:.0f} hours"
    return (
        f"**This is the size {SMALL}: a few games, to see that everything works. They are too few to show what the "
        f"experiment is about**; `--preset laptop` plays enough, in about {time} of one core."
    )


def write(report: Report, folder: Path) -> None:
    """Writes report.md, results.json and plot.svg."""
    figures = json.dumps(_clean(report.to_dict()), indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    texts = {"results.json": figures, "report.md": report.markdown(), "plot.svg": report.svg()}
    for name, text in texts.items():
        with replacing(folder / name) as file:
            file.write(text.encode())


def _capped(value: Value, iterations: int) -> Value:
    """A spec with at most ``iterations`` iterations and two worlds."""
    if not isinstance(value, Spec):
        return value
    most = {"iterations": iterations, "worlds": 2}
    kwargs = tuple(
        (key, min(item, most[key]) if key in most and isinstance(item, int) else _capped(item, iterations))
        for key, item in value.kwargs
    )
    return Spec(value.name, tuple(_capped(item, iterations) for item in value.args), kwargs)


def _clean(data: Any) -> Any:
    """The same data with None for numbers that JSON does not know."""
    if isinstance(data, float) and not math.isfinite(data):
        return None
    if isinstance(data, dict):
        return {str(key): _clean(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_clean(item) for item in data]
    return data
