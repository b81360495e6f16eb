"""What a person asks for: an action by number, by name, by kind and amount, or by a choice and an amount."""

from __future__ import annotations

from dataclasses import dataclass

from kiebitz._core import Choice, View
from kiebitz.errors import Error, IllegalAction
from kiebitz.server.errors import TableError


@dataclass(frozen=True)
class Wish:
    """An action by its kind, with an amount where it has one, or by a choice and an amount; a choice is named by its
    lowest action."""

    kind: str = ""
    amount: float | None = None
    choice: int | str | None = None


def chosen_action(view: View, action: int | str | Wish) -> int:
    """The legal action that is meant; raises TableError where there is none."""
    if isinstance(action, Wish):
        return _wished(view, action)
    legal = view.legal()
    try:
        chosen = view.parse(action) if isinstance(action, str) else action
    except Error as error:
        raise TableError("illegal_action", str(error)[:300]) from None
    if chosen not in legal:
        names = ", ".join(view.name(each) for each in legal[:20])
        raise TableError("illegal_action", f"{action!r:.20} is not possible here; expected {names}")
    return chosen


def _wished(view: View, wish: Wish) -> int:
    choices = view.choices()
    if wish.choice is not None:
        lowest = chosen_action(view, wish.choice)
        meant = [choice for choice in choices if choice.action == lowest]
        if not meant:
            names = ", ".join(view.name(choice.action) for choice in choices[:20])
            raise TableError("illegal_action", f"action: expected the lowest action of a choice: {names}")
    else:
        meant = [choice for choice in choices if choice.kind == wish.kind]
    if not meant:
        kinds = ", ".join(dict.fromkeys(choice.kind for choice in choices))
        raise TableError("illegal_action", f"kind: '{wish.kind:.40}' is not possible here; expected {kinds}")
    found, refused = [], "amount: expected one"
    for choice in meant:
        try:
            found.append(choice.action if wish.amount is None and choice.count == 1 else _with_amount(choice, wish))
        except Error as error:
            refused = str(error)[:300]
    if len(found) > 1:
        raise TableError("illegal_action", f"kind: '{wish.kind:.40}' can mean {len(found)} actions here; name one")
    if not found:
        raise TableError("illegal_action", refused)
    return found[0]


def _with_amount(choice: Choice, wish: Wish) -> int:
    if wish.amount is None:
        raise IllegalAction(f"{choice.kind}: expected an amount from {choice.low:g} to {choice.high:g} {choice.unit}")
    return choice.action_for(wish.amount)
