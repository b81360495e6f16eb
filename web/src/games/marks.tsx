// Marks on a board: what was best, and what was a mistake. Boards draw them where the action is; actions that have no
// place on the board are listed.

import type { LegalAction, Snapshot } from "../api/types";

export type Mark = "best" | "mistake";

/** The marked actions of a seat, by their numbers. */
export interface Marks {
  seat: number;
  of: ReadonlyMap<number, Mark>;
}

const SIGNS: Record<Mark, string> = { best: "✓", mistake: "✗" };

/** The sign of a mark on a piece of the board. What it says stands in words below every board. */
export function Sign({ mark }: { mark: Mark | undefined }) {
  if (!mark) return null;
  return (
    <span className={`bd-sign bd-sign-${mark}`} aria-hidden="true">
      {SIGNS[mark]}
    </span>
  );
}

/** The marked actions that a position offers. */
export function markedIn(snapshot: Snapshot, marks: Marks | undefined): (LegalAction & { mark: Mark })[] {
  const legal = marks ? (snapshot.views[String(marks.seat)]?.legal ?? []) : [];
  return legal.flatMap((entry) => {
    const mark = marks?.of.get(entry.action);
    return mark ? [{ ...entry, mark }] : [];
  });
}

/** Marked actions as a list, where the board has no place for them. */
export function Marked({ entries, say }: { entries: (LegalAction & { mark: Mark })[]; say(entry: LegalAction): string }) {
  if (entries.length === 0) return null;
  return (
    <ul className="bd-marked">
      {entries.map((entry) => (
        <li key={entry.action} data-mark={entry.mark}>
          {say(entry)}
          <Sign mark={entry.mark} />
        </li>
      ))}
    </ul>
  );
}
