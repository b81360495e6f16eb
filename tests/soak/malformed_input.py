"""Throws broken input at everything that reads: specs, rules, positions, views, records, trees, moves, budgets.

    python tests/soak/malformed_input.py --seconds 60 --seed 1

Valid input is changed at random; what comes back is a result or a `kiebitz.Error`. Anything else (another exception, a
crash, a hang) ends the program, and the seed and the input are printed.
"""

from __future__ import annotations

import argparse
import copy
import io
import json
import random
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from typing import Any

import kiebitz as kb
from kiebitz.games import from_json, view_from_json
from kiebitz.games.tree import list_examples, load_example, parse_tree, to_efg, unroll
from kiebitz.search import AlphaBeta, Uct
from kiebitz.spec import parse

SLOW = 20
"""Seconds that one input may take before it counts as a hang."""

SPECS = [
    "random",
    "uct(iterations=10_000, c=2.5, formula=ucb1_sqrt2)",
    'minimax(4, evaluation="lines")',
    "cheat(uct(iterations=20))",
    "alphabeta(depth=3, order=full, table_mb=1)",
    "flat_mc(iterations=30)",
    "x([1, -2.5e3, 'a\\n', true], y=z(w))",
]
ODD: list[Any] = [
    None, True, False, 0, -1, 1, 2, 10**12, -(10**12), 2**63, -(2**63), 2**64, 10**400, 0.5, -0.0, 1e308, float("nan"),
    float("inf"), "", "0", "\x00", "é", "\ud800", "x" * 300, [], [0], ["a"], [[]], [None], {}, {"a": 1},
]  # fmt: skip
RULES: list[dict[str, Any]] = [
    {"name": "tic_tac_toe"},
    {"name": "connect_four", "params": {"rows": 5, "columns": 4, "connect": 3}},
    {"name": "nim", "params": {"heaps": [1, 2, 3], "misere": True}},
    {"name": "oware", "preset": "abapa"},
    {"name": "oware", "params": {"seeds": 2, "repetition": True}},
    {"name": "rock_paper_scissors", "params": {"rounds": 3}},
    {"name": "kuhn", "params": {"players": 3}},
    {"name": "leduc", "preset": "thesis"},
    {"name": "liars_dice", "params": {"dice": 2, "sides": 3}},
    {"name": "tree", "params": {"example": "strategy_fusion"}},
]


