"""Doppelkopf for people: views are read and drawn right, nothing hidden is shown, scores add up."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from rich.console import Console

import kiebitz as kb
from kiebitz.games.declaration import LANGUAGES
from kiebitz.games.doppelkopf import situation as dk
from kiebitz.games.doppelkopf.drawing import draw
from kiebitz.games.doppelkopf.terminal import DoppelkopfTerminal
from kiebitz.games.doppelkopf.words import contract_name, contract_text, explain, news, question, word

HOUSES: list[dict[str, Any]] = [
    {},
    {"second_ten": True},
    {"piglets": True},
    {"piglets": True, "piglets_when_played": True},
    {"nines": False},
]
PASS = 38


def drawn(view: kb.View, you: int | None = None, language: str = "en", width: int = 80) -> str:
    console = Console(file=io.StringIO(), width=width, color_system=None)
    console.print(draw(view, you, "de" if language == "de" else "en"))
    text: str = console.file.getvalue()  # type: ignore[attr-defined]
    return "\n".join(line.rstrip() for line in text.rstrip("\n").split("\n"))


def random_action(state: kb.State, draw: random.Random, solos: float, calls: float) -> int:
    legal = state.legal()
    if state.phase == "call":
        return legal[0] if draw.random() < calls else legal[-1]
    if state.phase == "reservation":
        if draw.random() < solos:
            return draw.choice(legal[1:])
        return draw.choice(legal[:2]) if state.name(legal[1]) == "wedding" else legal[0]
    return draw.choice(legal)


def walk(seed: int, **params: Any) -> Iterator[kb.State]:
    """All states of a random game after the deal, the end included."""
    draw = random.Random(seed)
    state = kb.game("doppelkopf", **params).new(seed=seed)
    solos, calls = draw.choice([(0.0, 0.05), (0.3, 0.1), (0.0, 0.5)])
    while state.player != kb.TERMINAL:
        yield state
        state.apply(random_action(state, draw, solos, calls))
    yield state


# --- Read from a view -------------------------------------------------------------------------------------------------


def test_a_situation_holds_what_the_view_and_its_outline_say() -> None:
    for seed, house in enumerate(HOUSES * 3):
        for step, state in enumerate(walk(seed, **house)):
            view = state.view(step % 4)
            now, fields, outline = dk.Situation.of(view), view.fields(), view.outline()
            assert [" ".join(group) for group in now.hand] == outline["hand"]
            assert [card for trick in now.tricks for _, card in trick.cards] == fields["cards"].split()
            assert [(t.leader, t.taker, t.eyes) for t in now.tricks] == list(
                zip(outline["leaders"], outline["takers"], outline["trick_eyes"], strict=True)
            )
            assert [party or "" for party in now.parties] == outline["parties"]
            assert (now.current is None) == (now.led is None)
            assert now.last is None or sum(now.eyes) >= now.last.eyes
            assert now.phase == fields["phase"]
            assert len(now.calls) == len(fields["calls"])
        final = state.result()
        assert [trick.taker for trick in now.tricks] == final["trick_winners"]
        assert list(now.eyes) == final["eyes_player"]
        assert (now.contract, now.turn, len(now.tricks)) == (final["type"], None, now.size)


def test_options_are_the_legal_actions_in_the_order_of_the_hand() -> None:
    for state in walk(3):
        if state.player == kb.TERMINAL:
            break
        view = state.view(state.player)
        options = dk.options(view)
        assert sorted(options) == view.legal()
        if view.phase == "card":
            hand = [card for group in dk.Situation.of(view).hand for card in group]
            places = [hand.index(dk.CODES[view.name(action)]) for action in options]
            assert places == sorted(places)
        else:
            assert options == view.legal()


# --- Nothing hidden is shown ------------------------------------------------------------------------------------------


def test_a_drawing_depends_on_nothing_but_the_view() -> None:
    for seed in range(12):
        for step, state in enumerate(walk(seed)):
            if step % 12 == seed:
                seat = step % 4
                view = state.view(seat)
                other = view.sample(seed).view(seat)  # other cards, other reservations, other seats asked
                assert drawn(view, seat) == drawn(other, seat)
                assert dk.Situation.of(view) == dk.Situation.of(other)


def test_news_tell_every_public_event_once_and_no_pass() -> None:
    for seed in range(20):
        cards: list[str] = []
        calls = tricks = 0
        before: dk.Situation | None = None
        length = 0
        for state in walk(seed):
            now = dk.Situation.of(state.view(0))
            lines = [] if before is None else news(before, now, None)
            if length and state.history[-1] == PASS:
                assert lines == []
            cards += [line.split()[-1] for line in lines if " plays " in line]
            calls += sum(" calls " in line for line in lines)
            tricks += sum(line.startswith("trick ") for line in lines)
            before, length = now, len(state.history)
        fields = state.view(0).fields()
        assert cards == [dk.card_name(card) for card in fields["cards"].split()]
        assert calls == len(fields["calls"])
        assert tricks == 12


def test_a_reservation_is_not_named_before_all_have_spoken() -> None:
    state = kb.game("doppelkopf").new(seed=7)
    before = dk.Situation.of(state.view(0))
    state.apply(state.parse("solo-jacks"))
    now = dk.Situation.of(state.view(0))
    assert news(before, now, 0) == ["Right     has a reservation"]
    assert "jacks" not in drawn(state.view(0), 0)
    for name in ("solo-hearts", "healthy", "solo-queens"):
        before = dk.Situation.of(state.view(0))
        state.apply(state.parse(name))
    now = dk.Situation.of(state.view(0))
    assert news(before, now, 0) == ["Opposite  has a reservation", "contract: jacks solo (Right)"]
    assert "queens" not in drawn(state.view(0), 0)
    assert "yours: hearts solo" in drawn(state.view(0), 0)


# --- Drawings ---------------------------------------------------------------------------------------------------------


def wedding() -> kb.State:
    state = kb.game("doppelkopf").new(seed=7)
    for name in ("wedding", "healthy", "healthy", "healthy"):
        state.apply(state.parse(name))
    for card in ("♣10", "♣A", "♣10", "♣K"):
        state.apply(state.parse(card))
    state.apply(PASS)
    state.apply(PASS)
    state.apply(state.parse("kontra"))
    while state.legal()[-1] == PASS:
        state.apply(PASS)
    return state


def test_the_table_of_a_person() -> None:
    assert (
        drawn(wedding().view(0), 0)
        == """\
