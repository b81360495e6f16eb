"""Starting hands of hold'em: their names, the chart that players draw of them, and exact odds when all chips are in.

Up to suits there are 169 starting hands. They are numbered as in the chart: rows and columns from the ace down to the
deuce, pairs on the diagonal, suited hands above it, the others below.

The table of odds (`all_in_table`) counts wins over all deals of two hands and a board; it is exact.
It ships as `data/preflop_equity.npz`, a NumPy archive of two arrays of 169 x 169 integers:

* `wins` (uint32): in row a, column b the deals in which a hand of kind a beats one of kind b,
* `pairs` (uint8): in how many ways two such hands can be dealt without a common card.

Losses are wins with rows and columns exchanged; the rest are ties. `python -m kiebitz.solve.preflop --write` counts
everything anew; `python -m kiebitz.solve.preflop AKs QQ` prints the odds of two hands.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from math import comb
from pathlib import Path

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table
from rich.text import Text

from kiebitz import _core
from kiebitz.errors import ParameterError
from kiebitz.solve.plot import picture_path

RANKS = "AKQJT98765432"
HANDS = len(RANKS) ** 2
DEALS = comb(52, 2) * comb(50, 2)
"""Pairs of hands without a common card, in order."""
BOARDS = comb(48, 5)
"""Boards for each of them."""

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


def _name(row: int, column: int) -> str:
    if row == column:
        return RANKS[row] * 2
    return f"{RANKS[row]}{RANKS[column]}s" if row < column else f"{RANKS[column]}{RANKS[row]}o"


HAND_NAMES = tuple(_name(row, column) for row in range(len(RANKS)) for column in range(len(RANKS)))
"""The 169 starting hands, from the upper left corner of the chart to the lower right one."""


def hand_index(name: str) -> int:
    """The number of a starting hand such as 'AA', 'AKs' or 'J2o'.

    >>> hand_index("AA"), hand_index("AKs"), hand_index("AKo"), hand_index("22")
    (0, 1, 13, 168)
    """
    if name not in HAND_NAMES:
        raise ParameterError(
            f"expected a starting hand such as AA, AKs or J2o, the higher card first, got '{name[:20]}'"
        )
    return HAND_NAMES.index(name)


def hand_counts() -> Integers:
    """In how many ways each starting hand can be dealt: 6 for pairs, 4 suited, 12 others.

    >>> counts = hand_counts()
    >>> int(counts.sum()), int(counts[hand_index("AKo")])
    (1326, 12)
    """
    row, column = np.divmod(np.arange(HANDS), len(RANKS))
    return np.where(row == column, 6, np.where(row < column, 4, 12))


# --- Odds -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class AllInTable:
    """What happens when two players are all-in before the flop, counted over all deals."""

    wins: Integers
    """In row a, column b: deals that a hand of kind a wins against one of kind b."""
    pairs: Integers
    """Ways to deal two such hands."""

    @property
    def losses(self) -> Integers:
        """Deals that it loses."""
        return self.wins.T

    @property
    def deals(self) -> Integers:
        """All deals: two hands and a board."""
        return self.pairs * BOARDS

    @property
    def ties(self) -> Integers:
        """Deals that split the pot."""
        return self.deals - self.wins - self.losses

    def equity(self, hand: str, against: str) -> float:
        """The share of the pot that a hand wins on average.

        >>> round(all_in_table().equity("AA", "KK"), 4)
        0.8195
        """
        cell = hand_index(hand), hand_index(against)
        return float((self.wins[cell] + self.ties[cell] / 2) / self.deals[cell])


def _data() -> Path:
    return Path(str(resources.files("kiebitz.solve").joinpath("data", "preflop_equity.npz")))


@cache
def all_in_table() -> AllInTable:
    """The table that ships with the package.

    >>> table = all_in_table()
    >>> int(table.deals.sum()) == DEALS * BOARDS
    True
    """
    with np.load(_data(), allow_pickle=False) as archive:
        table = AllInTable(archive["wins"].astype(np.int64), archive["pairs"].astype(np.int64))
    table.wins.flags.writeable = table.pairs.flags.writeable = False
    return table


def count_pairs() -> Integers:
    """In how many ways two starting hands can be dealt without a common card, by their kinds.

    >>> pairs = count_pairs()
    >>> [int(pairs[hand_index("AA"), hand_index(other)]) for other in ("AA", "AKs", "AKo", "KK")]
    [6, 12, 36, 36]
    """
    first, second = np.nonzero(np.tri(52, k=-1))  # all pairs of cards, the one with the larger number first
    row, column = 12 - first // 4, 12 - second // 4
    kinds = np.where(first % 4 == second % 4, row * 13 + column, column * 13 + row)
    pairs = np.zeros((HANDS, HANDS), dtype=np.int64)
    for a, b, kind in zip(first, second, kinds, strict=True):
        apart = (first != a) & (first != b) & (second != a) & (second != b)
        pairs[kind] += np.bincount(kinds[apart], minlength=HANDS)
    return pairs


def write_table(path: Path) -> None:
    """Counts the whole table anew and stores it; this takes some seconds and reports on stderr."""
    with Console(stderr=True).status("counting all deals of two hands and a board"):
        wins = _core.all_in_wins()
    assert wins is not None  # only a stop token can cancel it, and there is none
    np.savez_compressed(path, wins=wins, pairs=count_pairs().astype(np.uint8))


# --- Charts -----------------------------------------------------------------------------------------------------------

_FOLD, _MIX, _PLAY = "#e9edf0", "#f0c04a", "#2e8b57"
_SURE = 1e-3


def is_mixed(probability: float) -> bool:
    """Whether a hand is sometimes played and sometimes not; charts show less than 1 in 1,000 as never.

    >>> is_mixed(0.4), is_mixed(0.9999)
    (True, False)
    """
    return _SURE < probability < 1 - _SURE


def chart_table(title: str, chart: Floats) -> Table:
    """A chart of how often hands are played (13 x 13) for a terminal: mixed hands show the percentage.

    It is readable without colours: hands that are never played are dots.

    >>> from rich.console import Console
    >>> chart = np.zeros((13, 13))
    >>> chart[0, :2] = 1, 0.25
    >>> console = Console(width=80, no_color=True)
    >>> with console.capture() as shown:
    ...     console.print(chart_table("two hands", chart))
    >>> shown.get().splitlines()[1].split()
    ['AA', 'AKs', '25', '·', '·', '·', '·', '·', '·', '·', '·', '·', '·', '·']
    """
    table = Table(title=title, show_header=False, box=None, padding=0, pad_edge=False)
    for _ in RANKS:
        table.add_column(width=_CELL, no_wrap=True)
    for row in range(len(RANKS)):
        table.add_row(*(_cell(_name(row, column), float(chart[row, column])) for column in range(len(RANKS))))
    return table


_CELL = 6  # thirteen of them fit into 80 columns


def _percent(mixed: float) -> int:
    return min(max(round(100 * mixed), 1), 99)  # neither never nor always


def _cell(name: str, probability: float) -> Text:
    if is_mixed(probability):
        return Text(f"{name} {_percent(probability)}".center(_CELL), style="black on yellow")
    if probability > 0.5:
        return Text(name.center(_CELL), style="bold white on green")
    return Text("·".center(_CELL), style="dim")


def draw_charts(title: str, charts: Mapping[str, Floats], path: str | Path) -> None:
    """Saves charts of how often hands are played, with their captions, side by side as one picture.

    A cell is filled in proportion to how often its hand is played. The path ends in the format: png, svg or pdf. The
    title is also stored as metadata of the file.
    """
    path = picture_path(path)
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # takes half a second to import
    from matplotlib.collections import PatchCollection
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle

    size, n = len(RANKS), len(charts)
    figure = Figure(figsize=(6.2 * n, 6.9))
    FigureCanvasAgg(figure)
    figure.suptitle(title, fontsize=14, fontweight="bold")
    for i, (caption, chart) in enumerate(charts.items()):
        axes = figure.add_axes(((i + 0.02) / n, 0.02, 0.96 / n, 0.87))
        axes.set(xlim=(0, size), ylim=(size, 0), aspect="equal", xticks=[], yticks=[], facecolor=_FOLD)
        axes.spines[:].set_visible(False)
        axes.set_title(caption, fontsize=11)
        cells: dict[str, list[Rectangle]] = {_PLAY: [], _MIX: []}
        for row, column in np.ndindex(size, size):
            played, name, colour = float(chart[row, column]), _name(row, column), "#7a848c"
            if is_mixed(played):
                cells[_MIX].append(Rectangle((column, row + 1 - played), 1, played))
                name, colour = f"{name}\n{_percent(played)} %", "#222222"
            elif played > 0.5:
                cells[_PLAY].append(Rectangle((column, row), 1, 1))
                colour = "white"
            axes.text(column + 0.5, row + 0.5, name, color=colour, ha="center", va="center", fontsize=8)
        for colour, rectangles in cells.items():
            axes.add_collection(PatchCollection(rectangles, facecolor=colour), autolim=False)
        axes.hlines(range(1, size), 0, size, color="white", linewidth=1.5)
        axes.vlines(range(1, size), 0, size, color="white", linewidth=1.5)
    figure.savefig(path, dpi=150, metadata={"Title": title})


# --- Command ----------------------------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints the odds of two hands, or counts the table anew."""
    parser = argparse.ArgumentParser(prog="python -m kiebitz.solve.preflop", description="Exact odds before the flop.")
    parser.add_argument("hands", nargs="*", metavar="HAND", help="two starting hands such as AKs QQ")
    parser.add_argument("--write", action="store_true", help="count the shipped table anew and store it")
    options = parser.parse_args(arguments)
    if options.write:
        try:
            write_table(_data())
        except OSError as error:
            parser.error(f"{_data()}: {error.strerror}")
        print(f"wrote {_data()}")
        return
    if len(options.hands) != 2:
        parser.error("expected two starting hands, or --write")
    try:
        cell = hand_index(options.hands[0]), hand_index(options.hands[1])
    except ParameterError as error:
        parser.error(str(error))
    table = all_in_table()
    deals = int(table.deals[cell])
    for what, count in (("wins", table.wins[cell]), ("ties", table.ties[cell]), ("loses", table.losses[cell])):
        print(f"{options.hands[0]} {what} {int(count):>11,} of {deals:,} deals ({100 * int(count) / deals:.2f} %)")
    print(f"equity {100 * table.equity(*options.hands):.2f} %")


if __name__ == "__main__":
    main()
