// What every board reads from a snapshot: the viewer's seat, what may be done, names of seats and rule parameters.

import type { Choice, Language, LegalAction, Snapshot } from "../api/types";
import { fill, words } from "../i18n";

/** The seat at the bottom of the board: the person's own, else the chosen viewpoint of a replay, else the first. */
export function viewpoint(snapshot: Snapshot): number {
  return snapshot.you ?? 0;
}

/** All seats in turn order, beginning with the one at the bottom. */
export function seatsFrom(snapshot: Snapshot): number[] {
  const { players } = snapshot.game;
  return Array.from({ length: players }, (_, i) => (viewpoint(snapshot) + i) % players);
}

/** Whether the person may act right now: not as a spectator, out of turn, or while an action is on its way. */
export function mayAct(snapshot: Snapshot, busy: boolean): boolean {
  if (busy || snapshot.role !== "seat" || snapshot.you === null || snapshot.over) return false;
  return snapshot.turn === null || snapshot.turn === snapshot.you;
}

/** What the person may do right now. */
export function playable(snapshot: Snapshot, busy: boolean): LegalAction[] {
  return mayAct(snapshot, busy) ? (snapshot.views[String(snapshot.you)]?.legal ?? []) : [];
}

/** What the person may choose from right now; a server that names no choices has its legal actions instead. */
export function choicesOf(snapshot: Snapshot, busy: boolean): Choice[] {
  if (!mayAct(snapshot, busy)) return [];
  const view = snapshot.views[String(snapshot.you)];
  return view?.choices ?? (view?.legal ?? []).map(({ action, name, kind = "" }) => ({ kind, action, name }));
}

/** Whether a choice has a range of amounts. */
export function isRun({ low, high }: Choice): boolean {
  return typeof low === "number" && typeof high === "number" && low < high;
}

/** A seat's name, for sentences about it. */
export function nameOf(snapshot: Snapshot, seat: number, language: Language): string {
  return snapshot.seats[seat]?.name || fill(language, words["board.seat"], { n: seat + 1 });
}

/** The names of all seats. */
export function namesOf(snapshot: Snapshot, language: Language): string[] {
  return snapshot.seats.map((_, seat) => nameOf(snapshot, seat, language));
}

/** The label beside a seat: its name, or "You" where the person sits. */
export function labelOf(snapshot: Snapshot, seat: number, language: Language): string {
  const own = snapshot.role === "seat" && snapshot.you === seat;
  return own ? words["board.you"][language] : nameOf(snapshot, seat, language);
}

/** A rule parameter that is a list of numbers, or the usual one. */
export function numbersOf(snapshot: Snapshot, name: string, usual: number[]): number[] {
  const value = snapshot.game.params[name];
  return Array.isArray(value) && value.every((item) => typeof item === "number") ? (value as number[]) : usual;
}

/** A rule parameter that is a number, or the usual one. */
export function numberOf(snapshot: Snapshot, name: string, usual: number): number {
  const value = snapshot.game.params[name];
  return typeof value === "number" ? value : usual;
}
