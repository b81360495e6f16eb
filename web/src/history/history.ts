// The games that a person has played in this browser, with what reviews found about their own decisions. Nothing of it
// leaves the browser.

import { useSyncExternalStore } from "react";
import type { Outcome, Review, ReviewDecision, Snapshot, Unit } from "../api/types";

/** A mistake worth looking at again. */
export type Slip = Pick<ReviewDecision, "ply" | "played" | "best" | "lost" | "error"> & {
  outcome: Outcome | null;
  best_outcome: Outcome | null;
};

/** The decisions of one phase, or of a whole game. */
export interface Tally {
  decisions: number;
  mistakes: number;
  /** What the mistakes cost together; null where wins and draws were at stake, which cannot be added up. */
  lost: number | null;
}

/** What a review found about the person. */
export interface Found {
  phases: Record<string, Tally>;
  /** The worst ones first. */
  slips: Slip[];
}

export interface Played {
  table: string;
  number: number;
  game: { name: string; title: string; unit?: Unit };
  seat: number;
  names: string[];
  returns: number[];
  /** When it ended, as seen here. */
  at: string;
  /** The id of the record, once it was shared with oneself. */
  record?: string;
  found?: Found;
}

const KEY = "kiebitz.history";
/** Older games are forgotten. */
export const MOST = 500;
const SLIPS = 3;

let cached: { text: string; games: Played[] } = { text: "", games: [] };
const listeners = new Set<() => void>();

/** All games, the newest first. */
export function played(): Played[] {
  let text = "";
  try {
    text = localStorage.getItem(KEY) ?? "";
    if (text !== cached.text) cached = { text, games: text ? (JSON.parse(text) as unknown[]).filter(isPlayed) : [] };
  } catch {
    cached = { text, games: [] };
  }
  return cached.games;
}

function isPlayed(entry: unknown): entry is Played {
  const { table, number, game, seat, names, returns, at } = (entry ?? {}) as Partial<Played>;
  return (
    typeof table === "string" &&
    typeof number === "number" &&
    typeof game?.name === "string" &&
    typeof seat === "number" &&
    Array.isArray(names) &&
    Array.isArray(returns) &&
    typeof returns[seat] === "number" &&
    typeof at === "string"
  );
}

function keep(games: Played[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(games.slice(0, MOST)));
  } catch {
    // Without storage there is no history.
  }
  for (const listener of listeners) listener();
}

const isGame = (table: string, number: number) => (each: Played) => each.table === table && each.number === number;

/** Keeps a game that has ended, once. */
export function keepGame(snapshot: Snapshot, now = new Date()): void {
  const { over, you, table, number, game, seats } = snapshot;
  if (!over || you === null || played().some(isGame(table, number))) return;
  const { name, title, unit } = game;
  const entry = { table, number, game: { name, title, unit }, seat: you, names: seats.map((seat) => seat.name) };
  keep([{ ...entry, returns: over.returns, at: now.toISOString() }, ...played()]);
}

/** Keeps under which id a game of the history can be looked at, and what its review found. */
export function keepReview(table: string, number: number, record: string, review: Review | null): void {
  const games = played();
  const old = games.find(isGame(table, number));
  if (!old) return;
  const entry: Played = { ...old, record, ...(review ? { found: foundBy(review, old.seat) } : {}) };
  if (JSON.stringify(entry) !== JSON.stringify(old)) keep(games.map((each) => (each === old ? entry : each)));
}

export function forgetAll(): void {
  keep([]);
}

/** What a review says about one seat. */
export function foundBy(review: Review, seat: number): Found {
  const own = review.decisions.filter((each) => each.seat === seat && !each.forced && each.lost !== null);
  const phases: Record<string, Tally> = {};
  for (const phase of new Set(own.map((each) => each.decision))) {
    phases[phase] = tally(own.filter((each) => each.decision === phase));
  }
  const slips = own
    .filter((each) => each.mistake)
    .sort((a, b) => (b.lost ?? 0) - (a.lost ?? 0))
    .slice(0, SLIPS)
    .map(({ ply, played, best, lost, error, outcome, best_outcome }) => ({
      ...{ ply, played, best, lost, error, outcome, best_outcome },
    }));
  return { phases, slips };
}

function tally(decisions: ReviewDecision[]): Tally {
  const mistakes = decisions.filter((each) => each.mistake);
  const ends = mistakes.some((each) => each.outcome !== null || each.best_outcome !== null);
  const lost = ends ? null : mistakes.reduce((sum, each) => sum + (each.lost ?? 0), 0);
  return { decisions: decisions.length, mistakes: mistakes.length, lost };
}

/** Several tallies as one. */
export function together(tallies: Tally[]): Tally {
  return tallies.reduce<Tally>(
    (sum, each) => ({
      decisions: sum.decisions + each.decisions,
      mistakes: sum.mistakes + each.mistakes,
      lost: sum.lost === null || each.lost === null ? null : sum.lost + each.lost,
    }),
    { decisions: 0, mistakes: 0, lost: 0 },
  );
}

/** Whether the person won, by the payoffs of all: 1, 0 for a draw, -1. */
export function outcomeOf({ returns, seat }: Played): number {
  const mean = returns.reduce((sum, each) => sum + each, 0) / returns.length;
  return Math.sign(Math.round(1e9 * ((returns[seat] ?? 0) - mean)));
}

export function useHistory(): Played[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      window.addEventListener("storage", listener);
      return () => {
        listeners.delete(listener);
        window.removeEventListener("storage", listener);
      };
    },
    played,
  );
}
