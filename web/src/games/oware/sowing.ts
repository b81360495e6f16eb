// Sowing in Oware, seed by seed: the frames between two positions. Where the seeds fall is told by the position before.

import { useEffect, useMemo, useRef, useState } from "react";

export interface SowingFrame {
  pits: number[];
  captured: number[];
  /** Where the hand is, and how many seeds it still holds. */
  at: number | null;
  hand: number;
}

export interface Position {
  pits: number[];
  captured: number[];
  /** For each pit, where its seeds would fall, in order. */
  sowing: number[][];
  /** All moves so far, by name. */
  history: string[];
}

/** The pit that a move names: A to F are 0 to 5, a to f are 6 to 11. */
export function pitOf(name: string): number | null {
  const place = "ABCDEFabcdef".indexOf(name.trim());
  return name.trim().length === 1 && place >= 0 ? place : null;
}

/** Frames from one position to the next, or none if they are not one move apart. */
export function framesBetween(before: Position, after: Position): SowingFrame[] {
  if (after.history.length !== before.history.length + 1) return [];
  if (before.history.some((name, place) => after.history[place] !== name)) return [];
  const from = pitOf(after.history[after.history.length - 1] ?? "");
  if (from === null || after.pits.length !== before.pits.length) return [];
  const path = before.sowing[from] ?? [];
  if (path.length === 0) return [];
  const pits = [...before.pits];
  pits[from] = 0;
  const frames: SowingFrame[] = [{ pits: [...pits], captured: before.captured, at: from, hand: path.length }];
  path.forEach((place, fallen) => {
    pits[place] = (pits[place] ?? 0) + 1;
    frames.push({ pits: [...pits], captured: before.captured, at: place, hand: path.length - fallen - 1 });
  });
  return frames;
}

/** Longest time for one move, and for one seed, in milliseconds. */
const WHOLE = 1400;
const SEED = 150;

/** What the board shows now: the position, or a frame on the way to it. */
export function useSowing(position: Position, animate: boolean): SowingFrame {
  const rest = useMemo<SowingFrame>(
    () => ({ pits: position.pits, captured: position.captured, at: null, hand: 0 }),
    [position],
  );
  const last = useRef(position);
  const [show, setShow] = useState<{ of: Position; frame: SowingFrame } | null>(null);

  useEffect(() => {
    const frames = animate ? framesBetween(last.current, position) : [];
    last.current = position;
    if (frames.length === 0) {
      setShow(null);
      return;
    }
    const beat = Math.min(SEED, WHOLE / frames.length);
    let next = 0;
    const step = () => {
      const frame = frames[next];
      next += 1;
      setShow(frame ? { of: position, frame } : null);
      if (!frame) clearInterval(timer);
    };
    const timer = setInterval(step, beat);
    step();
    return () => clearInterval(timer);
  }, [position, animate]);

  return show !== null && show.of === position ? show.frame : rest;
}
