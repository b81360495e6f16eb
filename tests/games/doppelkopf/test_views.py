"""What a Doppelkopf player may know: states that differ only in hidden things look exactly alike.

Hidden are the other hands, reservations that were never named, who was asked for a call, declined calls and the number
of decisions. Twins of a state come from ``view.sample``, and from replaying what everybody saw with the cards of such a
world: there other seats are asked, pass at other times and belong to other parties.
"""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

import pytest

import kiebitz as kb
from tests.contract.walks import view_face
from tests.games.doppelkopf.playing import PLAIN, game_of, hand_texts, open_table, phase_of, random_name, random_table
from tests.games.doppelkopf.referee import CALLS, NUMBER, PASS, SOLOS, House, Referee

FIELDS = {"observer", "phase", "start", "dealt", "hand", "reservations", "calls", "cards", "piglets"}
HOUSE = House(second_ten=True, piglets=True, fox_last=True, charlie_caught=True)
WHEN_PLAYED = House(piglets=True, superpiglets=True, hyperpiglets=True, piglets_when_played=True)


def advance(state: kb.State, table: Referee, random: Random, calls: float) -> None:
    """One random action at both tables."""
    name = random_name(table, random, calls, solos=0.2)
    table.play(name)
    state.apply(NUMBER[name])


def begin(game: kb.Game, random: Random, house: House | None = None) -> tuple[kb.State, Referee]:
    table = random_table(random, house, queens=0.3)
    return game.deal(hand_texts(table.dealt), start=table.start), table


def assert_alike(one: kb.View, other: kb.View) -> None:
    assert one == other
    assert view_face(one) == view_face(other)


# --- Twins by sampling ----------------------------------------------------------------------------------------------


@pytest.mark.requirement("DK-21")
@pytest.mark.parametrize("house", [House(), HOUSE, WHEN_PLAYED], ids=["thesis", "house_rules", "piglets_when_played"])
def test_states_that_differ_only_in_hidden_things_look_alike(house: House) -> None:
    """6,000 pairs for each set of rules, at all phases of the game, seen by the seat to move and by others."""
    game = game_of(house)
    random = Random(21)
    pairs: Counter[str] = Counter()
    different = 0
    while sum(pairs.values()) < 6000:
        state, table = begin(game, random, house)
        calls = random.choice([0.0, 0.03, 0.1, 0.3, 0.7])
        look = random.random() * 0.5  # spread over the game, its beginning more often
        while True:
            if random.random() < look or state.player == kb.TERMINAL:
                observer = random.randrange(4) if random.random() < 0.5 else max(state.player, 0)
                view = state.view(observer)
                world = view.sample(random.randrange(2**32))
                twin = world.view(observer)
                assert_alike(view, twin)
                assert view.legal() == (state.legal() if state.player == observer else [])
                different += world.position()["hands"] != state.position()["hands"]
                pairs[view.fields()["phase"]] += 1
            if state.player == kb.TERMINAL:
                break
            advance(state, table, random, calls)
    assert set(pairs) == {"reservation", "call", "card", "wait", "over"}
    assert min(pairs.values()) > 100
    assert different > 3000


@pytest.mark.requirement("DK-21")
def test_a_half_dealt_hand_shows_only_itself() -> None:
    game = game_of()
    random = Random(4)
    for _ in range(20):
        state = game.root()
        while state.player == kb.CHANCE:
            actions, weights = zip(*state.outcomes(), strict=True)
            observer = random.randrange(4)
            view = state.view(observer)
            assert view.player == kb.CHANCE
            assert_alike(view, view.sample(random.randrange(1000)).view(observer))
            state.apply(random.choices(actions, weights)[0])


# --- Twins by replaying what was public -----------------------------------------------------------------------------


def public_moments(state: kb.State) -> list[tuple[str, int, int]]:
    """What everybody saw of a game: reservations by seat, calls and cards, in order, as (kind, seat, action)."""
    walk = state.game.root()
    seen: list[tuple[str, int, int]] = []
    for action in state.history:
        if walk.player != kb.CHANCE and action != NUMBER[PASS]:
            seen.append((phase_of(walk), walk.player, action))
        walk.apply(action)
    return seen


def twin_hands(state: kb.State, world: kb.State) -> tuple[list[list[str]], list[str]]:
    """The deal and the reservations of a world, as each of its seats knows its own."""
    played = played_by(state)
    hands, names = [], []
    for seat in range(4):
        own = world.view(seat).fields()
        hands.append(own["hand"].split() + played[seat])
        names.append(own["reservations"][seat])
    return hands, names


