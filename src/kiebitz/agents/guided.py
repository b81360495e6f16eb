"""Nets inside searches: the options of specs that name them, and the evaluators that the core gets.

A net has a policy, a value, or both. A tree search takes its policy as priors and its value in place of playouts, or
one of the two, or lets it draw the actions of playouts (the default policy); alpha-beta takes its value at leaves.
"""

from __future__ import annotations

from typing import Any, Protocol

from kiebitz._core import Cache, Game, Parts
from kiebitz.errors import ParameterError, UnsuitableGame
from kiebitz.nets import SHIPPED, NetFile, named
from kiebitz.options import option

CACHE_MB = 16
"""To remember what a small dense net said takes longer than to ask it again (docs/nets.md)."""
PLAYOUT = "playout"
"""The value of a leaf that no net says."""


class Guiding(Protocol):
    """The options by which nets guide a tree search."""

    prior: str
    value: str
    default_policy: str
    cache_mb: int | None


def prior_option() -> Any:
    """Declares ``prior``."""
    return option(
        "",
        "net that guides the search: policy as priors, value (if it has one) for playouts",
        file=(SHIPPED,),
    )


def value_option() -> Any:
    """Declares ``value``."""
    return option("", "net whose value a leaf gets, if not that of prior; or playout", file=(SHIPPED, PLAYOUT))


def default_policy_option() -> Any:
    """Declares ``default_policy``."""
    return option("", "net that draws the actions of playouts", file=(SHIPPED,))


def cache_option() -> Any:
    """Declares ``cache_mb``."""
    return option(
        None,
        f"megabytes for what nets said of positions that come again; by default {CACHE_MB}, for convolutions only",
        low=0,
        high=1 << 20,
        most=CACHE_MB,
        effect="speed",
    )


def guides(options: Guiding, game: Game) -> dict[str, Any]:
    """What the tree searches of the core take so that nets guide them; nothing for a search without nets."""
    if not (options.prior or options.default_policy or options.value not in ("", PLAYOUT)):
        return {}
    playouts = options.value == PLAYOUT or (bool(options.default_policy) and not options.value)
    if options.default_policy and not playouts:
        raise ParameterError("default_policy: expected value=playout, because it draws the actions of playouts")
    policy = net_with("policy", options.prior, game, "prior") if options.prior else None
    playouts = playouts or (policy is not None and not options.value and not policy.has("value"))
    judge = None
    if not playouts:
        judge = net_with("value", options.value or options.prior, game, "value")
    given: dict[str, Any] = {"values": PLAYOUT} if playouts else {}
    if options.default_policy:
        given["default_policy"] = net_with("policy", options.default_policy, game, "default_policy").net
    if policy is None and judge is None:
        return given
    whole = policy is not None and (judge is None or options.value in ("", options.prior))
    evaluator = (
        policy.net
        if policy and whole
        else Parts(None if policy is None else policy.net, None if judge is None else judge.net)
    )
    slow = any(net is not None and net.board[0] > 0 for net in (policy, judge))
    megabytes = options.cache_mb if options.cache_mb is not None else CACHE_MB * slow
    return {**given, "evaluator": Cache(evaluator, megabytes) if megabytes else evaluator}


def net_with(part: str, file: str, game: Game, name: str) -> NetFile:
    """The net that an option names, which must have a policy or a value."""
    net = named(file, game)
    if not net.has(part):
        raise UnsuitableGame(f"{name}: {file}: this net has no {part}")
    return net


def guiding_megabytes(options: Any) -> float:
    """The memory that its nets may take.

    >>> from kiebitz.agents.uct import UctOptions
    >>> guiding_megabytes(UctOptions(prior="net.npz", cache_mb=8)), guiding_megabytes(UctOptions())
    (8.0, 0.0)
    """
    named_any = any(getattr(options, name, "") for name in ("prior", "value"))
    if not named_any or not hasattr(options, "cache_mb"):
        return 0.0
    return float(CACHE_MB if options.cache_mb is None else options.cache_mb)
