// Names and pictures of cards. A code is suit and rank, as the core writes it: CQ, DT, H9.

import type { Language } from "../api/types";
import { translator } from "../i18n";
import { cardWords } from "./words";

const files = import.meta.glob<string>("./faces/*.svg", { eager: true, query: "?url", import: "default" });

/** Where the picture of a card lies, with the letters of a language; "back" is the back. */
export function faceUrl(code: string, language: Language): string | undefined {
  const url = files[`./faces/${code}.svg`];
  return url && rankOf(code, language) !== rankOf(code, "en") ? `${url}#${language}` : url;
}

export const SYMBOLS: Record<string, string> = { C: "♣", S: "♠", H: "♥", D: "♦" };

export function isRed(code: string): boolean {
  return code.startsWith("H") || code.startsWith("D");
}

/** A rank as it is written: 10 for T; in German D (Dame) for Q and B (Bube) for J. */
export function rankIn(rank: string, language: Language): string {
  if (rank === "T") return "10";
  return (language === "de" && { Q: "D", J: "B" }[rank]) || rank;
}

/** The rank of a card as it is written. */
export function rankOf(code: string, language: Language): string {
  return rankIn(code.slice(1), language);
}

/** With its symbol: ♣Q, ♥10; in German ♣D. */
export function shortName(code: string, language: Language): string {
  return `${SYMBOLS[code.charAt(0)] ?? ""}${rankOf(code, language)}`;
}

/** In words: Queen of clubs, Kreuz Dame. */
export function cardName(code: string, language: Language): string {
  const t = translator(language, cardWords);
  return t("card", {
    rank: t(`rank.${code.charAt(1)}` as keyof typeof cardWords),
    suit: t(`suit.${code.charAt(0)}` as keyof typeof cardWords),
  });
}
