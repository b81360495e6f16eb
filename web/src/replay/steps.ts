// A stored record for the replay: whole snapshots for the boards, and which step belongs to which action.

import type { RecordStep, Review, Snapshot, StoredRecord } from "../api/types";
import { actionIn, faceOf } from "../games";

export interface Step {
  snapshot: Snapshot;
  /** Number of the next action in the record, moves of chance included. */
  ply: number;
  /** The seat that plays next, and its action. */
  seat: number | null;
  name: string | null;
}

export interface RecordedMove {
  step: number;
  ply: number;
  seat: number | null;
  name: string;
}

/** The actions of a record with their names. */
export function actionsOf(stored: StoredRecord): [number, string][] {
  const actions = stored.record["actions"];
  return Array.isArray(actions) ? (actions as [number, string][]) : [];
}

/** A step as a whole snapshot; what a record does not have is filled in. */
export function snapshotOf(stored: StoredRecord, step: RecordStep, ply: number, version: number): Snapshot {
  const history = stored.game.hidden ? [] : actionsOf(stored).slice(0, ply).map(([, name]) => name);
  const seed = stored.record["seed"];
  const snapshot: Snapshot = {
    table: "",
    version,
    game: stored.game,
    options: { fair: false, open: true, games: 1, pace_ms: 0 },
    number: 1,
    seats: stored.seats.map((seat) => ({ ...seat, kind: "person" as const })),
    turn: null,
    phase: "move",
    public: {},
    views: {},
    log: [],
    history,
    over: null,
    score: { games: [], totals: [], place: 1, last: false },
    ...step,
    role: "all",
    you: null,
    prompt: null,
  };
  if (snapshot.over && snapshot.over.seed === undefined) {
    snapshot.over = { ...snapshot.over, seed: typeof seed === "number" ? seed : null };
  }
  return snapshot;
}

/** All steps of a record. */
export function stepsOf(stored: StoredRecord): Step[] {
  const actions = actionsOf(stored);
  // Steps without a number are those after the deal.
  const dealt = Math.max(0, actions.length + 1 - stored.steps.length);
  return stored.steps.map((step, i) => {
    const ply = step.ply ?? i + dealt;
    const snapshot = snapshotOf(stored, step, ply, i);
    return { snapshot, ply, seat: step.seat ?? snapshot.turn, name: step.name ?? actions[ply]?.[1] ?? null };
  });
}

/** Whether what is played next says nothing, such as a pass in a round of calls: then nothing moves on the board. */
function isSilent({ snapshot, name }: Step): boolean {
  return name !== null && faceOf(snapshot.game.name).silent(actionIn(snapshot, name));
}

/** The steps to stop at: of those that look the same the last one, and every one with a mistake. */
export function stopsOf(steps: readonly Step[], review: Review | null): number[] {
  const mistakes = new Set((review?.decisions ?? []).flatMap((each) => (each.mistake ? [each.ply] : [])));
  return steps.flatMap((step, i) => (!isSilent(step) || mistakes.has(step.ply) ? [i] : []));
}

/** The place of a step among the stops: that of the first stop at or after it. */
export function stopAt(stops: readonly number[], step: number): number {
  const found = stops.findIndex((stop) => stop >= step);
  return found < 0 ? stops.length - 1 : found;
}

/** The last step at or before an action: the position in which it was chosen. */
export function stepAt(steps: readonly Step[], ply: number): number {
  let found = 0;
  steps.forEach((step, i) => {
    if (step.ply <= ply) found = i;
  });
  return found;
}

/** What was done at each step, without the actions that the game calls silent. */
export function movesOf(steps: readonly Step[]): RecordedMove[] {
  return steps.flatMap((each, step) => {
    const { ply, seat, name } = each;
    return name === null || isSilent(each) ? [] : [{ step, ply, seat, name }];
  });
}

/** A step seen from a seat, with all hands open. */
export function seenFrom(snapshot: Snapshot, seat: number, names: readonly string[]): Snapshot {
  const seats = snapshot.seats.map((each, i) => ({ ...each, name: names[i] ?? each.name }));
  return { ...snapshot, role: "all", you: seat, seats };
}
