// A review of a record: the one that is kept with it, or a new one, polled until it is done and cancelled on demand.

import { useCallback, useEffect, useRef, useState } from "react";
import { api } from "../api/client";
import type { Effort, Review } from "../api/types";

const BEAT = 400;

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
  const run = useRef<{ job: string | null; stopped: boolean } | null>(null);

  const stop = useCallback(() => {
    const running = run.current;
    run.current = null;
    if (!running) return;
    running.stopped = true;
    if (running.job !== null) void api.cancelJob(running.job).catch(() => undefined);
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
      const own: { job: string | null; stopped: boolean } = { job: null, stopped: false };
      run.current = own;
      setProgress(0);
      setOutcome(null);
      setError(null);
      const end = () => {
        if (run.current === own) run.current = null;
        setProgress(null);
      };
      const watch = async () => {
        const { job } = await api.review(id, effort);
        own.job = job;
        if (own.stopped) {
          await api.cancelJob(job);
          return;
        }
        for (;;) {
          const state = await api.job(job);
          if (own.stopped) return;
          if (state.state === "waiting" || state.state === "running") {
            setProgress(state.progress);
            await new Promise((wake) => setTimeout(wake, BEAT));
            continue;
          }
          if (state.state === "done" && state.result) {
            setReview(state.result);
          } else {
            setOutcome(state.state === "cancelled" ? "cancelled" : "failed");
          }
          end();
          return;
        }
      };
      watch().catch((problem: unknown) => {
        if (own.stopped) return;
        setError(problem);
        end();
      });
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
