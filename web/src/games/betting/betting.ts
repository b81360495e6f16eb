// Betting in words: who did what, what it cost, and what the actions are called now.

import type { Language, Snapshot } from "../../api/types";
import type { NamedAction } from "../face";
import { words } from "./words";

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

export interface BettingTable {
  betting: Betting;
  /** The card of a seat as far as this role may know it. */
  card(seat: number): string | null;
  /** Public card; undefined where the game has none. */
  open: string | null | undefined;
}

export function heldCard(snapshot: Snapshot, seat: number): number {
  const card = snapshot.views[String(seat)]?.fields["card"];
  return typeof card === "number" ? card : -1;
}

/** What a legal action means at this point. */
export function deedOf(entry: NamedAction, betting: Betting): Deed {
  const name = entry.name.toLowerCase();
  if (name === "pass") return betting.owed > 0 ? "fold" : "check";
  if (name === "bet") return betting.owed > 0 ? "call" : "bet";
  return name === "fold" || name === "check" || name === "call" || name === "raise" ? name : "check";
}

/** Chips shown for a deed: what a call costs, by how much a bet raises. */
export function amountOf(deed: Deed, betting: Betting): number {
  return deed === "call" ? betting.owed : deed === "bet" || deed === "raise" ? betting.step : 0;
}

/** An action in words, given how the betting stands. */
export function sayBet(action: NamedAction, betting: Betting, language: Language): string {
  return words[`do_${deedOf(action, betting)}`][language];
}
