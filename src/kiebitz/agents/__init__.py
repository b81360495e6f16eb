"""Everything that can sit at a table: one file each, built from spec strings. See ``base`` for how to add one."""

from kiebitz.agents.base import Agent, agent, agent_class, agent_options, create, list_agents, load, register
from kiebitz.analysis import ActionValueLike, AnalysisLike, PlainActionValue, PlainAnalysis

__all__ = [
    "ActionValueLike",
    "Agent",
    "AnalysisLike",
    "PlainActionValue",
    "PlainAnalysis",
    "agent",
    "agent_class",
    "agent_options",
    "create",
    "list_agents",
    "load",
    "register",
]
