// Words of the pages of rules and of guided games.

import type { Phrases } from "./phrase";

export const guideWords = {
  "guide.title": { en: "Rules", de: "Spielregeln" },
  "guide.link": { en: "How to play", de: "So wird gespielt" },
  "guide.words": { en: "Words of the game", de: "Wörter des Spiels" },
  "guide.back": { en: "Back", de: "Zurück" },
  "guide.play": { en: "Play", de: "Spielen" },
  "guide.none": {
    en: "This game came from a file and brings no page of rules. Whoever runs the server knows it.",
    de: "Dieses Spiel kam aus einer Datei und bringt keine Spielregeln mit. Frag, wer den Server betreibt.",
  },
  "guide.first": { en: "Guided first game", de: "Erstes Spiel mit Erklärungen" },
  "guide.note": { en: "For your first game", de: "Für dein erstes Spiel" },
  "guide.understood": { en: "Got it", de: "Verstanden" },
} satisfies Phrases;
