// Numbers as people write them.

import type { Language } from "../api/types";

/** A number with at most `digits` decimals, `least` of them even if they are zero, and a true minus sign. */
export function figure(value: number, language: Language, digits = 2, least = 0): string {
  const form = { maximumFractionDigits: digits, minimumFractionDigits: least };
  const text = new Intl.NumberFormat(language, form).format(value);
  return /[1-9]/.test(text) ? text.replace("-", "−") : text.replace("-", "");
}

/** A payoff, with its sign. */
export function signed(value: number, language: Language, digits = 2, least = 0): string {
  const text = figure(value, language, digits, least);
  return value > 0 && text !== figure(0, language, digits, least) ? `+${text}` : text;
}
