"""Lists at a table: the rules of a deal follow from those before it, also after a restart."""

from __future__ import annotations

from itertools import pairwise

import kiebitz as kb
from kiebitz.server.events import BOT, Event, Options, Seat
from kiebitz.server.live import finish_of
from kiebitz.server.storage import TableStore
from kiebitz.server.table import ServerTable
from kiebitz.store.store import Store

SEATS = [Seat(BOT, f"Bot {seat}", spec="rule_of_thumb") for seat in range(1, 5)]


class Played:
    """A table in a store that is loaded again before every game, as by a server that is restarted."""

    def __init__(self, store: Store, game: kb.Game, games: int | None) -> None:
        self.keeper = TableStore(store)
        self.table = ServerTable("list", game, Options(games=games), SEATS, secret=1)
        self.keeper.create(self.table, 1)
        self.table.begin(1, 1)

    def game(self) -> None:
        """Plays the game on the table to its end."""
        table, self.events = self.table, 0
        while not table.over:
            event = self.event()
            after = table.after(event)
            self.keeper.add("list", table.number, self.events, event, finish_of(table, event, after))
            table.apply(event)
            self.events += 1

    def event(self) -> Event:
        """What happens next: nobody calls anything, and all play by rules of thumb."""
        if self.table.round is not None:
            return self.table.resolve({})
        assert self.table.turn is not None
        return self.table.bot_act(self.table.turn, self.table.scene.view(self.table.turn).rule_of_thumb())

    def next(self, seed: int) -> None:
        """Deals the next game at the table as the store has it."""
        found = self.keeper.load("list")
        assert found is not None
        before, (self.table, _) = self.table, found
        for name in ("scores", "results", "place"):
            assert getattr(self.table, name) == getattr(before, name)
        self.keeper.begin(self.table, self.events, self.table.number + 1, seed)
        self.table.begin(self.table.number + 1, seed)


def test_a_table_plays_the_list_of_a_tournament() -> None:
    """Everybody owes one solo in the list, not in every deal; at its end those that are owed are forced."""
    with Store.open("sqlite://") as store:
        list_ = Played(store, kb.game("doppelkopf", preset="tournament"), 4)
        owed = []
        while True:
            params = list_.table.snapshot(None)["game"]["params"]
            owed.append(len(params["owed"]))
            assert params["forced"] in params["owed"]
            list_.game()
            if list_.table.finished:
                break
            list_.next(list_.table.number + 1)
        assert owed == [4, 3, 2, 1]
        list_.next(5)  # after a rematch
        assert list_.table.snapshot(None)["game"]["params"]["owed"] == [0, 1, 2, 3]


def test_a_deal_that_is_thrown_in_does_not_count_in_the_series() -> None:
    with Store.open("sqlite://") as store:
        list_ = Played(store, kb.game("doppelkopf", nines=False, throw_in=True, poverty=True), 6)
        places = []
        while True:
            places.append(list_.table.place)
            list_.game()
            if list_.table.finished:
                break
            list_.next(list_.table.number + 1)
        assert places[-1] == len(set(places)) == 6
        thrown = [place for place, after in pairwise(places) if place == after]
        assert thrown
        assert len(list_.table.scores) == len(places) == 6 + len(thrown)
        assert list_.table.snapshot(None)["score"]["last"]
