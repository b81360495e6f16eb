"""Objects of the core shared by threads, and the end of the interpreter: refusals, never a crash."""

from __future__ import annotations

import contextlib
import gc
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import kiebitz as kb
from kiebitz import _core
from kiebitz.search import AlphaBeta, Ismcts, OpenHand, Pimc, StopToken, Uct, perft

IN_USE = "in use by another thread"
OWARE, LEDUC, DOPPELKOPF = kb.game("oware"), kb.game("leduc"), kb.game("doppelkopf")
COMPILED = _core.compile(LEDUC)
LONG = 10**10

Call = Callable[[StopToken], object]


def refusal(work: Call, other: Call) -> str:
    """What `other` is told while `work` runs in another thread."""

    def insist() -> None:
        while not token.requested:
            with contextlib.suppress(kb.Error):  # `other` was first
                work(token)

    token, stopped = StopToken(), StopToken()
    stopped.request()  # `other` returns at once if nobody is in its way
    thread = threading.Thread(target=insist)
    thread.start()
    try:
        while True:
            try:
                other(stopped)
            except kb.Error as error:
                return str(error)
    finally:
        token.request()
        thread.join()


def searches() -> dict[str, tuple[Call, Call]]:
    """Of each kind of object that keeps memory: a long call, and another one."""
    start = OWARE.new()
    deal = LEDUC.new(seed=1)
    view = deal.view(deal.player)
    uct, alphabeta = Uct(OWARE, iterations=LONG), AlphaBeta(OWARE, depth=100)
    pimc, ismcts = Pimc(Uct(LEDUC, iterations=10**9, memory_mb=16), worlds=1000), Ismcts(LEDUC, iterations=LONG)
    cfr, mccfr, fictitious = _core.Cfr(COMPILED), _core.Mccfr(COMPILED), _core.FictitiousPlay(COMPILED)
    anchor = _core.LaggingAnchor(COMPILED)
    table = np.array([[0.0, 1.0], [1.0, 0.0]])
    dynamics = _core.Dynamics(table, -table, [np.array([0.5, 0.5])] * 2, "replicator")
    endgame = _core.OwareEndgame(OWARE)
    return {
        "uct": (lambda stop: uct.search(start, stop),) * 2,
        "alphabeta": (lambda stop: alphabeta.search(start, stop),) * 2,
        "pimc": (lambda stop: pimc.search(view, stop),) * 2,
        "ismcts": (lambda stop: ismcts.search(view, stop),) * 2,
        "cfr": (lambda stop: cfr.iterate(LONG, stop), lambda _: cfr.average(0)),
        "mccfr": (lambda stop: mccfr.iterate(LONG, stop), lambda _: mccfr.memory()),
        "fictitious play": (lambda stop: fictitious.iterate(LONG, stop), lambda _: fictitious.iterations),
        "lagging anchor": (lambda stop: anchor.iterate(LONG, stop), lambda _: anchor.current(1)),
        "dynamics": (lambda stop: dynamics.iterate(LONG, stop), lambda _: dynamics.average(0)),
        "endgame table": (endgame.extend,) * 2,
    }


@pytest.mark.parametrize("name", searches().keys())
def test_a_second_thread_is_refused(name: str) -> None:
    work, other = searches()[name]
    assert IN_USE in refusal(work, other)


def test_an_exact_search_of_open_cards_refuses_a_second_thread() -> None:
    state, cards = DOPPELKOPF.new(seed=1), 0
    while cards < 24:
        cards += state.phase == "card"
        state.apply(state.legal()[-1 if state.phase == "call" else 0])
    search = OpenHand(DOPPELKOPF)
    assert IN_USE in refusal(lambda stop: search.search(state, stop), lambda stop: search.search(state, stop))


def test_an_endgame_table_is_read_while_it_grows() -> None:
    table = _core.OwareEndgame(OWARE)
    ending = OWARE.load({"pits": [0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 2], "captured": [16, 16], "player": 0})
    search = AlphaBeta(OWARE, depth=2, known=table)
    thread = threading.Thread(target=lambda: [table.extend() for _ in range(8)])
    thread.start()
    while thread.is_alive():
        assert table.find(ending) in (None, (4, 4, 5))
        assert len(table.data()) % 3 == 0
        search.search(OWARE.new())
    thread.join()
    assert table.find(ending) == (4, 4, 5)


def test_a_search_refuses_a_call_from_its_own_evaluation() -> None:
    game = kb.game("nim")
    refused: list[str] = []

    def evaluation(state: kb.State, player: int) -> float:
        with pytest.raises(kb.Error, match=IN_USE) as error:
            search.search(state)
        refused.append(str(error.value))
        return float(player)

    search = AlphaBeta(game, depth=1, evaluation=evaluation)
    search.search(game.new())
    assert refused
    assert search.search(game.new()).nodes > 0  # and goes on afterwards


def test_a_refused_call_leaves_the_object_usable() -> None:
    search = Uct(OWARE, iterations=100)
    other = LEDUC.new(seed=1)
    with pytest.raises(kb.UnsuitableGame):
        search.search(other)
    assert search.search(OWARE.new()).iterations == 100


