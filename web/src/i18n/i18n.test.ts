import { expect, it } from "vitest";
import { isWord, phrase, words, type WordKey } from ".";
import { boardWords } from "./boards";
import { errorWords } from "./errors";
import { ruleWords } from "./rules";
import { tableWords } from "./table";
import { words as shellWords } from "./words";

const entries = Object.entries(words) as [WordKey, { en: string; de: string }][];
const holes = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();

it("has every phrase in both languages", () => {
  expect(entries.length).toBeGreaterThan(150);
  for (const [key, { en, de }] of entries) {
    expect(en.trim(), key).not.toBe("");
    expect(de.trim(), key).not.toBe("");
  }
});

it("has the same values to fill in, in both languages", () => {
  for (const [key, { en, de }] of entries) expect(holes(de), key).toEqual(holes(en));
});

it("has no key twice", () => {
  const all = [shellWords, tableWords, boardWords, errorWords, ruleWords].flatMap((part) => Object.keys(part));
  expect(new Set(all).size).toBe(all.length);
});

it("fills in values and leaves unknown ones in sight", () => {
  expect(phrase("de", "table.series", { number: 2, games: 4 })).toBe("Spiel 2 von 4");
  expect(phrase("en", "table.series", { number: 2 })).toBe("Game 2 of {games}");
  expect(isWord("strength.strong")).toBe(true);
  expect(isWord("toString")).toBe(false);
});
