// All moves of a game, with what each decision lost once it is reviewed; a click shows the position.

import { useEffect, useRef, useState } from "react";
import type { Language, Review, ReviewDecision } from "../api/types";
import { actionIn, actionWord, faceOf } from "../games";
import { useT } from "../i18n";
import { Name } from "../ui/Name";
import { Lost } from "./Lost";
import { type RecordedMove, type Step, stepAt } from "./steps";

interface Props {
  moves: readonly RecordedMove[];
  review: Review | null;
  steps: readonly Step[];
  names: readonly string[];
  at: number;
  language: Language;
  onGo(step: number): void;
}

interface Row extends RecordedMove {
  decision: ReviewDecision | null;
}

/** Moves joined with their decisions; what was silent but cost something, such as a call not made, appears as well. */
export function rowsOf(moves: readonly RecordedMove[], review: Review | null, steps: readonly Step[]): Row[] {
  const decisions = new Map((review?.decisions ?? []).map((decision) => [decision.ply, decision]));
  const rows: Row[] = moves.map((move) => {
    const decision = decisions.get(move.ply) ?? null;
    decisions.delete(move.ply);
    return { ...move, seat: decision?.seat ?? move.seat, decision };
  });
  for (const decision of decisions.values()) {
    const step = stepAt(steps, decision.ply);
    const position = steps[step]?.snapshot;
    const silent = position && faceOf(position.game.name).silent(actionIn(position, decision.played));
    if (decision.forced || (silent && !decision.mistake)) continue;
    rows.push({
      step,
      ply: decision.ply,
      seat: decision.seat,
      name: decision.played,
      decision,
    });
  }
  return rows.sort((a, b) => a.ply - b.ply);
}

export function MoveList({ moves, review, steps, names, at, language, onGo }: Props) {
  const t = useT();
  const [mistakes, setMistakes] = useState(false);
  const list = useRef<HTMLOListElement>(null);
  const rows = rowsOf(moves, review, steps).filter((row) => !mistakes || row.decision?.mistake);

  const longest = Math.max(0, ...names.map((name) => name.length));

  useEffect(() => {
    const box = list.current;
    const now = box?.querySelector<HTMLElement>("[aria-current]");
    if (!box || !now) return;
    const top = now.offsetTop - box.offsetTop;
    if (top < box.scrollTop || top + now.offsetHeight > box.scrollTop + box.clientHeight) {
      box.scrollTop = top - box.clientHeight / 2;
    }
  }, [at, rows.length]);

  return (
    <section className="card rp-part" aria-label={t(review ? "replay.decisions" : "replay.moves")}>
      <div className="rp-list-head">
        <h2>{t(review ? "replay.decisions" : "replay.moves")}</h2>
        {review && (
          <label className="rp-only">
            <input type="checkbox" checked={mistakes} onChange={(event) => setMistakes(event.target.checked)} />
            {t("replay.onlyMistakes")}
          </label>
        )}
      </div>
      <ol className="rp-moves" ref={list} style={{ "--who": `${longest}ch` } as React.CSSProperties}>
        {rows.map((row, i) => {
          const step = steps[row.step];
          const { decision } = row;
          const word = (name: string) => (step ? actionWord(step.snapshot, name, language) : name);
          return (
            <li key={`${row.ply}-${i}`}>
              <button
                type="button"
                aria-current={row.step === at ? "step" : undefined}
                className={decision?.mistake ? "rp-move rp-bad" : "rp-move"}
                onClick={() => onGo(row.step)}
              >
                <i
                  className="rp-dot"
                  style={{ background: row.seat === null ? "var(--line)" : `var(--seat-${row.seat % 4})` }}
                  aria-hidden="true"
                />
                <Name className="rp-who" name={row.seat === null ? "" : (names[row.seat] ?? "")} />
                <b>{word(row.name)}</b>
                <span className="rp-cost">
                  {decision?.forced && <small className="soft">{t("replay.forced")}</small>}
                  {decision?.mistake && (
                    <>
                      <Lost decision={decision} game={step?.snapshot.game ?? {}} language={language} />
                      <small>{t("replay.better", { name: decision.good.map(word).join(", ") })}</small>
                    </>
                  )}
                </span>
              </button>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
