"""Where trees come from: files, text, dictionaries and the examples that ship with Kiebitz."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from kiebitz.errors import LimitError, ParameterError, TreeError, UnknownName
from kiebitz.games.declaration import Source
from kiebitz.games.tree.efg import parse_efg
from kiebitz.games.tree.form import MAX_DEPTH, Tree, complete, show, to_fields
from kiebitz.games.tree.nfg import parse_nfg

DEFAULT_EXAMPLE = "information_sets"
MAX_BYTES = 256_000_000


def parse_tree(source: Mapping[str, Any] | str) -> Tree:
    """Read a tree from a dictionary or from the text of a JSON, .efg or .nfg file, check it and fill in the rest.

    The result has a name in every node and a set in every decision, players by name, and plain numbers.

    >>> parse_tree('{"players": ["A"], "root": {"player": 0, "actions": {"stop": {"payoffs": ["1/2"]}}}}')["root"]
    {'name': 'root', 'player': 'A', 'set': 'root', 'actions': {'stop': {'name': 'stop', 'payoffs': [0.5]}}}
    """
    return complete(_read_text(source) if isinstance(source, str) else source)


def load_tree(path: str | Path) -> Tree:
    """Read a tree from a JSON file or one of Gambit's (.efg, .nfg), told apart by their content.

    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "one.json"
    >>> _ = file.write_text('{"players": ["A"], "root": {"payoffs": [1]}}')
    >>> load_tree(file)["root"]
    {'name': 'root', 'payoffs': [1.0]}
    """
    path = Path(path)
    try:
        if path.stat().st_size > MAX_BYTES:
            raise LimitError(f"{path}: expected at most {MAX_BYTES} bytes")
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise TreeError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise TreeError(f"{path}: expected text in UTF-8") from None
    except LimitError:
        raise
    except ValueError as error:  # such as a zero in the name
        raise TreeError(f"file: expected the name of a file: {error}") from None
    try:
        return parse_tree(text)
    except (TreeError, LimitError) as error:
        raise type(error)(f"{path}: {error}") from None


def list_examples() -> list[str]:
    """Names of the trees that ship with the package.

    >>> "strategy_fusion" in list_examples()
    True
    """
    return sorted(entry.name.removesuffix(".json") for entry in _examples() if entry.name.endswith(".json"))


def load_example(name: str) -> Tree:
    """A tree that ships with the package, by name.

    >>> load_example("strategy_fusion")["players"]
    ['Player']
    """
    for entry in _examples():
        if entry.name == f"{name}.json":
            return parse_tree(entry.read_text(encoding="utf-8"))
    raise UnknownName(f"unknown tree '{name}'; expected one of: {', '.join(list_examples())}")


def resolve_source(
    example: str | None = None,
    file: str | Path | None = None,
    tree: Mapping[str, Any] | str | None = None,
    **unknown: object,
) -> Tree:
    """The tree that ``kb.game("tree", ...)`` names: an example, a file, or the tree itself; by default a small example.

    >>> resolve_source(example="strategy_fusion")["players"]
    ['Player']
    """
    if unknown:
        raise ParameterError(f"unknown parameter '{min(unknown)}'; expected one of: example, file, tree")
    if (example is not None) + (file is not None) + (tree is not None) > 1:
        raise ParameterError("expected only one of: example, file, tree")
    if file is not None:
        if not isinstance(file, (str, Path)):
            raise ParameterError(f"file: expected a path, got {show(file)}")
        return load_tree(file)
    if tree is not None:
        return parse_tree(tree)
    return load_example(DEFAULT_EXAMPLE if example is None else example)


def _read(**params: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    tree = resolve_source(**params)
    return {"tree": tree}, to_fields(tree)


SOURCE = Source(
    title="Explicit tree",
    parameters={
        "file": "a JSON file, or one of Gambit's: .efg or .nfg",
        "tree": "the same as text or, in Python, as a dictionary",
        "example": f"a tree that ships with Kiebitz; {DEFAULT_EXAMPLE} if nothing is given",
    },
    read=_read,
    examples=list_examples,
    files=(".json", ".efg", ".nfg"),
)


def _examples() -> Iterator[Any]:
    return resources.files("kiebitz.games.tree").joinpath("examples").iterdir()


def _read_text(text: str) -> Mapping[str, Any]:
    start = text.lstrip("\ufeff \t\r\n")
    if start.startswith("EFG"):
        return parse_efg(text)
    if start.startswith("NFG"):
        return parse_nfg(text)
    if not start.startswith("{"):
        raise TreeError("expected a JSON object or a Gambit file that begins with EFG or NFG")
    try:
        data = json.loads(start, object_pairs_hook=_unique)
    except RecursionError:
        raise LimitError(f"nested too deeply; expected at most {MAX_DEPTH} moves from the root to an end") from None
    except json.JSONDecodeError as error:
        raise TreeError(f"not JSON: {error.msg} in line {error.lineno}, column {error.colno}") from None
    except ValueError as error:  # such as whole numbers with thousands of digits
        raise error if isinstance(error, TreeError) else TreeError(f"not JSON: {error}") from None
    assert isinstance(data, dict)
    return data


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Two moves of one name would silently become one."""
    out = dict(pairs)
    if len(out) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise TreeError(f"the name '{twice:.60}' stands twice in one object, next to {', '.join(out)[:120]}")
    return out
