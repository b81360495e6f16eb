// Pictures for pages of rules: a board as it stands, and cards in a row. They show and cannot be played.

import { type ComponentType } from "react";
import type { Params, Snapshot } from "../api/types";
import { CardFace } from "../cards/Card";
import { useLanguage } from "../i18n";
import type { BoardProps } from "./face";

interface StillProps {
  Board: ComponentType<BoardProps>;
  name: string;
  /** What everybody knows in this position. */
  facts: Record<string, unknown>;
  params?: Params;
  over?: boolean;
}

export function Still({ Board, name, facts, params = {}, over = false }: StillProps) {
  const language = useLanguage();
  const snapshot: Snapshot = {
    table: "",
    version: 0,
    game: { name, title: name, players: 2, hidden: false, params },
    options: { fair: false, open: true, games: 1, pace_ms: 0 },
    number: 1,
    role: "public",
    you: null,
    seats: ["Ada", "Ben"].map((each) => ({ name: each, kind: "person" as const })),
    turn: over ? null : 0,
    phase: "move",
    public: facts,
    views: {},
    prompt: null,
    log: [],
    history: [],
    over: over ? { returns: [1, -1], result: {}, words: { en: [], de: [] }, seed: null, record: false } : null,
    score: { games: [], totals: [0, 0], place: 1, last: false },
  };
  return (
    <div className="still" inert aria-hidden="true">
      <Board snapshot={snapshot} onAct={() => undefined} busy language={language} animate={false} />
    </div>
  );
}

export function CardRow({ codes }: { codes: string[] }) {
  return (
    <div className="card-row" aria-hidden="true">
      {codes.map((code, i) => (
        <CardFace key={i} code={code} decorative />
      ))}
    </div>
  );
}
