// Everything that the Connect Four board says.

import type { Phrase, Phrases } from "../../i18n";
import type { RulesFace } from "../face";

export const title: Phrase = { en: "Connect Four", de: "Vier gewinnt" };
export const about: Phrase = { en: "Four in a row, any direction", de: "Vier in einer Reihe" };

export const words = {
  column: { en: "Drop into column {name}", de: "In Spalte {name} einwerfen" },
  columnFull: { en: "Column {name} is full", de: "Spalte {name} ist voll" },
  columnIs: { en: "Column {name}: {stones}", de: "Spalte {name}: {stones}" },
  empty: { en: "empty", de: "leer" },
  board: { en: "Connect Four board", de: "Vier-gewinnt-Brett" },
  keys: { en: "Keys 1 to {n} choose a column.", de: "Tasten 1 bis {n} wählen eine Spalte." },
} as const satisfies Phrases;

export const rules: RulesFace = {
  words: {
    rows: { en: "Rows", de: "Reihen" },
    columns: { en: "Columns", de: "Spalten" },
    connect: { en: "Discs in a line to win", de: "Steine in einer Linie zum Sieg" },
  },
  groups: [],
  presets: {},
};
