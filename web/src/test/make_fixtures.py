"""Write the fixtures of the page's tests: whole games, analyses and a review, as the server answers them.

    python web/src/test/make_fixtures.py

Every folder of a game says in ``fixtures/how.json`` what it wants: ``record`` (a whole game by given ``moves`` or by
``agents``), ``review`` (true: a review of that game) and ``kibitz`` (a position after ``plies`` moves of ``agents``,
with its analysis and beliefs). The games are real: every step, name and result comes from the rules, every number of an
analysis from an agent.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import kiebitz as kb
from kiebitz.games.scene import Scene
from kiebitz.server.beliefs import beliefs
from kiebitz.server.kibitz import kibitz
from kiebitz.server.replays import seats_of, steps
from kiebitz.server.review import review
from kiebitz.server.table import game_part
from kiebitz.server.views import snapshot_parts

GAMES = Path(__file__).parents[1] / "games"
NAMES = ["Ada", "Bot 2", "Bot 3", "Bot 4"]


def play(name: str, how: dict[str, Any], plies: int | None = None) -> kb.State:
    """A game by given moves, then by agents to its end or for some plies."""
    game = kb.game(name, **how.get("rules", {}))
    seed = how["seed"]
    state = game.new(seed=seed)
    for move in how.get("moves", []):
        state.apply(state.parse(move))
    agents = [kb.agent(spec, game, seed=seed + seat) for seat, spec in enumerate(how.get("agents", []))]
    while state.player != kb.TERMINAL and plies != 0:
        state.apply(agents[state.player].act(state.view(state.player)))
        plies = None if plies is None else plies - 1
    return state


def stored(state: kb.State, seed: int) -> dict[str, Any]:
    """What ``GET /api/records/ID`` answers."""
    record = kb.records.record_of(state, seats=NAMES[: state.game.info.players], seed=seed)
    return {
        "record": record.to_json(),
        "game": game_part(state.game),
        "seats": seats_of(record, state.game),
        "steps": steps(record),
    }


def analysed(state: kb.State) -> dict[str, Any]:
    """A position with its analysis and beliefs, in the forms of the routes."""
    view = state.view(state.player)
    found = {**kibitz(view, "quick"), "seconds": 0.25, "version": 9, "ply": 5}
    return {
        "game": game_part(state.game),
        "seats": [{"name": name, "strength": None} for name in NAMES[: state.game.info.players]],
        "step": snapshot_parts(Scene(state), "all"),
        "kibitz": found,
        "beliefs": beliefs(view, 1) if state.game.info.hidden else None,
    }


def write(path: Path, value: dict[str, Any]) -> None:
    """Write one file, in one line."""
    path.write_text(json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n")


def main() -> None:
    """Write all files."""
    for wanted in sorted(GAMES.glob("*/fixtures/how.json")):
        folder, name = wanted.parent, wanted.parent.parent.name
        how = json.loads(wanted.read_text())
        if "record" in how:
            seed = how["record"]["seed"]
            state = play(name, how["record"])
            write(folder / "record.json", stored(state, seed))
            if how.get("review"):
                record = kb.records.record_of(state, seats=NAMES[: state.game.info.players], seed=seed)
                write(folder / "review.json", review(record, "quick"))
        if "kibitz" in how:
            write(folder / "kibitz.json", analysed(play(name, how["kibitz"], how["kibitz"].get("plies", 0))))


if __name__ == "__main__":
    main()
