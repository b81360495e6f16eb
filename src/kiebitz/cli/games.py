"""kiebitz games: what can be played, and by which rules."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.table import Table

import kiebitz as kb
from kiebitz._core import Game
from kiebitz.cli.common import GAME, AsJson, ParamOption, PresetOption, make_game, number, out, print_json
from kiebitz.errors import Error
from kiebitz.games import declaration_of

MOST_SHOWN = 30
"""Longest value of a parameter in the table."""


def games(
    name: Annotated[str | None, typer.Argument(help=f"A game to describe: {GAME}; without it, all are listed.")] = None,
    preset: PresetOption = None,
    param: ParamOption = None,
    json: AsJson = False,
) -> None:
    """List the games, or describe one with its parameters and presets."""
    if name is not None:
        game = make_game(name, preset, param)
        print_json(_describe(game)) if json else _show(game)
        return
    listed = [_default(each) for each in kb.list_games()]
    if json:
        print_json([_describe(game) if game else {"name": each} for each, game in listed])
        return
    table = Table(box=None, pad_edge=False)
    for title in ("game", "", "players", "hidden", "chance", "presets"):
        table.add_column(title, justify="right" if title == "players" else "left", no_wrap=title != "presets")
    for each, rules in listed:
        if rules is None:
            table.add_row(each, "needs parameters", "", "", "", "")
            continue
        source = declaration_of(rules).source
        if source is not None:
            table.add_row(each, source.title, "any", "any", "any", "")
            continue
        info = rules.info
        presets = ", ".join(preset.name for preset in rules.presets)
        table.add_row(
            each, info.title, str(info.players), "yes" if info.hidden else "", "yes" if info.chance else "", presets
        )
    out.print(table)
    out.print("\n'kiebitz games GAME' describes one; 'kiebitz play GAME' starts it.", style="dim")


def _default(name: str) -> tuple[str, Game | None]:
    """A game with its default rules, if it has any."""
    try:
        return name, kb.game(name)
    except Error:
        return name, None


def _describe(game: Game) -> dict[str, Any]:
    source = declaration_of(game).source
    if source is not None:
        return {
            **game.info.to_dict(),
            "preset": None,
            "params": game.to_json().get("params", {}),
            "parameters": [{"name": name, "help": help} for name, help in source.parameters.items()],
            "presets": [],
            "examples": source.examples(),
            "agents": kb.list_agents(game),
        }
    return {
        **game.info.to_dict(),
        "preset": game.preset,
        "params": game.params,
        "parameters": [
            {
                "name": p.name,
                "help": p.help,
                "initial": p.initial,
                "low": p.low,
                "high": p.high,
                "choices": list(p.choices),
            }
            for p in game.parameters
        ],
        "presets": [{"name": p.name, "help": p.help, "values": p.values} for p in game.presets],
        "agents": kb.list_agents(game),
    }


def _show(game: Game) -> None:
    info = game.info
    source = declaration_of(game).source
    title = info.title if source is None else f"{source.title}: {info.title}"
    out.print(f"[bold]{title}[/bold] ({game.name})")
    words = [f"{info.players} player{'s' if info.players > 1 else ''}"]
    words += ["general-sum" if info.utility == "general" else info.utility.replace("_", "-")]
    words += ["hidden information" if info.hidden else "perfect information"]
    words += ["chance"] if info.chance else []
    words += ["repetition ends the game"] if info.repetition else []
    out.print(", ".join(words))
    out.print(
        f"{info.actions} actions, at most {info.max_legal} at a time and {info.max_length} in a game; "
        f"payoffs {number(info.min_payoff)} to {number(info.max_payoff)}"
        + (f"; about 10^{info.log10_states:.3g} states" if info.log10_states else "")
    )
    if source is not None:
        table = Table("one of", "", box=None, pad_edge=False)
        for name, help in source.parameters.items():
            table.add_row(name, help)
        out.print()
        out.print(table)
        out.print(f"\nexamples: {', '.join(source.examples())}")
    elif game.parameters:
        table = Table(
            "parameter", "value", "allowed", "", box=None, pad_edge=False, title="rules", title_justify="left"
        )
        for p in game.parameters:
            table.add_row(p.name, _value(game.params[p.name]), _allowed(p), p.help)
        out.print()
        out.print(table)
    if game.presets:
        table = Table("preset", "", box=None, pad_edge=False)
        for preset in game.presets:
            table.add_row(preset.name, preset.help)
        out.print()
        out.print(table)
    if info.evaluations:
        out.print(f"\nevaluations: {', '.join(info.evaluations)}")
    out.print(f"\nagents: {', '.join(kb.list_agents(game))}")


def _allowed(parameter: Any) -> str:
    if parameter.choices:
        return " | ".join(parameter.choices)
    if isinstance(parameter.initial, bool):
        return "true | false"
    if isinstance(parameter.initial, str) or parameter.low == parameter.high:
        return "text" if isinstance(parameter.initial, str) else "texts"
    return f"{parameter.low:g} to {parameter.high:g}"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value)
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 3]}..."
