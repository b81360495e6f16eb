// Names and pictures of cards. A code is suit and rank, as the core writes it: CQ, DT, H9.

import type { Translate, WordKey } from "../i18n";

const files = import.meta.glob<string>("./faces/*.svg", { eager: true, query: "?url", import: "default" });

/** Where the picture of a card lies; "back" is the back. */
export function faceUrl(code: string): string | undefined {
  return files[`./faces/${code}.svg`];
}

export const SYMBOLS: Record<string, string> = { C: "♣", S: "♠", H: "♥", D: "♦" };

export function isRed(code: string): boolean {
  return code.startsWith("H") || code.startsWith("D");
}

/** Rank as printed on the card: 10 for T. */
export function rankOf(code: string): string {
  const rank = code.slice(1);
  return rank === "T" ? "10" : rank;
}

/** With its symbol: ♣Q, ♥10. */
export function shortName(code: string): string {
  return `${SYMBOLS[code.charAt(0)] ?? ""}${rankOf(code)}`;
}

/** In words: Queen of clubs, Kreuz Dame. */
export function cardName(code: string, t: Translate): string {
  return t("dk.card", {
    rank: t(`dk.rank.${code.charAt(1)}` as WordKey),
    suit: t(`dk.suit.${code.charAt(0)}` as WordKey),
  });
}
