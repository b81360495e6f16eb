"""The tests of what changed, for ``make check``: files that differ from main, and files that git does not know yet.

- A test file runs itself, a helper of the tests runs the tests that import it.
- A file of the package runs its doctests, the tests that import it and those of its layer:
  ``src/kiebitz/arena/plan.py`` those in ``tests/arena``, ``src/kiebitz/stats.py`` those in ``tests/test_stats.py``.
- A file of the core runs the tests in C++, the contract and the tests of its layer.
- A file of the page runs the tests of the page that import it.
- ``tests/test_house.py`` and ``tests/test_requirements.py`` always run.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from tests.layers import ROOT, layer_of, layers, module_files, sources

ALWAYS = ["tests/test_house.py", "tests/test_requirements.py"]
CORE_TESTS = ["make", "--no-print-directory", "test-core"]


def git(*args: str) -> list[str]:
    """The lines that a git command prints; none if it fails."""
    done = subprocess.run(["git", *args], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.splitlines() if done.returncode == 0 else []


def changed() -> list[str]:
    """Files that differ from the branch point with main, or from the last commit on main itself; new files too."""
    base = next((found[0] for name in ("main", "origin/main") if (found := git("merge-base", "HEAD", name))), "HEAD")
    return sorted({*git("diff", "--name-only", base), *git("ls-files", "--others", "--exclude-standard")})


@cache
def imports(path: str) -> frozenset[str]:
    """What a test file imports, as files: of the package and of tests."""
    found = set()
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                base = ".".join([*Path(path).parts[: -node.level], *filter(None, [base])])
            names = [base, *(f"{base}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        for name in names:
            if name != "kiebitz":  # the package itself says nothing about what is tested
                found.add(module_files().get(name) or name.replace(".", "/") + ".py")
    return frozenset(found)


def importers(path: str) -> set[str]:
    """The test files that import a file, or a helper of the tests that does."""
    found: set[str] = set()
    waiting = [path]
    while waiting:
        target = waiting.pop()
        for test in (test for test in sources("tests", ".py") if target in imports(test) and test not in found):
            found.add(test)
            waiting.append(test)
    return {test for test in found if Path(test).name.startswith("test_")}


def layer_tests(path: str) -> list[str]:
    """The folder or file of tests that is named like the layer of a file."""
    place = layer_of(path)
    names = [Path(part).stem for part in layers()[place][1]] if place is not None else []
    if path in (part for _, parts in layers() for part in parts):
        names = [Path(path).stem]
    found = [candidate for name in names for candidate in (f"tests/{name}", f"tests/test_{name}.py")]
    return [candidate for candidate in found if (ROOT / candidate).exists()]


def mentioning(name: str) -> set[str]:
    """The test files in which the name of a file stands."""
    files = [test for test in sources("tests", ".py") if Path(test).name.startswith("test_")]
    return {test for test in files if name in (ROOT / test).read_text(encoding="utf-8")}


def proofs_of(path: str) -> set[str]:
    """What pytest should run for a file that changed."""
    itself = {path} if (ROOT / path).exists() else set()
    name, folder = Path(path).name, Path(path).parent.as_posix()
    match Path(path).parts[0], Path(path).suffix:
        case "tests", ".py" if name.startswith("test_"):
            return itself
        case "tests", ".py" if name == "conftest.py":
            return {folder} - {"tests"}
        case (("tests" | "bench"), ".py"):
            return importers(path)
        case "tests", ".cpp" | ".hpp":
            return set()
        case "tests", _:
            return mentioning(name) | ({folder} if any((ROOT / folder).glob("test_*.py")) else set())
        case "src", ".py":
            return {*itself, *importers(path), *layer_tests(path)}
        case "core", _:
            return {"tests/contract", *layer_tests(path)}
        case "examples", _:
            return mentioning(Path(path).stem)
        case _, ".md":
            return {"tests/test_docs.py"}
    return set()


def commands(paths: Iterable[str]) -> list[list[str]]:
    """The commands that test these files, the quickest first."""
    paths = list(paths)
    found = sorted({*ALWAYS, *(test for path in paths for test in proofs_of(path))})
    tests = [test for test in found if not any(test.startswith(folder + "/") for folder in found)]
    out = [[sys.executable, "-m", "pytest", "-n", os.environ.get("JOBS", "auto"), "--dist", "worksteal", *tests]]
    page = [str(ROOT / path) for path in paths if path.startswith("web/src/") and (ROOT / path).exists()]
    if page:
        out.append(["npm", "--prefix", "web", "run", "--silent", "check"])
        out.append(["npm", "--prefix", "web", "exec", "--", "vitest", "related", "--run", "--passWithNoTests", *page])
    if any(path.startswith(("core/", "tests/core/")) for path in paths):
        out.append(CORE_TESTS)
    return out


def main() -> int:
    """Runs them, and says what it runs."""
    paths = changed()
    print(f"== testing {len(paths)} changed files")
    for command in commands(paths):
        print("$", " ".join(Path(part).name if part == sys.executable else part for part in command), flush=True)
        if code := subprocess.run(command, cwd=ROOT, check=False).returncode:
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main())
