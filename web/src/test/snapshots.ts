// Snapshots for tests, as a server would send them.

import type { DoppelkopfOutline, DoppelkopfPublic, DoppelkopfSnapshot, LegalAction, Snapshot } from "../api/types";

const TRUMPS = ["HT", "CQ", "SQ", "HQ", "DQ", "CJ", "SJ", "HJ", "DJ", "DA", "DT", "DK", "D9"];

/** The number of a card as the core counts them. */
export function cardAction(code: string): number {
  return "DHCS".indexOf(code.charAt(0)) * 6 + "9TJQKA".indexOf(code.charAt(1));
}

export function cards(...codes: string[]): LegalAction[] {
  return codes.map((code) => ({ action: cardAction(code), name: code, code }));
}

export const PASS: LegalAction = { action: 38, name: "pass", code: "pass" };
export const KONTRA: LegalAction = { action: 33, name: "kontra", code: "kontra" };

interface Change {
  public?: Partial<DoppelkopfPublic>;
  outline?: Partial<DoppelkopfOutline>;
  legal?: LegalAction[];
}

/** A Doppelkopf table in the second trick, seen from seat 0, who has to follow spades. */
export function doppelkopf(change: Partial<Omit<DoppelkopfSnapshot, "public">> & Change = {}): DoppelkopfSnapshot {
  const { public: table, outline, legal, ...rest } = change;
  const parties: DoppelkopfPublic["parties"] = ["kontra", "", "", ""];
  return {
    table: "t1",
    version: 12,
    game: { name: "doppelkopf", title: "Doppelkopf", players: 4, hidden: true, params: {} },
    options: { fair: false, open: false, games: 4, pace_ms: 0 },
    number: 1,
    role: "seat",
    you: 0,
    seats: ["Ada", "Bot 2", "Bot 3", "Bot 4"].map((name, i) =>
      i === 0
        ? { name, kind: "person", connected: true, strength: null, spec: null }
        : { name, kind: "bot", connected: true, strength: "strong", spec: "best" },
    ),
    turn: 0,
    phase: "card",
    public: {
      start: 0,
      contract: "normal",
      declarer: null,
      partner: null,
      alone: false,
      turn: 0,
      led: "S",
      trick: [
        { seat: 2, card: "S9" },
        { seat: 3, card: "SK" },
      ],
      leader: 2,
      last: {
        cards: [
          { seat: 0, card: "CA" },
          { seat: 1, card: "CK" },
          { seat: 2, card: "CJ" },
          { seat: 3, card: "C9" },
        ],
        taker: 2,
        eyes: 17,
      },
      tricks_taken: [0, 0, 1, 0],
      eyes: [0, 0, 17, 0],
      calls: [],
      reservations: ["healthy", "healthy", "healthy", "healthy"],
      sizes: [5, 5, 4, 4],
      parties: ["", "", "", ""],
      ...table,
    },
    views: {
      "0": {
        fields: { observer: 0, phase: "card", start: 0, hand: "", reservations: [], calls: [], cards: "", piglets: -1 },
        outline: {
          contract: "normal",
          declarer: null,
          partner: null,
          alone: false,
          piglets: null,
          parties,
          trumps: TRUMPS,
          hand: ["SQ DQ", "CT", "SA ST", ""],
          turn: 0,
          led: "S",
          tricks: ["CA CK CJ C9", "S9 SK"],
          leaders: [0, 2],
          takers: [2, 3],
          trick_eyes: [17, 4],
          eyes: [0, 0, 17, 0],
          size: 6,
          ...outline,
        },
        legal: legal ?? cards("SA", "ST"),
      },
    },
    prompt: null,
    log: [{ seat: 3, kind: "card", text: { en: "Bot 4 plays ♠K", de: "Bot 4 spielt ♠K" } }],
    history: [],
    over: null,
    score: { games: [], totals: [0, 0, 0, 0] },
    ...rest,
  };
}

/** The same table while calls are made. */
export function callRound(change: Parameters<typeof doppelkopf>[0] = {}): DoppelkopfSnapshot {
  return doppelkopf({ phase: "call", turn: null, prompt: { kind: "call", until: null }, legal: [KONTRA, PASS], ...change });
}

export function asSnapshot(snapshot: DoppelkopfSnapshot): Snapshot {
  return snapshot as unknown as Snapshot;
}
