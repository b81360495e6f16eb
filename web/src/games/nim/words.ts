// Everything that the heaps of Nim say.

import type { Phrase, Phrases } from "../../i18n";
import type { RulesFace } from "../face";

export const title: Phrase = { en: "Nim", de: "Nim" };
export const about: Phrase = { en: "Take from one heap; the last stick counts", de: "Von einem Haufen nehmen; das letzte Hölzchen zählt" };

export const words = {
  board: { en: "Nim heaps", de: "Nim-Haufen" },
  heap: { en: "Heap {n}", de: "Haufen {n}" },
  heapLeft: { en: "{n} left", de: "noch {n}" },
  take: { en: "Heap {h}: take {n} of {all}", de: "Haufen {h}: {n} von {all} nehmen" },
  stick: { en: "Heap {h}: stick {n} of {all}", de: "Haufen {h}: Hölzchen {n} von {all}" },
  keys: {
    en: "Arrow keys move between sticks, Enter takes a stick and all after it.",
    de: "Pfeiltasten wechseln das Hölzchen, Enter nimmt es und alle dahinter.",
  },
  normal: { en: "Taking the last stick wins.", de: "Wer das letzte Hölzchen nimmt, gewinnt." },
  misere: { en: "Taking the last stick loses.", de: "Wer das letzte Hölzchen nimmt, verliert." },
  move: { en: "{n} from heap {heap}", de: "{n} von Haufen {heap}" },
} as const satisfies Phrases;

export const rules: RulesFace = {
  words: {
    heaps: { en: "Heaps", de: "Haufen" },
    "heaps.help": { en: "Sticks in each heap", de: "Hölzchen in jedem Haufen" },
    "heaps.item": { en: "Heap {n}", de: "Haufen {n}" },
    "heaps.add": { en: "Add a heap", de: "Haufen dazu" },
    "heaps.remove": { en: "Remove the last", de: "Letzten weg" },
    misere: { en: "Taking the last stick loses", de: "Wer das letzte Hölzchen nimmt, verliert" },
    "misere.help": { en: "Otherwise it wins", de: "Sonst gewinnt man damit" },
  },
  groups: [],
  presets: {},
};
