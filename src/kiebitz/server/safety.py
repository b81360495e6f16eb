"""Which agents strangers may seat, and how much they may ask of them: a list of names and a bound for each option.

Nothing here starts a program, reads a file or looks into other hands, however deep it stands inside a spec.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from kiebitz._core import Game
from kiebitz.agents import agent_class, agent_options
from kiebitz.agents.best import BestAgent
from kiebitz.errors import Error
from kiebitz.games.oware.endgame import SEEDS
from kiebitz.options import read, write
from kiebitz.server.errors import TableError
from kiebitz.spec import Spec, Value, parse

LISTED = (
    "best",
    "pimc",
    "ismcts",
    "uct",
    "alphabeta",
    "minimax",
    "flat_mc",
    "greedy",
    "equilibrium",
    "oware_master",
    "nim_perfect",
    "rule_of_thumb",
    "random",
)
"""Agents that may be asked for, the strongest kinds first."""

BOUNDS: dict[str, float] = {
    "iterations": 200_000,
    "nodes": 5_000_000,
    "seconds": 5.0,
    "worlds": 200,
    "threads": 2,
    "streams": 8,
    "memory_mb": 256,
    "table_mb": 16,
    "depth": 20,
    "seeds": SEEDS,
    "solve_last": 16,
    "exact_last": 16,
}
"""The most that an option may be; options that are not here have their own small ranges or cost nothing."""
TIGHTER: dict[str, dict[str, float]] = {"equilibrium": {"iterations": 4000}, "best": {"iterations": 20_000}}
"""Bounds of single agents."""
MOST_SIMULATIONS = 2_000_000
"""Iterations times worlds."""
REFUSED: dict[str, Value] = {"reuse": True, "leak": True}
"""Options that may not have this value: trees that are kept, and worlds that keep what nobody may know."""
LONGEST_SPEC = 500


def safe_spec(text: str, game: Game) -> str:
    """The spec of an agent that may sit at a table, with its bounds written out; raises TableError for any other.

    >>> import kiebitz as kb
    >>> safe_spec("best(worlds=20)", kb.game("doppelkopf"))
    'best(worlds=20)'
    >>> try:
    ...     safe_spec("cheat(uct)", kb.game("doppelkopf"))
    ... except TableError as error:
    ...     print(error.code)
    bad_agent
    """
    if len(text) > LONGEST_SPEC:
        raise TableError("bad_agent", f"expected a spec of at most {LONGEST_SPEC} characters")
    try:
        spec = _bounded(parse(text))
        agent = agent_class(spec.name)(game, read(spec, agent_class(spec.name).Options), 0)
        if isinstance(agent, BestAgent) and agent.inner.name == "oware_master":  # a search with bounds of its own
            spec = _bounded(parse(agent.inner.spec))
    except TableError:
        raise
    except (Error, MemoryError) as error:
        raise TableError("bad_agent", str(error)[:500]) from None
    return str(spec)


def bounds_of(name: str) -> dict[str, float]:
    """The bounds of an agent's options."""
    return {**BOUNDS, **TIGHTER.get(name, {})}


def _bounded(spec: Spec) -> Spec:
    """The same spec within bounds; agents inside it are looked at in the same way."""
    if spec.name not in LISTED:
        raise TableError("bad_agent", f"'{spec.name:.40}' may not sit here; expected one of {', '.join(LISTED)}")
    kind = agent_class(spec.name)
    assert not kind.runs_code, "listed agents run nothing"
    assert not kind.sees_state, "listed agents look at nothing hidden"
    options = read(spec, kind.Options)
    changed: dict[str, Any] = {}
    bounds = bounds_of(spec.name)
    for field in dataclasses.fields(options):
        name, value = field.name, getattr(options, field.name)
        if isinstance(value, Spec):
            changed[name] = _bounded(value)
        elif name in bounds and value is not None and value > bounds[name]:
            if value != field.default:
                raise TableError("bad_agent", f"{spec.name}: {name}: expected at most {bounds[name]:,.0f}, got {value}")
            changed[name] = type(value)(bounds[name])
        elif name in REFUSED and value == REFUSED[name]:
            raise TableError("bad_agent", f"{spec.name}: {name} is not possible at a table")
    options = dataclasses.replace(options, **changed)
    _check_work(spec.name, options)
    return write(spec.name, options)


def _check_work(name: str, options: Any) -> None:
    worlds = getattr(options, "worlds", 1)
    inner = getattr(options, "inner", None)
    iterations = getattr(read(inner, agent_class(inner.name).Options) if inner else options, "iterations", None)
    if worlds * (iterations or 1) > MOST_SIMULATIONS:
        raise TableError("bad_agent", f"{name}: expected at most {MOST_SIMULATIONS:,} simulations in all its worlds")


def listed_agents(game: Game) -> list[dict[str, Any]]:
    """The agents that may sit at a table of a game, with their options and bounds."""
    out = []
    for name in LISTED:
        if agent_class(name).unsuitable(game) is not None:
            continue
        options, bounds = [], bounds_of(name)
        for info in agent_options(name):
            plain = info.to_dict()
            if info.name in bounds:
                most = bounds[info.name]
                plain["high"] = most if plain["high"] is None else min(most, plain["high"])
                if isinstance(plain["default"], int | float):
                    plain["default"] = min(plain["default"], plain["high"])
            options.append(plain)
        doc = (agent_class(name).__doc__ or "").strip().partition("\n")[0]
        out.append({"name": name, "help": doc, "options": options})
    return out
