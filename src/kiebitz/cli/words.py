"""What the table in the terminal says by itself, in English and German; what a game says is in its declaration."""

from __future__ import annotations

from kiebitz.games.declaration import LANGUAGES, Language

_WORDS: dict[str, tuple[str, str]] = {
    "game": ("game", "Spiel"),
    "start": ("start", "Start"),
    "help note": ("'help' explains what you can type.", "'help' erklärt, was man eingeben kann."),
    "other commands": ("Other commands:", "Außerdem:"),
    "moves": ("list what you can do", "was du tun kannst"),
    "hint": ("ask a search what it thinks of each option", "was eine Suche von jeder Möglichkeit hält"),
    "quiet": (
        "decline, and do not ask again before somebody announces something",
        "nein, und keine Frage mehr, bis jemand etwas ansagt",
    ),
    "undo": ("take back your last move", "deinen letzten Zug zurücknehmen"),
    "board": ("show the table again", "den Tisch noch einmal zeigen"),
    "score": ("the games of this series so far", "die Spiele dieser Serie bis jetzt"),
    "help": ("this text", "dieser Text"),
    "quit": ("leave the game", "aufhören"),
    "not possible": (
        "'{0}' is not possible here; expected {1}, or help",
        "'{0}' geht hier nicht; möglich: {1}, oder help",
    ),
    "to": ("{0} to {1}", "{0} bis {1}"),
    "in all": ("... {0} in all", "... insgesamt {0}"),
    "no games yet": ("no game of a series has been finished yet", "noch kein Spiel einer Serie ist zu Ende"),
    "good-bye": ("good-bye", "auf Wiedersehen"),
    "recorded": ("recorded in {0}", "aufgezeichnet in {0}"),
    "nobody looks": (
        "{0}, press Enter when nobody else looks ",
        "{0}, Enter drücken, wenn sonst niemand hinsieht ",
    ),
    "no undo": (
        "moves cannot be taken back where something is hidden",
        "wo etwas verdeckt ist, lässt sich kein Zug zurücknehmen",
    ),
    "nothing to undo": ("there is nothing to take back", "es gibt nichts zurückzunehmen"),
    "thinking": ("thinking", "die Suche rechnet"),
    "is thinking": ("{0} is thinking", "{0} überlegt"),
    "others think": ("the others are thinking", "die anderen überlegen"),
    "which game": ("which game?", "welches Spiel?"),
    "which rules": ("which rules?", "welche Regeln?"),
    "which seat": ("your seat, 1 to {0}?", "dein Platz, 1 bis {0}?"),
    "which opponent": ("against whom (a number or any agent)?", "gegen wen (eine Zahl oder ein Agent)?"),
    "expected": ("expected {0}", "möglich: {0}"),
    "one of": ("one of {0}", "{0}"),
    "sees cards": ("sees your cards", "sieht deine Karten"),
    "won": ("won", "gewonnen"),
    "drawn": ("drawn", "unentschieden"),
    "lost": ("lost", "verloren"),
    "move": ("move", "Zug"),
    "how often": ("played", "gespielt"),
    "net": ("net", "Netz"),
    "net alone": ("the net alone, without looking ahead:", "das Netz allein, ohne vorauszurechnen:"),
    "draw": ("A draw.", "Unentschieden."),
    "you win": ("You win.", "Du gewinnst."),
    "you lose": ("You lose: {0}.", "Du verlierst: {0}."),
    "wins": ("{0} wins", "{0} gewinnt"),
    "share": ("{0} share the win", "{0} gewinnen gemeinsam"),
    "and": ("and", "und"),
    "payoffs": ("payoffs", "Ergebnis"),
    "next game": ("Enter for the next game, 'quit' to stop: ", "Enter für das nächste Spiel, 'quit' zum Aufhören: "),
}
COMMANDS = ("moves", "hint", "quiet", "undo", "board", "score", "help", "quit")
"""What people can type beside their moves, in the order of the help text."""
YES = ("y", "yes", "j", "ja")
NO = ("", "n", "no", "nein")


def word(key: str, language: Language = "en", *values: object) -> str:
    """A word or phrase in a language.

    >>> word("game", "de"), word("to", "en", 2, 40)
    ('Spiel', '2 to 40')
    """
    return _WORDS[key][LANGUAGES.index(language)].format(*values)
