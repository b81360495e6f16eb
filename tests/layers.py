"""The layers of the code as the table in docs/design.md has them, and which file uses which: imports and includes.

The document is the source. A file belongs to the row whose path is the longest that it lies in.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
EXTENSION = "kiebitz._core"
"""The compiled core: below all of Python."""
TABLE = re.compile(r"^\| ([^|]+) \| (`[^|]+`) \| [^|]+ \| [^|]+ \|$", re.MULTILINE)
Edge = tuple[str, str]


@cache
def layers() -> list[tuple[str, tuple[str, ...]]]:
    """Names and paths of the layers from the ground up; paths are relative to the repository."""
    page = (ROOT / "docs" / "design.md").read_text(encoding="utf-8").split("## 2.")[0]
    found = []
    for name, cell in TABLE.findall(page):
        first, *others = (path.rstrip("/") for path in re.findall(r"`([^`]+)`", cell))
        found.append((name, (first, *(path if "/" in path else f"{Path(first).parent}/{path}" for path in others))))
    return found


def layer_of(path: str) -> int | None:
    """The place of a file in the order of the layers, or None for a file outside of them."""
    inside = [
        (len(folder), number)
        for number, (_, folders) in enumerate(layers())
        for folder in folders
        if path == folder or path.startswith(folder + "/")
    ]
    return max(inside)[1] if inside else None


def sources(folder: str, *suffixes: str) -> list[str]:
    """All files of a kind below a folder, tests, what was built and what was installed left out."""
    left_out = {"node_modules", "page", "test", "fixtures"}
    paths = (path for path in sorted((ROOT / folder).rglob("*")) if path.suffix in suffixes)
    inside = [path.relative_to(ROOT) for path in paths if ".test." not in path.name]
    return [path.as_posix() for path in inside if not left_out & set(path.parts)]


# --- Python -----------------------------------------------------------------------------------------------------------


@cache
def module_files() -> dict[str, str]:
    """Files of the package by the name that imports them."""
    files = {}
    for path in sources("src/kiebitz", ".py"):
        name = ".".join(Path(path).relative_to("src").with_suffix("").parts)
        files[name.removesuffix(".__init__")] = path
    return files


def python_edges(path: str, types: bool = True) -> Iterator[Edge]:
    """The files of the package that a file imports, inside functions too; without ``types`` what only a checker sees
    is left out."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    unseen = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and "TYPE_CHECKING" in ast.unparse(block.test)
        for statement in block.body
        for node in ast.walk(statement)
    }
    for node in ast.walk(tree):
        if not types and id(node) in unseen:
            continue
        for name in _imported(node, path):
            if (file := module_files().get(name)) is not None and file != path:
                yield path, file


def _imported(node: ast.AST, path: str) -> Iterator[str]:
    """The modules that a statement imports. ``from package import name`` is an import of the module ``package.name``
    where there is one, else of the package."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        base = node.module or ""
        if node.level:
            parts = Path(path).relative_to("src").with_suffix("").parts
            base = ".".join([*parts[: len(parts) - node.level], *filter(None, [base])])
        for alias in node.names:
            whole = f"{base}.{alias.name}"
            yield whole if whole in module_files() or whole == EXTENSION else base


# --- C++ and TypeScript -----------------------------------------------------------------------------------------------


def include_edges(path: str) -> Iterator[Edge]:
    """The headers of the core that a file includes."""
    for name in re.findall(r'^\s*#include "([^"]+)"', (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE):
        yield path, f"core/{name}"


def page_edges(path: str) -> Iterator[Edge]:
    """The files of the page that a file of it imports, styles and pictures left out."""
    text = (ROOT / path).read_text(encoding="utf-8")
    for name in re.findall(r"(?:^|;)\s*(?:import|export)\b[^;'\"]*['\"](\.[^'\"]+)['\"]", text, re.MULTILINE):
        target = (ROOT / path).parent.joinpath(name).resolve()
        tried = [target, *(Path(f"{target}{end}") for end in (".ts", ".tsx", "/index.ts", "/index.tsx"))]
        file = next((file for file in tried if file.is_file()), None)
        assert file is not None, f"{path} imports {name}, which is not there"
        if file.suffix in {".ts", ".tsx"}:
            yield path, file.relative_to(ROOT).as_posix()


# --- Graphs -----------------------------------------------------------------------------------------------------------


def cycles(edges: list[Edge]) -> list[list[str]]:
    """Groups of files that can all reach each other (Tarjan 1972), the shortest first."""
    after: dict[str, list[str]] = {}
    for one, other in edges:
        after.setdefault(one, []).append(other)
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(node: str) -> None:
        order[node] = low[node] = len(order)
        stack.append(node)
        for below in after.get(node, ()):
            if below not in order:
                visit(below)
            if below in stack:
                low[node] = min(low[node], low[below])
        if low[node] == order[node]:
            group = stack[stack.index(node) :]
            del stack[stack.index(node) :]
            if len(group) > 1 or node in after.get(node, ()):
                found.append(sorted(group))

    for node in list(after):
        if node not in order:
            visit(node)
    return sorted(found, key=len)
