// Kuhn poker: its house rules in words.

import type { Phrase } from "../../i18n";
import type { RulesFace } from "../face";

export const title: Phrase = { en: "Kuhn Poker", de: "Kuhn-Poker" };
export const about: Phrase = { en: "Three cards, one bet, all bluff", de: "Drei Karten, ein Einsatz, viel Bluff" };

export const rules: RulesFace = {
  words: {
    players: { en: "Players", de: "Spieler" },
    "players.help": { en: "The deck has one card more than there are players", de: "Es gibt eine Karte mehr als Spieler" },
  },
  groups: [],
  presets: {},
};
