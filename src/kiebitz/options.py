"""Options of whatever is written as a spec: a frozen dataclass each, read from and written back to a spec.

Every option has a type, a default, a line of help and, where it makes sense, a range or a list of choices. What is not
accepted raises an error that lists what is.
"""

from __future__ import annotations

import dataclasses
import math
import types
import typing
from dataclasses import dataclass
from functools import cache
from typing import Any

from kiebitz.errors import BudgetError, Error, ParameterError
from kiebitz.spec import Spec, SpecError, Value

MOST = 10_000_000_000
"""Largest budget in iterations or nodes; beyond it lies a typing error."""
LONGEST = 7 * 24 * 3600.0
"""Longest budget in seconds: a week."""

REQUIRED: Any = dataclasses.MISSING
"""The default of an option that must be given."""

Texts = tuple[str, ...]
"""The type of an option that is a list of texts."""


@dataclass(frozen=True)
class NoOptions:
    """For agents that need none."""


def option(
    default: Any,
    help: str,
    *,
    low: float | None = None,
    high: float | None = None,
    choices: tuple[str, ...] = (),
    error: type[Error] = ParameterError,
) -> Any:
    """Declares one option of an agent: a dataclass field with its documentation and limits.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Options:
    ...     depth: int = option(4, "plies", low=1, high=100)
    >>> read(Spec.of("minimax", depth=7), Options)
    Options(depth=7)
    """
    metadata = {"help": help, "low": low, "high": high, "choices": choices, "error": error}
    return dataclasses.field(default=default, metadata=metadata)


def budget(help: str, *, seconds: bool = False) -> Any:
    """Declares a budget: nothing means no limit of this kind; 0, negative and absurd values raise BudgetError."""
    if seconds:
        return option(None, help, low=1e-6, high=LONGEST, error=BudgetError)
    return option(None, help, low=1, high=MOST, error=BudgetError)


