"""Plans: everything that decides what is played. A worker on any machine needs only a plan and the number of a game to
play the same game as any other worker.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import math
import pickle
import random
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from kiebitz import _core
from kiebitz._core import TERMINAL, Game, State
from kiebitz.agents.base import Agent, create, files_of, sources_of
from kiebitz.agents.base import bring as bring_agents
from kiebitz.arena.metrics import find_metric
from kiebitz.arena.seatings import check_format, constellations, drawn_tables, fixed_tables, series_table
from kiebitz.errors import Error, ParameterError
from kiebitz.games.declaration import ResultMetric
from kiebitz.games.registry import bring, from_json, source_of
from kiebitz.plugins import bring as bring_module
from kiebitz.plugins import source_of_module
from kiebitz.seeds import derive_seed
from kiebitz.store.rows import Seating

MOST_GAMES = 1_000_000_000
MOST_OPENING = 1000
"""Random plies of an opening."""
TRIES = 100
"""Attempts to find a random opening that does not end the game."""
DECISIVE = (
    "nets.py",
    "options.py",
    "seeds.py",
    "spec.py",
    "search.py",
    *(f"{folder}/**/*.py" for folder in ("agents", "beliefs", "games", "solve")),
    "games/**/*.npz",
    *(f"arena/{name}.py" for name in ("batch", "plan", "play", "seatings")),
)
"""The files of Kiebitz that decide what is played."""


@dataclass(frozen=True)
class Limits:
    """Time limits of agents. An agent over a limit plays a legal default, and the event is counted."""

    move_seconds: float | None = None
    """For one move."""
    game_seconds: float | None = None
    """For all moves of a seat in one game."""

    def check(self) -> None:
        """Refuses a limit that is not a positive time."""
        for name, value in vars(self).items():
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
                raise ParameterError(f"{name}: expected seconds above 0, got {value!r:.60}")


@dataclass(frozen=True)
class Openings:
    """How games begin before the agents are asked: with ``plies`` random actions, or with given lines in turn, the same
    for all games of a deal. Without openings, two deterministic agents would repeat one game."""

    plies: int = 0
    lines: tuple[tuple[str, ...], ...] = ()
    """Actions by name, as people type them."""

    def check(self, game: Game) -> None:
        """Refuses lines that cannot be played."""
        if isinstance(self.plies, bool) or not isinstance(self.plies, int) or not 0 <= self.plies <= MOST_OPENING:
            raise ParameterError(f"opening: expected 0 to {MOST_OPENING} random plies, got {self.plies!r:.60}")
        if self.plies and self.lines:
            raise ParameterError("opening: expected random plies or given lines, got both")
        for number, line in enumerate(self.lines):
            try:
                self.play(game.new(seed=0), 0, number)
            except Error as error:
                raise ParameterError(f"opening {number + 1} ({' '.join(line):.60}): {error}") from None

    def play(self, state: State, seed: int, deal: int) -> State:
        """The state after the opening of a deal."""
        if self.lines:
            for name in self.lines[deal % len(self.lines)]:
                state.apply(state.parse(name))
            if state.player == TERMINAL:
                raise ParameterError("the game is over before anybody is asked")
            return state
        for attempt in range(TRIES if self.plies else 0):
            rng = random.Random(derive_seed(seed, "opening", deal, attempt))
            opened = state.copy()
            for _ in range(self.plies):
                if opened.player == TERMINAL:
                    break
                opened.apply(rng.choice(opened.legal()))
            if opened.player != TERMINAL:
                return opened
        if self.plies:
            raise ParameterError(f"opening: {self.plies} random plies end the game nearly always; expected fewer")
        return state


@dataclass(frozen=True)
class PlannedGame:
    """One game of a plan."""

    number: int
    deal: int
    seating: Seating


@dataclass(frozen=True)
class Plan:
    """What is to be played.

    >>> import kiebitz as kb
    >>> plan = Plan(kb.game("nim"), ("nim_perfect", "random"), games=4, seed=1)
    >>> [plan.job(number).seating for number in range(4)]
    [(0, 1), (1, 0), (0, 1), (1, 0)]
    >>> Plan.from_json(plan.to_json()) == plan
    True
    """

    game: Game = field(compare=False)
    agents: tuple[str, ...]
    games: int
    format: str = "match"
    seed: int = 0
    per_deal: int | None = None
    """With `constellations`: how many of them each deal has, in turn."""
    openings: Openings = Openings()
    limits: Limits = Limits()
    metrics: tuple[str, ...] = ()
    """Names of the metrics to take."""
    given: tuple[Agent | None, ...] = field(default=(), compare=False)
    """Agents that play themselves, because no spec can name their class; None for all others."""
    rules: str = ""
    """The game as JSON; set automatically."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", json.dumps(self.game.to_json(), sort_keys=True))

    def check(self) -> None:
        """Refuses, before the first game, what cannot be played."""
        if isinstance(self.games, bool) or not isinstance(self.games, int) or not 1 <= self.games <= MOST_GAMES:
            raise ParameterError(f"games: expected 1 to {MOST_GAMES:,}, got {self.games!r:.60}")
        check_format(self.format, len(self.agents), self.game.info.players)
        if self.per_deal is not None and (self.format != "constellations" or self.per_deal < 1):
            raise ParameterError("per_deal: expected a positive number, and only with constellations")
        self.limits.check()
        self.openings.check(self.game)
        for name in self.metrics:
            find_metric(name)
        for number in range(len(self.agents)):
            self.agent(number)

    def agent(self, number: int, seed: int = 0) -> Agent:
        """An agent by its number: built from its spec, or the object that was given."""
        given = self.given[number] if self.given else None
        return create(self.agents[number] if given is None else given, self.game, seed)

    # --- Games --------------------------------------------------------------------------------------------------------

    @cached_property
    def tables_per_deal(self) -> int:
        """How many games share a deal."""
        if self.format == "series":
            return 1
        if self.format == "constellations":
            return self.per_deal or len(constellations(len(self.agents), self.game.info.players))
        return len(fixed_tables(self.format, len(self.agents), self.game.info.players))

    @property
    def deals(self) -> int:
        """How many deals the games need; the last deal may be incomplete."""
        return -(-self.games // self.tables_per_deal)

    def tables(self, deal: int) -> list[Seating]:
        """The seatings in which a deal is played."""
        players = self.game.info.players
        if self.format == "series":
            return [series_table(players, deal)]
        if self.format == "constellations":
            return drawn_tables(len(self.agents), players, self.seed, deal, self.per_deal)
        return fixed_tables(self.format, len(self.agents), players)

    def job(self, number: int) -> PlannedGame:
        """A game by its number; the games of a deal are consecutive."""
        deal, table = divmod(number, self.tables_per_deal)
        return PlannedGame(number, deal, self.tables(deal)[table])

    def chance_seed(self, deal: int) -> int:
        """The seed of the chance moves of a deal."""
        return derive_seed(self.seed, "chance", deal)

    def seat_seed(self, deal: int, seat: int) -> int:
        """The seed of the agent at a seat. It does not depend on the agent: agents that differ in one option play alike
        until it matters, so that what they have in common cancels."""
        return derive_seed(self.seed, "seat", deal, seat)

    def start(self, deal: int) -> State:
        """The state in which the first agent is asked."""
        return self.openings.play(self.game.new(seed=self.chance_seed(deal)), self.seed, deal)

    # --- Plain values -------------------------------------------------------------------------------------------------

    @property
    def identity(self) -> str:
        """Changes with everything that could change a game: rules, agents, seeds, limits, code. The number of games is
        not part of it, so that a longer plan continues a shorter one. What decides the moves of an agent object is not
        known, so a plan with one has a new identity every time."""
        if any(self.given):
            return secrets.token_hex(8)
        source = source_of(self.game.name)
        files = [Path(source[1])] if source is not None and source[1] else []
        files += [file for spec in self.agents for file in files_of(spec)]
        code = [_code_version(self.metrics), *map(_hash, files)]
        data = {**self.to_json(), "games": None, "code": code}
        return hashlib.blake2b(json.dumps(data, sort_keys=True).encode(), digest_size=8).hexdigest()

    def to_json(self) -> dict[str, Any]:
        """The plan as plain values."""
        return {
            "game": json.loads(self.rules),
            "agents": list(self.agents),
            "games": self.games,
            "format": self.format,
            "seed": self.seed,
            "per_deal": self.per_deal,
            "openings": {"plies": self.openings.plies, "lines": [list(line) for line in self.openings.lines]},
            "limits": asdict(self.limits),
            "metrics": list(self.metrics),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Plan:
        """The inverse of `to_json`."""
        try:
            openings = Openings(int(data["openings"]["plies"]), tuple(map(tuple, data["openings"]["lines"])))
            return cls(
                from_json(data["game"]),
                tuple(map(str, data["agents"])),
                int(data["games"]),
                str(data["format"]),
                int(data["seed"]),
                data["per_deal"],
                openings,
                Limits(**data["limits"]),
                tuple(data["metrics"]),
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ParameterError(f"plan: a part is missing or broken: {error!s:.100}") from None

    def with_games(self, games: int) -> Plan:
        """The same plan with another number of games."""
        return replace(self, games=games)

    def __reduce__(self) -> tuple[Any, ...]:
        specs = [spec for number, spec in enumerate(self.agents) if not self.given or self.given[number] is None]
        agents = {spec: sources_of(spec) for spec in specs}
        try:
            given = pickle.dumps(self.given)
        except Exception as error:
            raise ParameterError(f"{_OBJECTS}: {error!s:.200}") from None
        modules = [source_of_module(type(agent).__module__) for agent in self.given if agent is not None]
        return _rebuild, (self.to_json(), source_of(self.game.name), agents, modules, given)


_OBJECTS = "an agent object cannot be sent to other processes: say workers=1, or put its class into a file or a module"

_Source = tuple[str, str]


def _rebuild(
    data: Mapping[str, Any],
    game: _Source | None,
    agents: Mapping[str, Sequence[_Source]],
    modules: Sequence[_Source],
    given: bytes,
) -> Plan:
    """A plan in another process, which may not know games and agents of other people yet."""
    bring(data["game"]["name"], game)
    for spec, sources in agents.items():
        bring_agents(spec, sources)
    try:
        for module in modules:
            bring_module(*module)
        objects = pickle.loads(given)
    except Exception as error:
        raise ParameterError(f"{_OBJECTS}: {error!s:.200}") from None
    return replace(Plan.from_json(data), given=objects)


@cache
def _code_version(metrics: Sequence[str]) -> str:
    """A hash of the code that decides what is played: the core, everything agents build on, and the metrics."""
    root = Path(__file__).parents[1]
    files = [Path(str(_core.__file__)), *(file for pattern in DECISIVE for file in sorted(root.glob(pattern)))]
    for name in metrics:
        metric = find_metric(name)
        source = inspect.getsourcefile(metric.of if isinstance(metric, ResultMetric) else metric)
        files += [] if source is None else [Path(source)]
    return hashlib.blake2b("".join(map(_hash, files)).encode(), digest_size=8).hexdigest()


def _hash(file: Path) -> str:
    """A hash of a file's contents; empty if the file no longer exists."""
    try:
        with file.open("rb") as content:
            return hashlib.file_digest(content, lambda: hashlib.blake2b(digest_size=8)).hexdigest()
    except OSError:
        return ""
