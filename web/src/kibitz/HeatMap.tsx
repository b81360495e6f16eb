// Who holds what: for every card the probability that a seat holds it, as a grid with numbers; colour only repeats them.

import { useState } from "react";
import type { Beliefs, DoppelkopfOutline, Language, Snapshot } from "../api/types";
import { spoken } from "../boards/PlayingCard";
import { figure, nameOf } from "../boards/common";
import { isRed, shortName } from "../cards/cards";
import { useT, type WordKey } from "../i18n";

export interface Group {
  title: string;
  cards: string[];
}

const SUITS = ["C", "S", "H", "D"] as const;
const RANKS = "ATKQJ9";

/** The cards as players sort them: trumps by the contract, then suit by suit; other games in one group. */
export function groupsOf(snapshot: Snapshot, cards: string[], word: (key: WordKey) => string): Group[] {
  if (snapshot.game.name === "liars_dice") return [{ title: word("kibitz.faces"), cards }];
  if (snapshot.game.name !== "doppelkopf") return [{ title: word("kibitz.cards"), cards }];
  const outline = Object.values(snapshot.views)[0]?.outline as DoppelkopfOutline | null | undefined;
  const told = (snapshot.public as { trumps?: string[] }).trumps ?? outline?.trumps ?? [];
  const trumps = told.filter((code) => cards.includes(code));
  const rest = cards.filter((code) => !trumps.includes(code));
  const suits = SUITS.map((suit) => ({
    title: word(`kibitz.suit_${suit}`),
    cards: rest
      .filter((code) => code.startsWith(suit))
      .sort((a, b) => RANKS.indexOf(a.charAt(1)) - RANKS.indexOf(b.charAt(1))),
  }));
  return [{ title: word("kibitz.trumps"), cards: trumps }, ...suits].filter((group) => group.cards.length > 0);
}

/** A card (or the face of a die) in writing. */
export function cardText(snapshot: Snapshot, code: string): string {
  if (snapshot.game.name === "doppelkopf") return shortName(code);
  return snapshot.game.name === "liars_dice" ? code : spoken(code);
}

export function redCard(snapshot: Snapshot, code: string): boolean {
  return snapshot.game.name === "doppelkopf" ? isRed(code) : /^.[hd]$/.test(code);
}

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
  const cards = Object.keys(beliefs.cards);
  const groups = groupsOf(snapshot, cards, (key) => t(key));
  const others = Array.from({ length: snapshot.game.players - 1 }, (_, i) => (seat + 1 + i) % snapshot.game.players);
  const [focus, setFocus] = useState<string | null>(null);
  const [told, setTold] = useState("");
  const order = groups.flatMap((group) => group.cards);
  const stop = focus ?? `${order[0]}:${others[0]}`;

  const tell = (code: string, other: number) =>
    setTold(
      t("kibitz.heatCell", {
        card: cardText(snapshot, code),
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

  const table = (part: Group[], key: string) => (
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
          {group.cards.map((code) => (
            <tr key={code}>
              <th scope="row" className={redCard(snapshot, code) ? "hm-card hm-red" : "hm-card"}>
                {cardText(snapshot, code)}
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
        {t(
          !beliefs.exact
            ? "kibitz.beliefsSampled"
            : snapshot.game.name === "doppelkopf"
              ? "kibitz.beliefsExact"
              : "kibitz.beliefsDeal",
        )}
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
