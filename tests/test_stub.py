"""The type stub of the extension is the one that the extension describes now; `make stub` writes it anew."""

from pathlib import Path

from nanobind.stubgen import StubGen, load_pattern_file

from kiebitz import _core

ROOT = Path(__file__).parents[1]
STUB = ROOT / "src" / "kiebitz" / "_core.pyi"
PATTERNS = ROOT / "core" / "bind" / "stub_patterns.txt"


def test_the_stub_is_up_to_date() -> None:
    generator = StubGen(_core, include_private=True, quiet=True, patterns=load_pattern_file(str(PATTERNS)))
    generator.put(_core)
    assert generator.get().splitlines() == STUB.read_text().splitlines(), "run `make stub`"
