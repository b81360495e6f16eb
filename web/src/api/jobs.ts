// Reviews as jobs of the server: begun, polled until they are done, cancelled on demand.

import { api } from "./client";
import type { Effort, Job } from "./types";

const BEAT = 400;

export interface Running {
  /** Ends the job on the server, too. */
  cancel(): void;
  /** How it ended; null if it was cancelled from here. */
  done: Promise<Job | null>;
}

export function beginReview(record: string, effort: Effort, progress: (share: number) => void): Running {
  let job: string | null = null;
  let stopped = false;
  const watch = async (): Promise<Job | null> => {
    job = (await api.review(record, effort)).job;
    if (stopped) {
      await api.cancelJob(job);
      return null;
    }
    for (;;) {
      const state = await api.job(job);
      if (stopped) return null;
      if (state.state !== "waiting" && state.state !== "running") return state;
      progress(state.progress);
      await new Promise((wake) => setTimeout(wake, BEAT));
    }
  };
  return {
    cancel() {
      if (stopped) return;
      stopped = true;
      if (job !== null) void api.cancelJob(job).catch(() => undefined);
    },
    done: watch().catch((problem: unknown) => {
      if (stopped) return null;
      throw problem;
    }),
  };
}
