"""Policies: what every player does in every information set, as probabilities.

Solvers return them, measures take them, and the agent ``policy(file=...)`` plays them.

A policy is tabular and behavioural. Its numbers are one array per player with one probability for each sequence of the
compiled game (entry 0, the empty sequence, is 1). Files are NumPy archives without pickles; ``docs/policies.md``
describes them.
"""

from __future__ import annotations

import heapq
import importlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kiebitz._core import CompiledGame, Game, View
from kiebitz.errors import Error, LimitError, ParameterError
from kiebitz.games.registry import from_json
from kiebitz.solve.archive import Archive, ArchiveError, write_archive
from kiebitz.solve.compiled import GameLike, compile_game, game_of, read_path, rules_of, view_of

if TYPE_CHECKING:
    from kiebitz.solve.run import SolverRun

Array = NDArray[np.float64]

SUM_TOLERANCE = 1e-9  # how far from 1 probabilities may sum
FORMAT = "kiebitz policy 1"
MOST_LINES = 40  # of a printed policy
SAMPLES = 100  # copies of an agent that cannot state its probabilities


class PolicyEntry(NamedTuple):
    """An information set of a policy: who is to move, what that player sees, and the probability of each action."""

    player: int
    view: View
    probabilities: dict[int, float]


class PolicyRow(NamedTuple):
    """An information set of a policy in words."""

    player: int
    sees: str
    """The view, in one line."""
    plays: str
    """Every action with its probability."""


class Difference(NamedTuple):
    """An information set in which two policies differ."""

    size: float
    """The largest difference of two probabilities."""
    player: int
    view: View
    mine: dict[int, float]
    other: dict[int, float]

    def __str__(self) -> str:
        changes = (f"{self.view.name(a)} {p:.1%} -> {self.other[a]:.1%}" for a, p in self.mine.items())
        return f"player {self.player}: {_one_line(self.view)}: {'  '.join(changes)}"


class Actor(Protocol):
    """Anything that chooses an action in a view, as agents do. If it can state its probabilities, it also has
    ``distribution(view)``: a mapping from actions to probabilities."""

    def act(self, view: View) -> int:
        """The action."""


