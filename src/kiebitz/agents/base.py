"""What an agent is: the base class with its one hook, and the registry.

A new agent is one file with one subclass:

    @register("first")
    class First(Agent):
        '''Always the first legal action.'''

        def move(self, view: View) -> int:
            return view.legal()[0]

It then has a spec (``first``), appears in ``kiebitz agents`` and can sit in a match. The agents of Kiebitz are files in
this folder (in a folder of the game's name if they play one game only); those of other people come from installed
packages that announce them, or from a file that somebody names (``load``).

An agent sees a View and nothing else. Its move is a pure function of (spec, seed, view): its random numbers come from
``seed_for(view)``. Time budgets and the reuse of trees are exempt; such agents say so in ``pure``. The one kind that
sees the full state is ``cheat(...)``: its class attribute ``sees_state`` is true and it has ``act_state``.
"""

from __future__ import annotations

import copyreg
import dataclasses
import hashlib
import importlib
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from kiebitz._core import Game, State, StopToken, View
from kiebitz.analysis import AnalysisLike, PlainAnalysis
from kiebitz.errors import IllegalAction, UnknownName, UnsuitableGame
from kiebitz.options import NoOptions, OptionInfo, describe, files_in, read, write
from kiebitz.plugins import bring as bring_module
from kiebitz.plugins import load_installed, run_file, source_of_module
from kiebitz.spec import Spec, SpecError, parse

INSTALLED = "kiebitz.agents"
"""The group of entry points in which installed packages announce their agents."""


class Agent(ABC):
    """Anything that can sit at a table. Subclasses override ``move``; everything else has a default."""

    name: ClassVar[str] = ""
    """As written in specs; set by ``register``. Until then it is the name of the class."""
    Options: ClassVar[type[Any]] = NoOptions
    """A frozen dataclass of this agent's options."""
    sees_state: ClassVar[bool] = False
    """True for agents that look at the full state."""
    needs_state: ClassVar[bool] = False
    """True for agents that could play a hidden game only by looking at the full state."""

    runs_code: ClassVar[bool] = False
    """True for agents that start programs or read files of this machine: never offered to strangers."""
    searches: ClassVar[bool] = True
    """False for agents that answer at once, so that the time they take says nothing about what they hold."""
    solves: ClassVar[bool] = False
    """True for agents that walk the whole game before the first move."""
    offered: ClassVar[int] = 0
    """Whether a server lets strangers seat it: never if 0, otherwise its place in the list, the largest first. How much
    they may ask of it is the `most` of each option."""

    stop: StopToken | None = None
    """Set from outside to cut a search short; it then answers with what it has."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.name = cls.__name__

    def __init__(self, game: Game, options: Any = None, seed: int = 0, cheating: bool = False) -> None:
        self.game = game
        self.options = self.Options() if options is None else options
        self.seed = seed
        self.cheating = cheating
        reason = self.unsuitable(game, cheating)
        if reason is not None:
            raise UnsuitableGame(reason)

    # --- For subclasses -----------------------------------------------------------------------------------------------

    @abstractmethod
    def move(self, view: View) -> int:
        """The hook: which action to play. ``view.legal()`` is never empty here."""

    @classmethod
    def unsuitable(cls, game: Game, cheating: bool = False) -> str | None:
        """Why this agent cannot play a game, in a sentence that says what to write instead; None if it can."""
        if cls.needs_state and game.info.hidden and not cheating:
            return (
                f"{cls.name} looks at the full state, and in {game.name} players see only part of it: "
                f"write cheat({cls.name}(...)) to let it look, for study"
            )
        return None

    @property
    def pure(self) -> bool:
        """Whether the move depends on nothing but spec, seed and view."""
        return _pure(self.options)

    @classmethod
    def simulations(cls, options: Any) -> int:
        """How many simulations a move takes by these options, for a server that bounds them; 1 if they do not say."""
        return getattr(options, "iterations", None) or 1

    @property
    def megabytes(self) -> float:
        """How much memory it may take by its options, for a server that shares it out.

        >>> import kiebitz as kb
        >>> [kb.agent(spec, kb.game("nim")).megabytes for spec in ("random", "alphabeta(table_mb=8)")]
        [0.0, 8.0]
        """
        return float(getattr(self.options, "table_mb", 0))

    @property
    def bounded_by(self) -> Agent:
        """The agent whose options a server bounds: this one, unless it hands its budget to another in other units."""
        return self

    @classmethod
    def files(cls, options: Any) -> list[Path]:
        """Files that decide how it plays, besides those of Kiebitz: by default those that its options name, and those
        of the agents inside it."""
        inner = [file for value in vars(options).values() if isinstance(value, Spec) for file in files_of(value)]
        return [Path(file) for file in files_in(options)] + inner

    # --- For everybody ------------------------------------------------------------------------------------------------

    def act(self, view: View) -> int:
        """The action this agent plays in a view in which it is to move.

        >>> import kiebitz as kb
        >>> game = kb.game("tic_tac_toe")
        >>> kb.agent("greedy", game).act(game.load({"board": "xx.oo...."}).view(0))
        2
        """
        self._check_turn(view.player, view.observer)
        return self.move(view)

    def analyse(self, view: View) -> AnalysisLike:
        """What this agent thinks of each action; agents that do not search just name their move."""
        self._check_turn(view.player, view.observer)
        return PlainAnalysis.of_move(self.name, view, self.move(view))

    def analyse_state(self, state: State) -> AnalysisLike:
        """What this agent thinks when it sees the full state. Only ``cheat`` asks this in a hidden game."""
        return self.analyse(state.view(state.player))

    def prepare(self, seconds: float | None = None) -> None:  # noqa: B027 (most agents need not)
        """Gets ready for a move that may take `seconds`; called before the clock starts. Whatever takes time to start,
        such as an external program, is started here."""

    def close(self) -> None:  # noqa: B027 (most agents keep nothing)
        """Ends what the agent runs outside this process, such as an external program; it can still play afterwards."""

    @property
    def spec(self) -> str:
        """The shortest spec that builds this agent again.

        >>> import kiebitz as kb
        >>> kb.agent("uct( iterations = 2000, c=1.0,)", kb.game("nim")).spec
        'uct(iterations=2000, c=1.0)'
        """
        return str(write(self.name, self.options))

    def seed_for(self, view: View) -> int:
        """A seed that depends on the agent's seed and on the view, the same on every machine."""
        text = f"{self.seed}\0{view.observer}\0{view.key}"
        return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") >> 1

    def draw(self, view: View, chances: Mapping[int, float]) -> int:
        """An action with these probabilities; it depends on seed and view alone."""
        left = self.seed_for(view) / 2**63
        for action, probability in chances.items():
            left -= probability
            if left < 0:
                return action
        return max(chances, key=lambda action: chances[action])

    def _check_turn(self, player: int, observer: int) -> None:
        if player < 0 or player != observer:
            raise IllegalAction(
                f"{self.name}: expected a view of the player to move, got the view of player {observer} "
                f"when {'nobody' if player < 0 else f'player {player}'} is to move"
            )

    def __repr__(self) -> str:
        return f"<agent {self.spec} for {self.game.name}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Agent) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self.spec)

    def _identity(self) -> tuple[str, int, Any]:
        return self.spec, self.seed, self.game.to_json()

    def __reduce__(self) -> tuple[Any, ...]:
        if is_registered(type(self)):
            return create, (self.spec, self.game, self.seed, self.cheating)
        kept = {name: value for name, value in vars(self).items() if name != "stop"}
        return copyreg.__newobj__, (type(self),), kept  # type: ignore[attr-defined]


