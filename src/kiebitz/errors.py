"""The errors Kiebitz raises on purpose: all are `kiebitz.Error`, itself a `ValueError`, and say what was expected."""

from kiebitz._core import (
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

__all__ = [
    "BudgetError",
    "Error",
    "FaultyGame",
    "IllegalAction",
    "LimitError",
    "ParameterError",
    "PositionError",
    "TreeError",
    "UnknownName",
    "UnsuitableGame",
    "ViewError",
]
