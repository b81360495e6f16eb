// Liar's dice: the person's dice, the bids so far, and a grid of the bids that are still possible, with "liar" below.

import type { Snapshot } from "../../api/types";
import { translator } from "../../i18n";
import { useKeys } from "../../ui/hooks";
import type { BoardProps } from "../face";
import { markedIn, Sign } from "../marks";
import { labelOf, nameOf, numberOf, playable, seatsFrom, viewpoint } from "../seats";
import { Die } from "./Die";
import { words } from "./words";
import "./liars_dice.css";

/** What everybody knows. */
interface LiarsDicePublic {
  bids: { seat: number; bid: string }[];
  called: boolean;
  counts: number[];
  /** Faces from 1, once they lie open. */
  shown: (number[] | null)[] | null;
}

export interface Bid {
  count: number;
  face: number;
}

/** A bid as the server writes it, `2x5`. */
export function readBid(text: string): Bid | null {
  const parts = /^(\d+)x(\d+)$/.exec(text);
  return parts ? { count: Number(parts[1]), face: Number(parts[2]) } : null;
}

/** The faces of a seat's dice; null where they are hidden from the viewer. */
function diceOf(snapshot: Snapshot, seat: number): (number | null)[] {
  const { counts, shown } = snapshot.public as unknown as LiarsDicePublic;
  const held = snapshot.views[String(seat)]?.outline?.["hand"] as string[] | undefined;
  return shown?.[seat] ?? held?.map(Number) ?? Array.from({ length: counts[seat] ?? 0 }, () => null);
}

export function Board({ snapshot, onAct, busy, language, marks }: BoardProps) {
  const t = translator(language, words);
  const { bids, called, counts } = snapshot.public as unknown as LiarsDicePublic;
  const sides = numberOf(snapshot, "sides", 6);
  const all = counts.reduce((sum, count) => sum + count, 0);
  const own = viewpoint(snapshot);
  const players = snapshot.game.players;
  const order = seatsFrom(snapshot);
  const choices = playable(snapshot, busy);
  const legal = new Map(choices.map((entry) => [entry.name, entry.action]));
  const liar = choices.find((entry) => entry.kind === "challenge")?.action;
  const marked = new Map(markedIn(snapshot, marks).map((entry) => [entry.kind === "challenge" ? "liar" : entry.name, entry.mark]));
  const last = bids.length > 0 ? readBid(bids[bids.length - 1]?.bid ?? "") : null;

  // A long list of bids scrolls and starts with those that are still possible.
  const many = all > 8;
  const lowest = many ? (last?.count ?? 1) : 1;

  useKeys((key) => {
    if (key.toLowerCase() !== "l" || liar === undefined) return false;
    onAct(liar);
    return true;
  });

  const place = (seat: number) => {
    const returns = snapshot.over?.returns[seat] ?? 0;
    return (
      <div
        key={seat}
        className={`ld-place ${seat === own ? "ld-own" : ""} ${snapshot.turn === seat ? "ld-turn" : ""} ${returns > 0 ? "ld-winner" : ""}`}
      >
        <strong>{labelOf(snapshot, seat, language)}</strong>
        <span className="ld-dice">
          {diceOf(snapshot, seat).map((face, i) => {
            const wild = face === sides;
            const match = called && last !== null && face !== null && (face === last.face || wild);
            const label = face === null ? t("hiddenDie") : t(wild ? "wildDie" : "die", { n: face });
            return (
              <Die
                key={i}
                face={face}
                wild={wild}
                match={match}
                label={`${nameOf(snapshot, seat, language)}: ${label}`}
              />
            );
          })}
        </span>
        {returns !== 0 && <em>{returns > 0 ? "+1" : "−1"}</em>}
      </div>
    );
  };

  const matching = snapshot.over?.result["matching"];
  const caller = called && bids.length > 0 ? ((bids[bids.length - 1]?.seat ?? 0) + 1) % players : null;
  return (
    <section className="ld-fit" aria-label={t("table")}>
      <div className="round-felt ld-felt">
        <div className="ld-others">{order.slice(1).map(place)}</div>
        <div className="ld-standing" aria-live="polite">
          {last === null ? (
            !snapshot.over && <span className="ld-quiet">{t("noBids")}</span>
          ) : (
            <>
              <span>{nameOf(snapshot, bids[bids.length - 1]?.seat ?? 0, language)}:</span>
              <span>{t("atLeast")}</span>
              <b>{last.count} ×</b>
              <Die face={last.face} wild={last.face === sides} label={t("die", { n: last.face })} />
            </>
          )}
          {typeof matching === "number" && last !== null && (
            <span className="ld-verdict">
              {t(matching === 1 ? "matchingOne" : "matching", {
                n: matching,
                bid: `${last.count}×${last.face}`,
              })}
            </span>
          )}
        </div>
        {place(own)}
      </div>
      {(snapshot.role === "seat" || marked.size > 0) && !snapshot.over && (
        <div className="ld-choose">
          <div
            className={many ? "ld-grid ld-many" : "ld-grid"}
            tabIndex={many ? 0 : undefined}
            role="group"
            aria-label={t("bidGrid")}
            style={{ gridTemplateColumns: `auto repeat(${sides}, minmax(0, 1fr))` }}
          >
            {Array.from({ length: all + 1 - lowest }, (_, row) => row + lowest).flatMap((count) => [
              <span key={`n${count}`} className="ld-count" aria-hidden="true">
                {count} ×
              </span>,
              ...Array.from({ length: sides }, (_, k) => k + 1).map((face) => {
                const action = legal.get(`${count}x${face}`);
                const standing = last !== null && last.count === count && last.face === face;
                const label = count === 1 ? t("bidOne", { face }) : t("bidLabel", { n: count, face });
                return (
                  <button
                    key={`${count}x${face}`}
                    type="button"
                    className={`ld-bid ${standing ? "ld-standing-bid" : ""}`}
                    data-mark={marked.get(`${count}x${face}`)}
                    disabled={action === undefined}
                    aria-label={label}
                    onClick={() => action !== undefined && onAct(action)}
                  >
                    <Die face={face} small wild={face === sides} />
                    <Sign mark={marked.get(`${count}x${face}`)} />
                  </button>
                );
              }),
            ])}
          </div>
          <button
            type="button"
            className="ld-liar"
            data-mark={marked.get("liar")}
            disabled={liar === undefined}
            title={t("liarLabel")}
            aria-keyshortcuts="L"
            onClick={() => liar !== undefined && onAct(liar)}
          >
            {t("liar")} <kbd aria-hidden="true">L</kbd>
            <Sign mark={marked.get("liar")} />
          </button>
          <p className="bd-hint bd-rule">{t("wild", { face: sides })}</p>
        </div>
      )}
      <div className="bd-story ld-story">
        <h2>{t("bids")}</h2>
        <ol>
          {bids.map(({ seat, bid }, i) => {
            const read = readBid(bid);
            return (
              <li key={i}>
                {t("bidWords", {
                  name: nameOf(snapshot, seat, language),
                  n: read?.count ?? bid,
                  face: read?.face ?? "",
                })}
              </li>
            );
          })}
          {caller !== null && (
            <li>
              <b>{t("saidLiar", { name: nameOf(snapshot, caller, language) })}</b>
            </li>
          )}
          {bids.length === 0 && <li className="bd-quiet">–</li>}
        </ol>
      </div>
    </section>
  );
}
