"""Every game as an environment of PettingZoo (Terry et al., "PettingZoo: Gym for multi-agent reinforcement learning",
2021), in its form for games in which agents take turns (AEC).

An observation is a dictionary with the tensor of what the agent may know and the mask of its legal actions. Chance is
resolved inside, and payoffs are paid when the game is over.
"""

from __future__ import annotations

import operator
from typing import Any, SupportsIndex

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from kiebitz._core import TERMINAL, Game, State, View
from kiebitz.errors import Error, IllegalAction, LimitError, ParameterError
from kiebitz.games.registry import game as make_game

Observation = dict[str, NDArray[Any]]

TEXT_BYTES = 1024
"""Length of an observation in a game without a tensor: the key of the view in bytes."""

MODES = ["ansi", "human"]


class GameEnv(AECEnv):  # type: ignore[misc]  # PettingZoo comes without types
    """One game at a time; agents are ``player_0``, ``player_1``, ... in the order of their seats.

    >>> import kiebitz as kb
    >>> env = GameEnv("tic_tac_toe", render_mode="ansi")
    >>> env.reset(seed=1)
    >>> for agent in env.agent_iter():
    ...     observation, reward, terminated, truncated, info = env.last()
    ...     env.step(None if terminated else int(observation["action_mask"].argmax()))
    >>> env.result()["returns"]
    [1.0, -1.0]
    """

    def __init__(self, game: Game | str, render_mode: str | None = None) -> None:
        super().__init__()
        if render_mode is not None and render_mode not in MODES:
            raise ParameterError(f"render_mode: expected one of {', '.join(MODES)}, got {render_mode!r:.60}")
        self.game = make_game(game) if isinstance(game, str) else game
        self.render_mode = render_mode
        info = self.game.info
        self.metadata = {"name": f"{info.name}_v1", "render_modes": MODES, "is_parallelizable": False}
        self.possible_agents = [f"player_{seat}" for seat in range(info.players)]
        self.agents: list[str] = []
        self.observation_spaces = {agent: _space(self.game) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(info.actions) for agent in self.possible_agents}
        self._random = np.random.default_rng()
        self._state: State | None = None

    def observation_space(self, agent: str) -> spaces.Dict:
        """What an agent sees: ``observation`` and ``action_mask``."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """All actions of the game; the mask says which are legal."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a game. The seed decides its chance and that of the games after it; without one they just go on."""
        del options
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self._state = self.game.new(seed=int(self._random.integers(2**63)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._next()

    def step(self, action: SupportsIndex | None) -> None:
        """Plays an action for the agent whose turn it is; after the end each agent steps once more, with None.

        An illegal action raises `IllegalAction` and changes nothing. To punish it instead, wrap the environment in
        PettingZoo's ``TerminateIllegalWrapper``.
        """
        state = self._running()
        if not self.agents:
            raise IllegalAction("the game is over: reset the environment")
        if self.terminations[self.agent_selection]:
            if action is not None:
                raise IllegalAction(f"the game is over for {self.agent_selection}: expected None, got {action!r:.60}")
            self._was_dead_step(action)
            return
        try:
            chosen = operator.index(action)  # type: ignore[arg-type]  # None is refused here, like text
        except TypeError:
            raise IllegalAction(f"expected an action as a whole number, got {action!r:.60}") from None
        if not 0 <= chosen < self.game.info.actions:
            raise IllegalAction(f"expected an action from 0 to {self.game.info.actions - 1}, got {action!r:.60}")
        state.apply(chosen)
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        self._next()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """What an agent sees now; its mask is empty unless it is its turn."""
        view = self.view(agent)
        mask = np.zeros(self.game.info.actions, np.int8)
        mask[view.legal()] = 1
        return {"observation": self._numbers(view), "action_mask": mask}

    def view(self, agent: str) -> View:
        """What an agent may know, as agents of Kiebitz see it.

        >>> import kiebitz as kb
        >>> env = GameEnv("nim")
        >>> env.reset()
        >>> kb.agent("nim_perfect", env.game).act(env.view("player_0")) in env.view("player_0").legal()
        True
        """
        if agent not in self.possible_agents:
            raise ParameterError(f"agent: expected one of {', '.join(self.possible_agents)}, got {agent!r:.60}")
        return self._running().view(self.possible_agents.index(agent))

    def result(self) -> dict[str, Any]:
        """The outcome of a finished game in items."""
        return self._running().result()

    def render(self) -> str | None:
        """The whole table as text, everybody's cards included: returned (``ansi``) or printed (``human``)."""
        text = str(self._running())
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """Nothing is open."""

    def _running(self) -> State:
        if self._state is None:
            raise Error("reset the environment first")
        return self._state

    def _next(self) -> None:
        """Sets the agent to move, or pays out."""
        state = self._running()
        if state.player != TERMINAL:
            self.agent_selection = self.possible_agents[state.player]
            return
        self.rewards = dict(zip(self.agents, state.returns(), strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self.agent_selection = self.agents[0]

    def _numbers(self, view: View) -> NDArray[Any]:
        if self.game.info.tensor_size > 0:
            return view.tensor()
        text = view.key.encode()
        if len(text) > TEXT_BYTES:
            raise LimitError(
                f"{self.game.name} has no tensor, and its views do not fit into {TEXT_BYTES} bytes: "
                "give it tensor_size and tensor()"
            )
        return np.frombuffer(text.ljust(TEXT_BYTES, b"\0"), np.uint8).copy()


def _space(game: Game) -> spaces.Dict:
    size = game.info.tensor_size
    numbers = (
        spaces.Box(-np.inf, np.inf, (size,), np.float32) if size > 0 else spaces.Box(0, 255, (TEXT_BYTES,), np.uint8)
    )
    return spaces.Dict({"observation": numbers, "action_mask": spaces.Box(0, 1, (game.info.actions,), np.int8)})
