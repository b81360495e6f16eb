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
    except (ImportError, OSError) as error:
        missing = isinstance(error, ModuleNotFoundError)
        if missing and (getattr(error, "name", "") or "").partition(".")[0] not in ("torch", "tensorboard"):
            raise
        why = "" if missing else f" ({error!s:.200})"
        needed = getattr(error, "name", None) if missing else "PyTorch"
        raise Error(f"learning needs {needed}: pip install 'kiebitz[train]'{why}") from None
    return getattr(method, name)
