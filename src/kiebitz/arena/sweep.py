"""Sweeps: one agent with many settings of its options, all against the same opponent on the same deals."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kiebitz._core import Game
from kiebitz.arena.matches import Result, tournament
from kiebitz.errors import ParameterError
from kiebitz.spec import Spec, parse
from kiebitz.stats import Estimate

MOST_SETTINGS = 1000
"""Most combinations of options in one sweep."""


@dataclass(frozen=True)
class Setting:
    """One combination of options and how it did."""

    options: dict[str, Any]
    spec: str
    difference: Estimate
    """Its mean payoff minus the opponent's, per game."""


@dataclass(frozen=True)
class Sweep:
    """What a sweep found: `settings` in the order of the options, and the run behind them."""

    settings: list[Setting]
    against: str
    result: Result

    @property
    def best(self) -> Setting:
        """The setting with the largest difference; of equal ones the first. Its lead may be luck: see the intervals."""
        return max(self.settings, key=lambda setting: setting.difference.value)

    def rows(self) -> list[dict[str, Any]]:
        """A row for each setting as plain values: its options, then the difference with its interval."""
        return [{**each.options, "spec": each.spec, **each.difference.to_dict()} for each in self.settings]

    def __str__(self) -> str:
        names = ["; ".join(f"{name}={value}" for name, value in each.options.items()) for each in self.settings]
        width = max(map(len, names))
        lines = [f"{self.result.plan.game.name}: payoff a game above {self.against}, {self.result.games:,} games"]
        for name, each in zip(names, self.settings, strict=True):
            found, mark = each.difference, " *" if each is self.best else ""
            interval = "" if found.low is None or found.high is None else f"  {found.low:+.3f} to {found.high:+.3f}"
            lines.append(f"  {name:<{width}}  {found.value:+.3f}{interval}{mark}")
        return "\n".join(lines)


def sweep(
    game: Game,
    spec: str | Spec | Callable[..., str | Spec],
    options: Mapping[str, Sequence[Any]],
    against: str | Spec,
    deals: int = 100,
    *,
    seed: int = 0,
    **how: Any,
) -> Sweep:
    """Plays an agent with every combination of `options` against one opponent, always on the same deals.

    `spec` is the agent whose options are set, or a function that makes a spec from them: it can set options of agents
    inside others. All other options are those of `tournament`; with a store, a sweep goes on where it was stopped.

    >>> import kiebitz as kb
    >>> found = sweep(kb.game("tic_tac_toe"), "uct", {"iterations": [2, 50]}, "random", deals=10, workers=1)
    >>> [setting.spec for setting in found.settings], found.best.options
    (['uct(iterations=2)', 'uct(iterations=50)'], {'iterations': 50})
    >>> inner = sweep(
    ...     kb.game("kuhn"), lambda n: f"pimc(uct(iterations={n}), worlds=2)", {"n": [5]}, "random", deals=5, workers=1
    ... )
    >>> inner.settings[0].spec
    'pimc(uct(iterations=5), worlds=2)'
    """
    if not options or not all(isinstance(values, Sequence) and len(values) for values in options.values()):
        raise ParameterError("options: expected the values to try, a list for each option")
    count = math.prod(len(values) for values in options.values())
    if count > MOST_SETTINGS:
        raise ParameterError(f"options: expected at most {MOST_SETTINGS} combinations, got {count}")
    given = [dict(zip(options, values, strict=True)) for values in itertools.product(*options.values())]
    base = spec if isinstance(spec, Spec) or callable(spec) else parse(spec)
    specs = [base.having(**each) if isinstance(base, Spec) else base(**each) for each in given]
    result = tournament(game, [against, *specs], deals, seed, format="gauntlet", **{"kind": "sweep", **how})
    settings = [
        Setting(each, result.specs[place], result.against(place, 0).difference) for place, each in enumerate(given, 1)
    ]
    return Sweep(settings, result.specs[0], result)
