// Asking for an analysis and for beliefs: one request at a time, cancelled when the position moves on.

import { useCallback, useEffect, useRef, useState } from "react";
import { api } from "../api/client";
import type { Beliefs, Effort, Kibitz, Snapshot } from "../api/types";
import { addPoint, curveKey } from "./curve";

/** Who is asked about a position: the table, or a record. */
export interface Source {
  /** Another position has another key. */
  key: string;
  /** What was found stays valid as long as this is the same, and is shown again at its position. */
  game: string;
  analysis(seat: number, effort: Effort, signal: AbortSignal): Promise<Kibitz>;
  beliefs(seat: number, signal: AbortSignal): Promise<Beliefs>;
}

/** The table of a snapshot; what it says is noted for the curve. */
export function tableSource({ table, number, version, role }: Snapshot, token: string | null): Source {
  const own = role === "seat";
  return {
    key: `${table}#${number}#${version}`,
    game: curveKey(table, number),
    async analysis(seat, effort, signal) {
      const found = await api.analysis(table, { ...(own ? {} : { seat }), version, effort }, token, signal);
      addPoint(curveKey(table, number), { ply: found.ply, seat: found.seat, value: found.value });
      return found;
    },
    beliefs: (seat, signal) => api.beliefs(table, own ? null : seat, token, signal),
  };
}

/** A position of a record. */
export function recordSource(id: string, ply: number): Source {
  return {
    key: `${id}#${ply}`,
    game: id,
    analysis: (seat, effort, signal) => api.recordAnalysis(id, { ply, seat, effort }, signal),
    beliefs: (seat, signal) => api.recordBeliefs(id, ply, seat, signal),
  };
}

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
  /** The game went on while there was still thinking about what was asked last. */
  overtaken: boolean;
  error: unknown;
  ask(seat: number, effort: Effort): void;
  cancel(): void;
}

export function useAnalysis(snapshot: Snapshot, source: Source): Asked {
  const [answer, setAnswer] = useState<(Answer & { game: string }) | null>(null);
  const [thinking, setThinking] = useState(false);
  const [overtaken, setOvertaken] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const running = useRef<AbortController | null>(null);
  const latest = useRef({ snapshot, source });
  latest.current = { snapshot, source };

  const cancel = useCallback(() => {
    running.current?.abort();
    running.current = null;
    setThinking(false);
  }, []);

  // Another position: what is being thought about is no longer there. Another game: nor is what was found.
  useEffect(
    () => () => {
      if (running.current) setOvertaken(true);
      cancel();
    },
    [source.key, cancel],
  );
  useEffect(() => {
    setError(null);
    setOvertaken(false);
  }, [source.game]);

  const ask = useCallback((seat: number, effort: Effort) => {
    running.current?.abort();
    const control = new AbortController();
    running.current = control;
    setThinking(true);
    setOvertaken(false);
    setError(null);
    const { snapshot: of, source: from } = latest.current;
    from
      .analysis(seat, effort, control.signal)
      .then((kibitz) => {
        if (running.current === control) setAnswer({ kibitz, of, game: from.game });
      })
      .catch((problem: unknown) => {
        if (running.current === control && !aborted(problem)) setError(problem);
      })
      .finally(() => {
        if (running.current !== control) return;
        running.current = null;
        setThinking(false);
      });
  }, []);

  return { answer: answer?.game === source.game ? answer : null, thinking, overtaken, error, ask, cancel };
}

/** The beliefs of a seat, fetched for every position while they are shown. */
export function useBeliefs(snapshot: Snapshot, source: Source, seat: number, wanted: boolean) {
  const [found, setFound] = useState<{ beliefs: Beliefs; seat: number; of: Snapshot; game: string } | null>(null);
  const [error, setError] = useState<unknown>(null);
  const latest = useRef({ snapshot, source });
  latest.current = { snapshot, source };

  useEffect(() => {
    if (!wanted) return;
    const control = new AbortController();
    setError(null);
    const { source: from } = latest.current;
    from
      .beliefs(seat, control.signal)
      .then((beliefs) => {
        if (!control.signal.aborted) setFound({ beliefs, seat, of: latest.current.snapshot, game: from.game });
      })
      .catch((problem: unknown) => {
        if (!control.signal.aborted && !aborted(problem)) setError(problem);
      });
    return () => control.abort();
  }, [source.key, seat, wanted]);

  return { found: found?.game === source.game && found.seat === seat ? found : null, error };
}
