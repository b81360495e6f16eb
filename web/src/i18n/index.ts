// Everything the page says, in English and German. A phrase that lacks a language does not compile. Games bring their own
// phrases (`words.ts` in their folders) and use them together with those of the page.

import { useMemo } from "react";
import type { Language } from "../api/types";
import { usePrefs } from "../prefs";
import { errorWords } from "./errors";
import { guideWords } from "./guide";
import { historyWords } from "./history";
import { kibitzWords } from "./kibitz";
import type { Phrase, Phrases } from "./phrase";
import { replayWords } from "./replay";
import { ruleWords } from "./rules";
import { tableWords } from "./table";
import { shellWords } from "./words";

export type { Phrase, Phrases };

export const words = {
  ...shellWords,
  ...tableWords,
  ...guideWords,
  ...historyWords,
  ...kibitzWords,
  ...replayWords,
  ...ruleWords,
  ...errorWords,
} satisfies Phrases;

export type WordKey = keyof typeof words;
export type Values = Record<string, string | number>;

/** Says a phrase of the page, or one with a key of `More`. */
export interface Translate<More extends string = never> {
  (key: WordKey | More, values?: Values): string;
  readonly language: Language;
}

/** A phrase in a language, with {name} replaced by its value. */
export function fill(language: Language, phrase: Phrase, values: Values = {}): string {
  return phrase[language].replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole));
}

/** A word as it begins a button. */
export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

const NO_MORE: Record<never, Phrase> = {};

export function translator<More extends string = never>(
  language: Language,
  more: Record<More, Phrase> = NO_MORE as Record<More, Phrase>,
): Translate<More> {
  const all: Record<string, Phrase> = { ...words, ...more };
  const say = (key: string, values?: Values) => fill(language, all[key] ?? { en: key, de: key }, values);
  return Object.assign(say, { language });
}

/** Whether the page has its own words for a key that comes from the server. */
export function isWord(key: string): key is WordKey {
  return Object.hasOwn(words, key);
}

export function useLanguage(): Language {
  return usePrefs().language;
}

/** The phrases of the page in the person's language, with those of a game if it gives them. */
export function useT<More extends string = never>(more?: Record<More, Phrase>): Translate<More> {
  const language = useLanguage();
  return useMemo(() => translator(language, more), [language, more]);
}
