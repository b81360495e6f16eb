"""Learning: networks and self-play, one file for each method; PyTorch comes with the extra ``train``.

Whoever only plays needs none of it: what was trained plays through the core (`kiebitz.nets`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kiebitz.errors import Error

if TYPE_CHECKING:
    from kiebitz.learn.method import LearningMethod, find, methods, train

__all__ = ["LearningMethod", "find", "methods", "train"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from kiebitz.learn import method
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("torch", "tensorboard"):
            raise
        raise Error(f"learning needs {error.name}: pip install 'kiebitz[train]'") from None
    return getattr(method, name)
