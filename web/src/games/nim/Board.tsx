// Nim: heaps of sticks. A click on a stick takes it and all after it; arrows and Enter do the same.

import { useRef, useState } from "react";
import { translator } from "../../i18n";
import type { BoardProps } from "../face";
import { markedIn, Sign } from "../marks";
import { Players } from "../Players";
import { scatter } from "../scatter";
import { numbersOf, playable } from "../seats";
import { words } from "./words";
import "./nim.css";

/** What everybody knows. */
interface NimPublic {
  heaps: number[];
}

export function Board({ snapshot, onAct, busy, language, animate, marks }: BoardProps) {
  const t = translator(language, words);
  const { heaps } = snapshot.public as unknown as NimPublic;
  const start = numbersOf(snapshot, "heaps", [1, 3, 5, 7]);
  const places = heaps.map((size, heap) => Math.max(size, start[heap] ?? 0));
  const most = Math.max(...places);
  const measures = { "--heaps": heaps.length, "--most": most } as React.CSSProperties;
  const misere = snapshot.game.params["misere"] === true;
  const legal = new Map(playable(snapshot, busy).map((entry) => [entry.name, entry.action]));
  const [aim, setAim] = useState<{ heap: number; stick: number } | null>(null);
  const [stop, setStop] = useState<[number, number]>([0, 0]);
  const rows = useRef<HTMLDivElement>(null);

  const marked = new Map(markedIn(snapshot, marks).map(({ name, mark }) => [name, mark]));

  /** Taking the stick with this number (from 0) and all after it. */
  const action = (heap: number, stick: number) => legal.get(`${heap + 1}:${(heaps[heap] ?? 0) - stick}`);

  const walk = (event: React.KeyboardEvent, heap: number, stick: number) => {
    let [row, place] = [heap, stick];
    if (event.key === "ArrowLeft") place -= 1;
    else if (event.key === "ArrowRight") place += 1;
    else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      const step = event.key === "ArrowUp" ? -1 : 1;
      do row += step;
      while (heaps[row] === 0);
    } else return;
    event.preventDefault();
    const size = heaps[row];
    if (size === undefined) return;
    place = Math.max(0, Math.min(size - 1, place));
    setStop([row, place]);
    rows.current?.querySelector<HTMLElement>(`[data-stick="${row}:${place}"]`)?.focus();
  };

  // One stick is in the tab order: the one last visited, else the first that is left.
  const [row, place] = (heaps[stop[0]] ?? 0) > stop[1] ? stop : [heaps.findIndex((size) => size > 0), 0];
  return (
    <section className={most > 12 ? "nm-fit nm-many" : "nm-fit"} style={measures} aria-label={t("board")}>
      <Players snapshot={snapshot} language={language} />
      <div className="nm-board" ref={rows} onMouseLeave={() => setAim(null)}>
        {heaps.map((size, heap) => (
          <div
            key={heap}
            className="nm-heap"
            role="group"
            aria-label={`${t("heap", { n: heap + 1 })}: ${t("heapLeft", { n: size })}`}
          >
            <span className="nm-label" aria-hidden="true">
              {heap + 1}
            </span>
            <span className="nm-sticks">
              {Array.from({ length: places[heap] ?? size }, (_, stick) => {
                const style = {
                  "--lean": `${((scatter(heap, stick) - 0.5) * 7).toFixed(1)}deg`,
                } as React.CSSProperties;
                if (stick >= size)
                  return (
                    <span
                      key={stick}
                      className={`nm-stick nm-gone ${animate ? "nm-fade" : ""}`}
                      style={style}
                      aria-hidden="true"
                    />
                  );
                const mark = marked.get(`${heap + 1}:${size - stick}`);
                const taken = action(heap, stick);
                const aimed = aim !== null && aim.heap === heap && stick >= aim.stick && taken !== undefined;
                if (snapshot.role !== "seat")
                  return (
                    <span key={stick} className="nm-stick" data-mark={mark} style={style} aria-hidden="true">
                      <Sign mark={mark} />
                    </span>
                  );
                const values = { h: heap + 1, all: size };
                return (
                  <button
                    key={stick}
                    type="button"
                    data-stick={`${heap}:${stick}`}
                    className={`nm-stick ${taken !== undefined ? "nm-may" : ""} ${aimed ? "nm-aimed" : ""}`}
                    data-mark={mark}
                    style={style}
                    tabIndex={heap === row && stick === place ? 0 : -1}
                    aria-disabled={taken === undefined}
                    aria-label={
                      taken === undefined
                        ? t("stick", { ...values, n: stick + 1 })
                        : t("take", { ...values, n: size - stick })
                    }
                    onClick={() => {
                      setAim(null);
                      if (taken !== undefined) onAct(taken);
                    }}
                    onMouseEnter={() => setAim({ heap, stick })}
                    onFocus={() => {
                      setAim({ heap, stick });
                      setStop([heap, stick]);
                    }}
                    onBlur={() => setAim(null)}
                    onKeyDown={(event) => walk(event, heap, stick)}
                  >
                    <Sign mark={mark} />
                  </button>
                );
              })}
            </span>
            <span className="nm-left" aria-hidden="true">
              {aim !== null && aim.heap === heap && action(heap, aim.stick) !== undefined
                ? `−${size - aim.stick}`
                : size}
            </span>
          </div>
        ))}
      </div>
      <p className="bd-hint bd-rule">
        {t(misere ? "misere" : "normal")} {legal.size > 0 && <span className="bd-keys">{t("keys")}</span>}
      </p>
    </section>
  );
}
