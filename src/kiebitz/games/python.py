"""Games written in Python: subclass `PythonGame` and `PythonState`, and everything in Kiebitz can use them.

The two classes are the rules only; history, refusals, records and search come from the core, which calls them through
one adapter with the interpreter lock held. `examples/hexapawn.py` is a whole game, `docs/add-a-game.md` explains it.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any, ClassVar, Self

from kiebitz import _core
from kiebitz.errors import PositionError, UnsuitableGame
from kiebitz.games.declaration import Declaration


def _copied(value: Any) -> Any:
    if isinstance(value, list):
        return [_copied(item) if isinstance(item, list | dict) else item for item in value]
    if isinstance(value, dict):
        return {name: _copied(item) for name, item in value.items()}
    return value


class PythonState:
    """A position of a game written in Python.

    Keep the position in plain attributes (numbers, texts, lists and dictionaries of these): then copying, saving,
    loading and keys work by themselves. Subclasses write `player`, `legal`, `apply` and `returns`; the rest has
    defaults.
    """

    def player(self) -> int:
        """Whose turn it is: 0, 1, ..., `kiebitz.CHANCE` or `kiebitz.TERMINAL`."""
        raise TypeError(f"{type(self).__name__} must define player()")

    def legal(self) -> list[int]:
        """The legal actions in ascending order; at chance moves the possible outcomes; at the end none."""
        raise TypeError(f"{type(self).__name__} must define legal()")

    def apply(self, action: int) -> None:
        """Plays a legal action."""
        raise TypeError(f"{type(self).__name__} must define apply()")

    def returns(self) -> list[float]:
        """One payoff per player; asked only at the end."""
        raise TypeError(f"{type(self).__name__} must define returns()")

    def outcomes(self) -> list[tuple[int, float]]:
        """Outcomes of a chance move with probabilities; by default all legal ones are equally likely."""
        legal = self.legal()
        return [(action, 1 / len(legal)) for action in legal]

    def copy(self) -> Self:
        """An independent copy."""
        twin = type(self).__new__(type(self))
        for name, value in vars(self).items():
            setattr(twin, name, _copied(value))
        return twin

    def name(self, action: int) -> str:
        """The action in words."""
        return str(action)

    def kind(self, action: int) -> str:
        """What a legal action is: the name of one of the game's `kinds`."""
        del action
        return "chance" if self.player() == _core.CHANCE else "move"

    def amount(self, action: int) -> float:
        """How much, for a legal action whose kind has a unit."""
        raise TypeError(f"{type(self).__name__} has a kind with a unit but does not define amount({action})")

    def target(self, action: int) -> int:
        """What the amount is taken of, for kinds with several such things (heaps, say): any number for each."""
        del action
        return 0

    def refusal(self, action: int) -> str:
        """The rule that an illegal action would break; empty where a list of the legal ones says enough."""
        del action
        return ""

    def parse(self, text: str) -> int | None:
        """The action that the text names, or None."""
        wanted = text.strip().casefold()
        return next((action for action in self.legal() if self.name(action).casefold() == wanted), None)

    def save(self) -> dict[str, Any]:
        """The position as plain values."""
        return dict(vars(self))

    def key(self) -> str:
        """Identity of the position: equal positions, equal keys."""
        return repr(sorted(self.save().items()))

    def view(self, player: int) -> dict[str, Any]:
        """What this player may know, as plain values; by default everything."""
        del player
        return self.save()

    def evaluate(self, evaluation: str, player: int) -> float:
        """The estimate called `evaluation` (one of the game's `evaluations`) for this player."""
        raise TypeError(f"{type(self).__name__} lists the evaluation {evaluation} but does not define evaluate()")

    def __str__(self) -> str:
        return "\n".join(f"{name}: {value}" for name, value in self.save().items()) + "\n"


class PythonGame:
    """The rules of a game written in Python: class attributes describe it, `root` starts it.

    Rule parameters are keyword arguments of `__init__`; store them as attributes and adjust the descriptor there.
    """

    name: ClassVar[str] = ""
    state: ClassVar[type[PythonState]] = PythonState
    title: str = ""
    players: int = 2
    actions: int = 0
    max_legal: int = 0
    max_length: int = 0
    min_payoff: float = -1.0
    max_payoff: float = 1.0
    utility: str = "zero_sum"
    payoff_sum: float = 0.0
    hidden: bool = False
    chance: bool = False
    tensor_size: int = 0
    evaluations: tuple[str, ...] = ()
    kinds: tuple[_core.ActionKind, ...] = (_core.ActionKind("move", "move"), _core.ActionKind("chance", "chance"))
    declaration: ClassVar[Declaration] = Declaration()

    @classmethod
    def make(cls, **params: Any) -> _core.Game:
        """The game with these parameters, ready to play."""
        kernel = cls(**params)
        info = {
            "name": cls.name,
            "title": kernel.title or cls.name,
            "players": kernel.players,
            "actions": kernel.actions,
            "max_legal": kernel.max_legal or kernel.actions,
            "max_length": kernel.max_length,
            "min_payoff": float(kernel.min_payoff),
            "max_payoff": float(kernel.max_payoff),
            "utility": kernel.utility,
            "payoff_sum": float(kernel.payoff_sum),
            "hidden": kernel.hidden,
            "chance": kernel.chance,
            "tensor_size": kernel.tensor_size,
            "evaluations": list(kernel.evaluations),
            "beliefs": [],
            "kinds": list(kernel.kinds),
        }
        origin: dict[str, Any] = {"name": cls.name}
        if params:
            origin["params"] = params
        return _core.make_python_game(kernel, info, params, json.dumps(origin))

    def root(self) -> PythonState:
        """The start of the game."""
        return self.state()

    def load(self, position: dict[str, Any]) -> PythonState:
        """The state that `PythonState.save()` described."""
        state = self.root()
        expected = vars(state)
        if set(position) != set(expected):
            raise PositionError(f"expected exactly the fields {', '.join(expected)}")
        for name, value in position.items():
            if type(value) is not type(expected[name]):
                raise PositionError(f"{name}: expected {type(expected[name]).__name__}, got {type(value).__name__}")
            setattr(state, name, value)
        return state

    def sample(self, view: dict[str, Any], observer: int, random: Random) -> PythonState:
        """A state with its probability given the view; games with hidden information must define it."""
        del observer, random
        if self.hidden:
            raise TypeError(f"{type(self).__name__} has hidden information and must define sample()")
        return self.load(view)

    def view_text(self, view: dict[str, Any], observer: int) -> str:
        """The view for a person."""
        if not self.hidden:
            return str(self.load(view))
        return "\n".join([f"player {observer} sees", *(f"{name}: {value}" for name, value in view.items())]) + "\n"

    def public(self, view: dict[str, Any]) -> dict[str, Any]:
        """What everybody knows, from any player's view; by default all of it where nothing is hidden."""
        if self.hidden:
            raise UnsuitableGame(f"{self.name} does not say what everybody knows")
        return view

    def outline(self, view: dict[str, Any], observer: int) -> dict[str, Any]:
        """What the observer knows beyond that by the rules, such as its `hand` as a list of texts."""
        del observer
        if not self.hidden:
            raise UnsuitableGame(f"{self.name} has no outline: its view says it all")
        del view
        return {}

    def tensor(self, view: dict[str, Any], observer: int) -> list[float]:
        """The information state as `tensor_size` numbers."""
        del view, observer
        return [0.0] * self.tensor_size
