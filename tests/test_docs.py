"""The Python code blocks of README.md and docs/ run as they stand: blocks with >>> are doctests, one session a file."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

import kiebitz as kb
from kiebitz import _core

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_code_blocks_run(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = page.read_text(encoding="utf-8")
    # Lines outside the blocks become empty, so that messages name the line of the page.
    source = ["\n"] * (text.count("\n") + 1)
    for block in BLOCK.finditer(text):
        first = text.count("\n", 0, block.start(1))
        for number, line in enumerate(block.group(1).splitlines(keepends=True)):
            source[first + number] = line
    test = doctest.DocTestParser().get_doctest("".join(source), {}, page.name, str(page), 0)
    monkeypatch.chdir(ROOT)
    monkeypatch.syspath_prepend(ROOT)
    messages: list[str] = []
    outcome = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE).run(
        test, out=messages.append
    )
    assert outcome.failed == 0, "".join(messages)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_files(page: Path) -> None:
    text = FENCED.sub("", page.read_text(encoding="utf-8"))  # what is to be copied into another page leads elsewhere
    targets = [t for t in LINK.findall(text) if "://" not in t]
    missing = [target for target in targets if not (page.parent / target).exists()]
    assert not missing


def anchors(page: Path) -> set[str]:
    """The names under which GitHub links to the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_headings(page: Path) -> None:
    found = re.findall(r"\]\(([^)#\s]*)#([^)]*)\)", page.read_text(encoding="utf-8"))
    targets = [((page.parent / target) if target else page, name) for target, name in found if "://" not in target]
    assert [f"{target.name}#{name}" for target, name in targets if name not in anchors(target)] == []


def test_python_is_shown_as_a_session() -> None:
    """A python block without a prompt would not be checked: it must be text, or a session."""
    for page in PAGES:
        for block in BLOCK.finditer(page.read_text(encoding="utf-8")):
            assert block.group(1).lstrip().startswith(">>>"), f"{page.name}: {block.group(1)[:60]}"


@pytest.mark.parametrize("name", _core.game_names())
def test_every_compiled_game_has_a_page_with_the_same_headings(name: str) -> None:
    headings = [
        "Rules",
        "Parameters and presets",
        "Actions and notation",
        "What a player sees",
        "Tensor",
        "Payoffs",
        "Evaluations",
        "Checked against",
    ]
    page = ROOT / "docs" / "games" / f"{name}.md"
    assert re.findall(r"^## (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE) == headings


@pytest.mark.parametrize("name", _core.game_names())
def test_the_list_of_games_has_a_line_for_every_compiled_game(name: str) -> None:
    text = (ROOT / "docs" / "games" / "README.md").read_text(encoding="utf-8")
    [(players, hidden)] = re.findall(rf"^\| \[.*\]\({name}\.md\) \| ([^|]+) \| ([^|]+) \|", text, re.MULTILINE)
    if name == "tree":
        return
    info = kb.game(name).info
    assert players.split()[0] == str(info.players)
    assert hidden == ("yes" if info.hidden else "no")


@pytest.mark.parametrize("name", _core.game_names())
def test_the_page_of_a_game_lists_its_kinds_of_actions(name: str) -> None:
    """With phase and amount, in the same order; the amount names the unit."""
    game = kb.game(name, **({"example": "backward_induction"} if name == "tree" else {}))
    text = (ROOT / "docs" / "games" / f"{name}.md").read_text(encoding="utf-8")
    table = text.partition("| kind | phase | amount |\n|---|---|---|\n")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| `(\w+)` \| `(\w+)` \|(.*)\|$", table, re.MULTILINE)
    assert [(kind, phase) for kind, phase, _ in rows] == [(kind.name, kind.phase) for kind in game.info.kinds]
    for (_, _, amount), kind in zip(rows, game.info.kinds, strict=True):
        assert kind.unit in amount if kind.unit else not amount.strip(), kind.name


@pytest.mark.parametrize("name", [name for name in _core.game_names() if name != "tree"])  # its parameters are the tree
def test_every_parameter_and_preset_is_on_the_page_of_its_game(name: str) -> None:
    game = kb.game(name)
    text = (ROOT / "docs" / "games" / f"{name}.md").read_text(encoding="utf-8")
    words = [p.name for p in game.parameters] + [p.name for p in game.presets] + list(game.info.evaluations)
    assert not [word for word in words if f"`{word}`" not in text]
