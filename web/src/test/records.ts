// Real games for the tests, as the server answers them; make_fixtures.py writes them into the folders of the games.

import type { Beliefs, Kibitz, Review, Snapshot, StoredRecord } from "../api/types";
import { seenFrom, stepsOf } from "../replay/steps";

/** Files of one name in the folders of all games, by game. */
function perGame<T>(files: Record<string, unknown>): Record<string, T> {
  return Object.fromEntries(Object.entries(files).map(([path, file]) => [path.split("/")[2], file as T]));
}

function of<T>(files: Record<string, T>, game: string): T {
  const found = files[game];
  if (!found) throw new Error(`no fixture for ${game}`);
  return found;
}

export const records = perGame<StoredRecord>(
  import.meta.glob("../games/*/fixtures/record.json", { eager: true, import: "default" }),
);
const reviews = perGame<Review>(import.meta.glob("../games/*/fixtures/review.json", { eager: true, import: "default" }));
const positions = perGame<Analysed>(import.meta.glob("../games/*/fixtures/kibitz.json", { eager: true, import: "default" }));

export function recordOf(game: string): StoredRecord {
  return of(records, game);
}

export function reviewOf(game: string): Review {
  return of(reviews, game);
}

/** A step of a game with all hands open; negative numbers count from the end. */
export function stepOf(game: string, step: number, viewpoint: number | null = null): Snapshot {
  const stored = recordOf(game);
  const found = stepsOf(stored).at(step);
  if (!found) throw new Error(`no step ${step} in ${game}`);
  return viewpoint === null ? found.snapshot : seenFrom(found.snapshot, viewpoint, stored.seats.map((seat) => seat.name));
}

/** A step as the person at a seat gets it. */
export function seated(game: string, step: number, seat = 0): Snapshot {
  const snapshot = stepOf(game, step);
  const own = snapshot.views[String(seat)];
  return { ...snapshot, role: "seat", you: seat, views: own ? { [seat]: own } : {} };
}

/** A step as spectators get it. */
export function watched(game: string, step: number): Snapshot {
  return { ...stepOf(game, step), role: "public", views: {} };
}

interface Analysed {
  game: Snapshot["game"];
  seats: StoredRecord["seats"];
  step: Partial<Snapshot>;
  kibitz: Kibitz;
  beliefs: Beliefs | null;
}

/** A position with its analysis, as the seat that is to decide gets it. */
export function analysed(game: string): { snapshot: Snapshot; kibitz: Kibitz; beliefs: Beliefs } {
  const { step, kibitz, beliefs, ...rest } = of(positions, game);
  const stored = { ...rest, record: { actions: [] }, steps: [step] } as unknown as StoredRecord;
  const snapshot = stepsOf(stored)[0]?.snapshot as Snapshot;
  const own = snapshot.views[String(kibitz.seat)];
  return {
    snapshot: {
      ...snapshot,
      table: game,
      version: 9,
      role: "seat",
      you: kibitz.seat,
      views: own ? { [kibitz.seat]: own } : {},
    },
    kibitz,
    beliefs: beliefs ?? { cards: {}, worlds: [], exact: true },
  };
}
