"""How much an agent thinks, according to its spec; shown beside its time per move."""

from __future__ import annotations

from collections.abc import Iterator

from kiebitz.spec import Spec, SpecError, Value, parse


def iterations_of(spec: str) -> int | None:
    """Iterations that an agent spends on a decision, over all worlds, if its spec says so.

    >>> iterations_of("pimc(uct(iterations=1000), worlds=10)"), iterations_of("random")
    (10000, None)
    """
    try:
        numbers = dict(_numbers(parse(spec)))
    except SpecError:  # a name that is not one of our agents
        return None
    if "iterations" not in numbers:
        return None
    return numbers["iterations"] * numbers.get("worlds", 1)


def _numbers(value: Value) -> Iterator[tuple[str, int]]:
    if isinstance(value, Spec):
        for inner in (*value.args, *(item for _, item in value.kwargs)):
            yield from _numbers(inner)
        yield from ((key, item) for key, item in value.kwargs if isinstance(item, int))
