// A review of a record: the one that is kept with it, or a new one, cancelled on demand.

import { useCallback, useEffect, useRef, useState } from "react";
import { api } from "../api/client";
import { beginReview, type Running } from "../api/jobs";
import type { Effort, Review } from "../api/types";

export interface ReviewState {
  review: Review | null;
  /** 0 to 1 while it runs. */
  progress: number | null;
  outcome: "failed" | "cancelled" | null;
  error: unknown;
  begin(effort: Effort): void;
  cancel(): void;
}

export function useReview(id: string): ReviewState {
  const [review, setReview] = useState<Review | null>(null);
  const [progress, setProgress] = useState<number | null>(null);
  const [outcome, setOutcome] = useState<"failed" | "cancelled" | null>(null);
  const [error, setError] = useState<unknown>(null);
  const run = useRef<Running | null>(null);

  const stop = useCallback(() => {
    run.current?.cancel();
    run.current = null;
  }, []);

  useEffect(() => stop, [stop]);

  useEffect(() => {
    let gone = false;
    setReview(null);
    api
      .keptReview(id)
      .then((kept) => {
        if (!gone && kept) setReview((made) => made ?? kept);
      })
      .catch(() => undefined); // Without it the game can be reviewed again.
    return () => {
      gone = true;
    };
  }, [id]);

  const begin = useCallback(
    (effort: Effort) => {
      stop();
      setProgress(0);
      setOutcome(null);
      setError(null);
      const own = beginReview(id, effort, (share) => run.current === own && setProgress(share));
      run.current = own;
      const end = () => {
        if (run.current !== own) return;
        run.current = null;
        setProgress(null);
      };
      own.done.then(
        (job) => {
          if (!job) return;
          if (job.state === "done" && job.result) setReview(job.result);
          else setOutcome(job.state === "cancelled" ? "cancelled" : "failed");
          end();
        },
        (problem: unknown) => {
          setError(problem);
          end();
        },
      );
    },
    [id, stop],
  );

  const cancel = useCallback(() => {
    stop();
    setProgress(null);
    setOutcome("cancelled");
  }, [stop]);

  return { review, progress, outcome, error, begin, cancel };
}
