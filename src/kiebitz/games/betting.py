"""What players of betting games say, in English and German."""

from __future__ import annotations

from kiebitz.games.declaration.words import Language, Phrase, phrase

DEEDS: dict[str, Phrase] = {
    "bet": phrase("bets", "setzt"),
    "check": phrase("checks", "schiebt"),
    "call": phrase("calls", "geht mit"),
    "raise": phrase("raises", "erhöht"),
    "fold": phrase("folds", "steigt aus"),
}
"""What somebody does, after the name."""
_GERMAN = {"bet": "setzen", "check": "schieben", "call": "mitgehen", "raise": "erhöhen", "fold": "aussteigen"}


def spoken(deed: str, language: Language) -> str:
    """An action within a sentence.

    >>> spoken("call", "en"), spoken("call", "de")
    ('call', 'mitgehen')
    """
    return deed if language == "en" else _GERMAN.get(deed, deed)
