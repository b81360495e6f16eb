"""Doppelkopf on the command line: a game, a series, hints, analyses of records, and mistakes named by line and rule."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from tests.cli.test_cli import good, good_json, run
from tests.cli.test_terminal import finish, terminal
from tests.games.doppelkopf.referee import ACTIONS, CARDS, NUMBER

import kiebitz as kb
from kiebitz import records
from kiebitz.agents import PlainActionValue, PlainAnalysis
from kiebitz.cli.analyse import is_record_file
from kiebitz.cli.choosing import read
from kiebitz.cli.tables import ScoreSheet
from kiebitz.cli.terminal_table import TerminalTable
from kiebitz.games.dealing import deal, draws_start
from kiebitz.games.doppelkopf import situation as dk
from kiebitz.games.doppelkopf.drawing import holders_table, points_table

ONES = "1\n" * 200
"""Healthy, every call, and always the first card that may be played."""
NO_CALLS = "healthy\n" + "quiet\n1\n" * 80


def played(tmp_path: Path, *args: str, input: str = ONES) -> tuple[str, list[records.Record]]:
    path = tmp_path / "games.jsonl"
    text = good("play", "doppelkopf", "-a", "random", "--seed", "3", "--record", str(path), *args, input=input)
    return text, list(records.load(path))


# --- One game ---------------------------------------------------------------------------------------------------------


def test_a_whole_game_ends_with_the_score_item_by_item(tmp_path: Path) -> None:
    text, (record,) = played(tmp_path)
    result = records.replay(record).result()
    points = result["points"]
    assert f"Re: {result['eyes_re']} eyes, " in text
    assert f"Kontra: {result['eyes_kontra']} eyes, " in text
    for item in result["items_en"]:
        assert item in text
    last = f"You {points[0]:+d}, Left {points[1]:+d}, Opposite {points[2]:+d}, Right {points[3]:+d}"
    assert last in text
    assert record.seats == ("person", "random", "random", "random")


def test_a_whole_game_in_german(tmp_path: Path) -> None:
    text, (record,) = played(tmp_path, "--language", "de")
    for item in records.replay(record).result()["items_de"]:
        assert item in text
    assert "Hast du einen Vorbehalt?" in text
    assert "deine Karten" in text
    assert "Gegenüber" in text
    assert "your" not in text


def test_seats_are_named_from_where_the_person_sits(tmp_path: Path) -> None:
    text, _ = played(tmp_path, "--seat", "3", input="quit\n")
    for line in ("Opposite (1): random", "Right (2): random", "You (3)", "Left (4): random"):
        assert line in text


@pytest.mark.parametrize("text", ["♥K", "hk", "Herz König", "king of hearts", "1"])
def test_cards_are_read_however_they_are_written(text: str) -> None:
    table = table_of(seed=7, seat=0, moves=("healthy",) * 4)
    play_until_card(table.state, "♥A")
    view = table.state.view(0)
    assert table._read(view, text) == view.parse("♥K")


def test_a_card_that_does_not_follow_is_refused_with_the_rule() -> None:
    table = table_of(seed=7, seat=0, moves=("healthy",) * 4)
    play_until_card(table.state, "♥A")
    message = "'sa' is not possible here; expected ♥K, or help; hearts must be followed"
    with pytest.raises(kb.IllegalAction, match=message):
        table._read(table.state.view(0), "sa")


def table_of(seed: int, seat: int, moves: tuple[str, ...] = ()) -> TerminalTable:
    """A table with one person, at which some moves were made."""
    seats = ["random"] * 4
    seats[seat] = "person"
    table = TerminalTable(kb.game("doppelkopf"), seats, seed, Console(quiet=True))
    for move in moves:
        table.state.apply(table.state.parse(move))
    return table


def play_until_card(state: kb.State, card: str) -> None:
    """Everybody passes, and the card is led."""
    while state.phase == "call":
        state.apply(state.legal()[-1])
    state.apply(state.parse(card))
    while state.phase == "call":
        state.apply(state.legal()[-1])


@pytest.mark.parametrize(
    ("answer", "action"), [("yes", 33), ("j", 33), ("re", 33), ("1", 33), ("no", 38), ("", 38), ("2", 38)]
)
def test_calls_are_answered_with_yes_or_no(answer: str, action: int) -> None:
    table = table_of(seed=7, seat=3, moves=("healthy",) * 4)
    assert table._read(table.state.view(3), answer) == action


def test_quiet_is_not_asked_again_before_somebody_calls(tmp_path: Path) -> None:
    text, (record,) = played(tmp_path, input=NO_CALLS)
    asked = len(re.findall("Do you want to call", text))
    calls = [name for action, name in record.actions[49:] if 33 <= action <= 37]
    assert asked <= len(calls) + 1
    assert records.replay(record).player == kb.TERMINAL


def test_nothing_is_said_about_who_is_asked_or_passes(tmp_path: Path) -> None:
    text, (record,) = played(tmp_path, input=NO_CALLS)
    assert "pass" not in text
    assert "has moved" not in text
    made = [action for action, _ in record.actions[49:]]
    calls = [dk.Call.read(call).seat for call in records.replay(record).view(0).fields()["calls"]]
    lines = re.findall(r"(?:Left|Opposite|Right) +(plays|calls|is healthy|has a reservation)", text)
    assert made.count(38) > 0
    assert lines.count("plays") == 36  # the person's own moves are not told
    assert lines.count("calls") == len(calls) - calls.count(0) > 0
    assert len(lines) == 36 + len(calls) - calls.count(0) + 3


def test_a_bot_asked_in_secret_is_not_named_while_thinking() -> None:
    table = table_of(seed=7, seat=3, moves=("healthy",) * 4)
    table.state.apply(38)  # the person passes; another seat is asked before the person's card
    assert table.state.view(3).player < 0
    assert table._thinking(table.state.player) == "the others are thinking"


def test_hidden_cards_are_not_shown_before_the_end(tmp_path: Path) -> None:
    text, (record,) = played(tmp_path, input="healthy\nquit\n")
    hands = records.replay(record, 49).position()["hands"]
    shown = set(re.findall(r"[♣♠♥♦](?:10|[9JQKA])", text))
    mine = {dk.card_name(card) for card in hands[0].split()}
    assert shown == mine


def test_help_and_score_during_a_game(tmp_path: Path) -> None:
    text, _ = played(tmp_path, input="help\nscore\nmoves\nnonsense\nboard\nundo\nquit\n")
    assert "the number under it" in text
    assert "no game of a series has been finished yet" in text
    assert "2 diamonds solo" in text
    assert "'nonsense' is not possible here; expected healthy, diamonds solo" in text
    assert "cannot be taken back where something is hidden" in text
    assert text.count("your hand") == 2


# --- Hints ------------------------------------------------------------------------------------------------------------

BELIEFS = {
    "deals": 10,
    "cards": {"♣Q": [0.5, 0, 0.25, 0.004], "♥10": [0, 0, 0, 0], "♦A": [0, 1, 0, 0]},
    "re": [0.5, 0.0, 0.25, 0.25],
}


def text_of(thing: Any) -> str:
    console = Console(width=80, color_system=None)
    with console.capture() as capture:
        console.print(thing)
    return "\n".join(line.rstrip() for line in capture.get().rstrip().split("\n"))


def test_likely_holders_of_the_key_cards() -> None:
    now = dk.Situation.of(kb.game("doppelkopf").new(seed=7).view(0))
    assert (
        text_of(holders_table(BELIEFS, now, 0))
        == """\
        Left  Opposite  Right
