"""Trained nets as files: layers with their weights, and a card that says what they were made for and how.

A net plays through the core (`kiebitz.search.Net`), without the framework that trained it. Files are NumPy archives
without pickles; ``docs/nets.md`` describes them.
"""

from __future__ import annotations

import hashlib
import json
import operator
import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from kiebitz._core import CHANCE, TERMINAL, Evaluator, Game, Net, Seated, View
from kiebitz.errors import Error, ParameterError, UnsuitableGame
from kiebitz.games.registry import from_json, shipped_nets
from kiebitz.machine import VERSION
from kiebitz.solve.archive import Archive, ArchiveError, write_archive
from kiebitz.solve.compiled import read_path, rules_of

FORMAT = "kiebitz net 1"
SHIPPED = "shipped"
"""What a spec says in place of a file for the net that comes with Kiebitz. It is no path, so strangers may say it."""
MOST_WEIGHTS = 2**28
"""Bytes of one array of weights that a file may have."""
PARTS = ("trunk", "policy", "value")
Choice = Literal["best", "draw"]
Layers = Mapping[str, Sequence[Mapping[str, Any]]]


@dataclass(frozen=True)
class Card:
    """What a net is, for people and programs."""

    game: Mapping[str, Any]
    """The game with its parameters, as ``Game.to_json`` writes it."""
    encoding: str
    """A fingerprint of the numbers that it was trained on (`encoding_of`)."""
    chooses: Choice = "draw"
    """How it plays on its own: ``draw`` an action with the probabilities of its policy, or take the ``best``."""
    instead: int | None = None
    """The action that is played in place of an illegal one; None: illegal ones are left out."""
    method: str = ""
    config: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    data: str = ""
    """What it learned from, in words."""
    steps: int = 0
    hours: float = 0.0
    results: Mapping[str, Any] = field(default_factory=dict)
    version: str = VERSION
    """Of Kiebitz, when it was made."""

    def __post_init__(self) -> None:
        if self.chooses not in get_args(Choice):
            raise ParameterError(f"card: expected chooses to be best or draw, got {self.chooses!r:.60}")
        if not isinstance(self.version, str) or not isinstance(self.method, str):
            raise ParameterError("card: expected texts as version and method")
        if self.instead is not None and (type(self.instead) is not int or self.instead < 0):
            raise ParameterError(f"card: expected an action as instead, got {self.instead!r:.60}")
        wanted: dict[str, type | tuple[type, ...]] = {
            "config": dict, "results": dict, "seed": int, "steps": int, "hours": (int, float), "data": str,
        }  # fmt: skip
        for name, kind in wanted.items():
            if not isinstance(getattr(self, name), kind):
                raise ParameterError(f"card: expected another {name}, got {getattr(self, name)!r:.60}")


def encoding_of(game: Game) -> str:
    """A fingerprint of how a game is written down for nets: equal rules and encodings have equal ones.

    >>> import kiebitz as kb
    >>> encoding_of(kb.game("kuhn")) == encoding_of(kb.game("kuhn")) != encoding_of(kb.game("leduc"))
    True
    """
    numbers = hashlib.blake2b(digest_size=8)
    chooser = random.Random(1)
    for seed in range(3):
        state = game.new(seed=seed)
        while state.player != TERMINAL:
            if state.player == CHANCE:
                state.apply(state.legal()[0])
                continue
            legal = state.legal()
            numbers.update(np.asarray(state.view(state.player).tensor(), np.float32).tobytes())
            numbers.update(bytes(f"{state.player} {legal}", "ascii"))
            state.apply(chooser.choice(legal))
    return numbers.hexdigest()


