// The JSON of Doppelkopf: what everybody knows, what a seat knows, and the result.

import type { Snapshot } from "../../api/types";

export interface PlayedCard {
  seat: number;
  card: string;
}

export interface DoppelkopfPublic {
  start: number;
  contract: string | null;
  declarer: number | null;
  partner: number | null;
  alone: boolean;
  piglets?: number | null;
  /** House rule: the trumps of a poor hand, who took them and what came back. */
  exchange?: { from: number; to: number | null; cards: number; back: number; trumps_back: number | null } | null;
  /** House rule: who played both kings of diamonds, and the partner that was chosen. */
  genscher?: { seat: number; partner: number | null } | null;
  /** House rule: the hand that ended the deal before the first card. */
  thrown?: { seat: number; hand: string[] } | null;
  trumps?: string[];
  turn: number | null;
  led: string | null;
  trick: PlayedCard[];
  leader: number | null;
  last: { cards: PlayedCard[]; taker: number; eyes: number } | null;
  tricks_taken: number[];
  eyes: number[];
  calls: { seat: number; call: string; at: number }[];
  reservations: (string | null)[];
  sizes: number[];
  parties: ("re" | "kontra" | "")[];
}

export interface DoppelkopfFields {
  observer: number;
  phase: string;
  start: number;
  hand: string;
  reservations: string[];
  calls: string[];
  cards: string;
  piglets: number;
}

export interface DoppelkopfOutline {
  contract: string | null;
  declarer: number | null;
  partner: number | null;
  alone: boolean;
  piglets: number | null;
  parties: ("re" | "kontra" | "")[];
  trumps: string[];
  hand: string[];
  /** What may be played as soon as it is this seat's turn in the trick. */
  playable: string[];
  /** Whether the seat holds a card of what was led, so that it has to follow. */
  follows: boolean;
  turn: number | null;
  led: string | null;
  tricks: string[];
  leaders: number[];
  takers: number[];
  trick_eyes: number[];
  eyes: number[];
  size: number;
}

export interface DoppelkopfResult {
  winner: "re" | "kontra" | "none";
  type: string;
  silent_solo: boolean;
  re: number[];
  kontra: number[];
  solo_scoring: boolean;
  trick_winners: number[];
  eyes_re: number;
  eyes_kontra: number;
  tricks_re: number;
  points: number[];
  items_en: string[];
  items_de: string[];
  item_points_re: number[];
  thrown?: number | null;
  worth?: number;
}

export type DoppelkopfSnapshot = Snapshot<DoppelkopfPublic, DoppelkopfFields, DoppelkopfOutline>;
