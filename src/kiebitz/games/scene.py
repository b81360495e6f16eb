"""A state as people look at it: its views, their outlines and what everybody knows, each computed once."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from kiebitz._core import TERMINAL, State, View
from kiebitz.errors import UnsuitableGame
from kiebitz.games.declaration.facts import Public, SecretRound
from kiebitz.games.registry import declaration_of


class Scene:
    """A state that does not change any more, with what was found out about it.

    >>> import kiebitz as kb
    >>> scene = Scene(kb.game("nim").new())
    >>> scene.public, scene.phase, scene.turn
    ({'heaps': [1, 3, 5, 7]}, 'move', 0)
    >>> scene.view(1) is scene.view(1)
    True
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self.game = state.game
        self.facts = declaration_of(state.game).facts
        self._views: dict[int, View] = {}
        self._asked: dict[int, View | None] = {}
        self._outlines: dict[int, dict[str, Any] | None] = {}

    def view(self, seat: int) -> View:
        """What a seat knows."""
        if seat not in self._views:
            self._views[seat] = self.state.view(seat)
        return self._views[seat]

    @property
    def some_view(self) -> View:
        """Any view, for what is the same in all: one that was made already, or that of the player to move."""
        return next(iter(self._views.values()), None) or self.view(max(0, self.state.player))

    def view_if_asked(self, seat: int) -> View | None:
        """The view of a seat as if it were asked in a secret round now; None if it has nothing to say."""
        if seat not in self._asked:
            self._asked[seat] = self.view(seat).if_asked()
        return self._asked[seat]

    def outline(self, seat: int) -> dict[str, Any] | None:
        """What the rules say about a view beside public facts; None for games whose views say it all."""
        if seat not in self._outlines:
            try:
                self._outlines[seat] = self.view(seat).outline(public=False)
            except UnsuitableGame:
                self._outlines[seat] = None
        return self._outlines[seat]

    @cached_property
    def known(self) -> Public:
        """What everybody knows by the rules; empty for games that do not say."""
        try:
            return self.some_view.public()
        except UnsuitableGame:
            return {}

    @cached_property
    def public(self) -> Public:
        """What everybody knows, as it is shown."""
        return self.facts.public(self)

    @cached_property
    def round(self) -> SecretRound | None:
        """The secret round before the next public action, if public facts allow one."""
        return None if self.over else self.facts.round(self)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state.player == TERMINAL

    @cached_property
    def phase(self) -> str:
        """The phase outside secret rounds."""
        return "over" if self.over else self.facts.phase(self)

    @cached_property
    def turn(self) -> int | None:
        """Whose turn it is, if everybody knows."""
        return self.facts.turn(self)
