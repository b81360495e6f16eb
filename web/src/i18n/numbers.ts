// Numbers as people write them.

import type { Language } from "../api/types";

/** A number with at most `digits` decimals and a true minus sign. */
export function figure(value: number, language: Language, digits = 2): string {
  const text = new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value).replace("-", "−");
  return text === "−0" ? "0" : text;
}

/** A payoff, with its sign. */
export function signed(value: number, language: Language, digits = 2): string {
  const text = figure(value, language, digits);
  return value > 0 && text !== "0" ? `+${text}` : text;
}