# --- The registry -----------------------------------------------------------------------------------------------------

_registry: dict[str, type[Agent]] = {}
A = TypeVar("A", bound=Agent)


def register(name: str) -> Callable[[type[A]], type[A]]:
    """Makes an agent class known under the name used in specs. A class can be defined again, as a notebook does."""
    if str(Spec(name)) != name:
        raise SpecError(f"expected a name, got {name!r}")

    def add(cls: type[A]) -> type[A]:
        known = _registry.get(name, cls)
        if (known.__module__, known.__qualname__) != (cls.__module__, cls.__qualname__):
            raise SpecError(f"there is already an agent named '{name}' (in {_place(known)}): choose another name")
        cls.name = name
        _registry[name] = cls
        return cls

    return add


def _classes() -> dict[str, type[Agent]]:
    """All agents: every module of this folder, and of the folders in it, is imported once; then what is installed."""
    package = importlib.import_module("kiebitz.agents")
    for module in pkgutil.walk_packages(package.__path__, "kiebitz.agents."):
        importlib.import_module(module.name)
    load_installed(INSTALLED)
    return _registry


def is_registered(cls: type[Agent]) -> bool:
    """Whether specs can name a class, so that an agent is built again from its spec.

    >>> is_registered(agent_class("random")), is_registered(Agent)
    (True, False)
    """
    return _registry.get(cls.name) is cls


def load(path: str | Path) -> str:
    """Runs a Python file that registers agents and returns the name of the last one; the file is trusted like any
    program. The names of the others are known afterwards, too.

    >>> load("docs/no_such_bot.py")
    Traceback (most recent call last):
    ...
    FileNotFoundError: [Errno 2] No such file or directory: 'docs/no_such_bot.py'
    """
    before = dict(_classes())
    run_file(path)
    added = [name for name, kind in _registry.items() if before.get(name) is not kind]
    if not added:
        raise UnknownName(f"{path}: registers no agent; expected a class with @kiebitz.agents.register(NAME)")
    return added[-1]


