// A table of Leduc poker as the shared board draws it.

import type { Snapshot } from "../../api/types";
import { type Betting, type BettingTable, heldCard, type Move } from "../betting/betting";
import { numberOf, numbersOf } from "../seats";

interface LeducPublic {
  public: string | null;
  betting: string;
  shown: (string | null)[];
}

/** Leduc: seat 0 begins both rounds, then the seats take turns. `c` checks or calls, `r` bets or raises, `f` folds. */
function leducBetting(snapshot: Snapshot): Betting {
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

/** A card that a view gives by its number in the deck. */
function leducCard(snapshot: Snapshot, card: number): string | null {
  if (card < 0) return null;
  const suits = numberOf(snapshot, "suits", 2);
  const ranks = numberOf(snapshot, "ranks", 3);
  const letters = ranks <= 4 ? "JQKA" : "23456789TJQKA".slice(13 - ranks);
  const rank = letters[Math.floor(card / suits)];
  return rank ? rank + ("shdc"[card % suits] ?? "") : null;
}

export function leducTable(snapshot: Snapshot): BettingTable {
  const { public: open, shown } = snapshot.public as unknown as LeducPublic;
  return {
    betting: leducBetting(snapshot),
    card: (seat) => leducCard(snapshot, heldCard(snapshot, seat)) ?? shown[seat] ?? null,
    open,
  };
}
