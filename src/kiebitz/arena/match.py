"""Matches: n games between agents, seats rotated, everything that is random drawn from one seed.

With n players the games come in blocks of n that share a deal: in each of them every agent sits one seat further. The
mean payoffs get Student's interval over blocks, wins, draws and losses Wilson's.
"""

from __future__ import annotations

import hashlib
import math
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from kiebitz import records
from kiebitz._core import TERMINAL, Game, State
from kiebitz.agents.base import Agent, create
from kiebitz.agents.cheat import Cheat
from kiebitz.errors import ParameterError
from kiebitz.spec import Spec, parse
from kiebitz.stats import Estimate, mean_interval, wilson

MAX_GAMES = 100_000_000


@dataclass
class Score:
    """What one agent made of a match."""

    spec: str
    cheats: bool
    blocks: list[list[float]] = field(default_factory=list)
    """Payoffs, the games that share a deal together."""
    wins: int = 0
    draws: int = 0
    losses: int = 0
    moves: int = 0
    seconds: float = 0.0
    slowest: float = 0.0

    @property
    def games(self) -> int:
        """Games played."""
        return self.wins + self.draws + self.losses

    @property
    def payoff(self) -> Estimate:
        """Mean payoff per game with its 95 % confidence interval."""
        return mean_interval(self.blocks)

    @property
    def win_rate(self) -> Estimate:
        """Share of games won with its 95 % confidence interval."""
        return wilson(self.wins, self.games)

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values for JSON."""
        return {
            "agent": self.spec,
            "cheats": self.cheats,
            "payoff": _json(self.payoff),
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "win_rate": _json(self.win_rate),
            "draw_rate": _json(wilson(self.draws, self.games)),
            "loss_rate": _json(wilson(self.losses, self.games)),
            "moves": self.moves,
            "seconds_per_move": self.seconds / self.moves if self.moves else None,
            "slowest_move": self.slowest if self.moves else None,
        }


@dataclass
class Result:
    """The outcome of a match; ``to_dict`` for programs, the command line prints it for people."""

    game: dict[str, Any]
    seed: int
    planned: int
    scores: list[Score]
    games: int = 0
    plies: int = 0
    guarded: int | None = None
    """Games ended by a guard against endless play; nothing where the game has no such guard."""
    seconds: float = 0.0
    interrupted: bool = False

    @property
    def mean_plies(self) -> float | None:
        """Decisions per game."""
        return self.plies / self.games if self.games else None

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values for JSON."""
        return {
            "game": self.game,
            "seed": self.seed,
            "planned": self.planned,
            "games": self.games,
            "interrupted": self.interrupted,
            "mean_plies": self.mean_plies,
            "guarded": self.guarded,
            "seconds": self.seconds,
            "agents": [score.to_dict() for score in self.scores],
        }


def match(
    game: Game,
    specs: Sequence[str | Spec],
    games: int = 100,
    seed: int = 0,
    progress: Callable[[Result], None] | None = None,
    *,
    record: str | os.PathLike[str] | None = None,
) -> Result:
    """Plays a match and counts. Ctrl-C ends it early: the result then covers the games that were finished.

    ``progress`` is called after every game with the result so far; ``record`` names a file to which games are appended.

    >>> import kiebitz as kb
    >>> result = kb.arena.match(kb.game("nim"), ["nim_perfect", "random"], games=10, seed=1)
    >>> result.games, result.scores[0].spec
    (10, 'nim_perfect')
    """
    if isinstance(games, bool) or not isinstance(games, int) or not 1 <= games <= MAX_GAMES:
        raise ParameterError(f"games: expected 1 to {MAX_GAMES:,}, got {games}")
    players = game.info.players
    if len(specs) != players:
        raise ParameterError(f"expected {players} agents for {game.name}, got {len(specs)}")
    parsed = [parse(spec) if isinstance(spec, str) else spec for spec in specs]
    agents = [create(spec, game) for spec in parsed]  # what cannot play is refused before the first game
    result = Result(game.to_json(), seed, games, [Score(agent.spec, agent.sees_state) for agent in agents])
    begun = time.perf_counter()
    try:
        for number in range(games):
            _play(game, parsed, number, result, record)
            result.seconds = time.perf_counter() - begun
            if progress is not None:
                progress(result)
    except KeyboardInterrupt:
        result.interrupted = True
    return result


def seat_of(agent: int, number: int, players: int) -> int:
    """Where an agent sits in game ``number``: one seat further each game.

    >>> [seat_of(0, number, 3) for number in range(4)]
    [0, 1, 2, 0]
    """
    return (agent + number) % players


def derive_seed(*parts: int | str) -> int:
    """A seed for one purpose from a seed for many, the same on every machine."""
    text = "\0".join(str(part) for part in parts)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") >> 1


def choose(agent: Agent, state: State) -> int:
    """Asks an agent for its move, giving it no more than it may see."""
    if isinstance(agent, Cheat):
        return agent.act_state(state)
    return agent.act(state.view(state.player))


def _play(
    game: Game, specs: Sequence[Spec], number: int, result: Result, record: str | os.PathLike[str] | None
) -> None:
    """Plays one game; the result changes only once it is over."""
    players = game.info.players
    block = number // players
    seated = {seat_of(i, number, players): i for i in range(players)}
    # New seeds for every game: an agent's move is a function of seed and view, so old seeds would repeat old games.
    agents = [create(spec, game, derive_seed(result.seed, "agent", number, i)) for i, spec in enumerate(specs)]
    chance = derive_seed(result.seed, "chance", block)
    state = game.new(seed=chance)
    moves, seconds, slowest = [0] * players, [0.0] * players, [0.0] * players
    while state.player != TERMINAL:
        i = seated[state.player]
        begun = time.perf_counter()
        action = choose(agents[i], state)
        took = time.perf_counter() - begun
        state.apply(action)
        moves[i] += 1
        seconds[i] += took
        slowest[i] = max(slowest[i], took)
    if record is not None:
        names = tuple(result.scores[seated[seat]].spec for seat in range(players))
        records.save(record, [records.record_of(state, names, chance)])
    _count(result, seated, block, state)
    for i, score in enumerate(result.scores):
        score.moves += moves[i]
        score.seconds += seconds[i]
        score.slowest = max(score.slowest, slowest[i])
    result.games += 1
    result.plies += sum(moves)


def _count(result: Result, seated: dict[int, int], block: int, state: State) -> None:
    """Payoffs and wins of a finished game. Most points win; who shares the most has drawn."""
    returns = list(state.returns())
    best = max(returns)
    shared = sum(math.isclose(value, best, abs_tol=1e-12) for value in returns) > 1
    for seat, payoff in enumerate(returns):
        score = result.scores[seated[seat]]
        if len(score.blocks) <= block:
            score.blocks.append([])
        score.blocks[block].append(payoff)
        if not math.isclose(payoff, best, abs_tol=1e-12):
            score.losses += 1
        elif shared:
            score.draws += 1
        else:
            score.wins += 1
    ended = state.result().get("ended")
    if ended is not None:
        result.guarded = (result.guarded or 0) + (ended == "guard")


def _json(estimate: Estimate) -> dict[str, float | None]:
    out = estimate.to_dict()
    return {key: None if value is None or math.isnan(value) else value for key, value in out.items()}
