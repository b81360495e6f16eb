"""Games for other people's learners: a PettingZoo environment, and a fast one that steps many games at once.

`env` needs PettingZoo (the extra ``env``). The others need NumPy only: `VectorEnv`, `SoloEnv`, where the other seats
belong to the environment, and `TransitionEnv`, one game at a time with each player's own transitions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiebitz._core import Game
from kiebitz.env.solo import Rewards, SoloEnv
from kiebitz.env.transitions import Transition, TransitionEnv
from kiebitz.env.vector import VectorEnv
from kiebitz.errors import Error

if TYPE_CHECKING:
    from kiebitz.env.aec import GameEnv

__all__ = ["Rewards", "SoloEnv", "Transition", "TransitionEnv", "VectorEnv", "env"]


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
