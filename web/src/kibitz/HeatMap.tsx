// Who holds what: for every card or die the probability that a seat holds it, as a grid of numbers that colour repeats.

import { useState } from "react";
import type { Beliefs, Language, Snapshot } from "../api/types";
import { faceOf } from "../games";
import type { PieceGroup } from "../games/face";
import { nameOf } from "../games/seats";
import { useT } from "../i18n";
import { figure } from "../i18n/numbers";

/** How strong the colour of a probability is: two ranges, so that the numbers stay readable on both. */
export function heat(p: number): number {
  return p <= 0.5 ? p : 0.85 + (p - 0.5) * 0.3;
}

/** A name for a narrow column: B2 for Bot 2, else its first letters. */
export function shortLabel(name: string): string {
  const number = /(\d+)\D*$/.exec(name)?.[1];
  if (name.length <= 4) return name;
  return number ? `${name.charAt(0)}${number}` : name.slice(0, 4);
}

interface Props {
  beliefs: Beliefs;
  snapshot: Snapshot;
  /** Whose knowledge it is: this seat is left out. */
  seat: number;
  language: Language;
}

export function HeatMap({ beliefs, snapshot, seat, language }: Props) {
  const t = useT();
  const { pieces } = faceOf(snapshot.game.name);
  const groups = pieces.groups(snapshot, Object.keys(beliefs.cards), language);
  const others = Array.from({ length: snapshot.game.players - 1 }, (_, i) => (seat + 1 + i) % snapshot.game.players);
  const [focus, setFocus] = useState<string | null>(null);
  const [told, setTold] = useState("");
  const order = groups.flatMap((group) => group.codes);
  const stop = focus ?? `${order[0]}:${others[0]}`;

  const tell = (code: string, other: number) =>
    setTold(
      t("kibitz.heatCell", {
        card: pieces.text(code, language),
        name: nameOf(snapshot, other, language),
        p: figure((beliefs.cards[code]?.[other] ?? 0) * 100, language, 1),
      }),
    );

  const walk = (event: React.KeyboardEvent<HTMLElement>, code: string, other: number) => {
    let row = order.indexOf(code);
    let column = others.indexOf(other);
    if (event.key === "ArrowUp") row -= 1;
    else if (event.key === "ArrowDown") row += 1;
    else if (event.key === "ArrowLeft") column -= 1;
    else if (event.key === "ArrowRight") column += 1;
    else return;
    event.preventDefault();
    const next = `${order[row]}:${others[column]}`;
    event.currentTarget.closest(".hm")?.querySelector<HTMLElement>(`[data-cell="${next}"]`)?.focus();
  };

  const table = (part: PieceGroup[], key: string) => (
    <table key={key} className="hm-table">
      <thead>
        <tr>
          <td />
          {others.map((other) => (
            <th key={other} scope="col" title={nameOf(snapshot, other, language)}>
              <span style={{ borderColor: `var(--seat-${other % 4})` }} aria-hidden="true">
                {others.length > 1 ? shortLabel(nameOf(snapshot, other, language)) : nameOf(snapshot, other, language)}
              </span>
              <span className="visually-hidden">{nameOf(snapshot, other, language)}</span>
            </th>
          ))}
        </tr>
      </thead>
      {part.map((group) => (
        <tbody key={group.title}>
          <tr>
            <th colSpan={others.length + 1} scope="rowgroup" className="hm-group">
              {group.title}
            </th>
          </tr>
          {group.codes.map((code) => (
            <tr key={code}>
              <th scope="row" className={pieces.red(code) ? "hm-card hm-red" : "hm-card"}>
                {pieces.text(code, language)}
              </th>
              {others.map((other) => {
                const p = beliefs.cards[code]?.[other] ?? 0;
                const id = `${code}:${other}`;
                return (
                  <td
                    key={other}
                    data-cell={id}
                    className={p > 0.5 ? "hm-cell hm-hot" : p === 0 ? "hm-cell hm-none" : "hm-cell"}
                    style={{ "--heat": `${(heat(p) * 100).toFixed(0)}%` } as React.CSSProperties}
                    tabIndex={id === stop ? 0 : -1}
                    title={`${figure(p * 100, language, 1)} %`}
                    onFocus={() => {
                      setFocus(id);
                      tell(code, other);
                    }}
                    onMouseEnter={() => tell(code, other)}
                    onKeyDown={(event) => walk(event, code, other)}
                  >
                    {p === 0 ? "·" : p === 1 ? "✓" : figure(p * 100, language, 0)}
                    {(p === 0 || p === 1) && <span className="visually-hidden">{p * 100} %</span>}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  );

  const [first, ...rest] = groups;
  return (
    <div className="hm">
      <p className="soft hm-note">
        {beliefs.exact ? pieces.exactly[language] : t("kibitz.beliefsSampled")}
      </p>
      <div className={rest.length > 0 ? "hm-parts" : "hm-parts hm-one"}>
        {first && table([first], "first")}
        {rest.length > 0 && table(rest, "rest")}
      </div>
      <p className="hm-told" aria-live="polite">
        {told || t("kibitz.heatHint")}
      </p>
    </div>
  );
}
