"""Kiebitz plays, studies and solves games, above all games with hidden cards.

>>> import kiebitz as kb
>>> game = kb.game("tic_tac_toe")
>>> state = game.new(seed=7)
>>> state.apply(state.parse("b2"))
>>> kb.agent("alphabeta(depth=9)", game).act(state.view(1))
0
"""

from kiebitz import agents, arena, games, records, search, solve
from kiebitz._core import (
    CHANCE,
    SOMEBODY,
    TERMINAL,
    ActionKind,
    Analysis,
    Choice,
    Game,
    GameInfo,
    State,
    StopToken,
    View,
)
from kiebitz.agents import Agent, agent, list_agents
from kiebitz.env import env
from kiebitz.errors import (
    BudgetError,
    Error,
    FaultyGame,
    IllegalAction,
    LimitError,
    ParameterError,
    PositionError,
    TreeError,
    UnknownName,
    UnsuitableGame,
    ViewError,
)
from kiebitz.games import PythonGame, PythonState, game, list_games, register
from kiebitz.machine import VERSION
from kiebitz.records import RecordError
from kiebitz.spec import SpecError

__version__ = VERSION

__all__ = [
    "CHANCE",
    "SOMEBODY",
    "TERMINAL",
    "ActionKind",
    "Agent",
    "Analysis",
    "BudgetError",
    "Choice",
    "Error",
    "FaultyGame",
    "Game",
    "GameInfo",
    "IllegalAction",
    "LimitError",
    "ParameterError",
    "PositionError",
    "PythonGame",
    "PythonState",
    "RecordError",
    "SpecError",
    "State",
    "StopToken",
    "TreeError",
    "UnknownName",
    "UnsuitableGame",
    "View",
    "ViewError",
    "agent",
    "agents",
    "arena",
    "env",
    "game",
    "games",
    "list_agents",
    "list_games",
    "records",
    "register",
    "search",
    "solve",
]
