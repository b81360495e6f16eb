"""Gambit's .efg files: extensive-form games as text, read into and written from the form of kiebitz.games.tree.form.

The format is that of the Gambit manual ("The extensive game (.efg) file format", version 2): a header
``EFG 2 R "title" { "player 1" "player 2" } "comment"``, then the nodes in prefix order, each ending
in its outcome:

* ``c "name" set "set name" { "label" probability ... } outcome "name" { payoffs }``
* ``p "name" player set "set name" { "label" ... } outcome ...``
* ``t "name" outcome "name" { payoffs }``

The description of a set or an outcome is given once; outcome 0 means none; outcomes on the way add to the payoffs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NoReturn

from kiebitz.errors import LimitError, TreeError
from kiebitz.games.tree.form import (
    CHANCE,
    MAX_DEPTH,
    MAX_NODES,
    MAX_PLAYERS,
    TERMINAL,
    Tree,
    check,
    flatten,
    number,
    unlike,
)

_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|([{}])|([^\s"{},]+)|(,)', re.DOTALL)


@dataclass
class _Token:
    kind: str  # "text" in quotes, "brace", "word", "end" of the file
    value: str
    line: int


class Tokens:
    """The tokens of a file, one after the other, with messages that say where."""

    def __init__(self, text: str) -> None:
        self.node = ""
        self._tokens = self._scan(text)
        self._token = next(self._tokens)

    def _scan(self, text: str) -> Iterator[_Token]:
        line, end = 1, 0
        for match in _TOKEN.finditer(text):
            self._skip(text[end : match.start()], line)
            line += text.count("\n", end, match.start())
            if match.group(1) is not None:
                yield _Token("text", re.sub(r"\\(.)", r"\1", match.group(1), flags=re.DOTALL), line)
            elif match.group(4) is None:  # commas are blanks
                yield _Token("brace" if match.group(2) else "word", match.group(0), line)
            line += text.count("\n", match.start(), match.end())
            end = match.end()
        self._skip(text[end:], line)
        yield _Token("end", "the end of the file", line)

    @staticmethod
    def _skip(between: str, line: int) -> None:
        if between.strip(" \t\r\n\f\v\ufeff"):
            raise TreeError(f"line {line}: a quotation mark without its partner")

    def fail(self, message: str, line: int | None = None) -> NoReturn:
        """Refuses the file, with the line and the node."""
        where = f"line {line or self.peek().line}"
        raise TreeError(f"{where}, node '{self.node}': {message}" if self.node else f"{where}: {message}")

    def peek(self) -> _Token:
        """The next token, which stays."""
        return self._token

    def at(self, kind: str, value: str | None = None) -> bool:
        """Whether the next token is of a kind, and has a value if one is given."""
        token = self.peek()
        return token.kind == kind and value in (None, token.value)

    def take(self, kind: str, what: str, value: str | None = None) -> str:
        """The next token, which must be of a kind; `what` says in words what is expected."""
        token = self.peek()
        if not self.at(kind, value):
            self.fail(f"expected {what}, got {token.value[:40]!r}")
        if kind != "end":
            self._token = next(self._tokens)
        return token.value

    def whole(self, what: str, low: int, high: int) -> int:
        """A whole number."""
        word = self.take("word", what)
        if not word.isascii() or not word.isdigit() or len(word) > 9 or not low <= int(word) <= high:
            self.fail(f"expected {what} ({low} to {high}), got {word[:40]!r}")
        return int(word)

    def number(self, what: str) -> float:
        """A number, which may be a fraction."""
        try:
            return number(self.take("word", what), what)
        except TreeError as error:
            if str(error).startswith("line"):
                raise
            self.fail(str(error))

    def texts(self, what: str) -> list[str]:
        """A list of quoted texts in braces."""
        self.take("brace", "{ before " + what, "{")
        out: list[str] = []
        while self.at("text"):
            out.append(self.take("text", what))
        self.take("brace", "} behind " + what, "}")
        return out

    def header(self, kind: str, version: str) -> tuple[str, list[str]]:
        """What all files of Gambit begin with: the title and the names of the players."""
        self.take("word", kind, kind)
        self.take("word", f"version {version}", version)
        if not self.at("word", "R") and not self.at("word", "D"):
            self.fail(f"expected R (rational numbers), got {self.peek().value[:40]!r}")
        self.take("word", "R")
        title = self.take("text", "the title in quotation marks")
        names = self.texts("the names of the players")
        if not 1 <= len(names) <= MAX_PLAYERS:
            self.fail(f"expected 1 to {MAX_PLAYERS} players, got {len(names)}")
        for i, name in enumerate(names):
            if not name or name in names[:i]:  # the format allows both
                names[i] = f"Player {i + 1}"
        return title, names


@dataclass
class _Set:
    name: str
    labels: list[str]
    line: int
    probabilities: list[float] = field(default_factory=list)


@dataclass
class _Open:
    """A node whose subtrees are still to come."""

    data: dict[str, Any]
    labels: list[str]
    payoffs: list[float]  # from the outcomes down to here
    path: str
    probabilities: list[float]
    done: int = 0


class _Parser:
    def __init__(self, text: str) -> None:
        self.reader = Tokens(text)
        self.sets: dict[tuple[int, int], _Set] = {}
        self.names: set[str] = set()
        self.outcomes: dict[int, list[float]] = {}
        self.players: list[str] = []

    def parse(self) -> Tree:
        title, comment = self._header()
        root: dict[str, Any] | None = None
        waiting: list[_Open] = []
        count = 0
        while root is None or waiting:
            parent = waiting[-1] if waiting else None
            opened = self._node(parent)
            count += 1
            if count > MAX_NODES or len(waiting) > MAX_DEPTH:
                raise LimitError(f"expected at most {MAX_NODES} nodes and {MAX_DEPTH} moves from the root to an end")
            if parent is None:
                root = opened.data
            else:
                self._attach(parent, opened.data)
            waiting.append(opened)
            while waiting and waiting[-1].done == len(waiting[-1].labels):
                waiting.pop()
        self.reader.node = ""
        self.reader.take("end", "the end of the file, as the tree is complete")
        return {"title": title, "description": comment, "players": self.players, "root": root}

    def _header(self) -> tuple[str, str]:
        reader = self.reader
        title, self.players = reader.header("EFG", "2")
        comment = reader.take("text", "a comment") if reader.at("text") else ""
        return title, comment

    def _attach(self, parent: _Open, child: dict[str, Any]) -> None:
        label = parent.labels[parent.done]
        if "chance" in parent.data:
            probability = parent.probabilities[parent.done]
            parent.data["chance"].append({"name": label, "probability": probability, "node": child})
        else:
            parent.data["actions"][label] = child
        parent.done += 1

    def _node(self, parent: _Open | None) -> _Open:
        reader = self.reader
        label = parent.labels[parent.done] if parent else ""
        path = label if parent is None or not parent.path else f"{parent.path}/{label}"
        reader.node = path or "root"
        if reader.at("end"):
            reader.fail("the file ends inside the tree; expected a node")
        kind = reader.take("word", "a node: c, p or t")
        if kind not in ("c", "p", "t"):
            reader.fail(f"expected a node: c, p or t, got {kind[:40]!r}")
        name = reader.take("text", "the name of the node in quotation marks")
        data: dict[str, Any] = {"name": name or path or "root"}
        reader.node = data["name"]
        before = parent.payoffs if parent else [0.0] * len(self.players)
        if kind == "t":
            data["payoffs"] = self._outcome(before)
            return _Open(data, [], [], path, [])
        player = reader.whole("the number of a player", 1, len(self.players)) if kind == "p" else 0
        found = self._set(player)
        if player == 0:
            data["chance"] = []
        else:
            data |= {"player": player - 1, "set": found.name, "actions": {}}
        return _Open(data, found.labels, self._outcome(before), path, found.probabilities)

    def _set(self, player: int) -> _Set:
        """The information set of a decision, or the set of outcomes of a chance node (player 0)."""
        reader = self.reader
        line = reader.peek().line
        key = (player, reader.whole("the number of an information set", 1, 999_999_999))
        name = reader.take("text", "a name") if reader.at("text") else ""
        if not reader.at("brace"):
            if key not in self.sets:
                reader.fail(f"information set {key[1]} has no actions, here or before; expected {{ ... }}", line)
            return self.sets[key]
        new = _Set(name, [], line)
        if player == 0:
            reader.take("brace", "{", "{")
            while reader.at("text"):
                new.labels.append(reader.take("text", "a label"))
                new.probabilities.append(reader.number("a probability"))
            reader.take("brace", "} behind the outcomes of chance", "}")
        else:
            new.labels = reader.texts("the actions")
        if not new.labels:
            reader.fail("expected at least one action", line)
        names = unlike(new.labels)  # the format allows moves without a name; those of chance may have the same
        twice = next(
            (label for label, name in zip(new.labels, names, strict=True) if label.strip() not in ("", name)), ""
        )
        if player and twice:
            reader.fail(f"two moves are called '{twice}'", line)
        new.labels = names
        old = self.sets.get(key)
        if old is not None:
            if (old.labels, old.probabilities) != (new.labels, new.probabilities):
                what = f"information set {key[1]} of player {player}" if player else f"chance set {key[1]}"
                reader.fail(f"{what} had other actions in line {old.line}: {', '.join(old.labels)}", line)
            return old
        if player and (not new.name or new.name in self.names):
            new.name = f"{self.players[player - 1]}: {key[1]}"
            while new.name in self.names:
                new.name += "'"
        self.names.add(new.name)
        self.sets[key] = new
        return new

    def _outcome(self, before: list[float]) -> list[float]:
        reader = self.reader
        line = reader.peek().line
        outcome = reader.whole("the number of an outcome", 0, 999_999_999)
        if reader.at("text"):
            reader.take("text", "the name of the outcome")
        if reader.at("brace", "{"):
            reader.take("brace", "{", "{")
            payoffs: list[float] = []
            while reader.at("word"):
                payoffs.append(reader.number("a payoff"))
            reader.take("brace", "} behind the payoffs", "}")
            if outcome == 0:
                reader.fail("outcome 0 means none and has no payoffs", line)
            if len(payoffs) != len(self.players):
                reader.fail(f"expected {len(self.players)} payoffs, got {len(payoffs)}", line)
            if self.outcomes.setdefault(outcome, payoffs) != payoffs:
                reader.fail(f"outcome {outcome} had other payoffs before", line)
        if outcome == 0:
            return before
        if outcome not in self.outcomes:
            reader.fail(f"outcome {outcome} has no payoffs, here or before", line)
        return [a + b for a, b in zip(before, self.outcomes[outcome], strict=True)]


def parse_efg(text: str) -> Tree:
    """Read the text of a Gambit file into the form of kiebitz.games.tree.form (which then checks it).

    >>> parse_efg('EFG 2 R "Choice" { "Anna" } p "" 1 1 "" { "a" "b" } 0 t "" 1 "" { 1 } t "" 2 "" { 1/2 }')["players"]
    ['Anna']
    """
    return _Parser(text).parse()


def to_efg(tree: Mapping[str, Any]) -> str:
    """Write a tree as the text of a Gambit file, which OpenSpiel reads, too.

    >>> print(to_efg({"title": "One end", "players": ["Anna"], "root": {"payoffs": [1]}}))
    EFG 2 R "One end" { "Anna" }
    ""
    <BLANKLINE>
    t "root" 1 "" { 1 }
    <BLANKLINE>
    """
    flat = flatten(tree)
    check(flat)
    lines = [
        f"EFG 2 R {_quoted(flat.title)} {{ {' '.join(map(_quoted, flat.players))} }}",
        _quoted(flat.description),
        "",
    ]
    sets: dict[str, int] = {}
    per_mover = [0] * (len(flat.players) + 1)
    ends = 0
    stack = [0]
    while stack:
        node = flat.nodes[stack.pop()]
        if node.mover == TERMINAL:
            ends += 1
            lines.append(f't {_quoted(node.name)} {ends} "" {{ {", ".join(map(_written, node.payoffs))} }}')
            continue
        if node.set is None or node.set not in sets:
            per_mover[node.mover + 1] += 1
            sets[node.set or ""] = per_mover[node.mover + 1]
        if node.mover == CHANCE:
            moves = " ".join(
                f"{_quoted(a)} {_written(p)}" for a, p in zip(node.labels, node.probabilities, strict=True)
            )
            lines.append(f'c {_quoted(node.name)} {per_mover[0]} "" {{ {moves} }} 0')
        else:
            assert node.set is not None
            moves = " ".join(map(_quoted, node.labels))
            start = f"p {_quoted(node.name)} {node.mover + 1} {sets[node.set]} {_quoted(node.set)}"
            lines.append(f"{start} {{ {moves} }} 0")
        stack.extend(range(node.first + len(node.labels) - 1, node.first - 1, -1))
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """A name in quotation marks; those inside become two apostrophes, because OpenSpiel knows no escapes."""
    return '"' + text.replace("\\", "\\\\").replace('"', "''") + '"'


def _written(value: float) -> str:
    """A fraction if people would write one, digits otherwise."""
    fraction = Fraction(value).limit_denominator(10_000)
    return str(fraction) if float(fraction) == value else repr(value)
