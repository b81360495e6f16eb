// Everything the page says, in English and German. A key that lacks a language does not compile.

import { useMemo } from "react";
import type { Language } from "../api/types";
import { usePrefs } from "../prefs";
import { boardWords } from "./boards";
import { errorWords } from "./errors";
import { ruleWords } from "./rules";
import { tableWords } from "./table";
import { words as shellWords } from "./words";

export const words = { ...shellWords, ...tableWords, ...boardWords, ...errorWords, ...ruleWords };

export type WordKey = keyof typeof words;
export type Values = Record<string, string | number>;

export interface Translate {
  (key: WordKey, values?: Values): string;
  readonly language: Language;
}

/** A phrase in a language, with {name} replaced by its value. */
export function phrase(language: Language, key: WordKey, values: Values = {}): string {
  const text: string = words[key][language];
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole));
}

export function translator(language: Language): Translate {
  return Object.assign((key: WordKey, values?: Values) => phrase(language, key, values), { language });
}

/** Whether the page has its own words for a key that comes from the server. */
export function isWord(key: string): key is WordKey {
  return Object.hasOwn(words, key);
}

export function useLanguage(): Language {
  return usePrefs().language;
}

export function useT(): Translate {
  const language = useLanguage();
  return useMemo(() => translator(language), [language]);
}
