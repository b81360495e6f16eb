"""The house keeps its order: layers only use those below, no import cycles, no games named, one class per name.

The layers are those of docs/design.md, section 1; what may name a game is section 2.3 there.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from kiebitz._core import game_names
from tests.layers import ROOT, Edge, cycles, include_edges, layer_of, layers, page_edges, python_edges, sources

PYTHON = sources("src/kiebitz", ".py")
CORE = sources("core", ".hpp", ".cpp", ".in")
PAGE = sources("web/src", ".ts", ".tsx")
STYLES = sources("web/src", ".css")
DATA = [path for folder in ("src/kiebitz", "web/src") for path in sources(folder, ".html", ".jinja", ".json")]


# --- Layers -----------------------------------------------------------------------------------------------------------


def test_every_layer_of_the_table_is_there() -> None:
    assert len(layers()) > 15
    for name, paths in layers():
        for path in paths:
            assert (ROOT / path).exists(), name


def test_every_source_file_belongs_to_a_layer() -> None:
    assert [path for path in PYTHON + CORE + PAGE if layer_of(path) is None] == []


def edges(kind: str) -> list[Edge]:
    if kind == "python":
        return [edge for path in PYTHON for edge in python_edges(path)]
    if kind == "core":
        return [edge for path in CORE for edge in include_edges(path)]
    return [edge for path in PAGE for edge in page_edges(path)]


def upward(edges: list[Edge]) -> list[Edge]:
    """Edges to a higher layer; edges to what is in none count as such."""
    last = len(layers())
    places = {path: last if (place := layer_of(path)) is None else place for edge in edges for path in edge}
    return sorted({(one, other) for one, other in edges if places[other] > places[one]})


@pytest.mark.parametrize(("kind", "least"), [("python", 500), ("core", 100), ("page", 100)])
def test_no_layer_uses_one_above_it(kind: str, least: int) -> None:
    """Imports inside functions and those that only a type checker sees count too."""
    found = edges(kind)
    assert len(found) > least
    assert upward(found) == []


@pytest.mark.parametrize(
    "edge",
    [
        ("src/kiebitz/solve/run.py", "src/kiebitz/agents/base.py"),
        ("src/kiebitz/spec.py", "src/kiebitz/games/registry.py"),
        ("core/games/shell.hpp", "core/search/uct.hpp"),
        ("core/base/rng.hpp", "core/nowhere.hpp"),
    ],
)
def test_an_upward_edge_would_be_found(edge: Edge) -> None:
    assert upward([edge]) == [edge]


def test_no_file_of_the_package_imports_itself_through_others() -> None:
    """What only a type checker sees may: two classes can know each other's types."""
    assert cycles([edge for path in PYTHON for edge in python_edges(path, types=False)]) == []


def test_no_header_of_the_core_includes_itself_through_others() -> None:
    assert cycles(edges("core")) == []


def test_no_file_of_the_page_imports_itself_through_others() -> None:
    assert cycles(edges("page")) == []


def test_a_circle_would_be_found() -> None:
    assert cycles([("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")]) == [["a", "b", "c"]]


# --- Names of games ---------------------------------------------------------------------------------------------------

ORDINARY = {"tree"}
"""Names that are English words as well: only as a whole string are they the name of a game."""


def naming(name: str) -> str:
    """A pattern for a name in any spelling: tic_tac_toe, TicTacToe, tic-tac-toe, TIC_TAC_TOE, isTicTacToe; with blanks
    only as a title, as in Connect Four: what a sentence says about four in a row or three tricks names no game."""
    if name in ORDINARY:
        return rf"""["'`]{name}["'`]"""
    words = name.split("_")
    alone = "[_-]?".join(words)
    humped, title = (between.join(word.capitalize() for word in words) for between in ("", " "))
    return rf"(?<![A-Za-z])(?i:{alone})(?![a-z])|(?<=[a-z]){humped}(?![a-z])|(?<![A-Za-z]){title}(?![a-z])"


ANY = re.compile("|".join(naming(name) for name in game_names()))


HOMES = (
    "core/games/NAME/",
    "core/games/NAME.hpp",
    "core/players/NAME/",
    "core/bind/NAME.cpp",
    "src/kiebitz/games/NAME/",
    "src/kiebitz/games/NAME.py",
    "src/kiebitz/games/NAME.json",
    "src/kiebitz/agents/NAME/",
    "src/kiebitz/server/NAME/",
    "src/kiebitz/experiments/NAME/",
    "web/src/games/NAME/",
)
"""The places of a game: a folder, or a file where one is enough."""


def at_home(name: str, path: str) -> bool:
    """Whether a file is in one of the places of a game."""
    homes = [home.replace("NAME", name) for home in HOMES]
    return any(path.startswith(home) if home.endswith("/") else path == home for home in homes)


def games_named(code: str, path: str) -> list[str]:
    """The games named in a piece of code that has no business to: it is in none of their places."""
    if ANY.search(code) is None:
        return []
    return [name for name in game_names() if not at_home(name, path) and re.search(naming(name), code)]


def strangers(edges: list[Edge]) -> list[Edge]:
    """Edges into a place of a game from outside of its places."""
    return [(one, other) for one, other in edges for name in game_names() if at_home(name, other) > at_home(name, one)]


def python_code(text: str) -> Iterator[tuple[int, str]]:
    """Names, strings and comments with their lines. Examples are best with a real game, so docstrings may name one, and
    so may the ``examples`` of a description of data."""
    shown = {(node.lineno, node.col_offset) for node in documentation(ast.parse(text))}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.start not in shown:
            yield token.start[0], token.string


