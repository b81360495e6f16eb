"""Options of whatever is written as a spec: a frozen dataclass each, read from and written back to a spec.

Every option has a type, a default, a line of help and, where it makes sense, a range or a list of choices. What is not
accepted raises an error that lists what is. The options of searches are described in the core; `search_options` builds
their dataclass from there.
"""

from __future__ import annotations

import dataclasses
import inspect
import math
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from kiebitz import _core
from kiebitz.errors import BudgetError, Error, ParameterError
from kiebitz.spec import Spec, SpecError, Value

REQUIRED: Any = dataclasses.MISSING
"""The default of an option that must be given."""

Texts = tuple[str, ...]
"""The type of an option that is a list of texts."""

T = TypeVar("T")


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
    most: float | None = None,
    effect: str = "move",
    file: tuple[str, ...] | None = None,
    error: type[Error] = ParameterError,
) -> Any:
    """Declares one option: a dataclass field with its documentation and limits.

    `most` is the largest value that a server allows; False: the switch stays off there. `effect` says what the option
    changes: the ``move``, only the ``speed``, or the move is no longer a pure function once it is set (``impure``).
    `file` says that it names a file, which strangers may not; they may say the words in it, which mean none.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Options:
    ...     depth: int = option(4, "plies", low=1, high=100)
    >>> read(Spec.of("minimax", depth=7), Options)
    Options(depth=7)
    """
    metadata = {
        "help": help,
        "low": low,
        "high": high,
        "choices": choices,
        "most": most,
        "effect": effect,
        "file": file,
        "error": error,
    }
    return dataclasses.field(default=default, metadata=metadata)


_KINDS: dict[str, Any] = {"bool": bool, "int": int, "float": float, "str": str}


def search_option(search: str, name: str, **changes: Any) -> Any:
    """Declares an option as the core describes it for a search, with `changes` to what `option` takes.

    >>> search_option("uct", "threads").metadata["high"]
    64
    """
    described = _described(search)[name]
    arguments: dict[str, Any] = {
        "default": described.default,
        "help": described.help,
        "low": described.low,
        "high": described.high,
        "choices": tuple(described.choices),
        "most": described.most,
        "effect": described.effect,
        "error": BudgetError if described.budget else ParameterError,
    }
    return option(**{**arguments, **changes})


def search_options(
    search: str, *names: str, budget: Mapping[str, int] | None = None, **defaults: Any
) -> Callable[[type[T]], type[T]]:
    """Makes a class the dataclass of the options of a search: those that the core describes and people may write.

    `names` are the options that it takes, in order; without names it takes all of the search, after an agent inside
    and before what else the class declares. Options that the class declares itself come instead of the search's own;
    one that it only annotates is there for code that reads it. `budget` is what `arguments` adds where no budget is
    given, and `defaults` are other defaults than the core's.

    >>> @search_options("uct", "iterations", "c", "luck", budget={"iterations": 100}, c=0.5)
    ... class Options:
    ...     luck: bool = option(False, "an option that only the agent has")
    >>> read(Spec.of("lucky", luck=True), Options)
    Options(iterations=None, c=0.5, luck=True)
    >>> describe(Options)[0].help
    'simulations per move; 100 where no budget is given'
    >>> arguments(Options())
    {'iterations': 100, 'c': 0.5}
    """
    described, usual_budget = _described(search), dict(budget or {})

    def build(cls: type[T]) -> type[T]:
        annotated = typing.get_type_hints(cls)
        own = {name: vars(cls)[name] for name in annotated if name in vars(cls)}
        leading = [name for name in own if annotated[name] is Spec]
        usual = [name for name, each in described.items() if each.in_specs]
        fields: dict[str, Any] = {}
        for name in names or dict.fromkeys([*leading, *usual, *own]):
            if name in own:
                fields[name] = annotated[name]
                continue
            kind = _KINDS[described[name].kind]
            fields[name] = kind | None if described[name].default is None else kind
            if annotated.get(name, fields[name]) != fields[name]:
                raise TypeError(f"{cls.__qualname__}.{name}: the core says {fields[name]}, not {annotated[name]}")
            changes = {"default": defaults[name]} if name in defaults else {}
            if name in usual_budget:
                changes["help"] = f"{described[name].help}; {usual_budget[name]:,} where no budget is given"
            setattr(cls, name, search_option(search, name, **changes))
        unknown = (annotated.keys() | usual_budget.keys() | defaults.keys()) - fields.keys()
        if unknown:
            raise TypeError(f"{cls.__qualname__}: {search} has no {', '.join(sorted(unknown))}")
        cls.__annotations__ = fields
        _searches[cls] = search, usual_budget
        return dataclass(frozen=True)(cls)

    return build


_searches: dict[type[Any], tuple[str, dict[str, int]]] = {}
"""Of each dataclass of `search_options`: the search, and the budget where none is given."""


def arguments(options: Any) -> dict[str, Any]:
    """The options as the core takes them, with a budget where none was given; what only the agent has is left out."""
    search, budget = _searches[type(options)]
    given = {name: value for name, value in vars(options).items() if name in _described(search) and value is not None}
    limited = any(field.default is None and field.name in given for field in dataclasses.fields(options))
    return given if limited else {**budget, **given}


def replace(options: T, **changes: Any) -> T:
    """The same options with other values.

    >>> replace(NoOptions())
    NoOptions()
    """
    return typing.cast(T, dataclasses.replace(typing.cast(Any, options), **changes))


