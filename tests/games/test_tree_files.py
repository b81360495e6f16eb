"""Explicit trees as files: the shipped examples, the rules of information sets, JSON and .efg."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import kiebitz as kb
from kiebitz.errors import Error, IllegalAction, LimitError, ParameterError, TreeError, UnknownName
from kiebitz.games import tree
from kiebitz.games.tree import efg

END: dict[str, Any] = {"payoffs": [0, 0]}

KUHN_LIKE = """EFG 2 R "Two cards \\"by hand\\"" { "Anna" "Otto" }
"Anna sees her card; Otto does not."

c "deal" 1 "cards" { "high" 1/3 "low" 0.6666666666666667 } 0
p "" 1 1 "Anna high" { "bet" "pass" } 0
p "" 2 1 "Otto" { "call" "fold" } 1 "the bet" { 1, -1 }
t "" 2 "won" { 1 -1 }
t "" 0
t "" 3 "passed" { 0, 0 }
p "" 1 2 "Anna low" { "bet" "pass" } 0
p "" 2 1 0
t "" 4 "lost" { -3, 3 }
t "" 1
t "" 3
"""
MANY = " ".join(f'"{label}"' for label in range(50_000))


def decision(player: Any, actions: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"player": player, "actions": actions, **more}


def of(root: Any, players: tuple[str, ...] = ("A", "B")) -> dict[str, Any]:
    return {"players": list(players), "root": root}


def induction(state: kb.State) -> tuple[list[float], list[str]]:
    """Backward induction by hand: values and the first best line."""
    if state.player == kb.TERMINAL:
        return list(state.returns()), []
    best: tuple[list[float], list[str]] | None = None
    mover = state.player
    for action in state.legal():
        below = state.copy()
        below.apply(action)
        values, line = induction(below)
        if best is None or values[mover] > best[0][mover]:
            best = values, [state.name(action), *line]
    assert best is not None
    return best


# --- Shipped examples -------------------------------------------------------------------------------------------------


@pytest.mark.requirement("DL-1")
def test_every_example_loads_validates_and_says_where_it_comes_from() -> None:
    names = tree.list_examples()
    assert len(names) >= 11
    for name in names:
        loaded = tree.load_example(name)
        tree.check_tree(loaded)
        assert loaded["description"]
        assert kb.game("tree", example=name).info.title == loaded["title"]


@pytest.mark.parametrize(
    ("name", "values", "line"),
    [
        ("backward_induction", [2, 1], ["U", "L", "D"]),
        ("alphabeta_max", [3, -3], ["left", "a"]),
        ("alphabeta_min", [5, -5], ["left", "b"]),
        ("minimax_nine_leaves", [7, -7], ["b", "3"]),
        ("alphabeta_three_plies", [10, -10], ["left", "a", "1"]),
        ("rps_visible", [-1, 1], ["rock", "paper"]),
        ("three_players", [4, 2, 5], ["b", "d", "f"]),
    ],
)
def test_examples_with_perfect_information_have_the_stated_values(
    name: str, values: list[float], line: list[str]
) -> None:
    game = kb.game("tree", example=name)
    assert not game.info.hidden
    assert induction(game.root()) == (values, line)


def test_dl4g_2_2_value_is_1_2_if_black_begins_with_d() -> None:
    state = kb.game("tree", example="backward_induction").root()
    state.apply(state.parse("D"))
    assert induction(state) == ([1, 2], ["H"])


def test_dl4g_9_1_player_2_cannot_tell_u_from_m() -> None:
    game = kb.game("tree", example="information_sets")
    assert game.info.hidden
    after = {}
    for label in "UMD":
        state = game.root()
        state.apply(state.parse(label))
        after[label] = state
    assert after["U"].view(1) == after["M"].view(1)
    assert after["U"].view(1) != after["D"].view(1)
    assert expected(after["U"], {}) == [1, 1.5]
    assert expected(after["M"], {}) == [1, 1.5]


def expected(state: kb.State, plan: dict[str, str]) -> list[float]:
    """Payoffs if everybody plays uniformly, except where the plan fixes the move of a node."""
    if state.player == kb.TERMINAL:
        return list(state.returns())
    if state.player == kb.CHANCE:
        moves = state.outcomes()
    else:
        moves = [(a, 1 / len(state.legal())) for a in state.legal()]
        fixed = plan.get(str(state).splitlines()[0].removeprefix("node: "))
        if fixed is not None:
            moves = [(state.parse(fixed), 1.0)]
    total: list[float] = []
    for action, probability in moves:
        below = state.copy()
        below.apply(action)
        values = [probability * x for x in expected(below, plan)]
        total = values if not total else [a + b for a, b in zip(total, values, strict=True)]
    return total


def test_dl4g_11_strategy_fusion_a1_is_worth_0_and_1_with_full_knowledge() -> None:
    root = kb.game("tree", example="strategy_fusion").root()
    assert expected(root, {"x": "a2", "y": "a2"}) == [0.5]
    for answer in ("b1", "b2"):
        assert expected(root, {"x": "a1", "y": "a1", "z1": answer, "z2": answer}) == [0]
    assert expected(root, {"x": "a1", "y": "a1", "z1": "b1", "z2": "b2"}) == [1]


@pytest.mark.requirement("NF-1", "NF-2")
def test_rock_paper_scissors_uniform_play_and_every_deviation() -> None:
    for name, value in (("rps_hidden", 0.0), ("rps_general_sum", 1 / 3)):
        game = kb.game("tree", example=name)
        assert game.info.hidden
        assert expected(game.root(), {}) == pytest.approx([value, value])
        for label in ("rock", "paper", "scissors"):
            assert expected(game.root(), {"root": label})[0] == pytest.approx(value)
            otto = dict.fromkeys(("rock", "paper", "scissors"), label)
            assert expected(game.root(), otto)[1] == pytest.approx(value)


def test_default_is_an_example_and_unknown_examples_are_named() -> None:
    assert kb.game("tree").info.title == kb.game("tree", example=tree.DEFAULT_EXAMPLE).info.title
    with pytest.raises(UnknownName, match="strategy_fusion"):
        kb.game("tree", example="fission")
    with pytest.raises(ParameterError, match="only one"):
        kb.game("tree", example="strategy_fusion", file="x.json")
    with pytest.raises(ParameterError, match="exmaple"):
        kb.game("tree", exmaple="strategy_fusion")


# --- The validator ----------------------------------------------------------------------------------------------------


@pytest.mark.requirement("DL-22")
def test_rejects_a_set_with_different_actions() -> None:
    bad = of(
        decision(
            "A",
            {
                "l": decision("B", {"x": END, "y": END}, set="s", name="left"),
                "r": decision("B", {"x": END}, set="s", name="right"),
            },
        )
    )
    with pytest.raises(TreeError, match="'left' and 'right' of information set 's' do not offer the same actions"):
        tree.check_tree(bad)
    with pytest.raises(TreeError, match="'left' and 'right'"):
        kb.game("tree", tree=bad)


@pytest.mark.requirement("DL-22")
def test_rejects_imperfect_recall() -> None:
    forgets = of(decision("A", {m: decision("A", {"x": END, "y": END}, set="s") for m in "lr"}))
    with pytest.raises(TreeError, match="'l' and 'r' of information set 's' follow different own moves"):
        tree.check_tree(forgets)
    absent = of(decision("A", {"x": decision("A", {"x": END, "y": END}, set="s"), "y": END}, set="s"))
    with pytest.raises(TreeError, match="'root' and 'x' of information set 's'"):
        tree.check_tree(absent)


@pytest.mark.requirement("DL-22")
def test_rejects_a_set_of_two_players() -> None:
    bad = of(decision("A", {"x": decision("B", {"x": END, "y": END}, set="s"), "y": END}, set="s"))
    with pytest.raises(TreeError, match="different players: A and B"):
        tree.check_tree(bad)


@pytest.mark.requirement("DL-22")
def test_accepts_kuhn_and_leduc() -> None:
    kuhn = tree.unroll(kb.game("kuhn"))
    fields = tree.to_fields(kuhn)
    assert len(fields["nodes"]) == 58
    assert len(fields["set_names"]) == 12
    leduc = tree.to_fields(tree.unroll(kb.game("leduc")))
    assert len(leduc["nodes"]) == 9457
    assert len(leduc["set_names"]) == 936
    assert kb.game("tree", tree=kuhn).info.max_length == 5


def test_unroll_keeps_a_game_with_perfect_information_perfect() -> None:
    game = kb.game("tree", tree=tree.unroll(kb.game("nim", heaps=[1, 2])))
    assert not game.info.hidden
    values, _ = induction(game.root())
    assert values == induction(kb.game("nim", heaps=[1, 2]).root())[0]


def test_unroll_says_when_a_game_is_too_large() -> None:
    with pytest.raises(LimitError, match="at most 500 nodes"):
        tree.unroll(kb.game("tic_tac_toe"), limit=500)


def test_an_unrolled_game_plays_like_the_game() -> None:
    game, twin = kb.game("kuhn"), kb.game("tree", tree=tree.unroll(kb.game("kuhn")))
    assert twin.info.utility == game.info.utility
    rng = random.Random(3)
    for _ in range(100):
        a, b = game.root(), twin.root()
        while a.player != kb.TERMINAL:
            assert b.player == a.player
            assert [b.name(x) for x in b.legal()] == [a.name(x) for x in a.legal()]
            name = a.name(rng.choice(a.legal()))
            a.apply(a.parse(name))
            b.apply(b.parse(name))
        assert b.returns() == a.returns()


# --- The readable form ------------------------------------------------------------------------------------------------


def test_parse_tree_fills_in_and_is_stable() -> None:
    given = of(decision(0, {"x": {"payoffs": ["1/3", "-0.5"]}, "y": {"payoffs": [1, 2]}}))
    once = tree.parse_tree(given)
    assert once["root"]["player"] == "A"
    assert once["root"]["set"] == "root"
    assert once["root"]["actions"]["x"] == {"name": "x", "payoffs": [1 / 3, -0.5]}
    assert tree.parse_tree(once) == once
    assert tree.parse_tree(json.dumps(once)) == once


def test_actions_of_a_set_take_the_order_of_its_first_node() -> None:
    given = of(
        decision(
            "A",
            {
                "l": decision("B", {"x": {"payoffs": [1, 0]}, "y": END}, set="s"),
                "r": decision("B", {"y": END, "x": {"payoffs": [2, 0]}}, set="s"),
            },
        )
    )
    state = kb.game("tree", tree=given).root()
    state.apply(state.parse("r"))
    state.apply(0)
    assert state.returns() == [2, 0]


def test_a_node_without_a_set_is_alone_even_if_its_name_is_taken() -> None:
    given = of(
        decision(
            "A",
            {
                "l": decision("B", {"x": END, "y": END}),
                "r": decision("B", {"x": END, "y": END}, set="l"),
            },
        )
    )
    assert not kb.game("tree", tree=given).info.hidden


@pytest.mark.parametrize(
    ("root", "message"),
    [
        ([], "node 'root': expected an object"),
        ({}, "exactly one of actions, chance and payoffs"),
        ({"payoffs": [0, 0], "actions": {}}, "exactly one"),
        ({"payoffs": [0, 0], "pay": 1}, "unknown field 'pay'"),
        ({"payoffs": [0]}, "node 'root': payoffs: expected 2 numbers"),
        ({"payoffs": [0, True]}, "expected a number"),
        ({"payoffs": [0, "1/0"]}, "expected a number"),
        ({"payoffs": [0, "1e99999999999"]}, "expected a number"),
        ({"payoffs": [0, float("nan")]}, "expected a number between"),
        ({"payoffs": [0, 10**400]}, "expected a number between"),
        (decision("C", {"x": END}), "player: expected one of A, B"),
        (decision(2, {"x": END}), "player: expected one of A, B"),
        (decision(True, {"x": END}), "player: expected one of A, B"),
        (decision("A", {}), "at least one move"),
        (decision("A", {"": END}), "a move needs a name"),
        (decision("A", {" x": END}), "a move needs a name"),
        (decision("A", {"x": END}, set=3), "set: expected text"),
        (decision("A", {"x": decision("A", {"y": 7})}), "node 'x/y': expected an object"),
        ({"chance": []}, "at least one outcome"),
        ({"chance": [{"name": "h", "node": END}]}, "name, probability and node"),
        ({"chance": [{"name": "h", "probability": 0.5, "node": END}]}, "node 'root': probabilities must add up to 1"),
        ({"chance": [{"name": "h", "probability": -0.5, "node": END}]}, "probability of 'h': expected 0 to 1"),
        ({"chance": [{"name": "h", "probability": "-1/2", "node": END}]}, "probability of 'h'"),
    ],
)
def test_impossible_trees_are_refused_with_the_node(root: Any, message: str) -> None:
    with pytest.raises(TreeError) as caught:
        kb.game("tree", tree=of(root))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"players": ["A"]},
        {"players": [], "root": END},
        {"players": ["A", "A"], "root": END},
        {"players": ["A", ""], "root": END},
        {"players": [f"p{i}" for i in range(11)], "root": END},
        {"players": "AB", "root": END},
        {"players": ["A", "B"], "root": END, "title": 3},
        {"players": ["A", "B"], "root": END, "author": "x"},
        "",
        "tree",
        "[]",
        '{"players": ["A"], "root": {"payoffs": [1]}',
        '{"players": ["A"], "root": {"player": 0, "actions": {"x": {"payoffs": [1]}, "x": {"payoffs": [2]}}}}',
        '{"players": ["A"], "root": {"payoffs": [' + "9" * 5000 + "]}}",
        '{"players": ["A"], "root": {"payoffs": [NaN]}}',
        7,
    ],
)
def test_anything_but_a_tree_is_refused(given: Any) -> None:
    with pytest.raises(TreeError):
        kb.game("tree", tree=given)


def chain(length: int) -> dict[str, Any]:
    node: dict[str, Any] = dict(END)
    for _ in range(length):
        node = {"chance": [{"name": "on", "probability": 1, "node": node}]}
    return of(node)


def test_depth_and_size_have_limits_with_names(monkeypatch: pytest.MonkeyPatch) -> None:
    deepest = chain(tree.MAX_DEPTH)
    assert kb.game("tree", tree=deepest).info.max_length == tree.MAX_DEPTH
    assert tree.parse_tree(json.dumps(deepest)) == tree.parse_tree(deepest)
    for deep in (chain(tree.MAX_DEPTH + 1), chain(100_000)):
        with pytest.raises(LimitError, match="at most 200 moves"):
            tree.parse_tree(deep)
    with pytest.raises(LimitError, match="nested too deeply"):
        tree.parse_tree('{"root":' * 100_000)
    loop: dict[str, Any] = {"player": 0, "actions": {}}
    loop["actions"]["again"] = loop
    with pytest.raises(LimitError):
        tree.parse_tree(of(loop))
    monkeypatch.setattr(tree.form, "MAX_NODES", 10_000)
    wide: dict[str, Any] = dict(END)
    for _ in range(25):  # 2^25 nodes from 25 objects
        wide = decision("A", {"x": wide, "y": wide})
    with pytest.raises(LimitError, match="nodes"):
        tree.parse_tree(of(wide))


# --- Files ------------------------------------------------------------------------------------------------------------


def test_files_are_told_apart_by_content(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(KUHN_LIKE)
    (tmp_path / "b.txt").write_text("\ufeff" + json.dumps(of(END)), encoding="utf-8")
    assert kb.game("tree", file=tmp_path / "a.txt").info.players == 2
    assert kb.game("tree", file=str(tmp_path / "b.txt")).root().player == kb.TERMINAL


def test_unreadable_files_are_refused_with_their_name(tmp_path: Path) -> None:
    with pytest.raises(TreeError, match=r"missing\.efg: cannot be read"):
        kb.game("tree", file=tmp_path / "missing.efg")
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(TreeError, match=r"bytes\.json: expected text in UTF-8"):
        kb.game("tree", file=tmp_path / "bytes.json")
    (tmp_path / "x.json").write_text("{")
    with pytest.raises(TreeError, match=r"x\.json: not JSON: .* line 1"):
        kb.game("tree", file=tmp_path / "x.json")
    with pytest.raises(TreeError):
        kb.game("tree", file=tmp_path)
    with pytest.raises(ParameterError, match="file"):
        kb.game("tree", file=3)


# --- Gambit -----------------------------------------------------------------------------------------------------------


def test_efg_hand_written_file() -> None:
    loaded = tree.parse_tree(KUHN_LIKE)
    assert loaded["title"] == 'Two cards "by hand"'
    assert loaded["description"] == "Anna sees her card; Otto does not."
    fields = tree.to_fields(loaded)
    assert fields["set_names"] == ["Anna high", "Anna low", "Otto"]
    assert fields["chances"][1] == 1 / 3
    game = kb.game("tree", tree=KUHN_LIKE)
    assert game.info.utility == "zero_sum"
    for path, value in (
        ("high bet call", 2),  # the bet's outcome on the way adds to the payoff
        ("high bet fold", 1),
        ("high pass", 0),
        ("low bet call", -3),
        ("low bet fold", 1),
        ("low pass", 0),
    ):
        state = game.root()
        for move in path.split():
            state.apply(state.parse(move))
        assert state.returns() == [value, -value]


def test_efg_round_trips() -> None:
    sources = [tree.parse_tree(KUHN_LIKE), tree.unroll(kb.game("kuhn"))]
    sources += [tree.load_example(name) for name in tree.list_examples()]
    for source in sources:
        again = tree.parse_tree(efg.to_efg(source))
        assert again == json.loads(json.dumps(source).replace('\\"', "''"))  # OpenSpiel knows no escapes
        assert efg.to_efg(again) == efg.to_efg(source)


def test_efg_quotes_and_odd_names_survive() -> None:
    source = tree.parse_tree(
        {
            "title": 'a "b" \\ c',
            "description": "two\nlines",
            "players": ["Ä", "x y"],
            "root": decision(1, {'say "no"': END, "{,}": {"payoffs": ["1/3", -1e-9]}}),
        }
    )
    written = efg.to_efg(source)
    assert '\\"' not in written  # OpenSpiel knows no escapes
    again = tree.parse_tree(written)
    assert (again["title"], list(again["root"]["actions"])) == ("a ''b'' \\ c", ["say ''no''", "{,}"])
    assert again["root"]["actions"]["{,}"] == source["root"]["actions"]["{,}"]
    assert efg.to_efg(again) == written


CHANCE_FILE = """
EFG 2 R "Odd but allowed" { "A" "B" }
c "" 1 "" { "x" 0 "x" 1/2 "y" 0.5 "x (2)" 0 } 0
p "" 1 1 "" { "l" "r" } 0 t "" 1 "" { 1000000000000000000 -1000000000000000000 } t "" 1
p "" 1 2 "" { "l" "r" } 0 t "" 2 "" { 1 2 } t "" 3 "" { 3, 4 }
t "" 4 "" { 10000000000000/3 0 }
t "" 0
"""


def test_chance_may_repeat_labels_and_have_probability_zero() -> None:
    loaded = tree.parse_tree(CHANCE_FILE)
    assert [outcome["name"] for outcome in loaded["root"]["chance"]] == ["x", "x (3)", "y", "x (2)"]
    assert tree.parse_tree(efg.to_efg(loaded)) == loaded
    game = kb.game("tree", tree=loaded)
    root = game.root()
    assert root.outcomes() == [(1, 0.5), (2, 0.5)]
    assert [root.parse(root.name(action)) for action in root.legal()] == root.legal()
    with pytest.raises(IllegalAction):
        root.apply(0)
    assert {tuple(game.new(seed=seed).history) for seed in range(30)} == {(1,), (2,)}
    policy = kb.solve.solve(game, "backward_induction")
    assert len(policy) == 1  # what never happens needs no plan
    assert kb.solve.expected_value(game, policy) == pytest.approx([1e13 / 6 + 1.5, 2])


def test_views_of_what_never_happens_still_have_worlds() -> None:
    hidden = CHANCE_FILE.replace('p "" 1 2', 'p "" 1 1')
    game = kb.game("tree", tree=hidden)
    assert game.info.hidden
    state = game.load({"node": 1})
    assert all(world.position() == {"node": 2} for world in state.view(0).worlds(20))
    assert {world.position()["node"] for world in game.load({"node": 5}).view(1).worlds(20)} <= set(range(20))


def test_efg_unnamed_moves_sets_and_players_get_names() -> None:
    text = 'EFG 2 R "" { "" "" } p "" 1 1 { "" "" } 0 p "" 2 1 "" {"" ""} 0 t "" 1 {1 2} t "" 1 t "" 1'
    loaded = tree.parse_tree(text)
    assert loaded["players"] == ["Player 1", "Player 2"]
    assert list(loaded["root"]["actions"]) == ["1", "2"]
    assert loaded["root"]["set"] == "Player 1: 1"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('EFG 1 R "x" { "A" } t "" 0', "line 1: expected version 2"),
        ('EFG 2 X "x" { "A" } t "" 0', "line 1: expected R"),
        ("EFG 2 R x", "title in quotation marks"),
        ('EFG 2 R "x" { }', "1 to 10 players"),
        ('EFG 2 R "x" { "A" ', "} behind the names of the players"),
        ('EFG 2 R "x" { "A" }', "line 1, node 'root': the file ends inside the tree"),
        ('EFG 2 R "x" { "A" }\n\nq "" 0', "line 3, node 'root': expected a node: c, p or t"),
        ('EFG 2 R "x" { "A" } t "end', "a quotation mark without its partner"),
        ('EFG 2 R "x" { "A" } t "end"', "node 'end': expected the number of an outcome"),
        ('EFG 2 R "x" { "A" } t "" 5', "outcome 5 has no payoffs"),
        ('EFG 2 R "x" { "A" } t "" 1 "" { 1 2 }', "expected 1 payoffs, got 2"),
        ('EFG 2 R "x" { "A" } t "" 1 "" { one }', "a payoff: expected a number"),
        ('EFG 2 R "x" { "A" } t "" 1 "" { 1/0 }', "a payoff: expected a number"),
        ('EFG 2 R "x" { "A" } t "" 0 "" { 1 }', "outcome 0"),
        ('EFG 2 R "x" { "A" } t "" 1 "" { 1 } t "" 1', "the tree is complete"),
        ('EFG 2 R "x" { "A" } p "" 2 1 "" { "a" } 0 t "" 0', "number of a player (1 to 1)"),
        ('EFG 2 R "x" { "A" } p "" 1 1 0 t "" 0', "information set 1 has no actions"),
        ('EFG 2 R "x" { "A" } p "" 1 1 "" { } 0', "at least one action"),
        ('EFG 2 R "x" { "A" } p "" 1 1 "" { "a" "a" } 0 t "" 0 t "" 0', "two moves are called 'a'"),
        (f'EFG 2 R "x" {{ "A" }} p "" 1 1 "" {{ {MANY} "a" "a" }} 0', "two moves are called 'a'"),  # in no time
        (
            'EFG 2 R "x" { "A" "B" } p "" 1 1 "" { "a" "b" } 0\np "n" 2 1 "s" { "x" "y" } 0 t "" 0 t "" 0\n'
            'p "m" 2 1 "s" { "x" } 0 t "" 0',
            "line 3, node 'm': information set 1 of player 2 had other actions in line 2",
        ),
        ('EFG 2 R "x" { "A" } c "" 1 "" { "h" 1/2 "t" } 0', "a probability"),
        ('EFG 2 R "x" { "A" } c "n" 1 "" { "h" 1/2 "t" 1/3 } 0 t "" 0 t "" 0', "node 'n': probabilities must add up"),
        ('EFG 2 R "x" { "A" } p "n" 1 1 "" { "a" "b" } 0 t "" 0', "the file ends inside the tree"),
        (
            'EFG 2 R "x" { "A" } p "n" 1 1 "" { "a" "b" } 0 p "m" 1 1 0 t "" 0 t "" 0 t "" 0',
            "nodes 'n' and 'm' of information set 'A: 1' follow different own moves",
        ),
        ('EFG 2 R "x" { "A" } c "" 1 "" { "h" 1 } 0 ' * 2, "expected a node"),
        ('HFG 1 R "x" { "A" }', "begins with EFG or NFG"),
    ],
)
def test_broken_efg_files_are_refused_with_line_and_node(text: str, message: str) -> None:
    with pytest.raises(TreeError) as caught:
        kb.game("tree", tree=text)
    assert message in str(caught.value)


def test_efg_deep_files_meet_the_limit() -> None:
    deep = 'EFG 2 R "x" { "A" } ' + 'c "" 1 "" { "h" 1 } 0 ' * 50_000
    with pytest.raises(LimitError, match="moves from the root"):
        tree.parse_tree(deep)


def test_random_damage_never_raises_anything_unnamed() -> None:
    rng = random.Random(7)
    sources = [KUHN_LIKE, json.dumps(tree.load_example("strategy_fusion"))]
    for _ in range(1000):
        text = list(rng.choice(sources))
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(text))
            text[at : at + rng.randint(0, 3)] = rng.choice(
                ['"', "{", "}", "0", "-1", "p", "", ",", "\n", "/", "\\", "[", "1e9"]
            )
        try:
            game = kb.game("tree", tree="".join(text))
        except Error:
            continue
        state = game.new(seed=1)
        while state.player != kb.TERMINAL:
            state.apply(rng.choice(state.legal()))
        assert len(state.returns()) == game.info.players
