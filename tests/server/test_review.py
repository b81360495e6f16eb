"""The review after a game: losses, the worst mistakes in words, the curve, and how it is cancelled."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kiebitz as kb
from kiebitz import records
from kiebitz.agents import PlainActionValue, PlainAnalysis
from kiebitz.agents.review import Decision, best_of, loss_of
from kiebitz.errors import ParameterError
from kiebitz.games import declaration_of
from kiebitz.games.doppelkopf.review import game_of, trick_of
from kiebitz.records import Record, RecordError
from kiebitz.server.catalogue import offered
from kiebitz.server.review import CancelledError, review, worst_of
from tests.server.test_replays import played

FIELDS = {
    *("ply", "seat", "decision", "place", "played", "best", "good", "value", "best_value", "outcome", "best_outcome"),
    *("lost", "error", "status", "worlds", "mistake", "forced", "options"),
}


@pytest.fixture(scope="module", params=offered())
def reviewed(request: pytest.FixtureRequest) -> tuple[Record, dict[str, Any]]:
    record = played(request.param, 6)
    return record, review(record, "quick")


def test_every_decision_is_there_with_all_fields(reviewed: tuple[Record, dict[str, Any]]) -> None:
    record, found = reviewed
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert found["decisions"]
    plies = [decision["ply"] for decision in found["decisions"]]
    assert plies == sorted(set(plies))
    for decision in found["decisions"]:
        assert set(decision) == FIELDS
        assert decision["played"] == record.actions[decision["ply"]][1]
        state = records.replay(record, decision["ply"])
        assert decision["seat"] == state.player
        assert decision["place"] == declaration_of(state.game).facts.place(state.view(state.player))
        assert decision["lost"] is None or decision["lost"] >= 0
        assert set(decision["good"]) <= {state.name(action) for action in state.legal()}
        assert bool(decision["options"]) == decision["mistake"]
        if decision["mistake"]:
            assert decision["lost"] > 2 * decision["error"]
            assert declaration_of(state.game).words.unit(state.game).counts(decision["lost"])
            assert decision["played"] != decision["best"]
            assert decision["best"] in decision["good"]
            assert decision["played"] not in decision["good"]
            assert [option["action"] for option in decision["options"]] == state.legal()
            assert [option["name"] for option in decision["options"] if option["best"]] == decision["good"]
            assert not any(option["best"] and option["mistake"] for option in decision["options"])


def test_the_worst_are_mistakes_the_worst_first_and_each_has_a_text(reviewed: tuple[Record, dict[str, Any]]) -> None:
    _, found = reviewed
    worst = [found["decisions"][place] for place in found["worst"]]
    assert len(worst) <= 3
    assert all(decision["mistake"] for decision in worst)
    losses = [decision["lost"] for decision in worst]
    assert losses == sorted(losses, reverse=True)
    mistakes = sorted((d["lost"] for d in found["decisions"] if d["mistake"]), reverse=True)
    assert losses == mistakes[:3]
    for language in ("en", "de"):
        assert len(found["words"][language]) == len(worst)
        for text, decision in zip(found["words"][language], worst, strict=True):
            assert f"P{decision['seat']}" in text
            assert text.endswith(".")
            assert "  " not in text
    assert found["words"]["en"] != found["words"]["de"] or not worst


def test_players_sum_up_their_decisions(reviewed: tuple[Record, dict[str, Any]]) -> None:
    record, found = reviewed
    players = records.replay(record).game.info.players
    assert [player["seat"] for player in found["players"]] == list(range(players))
    for player in found["players"]:
        own = [d for d in found["decisions"] if d["seat"] == player["seat"] and not d["forced"]]
        assert player["decisions"] == len(own)
        assert player["mistakes"] == sum(d["mistake"] for d in own)
        assert player["lost"] == pytest.approx(sum(d["lost"] or 0.0 for d in own))


def test_the_curve_ends_with_what_everybody_got(reviewed: tuple[Record, dict[str, Any]]) -> None:
    record, found = reviewed
    state = records.replay(record)
    info = state.game.info
    plies = [point["ply"] for point in found["curve"]]
    assert plies == sorted(plies)
    assert all(info.min_payoff - 1e-6 <= point["value"] <= info.max_payoff + 1e-6 for point in found["curve"])
    last = [point["value"] for point in found["curve"] if point["ply"] == len(record.actions)]
    assert last == state.returns()
    if not info.hidden:  # both sides of the same coin
        first = [point["value"] for point in found["curve"] if point["ply"] == plies[0]]
        assert sum(first) == pytest.approx(0.0)


def test_doppelkopf_names_the_better_card_the_worlds_and_the_trick() -> None:
    for seed in range(6, 20):
        found = review(played("doppelkopf", seed), "quick")
        cards = [text for text in found["words"]["en"] if "takes this trick" in text]
        if cards:
            break
    pattern = (
        r"Trick \d+: P\d chose \S+; \S+ would have been better by \d+\.\d( ± \d+\.\d)? points, "
        r"compared in \d+ worlds\. "
        r"With \S+ the side of P\d takes this trick in \d+ % of the worlds, with \S+ in \d+ %; "
        r"it then goes to P\d most often \(\d+ %\)\."
    )
    assert re.fullmatch(pattern, cards[0])
    german = found["words"]["de"][found["words"]["en"].index(cards[0])]
    assert re.match(r"Stich \d+: P\d wählte \S+; \S+ wäre um \d+,\d", german)


def test_tic_tac_toe_says_that_a_win_was_missed() -> None:
    state = kb.game("tic_tac_toe").new()
    for move in ("a1", "a2", "b1", "b2", "c3"):
        state.apply(state.parse(move))
    found = review(records.record_of(state, ["Ada", "Bob"]), "quick")
    place = found["worst"][0]
    assert (found["decisions"][place]["played"], found["decisions"][place]["best"]) == ("c3", "c1")
    assert found["words"]["en"][0] == (
        "Move 5: Ada chose c3; c1 would have been better by 100 percentage points of winning chance. "
        "c1 wins by force, c3 loses by force. Best line: c1."
    )
    assert "gewinnt" in found["words"]["de"][0]


def test_kuhn_compares_with_balanced_play_in_chips() -> None:
    state = kb.game("kuhn").deal(["J", "K"], start=0)
    for move in ("bet", "pass"):  # folding a king
        state.apply(state.parse(move))
    found = review(records.record_of(state), "quick")
    assert found["words"]["en"][0].startswith("Move 2: Seat 2 chose fold; call would have been better by 3.00 chips.")
    assert "Balanced play is call in 100 % and fold in 0 %" in found["words"]["en"][0]
    assert "Platz 2 wählte aussteigen; mitgehen wäre um 3,00 Chips besser gewesen." in found["words"]["de"][0]


def test_kuhn_says_check_where_nobody_has_bet() -> None:
    state = kb.game("kuhn").deal(["J", "K"], start=0)
    for move in ("pass", "pass"):  # not betting a king
        state.apply(state.parse(move))
    found = review(records.record_of(state), "quick")
    assert found["words"]["en"][0].startswith("Move 2: Seat 2 chose check; bet would have been better by ")
    assert found["words"]["de"][0].startswith("Zug 2: Platz 2 wählte schieben; setzen wäre um ")


def test_nim_is_reviewed_in_the_words_of_the_log() -> None:
    state = kb.game("nim", heaps=[1, 2]).new()
    for move in ("2:2", "1:1"):
        state.apply(state.parse(move))
    found = review(records.record_of(state, ["Ada", "Bob"]), "quick")
    assert found["words"]["en"][0] == (
        "Move 1: Ada chose 2 from heap 2; 1 from heap 2 would have been better by 100 percentage points of winning "
        "chance. 1 from heap 2 wins by force, 2 from heap 2 loses by force. "
        "Best line: 1 from heap 2, 1 from heap 1, 1 from heap 2."
    )
    assert found["words"]["de"][0].startswith("Zug 1: Ada wählte 2 von Haufen 2; 1 von Haufen 2 wäre um 100")


def test_a_good_game_has_no_mistakes() -> None:
    game = kb.game("tic_tac_toe")
    state = game.new()
    agent = kb.agent("alphabeta(depth=9)", game)
    while state.player >= 0:
        state.apply(agent.act(state.view(state.player)))
    found = review(records.record_of(state), "quick")
    assert found["worst"] == []
    assert found["words"] == {"en": [], "de": []}
    assert all(player["lost"] == 0 for player in found["players"])


def test_all_options_of_equal_value_are_best_and_none_in_a_lost_position() -> None:
    state = kb.game("tic_tac_toe").new()
    for move in ("b2", "b1", "a1", "c3", "a3"):  # a corner is needed against the centre; then x has two threats
        state.apply(state.parse(move))
    found = review(records.record_of(state), "quick")["decisions"]
    assert len(found[0]["good"]) == 9
    assert found[1]["good"] == ["a1", "c1", "a3", "c3"]
    assert found[1]["mistake"]
    assert (found[1]["outcome"], found[1]["best_outcome"]) == ("lost", "drawn")
    assert (found[3]["good"], found[3]["mistake"]) == ([], False)


def test_small_losses_are_not_mistakes() -> None:
    state = kb.game("doppelkopf").new(seed=7)
    view = state.view(state.player)
    actions = [PlainActionValue(action, view.name(action), 9, value, 0.001) for action, value in ((24, 1.0), (25, 0.9))]
    found = PlainAnalysis("test", view.player, 24, view.name(24), 1.0, actions, iterations=18)
    loss = loss_of(found, 25)
    assert loss.mistake  # more than chance explains
    assert not Decision(0, view, 25, found, loss).mistake  # but a tenth of a point
    assert best_of(found, state.game) == [24]


def test_a_call_that_falls_is_said_to_fall() -> None:
    state = kb.game("doppelkopf").new(seed=7)
    while state.phase == "reservation":
        state.apply(state.parse("healthy"))
    view = state.view(state.player)
    call = next(action for action in view.legal() if view.kind(action) == "announcement")
    words = declaration_of(state.game).words
    for chosen, best, english, german in (
        (call, view.parse("pass"), "falls", "platzt"),
        (view.parse("pass"), call, "stands", "hält"),
    ):
        reason = words.reason(view, chosen, best)
        assert reason is not None
        assert re.fullmatch(rf"(Re|Kontra) {english} in \d+ % of the worlds\.", reason([], "en"))
        assert re.fullmatch(rf"(Re|Kontra) {german} in \d+ % der Welten\.", reason([], "de"))


def test_oware_speaks_of_seeds_or_of_the_win_never_of_both() -> None:
    unit = declaration_of(kb.game("oware")).words.unit(kb.game("oware"))
    assert unit.name == {"en": "seeds", "de": "Samen"}
    found = review(played("oware", 6), "quick")
    for decision, text in zip(
        (found["decisions"][place] for place in found["worst"]), found["words"]["en"], strict=True
    ):
        ends = decision["outcome"] or decision["best_outcome"]
        assert ("seeds" in text) != bool(ends)
        assert "percentage" not in text


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 10)), max_size=20))
def test_the_worst_are_at_most_three_mistakes(rows: list[tuple[bool, float]]) -> None:
    table = [{"mistake": mistake, "lost": lost} for mistake, lost in rows]
    found = worst_of(table)
    assert len(found) == min(3, sum(mistake for mistake, _ in rows))
    assert all(rows[place][0] for place in found)
    rest = [lost for place, (mistake, lost) in enumerate(rows) if mistake and place not in found]
    assert not rest or max(rest) <= min(rows[place][1] for place in found)


# --- Progress and what is refused -------------------------------------------------------------------------------------


def test_progress_rises_to_one_and_more_effort_looks_at_more_worlds() -> None:
    heard: list[float] = []
    record = played("doppelkopf", 2)
    short = Record(record.game, record.actions[:58], record.seats)
    found = review(short, "quick", progress=heard.append)
    assert heard == sorted(heard)
    assert heard[-1] == 1.0
    assert found["curve"][-1]["ply"] < 58  # the game was not finished: nobody got anything yet
    more = review(short, "normal")
    assert max(d["worlds"] for d in more["decisions"]) > max(d["worlds"] for d in found["decisions"])


def test_a_review_is_cancelled_at_once() -> None:
    stop = kb.StopToken()
    stop.request()
    with pytest.raises(CancelledError):
        review(played("doppelkopf", 2), "deep", stop)


def test_bad_records_and_efforts_are_refused() -> None:
    with pytest.raises(ParameterError, match="quick, normal, deep"):
        review(played("nim", 1), "utmost")
    with pytest.raises(RecordError):
        review(Record({"name": "tree"}), "quick")
    empty = review(Record(kb.game("nim").to_json()), "quick")
    assert (empty["decisions"], empty["worst"], empty["curve"]) == ([], [], [])


def test_a_trump_that_nobody_can_beat_takes_the_trick() -> None:
    state = kb.game("doppelkopf").new(seed=7)
    while state.legal()[0] >= 24:
        state.apply(state.parse("healthy") if state.legal()[0] < 33 else state.parse("pass"))
    view = state.view(state.player)
    highest = trick_of(view, view.parse("♥10"))  # both tens of hearts are the highest; the first one wins
    assert (highest.share, highest.taker) == (100.0, (view.observer, 100.0))
    assert highest.worth >= 10
    assert 0.0 <= trick_of(view, view.parse("♣9")).share < 100.0


def test_where_no_trick_decides_the_end_of_the_game_speaks_for_the_better_card() -> None:
    game = kb.game("doppelkopf")
    words, said = declaration_of(game).words, 0
    for seed in range(40):
        state, agent = game.new(seed=seed), kb.agent("random", game, seed=seed)
        while state.phase != "card" or len(state.legal()) < 2:
            state.apply(agent.act(state.view(state.player)))
        view = state.view(state.player)
        best, played = sorted(view.legal()[:2], key=lambda action: -game_of(view, action).eyes)
        reason = words.reason(view, played, best)
        text = "" if reason is None else reason(["Ada", "Ben", "Cleo", "Dan"], "en")
        if "in the end" in text or " wins in " in text:
            better, worse = (int(number) for number in re.findall(r"(?:has|in|with \S+) (\d+)", text))
            assert better > worse, text
            said += 1
    assert said >= 3
