"""How a game is written down for nets: the board that its tensor is, and what may be turned or mirrored."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kiebitz._core import Game

Order = NDArray[np.int64]


@dataclass(frozen=True)
class Symmetry:
    """A second way to look at every position: place i of the other tensor holds number ``tensor[i]`` of this one, and
    action a there is action ``actions[a]`` here."""

    tensor: Order
    actions: Order


@dataclass(frozen=True)
class Encoding:
    """How a game is written down for nets. Generic: numbers in no order, nothing to turn."""

    def board(self, game: Game) -> tuple[int, int, int]:
        """Planes, rows and columns, if the whole tensor is a board; zeros: it is none."""
        del game
        return (0, 0, 0)

    def counts(self, game: Game) -> tuple[float, int]:
        """A scale that makes counts of all numbers, and one more than the largest of them (larger ones are taken for
        it), if nets learn more easily from each count by itself; zeros: they do not."""
        del game
        return (0.0, 0)

    def paid(self, game: Game, seats: NDArray[np.int64], tensors: NDArray[np.float32]) -> NDArray[np.float32] | None:
        """What the player of each row has put at stake since the game began, so that learners can count it when it is
        paid; None: nobody pays before the end."""
        del game, seats, tensors
        return None

    def symmetries(self, game: Game) -> Sequence[Symmetry]:
        """All ways to turn or mirror a position that change nothing in the game, the identity left out."""
        del game
        return ()


class BoardEncoding(Encoding, ABC):
    """A tensor of planes over a board."""

    @abstractmethod
    def cells(self, game: Game) -> tuple[int, int]:
        """Rows and columns."""

    def board(self, game: Game) -> tuple[int, int, int]:
        """As many planes as the tensor has room for."""
        rows, columns = self.cells(game)
        return (game.info.tensor_size // (rows * columns), rows, columns)

    def moved(self, game: Game, cells: Order) -> Order:
        """The order of the tensor's numbers when the board is looked at with its cells in another order."""
        planes = np.arange(game.info.tensor_size).reshape(-1, cells.size)
        return planes[:, cells.reshape(-1)].reshape(-1)
