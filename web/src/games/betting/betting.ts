// Betting as the server tells it: who did what in which round, what lies in the pot, and what it is called.

import type { Language, Snapshot } from "../../api/types";
import type { NamedAction } from "../face";
import { words } from "./words";

const DEEDS = ["fold", "check", "call", "bet", "raise"] as const;

/** The kinds of actions in a betting. */
export type Deed = (typeof DEEDS)[number];

/** What everybody knows. */
export interface BettingPublic {
  rounds: { seat: number; kind: Deed; amount: number }[][];
  /** Chips that each seat has put in. */
  pot: number[];
  /** All of them together. */
  total: number;
  folded: boolean[];
  /** Cards that lie open at the end, by seat. */
  shown: (string | null)[];
  /** The card in the middle, null until it is dealt; absent where the game has none. */
  public?: string | null;
}

export function bettingOf(snapshot: Snapshot): BettingPublic {
  return snapshot.public as unknown as BettingPublic;
}

/** The card of a seat; null if it is hidden from the viewer. */
export function cardOf(snapshot: Snapshot, seat: number): string | null {
  const hand = snapshot.views[String(seat)]?.outline?.["hand"] as string[] | undefined;
  return hand?.[0] ?? bettingOf(snapshot).shown[seat] ?? null;
}

/** What an action does, by its kind. */
export function deedOf({ kind }: Pick<NamedAction, "kind">): Deed | undefined {
  return DEEDS.find((each) => each === kind);
}

/** An action in words. */
export function sayBet(action: NamedAction, language: Language): string {
  const deed = deedOf(action);
  return deed ? words[`do_${deed}`][language] : action.name;
}
