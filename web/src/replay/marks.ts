// What to mark on the board of a replay: what was best and what was a mistake, by the review or by the kibitz.

import type { Kibitz, ReviewDecision, Snapshot } from "../api/types";
import type { Mark, Marks } from "../games/marks";

/** The marks of a reviewed decision. What was good enough is marked only if nothing was better. */
export function marksOf(snapshot: Snapshot, decision: ReviewDecision, answer = true): Marks {
  const marks = new Map<number, Mark>();
  const { seat, good, played, mistake, forced } = decision;
  for (const { action, name } of snapshot.views[String(seat)]?.legal ?? []) {
    if (answer && !forced && good.includes(name) && (mistake || good.includes(played))) marks.set(action, "best");
    if (mistake && name === played) marks.set(action, "mistake");
  }
  return { seat, of: marks };
}

/** The marks of what the kibitz said. */
export function marksBy(kibitz: Kibitz): Marks {
  return { seat: kibitz.seat, of: new Map((kibitz.good ?? []).map((action) => [action, "best"])) };
}