♣Q         -      25 %   <1 %
♦A     100 %         -      -
is Re      -      25 %   25 %"""
    )


def test_expected_points_per_option() -> None:
    view = kb.game("doppelkopf").new(seed=7).view(3)
    actions = [PlainActionValue(a, view.name(a), 10, float(-a), 0.25) for a in view.legal()[:3]]
    analysis = PlainAnalysis("test", 3, 25, "wedding", actions=actions)
    assert (
        text_of(points_table(analysis, view))
        == """\
→  wedding        −25.00  ± 0.25
   healthy        −24.00  ± 0.25
   diamonds solo  −26.00  ± 0.25"""
    )
    assert text_of(points_table(analysis, view, "de")).startswith("→  Hochzeit  −25,00  ± 0,25")


def test_a_hint_in_a_game(tmp_path: Path) -> None:
    text, _ = played(tmp_path, input="hint\nquit\n")
    assert "expected points for you" in text
    assert re.search(r"→ +\S.* [+-]\d+\.\d\d", text)
    assert "who may hold one more" in text
    assert re.search(r"♣Q +\d+ %", text)


# --- Series -----------------------------------------------------------------------------------------------------------


def test_a_series_rotates_the_start_and_keeps_a_sheet(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    args = ("play", "doppelkopf", "--watch", "-a", "random", "--seed", "5", "--games", "5", "--record", str(path))
    text = good(*args)
    played = list(records.load(path))
    assert [record.actions[0][1] for record in played] == ["seat 0", "seat 1", "seat 2", "seat 3", "seat 0"]
    totals = [0.0] * 4
    for record in played:
        assert record.returns is not None
        totals = [total + value for total, value in zip(totals, record.returns, strict=True)]
    assert sum(totals) == 0
    last = text.rstrip().splitlines()[-1]
    assert [float(number) for number in re.findall(r"([+-]?\d+) \([+-]?\d+\)", last)] == totals
    assert len({json.dumps(record.actions[1:49]) for record in played}) == 5


def test_leaving_a_series_shows_the_sheet(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    args = ("play", "nim", "-p", "heaps=[1]", "-a", "random", "--games", "3", "--record", str(path))
    text = good(*args, input="1:1\n\nscore\nquit\n")
    assert [record.returns for record in records.load(path)] == [(1, -1), None]
    assert "game 2 / 3" in text
    assert text.count("+1 (+1)") == 3  # after the game, when asked for, and when leaving
    assert "good-bye" in text
    between = good(*args, input="1:1\nquit\n")
    assert between.count("+1 (+1)") == 1
    assert "game 2" not in between


def test_a_series_of_any_game(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    args = ("play", "kuhn", "--watch", "-a", "random", "--seed", "1", "-n", "3", "--record", str(path))
    text = good(*args)
    assert "contract" not in text
    assert "start" not in text.splitlines()[-5]
    assert len(list(records.load(path))) == 3
    data = good_json("play", "kuhn", "--watch", "-a", "random", "--seed", "1", "-n", "3")
    assert [record["returns"] for record in data] == [list(r.returns or ()) for r in records.load(path)]


def test_the_first_game_of_a_series_is_the_game_of_its_seed() -> None:
    game = kb.game("doppelkopf")
    assert draws_start(game)
    for seed in range(5):
        hands = game.new(seed=seed).position()["hands"]
        for start in range(4):
            state = deal(game, seed, start)
            assert state.position() == game.deal(hands, start=start).position()


def test_a_sheet_has_running_totals() -> None:
    sheet = ScoreSheet(["You", "Left", "Opposite", "Right"])
    for seed in (1, 2):
        state = kb.game("doppelkopf").new(seed=seed)
        while state.player != kb.TERMINAL:
            state.apply(state.legal()[-1] if state.legal()[0] >= 33 else state.legal()[0])
        sheet.add(state, start=seed % 4)
    assert sheet.totals == [a + b for a, b in zip(sheet.games[0].payoffs, sheet.games[1].payoffs, strict=True)]
    first, second = text_of(sheet.table()).splitlines()[1:]
    assert "normal game" in first
    assert first.split()[1] == "Left"
    assert second.split()[1] == "Opposite"


def test_german_cards_can_be_typed_as_they_are_written() -> None:
    """A queen is a Dame: ♣D is listed, and typed."""
    view = table_of(seed=7, seat=3, moves=("healthy",) * 4 + ("pass",) * 4).state.view(3)
    assert view.name(read(view, "♣d", "de")) == "♣Q"
    with pytest.raises(kb.IllegalAction, match="♣D"):
        read(view, "♣X", "de")


# --- In a terminal ----------------------------------------------------------------------------------------------------


def test_a_game_in_a_terminal() -> None:
    with terminal("play", "doppelkopf", "--seat", "1", "-a", "random", "--seed", "3") as child:
        child.expect("your hand")
        child.expect("your reservation: ")
        child.sendline("gesund")
        while child.expect(["your card: ", "yes or no: "]) == 1:
            child.sendline("nein")
        child.sendline("herz 10")
        child.expect("trick 1: ")
        child.expect(["your card: ", "yes or no: "])
        child.sendline("quit")
        text, code = finish(child)
    assert "good-bye" in text
    assert code == 0


def test_ctrl_c_in_a_series_prints_the_sheet_so_far() -> None:
    with terminal("play", "kuhn", "--seat", "1", "-a", "random", "--seed", "3", "--games", "9") as child:
        while child.expect(["your move: ", "to stop: "]) == 0:
            child.sendline("pass")
        child.sendline("")
        child.expect("your move: ")
        child.sendintr()
        text, code = finish(child)
    assert re.search(r"1 +[+-]\d \([+-]\d\)", re.sub(r"\x1b\[[0-9;]*m", "", text))
    assert "interrupted" in text
    assert "Traceback" not in text
    assert code == 130


# --- Records ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("records") / "games.jsonl"
    args = ("play", "doppelkopf", "--watch", "-a", "random", "--seed", "11", "--games", "2", "--record", str(path))
    assert run(*args).exit_code == 0
    return path


def test_a_record_is_analysed_decision_by_decision(file: Path) -> None:
    data = good_json("analyse", str(file), "-a", "cheat(uct(iterations=40))")
    record = next(records.load(file))
    rows = data["moves"]
    assert [row["ply"] for row in rows] == list(range(49, len(record.actions)))
    assert {row["decision"] for row in rows} == {"reservation", "call", "card"}
    assert [row["trick"] for row in rows if row["decision"] == "card"] == [i // 4 + 1 for i in range(48)]
    for row in rows:
        assert row["lost"] is None or row["lost"] >= 0
        if row["mistake"]:
            assert row["lost"] > 2 * row["error"]
    for summary in data["players"]:
        own = [row for row in rows if row["player"] == summary["player"] and not row["forced"]]
        assert summary["decisions"] == len(own)
        assert summary["mistakes"] == sum(row["mistake"] for row in own)
        assert summary["lost"] == pytest.approx(sum(row["lost"] or 0 for row in own))


def test_the_table_of_an_analysed_record(file: Path) -> None:
    text = good("analyse", str(file), "--number", "2", "-a", "cheat(uct(iterations=40))")
    heading = next(line for line in text.splitlines() if line.startswith("trick"))
    assert heading.split() == ["trick", "seat", "decision", "played", "best", "lost"]
    assert re.search(r"^ +1 +1 +reservation ", text, re.MULTILINE)  # in the second game of a series seat 1 begins
    assert "mistakes" in text
    assert "payoffs: " in text


def test_a_record_file_may_stand_alone_or_after_the_option(file: Path, tmp_path: Path) -> None:
    spec = ("-a", "random", "--ply", "60")
    assert good("analyse", str(file), *spec) == good("analyse", "--record", str(file), *spec)
    tree = tmp_path / "tree.json"
    tree.write_text('{"players": ["A"]}', encoding="utf-8")
    other = tmp_path / "games.json"
    other.write_bytes(file.read_bytes())
    assert [is_record_file(str(path)) for path in (file, tree, other)] == [True, False, True]


def changed(file: Path, **fields: Any) -> str:
    return json.dumps({**next(records.load(file)).to_json(), **fields}) + "\n"


def broken(file: Path, tmp_path: Path, line: str) -> str:
    """The message for a file whose second line is broken."""
    path = tmp_path / "broken.jsonl"
    path.write_text(file.read_text(encoding="utf-8").splitlines()[0] + "\n" + line, encoding="utf-8")
    result = run("analyse", str(path), "--number", "2")
    assert result.exit_code == 2
    assert "Traceback" not in result.output
    return result.stderr


def test_a_record_with_an_illegal_card_names_line_and_rule(file: Path, tmp_path: Path) -> None:
    record = next(records.load(file))
    first = next(ply for ply in range(49, 999) if ACTIONS[record.actions[ply][0]] in CARDS)
    state = records.replay(record, first)
    held = state.position()["hands"][state.player].split()
    card = next(code for code in CARDS if code not in held)
    actions = [list(pair) for pair in record.actions]
    actions[first] = [NUMBER[card], dk.card_name(card)]
    message = broken(file, tmp_path, changed(file, actions=actions))
    where = f"line 2: action {first + 1} of {len(actions)}: "
    assert message.startswith(f"error: {where}seat {state.player} does not hold {actions[first][1]}")
    assert "expected one of" in message


def test_a_record_whose_hands_are_no_deal_names_line_and_rule(file: Path, tmp_path: Path) -> None:
    actions = list(next(records.load(file)).actions)
    seen: list[int] = []
    for ply in range(1, 49):
        if seen.count(actions[ply][0]) == 1:  # a pair is complete: deal a third copy next
            actions[ply + 1] = actions[ply]
            break
        seen.append(actions[ply][0])
    message = broken(file, tmp_path, changed(file, actions=actions))
    assert message.startswith(
        f"error: line 2: action {ply + 2} of {len(actions)}: both {actions[ply][1]} have been dealt"
    )


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"hands": ["CQ CQ"] * 4}, "line 2: start: hands: seat 1 has cards before the seats before it have theirs"),
        ({"cards": "CQ CQ CQ"}, "line 2: start: cards: the card CQ appears three times"),
        ({"calls": ["0:0:re-no90"]}, "line 2: start: calls: "),
    ],
)
def test_a_record_from_an_impossible_position_names_line_and_rule(
    file: Path, tmp_path: Path, fields: dict[str, Any], message: str
) -> None:
    start = {**kb.game("doppelkopf").new(seed=1).position(), **fields}
    assert message in broken(file, tmp_path, changed(file, start=start, actions=[], returns=None, result=None))
