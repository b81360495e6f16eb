"""One game of a plan, from the deal to its row. An agent that fails, cheats or is late harms itself, never the run."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any

from kiebitz._core import TERMINAL, GameInfo, State
from kiebitz.agents.base import Agent
from kiebitz.agents.cheat import Cheat
from kiebitz.arena.metrics import find_metric
from kiebitz.arena.plan import Limits, Plan
from kiebitz.errors import FaultyGame
from kiebitz.games import declaration_of
from kiebitz.plugins import told
from kiebitz.store.rows import FORFEIT, Row

TIMEOUT = "timeout"
LONGEST_REASON = 1000
"""Characters that are kept of why an agent failed."""
HEAD = 200
"""Of these, how many are the beginning."""
RING_AGAIN = 1.0
"""Seconds after which an alarm rings again if nobody heard it: long enough to tidy up after the first ring."""


class Overtime(BaseException):
    """An agent has run out of time. Not an Exception: agents that catch everything must not catch this."""


class _ForfeitError(Exception):
    """An agent failed."""

    def __init__(self, seat: int, words: str) -> None:
        super().__init__(words)
        self.seat = seat
        self.words = words


def choose(agent: Agent, state: State) -> int:
    """Asks an agent for its move, giving it no more than it may see."""
    if isinstance(agent, Cheat):
        return agent.act_state(state)
    return agent.act(state.view(state.player))


def _choose_within(seconds: float, agent: Agent, state: State) -> int:
    with alarm(seconds):
        return choose(agent, state)


def default_action(state: State) -> int:
    """What is played for an agent that says nothing: what the game declares for it, or to decline, or the first action.

    >>> import kiebitz as kb
    >>> state = kb.game("leduc").new(seed=1)
    >>> state.name(default_action(state))
    'check'
    """
    legal = state.legal()
    for kind in declaration_of(state.game).players.defaults:
        for action in legal:
            if state.kind(action) == kind:
                return action
    decline = state.game.info.decline
    return decline if decline in legal else legal[0]


def forfeit_payoffs(info: GameInfo, seat: int) -> tuple[float, ...]:
    """The payoffs of a game in which one seat failed: the least for that seat. The others share the rest of the sum, or
    each get the most if payoffs have no fixed sum.

    >>> import kiebitz as kb
    >>> forfeit_payoffs(kb.game("leduc").info, 0)
    (-13.0, 13.0)
    """
    least, others = info.min_payoff, info.players - 1
    fixed = info.utility in ("zero_sum", "constant_sum")
    other = (info.payoff_sum - least) / others if fixed and others else info.max_payoff
    return tuple(least if i == seat else other for i in range(info.players))


class _GameInPlay:
    """One game while it is played."""

    def __init__(self, plan: Plan, number: int) -> None:
        self.plan = plan
        self.unlimited = plan.limits == Limits()
        self.job = plan.job(number)
        players = plan.game.info.players
        self.moves, self.seconds, self.slowest = [0] * players, [0.0] * players, [0.0] * players
        self.events: list[tuple[int, str, str]] = []
        self.played: list[tuple[int, int]] = []
        self.choices = 0

    def play(self) -> Row:
        plan, job = self.plan, self.job
        state = plan.start(job.deal)
        metrics: dict[str, Any] = {}
        agents: list[Agent] = []
        try:
            for seat, agent in enumerate(job.seating):
                agents.append(self._seat(seat, agent))
            while state.player != TERMINAL:
                self._turn(agents, state)
        except _ForfeitError as failed:
            self.events.append((failed.seat, FORFEIT, failed.words))
            payoffs = forfeit_payoffs(plan.game.info, failed.seat)
        else:
            payoffs = tuple(state.returns())
            for name in plan.metrics:
                metrics.update(find_metric(name)(state, self.played))
        finally:
            for agent_there in agents:
                agent_there.close()
        return Row(
            job.number,
            job.deal,
            job.seating,
            payoffs,
            len(self.played),
            self.choices,
            tuple(self.moves),
            tuple(self.seconds),
            tuple(self.slowest),
            tuple(self.events),
            metrics,
            tuple(state.history),
        )

    def _seat(self, seat: int, agent: int) -> Agent:
        try:
            return self.plan.agent(agent, self.plan.seat_seed(self.job.deal, seat))
        except (Exception, SystemExit) as error:
            raise _ForfeitError(seat, _words(error)) from error

    def _turn(self, agents: Sequence[Agent], state: State) -> None:
        seat, legal = state.player, state.legal()
        action = legal[0] if len(legal) == 1 else self._ask(agents[seat], state, legal)
        self.choices += len(legal)
        self.played.append((seat, action))
        state.apply(action)

    def _ask(self, agent: Agent, state: State, legal: list[int]) -> int:
        seat = state.player
        left = None if self.unlimited else _left(self.plan.limits, self.seconds[seat])
        self.moves[seat] += 1
        action: Any = None
        late = left == 0
        begun = time.perf_counter()
        try:
            if not late:
                agent.prepare(left)
                begun = time.perf_counter()
                action = choose(agent, state) if left is None else _choose_within(left, agent, state)
        except Overtime:
            late = True
        except FaultyGame:
            raise  # no agent's fault, and no game can be played
        except (Exception, SystemExit) as error:
            raise _ForfeitError(seat, _words(error)) from error
        took = time.perf_counter() - begun
        self.seconds[seat] += took
        self.slowest[seat] = max(self.slowest[seat], took)
        if late or (left is not None and took > left):
            self.events.append((seat, TIMEOUT, f"{took:.3f} s at move {self.moves[seat]}"))
            return default_action(state)
        if action not in legal:
            raise _ForfeitError(seat, f"played {action!r:.60}, which is not legal")
        return int(action)


def play(plan: Plan, number: int) -> Row:
    """Plays one game of a plan.

    >>> import kiebitz as kb
    >>> plan = Plan(kb.game("nim"), ("nim_perfect", "random"), games=2, seed=1)
    >>> play(plan, 0).payoffs
    (1.0, -1.0)
    """
    return _GameInPlay(plan, number).play()


def _left(limits: Limits, spent: float) -> float | None:
    """What is left of the limits for the next move."""
    game = None if limits.game_seconds is None else max(0.0, limits.game_seconds - spent)
    given = [seconds for seconds in (limits.move_seconds, game) if seconds is not None]
    return min(given) if given else None


def _words(error: BaseException) -> str:
    """Why an agent failed: the message and, if it is long, the end of it, where programs and tracebacks say why."""
    words = told(error)
    return words if len(words) <= LONGEST_REASON else f"{words[:HEAD]} ... {words[HEAD - LONGEST_REASON :]}"


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Raises Overtime inside the block after `seconds`: searches of the core and Python code both notice.

    Only the main thread of a process can be interrupted like this, and not on every system: elsewhere nothing happens,
    and the caller has to look at the clock. It rings repeatedly, because an alarm inside a finalizer goes unheard.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return
    armed = True

    def ring(signum: int, frame: FrameType | None) -> None:
        del signum, frame
        if armed:
            raise Overtime

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, RING_AGAIN)
    try:
        yield
    finally:
        armed = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
