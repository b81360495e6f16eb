// Everything that the tic-tac-toe board says.

import type { Phrase, Phrases } from "../../i18n";

export const title: Phrase = { en: "Tic-Tac-Toe", de: "Tic-Tac-Toe" };
export const about: Phrase = { en: "Three in a row", de: "Drei in einer Reihe" };

export const words = {
  empty: { en: "empty", de: "leer" },
  cell: { en: "{name}: {what}", de: "{name}: {what}" },
  cellPlay: { en: "Mark {name}", de: "{name} belegen" },
  board: { en: "Tic-tac-toe board", de: "Tic-Tac-Toe-Brett" },
  keys: {
    en: "Keys 1 to 9 choose a cell, row by row; arrows move between them.",
    de: "Tasten 1 bis 9 wählen ein Feld, Zeile für Zeile; Pfeiltasten wechseln das Feld.",
  },
} as const satisfies Phrases;
