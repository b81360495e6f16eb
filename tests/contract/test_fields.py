"""Fields: what games declare about the JSON of their views and outlines is what they send, no more and no less; the
page of the protocol lists it. `make stub` writes the page anew."""

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import kiebitz as kb
from kiebitz import _core
from kiebitz.agents.process import outline_of
from kiebitz.games import declaration_of
from kiebitz.games.declaration.fields import leaves
from tests.contract.cases import COMPILED
from tests.games.doppelkopf.playing import HEALTHY, PLAIN, both_kings, open_table

PAGE = Path(__file__).parents[2] / "docs" / "protocol.md"
PLACE = re.compile(r"<!-- fields -->.*?<!-- end -->", re.DOTALL)
GAMES = 3
"""Games of each case; rare fields need a few."""
PREFERRED = ("wedding", "liar", "poverty", "throw-in", "take", "left")
"""Rare actions without which some fields never have a value."""

PREPARED: dict[str, Callable[[kb.Game], kb.State]] = {
    "doppelkopf-club": lambda game: open_table(game, PLAIN, 0, [*HEALTHY[:3], "poverty"]),
    "doppelkopf-genscher": both_kings,
}
"""Beginnings too rare for chance."""


def tables() -> str:
    """A table of fields for each game, with the marks that stand around them on the page."""
    lines = ["<!-- fields -->"]
    for name in _core.game_names():
        lines += ["", f"### {kb.game(name).info.title} (`{name}`)", "", "| field | values | meaning |", "|---|---|---|"]
        for path, field in declaration_of(name).fields.items():
            lines.append(f"| `{path}` | {field.values} | {field.meaning} |")
    return "\n".join([*lines, "", "<!-- end -->"])


@pytest.mark.parametrize("name", _core.game_names())
def test_games_send_the_fields_that_they_declare(name: str) -> None:
    declared = declaration_of(name).fields
    seen = set()
    for case in (case for case in COMPILED if case.game == name):
        game = case.make()
        prepared = [PREPARED[case.id](game)] if case.id in PREPARED else []
        for seed, state in enumerate([*(game.new(seed=seed) for seed in range(GAMES)), *prepared]):
            draw = random.Random(seed)
            while True:
                for seat in range(game.info.players):
                    view = state.view(seat)
                    for path, value in {*leaves("view", view.fields()), *leaves("outline", outline_of(view))}:
                        assert path in declared, (case.id, path, value)
                        assert declared[path].fits(value), (case.id, path, value)
                        seen |= {path}
                if state.player == kb.TERMINAL:
                    break
                legal = state.legal()
                rare = [action for action in legal if state.name(action) in PREFERRED]
                state.apply(draw.choice(rare if rare and draw.random() < 0.5 else legal))
    assert [path for path in declared if path not in seen and not any(p.startswith(f"{path}.") for p in seen)] == []


def test_the_page_lists_all_fields() -> None:
    found = PLACE.search(PAGE.read_text())
    assert found is not None
    assert found[0] == tables(), "run `make stub`"


if __name__ == "__main__":
    PAGE.write_text(PLACE.sub(lambda _: tables(), PAGE.read_text()))
