// Words that all betting games use.

import type { Term } from "../../ui/Explained";

export const bettingTerms: Term[] = [
  {
    word: { en: "pot", de: "Pot" },
    text: { en: "All chips that were put in: the winner takes them.", de: "Alle gesetzten Chips: Wer gewinnt, bekommt sie." },
  },
  {
    word: { en: "ante", de: "Grundeinsatz" },
    also: { en: "antes", de: "Grundeinsätze" },
    text: { en: "What everybody puts in before the cards are dealt.", de: "Was alle vor dem Geben einzahlen." },
  },
  {
    word: { en: "check", de: "schieben" },
    also: { en: "checks,pass", de: "schiebt,passen" },
    text: { en: "Add nothing while nobody has bet.", de: "Nichts setzen, solange niemand gesetzt hat." },
  },
  {
    word: { en: "call", de: "mitgehen" },
    also: { en: "calls", de: "geht mit" },
    text: { en: "Put in as much as the others and stay in the game.", de: "So viel einzahlen wie die anderen und dabeibleiben." },
  },
  {
    word: { en: "raise", de: "erhöhen" },
    also: { en: "raises", de: "erhöht" },
    text: { en: "Put in more than the others, who have to answer.", de: "Mehr einzahlen als die anderen; sie müssen antworten." },
  },
  {
    word: { en: "fold", de: "aussteigen" },
    also: { en: "folds", de: "steigt aus" },
    text: { en: "Give up your cards and what you have put in.", de: "Die Karten aufgeben und mit ihnen, was du gesetzt hast." },
  },
  {
    word: { en: "showdown", de: "Aufdecken" },
    text: { en: "Those who are still in show their cards.", de: "Wer noch dabei ist, zeigt seine Karten." },
  },
];
