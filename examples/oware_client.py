"""Plays Oware over the web service of `kiebitz serve` (/oware/v1), as a person or with any agent of Kiebitz.

    python examples/oware_client.py Ada                                        # you play: type a pit from 0 to 5
    python examples/oware_client.py Bot --agent "alphabeta(depth=6)"           # in a second terminal
    python examples/oware_client.py Bot --agent oware_master --url http://127.0.0.1:8000

Start it twice: the first player to join moves first. A program in any language can play in the same way: POST a name,
then GET until it is your turn and PUT a pit, and DELETE at the end.
"""

from __future__ import annotations

import argparse
import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from typing import Any

import kiebitz as kb

Send = Callable[[str, str, dict[str, Any] | None], tuple[int, Any]]
"""How requests are sent: verb, query and body in; status and JSON out."""
Choose = Callable[[dict[str, Any]], int]
"""Chooses a pit, given a status."""


def over_http(url: str) -> Send:
    """Sends requests to a server with the standard library."""

    def send(verb: str, query: str, body: dict[str, Any] | None) -> tuple[int, Any]:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        request = urllib.request.Request(f"{url}/oware/v1{query}", data, headers, method=verb)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                text = answer.read().decode()
                return answer.status, json.loads(text) if text else None
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read().decode() or "null")

    return send


def agent_player(spec: str, seed: int = 0) -> Choose:
    """Asks an agent. The board starts with the player's own row, so the agent always sits in seat 0."""
    game = kb.game("oware", preset="thesis")
    agent = kb.agent(spec, game, seed)

    def choose(status: dict[str, Any]) -> int:
        captured = [status["captured"], status["opponent_captured"]]
        position = {"pits": status["board"], "captured": captured, "player": 0, "plies": status["moves"]}
        return agent.act(game.load(position).view(0))

    return choose


def person(status: dict[str, Any]) -> int:
    """Asks the person at the keyboard."""
    far, own = status["board"][:5:-1], status["board"][:6]
    print("\n ", "".join(f"{seeds:>4}" for seeds in far), f"   {status['opponent']}: {status['opponent_captured']}")
    print(" ", "".join(f"{seeds:>4}" for seeds in own), f"   you: {status['captured']}")
    while True:
        answer = input(f"pit {status['legal']}: ").strip()
        if answer.isdecimal() and int(answer) in status["legal"]:
            return int(answer)


class Client:
    """One player: registers, moves when it is its turn, and leaves when the game is over."""

    def __init__(self, name: str, choose: Choose, send: Send) -> None:
        self.choose, self.send = choose, send
        code, answer = send("POST", "", {"name": name})
        if code != 201:
            raise SystemExit(answer["error"]["message"])
        self.id: str = answer["id"]

    def status(self) -> dict[str, Any]:
        """The game as the server reports it."""
        code, answer = self.send("GET", "?" + urllib.parse.urlencode({"id": self.id}), None)
        if code != 200:
            raise SystemExit(answer["error"]["message"])
        return dict(answer)

    def step(self) -> dict[str, Any]:
        """Moves if it is this player's turn; returns the status."""
        status = self.status()
        if not status["your_turn"]:
            return status
        code, answer = self.send("PUT", "", {"id": self.id, "pit": self.choose(status)})
        if code != 200:
            raise SystemExit(answer["error"]["message"])
        return dict(answer)

    def leave(self) -> None:
        """Signs off."""
        self.send("DELETE", "?" + urllib.parse.urlencode({"id": self.id}), None)


def main() -> None:
    """Plays one game from the command line."""
    parser = argparse.ArgumentParser(description="Play Oware over the web service.")
    parser.add_argument("name")
    parser.add_argument("--agent", metavar="SPEC", help="an agent that plays for you")
    parser.add_argument("--url", default="http://127.0.0.1:8000")
    parser.add_argument("--wait", type=float, default=0.5, help="seconds between two requests for the status")
    given = parser.parse_args()
    client = Client(given.name, agent_player(given.agent) if given.agent else person, over_http(given.url))
    try:
        while not ((status := client.step())["over"] or status["opponent_left"]):
            if not status["your_turn"]:
                time.sleep(given.wait)
        print(f"{status['captured']} : {status['opponent_captured']}", status["winner"] or "the opponent has left")
    finally:
        client.leave()


if __name__ == "__main__":
    main()
