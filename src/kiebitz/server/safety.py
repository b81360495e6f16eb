"""Which agents strangers may seat, and the bounds on their options.

An agent class declares whether it is offered (`Agent.offered`), and each option how large it may be (`most`). No agent
that passes starts a program, reads a file or sees hidden cards, at any depth of a spec.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from kiebitz._core import Game
from kiebitz.agents import agent_class, agent_options, create, list_agents
from kiebitz.errors import Error
from kiebitz.options import read, write
from kiebitz.server.errors import TableError
from kiebitz.spec import Spec, parse

MOST_SIMULATIONS = 2_000_000
"""Per move, over all worlds."""
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
        spec = _bounded(parse(text), game)
        agent = create(spec, game)
        if agent.bounded_by is not agent:
            spec = _bounded(parse(agent.bounded_by.spec), game)
    except TableError:
        raise
    except (Error, MemoryError) as error:
        raise TableError("bad_agent", str(error)[:500]) from None
    return str(spec)


def offered_agents(game: Game | None = None) -> list[str]:
    """The names of the agents that strangers may seat, the strongest kinds first. For a game written in Python they
    exclude agents that solve the whole game.

    >>> offered_agents()[:2], "cheat" in offered_agents()
    (['best', 'pimc'], False)
    """
    kinds = {name: agent_class(name) for name in list_agents()}
    offered = [name for name, kind in kinds.items() if kind.offered and not kind.runs_code and not kind.sees_state]
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
        for info in agent_options(name):
            plain = info.to_dict()
            most = plain.pop("most")
            if most is not None and most is not False:
                plain["high"] = most if plain["high"] is None else min(most, plain["high"])
                if isinstance(plain["default"], int | float):
                    plain["default"] = min(plain["default"], plain["high"])
            options.append(plain)
        doc = (agent_class(name).__doc__ or "").strip().partition("\n")[0]
        out.append({"name": name, "help": doc, "options": options})
    return out