def documentation(tree: ast.Module) -> Iterator[ast.Constant]:
    """The strings that are docstrings, or part of an argument or key that is called ``examples``."""
    for node in ast.walk(tree):
        parts: list[ast.expr | None] = []
        if isinstance(node, ast.Expr):
            parts = [node.value] if isinstance(node.value, ast.Constant) else []
        elif isinstance(node, ast.keyword):
            parts = [node.value] if node.arg == "examples" else []
        elif isinstance(node, ast.Dict):
            keys = [key.value if isinstance(key, ast.Constant) else None for key in node.keys]
            parts = [value for key, value in zip(keys, node.values, strict=True) if key == "examples"]
        for part in filter(None, parts):
            yield from (below for below in ast.walk(part) if isinstance(below, ast.Constant))


def other_code(text: str) -> Iterator[tuple[int, str]]:
    """Lines of C++, TypeScript and CSS. The comment at the top of a file is a docstring, and so is what /** begins."""
    text = re.sub(r"/\*\*.*?\*/", lambda found: "\n" * found[0].count("\n"), text, flags=re.DOTALL)
    head = re.match(r"(?:\s*//[^\n]*\n)*", text)
    assert head is not None
    for number, line in enumerate(text.splitlines(), 1):
        if number > head[0].count("\n"):
            yield number, line


def leaks(path: str) -> list[str]:
    text = (ROOT / path).read_text(encoding="utf-8")
    pieces = python_code(text) if path.endswith(".py") else other_code(text)
    if path in DATA:
        pieces = iter(enumerate(text.splitlines(), 1))
    return [f"{path}:{line}: {name}" for line, code in pieces for name in games_named(code, path)]


def test_no_code_names_a_game_outside_of_its_folder() -> None:
    """The tables of the theses are about single games, so experiments may; examples of data say where they are from."""
    assert "src/kiebitz/arena/templates/report.html" in DATA
    paths = [path for path in PYTHON + CORE + PAGE + STYLES + DATA if not path.startswith("src/kiebitz/experiments/")]
    paths = [path for path in paths if "examples" not in Path(path).parts]
    assert [leak for path in paths for leak in leaks(path)] == []


@pytest.mark.parametrize("kind", ["python", "core", "page"])
def test_no_code_uses_a_game_from_outside(kind: str) -> None:
    """The registries find games by their places, whatever these are called; experiments are about single games."""
    assert strangers([edge for edge in edges(kind) if not edge[0].startswith("src/kiebitz/experiments/")]) == []


def test_a_use_from_outside_would_be_found() -> None:
    edge = ("src/kiebitz/server/catalogue.py", "src/kiebitz/games/tree/__init__.py")
    assert strangers([edge, (edge[1], edge[1])]) == [edge]


def test_the_places_of_a_game_are_those_of_the_design() -> None:
    design = (ROOT / "docs/design.md").read_text(encoding="utf-8")
    assert [home for home in HOMES if f"`{home}`" not in design] == []


@pytest.mark.parametrize(
    ("code", "named"),
    [
        ('if name == "oware":', ["oware"]),
        ("class LiarsDice:", ["liars_dice"]),
        ("function isConnectFour(", ["connect_four"]),
        ("# as in rock-paper-scissors", ["rock_paper_scissors"]),
        ('game == "tree"', ["tree"]),
        ("the search tree of a minimum", []),
        ('"Play Connect Four"', ["connect_four"]),
        ('"who can connect four of their discs"', []),
        ("from kiebitz.games.doppelkopf import x", ["doppelkopf"]),
    ],
)
def test_a_name_would_be_found(code: str, named: list[str]) -> None:
    assert games_named(code, "src/kiebitz/agents/base.py") == named
    assert games_named(code, f"src/kiebitz/agents/{named[0]}/base.py" if named else "x.py") == []
    assert games_named(code, f"core/games/{named[0]}.hpp" if named else "x.hpp") == []
    for elsewhere in (
        "src/kiebitz/arena/{}.py",
        "src/kiebitz/arena/{}/a.py",
        "core/search/{}.hpp",
        "web/src/kibitz/{}/a.ts",
    ):
        assert games_named(code, elsewhere.format(*named or ["x"])) == named


def test_docstrings_may_name_games_and_nothing_else() -> None:
    text = '"""Nim."""\n\ndef f():\n    """Nim."""\n    return "nim"  # nim\n'
    assert [line for line, code in python_code(text) if games_named(code, "x.py")] == [5, 5]
    text = 'f("nim", examples=["nim"])\ng({"examples": [{"name": "nim"}]})\nh({"name": "nim"})\n'
    assert [line for line, code in python_code(text) if games_named(code, "x.py")] == [1, 3]
    text = '// Nim\n/** Nim */\nconst a = "nim" // nim\n'
    assert [line for line, code in other_code(text) if games_named(code, "x.ts")] == [3]


# --- Names of classes -------------------------------------------------------------------------------------------------


def classes(path: str) -> list[str]:
    """The public classes that a file of the package or its stub defines."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return [node.name for node in tree.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]


def repeated(defined: dict[str, list[str]]) -> dict[str, list[str]]:
    """The names that more than one file defines, and these files."""
    files: dict[str, list[str]] = {}
    for path, names in defined.items():
        for name in names:
            files.setdefault(name, []).append(path)
    return {name: paths for name, paths in files.items() if len(paths) > 1}


def test_no_two_public_classes_have_the_same_name() -> None:
    defined = {path: classes(path) for path in [*PYTHON, "src/kiebitz/_core.pyi"]}
    assert sum(map(len, defined.values())) > 200
    assert repeated(defined) == {}


def test_two_classes_of_one_name_would_be_found() -> None:
    assert repeated({"a.py": ["Table", "Run"], "b.py": ["Table"]}) == {"Table": ["a.py", "b.py"]}