Doppelkopf · wedding (Right, You) · trick 2 of 12

                 party   eyes  called  last trick   trick 2
▸  You (1)       Re        35          ♣A takes 35
   Left (2)      Kontra     0          ♣10
   Opposite (3)  Kontra     0  Kontra  ♣K
   Right (4)     Re         0          ♣10

your hand
  ♦Q ♦J ♦9   ♣A ♣K   ♠A ♠K ♠K ♠9 ♠9   ♥K
  1  2  3    4  5    6  7  7  8  8    9"""
    )


def test_the_table_in_german_and_cards_that_must_follow() -> None:
    state = wedding()
    for card in ("♦J", "♦A"):
        state.apply(state.parse(card))
        while state.legal()[-1] == PASS:
            state.apply(PASS)
    assert (
        drawn(state.view(2), 2, "de")
        == """\
Doppelkopf · Hochzeit (Links, Gegenüber) · Stich 2 von 12

                  Partei  Augen  angesagt  letzter Stich  Stich 2
▸  Du (3)         Kontra      0  Kontra    ♣K
   Links (4)      Re          0            ♣10
   Gegenüber (1)  Re         35            ♣A nimmt 35    ♦B raus, vorn
   Rechts (2)     Kontra      0            ♣10            ♦A

deine Karten
  ♥D ♦D ♣B ♠B ♥B ♦B ♦A ♦10 ♦K   ♠10   ♥K
  1  2  3  4  5  6  7  8   9"""
    )


def test_drawings_fit_into_80_columns() -> None:
    for seed in range(30):
        for step, state in enumerate(walk(seed)):
            if step % 10 == seed % 10:
                for language in LANGUAGES:
                    text = drawn(state.view(0), 0, language, width=200)
                    assert max(map(len, text.splitlines())) <= 80


def test_render_draws_views_and_writes_states() -> None:
    state = wedding()
    console = Console(file=io.StringIO(), width=80, color_system=None)
    console.print(DoppelkopfTerminal().draw(state.view(0), 0))
    assert "your hand" in console.file.getvalue()  # type: ignore[attr-defined]
    assert str(DoppelkopfTerminal().draw(state)) == str(state).rstrip("\n")


def test_red_suits_are_red() -> None:
    console = Console(file=io.StringIO(), width=80, force_terminal=True, color_system="standard")
    console.print(DoppelkopfTerminal().draw(wedding().view(0), 0))
    text: str = console.file.getvalue()  # type: ignore[attr-defined]
    assert re.search(r"\x1b\[[0-9;]*31m♦Q", text)
    assert not re.search(r"\x1b\[[0-9;]*31m♠", text)


# --- Words ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_question_and_contract_has_words(language: Any) -> None:
    asked = set()
    for seed in range(40):
        for state in walk(seed):
            if state.player == kb.TERMINAL:
                break
            view = state.view(state.player)
            if view.phase != "card":
                asked.add(question(view, language))
            contract_text(dk.Situation.of(view), 0, language)
        assert contract_name(state.result(), language)
    assert len(asked) == 7  # reservation; Re, Kontra, no 90, no 60, no 30, black


def test_scores_add_up_item_by_item() -> None:
    seen = set()
    for seed in range(150):
        *_, state = walk(seed)
        result = state.result()
        seen.add((result["winner"], result["solo_scoring"]))
        head, items, sums = explain(result, 0)
        german = explain(result, 0, "de")
        assert [points for _, points in items] == [points for _, points in german[1]]
        total = sum(points for _, points in items)
        gainer = "re" if sums[0].startswith("for Re") else "kontra"
        each = result[f"points_{gainer}"] // (3 if result["solo_scoring"] and gainer == "re" else 1)
        assert total == each
        assert sums[0] == f"for {word(gainer)}: {total:+d}"
        assert sums[-1].startswith(f"You {result['points'][0]:+d}, Left {result['points'][1]:+d}")
        assert head[1].startswith(f"Re: {result['eyes_re']} eyes, {result['tricks_re']} trick")
        assert head[0] == ("Nobody wins: both promised too much" if result["winner"] == "none" else head[0])
        if result["winner"] != "none":
            assert head[0] == f"{word(result['winner'])} wins"
    assert {("re", False), ("kontra", False), ("re", True), ("kontra", True)} <= seen


# --- The rule that was broken -----------------------------------------------------------------------------------------


def rule_broken(state: kb.State, action: int) -> str:
    """The rule that an illegal action breaks, which stands before the list of legal actions."""
    rule, _, rest = state.refusal(action).partition(f"; action {action} is not legal here; expected one of ")
    assert rest
    return rule


def test_every_illegal_action_breaks_a_named_rule() -> None:
    reasons = set()
    for seed in range(10):
        for state in walk(seed):
            legal = state.legal()
            for action in range(39):
                if action not in legal and legal:
                    reasons.add(re.sub(r"seat \d|[♣♠♥♦]\w+", "_", rule_broken(state, action)))
    for suit in ("clubs", "spades", "hearts", "trump"):
        assert f"_ has to follow {suit}" in reasons
    assert {"_ does not hold _", "_ may call re or pass", "a wedding needs both _"} <= reasons


def test_a_card_that_does_not_follow_and_one_that_is_not_held() -> None:
    state = wedding()
    state.apply(state.parse("♦J"))
    while state.legal()[-1] == PASS:
        state.apply(PASS)
    assert rule_broken(state, 10) == "seat 1 does not hold ♥K"
    assert rule_broken(state, 6) == "seat 1 has to follow trump"
    assert rule_broken(state, PASS) == "seat 1 has to play a card"


def test_a_third_copy_and_a_nine_without_nines_are_not_dealt() -> None:
    state = kb.game("doppelkopf").root()
    assert rule_broken(state, 4) == "the start seat is 0 to 3"
    for action in (0, 5, 5):
        state.apply(action)
    assert rule_broken(state, 5) == "both ♦A have been dealt already"
    assert rule_broken(state, 30) == "only cards are dealt"
    short = kb.game("doppelkopf", nines=False).root()
    short.apply(0)
    assert rule_broken(short, 0) == "the pack has no nines"
