"""What a method of learning is, and the registry of all of them.

A method is one function in a file of its own, with the dataclass of its options above it:

    @register("nobody", NobodyOptions)
    def nobody(game: Game, options: NobodyOptions, run: Run) -> NetFile:
        '''Learns nothing.'''

Then ``kiebitz train GAME nobody`` and `kiebitz.learn.train` know it. A game declares how it is set for it, for as much
time as there is (``toy``, ``laptop``, ``thesis``).
"""

from __future__ import annotations

import importlib
import pkgutil
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kiebitz._core import Game, StopToken
from kiebitz.errors import ParameterError, UnknownName, UnsuitableGame
from kiebitz.games import declaration_of
from kiebitz.learn.recorded import recorded
from kiebitz.learn.run import Run
from kiebitz.nets import NetFile
from kiebitz.options import OptionInfo, describe, read
from kiebitz.solve.method import Need
from kiebitz.spec import Spec, parse

if TYPE_CHECKING:
    from kiebitz.store.store import Store

PRESETS = ("toy", "laptop", "thesis")


@dataclass(frozen=True)
class LearningMethod:
    """A method that people can ask for."""

    name: str
    title: str
    Options: type[Any]
    needs: tuple[Need, ...]
    function: Callable[[Game, Any, Run], NetFile]

    @property
    def options(self) -> list[OptionInfo]:
        """Its options as people see them."""
        return describe(self.Options)

    def check(self, game: Game) -> None:
        """Refuses games that the method is not made for."""
        if game.info.tensor_size == 0:
            raise UnsuitableGame(f"{game.name} has no tensor to learn from: give it tensor_size and tensor()")
        for need in self.needs:
            if not need.met(game):
                raise UnsuitableGame(f"{self.name} needs {need.words}, which {game.name} is not")


_methods: dict[str, LearningMethod] = {}


def register(
    name: str, options: type[Any], needs: Sequence[Need] = ()
) -> Callable[[Callable[[Game, Any, Run], NetFile]], Callable[[Game, Any, Run], NetFile]]:
    """Makes a function known as a method under a name."""

    def add(function: Callable[[Game, Any, Run], NetFile]) -> Callable[[Game, Any, Run], NetFile]:
        title = (function.__doc__ or name).partition("\n")[0].rstrip(".")
        _methods[name] = LearningMethod(name, title, options, tuple(needs), function)
        return function

    return add


def methods() -> dict[str, LearningMethod]:
    """All methods: every module of this folder is imported once.

    >>> "nfsp" in methods()
    True
    """
    package = importlib.import_module("kiebitz.learn")
    for module in pkgutil.iter_modules(package.__path__, "kiebitz.learn."):
        importlib.import_module(module.name)
    return dict(sorted(_methods.items()))


def find(spec: str | Spec, game: Game, preset: str | None = None, **more: Any) -> tuple[LearningMethod, Any]:
    """The method of a spec and its options for a game: those of the preset, then those of the spec, then `more`.

    >>> import kiebitz as kb
    >>> method, options = find("nfsp(hidden=8)", kb.game("kuhn"), "toy")
    >>> method.name, options.hidden
    ('nfsp', 8)
    """
    spec = parse(spec) if not isinstance(spec, Spec) else spec
    known = methods()
    if spec.name not in known:
        raise UnknownName(f"there is no method '{spec.name}'; expected one of {', '.join(known)}")
    method = known[spec.name]
    method.check(game)
    given = dict(preset_of(game, spec.name, preset))
    return method, read(spec, method.Options, _over(spec, given) | more)


def _over(spec: Spec, given: Mapping[str, Any]) -> dict[str, Any]:
    """What a preset says and the spec does not."""
    if spec.args:
        raise ParameterError(f"{spec.name}: expected options by name")
    named = {name for name, _ in spec.kwargs}
    return {name: value for name, value in given.items() if name not in named}


def preset_of(game: Game, method: str, preset: str | None) -> Mapping[str, Any]:
    """How a game sets a method."""
    if preset is None:
        return {}
    if preset not in PRESETS:
        raise UnknownName(f"there is no preset '{preset:.60}'; expected one of {', '.join(PRESETS)}")
    declared = declaration_of(game).learning.get(method, {})
    if preset not in declared:
        if declared:
            advice = f"expected {' or '.join(declared)}"
        else:
            all_declared = declaration_of(game).learning
            others = [f"{name} ({', '.join(presets)})" for name, presets in all_declared.items() if presets]
            advice = (
                f"without a preset {method} runs with its defaults; presets of the game: {', '.join(others) or 'none'}"
            )
        raise UnsuitableGame(f"{game.name} has no preset '{preset}' for {method}: {advice}")
    return declared[preset]


def train(
    game: Game,
    method: str | Spec,
    folder: str | Path,
    preset: str | None = None,
    *,
    stop: StopToken | None = None,
    report: Any = None,
    store: Store | None = None,
    command: str = "",
    warn: Callable[[str], object] = warnings.warn,
    **options: Any,
) -> NetFile:
    """Trains a net; a run that is kept in `folder` goes on where it was.

    A store gets to know of the run; `command` is what was typed to start it, and `warn` is called if the store cannot
    be written.

    >>> import tempfile, kiebitz as kb
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     net = train(kb.game("kuhn"), "nfsp", folder + "/run", steps=30, measure_every=10)
    >>> net.card.method, net.card.steps, net.card.results["exploitability"] < 1
    ('nfsp', 30, True)
    """
    if not isinstance(game, Game):
        raise ParameterError(f"game: expected a game, as kiebitz.game(NAME) makes it, got {game!r:.60}")
    if not isinstance(folder, str | Path):
        raise ParameterError(f"folder: expected the name of a folder, got {folder!r:.60}")
    found, chosen = find(method, game, preset, **options)
    run = Run(game, found.name, chosen, folder, stop=stop, report=report)
    try:
        with recorded(store, run, command, warn):
            net = found.function(game, chosen, run)
            net.save(Path(folder) / "net.npz")
    finally:
        run.let_go()
    return net
