// Everything that the board of Three Tricks says.

import type { Phrase, Phrases } from "../../i18n";

export const title: Phrase = { en: "Three Tricks", de: "Drei Stiche" };
export const about: Phrase = { en: "Nine cards, three tricks", de: "Neun Karten, drei Stiche" };

export const words = {
  board: { en: "Table", de: "Tisch" },
  hand: { en: "Your hand", de: "Deine Karten" },
  play: { en: "Play {card}", de: "{card} ausspielen" },
  tricks: { en: "{n} tricks", de: "{n} Stiche" },
  trick: { en: "1 trick", de: "1 Stich" },
  cards: { en: "{n} cards in hand", de: "{n} Karten auf der Hand" },
  exactly: {
    en: "Exact, counting cards played and suits not followed.",
    de: "Exakt; gespielte Karten und nicht bediente Farben sind berücksichtigt.",
  },
} as const satisfies Phrases;
