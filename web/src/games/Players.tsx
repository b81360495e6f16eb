// Who plays, and whose turn it is, above a board.

import type { ReactNode } from "react";
import type { Language, Snapshot } from "../api/types";
import { labelOf } from "./seats";

interface PlayersProps {
  snapshot: Snapshot;
  language: Language;
  /** A sign of what a seat plays with. */
  mark?(seat: number): ReactNode;
}

export function Players({ snapshot, language, mark }: PlayersProps) {
  return (
    <p className="bd-players">
      {snapshot.seats.map((_, seat) => (
        <span key={seat} className={snapshot.turn === seat ? "bd-turn" : ""}>
          {mark?.(seat)}
          {labelOf(snapshot, seat, language)}
        </span>
      ))}
    </p>
  );
}
