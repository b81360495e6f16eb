"""The one game of the Oware service: its players, whose turn it is, and what each player is told.

It follows the web service of the Oware thesis: two players register, move in turn and sign off; when both have left the
next game can begin. The game lives in memory. An abandoned game is given up after a while.
"""

from __future__ import annotations

import re
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kiebitz._core import TERMINAL, State
from kiebitz.games import game as make_game

PITS = 6
LONGEST_NAME = 40
_NOT_SHOWN = r"\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069"
NAME = rf"^[^{_NOT_SHOWN}]*[^\s{_NOT_SHOWN}][^{_NOT_SHOWN}]*$"
"""At least one visible character, and none that breaks a line or changes its direction."""
THINKING = 1800.0
"""Seconds after which a game without a move is given up."""
IDLE = 300.0
"""Seconds after which a game is given up that waits for a second player, or that is over and was not left."""


class RefusedError(Exception):
    """A refused request, which has changed nothing: a status, a code for programs and plain words for people."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code, self.message = status, code, message


@dataclass
class Player:
    """One of the two players."""

    id: str
    name: str
    seat: int


class OwareService:
    """One game at a time, by the rules of the thesis.

    >>> service = OwareService()
    >>> ada, bob = service.register("Ada"), service.register("Bob")
    >>> bob["opponent"], service.move(ada["id"], 5)["board"][:7]
    ('Ada', [3, 3, 3, 3, 3, 0, 4])
    >>> service.status(bob["id"])["board"][:7]  # turned, so that Bob's row comes first
    [4, 4, 4, 3, 3, 3, 3]
    """

    def __init__(
        self, *, thinking: float = THINKING, idle: float = IDLE, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._game = make_game("oware", preset="thesis")
        self._thinking, self._idle, self._clock = thinking, idle, clock
        self._lock = threading.RLock()
        self._reset()

    def _reset(self) -> None:
        self._players: dict[str, Player] = {}
        self._names: list[str] = []
        self._state: State = self._game.root()
        self._last: tuple[int, int] | None = None
        self._changed = self._seen = self._clock()

    # --- What players ask for -----------------------------------------------------------------------------------------

    def register(self, name: Any) -> dict[str, Any]:
        """Adds a player, who gets an id that nobody can guess; the first one moves first."""
        name = _name(name)
        with self._lock:
            self._give_up()
            if len(self._names) == 2:
                raise RefusedError(
                    409, "game_full", "two players are registered already; try again when both have left"
                )
            player = Player(secrets.token_urlsafe(18), name, len(self._names))
            self._players[player.id] = player
            self._names.append(name)
            self._touch()
            return {"id": player.id, "opponent": self._names[0] if player.seat == 1 else None}

    def status(self, id: Any) -> dict[str, Any]:
        """The game as the player sees it."""
        with self._lock:
            player = self._find(id)
            self._seen = self._clock()
            return self._status(player)

    def move(self, id: Any, pit: Any) -> dict[str, Any]:
        """Sows from one of the player's own pits, 0 to 5, and returns the new status."""
        if isinstance(pit, float) and pit.is_integer():  # in JSON, 2.0 is a whole number
            pit = int(pit)
        if not isinstance(pit, int) or isinstance(pit, bool) or not 0 <= pit < PITS:
            raise RefusedError(400, "bad_pit", f"pit: expected a whole number from 0 to {PITS - 1}")
        with self._lock:
            player = self._find(id)
            self._check_turn(player)
            if pit not in self._state.legal():
                raise RefusedError(400, "illegal_pit", f"pit {pit} is empty: expected one of {self._state.legal()}")
            self._state.apply(pit)
            self._last = (player.seat, pit)
            self._touch()
            return self._status(player)

    def leave(self, id: Any) -> None:
        """Removes the player; when both have left, the service is ready for the next game."""
        with self._lock:
            player = self._find(id)
            del self._players[player.id]
            self._touch()
            if not self._players:
                self._reset()

    def board(self, id: Any) -> str:
        """The game as text: the player's own row at the bottom, pits with their numbers."""
        with self._lock:
            status = self.status(id)
        own, far = status["board"][:PITS], status["board"][PITS:]
        opponent = status["opponent"] or "nobody yet"
        lines = [
            f"{opponent}: {status['opponent_captured']} captured",
            "  " + "".join(f"{pit:>4}" for pit in reversed(range(PITS))),
            "  " + "".join(f"{seeds:>4}" for seeds in reversed(far)),
            "  " + "".join(f"{seeds:>4}" for seeds in own),
            "  " + "".join(f"{pit:>4}" for pit in range(PITS)),
            f"{status['name']} (you): {status['captured']} captured",
            _situation(status),
        ]
        return "\n".join(lines) + "\n"

    # --- Helpers ------------------------------------------------------------------------------------------------------

    def _status(self, player: Player) -> dict[str, Any]:
        at = self._state.position()
        seat, other = player.seat, 1 - player.seat
        over = self._state.player == TERMINAL
        complete = len(self._names) == 2
        left = complete and len(self._players) < 2
        turn = complete and not left and self._state.player == seat
        winner = None
        if over:
            own = self._state.returns()[seat]
            winner = "you" if own > 0 else "opponent" if own < 0 else "draw"
        pits: list[int] = at["pits"]
        return {
            "id": player.id,
            "name": player.name,
            "opponent": self._names[other] if complete else None,
            "your_turn": turn,
            "board": pits[PITS * seat :] + pits[: PITS * seat],
            "captured": at["captured"][seat],
            "opponent_captured": at["captured"][other],
            "legal": list(self._state.legal()) if turn else [],
            "moves": at["plies"],
            "last_move": None
            if self._last is None
            else {"by": "you" if self._last[0] == seat else "opponent", "pit": self._last[1]},
            "over": over,
            "winner": winner,
            "opponent_left": left,
        }

    def _check_turn(self, player: Player) -> None:
        if self._state.player == TERMINAL:
            raise RefusedError(409, "game_over", "the game is over")
        if len(self._names) < 2:
            raise RefusedError(409, "no_opponent", "there is no opponent yet")
        if len(self._players) < 2:
            raise RefusedError(409, "opponent_left", "the opponent has left the game")
        if self._state.player != player.seat:
            raise RefusedError(409, "wrong_turn", "it is the opponent's turn")

    def _find(self, id: Any) -> Player:
        if not isinstance(id, str) or not id:
            raise RefusedError(400, "bad_id", "id: expected the id that registering gave")
        self._give_up()
        # The time of a comparison must not hint at an id; there are at most two.
        for known, player in self._players.items():
            if secrets.compare_digest(known.encode(), id.encode(errors="replace")):
                return player
        raise RefusedError(404, "unknown_id", "no player of this game has this id")

    def _touch(self) -> None:
        self._changed = self._seen = self._clock()

    def _give_up(self) -> None:
        """Ends a game that nobody comes back to."""
        if not self._names:
            return
        now = self._clock()
        waiting = len(self._names) < 2
        done = self._state.player == TERMINAL or len(self._players) < len(self._names)
        since = self._seen if waiting else self._changed
        if now - since > (self._idle if waiting or done else self._thinking):
            self._reset()


def _name(name: Any) -> str:
    """The name without surrounding spaces; raises RefusedError if it cannot be shown."""
    refused = RefusedError(400, "bad_name", f"name: expected 1 to {LONGEST_NAME} characters that can be shown")
    if not isinstance(name, str) or len(name) > LONGEST_NAME or not re.fullmatch(NAME, name):
        raise refused
    if name.encode(errors="replace").decode() != name:  # lone surrogates
        raise refused
    return name.strip()


def _situation(status: dict[str, Any]) -> str:
    if status["over"]:
        return {"you": "you win", "opponent": "the opponent wins", "draw": "a draw"}[status["winner"]]
    if status["opponent"] is None:
        return "waiting for an opponent"
    if status["opponent_left"]:
        return "the opponent has left"
    return "your turn" if status["your_turn"] else "the opponent's turn"
