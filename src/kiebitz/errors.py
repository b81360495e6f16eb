"""The errors Kiebitz raises on purpose: all are `kiebitz.Error`, itself a `ValueError`, and say what was expected."""

from kiebitz._core import (
    BudgetError,
    Error,
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
    "IllegalAction",
    "LimitError",
    "ParameterError",
    "PositionError",
    "TreeError",
    "UnknownName",
    "UnsuitableGame",
    "ViewError",
]
