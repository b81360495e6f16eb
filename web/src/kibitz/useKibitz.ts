// Asking for an analysis and for beliefs: one request at a time, cancelled when the position moves on.

import { useCallback, useEffect, useRef, useState } from "react";
import { api } from "../api/client";
import type { Beliefs, Effort, Kibitz, Snapshot } from "../api/types";
import { addPoint, curveKey } from "./curve";

const EFFORT = "kiebitz.effort";
const EFFORTS: readonly Effort[] = ["quick", "normal", "deep"];

/** The effort that was chosen last, on this page and the next visit. */
export function useEffort(): [Effort, (effort: Effort) => void] {
  const [effort, setEffort] = useState<Effort>(() => {
    const stored = localStorage.getItem(EFFORT);
    return EFFORTS.find((each) => each === stored) ?? "quick";
  });
  const choose = useCallback((next: Effort) => {
    setEffort(next);
    localStorage.setItem(EFFORT, next);
  }, []);
  return [effort, choose];
}

function aborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

export interface Answer {
  kibitz: Kibitz;
  /** The position that was analysed, for names of its actions. */
  of: Snapshot;
}

export interface Asked {
  answer: Answer | null;
  thinking: boolean;
  error: unknown;
  ask(seat: number, effort: Effort): void;
  cancel(): void;
}

export function useAnalysis(snapshot: Snapshot, token: string | null): Asked {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [thinking, setThinking] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const running = useRef<AbortController | null>(null);
  const { table, number, version } = snapshot;

  const cancel = useCallback(() => {
    running.current?.abort();
    running.current = null;
    setThinking(false);
  }, []);

  // Another position: what is being thought about is no longer there. Another game: nor is what was found.
  useEffect(() => cancel, [table, number, version, cancel]);
  useEffect(() => {
    setAnswer(null);
    setError(null);
  }, [table, number]);

  const ask = useCallback(
    (seat: number, effort: Effort) => {
      running.current?.abort();
      const control = new AbortController();
      running.current = control;
      setThinking(true);
      setError(null);
      const own = snapshot.role === "seat";
      api
        .analysis(table, { ...(own ? {} : { seat }), version, effort }, token, control.signal)
        .then((kibitz) => {
          if (running.current !== control) return;
          setAnswer({ kibitz, of: snapshot });
          addPoint(curveKey(table, number), { ply: kibitz.ply, seat: kibitz.seat, value: kibitz.value });
        })
        .catch((problem: unknown) => {
          if (running.current === control && !aborted(problem)) setError(problem);
        })
        .finally(() => {
          if (running.current !== control) return;
          running.current = null;
          setThinking(false);
        });
    },
    [snapshot, table, number, version, token],
  );

  return { answer, thinking, error, ask, cancel };
}

/** The beliefs of a seat, fetched for every position while they are shown. */
export function useBeliefs(snapshot: Snapshot, token: string | null, seat: number, wanted: boolean) {
  const [found, setFound] = useState<{ beliefs: Beliefs; seat: number; of: Snapshot } | null>(null);
  const [error, setError] = useState<unknown>(null);
  const { table, number, version, role } = snapshot;
  const latest = useRef(snapshot);
  latest.current = snapshot;

  useEffect(() => {
    if (!wanted) return;
    const control = new AbortController();
    setError(null);
    api
      .beliefs(table, role === "seat" ? null : seat, token, control.signal)
      .then((beliefs) => {
        if (!control.signal.aborted) setFound({ beliefs, seat, of: latest.current });
      })
      .catch((problem: unknown) => {
        if (!control.signal.aborted && !aborted(problem)) setError(problem);
      });
    return () => control.abort();
  }, [table, number, version, role, seat, token, wanted]);

  return {
    found: found?.of.table === table && found.of.number === number && found.seat === seat ? found : null,
    error,
  };
}
