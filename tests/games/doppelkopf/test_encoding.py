"""The tensor of a Doppelkopf view holds all that is public and the hand of the observer, seats relative to it.

The decoder below is written from the layout of the specification's section 4.1, not from the encoder.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import kiebitz as kb
from tests.games.doppelkopf.playing import FIRST_CALL, FIRST_RESERVATION, game_of
from tests.games.doppelkopf.referee import ACTIONS, CARDS, PASS

PHASES = ("start", "deal", "reservation", "call", "card", "over")
WAITING = 6
HIDDEN = "hidden"
UNNAMED = 39
TYPES = {1 + number: name for number, name in enumerate(ACTIONS[:-1])} | {UNNAMED: HIDDEN}

Numbers = npt.NDArray[np.float32]
Call = tuple[int, int, str, str]
"""Cards on the table when it was made, the speaker, his party, the word."""


@dataclass(frozen=True)
class Known:
    """What somebody knows of a table: reservations in speaking order, cards with who played them, calls, his hand."""

    phase: str
    reservations: list[tuple[int, str]]
    cards: list[tuple[int, str]]
    calls: list[Call]
    hand: list[str]


def decode(tensor: Numbers, observer: int) -> Known:
    """Reads the 62 objects in whatever order they come; refuses numbers that the layout does not have."""
    rows = tensor.reshape(62, 6).astype(int).tolist()
    phases = {row[5] for row in rows}
    assert len(phases) == 1
    phase = phases.pop()
    reservations: dict[int, tuple[int, str]] = {}
    cards: dict[int, tuple[int, str]] = {}
    calls: dict[tuple[int, int], Call] = {}
    hand: dict[tuple[str, int], str] = {}
    for kind, position, order, actor, party, _ in rows:
        if kind == 0:
            assert (position, order, actor, party) == (0, 0, 0, 0)
            continue
        name = TYPES[kind]
        seat = (observer + actor - 1) % 4
        assert (party > 0) == (FIRST_CALL < kind < UNNAMED)
        if FIRST_RESERVATION < kind <= FIRST_CALL or kind == UNNAMED:
            assert (1 <= position <= 4, order, 1 <= actor <= 4) == (True, 0, True)
            assert reservations.setdefault(position, (seat, name)) == (seat, name)
        elif kind > FIRST_CALL:
            assert (5 <= position <= 52, order > 0, 1 <= actor <= 4, party in (1, 2)) == (True,) * 4
            call = (position - 5, seat, ("re", "kontra")[party - 1], name)
            assert calls.setdefault((position, order), call) is call
        elif position <= 52:
            assert (order, 1 <= actor <= 4) == (0, True)
            assert cards.setdefault(position, (seat, name)) == (seat, name)
        else:
            assert (position, order in (1, 2), actor) == (53, True, 0)
            assert (name, order) not in hand
            hand[name, order] = name
    assert sorted(reservations) == list(range(1, 1 + len(reservations)))
    assert sorted(cards) == list(range(5, 5 + len(cards)))
    return Known(
        PHASES[phase] if phase < WAITING else f"{PHASES[phase - WAITING]}, waiting",
        [reservations[i] for i in sorted(reservations)],
        [cards[i] for i in sorted(cards)],
        [calls[i] for i in sorted(calls)],
        sorted(hand.values(), key=CARDS.index),
    )


def choose(legal: list[int], random: Random) -> int:
    """Half of the calls, half of the weddings, some solos, any card."""
    if legal[0] == FIRST_RESERVATION and random.random() < 0.85:
        return random.choice([action for action in legal if not ACTIONS[action].startswith("solo-")])
    return random.choice(legal)


def shown(names: list[str], seat: int, observer: int, spoken: bool) -> str:
    """What an observer knows of a reservation (2.16); names and seats count in speaking order."""
    name = names[seat]
    if seat == observer or name == "healthy":
        return name
    solos = [i for i, said in enumerate(names) if said.startswith("solo-")]
    return name if spoken and (name == "wedding" or seat == solos[0]) else HIDDEN


@dataclass(frozen=True)
class Recorded:
    """A whole game: who started, what was dealt, every move, the parties, and the numbers all seats saw before it."""

    start: int
    dealt: list[list[str]]
    moves: list[tuple[int, str]]
    re: list[int]
    seen: list[list[Numbers]]

    def known(self, time: int, observer: int) -> Known:
        """What an observer knows before a move, told from the moves alone."""
        past = self.moves[:time]
        names = [name for _, name in past[:4]]
        cards = [(seat, name) for seat, name in past if name in CARDS]
        calls: list[Call] = []
        before = 0
        for seat, name in past[4:]:
            if name in CARDS:
                before += 1
            elif name != PASS:
                calls.append((before, seat, "re" if seat in self.re else "kontra", name))
        hand = list(self.dealt[observer])
        for seat, name in cards:
            if seat == observer:
                hand.remove(name)
        place = (observer - self.start) % 4
        said = [((self.start + i) % 4, shown(names, i, place, len(names) == 4)) for i in range(len(names))]
        return Known(self._phase(time, observer), said, cards, calls, hand)

    def _phase(self, time: int, observer: int) -> str:
        """A call round is one public phase: only who is asked, and who would play next, can tell it from the card."""
        if time == len(self.moves):
            return "over"
        if time < 4:
            return "reservation"
        mover, name = self.moves[time]
        if name in CARDS:
            return "card"
        next_card = next(seat for seat, name in self.moves[time:] if name in CARDS)
        return "call" if mover == observer else "card, waiting" if next_card == observer else "card"


def record(seed: int) -> Recorded:
    """A random game with its numbers."""
    random = Random(seed)
    state = game_of().new(seed=seed)
    start = state.player
    dealt = [state.view(seat).fields()["hand"].split() for seat in range(4)]
    moves: list[tuple[int, str]] = []
    seen = [[state.view(seat).tensor() for seat in range(4)]]
    while state.player != kb.TERMINAL:
        action = choose(state.legal(), random)
        moves.append((state.player, ACTIONS[action]))
        state.apply(action)
        seen.append([state.view(seat).tensor() for seat in range(4)])
    return Recorded(start, dealt, moves, state.result()["re"], seen)


@cache
def games() -> list[Recorded]:
    """Enough games for everything to occur."""
    return [record(seed) for seed in range(60)]


@pytest.mark.requirement("DK-22")
def test_decoding_restores_everything_public_and_the_hand() -> None:
    """Every seat before every move of whole games, with hidden names, weddings, calls and replies among them."""
    met: set[str] = set()
    for game in games():
        for time, tensors in enumerate(game.seen):
            for seat, tensor in enumerate(tensors):
                known = decode(tensor, seat)
                assert known == game.known(time, seat), (time, seat)
                met |= {known.phase, *(name for _, name in known.reservations), *(call[3] for call in known.calls)}
    assert met >= {"reservation", "call", "card", "card, waiting", "over", "healthy", "wedding", HIDDEN, "black"}


@pytest.mark.requirement("DK-22")
def test_missing_objects_are_empty() -> None:
    """Nothing but the phase before the deal; each object appears when it comes about and the rest stays 0."""
    empty = game_of().root().view(2)
    assert game_of().info.tensor_size == 62 * 6
    assert not empty.tensor().any()
    for game in games():
        for time, tensors in enumerate(game.seen):
            for seat, tensor in enumerate(tensors):
                known = game.known(time, seat)
                objects = len(known.reservations) + len(known.cards) + len(known.calls) + len(known.hand)
                assert np.count_nonzero(tensor.reshape(62, 6)[:, 0]) == objects


@pytest.mark.requirement("DK-22")
def test_different_views_have_different_numbers() -> None:
    """At the observer's turn, where a net is asked: equal numbers only for equal views, seats apart."""
    found: dict[bytes, dict[str, Any]] = {}
    for seed in range(60):
        random = Random(seed)
        state = game_of().new(seed=seed // 6)  # the same deal with other moves
        while state.player != kb.TERMINAL:
            view = state.view(state.player)
            fields = turned(view.fields(), -view.observer)
            assert found.setdefault(view.tensor().tobytes(), fields) == fields
            state.apply(choose(state.legal(), random))
    assert len(found) > 2_000


def turned(fields: dict[str, Any], turn: int) -> dict[str, Any]:
    """A view at a table turned by ``turn`` seats."""
    calls = [call.split(":") for call in fields["calls"]]
    return fields | {
        "observer": (fields["observer"] + turn) % 4,
        "start": (fields["start"] + turn) % 4,
        "reservations": [fields["reservations"][(seat - turn) % 4] for seat in range(4)],
        "calls": [f"{before}:{(int(seat) + turn) % 4}:{word}" for before, seat, word in calls],
    }


@pytest.mark.requirement("DK-23")
@pytest.mark.parametrize("turn", [1, 2, 3])
def test_a_turned_table_has_the_same_numbers(turn: int) -> None:
    """Through saved views: the observer of the turned table sees the same, another seat of the old table does not."""
    game = game_of()
    for seed in range(8):
        random = Random(seed)
        state = game.new(seed=seed)
        while state.player != kb.TERMINAL:
            view = state.view(random.randrange(4))
            other = game.load_view(turned(view.fields(), turn))
            assert other.observer == (view.observer + turn) % 4
            assert np.array_equal(other.tensor(), view.tensor())
            assert not np.array_equal(state.view(other.observer).tensor(), view.tensor()) or not view.fields()["hand"]
            state.apply(choose(state.legal(), random))
