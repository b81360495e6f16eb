// Oware: a wooden board with two rows of six pits, seeds that one can count, and a store at each end.

import { useMemo } from "react";
import { translator, type Translate } from "../../i18n";
import { figure } from "../../i18n/numbers";
import { useKeys } from "../../ui/hooks";
import { Name } from "../../ui/Name";
import type { BoardProps } from "../face";
import { Sign } from "../marks";
import { labelOf, nameOf, playable, viewpoint } from "../seats";
import { Seeds } from "./Seeds";
import { pitOf, useSowing, type Position } from "./sowing";
import { words } from "./words";
import "./oware.css";

/** What everybody knows. */
interface OwarePublic {
  pits: number[];
  captured: [number, number];
  /** For each pit, where its seeds would fall, in order; empty where it may not be sown. */
  sowing: number[][];
  turn: number | null;
  ended: string;
}

const PITS = 6;

/** Letters of the pits: capitals for the player who begins. */
function letter(pit: number): string {
  return "ABCDEFabcdef"[pit] ?? "";
}

function count(n: number, t: Translate<keyof typeof words>): string {
  return n === 1 ? t("seed") : t("seeds", { n });
}

export function Board({ snapshot, onAct, busy, language, animate, marks }: BoardProps) {
  const t = translator(language, words);
  const { pits, captured, sowing } = snapshot.public as unknown as OwarePublic;
  const position = useMemo<Position>(
    () => ({ pits, captured, sowing, history: snapshot.history }),
    [pits, captured, sowing, snapshot.history],
  );
  const frame = useSowing(position, animate);
  const bottom = viewpoint(snapshot) === 1 ? 1 : 0;
  const top = 1 - bottom;
  const legal = new Map(playable(snapshot, busy).map((entry) => [bottom * PITS + entry.action, entry]));
  const lastPit = pitOf(snapshot.history[snapshot.history.length - 1] ?? "");

  useKeys((key) => {
    const pit = "123456".includes(key) ? bottom * PITS + Number(key) - 1 : -1;
    const entry = legal.get(pit);
    if (entry) onAct(entry.action);
    return entry !== undefined;
  });

  const row = (owner: number) => {
    const places = Array.from({ length: PITS }, (_, i) => owner * PITS + i);
    return owner === top ? places.reverse() : places;
  };

  const drawPit = (pit: number) => {
    const seeds = frame.pits[pit] ?? 0;
    const entry = legal.get(pit);
    const classes = ["ow-pit", entry ? "ow-may" : "", frame.at === pit ? "ow-hand-here" : ""];
    if (frame.at === null && lastPit === pit) classes.push("ow-last");
    const mark = marks && Math.floor(pit / PITS) === marks.seat ? marks.of.get(pit % PITS) : undefined;
    const face = (
      <>
        <Sign mark={mark} />
        <span className="ow-hollow">
          <Seeds count={seeds} place={pit} />
        </span>
        <span className="ow-number" aria-hidden="true">
          <i>{letter(pit)}</i> <b>{seeds}</b>
        </span>
      </>
    );
    const values = { name: letter(pit), count: count(seeds, t) };
    const label = entry ? t("pitPlay", values) : t("pit", values);
    const mine = snapshot.role === "seat" && Math.floor(pit / PITS) === bottom;
    return mine ? (
      <button
        key={pit}
        type="button"
        className={classes.join(" ")}
        data-mark={mark}
        aria-label={label}
        aria-keyshortcuts={String((pit % PITS) + 1)}
        aria-disabled={!entry}
        onClick={() => entry && onAct(entry.action)}
      >
        {face}
      </button>
    ) : (
      <div key={pit} className={classes.join(" ")} data-mark={mark} role="img" aria-label={label}>
        {face}
      </div>
    );
  };

  const store = (owner: number) => {
    const seeds = frame.captured[owner] ?? 0;
    const name = nameOf(snapshot, owner, language);
    return (
      <div
        className={`ow-store ${owner === bottom ? "ow-own" : "ow-other"} ${snapshot.turn === owner ? "ow-turn" : ""}`}
        role="img"
        aria-label={t("store", { name, n: seeds })}
      >
        <Name className="ow-name" name={labelOf(snapshot, owner, language)} />
        <span className="ow-trough" aria-hidden="true">
          <Seeds count={seeds} place={20 + owner} shape="tall" />
          <Seeds count={seeds} place={20 + owner} shape="wide" />
        </span>
        <span className="ow-stored" aria-hidden="true">
          {figure(seeds, language)}
        </span>
      </div>
    );
  };

  return (
    <section className="ow-fit" aria-label={t("board")}>
      <div className="ow-board">
        {store(top)}
        <div className="ow-rows">
          <div className="ow-row ow-top">{row(top).map(drawPit)}</div>
          <div className="ow-ridge" aria-hidden="true">
            {frame.hand > 0 && <span className="ow-hand">{frame.hand}</span>}
          </div>
          <div className="ow-row ow-bottom">{row(bottom).map(drawPit)}</div>
        </div>
        {store(bottom)}
      </div>
      {legal.size > 0 && <p className="bd-hint">{t("keys")}</p>}
    </section>
  );
}
