"""Spec strings: the one grammar in which agents and methods of the solver are written.

    spec    = name [ "(" [ item { "," item } [ "," ] ] ")" ]
    item    = value | name "=" value                      (keywords after plain values)
    value   = spec | number | "true" | "false" | text | list
    list    = "[" [ value { "," value } [ "," ] ] "]"
    number  = digits with underscores, sign, fraction and exponent as in Python: 10_000, -0.5, 1e-3
    text    = 'single' or "double" quotes; escapes: backslash followed by a quote, backslash, n, r, t or uXXXX
    name    = letter or "_", then letters, digits, "_"

A bare word is a spec without arguments: where an option wants text, ``formula=ucb1`` also means ``formula="ucb1"``.

>>> spec = parse("pimc(uct(iterations=10_000, c=2.5), worlds=25)")
>>> spec.name, spec.kwargs
('pimc', (('worlds', 25),))
>>> str(spec)
'pimc(uct(iterations=10_000, c=2.5), worlds=25)'
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TypeAlias, Union

from kiebitz.errors import Error

MAX_LENGTH = 10_000
"""Longest text that is read."""
MAX_DEPTH = 32
"""Deepest nesting of specs and lists."""
MAX_DIGITS = 40
"""Longest number as text; more is a typing error."""
MAX_INTEGER = 30
"""Most digits of a whole number (40 characters with its sign and underscores)."""

Value: TypeAlias = Union[bool, int, float, str, "Spec", tuple["Value", ...]]
"""What an argument can be. Lists become tuples, so that a spec is hashable and cannot change."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_DIGITS = r"[0-9](?:_?[0-9])*"
_NUMBER = re.compile(rf"[+-]?(?:{_DIGITS}(?:\.(?:{_DIGITS})?)?|\.{_DIGITS})(?:[eE][+-]?{_DIGITS})?")
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "'": "'", "\\": "\\"}
_UNESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}
_RESERVED = ("true", "false")


class SpecError(Error):
    """A spec that does not follow the grammar. The message shows the text and points at the place.

    >>> parse("uct(iterations=)")
    Traceback (most recent call last):
    ...
    kiebitz.spec.SpecError: expected a value, got ')'
      uct(iterations=)
                     ^
    """

    def __init__(self, message: str, text: str = "", position: int | None = None) -> None:
        self.message = message
        self.text = text
        self.position = position
        super().__init__(message if position is None else f"{message}\n{_point(text, position)}")

    def __reduce__(self) -> tuple[type[SpecError], tuple[str, str, int | None]]:
        return SpecError, (self.message, self.text, self.position)


@dataclass(frozen=True)
class Spec:
    """A parsed spec: a name, plain arguments and keyword arguments in the order in which they were written.

    >>> str(Spec.of("uct", iterations=500, final="value"))
    'uct(iterations=500, final="value")'
    """

    name: str
    args: tuple[Value, ...] = ()
    kwargs: tuple[tuple[str, Value], ...] = ()

    def __post_init__(self) -> None:
        for name in (self.name, *(key for key, _ in self.kwargs)):
            if not _NAME.fullmatch(name) or name in _RESERVED:
                raise SpecError(f"expected a name of letters, digits and _, got {name!r}")
        for value in (*self.args, *(value for _, value in self.kwargs)):
            _check_value(value)

    @classmethod
    def of(cls, name: str, /, *args: Value, **kwargs: Value) -> Spec:
        """Builds a spec the way one writes a call.

        >>> Spec.of("cheat", Spec("random"))
        Spec(name='cheat', args=(Spec(name='random', args=(), kwargs=()),), kwargs=())
        """
        return cls(name, args, tuple(kwargs.items()))

    def having(self, **kwargs: Value) -> Spec:
        """The same spec with these keyword arguments added or replaced.

        >>> str(parse("uct(iterations=500, c=1.0)").having(c=2.0, threads=4))
        'uct(iterations=500, c=2.0, threads=4)'
        """
        return Spec(self.name, self.args, tuple((dict(self.kwargs) | kwargs).items()))

    def __str__(self) -> str:
        items = [_show(value) for value in self.args] + [f"{key}={_show(value)}" for key, value in self.kwargs]
        return f"{self.name}({', '.join(items)})" if items else self.name


def parse(text: str) -> Spec:
    """Reads a spec; raises SpecError with the position of the first thing that is wrong.

    >>> parse("minimax(4, evaluation='seeds')")
    Spec(name='minimax', args=(4,), kwargs=(('evaluation', 'seeds'),))
    """
    if not isinstance(text, str):
        raise SpecError(f"expected the text of a spec, got {type(text).__name__}")
    if len(text) > MAX_LENGTH:
        raise SpecError(f"expected at most {MAX_LENGTH} characters, got {len(text)}")
    reader = _Reader(text)
    spec = reader.spec(0)
    reader.end()
    return spec