class NetFile:
    """A net with its card: made by training, saved, loaded, asked.

    >>> import kiebitz as kb, numpy as np
    >>> kuhn = kb.game("kuhn")
    >>> size, actions = kuhn.info.tensor_size, kuhn.info.actions
    >>> layer = {"kind": "dense", "weights": np.zeros((actions, size)), "bias": np.arange(actions)}
    >>> net = NetFile(kuhn, Card(kuhn.to_json(), encoding_of(kuhn)), [{"policy": [layer]}])
    >>> view = kuhn.deal(["Q", "J"], start=0).view(0)
    >>> {view.name(action): round(p, 2) for action, p in net.probabilities(view).items()}
    {'pass': 0.27, 'bet': 0.73}
    """

    def __init__(
        self,
        game: Game,
        card: Card,
        seats: Sequence[Layers],
        board: tuple[int, int, int] = (0, 0, 0),
    ) -> None:
        self.game = game
        self.card = card
        self.seats = [{part: [dict(layer) for layer in layers.get(part, ())] for part in PARTS} for layers in seats]
        """One net for all seats, or one for each: for each part (trunk, policy, value) its layers, as
        `kiebitz.search.Net` takes them."""
        self.board = board
        """Planes, rows and columns of the tensor, for convolutions."""
        unknown = {part for layers in seats for part in layers} - set(PARTS)
        if unknown:
            raise ParameterError(f"net: expected the parts {', '.join(PARTS)}, got {min(unknown)!r:.60}")
        if any(not 0 <= size <= max(game.info.tensor_size, 1) for size in board):
            raise ParameterError(
                f"net: expected planes, rows and columns of {game.info.tensor_size} numbers, got {board}"
            )
        if card.instead is not None and card.instead >= game.info.actions:
            raise ParameterError(f"card: expected an action of {game.name} as instead, got {card.instead}")
        if len(seats) not in (1, game.info.players):
            raise ParameterError(f"net: expected one net, or one for each of {game.info.players} seats")
        for parts in self.seats:
            for part, layers in parts.items():
                for number, layer in enumerate(layers):
                    _check_shapes(layer, f"layer {number} of the {part}")
        nets = [Net(game, layers["trunk"], layers["policy"], layers["value"], board) for layers in self.seats]
        self.net: Evaluator = nets[0] if len(nets) == 1 else Seated(nets)
        """The evaluator that searches take."""

    # --- Files --------------------------------------------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Writes the net; an older file of that name is replaced completely or not at all."""
        arrays: dict[str, Any] = {"format": np.array(FORMAT), "card": np.array(json.dumps(asdict(self.card)))}
        plan: list[dict[str, Any]] = []
        for seat, parts in enumerate(self.seats):
            plan.append({part: [_plain(layer) for layer in layers] for part, layers in parts.items()})
            for part, layers in parts.items():
                for number, layer in enumerate(layers):
                    for name in ARRAYS & layer.keys():
                        arrays[f"{seat}.{part}.{number}.{name}"] = np.asarray(layer[name], np.float32)
        arrays["layers"] = np.array(json.dumps({"board": self.board, "seats": plan}))
        write_archive(path, arrays)

    @classmethod
    def load(cls, path: str | Path, game: Game | None = None) -> NetFile:
        """Reads a net; with `game` it must have been made for that game."""
        archive = Archive(read_path(path), FORMAT)
        try:
            card = Card(**json.loads(str(archive["card"])))
            plan = json.loads(str(archive["layers"]))
            seats = [
                {
                    part: [
                        {"kind": layer["kind"], "relu": layer["relu"]}
                        | ({"scale": float(layer["scale"])} if "scale" in layer else {})
                        | {name: _numbers(archive, f"{seat}.{part}.{n}.{name}") for name in ARRAYS & {*layer["arrays"]}}
                        for n, layer in enumerate(parts[part])
                    ]
                    for part in PARTS
                }
                for seat, parts in enumerate(plan["seats"])
            ]
            planes, rows, columns = (operator.index(size) for size in plan["board"])
            made_for = from_json(card.game)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError) as error:
            if isinstance(error, Error):
                raise ArchiveError(f"{path}: {error}") from None
            raise ArchiveError(f"{path}: expected a net written by Kiebitz: {error!s:.200}") from None
        if game is not None and rules_of(game) != rules_of(made_for):
            raise UnsuitableGame(f"{path}: this net was made for {_words(made_for)}, not for {_words(game)}")
        if card.encoding != encoding_of(made_for):
            raise UnsuitableGame(
                f"{path}: this net was made by Kiebitz {card.version:.20}, which wrote {made_for.name} down in another "
                "way: train it again"
            )
        try:
            return cls(made_for, card, seats, (planes, rows, columns))
        except Error as error:
            raise ArchiveError(f"{path}: {error}") from None

    def has(self, part: str) -> bool:
        """Whether it has a policy, or a value."""
        return all(layers[part] for layers in self.seats)

    # --- What it thinks -----------------------------------------------------------------------------------------------

    def judge(self, views: Sequence[View]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """A logit for each action and a value for each player, for views in which their observers are to move."""
        legal = np.zeros((len(views), self.game.info.actions), np.uint8)
        for row, view in enumerate(views):
            legal[row, view.legal()] = 1
        tensors = np.array([view.tensor() for view in views], np.float32).reshape(len(views), -1)
        movers = np.array([view.observer for view in views], np.int32)
        return self.net.judge(self.game, tensors, legal, movers)

    def probabilities(self, view: View) -> dict[int, float]:
        """Its policy: the probability of each legal action."""
        logits = self.judge([view])[0][0].astype(float)
        legal = view.legal()
        if self.card.instead is None:
            weights = np.exp(logits[legal] - logits[legal].max())
            return {action: float(p) for action, p in zip(legal, weights / weights.sum(), strict=True)}
        weights = np.exp(logits - logits.max())
        weights /= weights.sum()
        out = {action: float(weights[action]) for action in legal}
        left = max(1 - sum(out.values()), 0.0)
        if self.card.instead in out:
            return {**out, self.card.instead: out[self.card.instead] + left}
        return {action: p + left / len(out) for action, p in out.items()}

    def values(self, view: View) -> list[float]:
        """What it expects for each player, in payoffs."""
        return [float(value) for value in self.judge([view])[1][0]]

    @cached_property
    def parameters(self) -> int:
        """How many numbers were trained."""
        layers = [layer for parts in self.seats for part in parts.values() for layer in part]
        return sum(np.size(layer[name]) for layer in layers for name in ARRAYS & layer.keys())

    def __repr__(self) -> str:
        return f"NetFile({self.game.name}, {self.parameters:,} weights, {self.card.method or 'made by hand'})"


def named(file: str | Path, game: Game) -> NetFile:
    """The net that a spec names: a file, or ``shipped``, the one that comes with Kiebitz.

    >>> import kiebitz as kb
    >>> named("shipped", kb.game("tic_tac_toe"))
    Traceback (most recent call last):
        ...
    kiebitz._core.UnsuitableGame: Kiebitz comes with no net for tic_tac_toe: train one, 'kiebitz train tic_tac_toe'
    """
    if file != SHIPPED:
        return NetFile.load(file, game)
    found = shipped(game)
    if found is None:
        raise UnsuitableGame(f"Kiebitz comes with no net for {_words(game)}: train one, 'kiebitz train {game.name}'")
    return _loaded(found)


def shipped(game: Game) -> Path | None:
    """The net that comes with Kiebitz for a game by exactly these rules; None: there is none."""
    rules = rules_of(game)
    return next((path for path in shipped_nets(game.name) if _made_for(path) == rules), None)


@cache
def _loaded(path: Path) -> NetFile:
    """A net that does not change while Kiebitz runs."""
    return NetFile.load(path)


@cache
def _made_for(path: Path) -> str:
    """The rules that a net was made for, by its card."""
    return rules_of(from_json(json.loads(str(Archive(path, FORMAT)["card"]))["game"]))


ARRAYS = frozenset({"weights", "bias", "weights2", "bias2"})
DIMENSIONS = {"dense": 2, "conv": 4, "residual": 4, "counts": 2}
"""Of the weights of each kind of layer; the first is that of the outputs, as in the bias."""


def _check_shapes(layer: Mapping[str, Any], where: str) -> None:
    """Refuses weights that cannot belong to their bias; the core refuses what does not fit the game."""
    dimensions = DIMENSIONS.get(layer["kind"]) if isinstance(layer.get("kind"), str) else None
    for weights, bias in (("weights", "bias"), ("weights2", "bias2")):
        if dimensions is None or weights not in layer or bias not in layer:
            continue
        shape, outputs = np.shape(layer[weights]), np.shape(layer[bias])
        if len(shape) != dimensions or outputs != shape[:1]:
            raise ParameterError(f"net: {where}: expected {weights} and {bias} of one layer, got {shape} and {outputs}")


def _plain(layer: Mapping[str, Any]) -> dict[str, Any]:
    plain = {"kind": layer["kind"], "relu": bool(layer.get("relu")), "arrays": sorted(ARRAYS & layer.keys())}
    return plain | ({"scale": float(layer["scale"])} if "scale" in layer else {})


def _numbers(archive: Archive, name: str) -> NDArray[np.float32]:
    array = archive.part(name, MOST_WEIGHTS)
    if array.dtype != np.float32:
        raise ValueError(f"{name}: expected 32-bit numbers, got {array.dtype}")
    return array


def _words(game: Game) -> str:
    rules = game.to_json()
    given = [f"preset={rules['preset']}"] if "preset" in rules else []
    given += [f"{name}={value}" for name, value in rules.get("params", {}).items()]
    return f"{game.name}({', '.join(given)})" if given else game.name