def test_a_count_does_not_see_moves_that_are_made_meanwhile() -> None:
    game = kb.game("connect_four")
    state = game.new()
    line = [3, 3, 3, 3, 2, 2, 2, 2]
    expected = set()
    for done in range(len(line) + 1):
        before = game.new()
        for action in line[:done]:
            before.apply(action)
        expected.add(perft(before, 6))
    begun = threading.Event()

    def play() -> None:
        begun.wait()
        for action in line:
            state.apply(action)

    thread = threading.Thread(target=play)
    thread.start()
    begun.set()
    assert perft(state, 6) in expected
    thread.join()


# --- The end of Python and of objects ---------------------------------------------------------------------------------

LEAVING = """
import threading
import kiebitz as kb
from kiebitz.search import AlphaBeta, Uct

game = kb.game("connect_four")
begun = threading.Semaphore(0)

def evaluation(state, player):
    begun.release()
    return 0.0

def native():
    begun.release()
    Uct(game, iterations=10**10).search(game.new())

for work in (native, native, lambda: AlphaBeta(game, depth=20, evaluation=evaluation).search(game.new())):
    threading.Thread(target=work, daemon=True).start()
for _ in range(100):
    begun.acquire()
print("left")
"""


# Short calls without end: Python is left in the middle of one.
SHORT_CALLS = """
import sys, threading
import kiebitz as kb
from kiebitz import _core
from kiebitz.search import Uct

game, leduc = kb.game("oware"), kb.game("leduc")
begun = threading.Semaphore(0)

def think():
    begun.release()
    for _ in range(10_000):
        pass

class Endless(kb.PythonState):
    def player(self):
        think()
        return 0
    def legal(self):
        return [0]
    def apply(self, action):
        pass

class EndlessGame(kb.PythonGame):
    name, state, players, actions, max_length = "endless", Endless, 1, 1, 10**6

class Cycle:
    def __init__(self):
        self.me = self
    def __del__(self):
        think()

def rules():
    EndlessGame().make().new().legal()

def finalisers():
    for _ in range(20):
        Cycle()
    state = game.new()
    kept = [state.legal() for _ in range(2000)]  # the collector runs when one of these lists is made

def searches():
    begun.release()
    Uct(game, iterations=5).search(game.new())

def compiling():
    begun.release()
    _core.compile(leduc)

def repeat(work):
    while True:
        work()

for _ in range(3):
    threading.Thread(target=repeat, args=[globals()[sys.argv[1]]], daemon=True).start()
for _ in range(10):
    begun.acquire()
print("left")
"""


def leave(script: str, *arguments: str) -> None:
    """Runs a script whose threads do not end by themselves: it ends well, and quietly."""
    left = subprocess.run(
        [sys.executable, "-c", script, *arguments], check=False, capture_output=True, text=True, timeout=60
    )
    assert (left.returncode, left.stdout, left.stderr) == (0, "left\n", "")


def test_python_can_be_left_while_threads_search() -> None:
    for _ in range(3):
        leave(LEAVING)


@pytest.mark.parametrize("calls", ["rules", "finalisers", "searches", "compiling"])
def test_python_can_be_left_while_threads_make_short_calls(calls: str) -> None:
    leave(SHORT_CALLS, calls)


# Registered before Kiebitz is imported, so it runs after Kiebitz has ended the calls of other threads.
LAST_WORDS = """
import atexit

def search():
    assert Uct(game, iterations=50).search(game.new()).iterations == 50
    print("left")

atexit.register(search)
import kiebitz as kb
from kiebitz.search import Uct
game = kb.game("oware")
"""


def test_a_program_can_search_on_its_way_out() -> None:
    leave(LAST_WORDS)


def test_a_search_with_an_evaluation_that_holds_it_is_collected() -> None:
    class Holder:
        def __init__(self) -> None:
            game = kb.game("nim")
            self.search = AlphaBeta(game, depth=2, evaluation=self.evaluation)
            self.search.search(game.new())

        def evaluation(self, state: kb.State, player: int) -> float:
            del state
            return float(player)

    held = weakref.ref(Holder())
    gc.collect()
    assert held() is None


# --- What comes back --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", [float("nan"), float("inf"), "high", None])
def test_an_evaluation_that_answers_no_finite_number_is_an_error(answer: Any) -> None:
    game = kb.game("nim")
    with pytest.raises(kb.ParameterError, match="evaluation: expected a finite number, got"):
        AlphaBeta(game, depth=2, evaluation=lambda *_: answer).search(game.new())


def test_an_analysis_is_read_from_good_fields_only() -> None:
    game = kb.game("nim")
    analysis = Uct(game, iterations=50).search(game.new())
    good = analysis.to_dict()
    assert kb.Analysis.from_dict(good).to_dict() == good
    for name in good:
        for bad in (object(), [object()]) if name == "prior_value" else (None, object(), [object()]):
            with pytest.raises(kb.ParameterError, match=f"analysis: {name} cannot be"):
                kb.Analysis.from_dict({**good, name: bad})
        if name in ("exact", "status", "prior_value"):  # which earlier versions did not write
            continue
        with pytest.raises(kb.ParameterError, match=f"analysis: expected a field '{name}'"):
            kb.Analysis.from_dict({other: value for other, value in good.items() if other != name})