class _Reader:
    """A recursive-descent reader; depth is bounded, so no text can exhaust the stack."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def fail(self, expected: str, at: int | None = None) -> SpecError:
        at = self.at if at is None else at
        got = repr(self.text[at]) if at < len(self.text) else "the end"
        return SpecError(f"expected {expected}, got {got}", self.text, at)

    def skip(self) -> str:
        """Skips white space and returns the next character, or an empty text at the end."""
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        return self.text[self.at] if self.at < len(self.text) else ""

    def end(self) -> None:
        if self.skip():
            raise self.fail("the end of the spec")

    def name(self, expected: str) -> str:
        self.skip()
        match = _NAME.match(self.text, self.at)
        if match is None:
            raise self.fail(expected)
        self.at = match.end()
        return match.group()

    def spec(self, depth: int) -> Spec:
        self.skip()
        start = self.at
        name = self.name("a name")
        if name in _RESERVED:
            raise SpecError(f"expected a name, got '{name}'", self.text, start)
        return self.arguments(name, depth)

    def arguments(self, name: str, depth: int) -> Spec:
        if self.skip() != "(":
            return Spec(name)
        self.deeper(depth)
        args: list[Value] = []
        kwargs: dict[str, Value] = {}
        self.at += 1
        while self.skip() != ")":
            start = self.at
            key = self.keyword()
            if key is None:
                if kwargs:
                    raise SpecError("expected name=value, because plain values come before those", self.text, start)
                args.append(self.value(depth + 1))
            elif key in kwargs:
                raise SpecError(f"expected each name once, got '{key}' again", self.text, start)
            else:
                kwargs[key] = self.value(depth + 1)
            if self.skip() == ",":
                self.at += 1
            elif self.skip() != ")":
                raise self.fail("',' or ')'")
        self.at += 1
        return Spec(name, tuple(args), tuple(kwargs.items()))

    def keyword(self) -> str | None:
        """Reads ``name =`` if that is what comes next."""
        start = self.at
        match = _NAME.match(self.text, self.at)
        if match is not None:
            self.at = match.end()
            if self.skip() == "=":
                if match.group() in _RESERVED:
                    raise SpecError(f"expected a name, got '{match.group()}'", self.text, start)
                self.at += 1
                return match.group()
        self.at = start
        return None

    def value(self, depth: int) -> Value:
        char = self.skip()
        if char == "[":
            return self.list(depth)
        if char in ("'", '"') and char:
            return self.quoted()
        if char.isascii() and (char.isdigit() or char in "+-.") and char:
            return self.number()
        if _NAME.match(char):
            name = self.name("a value")
            return name == "true" if name in _RESERVED else self.arguments(name, depth)
        raise self.fail("a value")

    def list(self, depth: int) -> tuple[Value, ...]:
        self.deeper(depth)
        self.at += 1
        values: list[Value] = []
        while self.skip() != "]":
            values.append(self.value(depth + 1))
            if self.skip() == ",":
                self.at += 1
            elif self.skip() != "]":
                raise self.fail("',' or ']'")
        self.at += 1
        return tuple(values)

    def number(self) -> int | float:
        match = _NUMBER.match(self.text, self.at)
        if match is None:
            raise self.fail("a number")
        start, self.at = self.at, match.end()
        digits = match.group()
        if len(digits) > MAX_DIGITS:
            raise SpecError(f"expected a number of at most {MAX_DIGITS} characters", self.text, start)
        if self.at < len(self.text) and (self.text[self.at].isalnum() or self.text[self.at] in "_."):
            raise self.fail("the number to end here")
        if not any(char in digits for char in ".eE"):
            return int(digits)
        number = float(digits)
        if not math.isfinite(number):
            raise SpecError("expected a number that fits into a float", self.text, start)
        return number

    def quoted(self) -> str:
        start, quote = self.at, self.text[self.at]
        self.at += 1
        out: list[str] = []
        while self.at < len(self.text):
            char = self.text[self.at]
            self.at += 1
            if char == quote:
                return "".join(out)
            if char == "\\":
                char = self.escape()
            out.append(char)
        raise SpecError(f"expected {quote} at the end of the text that starts here", self.text, start)

    def escape(self) -> str:
        char = self.text[self.at : self.at + 1]
        if char == "u":
            digits = self.text[self.at + 1 : self.at + 5]
            if not re.fullmatch(r"[0-9a-fA-F]{4}", digits):
                raise self.fail("four hexadecimal digits after \\u", self.at + 1)
            self.at += 5
            return chr(int(digits, 16))
        if char not in _ESCAPES:
            raise self.fail("one of n r t u \\ ' \" after a backslash")
        self.at += 1
        return _ESCAPES[char]

    def deeper(self, depth: int) -> None:
        if depth >= MAX_DEPTH:
            raise SpecError(f"expected at most {MAX_DEPTH} levels of nesting", self.text, self.at)


def _check_value(value: Value) -> None:
    if isinstance(value, tuple):
        for item in value:
            _check_value(item)
    elif not isinstance(value, bool | int | float | str | Spec):
        raise SpecError(f"expected true, false, a number, text, a spec or a tuple of these, got {type(value).__name__}")
    elif isinstance(value, float) and not math.isfinite(value):
        raise SpecError(f"expected a finite number, got {value}")
    elif isinstance(value, int) and abs(value) >= 10**MAX_INTEGER:
        raise SpecError(f"expected a whole number of at most {MAX_INTEGER} digits")


def _show(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return f"{value:_}" if abs(value) >= 10_000 else str(value)
    if isinstance(value, str):
        return '"' + "".join(_show_char(char) for char in value) + '"'
    if isinstance(value, tuple):
        return f"[{', '.join(_show(item) for item in value)}]"
    return str(value)


def _show_char(char: str) -> str:
    if char in _UNESCAPES:
        return _UNESCAPES[char]
    return char if char.isprintable() or ord(char) > 0xFFFF else f"\\u{ord(char):04x}"


def _point(text: str, position: int) -> str:
    """The part of the text around a position, and a caret below it."""
    start = max(0, position - 40)
    part = "".join(char if char.isprintable() else " " for char in text[start : position + 40])
    left, right = ("..." if start > 0 else ""), ("..." if position + 40 < len(text) else "")
    return f"  {left}{part}{right}\n  {' ' * (len(left) + position - start)}^"