class Mutator:
    """Random changes of plain values and texts."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def text(self, text: str) -> str:
        """A text with one to four characters or pieces changed."""
        for _ in range(self.rng.randint(1, 4)):
            at = self.rng.randint(0, len(text))
            end = min(len(text), at + self.rng.choice([0, 1, 1, 2, 10]))
            piece = self.rng.choice(
                ["", "", self._character(), text[:20], text[at:end] * 2, "(", '"', "{", "\\", "9" * 50]
            )
            text = text[:at] + piece + text[end:]
        return text

    def value(self, value: Any) -> Any:
        """Plain values with one to three places changed."""
        value = copy.deepcopy(value)
        for _ in range(self.rng.randint(1, 3)):
            value = self._change(value)
        return value

    def _change(self, value: Any) -> Any:
        if isinstance(value, (dict, list)) and value and self.rng.random() < 0.85:
            key: Any = self.rng.choice(list(value)) if isinstance(value, dict) else self.rng.randrange(len(value))
            match self.rng.randrange(8):
                case 0:
                    del value[key]
                case 1 if isinstance(value, dict):
                    value[self.text(str(key))] = value[key]
                case 2 if isinstance(value, list):
                    value.insert(key, copy.deepcopy(value[key]))
                case _:
                    value[key] = self._change(value[key])
            return value
        if isinstance(value, str) and self.rng.random() < 0.7:
            return self.text(value)
        if isinstance(value, int) and not isinstance(value, bool) and self.rng.random() < 0.6:
            return value + self.rng.choice([-2, -1, 1, 2, 10])
        return copy.deepcopy(self.rng.choice(ODD))

    def _character(self) -> str:
        return chr(self.rng.choice([self.rng.randrange(32, 127), self.rng.randrange(0, 256), 0x2660, 0x1F0A1]))


class Soak:
    """One check per kind of input; each reads something broken."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.mutate = Mutator(rng)
        self.input: object = None
        self.trees = [load_example(name) for name in list_examples()] + [unroll(kb.game("kuhn"))]

    def _state(self) -> kb.State:
        """A random position of a random game."""
        state = from_json(self.rng.choice(RULES)).new(seed=self.rng.randrange(2**32))
        for _ in range(self.rng.randrange(40)):
            if state.player == kb.TERMINAL:
                break
            state.apply(self.rng.choice(state.legal()))
        return state

    def _finish(self, state: kb.State) -> None:
        """Whatever was let in must be playable to its end."""
        for _ in range(min(state.game.info.max_length, 2000)):
            if state.player == kb.TERMINAL:
                state.result()
                return
            state.apply(self.rng.choice(state.legal()))

    def spec(self) -> None:
        """Specs, and agents built from them."""
        self.input = text = self.mutate.text(self.rng.choice(SPECS))
        assert parse(str(parse(text))) == parse(text)
        kb.agent(text, kb.game("tic_tac_toe"))

    def rules(self) -> None:
        """Games by name, preset and parameters."""
        self.input = rules = self.mutate.value(self.rng.choice(RULES))
        game = from_json(rules)
        if game.info.max_length <= 2000 and game.info.max_legal <= 2000:
            self._finish(game.new(seed=1))

    def position(self) -> None:
        """Saved positions."""
        state = self._state()
        self.input = position = self.mutate.value(state.position())
        self._finish(state.game.load(position))

    def view(self) -> None:
        """Saved views."""
        state = self._state()
        self.input = data = self.mutate.value(state.view(self.rng.randrange(state.game.info.players)).to_json())
        view = view_from_json(data)
        view.tensor()
        view.sample(3)
        view.legal()
        assert str(view)

    def record(self) -> None:
        """Lines of game records, changed as values or as text."""
        line = json.dumps(kb.records.record_of(self._state()).to_json())
        broken = self.mutate.text(line) if self.rng.random() < 0.5 else json.dumps(self.mutate.value(json.loads(line)))
        self.input = broken
        for record in kb.records.load(io.StringIO(broken)):
            kb.records.replay(record)

    def tree(self) -> None:
        """Trees as values, as JSON text and as Gambit files."""
        tree = self.rng.choice(self.trees)
        kind = self.rng.randrange(3)
        source: Any = self.mutate.value(tree)
        if kind == 1:
            source = self.mutate.text(json.dumps(tree))
        elif kind == 2:
            source = self.mutate.text(to_efg(tree))
        self.input = source
        self._finish(kb.game("tree", tree=parse_tree(source)).new(seed=1))

    def move(self) -> None:
        """Actions as text and as numbers."""
        state = self._state()
        before = state.position()
        legal = state.legal()
        self.input = text = self.mutate.text(state.name(self.rng.choice(legal)) if legal else "a1")
        try:
            state.parse(text)
        except UnicodeEncodeError:  # lone surrogates
            pass
        finally:
            assert state.position() == before
        self.input = action = self.rng.randint(-(2**31), 2**31 - 1)
        if action not in legal:
            state.apply(action)

    def budget(self) -> None:
        """Options of searches."""
        state = kb.game("tic_tac_toe").new()
        numbers = [0, -1, 1, 3, 20, 10**12, 2**62, -(2**62)]
        options: dict[str, Any] = {
            "iterations": 20,
            "c": 1.4,
            "streams": 1,
            "threads": 1,
            "tree_depth": 0,
            "memory_mb": 64,
        }
        options[self.rng.choice(list(options))] = self.rng.choice(numbers)
        self.input = options
        Uct(state.game, **options).search(state)
        exact: dict[str, Any] = {"depth": 3, "nodes": 1000, "table_mb": 1}
        exact[self.rng.choice(list(exact))] = self.rng.choice(numbers)
        self.input = exact
        AlphaBeta(state.game, **exact).search(state)

    def checks(self) -> list[Callable[[], None]]:
        """All of the above."""
        return [self.spec, self.rules, self.position, self.view, self.record, self.tree, self.move, self.budget]


def soak(seconds: float, seed: int) -> int:
    """Runs until the time is over; returns the exit code."""
    work = Soak(random.Random(seed))
    checks = work.checks()
    tried: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    signal.signal(signal.SIGALRM, lambda *_: (_ for _ in ()).throw(TimeoutError(f"more than {SLOW} seconds")))
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        check = work.rng.choice(checks)
        tried[check.__name__] += 1
        signal.alarm(SLOW)
        try:
            check()
        except kb.Error as error:
            refused[check.__name__] += bool(str(error))
        except Exception:
            signal.alarm(0)
            traceback.print_exc()
            print(f"FINDING in {check.__name__}, seed {seed}, input {work.input!r:.2000}", file=sys.stderr)
            return 1
        signal.alarm(0)
    for name in sorted(tried):
        print(f"  {name:<10} {tried[name]:>9,} inputs, {refused[name]:>9,} refused")
    print(f"{tried.total():,} broken inputs without a finding, seed {seed}")
    return 0


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    arguments.add_argument("--seconds", type=float, default=60)
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    sys.exit(soak(options.seconds, options.seed))
