// What all boards share: who looks, what may be played, names of seats, numbers as people write them, and keys.

import { useEffect, useRef } from "react";
import type { Language, LegalAction, Snapshot } from "../api/types";
import { phrase } from "../i18n";

/** The seat at the bottom of the board: one's own, else the chosen viewpoint of a replay, else the first. */
export function viewpoint(snapshot: Snapshot): number {
  return snapshot.you ?? 0;
}

/** What the person may do right now; empty for spectators, out of turn, and while an action is on its way. */
export function playable(snapshot: Snapshot, busy: boolean): LegalAction[] {
  if (busy || snapshot.role !== "seat" || snapshot.you === null || snapshot.over) return [];
  if (snapshot.turn !== null && snapshot.turn !== snapshot.you) return [];
  return snapshot.views[String(snapshot.you)]?.legal ?? [];
}

/** A seat's name, for sentences about it. */
export function nameOf(snapshot: Snapshot, seat: number, language: Language): string {
  return snapshot.seats[seat]?.name || phrase(language, "board.seat", { n: seat + 1 });
}

/** The names of all seats. */
export function namesOf(snapshot: Snapshot, language: Language): string[] {
  return snapshot.seats.map((_, seat) => nameOf(snapshot, seat, language));
}

/** What stands beside a seat: its name, or "You" where the person sits. */
export function labelOf(snapshot: Snapshot, seat: number, language: Language): string {
  const own = snapshot.role === "seat" && snapshot.you === seat;
  return own ? phrase(language, "board.you") : nameOf(snapshot, seat, language);
}

/** A number as people write it, at most `digits` places, with a true minus sign. */
export function figure(value: number, language: Language, digits = 2): string {
  const text = new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value).replace("-", "−");
  return text === "−0" ? "0" : text;
}

/** A payoff, with its sign. */
export function signed(value: number, language: Language, digits = 2): string {
  const text = figure(value, language, digits);
  return value > 0 && text !== "0" ? `+${text}` : text;
}

/** A list of numbers among the rule parameters, or what the game has without them. */
export function numbersOf(snapshot: Snapshot, name: string, usual: number[]): number[] {
  const value = snapshot.game.params[name];
  return Array.isArray(value) && value.every((item) => typeof item === "number") ? (value as number[]) : usual;
}

export function numberOf(snapshot: Snapshot, name: string, usual: number): number {
  const value = snapshot.game.params[name];
  return typeof value === "number" ? value : usual;
}

/** A small hash, so that things scattered by chance lie where they lay before. */
export function scatter(a: number, b: number, c = 0): number {
  let h = (a * 374761393 + b * 668265263 + c * 2147483647) | 0;
  h = Math.imul(h ^ (h >>> 13), 1274126177);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}

function typing(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable], dialog[open]") !== null
  );
}

/** Calls `act` for plain keys pressed anywhere but in a form or a dialog; `act` says whether it used the key. */
export function useKeys(act: (key: string, event: KeyboardEvent) => boolean): void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || typing(event.target)) return;
      if (latest.current(event.key, event)) event.preventDefault();
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
}

/** The value of the render before, for telling what changed. */
export function usePrevious<T>(value: T): T | undefined {
  const kept = useRef<{ now: T; before: T | undefined }>({ now: value, before: undefined });
  if (kept.current.now !== value) kept.current = { now: value, before: kept.current.now };
  return kept.current.before;
}
