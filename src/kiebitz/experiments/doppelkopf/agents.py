"""The agents of the experiments as specs: the thesis' players and our best."""

from __future__ import annotations

from collections.abc import Mapping

from kiebitz.spec import Spec, Value

RANDOM = "random(calls=false)"
"""The thesis' modified random player: uniform, but it never calls."""
RULE_OF_THUMB = "rule_of_thumb"

Options = Mapping[str, Value]

_THESIS: Options = {"expand": "all", "tree_calls": "none", "playout_calls": "none"}
"""The thesis' search: all children at once, no calls below the root and in playouts (its heuristics H2 and H1)."""


def perfect(iterations: int, c: float = 2.5, **options: Value) -> str:
    """MCTS with perfect information (MCTS-PI), in raw points; options are those of ``uct``.

    >>> perfect(1000)
    'cheat(uct(iterations=1000, c=2.5, scale=raw, expand=all, tree_calls=none, playout_calls=none))'
    """
    return str(Spec.of("cheat", _search(iterations, {"c": c, "scale": "raw", **_THESIS, **options})))


def determinized(
    iterations: int = 1000,
    worlds: int = 10,
    *,
    fusion: str = "average",
    belief: str = "cap",
    leak: bool = False,
    search: Options | None = None,
    **options: Value,
) -> str:
    """The thesis' player with hidden cards (MCTS+CAP); ``search`` has options of ``uct``, the others are ``pimc``'s.

    With ``leak`` it knows the true parties, as the published program did.

    >>> determinized(1000)
    'pimc(uct(iterations=1000, c=2.5, scale=siblings, expand=all, tree_calls=none, playout_calls=none), worlds=10, fusion=average, belief=cap)'
    """  # noqa: E501 (one spec)
    inner = _search(iterations, {"c": 2.5, "scale": "siblings", **_THESIS, **(search or {})})
    given = {"worlds": worlds, "fusion": fusion, "belief": belief, **options}
    spec = Spec.of("pimc", inner, **_words(given | ({"leak": True} if leak else {})))
    return str(Spec.of("cheat", spec) if leak else spec)


def best(iterations: int = 1000, worlds: int = 10, *, calls: bool = True, solos: bool = True) -> str:
    """Our best player without training; switch off calls or solos to see what they are worth.

    >>> best(solos=False)
    'best(iterations=1000, worlds=10, solos=false)'
    """
    switches = {name: False for name, on in (("calls", calls), ("solos", solos)) if not on}
    return str(Spec.of("best", iterations=iterations, worlds=worlds, **switches))


def _search(iterations: int, options: Options) -> Spec:
    return Spec.of("uct", iterations=iterations, **_words(options))


def _words(options: Options) -> dict[str, Value]:
    """Strings as bare words, which are easier to read in a spec."""
    return {key: Spec(value) if isinstance(value, str) else value for key, value in options.items()}


BEST = best()
"""The best player with the budget at which it meets the thesis' player."""
