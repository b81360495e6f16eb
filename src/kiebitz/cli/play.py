"""kiebitz play: a person plays in the terminal, one game or a series with a score sheet."""

from __future__ import annotations

import secrets
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

import kiebitz as kb
from kiebitz import records
from kiebitz._core import Game
from kiebitz.agents.strengths import strengths
from kiebitz.cli.common import (
    GAME,
    AsJson,
    ParamOption,
    PresetOption,
    err,
    fail,
    make_game,
    out,
    print_json,
    read_agent,
)
from kiebitz.cli.tables import ScoreSheet
from kiebitz.cli.terminal_table import PERSON, Quit, TerminalTable
from kiebitz.cli.words import word
from kiebitz.errors import Error, ParameterError
from kiebitz.games import declaration_of
from kiebitz.games.declaration import LANGUAGES, Language
from kiebitz.seeds import derive_seed


def play(  # noqa: PLR0917 (options for Typer)
    game: Annotated[
        str | None, typer.Argument(help=f"The game: {GAME}; without it you can choose from a list.")
    ] = None,
    seat: Annotated[int | None, typer.Option(help="Your seat, from 1, which usually begins.")] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against", "-a", metavar="SPEC", help="An opponent, or 'person'; repeat it for more seats; one fills all."
        ),
    ] = None,
    watch: Annotated[
        bool, typer.Option("--watch", help="Only look on: the agents of --against take all seats.")
    ] = False,
    seed: Annotated[int | None, typer.Option(help="For the same cards and opponents again.", min=0, max=2**62)] = None,
    games: Annotated[
        int, typer.Option("--games", "-n", help="Play a series of this length, with a score sheet.", min=1, max=10_000)
    ] = 1,
    record: Annotated[Path | None, typer.Option(help="Append the game to this file.")] = None,
    language: Annotated[str, typer.Option(help="What is said at the table: en, or de for German.")] = "en",
    preset: PresetOption = None,
    param: ParamOption = None,
    json: AsJson = False,
) -> None:
    """Play a game in the terminal."""
    console = err if json else out  # with --json, stdout carries the record alone
    asking = sys.stdin.isatty()
    spoken = _language(language)
    try:
        if game is None:
            if not asking:
                fail("expected the name of a game; see 'kiebitz games'")
            game, preset = _ask_game(console, preset, spoken)
        rules = make_game(game, preset, param)
        if watch and seat is not None:
            fail("--watch: expected no --seat beside it")
        if seat is None and not watch:
            seat = _ask_seat(console, rules, spoken) if asking else 1
        if seat is not None and not 1 <= seat <= rules.info.players:
            fail(f"--seat: expected 1 to {rules.info.players}, got {seat}")
        if not against:
            against = [_ask_opponent(console, rules, spoken)] if asking else [suggestions(rules)[0][0]]
        seats = _seats(rules, None if seat is None else seat - 1, against)
    except (Quit, EOFError):
        console.print(f"\n{word('good-bye', spoken)}")
        return
    begin = secrets.randbelow(2**31) if seed is None else seed
    _series(rules, seats, begin, games, console, spoken, record, json)


def _language(name: str) -> Language:
    for language in LANGUAGES:
        if name == language:
            return language
    raise ParameterError(f"--language: expected {' or '.join(LANGUAGES)}, got '{name[:20]}'")


def _series(  # noqa: PLR0917 (what was asked for)
    game: Game,
    seats: list[str],
    seed: int,
    games: int,
    console: Console,
    language: Language,
    record: Path | None,
    json: bool,
) -> None:
    """Plays a series; leaving a game ends it, and the score sheet shows the finished games."""
    you = seats.index(PERSON) if seats.count(PERSON) == 1 else None
    names = [declaration_of(game).terminal.seat(i, you, language) for i in range(len(seats))]
    sheet = ScoreSheet(names, language)
    series = declaration_of(game).series
    written: list[records.Record] = []
    played: list[dict[str, Any]] = []
    number = 0
    try:
        while len(played) < games:
            deal = series.next(game, played, games)
            if games > 1:
                console.rule(f"{word('game', language)} {len(played) + 1} / {games}", align="left", characters="─")
            table = TerminalTable(
                deal.game,
                seats,
                seed if number == 0 else derive_seed(seed, "game", number),
                console,
                start=deal.start,
                sheet=sheet if games > 1 else None,
                language=language,
            )
            _play_one(table, record, written)
            number += 1
            # A series has only deals that count; a single deal is over either way.
            if games == 1 or series.counts(table.state.result()):
                played.append(table.state.result())
                if games > 1:
                    sheet.add(table.state, deal.start)
                    _print_sheet(sheet, console)
            if len(played) < games and PERSON in seats and not _goes_on(console, language):
                break
    except (Quit, EOFError):
        _print_sheet(sheet, console)
        console.print(f"\n{word('good-bye', language)}")
    except KeyboardInterrupt:
        _print_sheet(sheet, console)
        raise
    finally:
        if json and written:
            print_json(written[0].to_json() if games == 1 else [each.to_json() for each in written])


