// What the page remembers about a person between visits. A game adds preferences of its own to `Prefs` in its folder.

import { useSyncExternalStore } from "react";
import type { Language } from "./api/types";

export type ThemeChoice = "system" | "light" | "dark";

export interface SeatChoice {
  kind: "me" | "open" | "bot";
  strength: string;
}

/** What a person has entered for a rule; null while a number is missing. */
export type RuleValue = boolean | string | number | null | (number | null)[];
export type Rules = Record<string, RuleValue>;

export interface SetupChoice {
  preset: string | null;
  /** Rules that differ from those of the preset. */
  rules: Rules;
  seats: SeatChoice[];
  fair: boolean;
  open: boolean;
  games: number | null;
  pace: number;
  /** Minutes to think in a game and seconds that each move adds, as "5+3"; null: no clock. */
  clock: string | null;
  /** Whether persons at the table can write to each other. */
  chat: boolean;
}

export interface Prefs {
  name: string;
  language: Language;
  theme: ThemeChoice;
  animate: boolean;
  /** The game that was chosen last; empty: the first one that the server offers. */
  game: string;
  setups: Record<string, SetupChoice>;
  /** Parts of the side column that are folded away. */
  folded: string[];
}

const KEY = "kiebitz.prefs";

function defaults(): Prefs {
  return {
    name: "",
    language: typeof navigator !== "undefined" && navigator.language.toLowerCase().startsWith("de") ? "de" : "en",
    theme: "system",
    animate: true,
    game: "",
    setups: {},
    folded: ["kibitz"],
  };
}

function load(): Prefs {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Prefs>;
    return { ...defaults(), ...stored };
  } catch {
    return defaults();
  }
}

let current: Prefs = load();
const listeners = new Set<() => void>();

export function prefs(): Prefs {
  return current;
}

export function setPrefs(change: Partial<Prefs>): void {
  current = { ...current, ...change };
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
  for (const listener of listeners) listener();
}

/** Reads the stored preferences again. Only tests need it: a real visit loads the whole page. */
export function reloadPrefs(): void {
  current = load();
  for (const listener of listeners) listener();
}

export function usePrefs(): Prefs {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
