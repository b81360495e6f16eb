"""The guide for adding a game, followed: a checkout, the files of examples/three_tricks copied over it, one line in
CMakeLists.txt and one in the list of games. The game then passes every test that runs over all games, plays in the
arena, and has its board in the browser."""

from __future__ import annotations

import re
import shutil
import subprocess
import sysconfig
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "three_tricks"
GUIDE = (ROOT / "docs" / "add-a-game.md").read_text(encoding="utf-8")
LINE = "    three_tricks\n"
PYTHON = Path(".venv", "bin", "python")


def run(*command: str | Path, cwd: Path) -> str:
    """What a command printed; fails with all of it if the command does."""
    done = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout[-6000:]}\n{done.stderr[-4000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout with the game added as the guide says, built."""
    folder = tmp_path_factory.mktemp("guide") / "kiebitz"
    for name in run("git", "ls-files", "--cached", "--others", "--exclude-standard", cwd=ROOT).splitlines():
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    # The three steps of the guide.
    shutil.copytree(EXAMPLE, folder, dirs_exist_ok=True)
    build = folder / "CMakeLists.txt"
    build.write_text(build.read_text().replace("set(KIEBITZ_GAMES\n", f"set(KIEBITZ_GAMES\n{LINE}"))
    assert LINE in build.read_text()
    games = folder / "docs" / "games" / "README.md"
    [row] = re.findall(r"^```md\n(.*\n)```", GUIDE, re.MULTILINE)
    games.write_text(games.read_text().replace("\n\nGames of your own", f"\n{row}\nGames of your own"))
    assert row in games.read_text()
    # What `make build` and `make page` do. To compile everything again would take minutes: the target `guide_core` has
    # the objects of the extension and compiles the new game only.
    cmake = shutil.which("cmake", path=sysconfig.get_path("scripts"))
    assert cmake is not None
    run(cmake, "--build", "build/dev", "--target", "guide_core", cwd=ROOT)
    (module,) = (ROOT / "build" / "dev" / "guide").glob("_core.*")
    shutil.copy(module, folder / "src" / "kiebitz" / module.name)
    (folder / "web" / "node_modules").symlink_to(ROOT / "web" / "node_modules")
    run("npm", "run", "--silent", "build", "--", "--logLevel", "warn", cwd=folder / "web")
    # An environment of its own: the packages of this one, but Kiebitz from the checkout.
    venv.create(folder / ".venv", with_pip=False)
    (packages,) = (folder / ".venv").glob("lib/python*/site-packages")
    paths = [folder / "src", sysconfig.get_path("platlib")]
    (packages / "checkout.pth").write_text("".join(f"{path}\n" for path in paths))
    return folder


def test_the_guide_names_every_file_of_the_example() -> None:
    files = [file.relative_to(EXAMPLE) for file in EXAMPLE.rglob("*") if file.is_file()]
    named = set(re.findall(r"`((?:core|src|web|tests|docs)/[\w/.-]+)`", GUIDE))
    assert not [file for file in files if str(file) not in named and f"{file.parent}/" not in named]


def test_the_guide_quotes_the_example_as_it_is() -> None:
    code = "".join(file.read_text(encoding="utf-8") for file in sorted(EXAMPLE.rglob("*")) if file.is_file())
    quotes = re.findall(r"^```(?:cpp|tsx|text)\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
    assert len(quotes) > 10
    assert not [quote for quote in quotes if quote not in code and quote != "DECLARATION = Declaration()\n"]


def test_every_test_of_all_games_passes(checkout: Path) -> None:
    """Also in other folders: a list of games by hand somewhere would be one more file to change."""
    whole = ["test_registry", "test_house", "the_page_is_tested"]  # ask for all games, but not one by one
    slow = ["tests/guide", "tests/browser", "tests/soak", "tests/openspiel"]
    told = run(
        *(PYTHON, "-m", "pytest", "-k", " or ".join(["three_tricks", *whole]), "tests"),
        *(f"--ignore={folder}" for folder in slow),
        cwd=checkout,
    )
    assert re.search(r"\b[1-9]\d* passed", told)


def test_the_game_is_played_in_the_browser(checkout: Path) -> None:
    assert re.search(r"\b1 passed", run(PYTHON, "-m", "pytest", "tests/browser/test_three_tricks.py", cwd=checkout))


def test_the_doctests_do_not_count_the_games(checkout: Path) -> None:
    layers = [f"src/kiebitz/{layer}" for layer in ("games", "arena", "server")]
    assert re.search(r"\b[1-9]\d* passed", run(PYTHON, "-m", "pytest", *layers, cwd=checkout))


def test_the_game_is_played_and_searched(checkout: Path) -> None:
    seats = ["best(iterations=50, worlds=5)", "random", "random"]
    told = run(
        PYTHON, "-m", "kiebitz", "match", "three_tricks", *seats, "--games", "6", "--db", "games.db", cwd=checkout
    )
    assert "best(iterations=50, worlds=5)" in told
