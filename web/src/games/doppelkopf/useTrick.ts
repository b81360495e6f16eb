// Which cards lie in the middle: the trick as it grows; a full one stays for a moment and then goes to its taker.

import { useEffect, useState } from "react";
import type { DoppelkopfPublic, PlayedCard } from "./types";

export const HOLD_MS = 850;
export const COLLECT_MS = 260;

export interface TrickShown {
  cards: PlayedCard[];
  /** Which trick of the game, from 0. */
  index: number;
  /** Set while the cards move to the seat that took them. */
  collecting: number | null;
  /** A full trick is shown that the table has already counted. */
  held: boolean;
}

interface Held {
  cards: PlayedCard[];
  taker: number;
  index: number;
  collecting: boolean;
}

export function useTrick(game: string, table: DoppelkopfPublic, animate: boolean): TrickShown {
  const done = table.tricks_taken.reduce((sum, count) => sum + count, 0);
  const [seen, setSeen] = useState({ game, done });
  const [held, setHeld] = useState<Held | null>(null);

  if (seen.game !== game || seen.done !== done) {
    const next = seen.game === game && done === seen.done + 1 && table.last !== null;
    setSeen({ game, done });
    setHeld(
      next && table.last
        ? { cards: table.last.cards, taker: table.last.taker, index: done - 1, collecting: false }
        : null,
    );
  }

  useEffect(() => {
    if (!held) return;
    const timer = setTimeout(
      () => setHeld(held.collecting || !animate ? null : { ...held, collecting: true }),
      held.collecting ? COLLECT_MS : HOLD_MS,
    );
    return () => clearTimeout(timer);
  }, [held, animate]);

  if (held)
    return { cards: held.cards, index: held.index, collecting: held.collecting ? held.taker : null, held: true };
  return { cards: table.trick, index: done, collecting: null, held: false };
}
