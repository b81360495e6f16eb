// Betting in Leduc and Kuhn poker in words: who did what, what it cost, and what the actions are called now.

import type { KuhnPublic, LeducPublic, LegalAction, Snapshot } from "../api/types";
import { numbersOf } from "./common";

export type Deed = "fold" | "check" | "call" | "bet" | "raise";

export interface Move {
  seat: number;
  deed: Deed;
  /** Chips put in to match, or by which the stakes rise. */
  amount: number;
}

export interface Betting {
  rounds: Move[][];
  /** Chips in the pot, by seat. */
  pot: number[];
  folded: boolean[];
  /** What the seat to act owes, and by how much it may raise. */
  owed: number;
  step: number;
}

/** Leduc: seat 0 begins both rounds, then the seats take turns. `c` checks or calls, `r` bets or raises, `f` folds. */
export function leducBetting(snapshot: Snapshot): Betting {
  const { betting } = snapshot.public as unknown as LeducPublic;
  const pot = [...numbersOf(snapshot, "stakes", [1, 1])];
  const bets = numbersOf(snapshot, "bets", [2, 4]);
  const folded = [false, false];
  const rounds = betting.split("/").map((part, number) =>
    [...part].map((letter, place): Move => {
      const seat = place % 2;
      const owed = Math.max(...pot) - (pot[seat] ?? 0);
      const step = bets[number] ?? 0;
      if (letter === "f") {
        folded[seat] = true;
        return { seat, deed: "fold", amount: 0 };
      }
      pot[seat] = Math.max(...pot) + (letter === "r" ? step : 0);
      if (letter === "r") return { seat, deed: owed > 0 ? "raise" : "bet", amount: step };
      return { seat, deed: owed > 0 ? "call" : "check", amount: owed };
    }),
  );
  const next = (rounds[rounds.length - 1]?.length ?? 0) % 2;
  return {
    rounds,
    pot,
    folded,
    owed: Math.max(...pot) - (pot[next] ?? 0),
    step: bets[Math.min(rounds.length, bets.length) - 1] ?? 0,
  };
}

/** Kuhn: one round in turn; after the bet a pass is a fold and a bet a call. */
export function kuhnBetting(snapshot: Snapshot): Betting {
  const { betting } = snapshot.public as unknown as KuhnPublic;
  const players = snapshot.game.players;
  const pot = Array.from({ length: players }, () => 1);
  const folded = pot.map(() => false);
  const first = betting.indexOf("b");
  const round = [...betting].map((letter, place): Move => {
    const seat = place % players;
    const after = first >= 0 && place > first;
    if (letter === "b") pot[seat] = 2;
    else if (after) folded[seat] = true;
    if (letter === "b") return { seat, deed: after ? "call" : "bet", amount: 1 };
    return { seat, deed: after ? "fold" : "check", amount: 0 };
  });
  return { rounds: [round], pot, folded, owed: first >= 0 ? 1 : 0, step: 1 };
}

/** What a legal action means at this point. */
export function deedOf(entry: LegalAction, betting: Betting): Deed {
  const name = entry.name.toLowerCase();
  if (name === "pass") return betting.owed > 0 ? "fold" : "check";
  if (name === "bet") return betting.owed > 0 ? "call" : "bet";
  return name === "fold" || name === "check" || name === "call" || name === "raise" ? name : "check";
}

/** Chips shown for a deed: what a call costs, by how much a bet raises. */
export function amountOf(deed: Deed, betting: Betting): number {
  return deed === "call" ? betting.owed : deed === "bet" || deed === "raise" ? betting.step : 0;
}