def _play_one(table: TerminalTable, record: Path | None, written: list[records.Record]) -> None:
    """Plays a game and records it, even if somebody leaves before its end."""
    try:
        table.play()
    finally:
        written.append(records.record_of(table.state, table.seats, table.seed))
        if record is not None:
            records.save(record, written[-1:])
            table.console.print(word("recorded", table.language, record), style="dim", markup=False)


def _goes_on(console: Console, language: Language) -> bool:
    while True:
        answer = console.input(word("next game", language)).strip().lower()
        if answer in ("", "quit", "exit", "q"):
            return not answer


def _print_sheet(sheet: ScoreSheet, console: Console) -> None:
    if sheet.games:
        console.print()
        console.print(sheet.table())
        console.print()


def suggestions(game: Game, language: Language = "en") -> list[tuple[str, str]]:
    """Opponents worth offering for a game, the usual one first."""
    levels = {level.key: level for level in strengths(game)}
    order = [key for key in ("strong", "learned", "best", "casual", "beginner") if key in levels]
    offers = [(levels[key].spec, levels[key].words(german=language == "de")) for key in order]
    if game.info.hidden:
        offers.append(("cheat(uct(iterations=1000))", word("sees cards", language)))
    return offers


def _seats(game: Game, seat: int | None, against: list[str]) -> list[str]:
    """The seats: the person, and the opponents in order; a single opponent takes all other seats."""
    open_seats = [i for i in range(game.info.players) if i != seat]
    if len(against) == 1:
        against = against * len(open_seats)
    if len(against) != len(open_seats):
        fail(f"--against: expected 1 or {len(open_seats)} opponents, got {len(against)}")
    seats = [PERSON] * game.info.players
    for i, spec in zip(open_seats, against, strict=True):
        seats[i] = spec if spec == PERSON else read_agent(spec)
    return seats


def _ask(console: Console, question: str, default: str) -> str:
    answer = console.input(f"{question} [dim]({default})[/dim] ").strip()
    if answer in ("quit", "exit", "q"):
        raise Quit
    return answer or default


def _ask_game(console: Console, preset: str | None, language: Language) -> tuple[str, str | None]:
    names = kb.list_games()
    for i, name in enumerate(names, 1):
        console.print(f"{i:>3}  {name}")
    while True:
        answer = _ask(console, word("which game", language), names[0])
        name = names[int(answer) - 1] if answer.isdecimal() and 1 <= int(answer) <= len(names) else answer
        try:
            presets = make_game(name).presets
        except Error as error:
            console.print(str(error), style="red", markup=False)
            continue
        break
    if not presets or preset is not None:
        return name, preset
    for i, offer in enumerate(presets, 1):
        console.print(f"{i:>3}  {offer.name}: {offer.help}")
    while True:
        answer = _ask(console, word("which rules", language), presets[0].name)
        if answer.isdecimal() and 1 <= int(answer) <= len(presets):
            answer = presets[int(answer) - 1].name
        if any(answer == offer.name for offer in presets):
            return name, answer
        offers = ", ".join(offer.name for offer in presets)
        console.print(word("expected", language, word("one of", language, offers)), style="red")


def _ask_seat(console: Console, game: Game, language: Language) -> int:
    """A seat, from 1."""
    last = game.info.players
    while True:
        answer = _ask(console, word("which seat", language, last), "1")
        if answer.isdecimal() and 1 <= int(answer) <= last:
            return int(answer)
        console.print(word("expected", language, word("to", language, 1, last)), style="red")


def _ask_opponent(console: Console, game: Game, language: Language) -> str:
    offers = suggestions(game, language)
    for i, (spec, help) in enumerate(offers, 1):
        console.print(f"{i:>3}  {spec}: {help}", markup=False)
    while True:
        answer = _ask(console, word("which opponent", language), "1")
        if answer.isdecimal() and 1 <= int(answer) <= len(offers):
            return offers[int(answer) - 1][0]
        try:
            return PERSON if answer == PERSON else kb.agent(read_agent(answer), game).spec
        except Error as error:
            console.print(str(error), style="red", markup=False)
