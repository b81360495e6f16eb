"""Other people's games and agents: Python files that somebody names, and installed packages that announce themselves.

Both are code and are trusted like any program. A package announces its games and agents by entry points, whose modules
register them when they are imported:

    [project.entry-points."kiebitz.agents"]
    my_bot = "my_package.bot"
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import importlib.metadata
import importlib.util
import os
import sys
import traceback
import warnings
from pathlib import Path
from types import ModuleType

from kiebitz.errors import UnknownName


def run_file(path: str | Path) -> ModuleType:
    """Runs a Python file as a module of its own. A file that is run again replaces what it defined before.

    >>> run_file("no_such_file.py")
    Traceback (most recent call last):
    ...
    FileNotFoundError: [Errno 2] No such file or directory: 'no_such_file.py'
    """
    path = Path(path)
    with path.open("rb"):
        place = path.resolve()
    digest = hashlib.blake2b(str(place).encode(), digest_size=4).hexdigest()
    spec = importlib.util.spec_from_file_location(f"kiebitz_file_{path.stem}_{digest}", place)
    if spec is None or spec.loader is None:
        raise UnknownName(f"{path}: expected a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[spec.name]
        raise UnknownName(f"{path}: {told(error)}") from error
    return module


def told(error: BaseException) -> str:
    """An error with the place in other people's code where it was raised, if it was raised there.

    >>> told(ValueError("no"))
    'ValueError: no'
    """
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(os.sep)]
    ours = str(Path(__file__).parent) + os.sep
    file = next((frame.filename for frame in frames if not frame.filename.startswith(ours)), None)
    lines = [frame.lineno for frame in frames if frame.filename == file]
    place = f"{Path(str(file)).name}, line {lines[-1]}: " if lines else ""
    return f"{place}{type(error).__name__}: {error}"


def source_of_module(name: str) -> tuple[str, str]:
    """Where a module lives, for other processes: its name and its file.

    >>> source_of_module("kiebitz.plugins")[0]
    'kiebitz.plugins'
    """
    return name, str(getattr(sys.modules.get(name), "__file__", None) or "")


def bring(module: str, file: str) -> None:
    """Imports a module that another process named, or runs its file."""
    try:
        importlib.import_module(module)
    except ImportError:
        if file:
            run_file(file)


@functools.cache
def load_installed(group: str) -> None:
    """Imports what installed packages announce in a group of entry points; one that fails is a warning, not an error.

    >>> load_installed("kiebitz.games")
    """
    for entry in importlib.metadata.entry_points(group=group):
        try:
            entry.load()
        except Exception as error:
            warnings.warn(f"{entry.value} ({group}) cannot be loaded: {told(error)}", stacklevel=2)
