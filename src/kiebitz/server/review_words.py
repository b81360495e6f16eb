"""A mistake in words, English and German: what was played, what would have been better, by how much, and one fact that
helps to see why.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from kiebitz._core import View
from kiebitz.agents.analysis import AnalysisLike
from kiebitz.agents.equilibrium import MixedActionValue
from kiebitz.agents.review import Decision, world_differences
from kiebitz.games import declaration_of
from kiebitz.games.declaration import LANGUAGES, Language
from kiebitz.games.doppelkopf.situation import FIRST_RESERVATION, Situation
from kiebitz.games.doppelkopf.words import action_text
from kiebitz.server.words import Names, bid_text, kuhn_deed, name_of, taken_text

WORLDS = 60
"""Worlds on which a trick is played out."""
TELLING = 10.0
"""Per cent by which the trick must be more often won, or lost, to be worth saying."""

_GERMAN = {
    "bet": "setzen",
    "check": "schieben",
    "call": "mitgehen",
    "raise": "erhöhen",
    "fold": "aussteigen",
    "liar": "anzweifeln",
}
_OUTCOMES = {1: ("wins", "gewinnt"), 0: ("draws", "führt zum Remis"), -1: ("loses", "verliert")}
_CHIPS = ("kuhn", "leduc")


def explain(mistakes: Sequence[Decision], numbers: Sequence[int], names: Names) -> dict[str, list[str]]:
    """A text for each mistake in each language; ``numbers`` say which decision of the game it was, from 1."""
    facts = [_fact(decision) for decision in mistakes]
    return {
        language: [
            _sentence(decision, number, names, language) + fact(language, name_of(names, decision.player, language))
            for decision, number, fact in zip(mistakes, numbers, facts, strict=True)
        ]
        for language in LANGUAGES
    }


Fact = Callable[[Language, str], str]
"""What helps to see why, in a language and with the name of the player; it begins with a space or is empty."""


def _sentence(decision: Decision, number: int, names: Names, language: Language) -> str:
    assert decision.analysis is not None, "a mistake was analysed"
    who = name_of(names, decision.player, language)
    played, best = (_action(decision.view, a, language) for a in (decision.action, decision.analysis.best))
    place, amount = _place(decision, number, language), _amount(decision, language)
    worlds = decision.loss.worlds
    if language == "en":
        on = f", compared on {worlds} worlds" if worlds else ""
        return f"{place}: {who} chose {played}; {best} would have been better by {amount}{on}."
    on = f", verglichen auf {worlds} Welten" if worlds else ""
    return f"{place}: {who} wählte {played}; {best} wäre um {amount} besser gewesen{on}."


def _place(decision: Decision, number: int, language: Language) -> str:
    found = declaration_of(decision.view.game).facts.place(decision.view)
    if not found:
        return f"Move {number}" if language == "en" else f"Zug {number}"
    if found["decision"] == "reservation":
        return "Reservation" if language == "en" else "Vorbehalt"
    return f"Trick {found['trick']}" if language == "en" else f"Stich {found['trick']}"


def _action(view: View, action: int, language: Language) -> str:
    if view.game.name == "doppelkopf":
        return action_text(view, action, language)
    return _line(view, [view.name(action)], language)


def _line(view: View, names: Sequence[str], language: Language) -> str:
    """Moves of any other game, one after the other, as the log calls them."""
    game = view.game.name
    told: list[str] = []
    betting = view.fields()["betting"] if game == "kuhn" else ""
    for name in names:
        if game == "nim":
            told.append(taken_text(name, language))
        elif game == "liars_dice" and name != "liar":
            told.append(bid_text(name, language))
        else:
            deed = kuhn_deed(name, betting) if game == "kuhn" else name
            told.append(_GERMAN.get(deed, deed) if language == "de" else deed)
        betting += name[0]
    return (", " if any(" " in each for each in told) else " ").join(told)


# --- How much ---------------------------------------------------------------------------------------------------------


def _amount(decision: Decision, language: Language) -> str:
    """The loss in units that the players of a game count in."""
    game = decision.view.game
    lost, error = decision.loss.value or 0.0, decision.loss.error or 0.0
    if game.name == "doppelkopf":
        return _number(lost, error, 1, language) + (" points" if language == "en" else " Punkte")
    if game.name in _CHIPS:
        return _number(lost, error, 2, language) + (" chips" if language == "en" else " Chips")
    if game.name == "oware" and game.params["payoff"] == "win" and not _proven(decision):
        seeds = 12 * game.params["seeds"]
        return _number(lost * seeds, error * seeds, 0, language) + (" seeds" if language == "en" else " Samen")
    if game.info.max_payoff == 1 and game.info.min_payoff == -1:  # the chance to win, a draw being half of one
        words = " percentage points of winning chance" if language == "en" else " Prozentpunkte Gewinnaussicht"
        return _number(50 * lost, 50 * error, 0, language) + words
    return _number(lost, error, 2, language)


def _number(value: float, error: float, digits: int, language: Language) -> str:
    text = f"{value:.{digits}f}"
    if error >= 0.5 * 10**-digits:
        text += f" ± {error:.{digits}f}"
    return text.replace(".", ",") if language == "de" else text


def _proven(decision: Decision) -> bool:
    assert decision.analysis is not None, "a mistake was analysed"
    pair = (decision.action, decision.analysis.best)
    entries = [entry for entry in decision.analysis.actions if entry.action in pair]
    top = decision.view.game.info.max_payoff
    return any(entry.exact and abs(entry.value) >= top for entry in entries)


# --- Why --------------------------------------------------------------------------------------------------------------


def _fact(decision: Decision) -> Fact:
    """What the game knows beside the numbers."""
    analysis, view = decision.analysis, decision.view
    assert analysis is not None, "a mistake was analysed"
    if view.game.name == "doppelkopf" and decision.action < FIRST_RESERVATION and analysis.best < FIRST_RESERVATION:
        shares = {action: 100 * trick_share(view, action) for action in (analysis.best, decision.action)}
        if abs(shares[analysis.best] - shares[decision.action]) >= TELLING:
            return _trick_fact(decision, shares)
    differences = world_differences(analysis, decision.action)
    if differences:
        return _worlds_fact(decision, sum(each > 0 for each in differences), len(differences))
    if any(isinstance(entry, MixedActionValue) for entry in analysis.actions):
        return _mixed_fact(decision)
    return _line_fact(decision)


def _trick_fact(decision: Decision, shares: Mapping[int, float]) -> Fact:
    assert decision.analysis is not None, "a mistake was analysed"
    best, played = decision.analysis.best, decision.action

    def fact(language: Language, who: str) -> str:
        good, bad = (_action(decision.view, action, language) for action in (best, played))
        if language == "en":
            rest = f"in {shares[best]:.0f} % of the worlds, with {bad} in {shares[played]:.0f} %."
            return f" With {good} the side of {who} takes this trick {rest}"
        rest = f"in {shares[best]:.0f} % der Welten an die Seite von {who}, mit {bad} in {shares[played]:.0f} %."
        return f" Mit {good} geht dieser Stich {rest}"

    return fact


def trick_share(view: View, action: int, worlds: int = WORLDS, seed: int = 0) -> float:
    """In what share of sampled worlds a card brings the trick to the player's side, if the others then play by rules of
    thumb.

    >>> import kiebitz as kb
    >>> state = kb.game("doppelkopf").new(seed=7)
    >>> while state.legal()[0] >= 24:
    ...     state.apply(state.parse("healthy") if state.legal()[0] < 33 else state.parse("pass"))
    >>> view = state.view(state.player)
    >>> trick_share(view, view.parse("♥A")) > trick_share(view, view.parse("♦9"))
    True
    """
    now = Situation.of(view)
    place = len(now.tricks) - (now.current is not None)
    taken = 0
    for state in view.worlds(worlds, seed):
        sides = [state.view(seat).outline()["parties"][seat] for seat in range(4)]
        state.apply(action)
        while state.player >= 0 and not Situation.of(state.view(view.observer)).tricks[place].complete:
            state.apply(state.view(state.player).rule_of_thumb())
        taker = Situation.of(state.view(view.observer)).tricks[place].taker
        taken += taker == view.observer or (sides[taker] != "" and sides[taker] == sides[view.observer])
    return taken / worlds


def _worlds_fact(decision: Decision, better: int, worlds: int) -> Fact:
    def fact(language: Language, who: str) -> str:
        del who
        assert decision.analysis is not None, "a mistake was analysed"
        good = _action(decision.view, decision.analysis.best, language)
        if language == "en":
            return f" On {better} of {worlds} worlds {good} is the better choice."
        return f" Auf {better} von {worlds} Welten ist {good} die bessere Wahl."

    return fact


def _mixed_fact(decision: Decision) -> Fact:
    assert decision.analysis is not None, "a mistake was analysed"
    best, played = decision.analysis.best, decision.action
    shares = {
        entry.action: 100 * entry.share for entry in decision.analysis.actions if isinstance(entry, MixedActionValue)
    }

    def fact(language: Language, who: str) -> str:
        del who
        good, bad = (_action(decision.view, action, language) for action in (best, played))
        if language == "en":
            return (
                f" Balanced play is {good} in {shares[best]:.0f} % and {bad} in {shares[played]:.0f} % of such cases."
            )
        rest = f"{bad} in {shares[played]:.0f} % solcher Fälle."
        return f" Ausgewogen gespielt ist hier {good} in {shares[best]:.0f} % und {rest}"

    return fact


def _line_fact(decision: Decision) -> Fact:
    """What is proven about both moves, or else how the game would have gone on."""
    assert decision.analysis is not None, "a mistake was analysed"
    outcomes = _outcomes(decision.view, decision.analysis, (decision.analysis.best, decision.action))

    def fact(language: Language, who: str) -> str:
        del who
        place = LANGUAGES.index(language)
        assert decision.analysis is not None, "a mistake was analysed"
        good, bad = (_action(decision.view, a, language) for a in (decision.analysis.best, decision.action))
        text = ""
        if outcomes is not None:
            links = (" by force, ", " bei bestem Spiel, ")
            text = f" {good} {_OUTCOMES[outcomes[0]][place]}{links[place]}{bad} {_OUTCOMES[outcomes[1]][place]}."
        line = _line(decision.view, decision.analysis.line_names[:6], language)
        return text + (f" Best line: {line}." if language == "en" else f" Beste Folge: {line}.")

    return fact


def _outcomes(view: View, analysis: AnalysisLike, actions: tuple[int, int]) -> tuple[int, int] | None:
    """Win, draw or loss for both moves, where both are proven and payoffs say nothing more than that."""
    proven = {entry.action: entry.value for entry in analysis.actions if entry.exact}
    if view.game.info.max_payoff != 1 or any(proven.get(action) not in (-1.0, 0.0, 1.0) for action in actions):
        return None
    return round(proven[actions[0]]), round(proven[actions[1]])
