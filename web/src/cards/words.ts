// Cards in words.

import type { Phrases } from "../i18n";

export const cardWords = {
  card: { en: "{rank} of {suit}", de: "{suit} {rank}" },
  "rank.9": { en: "Nine", de: "Neun" },
  "rank.T": { en: "Ten", de: "Zehn" },
  "rank.J": { en: "Jack", de: "Bube" },
  "rank.Q": { en: "Queen", de: "Dame" },
  "rank.K": { en: "King", de: "König" },
  "rank.A": { en: "Ace", de: "Ass" },
  "suit.C": { en: "clubs", de: "Kreuz" },
  "suit.S": { en: "spades", de: "Pik" },
  "suit.H": { en: "hearts", de: "Herz" },
  "suit.D": { en: "diamonds", de: "Karo" },
} as const satisfies Phrases;
