"""The tables of options in docs/search.md are those that the core describes; `make stub` writes them anew."""

import re
from pathlib import Path

import pytest

from kiebitz import _core

PAGE = Path(__file__).parents[1] / "docs" / "search.md"
SEARCHES = ("uct", "pimc", "ismcts", "alphabeta")


def table(search: str) -> str:
    """The options of a search as a table, with the marks that stand around it on the page."""
    rows = [f"<!-- options of {search} -->", "| option | default | values | meaning |", "|---|---|---|---|"]
    for each in _core.search_options(search):
        values = ", ".join(f"`{name}`" for name in each.choices)
        if each.high is not None:
            values = f"{each.low:g} to {each.high:,.12g}"
        default = "" if each.default in (None, "") else f"`{str(each.default).lower()}`"
        note = "" if each.in_specs else "; in Python only"
        rows.append(f"| `{each.name}` | {default} | {values} | {each.help}{note} |")
    return "\n".join([*rows, "<!-- end -->"])


def place(search: str) -> re.Pattern[str]:
    return re.compile(rf"<!-- options of {search} -->.*?<!-- end -->", re.DOTALL)


@pytest.mark.parametrize("search", SEARCHES)
def test_the_page_has_the_options_that_the_core_describes(search: str) -> None:
    found = place(search).search(PAGE.read_text())
    assert found is not None
    assert found[0] == table(search), "run `make stub`"


if __name__ == "__main__":
    text = PAGE.read_text()
    for name in SEARCHES:
        text = place(name).sub(lambda _, name=name: table(name), text)  # type: ignore[misc]
    PAGE.write_text(text)
