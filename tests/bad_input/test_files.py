"""Broken records, trees and .efg files: each is refused with a named error, and files are left as they were."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

import kiebitz as kb
from kiebitz import records

HUGE = 2**70


# --- Records --------------------------------------------------------------------------------------------------------


def good_record() -> dict[str, Any]:
    game = kb.game("kuhn")
    state = game.new(seed=1)
    while state.player != kb.TERMINAL:
        state.apply(state.legal()[0])
    plain = records.record_of(state, ["a", "b"], seed=1).to_json()
    assert isinstance(plain, dict)
    return plain


@pytest.mark.parametrize(
    "change",
    [
        {"schema": 99},
        {"schema": None},
        {"schema": True},
        {"game": "kuhn"},
        {"game": {}},
        {"game": {"name": "kuhm"}},
        {"game": {"name": "kuhn", "params": {"players": 99}}},
        {"game": {"name": "kuhn", "params": {"preset": "x"}}},
        {"game": {"name": "tree", "params": {"file": "/dev/zero"}}},
        {"actions": None},
        {"actions": [3]},
        {"actions": [[0]]},
        {"actions": [["0", "J"]]},
        {"actions": [[HUGE, "J"]]},
        {"actions": [[-1, "J"]]},
        {"actions": [[0, "Q"]]},
        {"actions": [[0, "J"]] * 50},
        {"returns": [1.0]},
        {"returns": [2.0, -2.0]},
        {"returns": "none"},
        {"result": {"winner": 7}},
        {"result": []},
        {"seats": ["a"]},
        {"seats": "ab"},
        {"seed": "x"},
        {"start": {"cards": [0, 0], "betting": ""}},
        {"start": 3},
        {"extra": 1},
    ],
    ids=lambda change: json.dumps(change)[:40],
)
def test_broken_records(change: dict[str, Any], tmp_path: Path) -> None:
    assert records.replay(records.from_json(good_record())).player == kb.TERMINAL
    path = tmp_path / "games.jsonl"
    path.write_text(json.dumps({**good_record(), **change}) + "\n")
    with pytest.raises(records.RecordError):
        _ = [records.replay(record) for record in records.load(path)]


@pytest.mark.parametrize(
    "text",
    ["{", "[]", "null", "3", '{"schema": 1', '{"schema": NaN}', "[" * 100_000, '{"a":' * 100_000, "\x00", "{}" * 2],
    ids=lambda text: repr(text[:16]),
)
def test_lines_that_are_no_records(text: str, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(json.dumps(good_record()) + "\n" + text + "\n")
    read = records.load(path)
    next(read)
    with pytest.raises(records.RecordError, match="line 2"):
        next(read)


def test_records_that_are_not_text(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"\xff\xfe\x00garbage\n")
    with pytest.raises(records.RecordError):
        list(records.load(path))


def test_a_refused_record_leaves_the_file_alone(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    good = records.from_json(good_record())
    assert records.save(path, [good]) == 1
    before = path.read_bytes()
    bad = records.Record(game={"name": "kuhn"}, returns=(math.nan, 0.0))
    with pytest.raises(ValueError, match="not JSON compliant"):
        records.save(path, [good, bad])
    assert path.read_bytes() == before


# --- Trees and .efg files -------------------------------------------------------------------------------------------

EFG = """EFG 2 R "test" { "A" "B" }
p "" 1 1 "one" { "l" "r" } 0
t "" 1 "" { 1, -1 }
p "" 2 1 "two" { "x" "y" } 0
t "" 2 "" { 0, 0 }
t "" 3 "" { 2, -2 }
"""


def test_the_efg_file_that_is_broken_below_is_sound() -> None:
    game = kb.game("tree", tree=EFG)
    assert kb.search.solve(game.new()).value == [1.0, -1.0]


def test_every_prefix_of_an_efg_file_is_refused(tmp_path: Path) -> None:
    for end in range(len(EFG.rstrip()) - 1):
        path = tmp_path / "broken.efg"
        path.write_text(EFG[:end])
        with pytest.raises((kb.TreeError, kb.LimitError)):
            kb.game("tree", file=path)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("EFG 2", "EFG 3"),
        ('{ "A" "B" }', "{ }"),
        ('p "" 1', 'p "" 7'),
        ('p "" 1', 'q "" 1'),
        ('{ "l" "r" }', '{ "l" }'),
        ('{ "l" "r" }', '{ "l" "l" }'),
        ("{ 1, -1 }", "{ 1 }"),
        ("{ 1, -1 }", "{ 1, -1, 0 }"),
        ("{ 1, -1 }", "{ one, two }"),
        ("{ 1, -1 }", "{ 1/0, -1 }"),
        ("{ 1, -1 }", "{ nan, -1 }"),
        ("{ 1, -1 }", "{ 1e999, -1 }"),
        ('t "" 1', 't "" 2'),
        ('p "" 2 1', 'p "" 1 1'),
    ],
)
def test_broken_efg_files(old: str, new: str) -> None:
    assert old in EFG
    with pytest.raises((kb.TreeError, kb.LimitError)):
        kb.game("tree", tree=EFG.replace(old, new, 1))


def deep_tree(depth: int) -> dict[str, Any]:
    node: dict[str, Any] = {"payoffs": [0]}
    for _ in range(depth):
        node = {"player": 0, "actions": {"on": node}}
    return {"players": ["A"], "root": node}


@pytest.mark.parametrize(
    "tree",
    [
        {},
        {"players": [], "root": {"payoffs": []}},
        {"players": ["A"] * 2, "root": {"payoffs": [0, 0]}},
        {"players": [str(n) for n in range(11)], "root": {"payoffs": [0] * 11}},
        {"players": ["A"], "root": {"payoffs": [math.nan]}},
        {"players": ["A"], "root": {"payoffs": [math.inf]}},
        {"players": ["A"], "root": {"payoffs": ["1/0"]}},
        {"players": ["A"], "root": {"payoffs": [None]}},
        {"players": ["A"], "root": {"payoffs": [1, 2]}},
        {"players": ["A"], "root": {"player": 0, "actions": {}}},
        {"players": ["A"], "root": {"player": 1, "actions": {"a": {"payoffs": [0]}}}},
        {"players": ["A"], "root": {"player": 0, "actions": {" a": {"payoffs": [0]}}}},
        {"players": ["A"], "root": {"chance": []}},
        {"players": ["A"], "root": {"chance": [{"name": "a", "probability": 0.5, "node": {"payoffs": [0]}}]}},
        {"players": ["A"], "root": {"chance": [{"name": "a", "probability": -1, "node": {"payoffs": [0]}}]}},
        {"players": ["A"], "root": {"player": 0, "payoffs": [0], "actions": {"a": {"payoffs": [0]}}}},
        {"players": ["A"], "root": 3},
        {"players": ["A"]},
        "",
        "{",
        "not a tree",
        '{"players": ["A"], "root": ' * 20_000,
        '{"players": ["A"], "players": ["B"], "root": {"payoffs": [1]}}',
        deep_tree(100_000),
    ],
    ids=lambda tree: repr(tree[:30]) if isinstance(tree, str) else None,
)
def test_broken_trees(tree: Any) -> None:
    with pytest.raises((kb.TreeError, kb.LimitError)):
        kb.game("tree", tree=tree)


@pytest.mark.parametrize(
    "path", ["/no/such/file", "/", "/dev/null", "a\0b", "\ud800", "", "x" * 10_000], ids=lambda p: repr(p[:12])
)
def test_tree_files_that_cannot_be_read(path: str) -> None:
    with pytest.raises((kb.TreeError, kb.ParameterError)):
        kb.game("tree", file=path)
