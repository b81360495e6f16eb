// The expected result over a game: points from analyses, kept while the page is open, and their form for the chart.

import type { CurvePoint, Unit } from "../api/types";
import { counted, inUnit } from "../i18n/units";

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

/** How far out won and lost games are drawn, against the best that was only estimated. */
export const BEYOND = 1.3;

/**
 * Points in the unit of a game, and where won and lost games lie. Where positions are valued in something else than
 * what a game pays, such as seeds, a win is no number of them: it is drawn beyond all estimates, at the `edge`.
 */
export function inUnits(payoffs: readonly CurvePoint[], unit: Unit): { points: CurvePoint[]; edge: number | null } {
  const sure = (value: number) => Math.abs(value) >= 1 - 1e-9;
  const apart = !counted(unit) && unit.zero === 0 && payoffs.some((point) => sure(point.value));
  const open = payoffs.filter((point) => !sure(point.value)).map((point) => Math.abs(unit.scale * point.value));
  const edge = apart ? Math.ceil(BEYOND * Math.max(1, ...open)) : null;
  const place = (value: number) => (edge !== null && sure(value) ? Math.sign(value) * edge : inUnit(unit, value));
  return { points: payoffs.map((point) => ({ ...point, value: place(point.value) })), edge };
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
