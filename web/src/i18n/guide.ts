// Words of the pages of rules and of guided games.

import type { Phrases } from "./phrase";

export const guideWords = {
  "guide.title": { en: "Rules", de: "Spielregeln" },
  "guide.link": { en: "How to play", de: "So wird gespielt" },
  "guide.words": { en: "Words of the game", de: "Wörter des Spiels" },
  "guide.back": { en: "Back", de: "Zurück" },
  "guide.play": { en: "Play", de: "Spielen" },
  "guide.none": {
    en: "Nobody has written a page of rules for this game. This much is certain, because its rules say so:",
    de: "Für dieses Spiel hat niemand Spielregeln aufgeschrieben. So viel steht fest, denn das Spiel sagt es selbst:",
  },
  "guide.short": { en: "In short", de: "In Kürze" },
  "guide.players": { en: "Players", de: "Spieler" },
  "guide.players.one": { en: "One player.", de: "Ein Spieler." },
  "guide.players.many": { en: "{n} players.", de: "{n} Spieler." },
  "guide.hidden": {
    en: "Each player sees things that the others do not see.",
    de: "Jeder sieht etwas, das die anderen nicht sehen.",
  },
  "guide.open": { en: "Everybody sees everything.", de: "Alle sehen alles." },
  "guide.moves": { en: "Moves", de: "Züge" },
  "guide.moves.any": {
    en: "When it is your turn, the page offers every move that the rules allow; click one, or press its number.",
    de: "Wenn du dran bist, bietet die Seite jeden Zug an, den die Regeln erlauben: anklicken oder seine Nummer drücken.",
  },
  "guide.moves.kinds": { en: "There are these: {kinds}.", de: "Es gibt diese: {kinds}." },
  "guide.chance": { en: "Chance has a say, too.", de: "Der Zufall spielt mit." },
  "guide.nochance": { en: "Nothing is left to chance.", de: "Nichts bleibt dem Zufall überlassen." },
  "guide.end": { en: "The end", de: "Das Ende" },
  "guide.end.length": {
    en: "A game has at most {n} moves, those of chance included.",
    de: "Ein Spiel hat höchstens {n} Züge, die des Zufalls mitgezählt.",
  },
  "guide.end.repetition": {
    en: "A position that comes up again ends it.",
    de: "Eine Stellung, die sich wiederholt, beendet es.",
  },
  "guide.end.pays": {
    en: "It pays each player from {low} to {high}.",
    de: "Es bringt jedem Spieler zwischen {low} und {high}.",
  },
  "guide.end.zero_sum": { en: "What some win, the others lose.", de: "Was die einen gewinnen, verlieren die anderen." },
  "guide.end.general": {
    en: "What is good for one need not be bad for the others.",
    de: "Was einem nützt, muss den anderen nicht schaden.",
  },
  "guide.first": { en: "Guided first game", de: "Erstes Spiel mit Erklärungen" },
  "guide.note": { en: "For your first game", de: "Für dein erstes Spiel" },
  "guide.understood": { en: "Got it", de: "Verstanden" },
} satisfies Phrases;
