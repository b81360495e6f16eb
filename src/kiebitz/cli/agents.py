"""kiebitz agents: which agents there are, and their options."""

from __future__ import annotations

import inspect
from typing import Annotated, Any

import typer
from rich.table import Table

import kiebitz as kb
from kiebitz._core import Game
from kiebitz.agents import agent_class, agent_options
from kiebitz.cli.common import GAME, AsJson, make_game, out, print_json, read_agent
from kiebitz.options import OptionInfo
from kiebitz.spec import Spec


def agents(
    name: Annotated[
        str | None,
        typer.Argument(help="An agent to describe, by its name or its .py file; without it, all are listed."),
    ] = None,
    game: Annotated[str | None, typer.Option(help=f"Only those that can play this game: {GAME}.")] = None,
    json: AsJson = False,
) -> None:
    """List the agents, or describe one with its options."""
    if name is not None:
        name = read_agent(name)
        data = _describe(name)
        print_json(data) if json else _show(name)
        return
    rules = make_game(game) if game else None
    names = kb.list_agents(rules)
    if json:
        print_json([_describe(name) for name in names])
        return
    table = Table("agent", "", box=None, pad_edge=False)
    for each in names:
        table.add_row(each, _help(each))
    out.print(table)
    out.print(f"\nAgents are written as specs, such as '{_example(rules)}'.", style="dim")
    out.print("'kiebitz agents NAME' explains the options.", style="dim")


def _example(game: Game | None) -> str:
    """An example spec that the game does not refuse."""
    return "cheat(uct(iterations=1000))" if game and game.info.hidden else "uct(iterations=5000, c=1.0)"


def _help(name: str) -> str:
    return (inspect.getdoc(agent_class(name)) or "").split("\n")[0]


def _describe(name: str) -> dict[str, Any]:
    return {
        "name": name,
        "help": _help(name),
        "sees_state": agent_class(name).sees_state,
        "options": [option.to_dict() for option in agent_options(name)],
    }


def _show(name: str) -> None:
    out.print(f"[bold]{name}[/bold]: {_help(name)}")
    options = agent_options(name)
    if not options:
        out.print("It has no options.")
        return
    table = Table("option", "default", "allowed", "", box=None, pad_edge=False)
    for option in options:
        table.add_row(option.name, _default(option), _allowed(option), option.help)
    out.print()
    out.print(table)


def _default(option: OptionInfo) -> str:
    if option.required:
        return "required"
    if option.default is None or option.default == "":
        return "-"
    if isinstance(option.default, float):
        return f"{option.default:g}"
    return str(Spec.of("x", option.default))[2:-1].strip('"')


def _allowed(option: OptionInfo) -> str:
    if option.choices:
        return " | ".join(option.choices)
    if option.file is not None:
        return " | ".join(["a file", *option.file])
    if option.low is not None and option.high is not None:
        return f"{option.low:g} to {option.high:,.0f}"
    return option.type
