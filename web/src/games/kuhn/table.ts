// A table of Kuhn poker as the shared board draws it.

import type { Snapshot } from "../../api/types";
import { type Betting, type BettingTable, heldCard, type Move } from "../betting/betting";

interface KuhnPublic {
  betting: string;
  shown: (string | null)[];
}

/** Kuhn: one round in turn; after the bet a pass is a fold and a bet a call. */
function kuhnBetting(snapshot: Snapshot): Betting {
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

function kuhnCard(snapshot: Snapshot, card: number): string | null {
  if (card < 0) return null;
  return snapshot.game.players === 2 ? ("JQK"[card] ?? null) : String(card + 1);
}

export function kuhnTable(snapshot: Snapshot): BettingTable {
  const { shown } = snapshot.public as unknown as KuhnPublic;
  return {
    betting: kuhnBetting(snapshot),
    card: (seat) => kuhnCard(snapshot, heldCard(snapshot, seat)) ?? shown[seat] ?? null,
    open: undefined,
  };
}
