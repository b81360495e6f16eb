// What the page knows about a game. A folder of this directory exports the parts it has as `face`; the generic face
// supplies the rest, so a game without a folder has a whole face too.

import type { ComponentType } from "react";
import type { Language, LegalAction, Snapshot } from "../api/types";
import type { Phrase, Phrases } from "../i18n";
import type { Marks } from "./marks";

export interface BoardProps {
  snapshot: Snapshot;
  /** Sends an action, or the lowest action of a choice with an amount; the promise says whether the server took it. */
  onAct(action: number | string, amount?: number): void | Promise<boolean>;
  /** An action is on its way: nothing can be played until the server has answered. */
  busy: boolean;
  language: Language;
  animate: boolean;
  /** Actions to mark in an analysis. */
  marks?: Marks;
}

/** An action as it is named in a list: its kind is known where the position offers it. */
export type NamedAction = Pick<LegalAction, "name" | "code" | "kind" | "amount">;

/** House rules in words. */
export interface RulesFace {
  /** `RULE`, `RULE.help`, `RULE.CHOICE`; for lists `RULE.0`, `RULE.1` or `RULE.item`, and `RULE.add`, `RULE.remove`. */
  words: Phrases;
  /** Rules that belong together; those that no group names come last. */
  groups: { title: Phrase; rules: string[] }[];
  /** What presets mean, where the words of the server are not enough. */
  presets: Record<string, Partial<Phrase>>;
  /** What presets are called, where their names say little to players. */
  names?: Record<string, Phrase>;
  /** Lists that people turn on as a whole: what they are then. */
  switches?: Record<string, number[]>;
  /** What a series sets from game to game: nobody chooses it, and a table shows it only where it is set. */
  state?: string[];
  /** Rules whose numbers are seats; -1: nobody. */
  seats?: string[];
  /** The preset that players take as usual, where that is not what the library plays without one. */
  usual?: string;
}

export interface PieceGroup {
  title: string;
  codes: string[];
}

/** What players hold hidden from each other, such as cards or dice, by the codes of the server. */
export interface PiecesFace {
  /** All codes in the order players sort them. */
  groups(snapshot: Snapshot, codes: string[], language: Language): PieceGroup[];
  /** One in writing. */
  text(code: string, language: Language): string;
  red(code: string): boolean;
  /** One as a small picture. */
  Small: ComponentType<{ code: string }>;
  /** What an exact probability takes into account. */
  exactly: Phrase;
}

export interface GameFace {
  /** Null: what the server calls the game. */
  title: Phrase | null;
  /** One line for the lobby. */
  about: Phrase | null;
  Picture: ComponentType;
  Board: ComponentType<BoardProps>;
  /** How a game ended, item by item. */
  Result: ComponentType<{ snapshot: Snapshot }>;
  /** What a person can set once for all tables of this game, in the menu of settings. */
  Settings: ComponentType | null;
  rules: RulesFace;
  pieces: PiecesFace;
  /** An action in words, for lists beside a board. */
  say(action: NamedAction, language: Language): string;
  /** Whether lists of moves leave an action out because it says nothing, such as a pass in a round of calls. */
  silent(action: NamedAction): boolean;
  /** The phases of the game in words, where it has more than one in which players decide. */
  phases: Phrases;
  /** How long the last move stays in sight before the result covers it, in milliseconds. */
  settle: number;
}
