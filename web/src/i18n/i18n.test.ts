import { expect, it } from "vitest";
import { isWord, type Phrase, type Phrases, translator, words } from ".";
import { cardWords } from "../cards/words";
import { faceNames, faceOf } from "../games";
import { errorWords } from "./errors";
import { kibitzWords } from "./kibitz";
import { replayWords } from "./replay";
import { ruleWords } from "./rules";
import { tableWords } from "./table";
import { shellWords } from "./words";

const parts: Phrases[] = [shellWords, tableWords, kibitzWords, replayWords, ruleWords, errorWords];

/** What the games say, by the path of the file. */
const ofGames = import.meta.glob<Phrases>("../games/*/words.ts", { eager: true, import: "words" });

const phrases: [string, Phrase][] = [
  ...Object.entries(words),
  ...Object.entries(cardWords),
  ...Object.entries(ofGames).flatMap(([path, own]) =>
    Object.entries(own ?? {}).map(([key, phrase]): [string, Phrase] => [`${path}: ${key}`, phrase]),
  ),
  ...faceNames.flatMap((game): [string, Phrase][] => {
    const { title, about, rules } = faceOf(game);
    const named = { title, about, ...rules.words, ...Object.fromEntries(rules.groups.map(({ title }, i) => [i, title])) };
    return Object.entries(named).map(([key, phrase]) => [`${game}: ${key}`, phrase ?? { en: "", de: "" }]);
  }),
];

const holes = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();

it("has every phrase in both languages", () => {
  expect(phrases.length).toBeGreaterThan(400);
  for (const [key, { en, de }] of phrases) {
    expect(en.trim(), key).not.toBe("");
    expect(de.trim(), key).not.toBe("");
  }
});

it("has the same values to fill in, in both languages", () => {
  for (const [key, { en, de }] of phrases) expect(holes(de), key).toEqual(holes(en));
});

it("has no key twice, nor a game one of the page", () => {
  const all = parts.flatMap((part) => Object.keys(part));
  expect(new Set(all).size).toBe(all.length);
  for (const own of Object.values(ofGames)) expect(Object.keys(own ?? {}).filter(isWord)).toEqual([]);
});

it("says every phrase somewhere", () => {
  const files = import.meta.glob<string>(["../**/*.{ts,tsx}", "!../i18n/*", "!../**/*.test.*"], {
    eager: true,
    query: "?raw",
    import: "default",
  });
  const code = Object.values(files).join("\n");
  // The code contains the beginning of keys that it puts together.
  const said = (key: string) => {
    const beginnings = key.split(".").map((_, i, path) => path.slice(0, i + 1).join("."));
    return code.includes(`"${key}"`) || beginnings.some((start) => code.includes(`\`${start}.$`) || code.includes(`"${start}.`));
  };
  expect(parts.flatMap((part) => Object.keys(part)).filter((key) => !said(key))).toEqual([]);
});

it("fills in values and leaves unknown ones in sight", () => {
  expect(translator("de")("table.series", { number: 2, games: 4 })).toBe("Spiel 2 von 4");
  expect(translator("en")("table.series", { number: 2 })).toBe("Game 2 of {games}");
  expect(isWord("strength.strong")).toBe(true);
  expect(isWord("toString")).toBe(false);
});

it("says the phrases of a game beside those of the page", () => {
  const t = translator("de", { hello: { en: "Hello {name}", de: "Hallo {name}" } });
  expect([t("hello", { name: "Ada" }), t("table.you"), t.language]).toEqual(["Hallo Ada", "du", "de"]);
});
