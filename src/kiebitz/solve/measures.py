"""Exact measures of policies: what they pay, what a best response gets, how far from an equilibrium they are.

NashConv is the sum over all players of what each gains by a best response while the others keep their strategies.
Exploitability is NashConv / 2 in a two-player zero-sum game: the mean payoff of the best responses (Heinrich and Silver
2016). Payoffs are in the units of the game, for instance chips.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kiebitz._core import Game
from kiebitz.errors import ParameterError, UnsuitableGame
from kiebitz.solve.compiled import GameLike, game_of, rules_of
from kiebitz.solve.policy import Policy


class Measures(NamedTuple):
    """All exact measures of a policy."""

    values: list[float]
    """What each player gets when all follow the policy."""
    best_values: list[float]
    """What each player gets by a best response to the others."""
    nash_conv: float
    exploitability: float | None
    """NashConv / 2; None outside two-player zero-sum games."""

    def __str__(self) -> str:
        half = "" if self.exploitability is None else f"exploitability {self.exploitability:.6g}, "
        return half + f"NashConv {self.nash_conv:.6g}"


def measure(policy: Policy) -> Measures:
    """Values, best responses, NashConv and exploitability.

    >>> print(measure(Policy.uniform("kuhn")))
    exploitability 0.458333, NashConv 0.916667
    """
    profile = list(policy.strategies)
    values = policy.compiled.payoffs(profile)
    best = policy.compiled.best_values(profile)
    conv = sum(max(b - v, 0.0) for b, v in zip(best, values, strict=True))
    return Measures(values, best, conv, conv / 2 if is_two_player_zero_sum(policy.game) else None)


def is_two_player_zero_sum(game: Game) -> bool:
    """Whether one player's loss is the other's gain (any constant sum counts).

    >>> is_two_player_zero_sum(game_of("leduc"))
    True
    """
    return game.info.players == 2 and game.info.utility in ("zero_sum", "constant_sum")


def nash_conv(game: GameLike, policy: Policy) -> float:
    """NashConv: the sum of what each player gains by a best response; 0 in an equilibrium.

    >>> round(nash_conv("leduc", Policy.uniform("leduc")), 6)
    4.747222
    """
    return measure(fitting(game, policy)).nash_conv


def exploitability(game: GameLike, policy: Policy) -> float:
    """NashConv / 2 of a two-player zero-sum game; others have no such number, only NashConv.

    >>> round(exploitability("leduc", Policy.uniform("leduc")), 6)
    2.373611
    """
    value = measure(fitting(game, policy)).exploitability
    if value is None:
        raise UnsuitableGame(
            f"exploitability needs a two-player zero-sum game, which {policy.game.name} is not; nash_conv takes any"
        )
    return value


def expected_value(game: GameLike, policy: Policy) -> list[float]:
    """What each player gets on average when all follow the policy.

    >>> [round(value, 6) for value in expected_value("leduc", Policy.uniform("leduc"))]
    [-0.078125, 0.078125]
    """
    fitting(game, policy)
    return policy.compiled.payoffs(list(policy.strategies))


class BestResponse(NamedTuple):
    """What a player does best against the others, and what it gets."""

    value: float
    policy: Policy
    """The given policy with this player's part replaced by the response."""


def best_response(game: GameLike, policy: Policy, player: int) -> BestResponse:
    """A best response of one player to the others' part of a policy.

    >>> round(best_response("kuhn", Policy.uniform("kuhn"), 0).value, 6)
    0.5
    """
    fitting(game, policy)
    _check_player(policy, player)
    value, response = policy.compiled.best_response(player, list(policy.strategies))
    strategies = list(policy.strategies)
    strategies[player] = response
    return BestResponse(value, Policy(policy.compiled, strategies))


def _check_player(policy: Policy, player: int) -> None:
    if not isinstance(player, int) or isinstance(player, bool) or not 0 <= player < policy.compiled.players:
        raise ParameterError(f"player: expected 0 to {policy.compiled.players - 1}, got {player!r:.60}")


def head_to_head(game: GameLike, first: Policy, second: Policy) -> float:
    """What the first policy gets on average against the second, both seats of a two-player game in turn; exact.

    >>> uniform = Policy.uniform("kuhn")
    >>> first_best = best_response("kuhn", uniform, 0).policy  # uniform on the other seat
    >>> round(head_to_head("kuhn", first_best, uniform), 6)
    0.1875
    """
    fitting(game, first)
    first.same_game(second)
    if first.compiled.players != 2:
        raise UnsuitableGame(f"head_to_head needs two players, {first.game.name} has {first.compiled.players}")
    there = first.compiled.payoffs([first.strategies[0], second.strategies[1]])[0]
    back = first.compiled.payoffs([second.strategies[0], first.strategies[1]])[1]
    return float(np.mean([there, back]))


class Answer(NamedTuple):
    """What a player's part of a policy wins against a given opponent, and against the worst one."""

    value: float
    worst: float


def answer(policy: Policy, opponent: Policy, player: int) -> Answer:
    """How a player's part of a policy does against an opponent in a two-player game, and against the worst opponent:
    the two sides of the trade that a restricted Nash response makes.

    >>> uniform = Policy.uniform("kuhn")
    >>> [round(value, 6) for value in answer(uniform, uniform, 0)]
    [0.125, -0.416667]
    """
    policy.same_game(opponent)
    if policy.compiled.players != 2:
        raise UnsuitableGame(f"answer needs two players, {policy.game.name} has {policy.compiled.players}")
    _check_player(policy, player)
    both = list(opponent.strategies)
    both[player] = policy.strategies[player]
    against = best_response(policy.game, policy, 1 - player).policy
    return Answer(policy.compiled.payoffs(both)[player], expected_value(policy.game, against)[player])


def gap(game: GameLike, policy: Policy, response: Policy) -> list[float]:
    """How far each player's part of `response`, a learned reply to `policy`, falls short of a best response.

    >>> uniform = Policy.uniform("kuhn")
    >>> [round(missed, 6) for missed in gap("kuhn", uniform, uniform)]
    [0.375, 0.541667]
    """
    fitting(game, policy)
    policy.same_game(response)
    out = []
    for player, best in enumerate(policy.compiled.best_values(list(policy.strategies))):
        mixed = list(policy.strategies)
        mixed[player] = response.strategies[player]
        out.append(best - policy.compiled.payoffs(mixed)[player])
    return out


def fitting(game: GameLike, policy: Policy) -> Policy:
    """The policy, if it is one for this game."""
    if not isinstance(policy, Policy):
        raise ParameterError(f"policy: expected a policy, got {type(policy).__name__}")
    game = game_of(game)
    if rules_of(game) != rules_of(policy.game):
        raise ParameterError(f"policy: expected one for {game.to_json()}, got one for {policy.game.to_json()}")
    return policy
