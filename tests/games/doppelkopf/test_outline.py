"""The outline of a Doppelkopf table: what the engine reads off a view equals what the referee's books say, for every
observer at every moment, and depends on nothing but the view."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from random import Random
from typing import Any

import pytest

import kiebitz as kb
from tests.games.doppelkopf.playing import game_of, hand_texts, open_table, play_cards, random_name, random_table
from tests.games.doppelkopf.referee import (
    CALLS,
    NUMBER,
    RE,
    SOLOS,
    House,
    Referee,
    best_card,
    category,
    eyes,
    pack,
    trumps,
)

HOUSES = {
    "thesis": House(),
    "second_ten": House(second_ten=True),
    "piglets": House(piglets=True),
    "no_nines": House(nines=False),
    "when_played": House(piglets=True, piglets_when_played=True, second_ten=True),
    "all": House(second_ten=True, piglets=True, fox_last=True, charlie_caught=True, nines=False),
}


def moments(house: House, games: int, seed: int) -> Iterator[tuple[kb.State, Referee]]:
    """Every moment after the deal of random games at both tables, the end included."""
    game, random = game_of(house), Random(seed)
    for _ in range(games):
        table = random_table(random, house, queens=0.4)
        state = game.deal(hand_texts(table.dealt), start=table.start)
        calls, solos = random.choice([(0.0, 0.0), (0.02, 0.1), (0.1, 0.0), (0.5, 0.3)])
        yield state, table
        while table.phase != "over":
            name = random_name(table, random, calls, solos)
            table.play(name)
            state.apply(NUMBER[name])
            yield state, table


# --- What the referee's books say -------------------------------------------------------------------------------------


def expected(table: Referee, observer: int) -> dict[str, Any]:
    """The outline, from the referee."""
    spoken = None not in table.reservations
    piglets = spoken and table.has_piglets()
    order = [card for card in trumps(table.contract, piglets) if table.house.nines or card[1] != "9"]
    declarer = partner = None
    if table.contract != "normal":
        declarer = table.reservations.index(table.contract) if table.contract == "wedding" else table.re[0]
        partner = next((seat for seat in table.re if seat != declarer), None)
    tricks = [table.played[first : first + 4] for first in range(0, len(table.played), 4)]
    cards = [[card for _, card in trick] for trick in tricks]
    best = [best_card(trick, table.contract, table.house.second_ten, piglets) for trick in cards]
    takers = [trick[place][0] for trick, place in zip(tricks, best, strict=True)]
    assert takers[: len(table.winners)] == table.winners
    led = category(table.trick()[0], table.contract) if table.trick() else None
    return {
        "contract": table.contract if spoken else None,
        "declarer": declarer,
        "partner": partner,
        "alone": table.solved is not None and partner is None,
        "piglets": table.swines()[0][0] if piglets else None,
        "parties": known_parties(table, observer) if spoken else [""] * 4,
        "trumps": order,
        "hand": sorted_hand(table.hands[observer], order),
        "playable": playable(table, observer, order),
        "follows": any(category(card, table.contract) == led for card in table.hands[observer]),
        "turn": None if table.phase == "over" else table.seat if table.phase == "R" else table.mover,
        "led": led,
        "tricks": [" ".join(trick) for trick in cards],
        "leaders": [trick[0][0] for trick in tricks],
        "takers": takers,
        "trick_eyes": [eyes(trick) for trick in cards],
        "eyes": table.eyes_player(),
        "size": table.size,
    }


def private(outline: dict[str, Any]) -> dict[str, Any]:
    """An outline without the part that everybody knows."""
    return {name: value for name, value in outline.items() if name != "public"}


def playable(table: Referee, seat: int, order: list[str]) -> list[str]:
    """The different cards that the seat may put into the trick on the table, sorted as in the hand."""
    hand = list(dict.fromkeys(" ".join(sorted_hand(table.hands[seat], order)).split()))
    led = category(table.trick()[0], table.contract) if table.trick() else None
    follow = [card for card in hand if category(card, table.contract) == led]
    return follow or hand


def expected_public(table: Referee) -> dict[str, Any]:
    """What everybody knows, from the referee."""
    told = expected(table, 0)
    complete = [table.played[first : first + 4] for first in range(0, len(table.played) // 4 * 4, 4)]
    trick = table.played[len(complete) * 4 :]
    last = complete and {
        "cards": [{"seat": seat, "card": card} for seat, card in complete[-1]],
        "taker": table.winners[-1],
        "eyes": eyes([card for _, card in complete[-1]]),
    }
    parties = public_parties(table)
    early = {None: "-", "healthy": "healthy"}
    return {
        "start": table.start,
        **{
            name: told[name]
            for name in ("contract", "declarer", "partner", "alone", "piglets", "trumps", "turn", "led")
        },
        "trick": [{"seat": seat, "card": card} for seat, card in trick],
        "leader": trick[0][0] if trick else told["turn"],
        "last": last or None,
        "tricks_taken": [table.winners.count(seat) for seat in range(4)],
        "eyes": told["eyes"],
        "calls": [
            {"seat": seat, "call": call_word(table.party(seat), call), "at": at} for at, seat, call in table.calls
        ],
        "reservations": table.shown()
        if told["contract"]
        else [early.get(name, "hidden") for name in table.reservations],
        "sizes": [len(hand) for hand in table.hands],
        "parties": parties,
        "asked": [seat for seat in range(4) if may_speak(table, seat, parties[seat])],
    }


def call_word(party: str, call: str) -> str:
    """A call with its party: re, kontra-no90."""
    return party if call == CALLS[0] else f"{party}-{call}"


def public_parties(table: Referee) -> list[str]:
    """The party of each seat as everybody knows it, without anybody's hand; empty where it is open.

    Contract, calls and club queens on the table tell it; so does a trump that was not followed. Both Re seats known
    leave Kontra for the others, three of Kontra leave Re for the last.
    """
    if None in table.reservations:
        return [""] * 4
    if table.contract != "normal":
        rest = "" if table.contract == "wedding" and table.solved is None else "kontra"
        return [RE if seat in table.re else rest for seat in range(4)]
    parties = [""] * 4
    for _, seat, _ in table.calls:
        parties[seat] = table.party(seat)
    for i, (seat, card) in enumerate(table.played):
        led = category(table.played[i // 4 * 4][1], "normal")
        if card == "CQ":
            parties[seat] = RE
        elif led == "trump" != category(card, "normal") and not parties[seat]:
            parties[seat] = "kontra"
    if [card for _, card in table.played].count("CQ") == 2 or parties.count(RE) == 2:
        return [party or "kontra" for party in parties]
    return [party or RE for party in parties] if parties.count("kontra") == 3 else parties


def may_speak(table: Referee, seat: int, known: str) -> bool:
    """Whether a seat of this party (empty: of either) could make a call before the next card."""
    if None in table.reservations or table.phase == "over" or (table.contract == "wedding" and table.solved is None):
        return False
    cards = len(table.hands[seat]) + (table.solved or 0)
    for party, other in ((RE, "kontra"), ("kontra", RE)):
        step = table.level[party] + 1
        reply = table.level[other] if step == 1 else 0
        if known in ("", party) and step <= len(CALLS) and cards >= table.size - step - reply:
            return True
    return False


def sorted_hand(hand: list[str], order: list[str]) -> list[str]:
    """Trumps from the highest, then clubs, spades, hearts, diamonds; empty groups left out.

    >>> sorted_hand(["H9", "CQ", "SA", "HT", "SK"], trumps("normal"))
    ['HT CQ', 'SA SK', 'H9']
    """
    groups = [sorted((card for card in hand if card in order), key=order.index)]
    for suit in "CSHD":
        side = [card for card in hand if card[0] == suit and card not in order]
        groups.append(sorted(side, key=lambda card: "ATKQJ9".index(card[1])))
    return [" ".join(group) for group in groups if group]


def known_parties(table: Referee, observer: int) -> list[str]:
    """Once all have spoken: the party of each seat, empty where what the observer saw can be explained both ways."""
    if table.contract != "normal":
        searching = table.contract == "wedding" and table.solved is None
        return [RE if seat in table.re else "" if searching else "kontra" for seat in range(4)]
    possible = possible_re(table, observer)
    return [
        RE if all(seat in re for re in possible) else "" if any(seat in re for re in possible) else "kontra"
        for seat in range(4)
    ]


def possible_re(table: Referee, observer: int) -> list[set[int]]:
    """The sets of Re seats of a normal game that some deal of the hidden cards gives, by trying to deal: first the
    cards that parties and piglets depend on, in every way; the rest fits if no group of seats is too small for the
    cards that only it can hold."""
    others = [seat for seat in range(4) if seat != observer]
    hidden = Counter(pack(table.house.nines))
    hidden.subtract(card for _, card in table.played)
    hidden.subtract(table.hands[observer])
    missing: list[set[str]] = [set(), set(), set(), set()]
    for first in range(0, len(table.played), 4):
        led = category(table.played[first][1], "normal")
        for seat, card in table.played[first : first + 4]:
            if category(card, "normal") != led:
                missing[seat].add(led)
    holders = {card: {s for s in others if category(card, "normal") not in missing[s]} for card in hidden}
    played = {card: Counter(seat for seat, c in table.played if c == card) for card in ("CQ", "DA")}
    own = {card: table.hands[observer].count(card) for card in played}
    spoken = {seat: table.party(seat) for _, seat, _ in table.calls}
    keepers = {seat for seat in range(4) if table.dealt[seat].count("DA") == 2}  # shown, where piglets are played

    def dealt(card: str, spread: tuple[int, ...], seat: int) -> int:
        return played[card][seat] + (own[card] if seat == observer else spread.count(seat))

    def allowed(queens: tuple[int, ...], foxes: tuple[int, ...]) -> bool:
        right_calls = all((dealt("CQ", queens, seat) > 0) == (party == RE) for seat, party in spoken.items())
        shown = {seat for seat in range(4) if dealt("DA", foxes, seat) == 2}
        told = not table.house.piglets_when_played or sum(played["DA"].values()) > 0  # else nothing is known yet
        return right_calls and (not table.house.piglets or not told or shown == keepers)

    def fits(given: tuple[int, ...]) -> bool:
        room = {seat: len(table.hands[seat]) - given.count(seat) for seat in others}
        rest = [(holders[card], count) for card, count in hidden.items() if card not in played]
        groups = [set(group) for size in range(4) for group in combinations(others, size)]
        return min(room.values()) >= 0 and all(
            sum(count for can, count in rest if can <= group) <= sum(room[seat] for seat in group) for group in groups
        )

    found = []
    for queens in product(sorted(holders["CQ"]), repeat=hidden["CQ"]):
        re = {seat for seat in range(4) if dealt("CQ", queens, seat) > 0}
        spreads = product(sorted(holders["DA"]), repeat=hidden["DA"])
        if re not in found and any(allowed(queens, foxes) and fits(queens + foxes) for foxes in spreads):
            found.append(re)
    return found


# --- The outline ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", HOUSES.values(), ids=HOUSES)
def test_the_outline_is_what_the_referee_says(house: House) -> None:
    """All observers at all moments. Passes change nothing that anybody sees, so a few of them are enough."""
    phases: Counter[str] = Counter()
    contracts = set()
    for state, table in moments(house, games=30, seed=5):
        if table.phase == "A" and table.passes and len(table.played) % 5:
            continue
        everybody = expected_public(table)
        for observer in range(4):
            view = state.view(observer)
            assert private(view.outline()) == expected(table, observer)
            phases[view.fields()["phase"]] += 1
            assert view.outline()["public"] == view.public() == everybody
        contracts.add(table.contract)
    assert set(phases) == {"reservation", "call", "card", "wait", "over"}
    assert min(phases.values()) > 50
    assert {"normal", "wedding"} < contracts
    assert len(contracts) >= 5


def test_weddings_end_with_a_partner_and_without_one() -> None:
    ends = set()
    for state, table in moments(House(), games=150, seed=11):
        if table.phase == "over" and table.contract == "wedding":
            ends.add((state.view(0).outline()["alone"], table.solved))
    assert ends >= {(False, 0), (False, 1), (True, 2)}


@pytest.mark.parametrize("piglets", [False, True])
@pytest.mark.parametrize("contract", ["normal", "wedding", *SOLOS])
def test_trumps_and_the_sorted_hand_of_every_contract(contract: str, piglets: bool) -> None:
    quarters = [[card for card in pack() if card not in ("CQ", "DA")][seat::4] for seat in range(4)]
    hands = [["CQ", "CQ", *quarters[0][1:]], ["DA", "DA", *quarters[1][1:]]]
    hands += [[*quarters[2], quarters[0][0]], [*quarters[3], quarters[1][0]]]
    table = Referee(hands, 0, House(piglets=piglets))
    state = game_of(table.house).deal(hand_texts(table.dealt), start=0)
    for name in ("healthy" if contract == "normal" else contract, "healthy", "healthy", "healthy"):
        table.play(name)
        state.apply(NUMBER[name])
    sizes = {"solo-trumpless": 0, "solo-queens": 4, "solo-jacks": 4, "solo-hearts": 12}
    for observer in range(4):
        outline = state.view(observer).outline()
        assert private(outline) == expected(table, observer)
        assert len(outline["trumps"]) == sizes.get(contract, 13)
        assert sorted(" ".join(outline["hand"]).split()) == sorted(table.dealt[observer])


def test_known_parties_are_true_and_complete_at_the_end() -> None:
    for state, table in moments(House(), games=40, seed=3):
        if None in table.reservations or (table.contract == "wedding" and table.solved is None):
            continue
        truth = [table.party(seat) for seat in range(4)]
        for observer in range(4):
            parties = state.view(observer).outline()["parties"]
            assert all(party in ("", true) for party, true in zip(parties, truth, strict=True))
            assert parties[observer] == truth[observer]
            assert table.phase != "over" or parties == truth


def test_a_seat_that_cannot_follow_trump_is_known_to_be_kontra() -> None:
    """Nobody has called and no club queen is on the table."""
    hands = ["HT HT CQ SQ HQ CJ SJ DA DT DK D9 D9", "CQ SQ HQ DQ DQ CJ SJ HJ HJ DJ DJ CA"]
    hands += ["DA DT DK CA CT CT SA SA ST HA HA HK", "CK CK C9 C9 ST SK SK S9 S9 HK H9 H9"]
    state = open_table(game_of(), [hand.split() for hand in hands])
    assert state.view(0).outline()["parties"] == ["re", "", "", ""]
    assert state.view(2).outline()["parties"] == ["", "", "kontra", ""]
    play_cards(state, ["HT", "DJ", "DK", "C9"])
    assert state.view(0).outline()["parties"] == ["re", "", "", "kontra"]
    assert state.view(2).outline()["parties"] == ["", "", "kontra", "kontra"]
    assert state.view(3).outline()["parties"] == ["", "", "", "kontra"]


def test_before_and_during_the_deal_there_is_only_a_hand() -> None:
    state = kb.game("doppelkopf").root()
    empty = state.view(0).outline()
    assert empty["contract"] is empty["turn"] is empty["led"] is empty["declarer"] is None
    assert (empty["hand"], empty["tricks"], empty["parties"], empty["eyes"]) == ([], [], [""] * 4, [0] * 4)
    for action in (2, NUMBER["S9"], NUMBER["CQ"], NUMBER["DA"], NUMBER["HT"]):
        state.apply(action)
    outline = state.view(0).outline()
    assert outline["hand"] == ["HT CQ DA", "S9"]
    assert outline["turn"] is None
    assert outline["public"] == empty["public"] | {"start": 2}
    assert private(outline) | {"hand": [], "playable": []} == private(empty)


# --- Nothing but the view ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", HOUSES.values(), ids=HOUSES)
def test_twins_have_equal_outlines(house: House) -> None:
    """Worlds with other cards, other parties and other seats asked, and views read back from files."""
    random = Random(21)
    phases: Counter[str] = Counter()
    different = 0
    for state, _ in moments(house, games=25, seed=9):
        if random.random() < 0.4 and state.player != kb.TERMINAL:
            continue
        observer = random.randrange(4)
        view = state.view(observer)
        world = view.sample(random.randrange(2**32))
        assert world.view(observer).outline() == view.outline()
        assert state.game.load_view(view.fields()).outline() == view.outline()
        different += world.position() != state.position()
        phases[view.fields()["phase"]] += 1
    assert set(phases) == {"reservation", "call", "card", "wait", "over"}
    assert different > 1000


def test_twins_in_the_middle_of_the_deal_have_equal_outlines() -> None:
    game, random = game_of(), Random(4)
    for _ in range(10):
        state = game.root()
        while state.player == kb.CHANCE:
            observer = random.randrange(4)
            view = state.view(observer)
            assert view.sample(random.randrange(1000)).view(observer).outline() == view.outline()
            actions, weights = zip(*state.outcomes(), strict=True)
            state.apply(random.choices(actions, weights)[0])


# --- Rounds of calls --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", [HOUSES["thesis"], HOUSES["all"]], ids=["thesis", "all"])
def test_a_seat_decides_on_a_call_as_if_it_were_asked(house: House) -> None:
    """A function of its own view: the view that says so is the one that the rules would show it."""
    asked_for_real = silent = 0
    for state, table in moments(house, games=25, seed=13):
        for seat in range(4):
            view = state.view(seat)
            asked = view.if_asked()
            try:
                loaded = state.game.load_view({**view.fields(), "phase": "call"})
            except kb.ViewError:
                loaded = None
            assert asked == loaded
            speaks = table.phase in ("A", "C") and None not in table.reservations and table.next_step(seat) > 0
            assert (asked is not None) == speaks
            silent += asked is None
            if asked is None:
                continue
            call = CALLS[table.next_step(seat) - 1]
            assert asked.legal() == [NUMBER[call], NUMBER["pass"]]
            assert [asked.kind(action) for action in asked.legal()] == ["announcement", "pass"]
            assert asked.legal()[-1] == state.game.info.decline
            if state.player == seat and state.phase == "call":
                assert asked == view
                asked_for_real += 1
    assert min(asked_for_real, silent) > 100


def test_a_view_without_the_round_of_calls_says_the_same_in_and_after_it() -> None:
    hidden = 0
    for state, table in moments(House(), games=25, seed=17):
        for seat in range(4):
            view = state.view(seat)
            plain = view.unasked()
            if table.phase not in ("A", "C"):
                assert plain == view
                continue
            assert plain == state.game.load_view({**view.fields(), "phase": "card"})
            assert plain == plain.unasked()
            assert plain.public() == view.public()
            hidden += plain != view
    assert hidden > 100


def test_games_without_secret_rounds_ask_nobody() -> None:
    for name in ("kuhn", "nim"):
        view = kb.game(name).new(seed=1).view(0)
        assert view.if_asked() is None
        assert view.unasked() == view
        assert view.game.info.decline is None


# --- Other games, and calls -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["tic_tac_toe", "oware"])
def test_other_games_say_that_they_have_no_outline(name: str) -> None:
    with pytest.raises(kb.UnsuitableGame, match=f"{name} has no outline"):
        kb.game(name).new(seed=1).view(0).outline()


def test_the_descriptor_says_which_actions_are_calls() -> None:
    info = kb.game("doppelkopf").info
    assert info.calls == [NUMBER[call] for call in CALLS]
    assert info.to_dict()["calls"] == info.calls
    assert kb.game("kuhn").info.calls == []