def files_in(options: Any) -> list[str]:
    """The files that options name.

    >>> @dataclass(frozen=True)
    ... class Options:
    ...     book: str = option("", "openings", file=("none",))
    >>> files_in(Options("book.json")), files_in(Options("none")), files_in(Options())
    (['book.json'], [], [])
    """
    named = [(field, getattr(options, field.name)) for field in dataclasses.fields(options)]
    return [
        value
        for field, value in named
        if (words := field.metadata["file"]) is not None and value not in (field.default, *words)
    ]


@cache
def _described(search: str) -> dict[str, _core.SearchOption]:
    return {each.name: each for each in _core.search_options(search)}


MOST = int(_described("uct")["iterations"].high or 0)
"""Largest budget in iterations or nodes; beyond it lies a typing error."""
LONGEST = float(_described("uct")["seconds"].high or 0)
"""Longest budget in seconds: a week."""


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
    most: float | None
    """The largest value that a server allows."""
    file: tuple[str, ...] | None = None
    """None: a plain value. Otherwise it names a file, unless it is one of these words."""

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values for JSON."""
        out = dataclasses.asdict(self)
        out["default"] = str(self.default) if isinstance(self.default, Spec) else self.default
        out["choices"] = list(self.choices)
        out["file"] = None if self.file is None else list(self.file)
        return out


def describe(options: type[Any]) -> list[OptionInfo]:
    """The options that a dataclass declares, in order."""
    return [
        OptionInfo(
            field.name,
            _type_name(_types(options)[field.name]),
            field.default is REQUIRED,
            None if field.default is REQUIRED else field.default,
            field.metadata["help"],
            field.metadata["low"],
            field.metadata["high"],
            field.metadata["choices"],
            field.metadata["most"],
            field.metadata["file"],
        )
        for field in dataclasses.fields(options)
    ]


def keyword_options(function: Callable[..., Any]) -> type[Any]:
    """The dataclass of a function's keyword-only arguments, for what is made by calling it.

    Each is annotated with its type, its help and, where it has any, the limits that `option` takes.

    >>> from typing import Annotated
    >>> def solver(game, *, step: Annotated[float, "size of a step", {"low": 0}] = 0.5): ...
    >>> read(Spec.of("solver", step=1), keyword_options(solver))
    SolverOptions(step=1.0)
    """
    hints = typing.get_type_hints(function, include_extras=True)
    fields: list[tuple[str, Any, Any]] = []
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is not parameter.KEYWORD_ONLY:
            continue
        kind, help, *limits = typing.get_args(hints[name])
        default = REQUIRED if parameter.default is parameter.empty else parameter.default
        fields.append((name, kind, option(default, help, **(limits[0] if limits else {}))))
    name = function.__name__.title().replace("_", "") + "Options"
    return dataclasses.make_dataclass(name, fields, frozen=True)


def read(spec: Spec, options: type[Any], more: Mapping[str, Any] | None = None) -> Any:
    """Turns the arguments of a spec into an options object: plain values fill the options in order.

    `more` are values by name that come from Python; they replace those of the spec.

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
    given: dict[str, Any] = {field.name: value for field, value in zip(fields, spec.args, strict=False)}
    for key, value in spec.kwargs:
        if key in given:
            raise SpecError(f"{spec.name}: '{key}' is given twice, as a plain value and by name")
        given[key] = value
    given.update(more or {})
    for key in given:
        if all(field.name != key for field in fields):
            raise ParameterError(f"{spec.name} has no option '{key}'; {_list(fields)}")
    for field in fields:
        if field.name not in given and field.default is REQUIRED:
            raise ParameterError(f"{spec.name}: expected the option '{field.name}': {field.metadata['help']}")
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
        written = Spec(value) if _is_word(field, value) else value
        if (field.default is REQUIRED or leads) and len(args) == index:
            args.append(written)
        elif value != field.default or isinstance(value, bool) != isinstance(field.default, bool):
            kwargs.append((field.name, written))
    return Spec(name, tuple(args), tuple(kwargs))


def _is_word(field: dataclasses.Field[Any], value: Any) -> bool:
    """Choices are names: they look better without quotes."""
    return isinstance(value, str) and value in (*field.metadata["choices"], *(field.metadata["file"] or ()))


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
    kinds = [k for k in _alternatives(kind) if k is not type(None) and not (k is int and float in _alternatives(kind))]
    return " or ".join(_WORDS[k] if k in _WORDS else f"a {k.__name__.lower()}" for k in kinds)


def _check(owner: str, field: dataclasses.Field[Any], kind: Any, value: Any) -> Any:
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
    elif any(isinstance(value, each) for each in kinds if each not in _WORDS and each is not type(None)):
        converted = value  # an object that only Python can hand over
    if converted is None:
        raise ParameterError(f"{where}: expected {_type_name(kind)}, got {_got(value)}")
    low, high, choices = field.metadata["low"], field.metadata["high"], field.metadata["choices"]
    numeric = isinstance(converted, int | float) and not isinstance(converted, bool)
    if numeric and not _within(converted, low, high):
        raise error(f"{where}: expected {_range(low, high)}, got {_got(value)}")
    if choices and converted not in choices:
        raise error(f"{where}: expected one of {', '.join(choices)}, got '{converted}'")
    return converted


def _is_texts(value: Any) -> bool:
    return isinstance(value, tuple) and all(isinstance(item, str) for item in value)


def _within(value: float, low: float | None, high: float | None) -> bool:
    return not math.isnan(value) and (low is None or value >= low) and (high is None or value <= high)


def _range(low: float | None, high: float | None) -> str:
    if high is None:
        return f"at least {low:g}" if low is not None else "a number"
    return f"{low:g} to {high:,.0f}" if low is not None else f"at most {high:g}"


def _got(value: Any) -> str:
    try:
        text = str(Spec.of("x", value))[2:-1]
    except SpecError:  # only Python can write it
        text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
