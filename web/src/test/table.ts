// A table of a game that the page knows nothing about, as a server would send it.

import type { Control, Snapshot } from "../api/types";

export function anyControl(change: Partial<Control> = {}): Control {
  return {
    undo: false,
    undoing: [],
    resign: null,
    resigned: [],
    rematching: [],
    kibitz: true,
    kibitzing: [],
    pace_ms: 700,
    paused: false,
    ...change,
  };
}

export function anyTable(change: Partial<Snapshot> = {}): Snapshot {
  return {
    table: "t1",
    version: 12,
    game: { name: "quartet", title: "Quartet", players: 4, hidden: true, params: {} },
    options: { fair: false, open: false, games: 4, pace_ms: 0 },
    number: 1,
    role: "seat",
    you: 0,
    seats: ["Ada", "Bot 2", "Bot 3", "Bot 4"].map((name, i) => ({ name, kind: i === 0 ? "person" : "bot" })),
    turn: 0,
    phase: "move",
    public: {},
    views: { "0": { fields: {}, outline: null, legal: [{ action: 3, name: "ask" }], text: "hand: 7 7 9" } },
    prompt: null,
    log: [{ seat: 3, kind: "move", text: { en: "Bot 4 asks", de: "Bot 4 fragt" } }],
    history: [],
    over: null,
    score: { games: [], totals: [0, 0, 0, 0], place: 1, last: false },
    ...change,
  };
}
