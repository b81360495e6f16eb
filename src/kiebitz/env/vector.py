"""Many games of one kind stepped at once by the core, for learners that need millions of decisions.

The arrays are made once and written in place by every step; copy what you want to keep.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kiebitz._core import Batch, Game
from kiebitz.errors import ParameterError, UnsuitableGame
from kiebitz.games.registry import game as make_game


class VectorEnv:
    """``games`` games side by side; finished ones start anew at once, and chance is resolved inside.

    >>> import numpy as np
    >>> env = VectorEnv("leduc", games=256, seed=7)
    >>> env.observation.shape, env.mask.shape, env.player[:3].tolist()
    ((256, 30), (256, 6), [0, 0, 0])
    >>> finished = 0
    >>> for _ in range(20):
    ...     env.step(env.mask.argmax(axis=1))  # the first legal action everywhere
    ...     finished += int(env.done.sum())
    >>> finished > 256, float(env.rewards.sum())
    (True, 0.0)
    """

    observation: NDArray[np.float32]
    """(games, tensor_size): what the player to move knows."""
    mask: NDArray[np.int8]
    """(games, actions): 1 for each legal action."""
    player: NDArray[np.int32]
    """(games,): who is to move; TERMINAL where a game is over before anybody moved (any action goes on from there)."""
    rewards: NDArray[np.float64]
    """(games, players): the payoffs of the game that the last step ended; 0 where it ended none."""
    done: NDArray[np.bool_]
    """(games,): whether the last step ended a game. All other arrays then speak of the next game already."""
    gains: NDArray[np.float64]
    """(games, players): what the last step added to the evaluation `gains` of each player; 0 without one."""
    episode: NDArray[np.int64]
    """(games,): the number of the game; row r plays r, r + games, r + 2 games, ..."""
    seed: NDArray[np.uint64]
    """(games,): ``Game.new(seed)`` meets the same chance."""

    def __init__(self, game: Game | str, games: int = 256, seed: int = 0, gains: str = "") -> None:
        self.game = make_game(game) if isinstance(game, str) else game
        info = self.game.info
        if info.tensor_size == 0:
            raise UnsuitableGame(f"{info.name} has no tensor to learn from: give it tensor_size and tensor()")
        if isinstance(games, bool) or not isinstance(games, int) or not 1 <= games < 2**31:
            raise ParameterError(f"games: expected a whole number of at least 1, got {games!r:.60}")
        self.games = games
        self._batch = Batch(self.game, games, gains)
        for name in ("observation", "mask", "player", "rewards", "done", "gains", "episode", "seed"):
            setattr(self, name, getattr(self._batch, name))
        self.reset(seed)

    def reset(self, seed: int = 0) -> None:
        """Starts all games anew; the same seed and the same actions give the same games.

        >>> env = VectorEnv("kuhn", games=2)
        >>> env.reset(seed=3)
        >>> env.episode.tolist(), env.done.tolist()
        ([0, 1], [False, False])
        """
        if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**64:
            raise ParameterError(f"seed: expected a whole number from 0 to 2**64 - 1, got {seed!r:.60}")
        self._batch.reset(seed)

    def step(self, actions: ArrayLike, rows: NDArray[np.bool_] | None = None) -> None:
        """Plays one action in each game, or in those of `rows`. One that is illegal raises `IllegalAction` and no game
        changes.

        >>> env = VectorEnv("tic_tac_toe", games=3)
        >>> env.step([0, 4, 8])
        >>> env.mask.sum(axis=1).tolist()
        [8, 8, 8]
        >>> env.step([1, 1, 1], rows=np.array([True, False, False]))
        >>> env.mask.sum(axis=1).tolist()
        [7, 8, 8]
        """
        chosen = np.asarray(actions)
        if chosen.shape != (self.games,) or chosen.dtype.kind not in "iu":
            raise ParameterError(
                f"actions: expected {self.games} whole numbers, got an array of {chosen.dtype} and shape {chosen.shape}"
            )
        if chosen.size and chosen.max() > np.iinfo(np.int64).max:
            raise ParameterError(f"actions: expected numbers below {self.game.info.actions}, got {chosen.max()}")
        moving = None if rows is None else checked_rows(rows, self.games)
        self._batch.step(np.ascontiguousarray(chosen, np.int64), moving)

    def restart(self, rows: NDArray[np.bool_]) -> None:
        """Gives up the games of `rows`: the next ones begin there.

        >>> env = VectorEnv("tic_tac_toe", games=2)
        >>> env.step([0, 4])
        >>> env.restart(np.array([False, True]))
        >>> env.mask.sum(axis=1).tolist(), env.episode.tolist()
        ([8, 9], [0, 3])
        """
        self._batch.restart(checked_rows(rows, self.games))

    def memory(self) -> dict[str, NDArray[Any]]:
        """Where all games are, as arrays, so that another environment can go on from there.

        >>> import numpy as np
        >>> env, other = VectorEnv("leduc", games=4, seed=3), VectorEnv("leduc", games=4)
        >>> for _ in range(5):
        ...     env.step(env.mask.argmax(axis=1))
        >>> other.load(env.memory())
        >>> bool(np.array_equal(env.observation, other.observation))
        True
        """
        seed, episodes, counts, actions = self._batch.place()
        return {"seed": np.array(seed, np.uint64), "episodes": episodes, "counts": counts, "actions": actions}

    def load(self, memory: Mapping[str, NDArray[Any]]) -> None:
        """Goes where `memory` was taken; `rewards` and `done` are empty until the next step."""
        try:
            places = [np.ascontiguousarray(memory[name], np.int64) for name in ("episodes", "counts", "actions")]
            seed = int(memory["seed"])
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise ParameterError(f"memory: expected what memory() gave: {error!s:.100}") from None
        self._batch.go(seed, *places)

    def __repr__(self) -> str:
        return f"<VectorEnv of {self.games} games of {self.game.name}>"


def checked_rows(rows: ArrayLike, games: int) -> NDArray[np.bool_]:
    """Which games are meant, one true or false for each; anything else is refused."""
    chosen = np.asarray(rows)
    if chosen.shape != (games,) or chosen.dtype != np.bool_:
        raise ParameterError(
            f"rows: expected true or false for each of {games} games, got an array of {chosen.dtype} and shape "
            f"{chosen.shape}"
        )
    return chosen