def _place(cls: type[Agent]) -> str:
    return next((file for _, file in _source(cls) if file), cls.__module__)


def agent_class(name: str) -> type[Agent]:
    """The class behind a name."""
    classes = _registry if name in _registry else _classes()
    if name not in classes:
        raise UnknownName(f"there is no agent '{name}'; expected one of {', '.join(sorted(classes))}")
    return classes[name]


def create(spec: str | Spec | Agent, game: Game, seed: int = 0, cheating: bool = False) -> Agent:
    """Builds an agent from its spec; ``cheating`` is how ``cheat(...)`` builds the agent inside it.

    An agent object stands for its spec, unless its class is not registered: then it is the agent.
    """
    if isinstance(spec, Agent):
        if spec.game.to_json() != game.to_json():
            raise UnsuitableGame(
                f"{spec.name}: expected an agent for {game.to_json()}, got one for {spec.game.to_json()}"
            )
        if not is_registered(type(spec)):
            return spec
        spec = spec.spec
    spec = parse(spec) if not isinstance(spec, Spec) else spec
    cls = agent_class(spec.name)
    return cls(game, read(spec, cls.Options), seed, cheating)


def _pure(options: Any) -> bool:
    """Whether no option is set that makes the move depend on more than spec, seed and view; agents inside included."""
    for field in dataclasses.fields(options):
        value = getattr(options, field.name)
        if isinstance(value, Spec):
            if not _pure(read(value, agent_class(value.name).Options)):
                return False
        elif field.metadata["effect"] == "impure" and value != field.default:
            return False
    return True


def files_of(spec: str | Spec) -> list[Path]:
    """The files that decide how an agent plays, besides those of Kiebitz.

    >>> [file.name for file in files_of('cheat(policy(file="kuhn.npz"))')]
    ['kuhn.npz']
    """
    spec = parse(spec) if not isinstance(spec, Spec) else spec
    cls = agent_class(spec.name)
    return [Path(file) for _, file in _source(cls) if file] + cls.files(read(spec, cls.Options))


def says(spec: str | Spec, word: str) -> bool:
    """Whether an agent, or one inside it, says a word in place of a file.

    >>> says("cheat(net(shipped))", "shipped"), says('net("shipped.npz")', "shipped")
    (True, False)
    """
    spec = parse(spec) if not isinstance(spec, Spec) else spec
    options = read(spec, agent_class(spec.name).Options)
    values = {field.name: getattr(options, field.name) for field in dataclasses.fields(options)}
    files = [field.name for field in dataclasses.fields(options) if field.metadata["file"] is not None]
    return any(values[name] == word for name in files) or any(
        says(value, word) for value in values.values() if isinstance(value, Spec)
    )


def sources_of(spec: str | Spec) -> list[tuple[str, str]]:
    """Where the agents of a spec come from that are not Kiebitz's own, for other processes: module and file.

    >>> sources_of("cheat(random)")
    []
    """
    spec = parse(spec) if not isinstance(spec, Spec) else spec
    cls = agent_class(spec.name)
    inner = [value for value in vars(read(spec, cls.Options)).values() if isinstance(value, Spec)]
    return _source(cls) + [source for value in inner for source in sources_of(value)]


def _source(cls: type[Agent]) -> list[tuple[str, str]]:
    return [] if cls.__module__.startswith("kiebitz.") else [source_of_module(cls.__module__)]


def bring(spec: str, sources: Sequence[tuple[str, str]]) -> None:
    """Makes the agents of a spec known in this process, from the sources that another one named."""
    for source in sources:
        bring_module(*source)
    try:
        sources_of(spec)
    except UnknownName as error:
        raise UnknownName(
            f"{error}; other processes know only agents from files and packages (or say workers=1)"
        ) from None


def agent(spec: str | Spec | Agent, game: Game, seed: int = 0) -> Agent:
    """Builds an agent from its spec; an agent object stands for its spec, or for itself if its class has none.

    >>> import kiebitz as kb
    >>> kb.agent("uct(iterations=500)", kb.game("connect_four"), seed=1)
    <agent uct(iterations=500) for connect_four>
    """
    return create(spec, game, seed)


def list_agents(game: Game | None = None) -> list[str]:
    """The names of all agents, or of those that can play a game.

    >>> import kiebitz as kb
    >>> "uct" in kb.list_agents(kb.game("nim")), "uct" in kb.list_agents(kb.game("kuhn"))
    (True, False)
    """
    return [name for name, cls in sorted(_classes().items()) if game is None or cls.unsuitable(game) is None]


def agent_options(name: str) -> list[OptionInfo]:
    """The options of an agent as people see them."""
    return describe(agent_class(name).Options)
