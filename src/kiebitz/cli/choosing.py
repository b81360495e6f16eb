"""How a person chooses at the terminal: what is listed, and what typed text means.

A move is typed as it is listed, by its name or by its number in the list. A long run of actions that differ by an
amount is one line of the list with its range; the amount is typed after the kind, as in ``raise 40``, or after the
number of the line. Where the only question is whether to announce something, ``yes`` and ``no`` will do.
"""

from __future__ import annotations

from dataclasses import dataclass

from kiebitz._core import Choice, View
from kiebitz.cli.words import NO, YES, word
from kiebitz.errors import IllegalAction
from kiebitz.games import declaration_of
from kiebitz.games.declaration import Language

LONG_RUN = 12
"""Runs of more actions are one line of the list."""
MOST_SHOWN = 40
"""Lines of a list; of a refusal a fourth."""


@dataclass(frozen=True)
class Listed:
    """A line of the list: one action, or a long run of them."""

    text: str
    action: int
    run: Choice | None = None


def lines_of(view: View, language: Language = "en") -> list[Listed]:
    """What the observer can choose from, as it is listed.

    >>> import kiebitz as kb
    >>> [line.text for line in lines_of(kb.game("kuhn").new(seed=1).view(0))]
    ['check', 'bet']
    >>> [line.text for line in lines_of(kb.game("nim", heaps=[2, 30]).new().view(0))]
    ['1:1', '2:1 to 2:30', '1:2']
    """
    terminal = declaration_of(view.game).terminal
    runs = {choice.action: choice for choice in view.choices() if choice.count > LONG_RUN}
    inside = {action for run in runs.values() for action in run.actions[1:]}
    found = []
    for action in terminal.options(view):
        name = terminal.action(view, action, language)
        if action in runs:
            run = runs[action]
            last = terminal.action(view, run.actions[-1], language)
            found.append(Listed(word("to", language, name, last), action, run))
        elif action not in inside:
            found.append(Listed(name, action))
    return found


def listed(view: View, width: int, language: Language = "en") -> str:
    """The list with its numbers, folded to a width.

    >>> import kiebitz as kb
    >>> listed(kb.game("kuhn").new(seed=1).view(0), 80)
    '1 check   2 bet'
    """
    all_of_them = lines_of(view, language)
    items = [f"{i} {line.text}" for i, line in enumerate(all_of_them[:MOST_SHOWN], 1)]
    if len(all_of_them) > MOST_SHOWN:
        items.append(word("in all", language, len(all_of_them)))
    rows = [items[0]]
    for item in items[1:]:
        if len(rows[-1]) + len(item) + 3 > width:
            rows.append(item)
        else:
            rows[-1] += f"   {item}"
    return "\n".join(rows)


def declining(view: View) -> int | None:
    """The action that declines, where the observer is asked for an announcement.

    >>> import kiebitz as kb
    >>> declining(kb.game("kuhn").new(seed=1).view(0)) is None
    True
    """
    decline = view.game.info.decline
    return decline if decline in view.legal() else None


def read(view: View, text: str, language: Language = "en") -> int:
    """The action that a person means; raises IllegalAction with what would have been possible.

    >>> import kiebitz as kb
    >>> view = kb.game("tic_tac_toe").new().view(0)
    >>> read(view, "b2"), read(view, "B2"), read(view, "9")
    (4, 4, 8)
    >>> poker = kb.game("kuhn").new(seed=1).view(0)
    >>> poker.name(read(poker, "schieben", "de"))
    'pass'
    >>> view = kb.game("nim", heaps=[30]).new().view(0)
    >>> view.name(read(view, "take 17")), view.name(read(view, "1 17"))
    ('1:17', '1:17')
    """
    refusal = declining(view)
    if refusal is not None:
        if text.lower() in NO:
            return refusal
        others = [action for action in view.legal() if action != refusal]
        if text.lower() in YES and len(others) == 1:
            return others[0]
    shown = {line.text.lower(): line.action for line in lines_of(view, language) if line.run is None}
    if text.lower() in shown:
        return shown[text.lower()]
    try:
        return view.parse(text)
    except IllegalAction:
        action = _numbered(view, text, language)
        if action is None:
            raise IllegalAction(_refused(view, text, language)) from None
        return action


def _numbered(view: View, text: str, language: Language) -> int | None:
    """A number of the list, on its own or with an amount, or a kind with an amount."""
    first, _, amount = text.lower().partition(" ")
    lines = lines_of(view, language)
    named = [line for line in lines if line.run is not None and line.run.kind == first]
    if first.isascii() and first.isdecimal() and len(first) < 9 and 1 <= int(first) <= len(lines):
        named = [lines[int(first) - 1]]
    if len(named) != 1:
        return None
    (line,) = named
    if line.run is None:
        return None if amount else line.action
    try:
        return line.run.action_for(float(amount))
    except (ValueError, IllegalAction):
        return None


def _refused(view: View, text: str, language: Language) -> str:
    lines = lines_of(view, language)
    some = ", ".join(line.text for line in lines[: MOST_SHOWN // 4]) + (", ..." if len(lines) > MOST_SHOWN // 4 else "")
    rule = declaration_of(view.game).terminal.rule(view, language)
    message = word("not possible", language, text[:40], some)
    return message if rule is None else f"{message}; {rule}"
