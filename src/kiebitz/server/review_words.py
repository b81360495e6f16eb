"""A mistake in words, English and German: what was played, what would have been better and by how much, and one fact
that helps to see why.
"""

from __future__ import annotations

from collections.abc import Sequence

from kiebitz._core import View
from kiebitz.agents.equilibrium import MixedActionValue
from kiebitz.agents.review import Decision, Outcome, outcome_of, world_differences
from kiebitz.analysis import AnalysisLike
from kiebitz.games import declaration_of
from kiebitz.games.declaration.words import LANGUAGES, Language, Names, Phrase, Reason, Words, name_of, phrase

_OUTCOMES: dict[Outcome, Phrase] = {
    "won": phrase("wins by force", "gewinnt bei bestem Spiel"),
    "drawn": phrase("draws", "führt zum Remis"),
    "lost": phrase("loses by force", "verliert bei bestem Spiel"),
}


def explain(mistakes: Sequence[Decision], numbers: Sequence[int], names: Names) -> dict[str, list[str]]:
    """A text for each mistake in each language; ``numbers`` are the places of these decisions in the game, from 1."""
    found = [_Mistake(decision, number) for decision, number in zip(mistakes, numbers, strict=True)]
    return {language: [mistake.told(names, language) for mistake in found] for language in LANGUAGES}


class _Mistake:
    """A mistake, its analysis, and why the best action was better."""

    def __init__(self, decision: Decision, number: int) -> None:
        assert decision.analysis is not None, "a mistake was analysed"
        self.decision = decision
        self.number = number
        self.view: View = decision.view
        self.analysis: AnalysisLike = decision.analysis
        self.words: Words = declaration_of(decision.view.game).words
        self.reason = self._reason()

    def told(self, names: Names, language: Language) -> str:
        """The whole text in one language."""
        who = name_of(names, self.decision.player, language)
        best, played = self._actions(language)
        place = self.words.place(self.view, self.number, language)
        amount, worlds = self._amount(language), self.decision.loss.worlds
        if language == "en":
            on = f", compared in {worlds} worlds" if worlds else ""
            by = f" by {amount}" if amount else ""
            sentence = f"{place}: {who} chose {played}; {best} would have been better{by}{on}."
        else:
            on = f", verglichen in {worlds} Welten" if worlds else ""
            by = f"um {amount} " if amount else ""
            sentence = f"{place}: {who} wählte {played}; {best} wäre {by}besser gewesen{on}."
        return f"{sentence} {self.reason(names, language)}"

    def _actions(self, language: Language) -> tuple[str, str]:
        """The best action and the played one in words."""
        best, played = self.analysis.best, self.decision.action
        return self.words.action(self.view, best, language), self.words.action(self.view, played, language)

    # --- How much -----------------------------------------------------------------------------------------------------

    def _amount(self, language: Language) -> str:
        """The loss in the game's unit; empty where only a win or a draw was at stake, which no count of points says."""
        unit = self.words.unit(self.view.game)
        if any(self._outcomes()) and not unit.zero:
            return ""
        lost, error = self.decision.loss.value or 0.0, self.decision.loss.error or 0.0
        number = _number(unit.scale * lost, unit.scale * error, unit.digits, language)
        return f"{number} {unit.name[language]}".rstrip()

    # --- Why ----------------------------------------------------------------------------------------------------------

    def _reason(self) -> Reason:
        """The reason that the game knows, or else one from the analysis."""
        told = self.words.reason(self.view, self.decision.action, self.analysis.best)
        if told is not None:
            return told
        differences = world_differences(self.analysis, self.decision.action)
        if differences:
            better = sum(each > 0 for each in differences)
            return lambda _, language: self._on_worlds(language, better, len(differences))
        if any(isinstance(entry, MixedActionValue) for entry in self.analysis.actions):
            return lambda _, language: self._mixed(language)
        return lambda _, language: self._line(language)

    def _on_worlds(self, language: Language, better: int, worlds: int) -> str:
        best, _ = self._actions(language)
        if language == "en":
            return f"In {better} of {worlds} worlds {best} is the better choice."
        return f"In {better} von {worlds} Welten ist {best} die bessere Wahl."

    def _mixed(self, language: Language) -> str:
        """How often an equilibrium plays either action."""
        shares = {
            entry.action: 100 * entry.share for entry in self.analysis.actions if isinstance(entry, MixedActionValue)
        }
        good, bad = shares[self.analysis.best], shares[self.decision.action]
        best, played = self._actions(language)
        if language == "en":
            return f"Balanced play is {best} in {good:.0f} % and {played} in {bad:.0f} % of such cases."
        return f"Ausgewogen gespielt ist hier {best} in {good:.0f} % und {played} in {bad:.0f} % solcher Fälle."

    def _line(self, language: Language) -> str:
        """The proven results of both moves if there are any, and the best line."""
        told = self.words.moves(self.view, self.analysis.line_names[:6], language)
        line = (", " if any(" " in each for each in told) else " ").join(told)
        text = f"Best line: {line}." if language == "en" else f"Beste Folge: {line}."
        names = self._actions(language)
        ends = [f"{name} {_OUTCOMES[end][language]}" for name, end in zip(names, self._outcomes(), strict=True) if end]
        return f"{', '.join(ends)}. {text}" if ends else text

    def _outcomes(self) -> tuple[Outcome | None, Outcome | None]:
        """How the game ends after the best action and after the played one, where that is proven."""
        ends = {entry.action: outcome_of(self.view.game, entry) for entry in self.analysis.actions}
        return ends.get(self.analysis.best), ends.get(self.decision.action)


def _number(value: float, error: float, digits: int, language: Language) -> str:
    text = f"{value:.{digits}f}"
    if error >= 0.5 * 10**-digits:
        text += f" ± {error:.{digits}f}"
    return text.replace(".", ",") if language == "de" else text
