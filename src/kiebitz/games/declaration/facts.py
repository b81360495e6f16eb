"""What is known of a position and to whom: public facts, phases, secret rounds, hands and beliefs to show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kiebitz._core import State, View


@dataclass(frozen=True)
class Facts:
    """What is known of a position and to whom: public facts, phases, secret rounds, hands and beliefs to show."""

    def place(self, view: View) -> dict[str, Any]:
        """Where in the game a decision stands, in terms of the game; empty if its number says all there is."""
        del view
        return {}

    def refusal(self, state: State, action: int) -> str | None:
        """The rule that an illegal action would break; None if there is no more to say than that it is illegal."""
        del state, action
        return None
