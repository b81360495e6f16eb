"""Endgame tables of Oware through Python: files, refusals, and what the entries say about real games."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kiebitz as kb
from kiebitz._core import OwareEndgame
from kiebitz.games.oware import endgame as oware_table
from kiebitz.games.oware.endgame import build, endgame, path_of, read, write

SEEDS = 6
PRESETS = ("thesis", "abapa")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of its own, and nothing in memory."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(oware_table, "_loaded", {})
    return tmp_path / "kiebitz"


TABLES = {preset: build(kb.game("oware", preset=preset), SEEDS) for preset in PRESETS}


def boards(most: int = SEEDS) -> st.SearchStrategy[list[int]]:
    """Twelve pits with a bounded number of seeds."""
    places = st.lists(st.integers(0, 11), max_size=most)
    return places.map(lambda seeds: [seeds.count(pit) for pit in range(12)])


def lead(state: kb.State, player: int) -> int:
    captured = state.position()["captured"]
    return int(captured[player]) - int(captured[1 - player])


# --- Entries ----------------------------------------------------------------------------------------------------------


@settings(max_examples=300, deadline=None)
@given(boards(), st.sampled_from(PRESETS), st.integers(0, 1))
def test_entries_follow_from_what_the_rules_lead_to(pits: list[int], preset: str, player: int) -> None:
    game, table = kb.game("oware", preset=preset), TABLES[preset]
    entry = table.at(pits)
    assert entry is not None
    low, high, move = entry
    assert -sum(pits) <= low <= high <= sum(pits)
    turned = pits if player == 0 else pits[6:] + pits[:6]
    try:
        state = game.load({"pits": turned, "captured": [0, 0], "player": player})
    except kb.PositionError:
        assert (low, high, move) == (2 * sum(pits[:6]) - sum(pits),) * 2 + (-1,)
        return
    assert table.find(state) == entry
    lows, highs = {}, {}
    for action in state.legal():
        after = state.copy()
        after.apply(action)
        found = table.find(after) or (0, 0, -1)
        lows[action] = lead(after, player) - found[1]
        highs[action] = lead(after, player) - found[0]
    assert low == max(lows.values()) == lows[move]
    assert high == max(highs.values())


@settings(max_examples=100, deadline=None)
@given(boards(), st.sampled_from(PRESETS), st.integers(0, 1), st.randoms(use_true_random=False))
def test_a_player_who_follows_the_table_gets_at_least_what_it_says(
    pits: list[int], preset: str, player: int, random: object
) -> None:
    game, table = kb.game("oware", preset=preset), TABLES[preset]
    try:
        state = game.load({"pits": pits, "captured": [0, 0], "player": 0})
    except kb.PositionError:
        return
    low, high, _ = table.find(state) or (0, 0, 0)
    promised = low if player == 0 else -high
    while state.player != kb.TERMINAL:
        found = table.find(state)
        assert found is not None
        choice: int = random.choice(state.legal())  # type: ignore[attr-defined]
        state.apply(found[2] if state.player == player else choice)
    assert lead(state, player) >= promised


def test_thesis_endings_are_exact_and_some_of_abapa_are_not() -> None:
    """Without a duty to feed nothing goes in circles; with one, a single seed each may."""
    exact = dict.fromkeys(PRESETS, 0)
    for first in range(12):
        for second in range(first, 12):
            pits = [(pit == first) + (pit == second) for pit in range(12)]
            for preset in PRESETS:
                low, high, _ = TABLES[preset].at(pits) or (0, 1, 0)
                exact[preset] += low == high
    assert exact == {"thesis": 78, "abapa": 65}


def test_few_seeds_against_backward_induction() -> None:
    """The solver of the core knows nothing of tables: the whole game from positions with two seeds in play."""
    game = kb.game("oware", preset="thesis", max_plies=60)
    for first in range(0, 12, 2):
        for second in range(12):
            pits = [(pit == first) + (pit == second) for pit in range(12)]
            for captured in ([17, 17], [18, 16], [16, 18]):
                try:
                    state = game.load({"pits": pits, "captured": captured, "player": 0})
                except kb.PositionError:
                    continue
                low, high, _ = TABLES["thesis"].find(state) or (0, 1, 0)
                assert low == high
                total = captured[0] - captured[1] + low
                best = kb.search.AlphaBeta(game, depth=60, order="game").search(state).value
                assert best == (total > 0) - (total < 0)


# --- Files ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", PRESETS)
def test_a_table_is_built_once_and_then_read(preset: str, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = kb.game("oware", preset=preset)
    levels: list[int] = []
    table = endgame(game, 4, levels.append)
    assert levels == [0, 1, 2, 3, 4]
    assert endgame(game, 4) is table
    monkeypatch.setattr(oware_table, "_loaded", {})
    monkeypatch.setattr(oware_table, "build", lambda *_: pytest.fail("built again"))
    again = endgame(game, 4)
    assert again.data() == table.data()
    assert [path.name for path in cache.iterdir()] == [path_of(game, 4).name]


def damage_nothing(data: bytes) -> bytes:
    return data


def flip_a_bit(data: bytes) -> bytes:
    return data[:-5] + bytes([data[-5] ^ 1]) + data[-4:]


def cut_the_end(data: bytes) -> bytes:
    return data[:-3]


def keep_nothing(data: bytes) -> bytes:
    return b""


def raise_the_version(data: bytes) -> bytes:
    return data.replace(b'"version": 1', b'"version": 2')


def other_rules(data: bytes) -> bytes:
    return data.replace(b'"must_feed": false', b'"must_feed": true')


@pytest.mark.parametrize("damage", [flip_a_bit, cut_the_end, keep_nothing, raise_the_version, other_rules])
def test_a_broken_or_foreign_file_is_built_anew(damage: object, monkeypatch: pytest.MonkeyPatch) -> None:
    game = kb.game("oware")
    whole = endgame(game, 3).data()
    path = path_of(game, 3)
    good = path.read_bytes()
    path.write_bytes(damage(good))  # type: ignore[operator]
    assert read(path, game, 3) is None
    monkeypatch.setattr(oware_table, "_loaded", {})
    assert endgame(game, 3).data() == whole
    assert path.read_bytes() == good


def test_a_folder_that_cannot_be_written_costs_nothing_but_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    assert endgame(kb.game("oware"), 3).seeds == 3


def test_a_write_that_fails_leaves_the_old_file(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = kb.game("oware")
    table = endgame(game, 3)
    before = path_of(game, 3).read_bytes()

    def full(*_: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="no space"):
        write(path_of(game, 3), table, game)
    assert path_of(game, 3).read_bytes() == before
    assert len(list(cache.iterdir())) == 1


def test_the_file_says_what_it_is() -> None:
    game = kb.game("oware", preset="abapa")
    endgame(game, 3)
    head = json.loads(path_of(game, 3).read_bytes().partition(b"\n")[0])
    assert head["rules"] == {"must_feed": True, "grand_slam": "nothing", "starvation": "mover"}
    assert (head["seeds"], head["entries"]) == (3, 455)


def test_games_that_agree_in_what_matters_share_a_table() -> None:
    assert endgame(kb.game("oware"), 3) is endgame(kb.game("oware", seeds=4, payoff="seeds", repetition=True), 3)
    assert endgame(kb.game("oware"), 3) is not endgame(kb.game("oware", starvation="either"), 3)


def test_the_command_builds_both(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert oware_table.main(["--seeds", "3"]) == 0
    text = capsys.readouterr().out
    assert "thesis: 455 positions with up to 3 seeds" in text
    assert "abapa: 455 positions" in text
    assert len(list(cache.iterdir())) == 2
    assert oware_table.main(["--seeds", "0"]) == 2


# --- Refusals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seeds", [0, 13, True, 2.0])
def test_seeds_out_of_range_are_refused(seeds: int) -> None:
    with pytest.raises(kb.ParameterError, match="seeds: expected 1 to 12"):
        endgame(kb.game("oware"), seeds)


def test_other_games_and_other_rules_are_refused() -> None:
    with pytest.raises(kb.UnsuitableGame, match="expected oware, got nim"):
        endgame(kb.game("nim"))
    with pytest.raises(kb.UnsuitableGame, match="other rules"):
        TABLES["thesis"].find(kb.game("oware", preset="abapa").new())
    with pytest.raises(kb.UnsuitableGame, match="not of connect_four"):
        kb.search.AlphaBeta(kb.game("connect_four"), depth=2, known=TABLES["thesis"])


def test_bad_pits_and_bad_data_are_refused() -> None:
    table = TABLES["thesis"]
    for pits in ([0] * 11, [0] * 11 + [-1], [0] * 11 + [200]):
        with pytest.raises(kb.PositionError, match="twelve numbers"):
            table.at(pits)
    assert table.at([1] * 12) is None
    assert table.find(kb.game("oware").new()) is None
    data = table.data()
    for broken in (data[:-1], data[:-3], b"\x7f" * len(data)):
        with pytest.raises(kb.PositionError, match="endgame table"):
            OwareEndgame(kb.game("oware")).load(broken)
    with pytest.raises(kb.PositionError, match="expected an empty table"):
        table.load(data)
    assert table.data() == data
