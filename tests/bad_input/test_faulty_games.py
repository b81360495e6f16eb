"""Games written in Python that break the contract: an error that names the game and the fault, never a crash."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import kiebitz as kb
from kiebitz import _core
from kiebitz.search import AlphaBeta, Ismcts, Pimc, Uct, count, perft, solve

Fault = Callable[[Any], Any]


def sound(hidden: bool = False) -> type[kb.PythonGame]:
    """A game without faults: take one to three of eight sticks, who takes the last one wins."""

    class Sticks(kb.PythonState):
        random = random.Random(1)

        def __init__(self) -> None:
            self.left = 8
            self.turn = 0

        def player(self) -> int:
            return self.turn if self.left > 0 else kb.TERMINAL

        def legal(self) -> list[int]:
            return list(range(max(0, min(3, self.left))))

        def apply(self, action: int) -> None:
            self.left -= action + 1
            self.turn = 1 - self.turn

        def returns(self) -> list[float]:
            return [1.0, -1.0] if self.turn == 1 else [-1.0, 1.0]

        def evaluate(self, evaluation: str, player: int) -> float:
            del evaluation
            return 0.5 - player

    class Game(kb.PythonGame):
        name = "sticks"
        state = Sticks
        actions = 3
        max_length = 8
        evaluations = ("fair",)

        def sample(self, view: dict[str, Any], observer: int, random: random.Random) -> kb.PythonState:
            del observer, random
            return self.load(view)

    Game.hidden = hidden
    return Game


def uses(game: kb.Game) -> dict[str, Callable[[], object]]:
    """Everything that calls the rules of a game."""

    def view() -> kb.View:
        state = game.new()
        return state.view(state.player)

    def play() -> object:
        state = game.new()
        while state.player != kb.TERMINAL:
            state.apply(state.legal()[-1])
        return state.result()

    def step() -> None:
        batch = _core.Batch(game, 3)
        batch.reset(1)
        for _ in range(20):
            batch.step(np.array([row.argmax() for row in batch.mask], dtype=np.int64))

    return {
        "uct": lambda: Uct(game, iterations=100, memory_mb=8).search(game.new()),
        "uct with evaluation": lambda: Uct(game, iterations=60, memory_mb=8, playout="evaluation").search(game.new()),
        "alphabeta": lambda: AlphaBeta(game, depth=9, table_mb=1).search(game.new()),
        "alphabeta with evaluation": lambda: AlphaBeta(
            game, depth=3, order="full", deepen=True, narrow=True, table_mb=1, evaluation="fair"
        ).search(game.new()),
        "minimax": lambda: AlphaBeta(game, depth=4, cut="none").search(game.new()),
        "perft": lambda: perft(game.new(), 4),
        "count": lambda: count(game.new(), nodes=500),
        "solve": lambda: solve(game.new()),
        "compile": lambda: _core.compile(game, 500),
        "pimc": lambda: Pimc(Uct(game, iterations=20, memory_mb=8), worlds=3).search(view()),
        "ismcts": lambda: Ismcts(game, iterations=60, memory_mb=8).search(view()),
        "batch": step,
        "random games": lambda: game.random_games([1, 2], [1, 2, 3, 4]),
        "play": play,
        "words": lambda: (game.new().choices(), view().choices(), view().legal(), game.new().phase),
    }


def draw(state: Any, *answers: Any) -> Any:
    return state.random.choice(answers)


FAULTS: dict[str, tuple[str, Fault, str]] = {
    "legal() empty": ("legal", lambda s: [] if s.left < 6 else [0, 1, 2], "legal() lists no action although"),
    "legal() None": ("legal", lambda s: None, ""),
    "legal() texts": ("legal", lambda s: ["a"], "legal() answered 'a', expected whole numbers"),
    "legal() too long": ("legal", lambda s: [0, 1, 2, 3], "legal() must list actions of 0 to 2"),
    "legal() that changes": ("legal", lambda s: draw(s, [0], [0, 1, 2], [1, 2], []), ""),
    "player() None": ("player", lambda s: None, "player() answered None, expected a whole number"),
    "player() 7": ("player", lambda s: 7, "player() answered 7, expected a seat below 2"),
    "player() that changes": ("player", lambda s: draw(s, 0, 1, kb.CHANCE, kb.TERMINAL), ""),
    "copy() itself": ("copy", lambda s: s, "copy() must return a new state"),
    "copy() None": ("copy", lambda s: None, ""),
    "payoffs NaN": ("returns", lambda s: [float("nan"), 0.0], "returns() answered nan, expected a finite number"),
    "payoffs infinite": ("returns", lambda s: [float("inf"), 0.0], "returns() answered inf, expected a finite"),
    "payoffs out of range": ("returns", lambda s: [5.0, -5.0], "returns() pays 5 to player 0, outside the declared"),
    "payoffs of wrong sum": ("returns", lambda s: [1.0, 0.5], "returns() pays 1.5 in all, expected 0 in a game"),
    "payoffs missing": ("returns", lambda s: [1.0], "returns() must list one payoff per player"),
    "payoffs None": ("returns", lambda s: [None, 1.0], "returns() answered None, expected a number"),
    "evaluation NaN": ("evaluate", lambda s: float("nan"), "evaluate() answered nan, expected a finite number"),
    "keys that are equal": ("key", lambda s: "same", ""),
    "keys that change": ("key", lambda s: str(s.random.random()), ""),
    "views that change": ("view", lambda s: {"left": s.random.randrange(9), "turn": 0}, ""),
}


@pytest.mark.parametrize("hidden", [False, True], ids=["open", "hidden"])
@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_named_and_never_crashes(name: str, hidden: bool) -> None:
    method, fault, words = FAULTS[name]
    rules = sound(hidden)
    setattr(rules.state, method, lambda self, *_: fault(self))
    told = []
    for use in uses(rules.make()).values():
        try:
            use()
        except (kb.Error, TypeError, AttributeError) as error:  # what Python says of None passes through
            told.append(error)
    if words:
        assert any(isinstance(error, kb.FaultyGame) and f"sticks: {words}" in str(error) for error in told), told


@pytest.mark.parametrize("hidden", [False, True], ids=["open", "hidden"])
def test_an_apply_that_does_not_always_do_the_same_never_crashes(hidden: bool) -> None:
    rules = sound(hidden)

    def apply(self: Any, action: int) -> None:
        self.left -= self.random.choice([0, 1, 2, 5])
        self.turn = 1 - self.turn

    rules.state.apply = apply  # type: ignore[method-assign]
    told = []
    for use in uses(rules.make()).values():
        for _ in range(3):
            try:
                use()
            except kb.Error as error:
                told.append(str(error))
    assert any("the same actions led to another player" in words for words in told)


@pytest.mark.parametrize("hidden", [False, True], ids=["open", "hidden"])
def test_copies_that_share_their_position_never_crash(hidden: bool) -> None:
    rules = sound(hidden)

    def copy(self: Any) -> Any:
        twin = object.__new__(type(self))
        twin.__dict__ = self.__dict__
        return twin

    rules.state.copy = copy  # type: ignore[method-assign]
    for use in uses(rules.make()).values():
        with contextlib.suppress(kb.Error):
            use()


def test_a_game_that_goes_on_for_ever_ends_with_an_error() -> None:
    rules = sound()
    rules.state.apply = lambda self, action: None  # type: ignore[method-assign]
    game = rules.make()
    for name in ("uct", "random games", "play", "batch"):
        with pytest.raises(kb.FaultyGame, match="sticks: the game goes on after max_length = 8 actions"):
            uses(game)[name]()


def test_a_declared_range_that_is_no_range_is_refused() -> None:
    rules = sound()
    for low, high in ((1, 0), (float("nan"), 1), (0, float("inf"))):
        rules.min_payoff, rules.max_payoff = low, high
        with pytest.raises(kb.ParameterError, match="min_payoff: expected a finite number of at most max_payoff"):
            rules.make()


@pytest.mark.parametrize("agents", [["random", "random"], ["random", "uct(iterations=30)"]])
def test_a_match_ends_at_the_first_payoff_out_of_range(agents: list[str]) -> None:
    """It is the game's fault: no agent fails, and no verdict is given."""
    rules = sound()
    rules.state.returns = lambda self: [5.0, -5.0]  # type: ignore[method-assign]
    with pytest.raises(kb.FaultyGame, match=r"returns\(\) pays 5 to player 0, outside the declared range of -1 to 1"):
        kb.arena.match(rules.make(), agents, games=10)