def played_by(state: kb.State) -> list[list[str]]:
    cards: list[list[str]] = [[], [], [], []]
    for kind, seat, action in public_moments(state):
        if kind == "C":
            cards[seat].append(list(NUMBER)[action])
    return cards


def pass_until(state: kb.State, kind: str, seat: int) -> list[int]:
    """Passes until this seat is asked (kind A) or may play (kind C); returns who passed."""
    passed = []
    while not (state.player == seat and phase_of(state) == kind):
        assert phase_of(state) == "A"
        passed.append(state.player)
        state.apply(NUMBER[PASS])
    return passed


def spoken_for(table: Referee, random: Random, levels: dict[str, int]) -> str:
    """As random players do, but one seat speaks for its party, up to a level: the mates stay hidden."""
    if table.phase != "A" or table.seat is None:
        return random_name(table, random, 0.0, solos=0.05)
    party = table.party(table.seat)
    first = min(seat for seat in range(4) if table.party(seat) == party)
    return table.legal()[0] if table.seat == first and table.level[party] < levels[party] else PASS


def spoken_game(game: kb.Game, random: Random, actions: int, house: House | None = None) -> tuple[kb.State, Referee]:
    """The first actions of a game in which one seat speaks for each party, up to a level of its own."""
    state, table = begin(game, random, house)
    levels = {"re": random.randrange(4), "kontra": random.randrange(4)}
    while len(table.played) < actions:
        name = spoken_for(table, random, levels)
        table.play(name)
        state.apply(NUMBER[name])
    return state, table


@pytest.mark.requirement("DK-21")
@pytest.mark.parametrize("house", [House(), WHEN_PLAYED], ids=["thesis", "piglets_when_played"])
def test_the_same_public_game_with_other_cards_looks_alike_all_the_way(house: House) -> None:
    """Replays with a twin's cards: other parties, seats asked and passes, but equal views at every public moment."""
    game = game_of(house)
    random = Random(62)
    compared = 0
    others_asked = 0
    while compared < 6000:
        state, table = spoken_game(game, random, random.randrange(4, 30), house)
        observer = random.randrange(4)
        hands, names = twin_hands(state, state.view(observer).sample(random.randrange(2**32)))
        first = game.deal(hand_texts(table.dealt), start=table.start)
        second = game.deal(hand_texts(hands), start=table.start)
        for kind, seat, action in public_moments(state):
            if kind == "R":
                assert_alike(first.view(observer), second.view(observer))
                first.apply(action)
                second.apply(NUMBER[names[seat]])
            else:
                passed = [pass_until(twin, kind, seat) for twin in (first, second)]
                others_asked += passed[0] != passed[1]
                assert_alike(first.view(observer), second.view(observer))
                assert first.view(observer).legal() == second.view(observer).legal()
                first.apply(action)
                second.apply(action)
            compared += 1
    assert others_asked > 30


def test_a_world_is_where_its_cards_and_the_public_game_lead_to() -> None:
    """At every decision: replaying the public game with the world's deal reaches the same position, passes included."""
    game = game_of()
    random = Random(33)
    phases: Counter[str] = Counter()
    while sum(phases.values()) < 600:
        state, table = begin(game, random)
        levels = {"re": random.randrange(5), "kontra": random.randrange(5)}
        stop = random.randrange(60)
        while table.phase != "over" and stop > 0:
            name = spoken_for(table, random, levels) if random.random() < 0.9 else random_name(table, random, 0.1)
            table.play(name)
            state.apply(NUMBER[name])
            stop -= 1
        if table.seat is None:
            continue
        observer = table.seat
        world = state.view(observer).sample(random.randrange(2**32))
        hands, names = twin_hands(state, world)
        again = game.deal(hand_texts(hands), start=table.start)
        for kind, seat, action in public_moments(state):
            if kind == "R":
                again.apply(NUMBER[names[seat]])
            else:
                pass_until(again, kind, seat)
                again.apply(action)
        if table.phase != "R":
            pass_until(again, table.phase, observer)
        assert world.position() == again.position()
        assert world.key == again.key
        assert str(world) == str(again)
        while world.player != kb.TERMINAL and phase_of(world) == "A":
            assert world.player == again.player
            world.apply(NUMBER[PASS])
            again.apply(NUMBER[PASS])
        assert (world.player, world.legal()) == (again.player, again.legal())
        phases[table.phase] += 1
    assert min(phases["R"], phases["A"], phases["C"]) > 30


