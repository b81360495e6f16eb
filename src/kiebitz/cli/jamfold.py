"""kiebitz solve jamfold: the end of a heads-up tournament as charts in the terminal and as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, fields
from fractions import Fraction
from pathlib import Path

from rich.columns import Columns
from rich.table import Table

from kiebitz.cli.common import out, parse_param, print_json, progress
from kiebitz.errors import ParameterError, UnknownName
from kiebitz.solve.jamfold import SEATS, JamFold, Rules, Seat, solve_jamfold
from kiebitz.solve.plot import picture_path

SEAT_NAMES: dict[Seat, str] = {"sb": "small blind", "bb": "big blind"}
MOST_ROWS = 16
"""Stacks that an overview shows; JSON has all."""


def jamfold(stack: int | None, plot: Path | None, json: bool, param: Sequence[str] | None = None) -> None:
    """Solves the endgame and shows the charts of one stack, or an overview of all.

    The charts are also saved as a picture, by default `jamfold-STACK.png`; with JSON output only on request.
    """
    rules = _rules(param)
    if stack is not None:
        rules.row(stack)  # refused before the work begins, like bad names of pictures
    elif plot is not None:
        raise ParameterError("--plot: expected a --stack as well, whose charts are drawn")
    if plot is not None:
        picture_path(plot)
    elif stack is not None and not json:
        plot = _own_picture(stack)
    with progress(f"solving {len(rules.stacks) - 2} stacks") as bar:
        result = solve_jamfold(
            rules,
            progress=lambda rounds, error: bar.update(
                bar.task_ids[0], description=f"round {rounds}: values known to {error:.1e}"
            ),
        )
    if stack is None:
        _overview(result, json)
        return
    if json:
        print_json(result.report(stack) | {"picture": None if plot is None else str(plot)})
    else:
        _show(result, stack)
    if plot is not None:
        result.draw(stack, plot)
        if not json:
            out.print(f"written to {plot}", style="dim")


def _rules(param: Sequence[str] | None) -> Rules:
    given = dict(parse_param(item) for item in param or ())
    known = [field.name for field in fields(Rules)]
    for name in given:
        if name not in known:
            raise UnknownName(f"-p: jamfold has no parameter '{name:.40}'; expected one of {', '.join(known)}")
    return Rules(**given)


def _own_picture(stack: int) -> Path:
    """The default name of the picture; a file that something else has written is never overwritten."""
    path = Path(f"jamfold-{stack}.png")
    if path.exists() and not (path.is_file() and b"Title\0Jam or fold" in path.read_bytes()[:4096]):
        raise ParameterError(f"{path}: exists and is not a chart of ours; use --plot to save this one elsewhere")
    return path


def _show(result: JamFold, stack: int) -> None:
    out.print(f"[bold]Jam or fold with {stack:,} of {_setting(result)}\n")
    out.print(Columns([result.chart_table(stack, seat) for seat in SEATS], padding=(1, 4)))
    out.print(
        "\nA dot is a fold, a number how often, in percent, a hand is played. What calls a jam in the big blind also "
        "goes all-in over a raise or a limp.\n"
    )
    table = Table(box=None, pad_edge=False)
    table.add_column()
    for title in ("wins at least", "at most", "loses at most"):
        table.add_column(title, justify="right")
    table.add_column("all-in with")
    for seat, name in SEAT_NAMES.items():
        lower, upper, lost = _bounds(result, stack, seat)
        table.add_row(name, lower, upper, f"{lost} points", in_words(result.jam_frequency(stack, seat)))
    out.print(table)
    _explain(result)


def _overview(result: JamFold, json: bool) -> None:
    rules = result.rules
    stacks = [int(stack) for stack in rules.stacks[1:-1]]
    if json:
        keys = ("lower", "upper", "gap", "jam_frequency")
        rows = [
            {"stack": stack, **{seat: {key: getattr(result, key)(stack, seat) for key in keys} for seat in SEATS}}
            for stack in stacks
        ]
        print_json({"rules": asdict(rules), "error": result.error, "stacks": rows})
        return
    out.print(f"[bold]Jam or fold with a part of {_setting(result)}\n")
    table = Table(box=None, pad_edge=False)
    for title in (
        "\nstack",
        "small\nblind",
        "at\nmost",
        "\nlost",
        "\njams",
        "big\nblind",
        "at\nmost",
        "\nlost",
        "\ncalls",
    ):
        table.add_column(title, justify="right")
    every = -(-len(stacks) // MOST_ROWS)
    for stack in stacks[every - 1 :: every]:
        cells = [f"{stack:,}"]
        for seat in SEATS:
            cells += [*_bounds(result, stack, seat), f"{100 * result.jam_frequency(stack, seat):.1f} %"]
        table.add_row(*cells)
    out.print(table)
    _explain(result)
    out.print(f"\n--stack N shows the charts of a stack: {stacks[0]} to {stacks[-1]} in steps of {rules.step}.")


def _setting(result: JamFold) -> str:
    rules = result.rules
    opponent = "only jams or folds, too" if rules.restricted_opponent else "may do anything"
    blinds = f"blinds {rules.small_blind}/{rules.big_blind}"
    return f"{rules.total:,} chips[/bold], {blinds}. The winner takes all; the opponent {opponent}."


def _bounds(result: JamFold, stack: int, seat: Seat) -> tuple[str, str, str]:
    """The least and the most that is won, and the difference in points."""
    gap = max(result.gap(stack, seat), 0)  # rounding can make it slightly negative
    return f"{100 * result.lower(stack, seat):.2f} %", f"{100 * result.upper(stack, seat):.2f} %", f"{100 * gap:.2f}"


def _explain(result: JamFold) -> None:
    if result.rules.restricted_opponent:
        text = "Two players who only jam or fold win so often with these tables, and neither can do better."
    else:
        text = (
            "These tables win the tournament at least so often against anybody. Nobody can be sure to win more than "
            "the second figure says: the difference, in percentage points, is the most that this simple style loses."
        )
    out.print(f"\n{text} Proved to {result.error:.0e}.")


def in_words(share: float) -> str:
    """A share of hands as people say it.

    >>> in_words(0.738), in_words(0.0), in_words(0.999)
    ('about 3 hands in 4', 'no hand', 'nearly every hand')
    """
    fraction = Fraction(share).limit_denominator(10)
    if fraction in (0, 1):
        return ("" if share == fraction else "nearly ") + ("every hand" if fraction else "no hand")
    return f"about {fraction.numerator} hand{'s' if fraction.numerator > 1 else ''} in {fraction.denominator}"
