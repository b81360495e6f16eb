// Another try at a mistake: an action is tried, judged by the review, shown on the board and taken back.

import { useCallback, useState } from "react";
import { api } from "../api/client";
import type { ReviewDecision, ReviewOption, Snapshot, StoredRecord } from "../api/types";
import { snapshotOf } from "./steps";

export interface Trying {
  decision: ReviewDecision;
  /** What was tried last, and the position after it once the server has shown it. */
  tried: { option: ReviewOption; after: Snapshot | null } | null;
  /** Whether the answer may be seen: it was found, or asked for. */
  solved: boolean;
}

export interface Tries {
  now: Trying | null;
  begin(decision: ReviewDecision): void;
  act(action: number): void;
  undo(): void;
  solve(): void;
  end(): void;
}

/** Whether an option is an answer: better than the mistake, by all that is worth mentioning. */
export function isAnswer({ best, mistake, lost }: ReviewOption): boolean {
  return best || (!mistake && lost !== null);
}

export function useTry(id: string, stored: StoredRecord, onError: (error: unknown) => void): Tries {
  const [now, setNow] = useState<Trying | null>(null);

  const act = useCallback(
    (action: number) => {
      const decision = now?.decision;
      const option = decision?.options.find((each) => each.action === action);
      if (!decision || !option || now.tried) return;
      const mine = { option, after: null };
      setNow({ ...now, tried: mine, solved: now.solved || isAnswer(option) });
      api
        .tryAction(id, decision.ply, action)
        .then((step) => {
          const after = snapshotOf(stored, step, decision.ply, -1);
          // The last move of an open game is the one that was tried.
          const history = stored.game.hidden ? [] : [...after.history, option.name];
          setNow((latest) =>
            latest?.tried === mine ? { ...latest, tried: { option, after: { ...after, history } } } : latest,
          );
        })
        .catch(onError); // It is judged all the same.
    },
    [now, id, stored, onError],
  );

  return {
    now,
    begin: useCallback((decision) => setNow({ decision, tried: null, solved: false }), []),
    act,
    undo: useCallback(() => setNow((latest) => latest && { ...latest, tried: null }), []),
    solve: useCallback(() => setNow((latest) => latest && { ...latest, tried: null, solved: true }), []),
    end: useCallback(() => setNow(null), []),
  };
}