@pytest.mark.requirement("DK-21")
def test_a_call_round_is_one_phase_to_the_others() -> None:
    """Within a round, a seat that is not asked sees the same all the time, except for calls.

    Only the seat that plays the next card learns that all others have passed, when it is asked for its card.
    """
    game = game_of()
    random = Random(8)
    rounds = 0
    for _ in range(150):
        state, table = begin(game, random)
        seen: list[kb.View | None] = [None] * 4
        moment: tuple[int, int] | None = None
        while table.phase != "over":
            if table.phase in "AC":
                now = (len(table.played), len(table.calls))
                if now != moment:
                    seen, moment = [None] * 4, now
                for observer in range(4):
                    if state.player == observer:
                        continue
                    view = state.view(observer)
                    before = seen[observer]
                    if before is not None:
                        assert_alike(before, view)
                        rounds += 1
                    seen[observer] = view
            advance(state, table, random, 0.1)
    assert rounds > 10_000


@pytest.mark.requirement("DK-21")
def test_own_passes_leave_no_trace() -> None:
    state = open_table(game_of(), PLAIN)
    before = state.view(1)
    for _ in range(2):
        state.apply(NUMBER[PASS])
    assert_alike(before, state.view(1))


# --- Contents -------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("DK-21")
def test_a_view_holds_these_fields_and_no_others() -> None:
    """No asked seat, no passes, no count of decisions, no party that was not shown."""
    game = game_of()
    random = Random(3)
    for _ in range(30):
        state, table = begin(game, random)
        while True:
            for observer in range(4):
                fields = state.view(observer).fields()
                assert set(fields) == FIELDS
                assert fields == expected_fields(table, observer)
            if table.phase == "over":
                break
            advance(state, table, random, 0.1)


def expected_fields(table: Referee, observer: int) -> dict[str, Any]:
    """What the specification lets the observer know, from the referee's books."""
    spoken = None not in table.reservations
    shown = (
        table.shown()
        if spoken
        else ["-" if r is None else r if r == "healthy" else "hidden" for r in table.reservations]
    )
    own = table.reservations[observer]
    shown[observer] = "-" if own is None else own
    level = {"re": 0, "kontra": 0}
    calls = []
    for before, seat, word in table.calls:
        party = table.party(seat)
        level[party] += 1
        assert word == CALLS[level[party] - 1]
        calls.append(f"{before}:{seat}:{party}" + (f"-{word}" if level[party] > 1 else ""))
    phase = {"R": "reservation", "A": "card", "C": "card", "over": "over"}[table.phase]
    if table.phase == "A":
        phase = "call" if table.seat == observer else "wait" if table.mover == observer else "card"
    return {
        "observer": observer,
        "phase": phase,
        "start": table.start,
        "dealt": 48,
        "hand": " ".join(table.hands[observer]),
        "reservations": shown,
        "calls": calls,
        "cards": " ".join(card for _, card in table.played),
        "piglets": -1,
    }


@pytest.mark.requirement("DK-4")
def test_no_view_text_or_number_of_another_seat_tells_a_hidden_name() -> None:
    """Tables with several solos: changing a name that stays hidden changes nothing for the others."""
    game = game_of()
    random = Random(14)
    hidden_names = 0
    for _ in range(300):
        table = random_table(random)
        names = [random.choice([*SOLOS, "healthy"]) for _ in range(4)]
        speaking = table.speaking_order()
        solos = [seat for seat in speaking if names[seat] in SOLOS]
        for seat in solos[1:]:
            others = [list(names), list(names)]
            others[1][seat] = random.choice([name for name in SOLOS if name != names[seat]])
            one, other = (open_table(game, table.dealt, table.start, words) for words in others)
            for observer in range(4):
                if observer != seat:
                    assert_alike(one.view(observer), other.view(observer))
                    hidden_names += 1
            assert one.view(seat) != other.view(seat)
    assert hidden_names > 500


def test_views_are_read_back() -> None:
    game = game_of()
    random = Random(2)
    for _ in range(10):
        state, table = begin(game, random)
        while table.phase != "over":
            if random.random() < 0.2:
                for observer in range(4):
                    view = state.view(observer)
                    assert_alike(view, game.load_view(json.loads(json.dumps(view.fields()))))
            advance(state, table, random, 0.1)
