// A few worlds consistent with what a seat knows, laid open as small hands.

import { useState } from "react";
import type { Beliefs, Language, Snapshot } from "../api/types";
import { faceOf } from "../games";
import { nameOf } from "../games/seats";
import { useT } from "../i18n";

/** A hand as the server writes it: a list of codes, or codes with blanks between them. */
export function handOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(String);
  return typeof value === "string" ? value.split(" ").filter(Boolean) : [];
}

interface Props {
  beliefs: Beliefs;
  snapshot: Snapshot;
  seat: number;
  language: Language;
}

export function Worlds({ beliefs, snapshot, seat, language }: Props) {
  const t = useT();
  const [chosen, setChosen] = useState(0);
  const { worlds } = beliefs;
  const { groups, Small } = faceOf(snapshot.game.name).pieces;
  const order = groups(snapshot, Object.keys(beliefs.cards), language).flatMap((group) => group.codes);
  const others = Array.from({ length: snapshot.game.players - 1 }, (_, i) => (seat + 1 + i) % snapshot.game.players);
  const at = Math.min(chosen, worlds.length - 1);
  const world = worlds[at];
  return (
    <div className="wd">
      <div className="wd-tabs" role="group" aria-label={t("kibitz.worlds")}>
        {worlds.map((_, number) => (
          <button
            key={number}
            type="button"
            aria-pressed={number === at}
            aria-label={t("kibitz.world", { n: number + 1 })}
            onClick={() => setChosen(number)}
          >
            {number + 1}
          </button>
        ))}
      </div>
      {others.map((other) => {
        const hand = handOf(world?.hands[other]).sort((a, b) => order.indexOf(a) - order.indexOf(b));
        return (
          <div key={other} className="wd-hand">
            <span className="wd-name">
              <i style={{ background: `var(--seat-${other % 4})` }} aria-hidden="true" />
              {nameOf(snapshot, other, language)}
            </span>
            <span className="wd-cards">
              {hand.map((code, i) => (
                <Small key={i} code={code} />
              ))}
            </span>
          </div>
        );
      })}
    </div>
  );
}
