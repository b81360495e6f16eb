"""What is wrong with a request, in plain words: which field, and what was expected there."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

MOST = 5
"""Fields that are named at once."""
_KINDS = {
    "bool": "true or false",
    "dict": "an object",
    "float": "a number",
    "int": "a whole number",
    "list": "a list",
    "model": "an object",
    "string": "text",
}
"""What was expected, by how the kinds of Pydantic's findings begin."""


def complaints(errors: Sequence[Mapping[str, Any]]) -> str:
    """The findings of Pydantic about a request as one sentence for each field.

    >>> complaints([{"type": "int_type", "loc": ("body", "seats", 0, "age"), "input": "x", "ctx": {}}])
    "seats.0.age: expected a whole number, got 'x'"
    """
    fields: dict[str, list[str]] = {}
    given: dict[str, str] = {}
    for error in errors:
        # Of a value that may be one of several kinds, each kind has a finding, and a name with a hyphen.
        unknown = error["type"] == "extra_forbidden"
        where = ".".join(str(part)[:40] for part in error["loc"][1:] if unknown or "-" not in str(part))
        said = fields.setdefault(where, [])
        if (words := _expected(error)) not in said:
            said.append(words)
        given[where] = _given(error)
    parts = [f"{where}: " * bool(where) + _either(said) + given[where] for where, said in fields.items()]
    return "; ".join(parts[:MOST])


def _either(said: Sequence[str]) -> str:
    return " or ".join([said[0], *(each.removeprefix("expected ") for each in said[1:])])


def _expected(error: Mapping[str, Any]) -> str:
    kind, limits = str(error["type"]), error.get("ctx") or {}
    items = "characters" if kind.startswith("string_too") else "entries"
    if kind == "missing":
        return "expected this field"
    if kind == "extra_forbidden":
        return "unknown field"
    if kind == "json_invalid":
        return f"expected JSON: {limits.get('error', '')!s:.80}"
    if kind == "literal_error":
        return f"expected {limits['expected']}"
    if kind == "value_error":
        return str(limits["error"])
    if kind == "finite_number":
        return "expected a finite number"
    for name, word in (("ge", "at least"), ("le", "at most"), ("min_length", "at least"), ("max_length", "at most")):
        if name in limits:
            return f"expected {word} {limits[name]:,}" + f" {items}" * name.endswith("length")
    found = _KINDS.get(kind.partition("_")[0])
    return f"expected {found}" if found else "this is not possible here"


def _given(error: Mapping[str, Any]) -> str:
    """What came instead, if that is short enough to help."""
    value = error.get("input")
    if error["type"] in ("missing", "extra_forbidden", "json_invalid", "value_error"):
        return ""
    if isinstance(value, str):
        return f", got {value!r}" if len(value) <= 30 else ""
    return f", got {json.dumps(value)}" if isinstance(value, bool | int | float) or value is None else ""
