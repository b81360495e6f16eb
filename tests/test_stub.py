"""The type stub of the extension is the one that the extension describes now; `make stub` writes it anew."""

from pathlib import Path

from nanobind.stubgen import StubGen

from kiebitz import _core

STUB = Path(__file__).parents[1] / "src" / "kiebitz" / "_core.pyi"


def test_the_stub_is_up_to_date() -> None:
    generator = StubGen(_core, include_private=True, quiet=True)
    generator.put(_core)
    assert generator.get().splitlines() == STUB.read_text().splitlines(), "run `make stub`"
