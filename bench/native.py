"""Builds the C++ programs of the bench with the package's own flags (CMakeLists.txt)."""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

from bench.measure import compiler

ROOT = Path(__file__).resolve().parent.parent


def build(name: str, *extra: str) -> Path | None:
    """Compiles bench/NAME.cpp if the program is older than its sources; None without a compiler."""
    if not compiler():
        return None
    program = ROOT / "build" / "bench" / name
    sources = [ROOT / "bench" / f"{name}.cpp", ROOT / "core" / "games" / "parameters.cpp"]
    newest = max(path.stat().st_mtime for path in [*sources, *(ROOT / "core").rglob("*.hpp")])
    if program.exists() and program.stat().st_mtime > newest:
        return program
    program.parent.mkdir(parents=True, exist_ok=True)
    flags = ["-std=c++20", "-O3", "-DNDEBUG", f"-I{ROOT / 'core'}", "-pthread", *extra]
    if platform.machine() in {"x86_64", "AMD64"}:
        flags.append("-march=x86-64-v2")
    print(f"building bench/{name}.cpp", file=sys.stderr)
    subprocess.run([compiler(), *flags, *map(str, sources), "-o", str(program)], check=True)
    return program
