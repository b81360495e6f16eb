// Small phrases that need the names at the table.

import type { Language, LogEntry, Snapshot } from "../api/types";
import { isWord, phrase } from "../i18n";

/** Puts names where the server speaks of seats by number, and a true minus sign before numbers. */
export function withNames(text: string, names: readonly string[]): string {
  return text
    .replace(/(^|[\s(])-(?=\d)/g, "$1−")
    .replace(/\b(?:seat|Platz) (\d)\b/g, (whole, seat: string) => names[Number(seat)] ?? whole);
}

/** A line of the log: whole sentences where the words make one, otherwise who and what. */
export function logText(entry: LogEntry, names: readonly string[], language: Language): string {
  const text = withNames(entry.text[language], names);
  const name = entry.seat === null ? undefined : names[entry.seat];
  if (name === undefined) return text;
  if (entry.kind === "move") {
    const deed = `move.${entry.text.en}`;
    return isWord(deed) ? `${name} ${phrase(language, deed)}` : `${name}: ${text}`;
  }
  return /^(contract:|Spiel:|no partner|kein Partner)/.test(text) ? `${text} (${name})` : `${name} ${text}`;
}

export function seatNames(snapshot: Pick<Snapshot, "seats">): string[] {
  return snapshot.seats.map((seat) => seat.name);
}

/** A payoff as score sheets write it: +3, −1, 0. */
export function points(value: number): string {
  const text = Number.isInteger(value) ? String(Math.abs(value)) : Math.abs(value).toFixed(2).replace(/0$/, "");
  return value > 0 ? `+${text}` : value < 0 ? `−${text}` : "0";
}
