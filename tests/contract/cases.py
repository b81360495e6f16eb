"""The one list of games that the contract tests, the golden playthroughs and the fuzzers run over.

What is listed by hand are rules worth trying. Every compiled game and every preset that is not among them is added
from the registry with its default parameters, so a new game runs through the contract at once; what it then lacks is a
golden playthrough.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import kiebitz as kb
from kiebitz import _core
from kiebitz.agents import agent_options
from kiebitz.games.tree import list_examples
from tests.contract.no_limit import NoLimit
from tests.contract.pennies import Pennies

ROOT = Path(__file__).resolve().parents[2]


def _load_example(name: str) -> None:
    """Runs a file of examples/, which registers its game."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "examples" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    spec.loader.exec_module(importlib.util.module_from_spec(spec))


_load_example("hexapawn")
_load_example("little_poker")
kb.register(Pennies)
kb.register(NoLimit)


@dataclass(frozen=True)
class Case:
    """A game with its rule parameters."""

    id: str
    game: str
    preset: str | None = None
    params: dict[str, Any] = field(default_factory=dict)
    golden: bool = True

    def make(self) -> kb.Game:
        """The game itself."""
        return kb.game(self.game, self.preset, **self.params)


def _case(game: str, label: str = "", preset: str | None = None, golden: bool = True, **params: Any) -> Case:
    name = "-".join(part for part in (game, preset or "", label) if part)
    return Case(name, game, preset, params, golden)


BY_HAND: list[Case] = [
    _case("tic_tac_toe"),
    _case("connect_four"),
    _case("connect_four", "small", rows=4, columns=5, connect=3),
    _case("connect_four", "wide", rows=7, columns=8, connect=5, golden=False),
    _case("connect_four", "high", rows=12, columns=4, golden=False),
    _case("nim"),
    _case("nim", "misere", misere=True, heaps=[2, 3]),
    _case("nim", "one_heap", heaps=[5]),
    _case("nim", "many_heaps", heaps=[1, 0, 2, 3, 1, 2, 3, 4, 1, 2], golden=False),
    _case("nim", "large_heaps", heaps=[255, 17], golden=False),
    _case("oware", golden=False),
    _case("oware", preset="thesis"),
    _case("oware", preset="abapa"),
    _case("oware", "seeds", preset="abapa", payoff="seeds", leftover="awarded", golden=False),
    _case("oware", "either", starvation="either", grand_slam="nothing"),
    _case("oware", "tiny", seeds=1, repetition=True, must_feed=True, payoff="seeds"),
    _case("oware", "guard", max_plies=20, seeds=10),
    _case("rock_paper_scissors"),
    _case("rock_paper_scissors", "three_rounds", rounds=3),
    _case("rock_paper_scissors", "thesis", rounds=2, payoff="thesis"),
    _case("rock_paper_scissors", "hundred_rounds", rounds=100, golden=False),
    _case("kuhn"),
    _case("kuhn", "three_players", players=3),
    _case("kuhn", "ten_players", players=10, golden=False),
    _case("leduc", golden=False),
    _case("leduc", preset="standard"),
    _case("leduc", preset="thesis"),
    _case("leduc", "small", ranks=3, suits=1, raises=1),
    _case("leduc", "large", ranks=13, suits=4, raises=6, stakes=[1, 2], bets=[2.5, 5], golden=False),
    _case("leduc", "no_raises", raises=0, golden=False),
    _case("liars_dice"),
    _case("liars_dice", "two_dice", dice=2),
    _case("liars_dice", "one_die", sides=3),
    _case("liars_dice", "pairs", dice=2, sides=2),
    _case("liars_dice", "three_players", players=3, dice=2, sides=4),
    _case("liars_dice", "largest", players=4, dice=2, sides=16, golden=False),
    _case("doppelkopf", golden=False),
    _case("doppelkopf", preset="thesis"),
    _case("doppelkopf", preset="tournament"),
    _case("doppelkopf", preset="beginner"),
    _case("doppelkopf", preset="club"),
    _case("doppelkopf", "genscher", genscher=True, golden=False),
    _case("doppelkopf", "swines", piglets=True, superpiglets=True, hyperpiglets=True, golden=False),
    _case("doppelkopf", "when_played", piglets=True, superpiglets=True, piglets_when_played=True, golden=False),
    _case("doppelkopf", "house", nines=False, second_ten=True, piglets=True, fox_last=True, charlie_caught=True),
    _case("tree", golden=False),
    *(_case("tree", example, example=example) for example in list_examples()),
    _case("hexapawn"),
    _case("pennies"),
    _case("little_poker", golden=False),
    _case("any_bet", stack=12, golden=False),
]


def from_registry(games: Sequence[str], known: Sequence[Case]) -> list[Case]:
    """Cases for the games and presets that have none yet."""
    covered = {(case.game, case.preset) for case in known}
    covered |= {(case.game, None) for case in known}  # any rules of a game stand for the game
    found = [_case(name) for name in games if (name, None) not in covered]
    for name in games:
        presets = [_case(name, preset=preset.name) for preset in kb.game(name).presets]
        found += [case for case in presets if (case.game, case.preset) not in covered]
    return found


CASES: list[Case] = [*BY_HAND, *from_registry(_core.game_names(), BY_HAND)]

QUICK: dict[str, str] = {
    "best": "best(iterations=20, worlds=3)",
    "uct": "uct(iterations=40)",
    "flat_mc": "flat_mc(iterations=40)",
    "alphabeta": "alphabeta(depth=2)",
    "minimax": "minimax(depth=2)",
    "oware_master": "oware_master(nodes=2000, seeds=4)",
    "pimc": "pimc(uct(iterations=20), worlds=3)",
    "ismcts": "ismcts(iterations=60)",
}
"""Agents whose defaults think longer than a test should."""

HIDDEN = [case for case in CASES if case.make().info.hidden]
OPEN = [case for case in CASES if not case.make().info.hidden]
COMPILED = [case for case in CASES if not case.make().needs_interpreter]

SMALL_HIDDEN = [
    "rock_paper_scissors",
    "rock_paper_scissors-three_rounds",
    "kuhn",
    "kuhn-three_players",
    "leduc",
    "leduc-thesis",
    "leduc-small",
    "liars_dice-one_die",
    "liars_dice-pairs",
    "tree-information_sets",
    "tree-rps_hidden",
    "tree-rps_general_sum",
    "tree-strategy_fusion",
    "pennies",
    "little_poker",
]
"""Hidden games small enough to be enumerated: sampled worlds are compared with exact probabilities (chi-square)."""


def by_id(name: str) -> Case:
    """The case of that id."""
    return next(case for case in CASES if case.id == name)


def agents_for(game: kb.Game) -> list[str]:
    """The agents that can sit down without being told more, and that do not look at the full state."""
    names = [name for name in kb.list_agents(game) if name != "cheat"]
    return [name for name in names if not any(option.required for option in agent_options(name))]
