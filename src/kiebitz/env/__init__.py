"""Games for other people's learners: a PettingZoo environment, and a fast one that steps many games at once.

`env` needs PettingZoo (the extra ``env``); `VectorEnv` needs NumPy only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiebitz._core import Game
from kiebitz.env.vector import VectorEnv
from kiebitz.errors import Error

if TYPE_CHECKING:
    from kiebitz.env.aec import GameEnv

__all__ = ["VectorEnv", "env"]


def env(game: Game | str, render_mode: str | None = None) -> GameEnv:
    """A game as a PettingZoo environment, agents taking turns, with action masks.

    >>> import kiebitz as kb
    >>> env = kb.env("leduc")
    >>> env.reset(seed=7)
    >>> observation, reward, terminated, truncated, info = env.last()
    >>> env.agent_selection, observation["observation"].shape, observation["action_mask"].tolist()
    ('player_0', (30,), [0, 1, 1, 0, 0, 0])
    """
    try:
        from kiebitz.env.aec import GameEnv
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("pettingzoo", "gymnasium"):
            raise
        raise Error("kb.env needs PettingZoo: pip install 'kiebitz[env]'") from None
    return GameEnv(game, render_mode)