@dataclass(frozen=True)
class OptionInfo:
    """An option as people see it."""

    name: str
    type: str
    required: bool
    default: Any
    help: str
    low: float | None
    high: float | None
    choices: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values for JSON."""
        out = dataclasses.asdict(self)
        out["default"] = str(self.default) if isinstance(self.default, Spec) else self.default
        out["choices"] = list(self.choices)
        return out


def describe(options: type[Any]) -> list[OptionInfo]:
    """The options that a dataclass declares, in order."""
    return [
        OptionInfo(
            field.name,
            _type_name(_types(options)[field.name]),
            field.default is REQUIRED,
            None if field.default is REQUIRED else field.default,
            field.metadata.get("help", ""),
            field.metadata.get("low"),
            field.metadata.get("high"),
            field.metadata.get("choices", ()),
        )
        for field in dataclasses.fields(options)
    ]


def read(spec: Spec, options: type[Any]) -> Any:
    """Turns the arguments of a spec into an options object: plain values fill the options in order.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Options:
    ...     depth: int = option(4, "plies", low=1, high=100)
    >>> read(Spec.of("minimax", 7), Options)
    Options(depth=7)
    >>> try:
    ...     read(Spec.of("minimax", dpth=7), Options)
    ... except ParameterError as error:
    ...     print(error)
    minimax has no option 'dpth'; expected depth
    """
    fields = dataclasses.fields(options)
    if len(spec.args) > len(fields):
        raise ParameterError(
            f"{spec.name}: expected at most {len(fields)} values, got {len(spec.args)}; {_list(fields)}"
        )
    given: dict[str, Value] = {field.name: value for field, value in zip(fields, spec.args, strict=False)}
    for key, value in spec.kwargs:
        if all(field.name != key for field in fields):
            raise ParameterError(f"{spec.name} has no option '{key}'; {_list(fields)}")
        if key in given:
            raise SpecError(f"{spec.name}: '{key}' is given twice, as a plain value and by name")
        given[key] = value
    for field in fields:
        if field.name not in given and field.default is REQUIRED:
            raise ParameterError(f"{spec.name}: expected the option '{field.name}': {field.metadata.get('help', '')}")
    kinds = _types(options)
    values = {
        field.name: _check(spec.name, field, kinds[field.name], given[field.name])
        for field in fields
        if field.name in given
    }
    return options(**values)


def write(name: str, options: Any) -> Spec:
    """The shortest spec that means these options.

    An option without a default is written as a plain value, and so is a spec that comes first: what an agent is made
    of reads better without a name.
    """
    args: list[Value] = []
    kwargs: list[tuple[str, Value]] = []
    for index, field in enumerate(dataclasses.fields(options)):
        value = getattr(options, field.name)
        leads = isinstance(value, Spec) and value != field.default
        if (field.default is REQUIRED or leads) and len(args) == index:
            args.append(value)
        elif value != field.default or isinstance(value, bool) != isinstance(field.default, bool):
            kwargs.append((field.name, Spec(value) if _is_word(field, value) else value))
    return Spec(name, tuple(args), tuple(kwargs))


def _is_word(field: dataclasses.Field[Any], value: Any) -> bool:
    """Choices are names: they look better without quotes."""
    return isinstance(value, str) and value in field.metadata.get("choices", ())


def _list(fields: tuple[dataclasses.Field[Any], ...]) -> str:
    return "expected " + ", ".join(field.name for field in fields) if fields else "it has none"


def _types(options: Any) -> dict[str, Any]:
    return dict(_cached_types(options))


@cache
def _cached_types(options: Any) -> dict[str, Any]:
    return typing.get_type_hints(options)


def _alternatives(kind: Any) -> tuple[Any, ...]:
    return typing.get_args(kind) if isinstance(kind, types.UnionType) else (kind,)


_WORDS: dict[Any, str] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "text",
    Spec: "a spec",
    Texts: "a list of texts",
}


def _type_name(kind: Any) -> str:
    return " or ".join(_WORDS[k] for k in _alternatives(kind) if k is not type(None))


def _check(owner: str, field: dataclasses.Field[Any], kind: Any, value: Value) -> Any:
    """The value as the option's type, or an error that says what was expected."""
    where, error = f"{owner}: {field.name}", field.metadata["error"]
    kinds = _alternatives(kind)
    converted: Any = None
    if isinstance(value, bool):
        converted = value if bool in kinds else None
    elif isinstance(value, int) and int in kinds:
        converted = value
    elif isinstance(value, int | float) and float in kinds:
        converted = float(value)
    elif isinstance(value, Spec) and Spec in kinds:
        converted = value
    elif isinstance(value, Spec) and str in kinds and not value.args and not value.kwargs:
        converted = value.name  # a bare word
    elif (isinstance(value, str) and str in kinds) or (_is_texts(value) and Texts in kinds):
        converted = value
    if converted is None:
        raise ParameterError(f"{where}: expected {_type_name(kind)}, got {_got(value)}")
    low, high, choices = field.metadata["low"], field.metadata["high"], field.metadata["choices"]
    numeric = isinstance(converted, int | float) and not isinstance(converted, bool)
    if numeric and not _within(converted, low, high):
        raise error(f"{where}: expected {_range(low, high)}, got {_got(value)}")
    if choices and converted not in choices:
        raise error(f"{where}: expected one of {', '.join(choices)}, got '{converted}'")
    return converted


def _is_texts(value: Value) -> bool:
    return isinstance(value, tuple) and all(isinstance(item, str) for item in value)


def _within(value: float, low: float | None, high: float | None) -> bool:
    return math.isfinite(value) and (low is None or value >= low) and (high is None or value <= high)


def _range(low: float | None, high: float | None) -> str:
    if high is None:
        return f"at least {low:g}" if low is not None else "any number"
    return f"{low:g} to {high:,.0f}" if low is not None else f"at most {high:g}"


def _got(value: Value) -> str:
    text = str(Spec.of("x", value))[2:-1]
    return text if len(text) <= 60 else text[:57] + "..."