class Policy:
    """What every player does in every information set.

    >>> policy = Policy.uniform("kuhn")
    >>> policy
    Policy(kuhn, 12 information sets)
    >>> view = policy.game.deal(["K", "J"], start=0).view(0)
    >>> policy.probabilities(view)
    {0: 0.5, 1: 0.5}
    """

    def __init__(self, compiled: CompiledGame, strategies: Sequence[ArrayLike], run: SolverRun | None = None) -> None:
        if len(strategies) != compiled.players:
            raise ParameterError(f"expected {compiled.players} strategies, one per player, got {len(strategies)}")
        self.compiled = compiled
        self.run = run
        """How it was solved; None if it was not."""
        self.strategies: tuple[Array, ...] = tuple(
            _checked(compiled, player, strategy) for player, strategy in enumerate(strategies)
        )

    # --- Where policies come from -------------------------------------------------------------------------------------

    @classmethod
    def uniform(cls, game: GameLike) -> Self:
        """All actions of every information set are equally likely."""
        compiled = compile_game(game)
        return cls(compiled, [compiled.uniform(player) for player in range(compiled.players)])

    @classmethod
    def from_table(cls, game: GameLike, table: Mapping[str, Mapping[int, float]]) -> Self:
        """From probabilities by the key of a view (``view.key``) and action; sets that are left out are uniform.

        >>> kuhn = game_of("kuhn")
        >>> view = kuhn.deal(["K", "J"], start=0).view(0)
        >>> bold = Policy.from_table(kuhn, {view.key: {1: 1.0}})
        >>> bold.probabilities(view)
        {0: 0.0, 1: 1.0}
        """
        policy = cls.uniform(game)
        strategies = [strategy.copy() for strategy in policy.strategies]
        if not isinstance(table, Mapping):
            raise ParameterError(f"table: expected a mapping from keys to probabilities, got {type(table).__name__}")
        for key, given in table.items():
            if not isinstance(key, str) or key not in policy._places:
                raise ParameterError(f"expected keys of information sets of {policy.game.name}, got {key!r:.100}")
            if not isinstance(given, Mapping):
                raise ParameterError(f"{key}: expected probabilities by action, got {type(given).__name__}")
            for player, number in policy._places[key]:
                choices, actions = policy.choices(player, number)
                unknown = [action for action in given if action not in actions]
                if unknown:
                    raise ParameterError(f"{key}: expected the actions {actions}, got {unknown[0]!r:.60}")
                strategies[player][choices] = _numbers([given.get(action, 0.0) for action in actions], key)
        return cls(policy.compiled, strategies)

    @classmethod
    def from_agent(cls, game: GameLike, agent: Actor | Callable[[int], Actor], samples: int | None = None) -> Self:
        """What an agent does in every information set.

        This is exact for an agent that states its probabilities (``random``, ``policy(file=...)``). For others give a
        function that makes the agent from a seed: `samples` (100) of them are asked, and the probabilities are
        frequencies. A single agent that does not state its probabilities is only taken with ``samples=1``: that
        measures the agent with its one seed, which is exact if it always plays the same.

        >>> import kiebitz as kb
        >>> kuhn = kb.game("kuhn")
        >>> Policy.from_agent(kuhn, kb.agent("random", kuhn)).distance(Policy.uniform(kuhn))
        0.0
        >>> searched = Policy.from_agent(kuhn, lambda seed: kb.agent("ismcts(iterations=50)", kuhn, seed), samples=20)
        >>> king = kuhn.deal(["J", "K"], start=0)
        >>> king.apply(king.parse("bet"))
        >>> searched.probabilities(king.view(1))[king.parse("bet")] > 0.5
        True
        """
        policy = cls.uniform(game)
        agents = _copies(agent, samples)
        for one in agents:
            meant = getattr(one, "game", None)
            if isinstance(meant, Game) and rules_of(meant) != rules_of(policy.game):
                raise ParameterError(f"agent: expected one for {policy.game.to_json()}, got one for {meant.to_json()}")
        strategies = [np.zeros_like(strategy) for strategy in policy.strategies]
        for player, number, view in policy._sets():
            choices, actions = policy.choices(player, number)
            for one in agents:
                chances = _distribution(one, view)
                illegal = [action for action in chances if action not in actions]
                if illegal:
                    raise ParameterError(f"{one!r:.100} plays {illegal[0]!r:.60}, expected one of {actions}")
                strategies[player][choices] += [chances.get(action, 0.0) / len(agents) for action in actions]
        for strategy in strategies:
            strategy[0] = 1.0
        return cls(policy.compiled, strategies)

    @classmethod
    def mix(cls, parts: Sequence[tuple[float, Policy]]) -> Self:
        """The policy that plays each part for a whole game with its weight (Kuhn and von Stengel): not the
        mean of the probabilities, but the mean weighted by how often each part gets there.

        >>> calls = Policy.from_table("kuhn", {})
        >>> mixed = Policy.mix([(0.3, calls), (0.7, Policy.uniform("kuhn"))])
        >>> round(mixed.distance(calls), 6)
        0.0
        """
        try:
            pairs = [(weight, policy) for weight, policy in parts]
        except (TypeError, ValueError):
            raise ParameterError("parts: expected pairs of a weight and a policy") from None
        if not pairs:
            raise ParameterError("expected at least one policy to mix")
        weights = _numbers([weight for weight, _ in pairs], "weights")
        if not np.all(weights >= 0) or not abs(weights.sum() - 1) <= SUM_TOLERANCE:  # false for NaN
            raise ParameterError("expected weights from 0 to 1 that add up to 1")
        first = pairs[0][1]
        for _, policy in pairs:
            if not isinstance(policy, Policy):
                raise ParameterError(f"expected a policy, got {type(policy).__name__}")
            first.same_game(policy)
        compiled = first.compiled
        strategies = []
        for player in range(compiled.players):
            plans = [policy.compiled.plan(player, policy.strategies[player]) for _, policy in pairs]
            strategies.append(compiled.strategy(player, np.tensordot(weights, plans, axes=1)))
        return cls(compiled, strategies)

    # --- What it says -------------------------------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        """The game it is for."""
        return self.compiled.game

    def probabilities(self, view: View) -> dict[int, float]:
        """The probability of each legal action for the observer of the view.

        In a game of perfect information several paths can lead to one position: then it is their mean, weighted by
        how often this player follows each path.
        """
        if not isinstance(view, View):
            raise ParameterError(f"view: expected what a player sees, got {type(view).__name__}")
        places = self._places.get(view.key)
        if places is None:
            if view.player != view.observer:
                raise ParameterError(f"expected the view of the player to move, got that of player {view.observer}")
            raise ParameterError(f"this policy is for {self.game.name} and has no information set {view.key!r:.100}")
        player = places[0][0]
        _, actions = self.choices(*places[0])
        rows = np.array([self.strategies[player][self.choices(player, number)[0]] for _, number in places])
        weights = self._reach[player][[number for _, number in places]] if len(places) > 1 else np.ones(1)
        mean = np.average(rows, axis=0, weights=weights if weights.sum() > 0 else None)
        return dict(zip(actions, mean.tolist(), strict=True))

    def __iter__(self) -> Iterator[PolicyEntry]:
        for player, number, view in self._sets():
            yield PolicyEntry(player, view, self._at((player, number)))

    def __len__(self) -> int:
        return sum(self.compiled.sets(player) for player in range(self.compiled.players))

    def __repr__(self) -> str:
        return f"Policy({self.game.name}, {len(self)} information sets)"

    def rows(self) -> Iterator[PolicyRow]:
        """The policy in words, by information set.

        >>> next(Policy.uniform("kuhn").rows())
        PolicyRow(player=0, sees='player 0 holds J; betting:', plays='pass 50.0%  bet 50.0%')
        """
        for player, view, probabilities in self:
            plays = (f"{view.name(action)} {probability:.1%}" for action, probability in probabilities.items())
            yield PolicyRow(player, _one_line(view), "  ".join(plays))

    def __str__(self) -> str:
        """A table by information set, of the first 40.

        >>> print(Policy.uniform("rock_paper_scissors"))
        player  sees                                 plays
             0  player 0; round 1 of 1: ? - ?        rock 33.3%  paper 33.3%  scissors 33.3%
             1  player 1; round 1 of 1: hidden - ?   rock 33.3%  paper 33.3%  scissors 33.3%
        """
        rows = list(islice(self.rows(), MOST_LINES))
        width = max((len(row.sees) for row in rows), default=0)
        lines = [f"player  {'sees':<{width}}   plays"]
        lines += [f"{row.player:>6}  {row.sees:<{width}}   {row.plays}" for row in rows]
        if len(self) > len(rows):
            lines.append(f"... and {len(self) - len(rows):,} more")
        return "\n".join(lines)

    def to_frame(self) -> Any:
        """The policy as a table of pandas (``pip install kiebitz[frame]``), a row for each action.

        Its columns are ``player``, ``set`` (the number of the player's information set), ``key`` (``view.key``),
        ``sees``, ``action``, ``name``, ``probability`` and ``reach``, how likely the player is to play towards the set.

        >>> frame = Policy.uniform("kuhn").to_frame()
        >>> frame.shape, frame.groupby(["player", "set"]).probability.sum().unique().tolist()
        ((24, 8), [1.0])
        >>> frame.loc[0, ["sees", "name"]].tolist()
        ['player 0 holds J; betting:', 'pass']
        """
        try:
            pandas = importlib.import_module("pandas")
        except ImportError:
            raise Error("to_frame needs pandas: pip install 'kiebitz[frame]'") from None
        rows = [
            (player, number, view.key, _one_line(view), action, view.name(action), chance, self._reach[player][number])
            for player, number, view in self._sets()
            for action, chance in self._at((player, number)).items()
        ]
        columns = ["player", "set", "key", "sees", "action", "name", "probability", "reach"]
        return pandas.DataFrame(rows, columns=columns)

    def distance(self, other: Policy) -> float:
        """The largest difference of two probabilities.

        >>> Policy.uniform("kuhn").distance(Policy.uniform("kuhn"))
        0.0
        """
        self.same_game(other)
        return max(
            float(np.abs(mine - yours).max()) for mine, yours in zip(self.strategies, other.strategies, strict=True)
        )

    def differences(self, other: Policy, top: int = 10) -> list[Difference]:
        """Where two policies differ most, the largest difference first.

        >>> kuhn = game_of("kuhn")
        >>> bold = Policy.from_table(kuhn, {kuhn.deal(["J", "K"], start=0).view(0).key: {0: 0.2, 1: 0.8}})
        >>> print(*Policy.uniform(kuhn).differences(bold))
        player 0: player 0 holds J; betting:: pass 50.0% -> 20.0%  bet 50.0% -> 80.0%
        """
        self.same_game(other)
        if not isinstance(top, int) or isinstance(top, bool) or top < 1:
            raise ParameterError(f"top: expected a whole number from 1 up, got {top!r:.60}")

        def size(place: tuple[int, int]) -> float:
            choices, _ = self.choices(*place)
            return float(np.abs(self.strategies[place[0]][choices] - other.strategies[place[0]][choices]).max())

        places = [(p, number) for p in range(self.compiled.players) for number in range(self.compiled.sets(p))]
        return [
            Difference(size(place), place[0], view_of(self.compiled, *place), self._at(place), other._at(place))
            for place in heapq.nlargest(top, places, key=size)
            if size(place) > 0
        ]

    def same_game(self, other: Policy) -> None:
        """Refuses a policy for another game."""
        if not isinstance(other, Policy):
            raise ParameterError(f"expected a policy, got {type(other).__name__}")
        if rules_of(self.game) != rules_of(other.game):
            raise ParameterError(
                f"expected policies for one game, got {self.game.to_json()} and {other.game.to_json()}"
            )

    # --- Files --------------------------------------------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Writes a NumPy archive, which `Policy.load` reads.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     Policy.uniform("kuhn").save(folder + "/kuhn.npz")
        ...     Policy.load(folder + "/kuhn.npz")
        Policy(kuhn, 12 information sets)
        """
        arrays: dict[str, Any] = {
            "format": np.array(FORMAT),
            "game": np.array(json.dumps(self.game.to_json())),
            "keys": np.array([view.key for _, _, view in self._sets()]),
        }
        for player, strategy in enumerate(self.strategies):
            arrays[f"probabilities_{player}"] = strategy[1:]
            arrays[f"actions_{player}"] = np.asarray(self.compiled.actions(player))[1:]
            arrays[f"counts_{player}"] = np.asarray(self.compiled.counts(player))
        write_archive(path, arrays)

    @classmethod
    def load(cls, path: str | Path, game: GameLike | None = None) -> Self:
        """Reads a file that `save` wrote; with `game`, only a policy for that game."""
        path = read_path(path)
        arrays = Archive(path, FORMAT)
        wanted = None if game is None else game_of(game)
        try:
            return cls._from_arrays(arrays, wanted)
        except (LimitError, ArchiveError):
            raise
        except KeyError as error:
            raise ParameterError(f"{path}: expected a part named {error}") from None
        except Error as error:
            raise ParameterError(f"{path}: {error}") from None

    @classmethod
    def _from_arrays(cls, arrays: Archive, wanted: Game | None) -> Self:
        try:
            stored = from_json(json.loads(str(arrays["game"])))
        except (json.JSONDecodeError, RecursionError) as error:
            raise ParameterError(f"game: expected a game as JSON: {error!s:.100}") from None
        if wanted is not None and rules_of(wanted) != rules_of(stored):
            raise ParameterError(f"this policy is for {stored.to_json()}, expected one for {wanted.to_json()}")
        policy = cls.uniform(stored if wanted is None else wanted)
        keys = [view.key for _, _, view in policy._sets()]
        # Of each part no more is unpacked than the game can have.
        given_keys = arrays.part("keys", 4 * len(keys) * max(map(len, keys), default=0))
        if given_keys.shape != (len(keys),) or given_keys.tolist() != keys:
            raise ParameterError(f"the information sets are not those of {stored.name}")
        strategies = []
        for player in range(policy.compiled.players):
            own_actions = np.asarray(policy.compiled.actions(player))[1:]
            most = own_actions.nbytes
            actions = arrays.part(f"actions_{player}", most)
            given = arrays.part(f"probabilities_{player}", most)
            same = np.array_equal(arrays.part(f"counts_{player}", most), np.asarray(policy.compiled.counts(player)))
            if not same or not np.array_equal(actions, own_actions):
                raise ParameterError(f"the actions of player {player} are not those of {stored.name}")
            if given.shape != actions.shape:
                raise ParameterError(
                    f"expected {actions.size} probabilities of player {player}, got the shape {given.shape}"
                )
            strategies.append(np.concatenate([[1.0], _numbers(given, f"probabilities of player {player}")]))
        return cls(policy.compiled, strategies)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self.game, self.strategies, self.run)

    # --- Inside -------------------------------------------------------------------------------------------------------

    def _sets(self) -> Iterator[tuple[int, int, View]]:
        for player in range(self.compiled.players):
            for number in range(self.compiled.sets(player)):
                yield player, number, view_of(self.compiled, player, number)

    @cached_property
    def _bounds(self) -> list[tuple[list[int], list[int], list[int]]]:
        return [
            (
                np.asarray(self.compiled.firsts(player)).tolist(),
                np.asarray(self.compiled.counts(player)).tolist(),
                np.asarray(self.compiled.actions(player)).tolist(),
            )
            for player in range(self.compiled.players)
        ]

    def choices(self, player: int, number: int) -> tuple[slice, list[int]]:
        """Where an information set is in the strategy of its player, and its actions."""
        firsts, counts, actions = self._bounds[player]
        choices = slice(firsts[number], firsts[number] + counts[number])
        return choices, actions[choices]

    def _at(self, place: tuple[int, int]) -> dict[int, float]:
        """The probabilities in an information set, given by player and number."""
        choices, actions = self.choices(*place)
        return dict(zip(actions, self.strategies[place[0]][choices].tolist(), strict=True))

    @cached_property
    def _places(self) -> dict[str, list[tuple[int, int]]]:
        """Information sets by the key of their view; in games of perfect information a position can be several."""
        places: dict[str, list[tuple[int, int]]] = {}
        for player, number, view in self._sets():
            places.setdefault(view.key, []).append((player, number))
        return places

    @cached_property
    def _reach(self) -> list[Array]:
        """For each set: the probability that its player plays towards it."""
        return [
            np.asarray(self.compiled.plan(player, strategy))[np.asarray(self.compiled.parents(player))]
            for player, strategy in enumerate(self.strategies)
        ]


# --- Helpers ----------------------------------------------------------------------------------------------------------


def _copies(agent: Actor | Callable[[int], Actor], samples: int | None) -> list[Actor]:
    if hasattr(agent, "act") and not isinstance(agent, type):
        if samples not in (None, 1) or isinstance(samples, bool):
            raise ParameterError("samples: to sample, give a function that makes the agent from a seed")
        if samples is None and not hasattr(agent, "distribution"):
            raise ParameterError(
                f"agent: {agent!r:.100} does not state its probabilities, and one seed shows only one of its moves: "
                "give a function that makes it from a seed, or samples=1 to measure this one as it is"
            )
        return [agent]
    if not callable(agent):
        raise ParameterError(
            f"agent: expected an agent or a function that makes one from a seed, got {type(agent).__name__}"
        )
    count = SAMPLES if samples is None else samples
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        raise ParameterError(f"samples: expected a whole number from 1 up, got {count!r:.60}")
    return [agent(seed) for seed in range(count)]


def _distribution(agent: Actor, view: View) -> Mapping[int, float]:
    """The probabilities that an agent plays with, if it states them, otherwise its move."""
    stated: Callable[[View], Mapping[int, float]] | None = getattr(agent, "distribution", None)
    return {agent.act(view): 1.0} if stated is None else stated(view)


def _one_line(view: View) -> str:
    return "; ".join(line.strip() for line in str(view).splitlines() if line.strip())


def _numbers(given: ArrayLike, what: str) -> Array:
    """Plain real numbers; text that looks like a number is refused."""
    try:
        array = np.asarray(given)
        if array.dtype.kind not in "fiu" and array.size > 0:
            raise ValueError
        return np.array(array, dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError(f"{what}: expected numbers") from None


def _checked(compiled: CompiledGame, player: int, given: ArrayLike) -> Array:
    strategy = _numbers(given, f"strategy of player {player}")
    if strategy.ndim != 1:
        raise ParameterError(f"strategy of player {player}: expected a row of numbers, got the shape {strategy.shape}")
    compiled.plan(player, strategy)  # refuses what is not a strategy
    strategy[0] = 1.0
    strategy.flags.writeable = False
    return strategy


def _rebuild(game: Game, strategies: Sequence[ArrayLike], run: SolverRun | None) -> Policy:
    """A policy from its pickle."""
    return Policy(compile_game(game), strategies, run)
