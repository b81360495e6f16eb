"""Attacks inside one process: threads on shared objects, views, games that break their contract, damaged files."""

from __future__ import annotations

import random
import sqlite3
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from tests.bad_input.test_faulty_games import FAULTS, sound, uses
from tests.contract.cases import HIDDEN
from tests.contract.walks import face_now, view_face, walk

import kiebitz as kb
from kiebitz import _core
from kiebitz.arena import Store
from kiebitz.search import AlphaBeta, Ismcts, Pimc, Uct, perft
from kiebitz.solve import Policy

THREADS = 6


def threads(seconds: float, rng: random.Random, tried: Counter[str]) -> None:
    """Many threads, one object of each kind: calls are answered or refused."""
    oware, leduc, doppelkopf = kb.game("oware"), kb.game("leduc"), kb.game("doppelkopf")
    state, deal = oware.new(), doppelkopf.new(seed=rng.randrange(2**32))
    view = leduc.new(seed=1).view(0)
    compiled = _core.compile(leduc)
    uct, alphabeta = Uct(oware, iterations=300), AlphaBeta(oware, depth=4)
    pimc, ismcts = Pimc(Uct(leduc, iterations=20), worlds=5), Ismcts(leduc, iterations=200)
    cfr, mccfr = _core.Cfr(compiled), _core.Mccfr(compiled)
    endgame = _core.OwareEndgame(oware)
    known = AlphaBeta(oware, depth=3, known=endgame)
    batch = _core.Batch(kb.game("nim"), 8)
    agent = kb.agent("alphabeta(nodes=500)", oware)
    python = sound().make().new()
    legal = np.zeros(8, dtype=np.int64)

    def play(shared: kb.State) -> None:
        if shared.player != kb.TERMINAL:
            shared.apply(rng.choice(shared.legal()))

    calls: list[Callable[[], Any]] = [
        lambda: uct.search(state),
        lambda: alphabeta.search(state),
        lambda: known.search(state),
        lambda: agent.act(oware.new().view(0)),
        lambda: pimc.search(view),
        lambda: ismcts.search(view),
        lambda: (view.legal(), view.outline(), view.sample(1)),
        lambda: cfr.iterate(3),
        lambda: cfr.average(0),
        cfr.memory,
        lambda: mccfr.iterate(30),
        lambda: mccfr.average(1),
        lambda: endgame.extend() if endgame.seeds < 6 else endgame.load(b"\0\0\0"),
        lambda: endgame.at([0] * 12),
        lambda: batch.reset(1),
        lambda: batch.step(legal),
        lambda: perft(state, 3),
        lambda: play(state),
        lambda: play(deal),
        lambda: deal.copy().view(0).outline(),
        lambda: play(python),
        lambda: (python.legal(), python.choices(), python.copy()),
    ]
    end = time.monotonic() + seconds
    wrong: list[BaseException] = []
    lock = threading.Lock()

    def work(own: random.Random) -> None:
        done: Counter[str] = Counter()
        while time.monotonic() < end and not wrong:
            try:
                own.choice(calls)()
                done["calls answered"] += 1
            except kb.Error:
                done["refused"] += 1
            except BaseException as error:
                wrong.append(error)
        with lock:
            tried.update(done)

    workers = [threading.Thread(target=work, args=(random.Random(rng.random()),)) for _ in range(THREADS)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if wrong:
        raise wrong[0]


def leaks(seconds: float, rng: random.Random, tried: Counter[str]) -> None:
    """Pairs of positions that look alike to a player: so do their views, and the worlds drawn from those."""
    games = [case.make() for case in HIDDEN]
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        game = rng.choice(games)
        for state in walk(game, rng.randrange(2**32)):
            for player in range(game.info.players):
                view = state.view(player)
                seeds = rng.randrange(2**32), rng.randrange(2**32)
                twin = view.sample(seeds[0]).view(player)
                found = f"{game!r}: player {player} in {state.position()}, seeds {seeds}"
                assert view_face(twin) == view_face(view), found
                assert face_now(twin.sample(seeds[1])) == face_now(view.sample(seeds[1])), found
                tried["pairs of positions without a leak"] += 1


def faulty_games(seconds: float, rng: random.Random, tried: Counter[str]) -> None:
    """Games whose methods answer wrongly now and then, in every search: a result or an error."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        rules = sound(hidden=rng.random() < 0.5)
        share = rng.choice([0.01, 0.1, 1.0])
        for name in rng.sample(list(FAULTS), rng.randint(1, 3)):
            method, fault, _ = FAULTS[name]
            setattr(rules.state, method, _sometimes(getattr(rules.state, method), fault, share, rng))
        for use in uses(rules.make()).values():
            try:
                use()
                tried["uses of a faulty game answered"] += 1
            except (kb.Error, TypeError, AttributeError):
                tried["refused"] += 1


def _sometimes(right: Any, wrong: Any, share: float, rng: random.Random) -> Any:
    def method(self: Any, *arguments: Any) -> Any:
        return wrong(self) if rng.random() < share else right(self, *arguments)

    return method


def damaged_files(seconds: float, rng: random.Random, tried: Counter[str]) -> None:
    """Databases and policies with bytes changed, or cut off: read, or refused in words."""
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        game = kb.game("nim")
        with Store.open(folder / "good.db") as store:
            kb.arena.match(game, ["random", "random"], games=50, store=store)
        with sqlite3.connect(folder / "good.db") as plain:
            plain.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            plain.execute("PRAGMA journal_mode=DELETE")
        plain.close()
        Policy.uniform("kuhn").save(folder / "good.npz")
        good = {kind: (folder / f"good.{kind}").read_bytes() for kind in ("db", "npz")}

        def read_store(file: Path) -> None:
            with Store.open(file, wait=0.1) as store:
                for run in store.runs():
                    run.to_dict()
                    list(store.rows(run.id))

        readers: dict[str, Callable[[Path], object]] = {"db": read_store, "npz": Policy.load}
        while time.monotonic() < end:
            kind = rng.choice(list(good))
            content = bytearray(good[kind])
            for _ in range(rng.choice([1, 3, 20])):
                content[rng.randrange(len(content))] = rng.randrange(256)
            file = folder / f"{rng.randrange(10**12)}.{kind}"
            file.write_bytes(content[: rng.choice([len(content), rng.randrange(len(content))])])
            try:
                readers[kind](file)
                tried["damaged files read"] += 1
            except kb.Error as error:
                if file.name not in str(error):
                    raise
                tried["refused"] += 1
            for left in folder.glob(f"{file.name}*"):
                left.unlink()
