// What the generic board says.

import type { Phrases } from "../../i18n";

export const words = {
  board: { en: "Position", de: "Stellung" },
  choices: { en: "What you can do", de: "Deine Möglichkeiten" },
  keys: { en: "Number keys choose, arrow keys move between the buttons.", de: "Ziffern wählen aus, Pfeiltasten wechseln den Knopf." },
  hidden: { en: "The position is hidden from spectators while the game runs.", de: "Solange das Spiel läuft, sehen Zuschauer die Stellung nicht." },
  held: { en: "Hidden", de: "Verdeckt" },
  exactly: {
    en: "Exact probability from the deal alone; what the play gives away is yours to judge.",
    de: "Exakte Wahrscheinlichkeit allein aus der Verteilung; was der Spielverlauf verrät, musst du selbst einschätzen.",
  },
} as const satisfies Phrases;
