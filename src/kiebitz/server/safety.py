"""Which agents strangers may seat, and the bounds on their options.

An agent class declares whether it is offered (`Agent.offered`), and each option how large it may be (`most`). No agent
that passes starts a program, reads a file or sees hidden cards, at any depth of a spec. Whoever starts a server can
offer more: agents of their own, and specs that strangers may choose as they are, such as a program.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from kiebitz._core import Game
from kiebitz.agents import Agent, agent_class, agent_options, create, list_agents, load
from kiebitz.agents.strengths import Strength, strengths
from kiebitz.errors import Error, ParameterError
from kiebitz.nets import shipped
from kiebitz.options import read, write
from kiebitz.server.errors import TableError
from kiebitz.spec import Spec, parse

MOST_SIMULATIONS = 2_000_000
"""Per move, over all worlds."""
LONGEST_SPEC = 500
LONGEST_NAME = 200
"""Of what the lobby calls an agent."""


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
        if text in _brought.values():
            return create(text, game).spec
        spec = _bounded(parse(text), game)
        agent = create(spec, game)
        if agent.bounded_by is not agent:
            spec = _bounded(parse(agent.bounded_by.spec), game)
    except TableError:
        raise
    except (Error, MemoryError) as error:
        raise TableError("bad_agent", str(error)[:500]) from None
    return str(spec)


_brought: dict[str, str] = {}
"""Specs of agents that the server was started with, by what the lobby calls them."""


def offer_agents(text: str) -> list[str]:
    """Offers the agents that a Python file registers, or one by its spec, and returns what the lobby calls them.

    A Python file is run, and trusted like any program. What it registers can be seated with any options; of a spec that
    starts a program or reads a file, strangers cannot change a letter.

    >>> import kiebitz as kb
    >>> offer_agents("random(calls=false)")
    ['random(calls=false)']
    >>> safe_spec(_brought.pop("random(calls=false)"), kb.game("kuhn"))
    'random(calls=false)'
    """
    if Path(text).suffix.lower() == ".py":
        before = {name: agent_class(name) for name in list_agents()}
        load(text)
        names = [name for name in list_agents() if before.get(name) is not agent_class(name)]
    else:
        spec = parse(text)
        read(spec, agent_class(spec.name).Options)
        names = [str(spec)]
    for name in names:
        if agent_class(parse(name).name).sees_state:
            raise ParameterError(f"{name}: sees hidden cards, so it may not sit at a table")
        if len(name) > LONGEST_NAME:
            raise ParameterError(f"{name:.40}...: expected at most {LONGEST_NAME} characters")
        _brought[name] = name
    return names


def levels(game: Game) -> list[Strength]:
    """The strengths that the lobby offers for a game, and then the agents that the server was started with.

    >>> import kiebitz as kb
    >>> [level.key for level in levels(kb.game("nim"))]
    ['beginner', 'casual', 'strong', 'best']
    """
    brought = [Strength(name, spec) for name, spec in _brought.items() if _kind(spec).unsuitable(game) is None]
    return strengths(game) + brought


def level_spec(game: Game, key: str) -> str:
    """The spec behind a strength or a name of the lobby; raises TableError for any other.

    >>> import kiebitz as kb
    >>> level_spec(kb.game("nim"), "best")
    'nim_perfect'
    """
    known = {level.key: level.spec for level in levels(game)}
    if key not in known:
        raise TableError("bad_agent", f"strength: expected one of {', '.join(known)}, got {key!r:.60}")
    return known[key]


def _kind(spec: str) -> type[Agent]:
    return agent_class(parse(spec).name)


def offered_agents(game: Game | None = None) -> list[str]:
    """The names of the agents that strangers may seat, the strongest kinds first. For a game written in Python they
    exclude agents that solve the whole game.

    >>> offered_agents()[:2], "cheat" in offered_agents()
    (['best', 'pimc'], False)
    """
    kinds = {name: agent_class(name) for name in list_agents()}
    offered = [
        name
        for name, kind in kinds.items()
        if (kind.offered or name in _brought) and not kind.runs_code and not kind.sees_state
    ]
    if game is not None and game.needs_interpreter:
        offered = [name for name in offered if not kinds[name].solves]
    return sorted(offered, key=lambda name: -kinds[name].offered)


def _bounded(spec: Spec, game: Game) -> Spec:
    """The same spec within bounds; agents inside it are bounded in the same way."""
    offered = offered_agents(game)
    if spec.name not in offered:
        raise TableError("bad_agent", f"'{spec.name:.40}' may not sit here; expected one of {', '.join(offered)}")
    kind = agent_class(spec.name)
    options = read(spec, kind.Options)
    changed: dict[str, Any] = {}
    for field in dataclasses.fields(options):
        name, value, most = field.name, getattr(options, field.name), field.metadata["most"]
        words = field.metadata["file"]
        if words is not None and value not in (field.default, *words):
            expected = f"; expected {' or '.join(words)}" if words else ""
            raise TableError("bad_agent", f"{spec.name}: {name}: files are not possible at a table{expected}")
        if isinstance(value, Spec):
            changed[name] = _bounded(value, game)
        elif most is not None and value is not None and value > most:
            if most is False:
                raise TableError("bad_agent", f"{spec.name}: {name} is not possible at a table")
            if value != field.default:
                raise TableError("bad_agent", f"{spec.name}: {name}: expected at most {most:,.0f}, got {value}")
            changed[name] = type(value)(most)
    options = dataclasses.replace(options, **changed)
    if kind.simulations(options) > MOST_SIMULATIONS:
        raise TableError(
            "bad_agent", f"{spec.name}: expected at most {MOST_SIMULATIONS:,} simulations in all its worlds"
        )
    return write(spec.name, options)


def listed_agents(game: Game) -> list[dict[str, Any]]:
    """The agents that may sit at a table of a game, with their options and bounds."""
    out = []
    for name in offered_agents(game):
        if agent_class(name).unsuitable(game) is not None:
            continue
        options = []
        infos = agent_options(name)
        if shipped(game) is None:
            if any(info.required and info.file is not None for info in infos):
                continue  # nothing that a stranger may say there
            infos = [info for info in infos if info.file is None]
        for info in infos:
            plain = info.to_dict()
            most, words = plain.pop("most"), plain.pop("file")
            if words is not None:
                plain["choices"] = words if info.required else ["", *words]
            if most is not None and most is not False:
                plain["high"] = most if plain["high"] is None else min(most, plain["high"])
                if isinstance(plain["default"], int | float):
                    plain["default"] = min(plain["default"], plain["high"])
            options.append(plain)
        doc = (agent_class(name).__doc__ or "").strip().partition("\n")[0]
        out.append({"name": name, "help": doc, "options": options})
    return out
