// The expected result over a game: points from analyses, kept while the page is open, and their form for the chart.

import type { CurvePoint } from "../api/types";

const kept = new Map<string, CurvePoint[]>();
const listeners = new Set<() => void>();
const NONE: CurvePoint[] = [];

/** One game of one table. */
export function curveKey(table: string, number: number): string {
  return `${table}#${number}`;
}

/** The points so far; the same array until one is added. */
export function pointsOf(key: string): CurvePoint[] {
  return kept.get(key) ?? NONE;
}

/** Adds a point; a later look at the same decision replaces the one before. */
export function addPoint(key: string, point: CurvePoint): void {
  const rest = pointsOf(key).filter((each) => each.ply !== point.ply || each.seat !== point.seat);
  kept.set(
    key,
    [...rest, point].sort((a, b) => a.ply - b.ply || a.seat - b.seat),
  );
  for (const listener of listeners) listener();
}

export function listenToCurves(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Columns for a chart: the plies, then the values of each seat that has any, with gaps. */
export function columnsOf(points: readonly CurvePoint[]): {
  plies: number[];
  seats: number[];
  values: (number | null)[][];
} {
  const plies = [...new Set(points.map((point) => point.ply))].sort((a, b) => a - b);
  const seats = [...new Set(points.map((point) => point.seat))].sort((a, b) => a - b);
  const values = seats.map((seat) =>
    plies.map((ply) => points.find((point) => point.seat === seat && point.ply === ply)?.value ?? null),
  );
  return { plies, seats, values };
}
