// Connect Four: discs that fall behind an upright board; columns by mouse, by their buttons, or by number keys.

import { useState } from "react";
import { translator } from "../../i18n";
import { useKeys, usePrevious } from "../../ui/hooks";
import type { BoardProps } from "../face";
import { Players } from "../Players";
import { Sign } from "../marks";
import { nameOf, playable } from "../seats";
import { newCell } from "../squares/newCell";
import { words } from "./words";
import "./connect_four.css";

/** What everybody knows: rows of x, o and dots from the top, with strokes between them, and the cells of complete lines. */
interface ConnectFourPublic {
  board: string;
  line: number[];
}

export function Board({ snapshot, onAct, busy, language, animate, marks }: BoardProps) {
  const t = translator(language, words);
  const { board, line } = snapshot.public as unknown as ConnectFourPublic;
  const rows = board.split("/");
  const columns = rows[0]?.length ?? 0;
  const flat = rows.join("");
  const fallen = newCell(usePrevious(flat), flat);
  const [over, setOver] = useState<number | null>(null);
  const legal = new Map(playable(snapshot, busy).map((entry) => [entry.action, entry]));
  const won = new Set(line);
  const mover = snapshot.turn === 1 ? "o" : "x";
  const lastName = snapshot.history[snapshot.history.length - 1];
  const lastColumn = lastName ? lastName.charCodeAt(0) - 97 : -1;
  const lastRow = rows.findIndex((row) => (row[lastColumn] ?? ".") !== ".");
  const seated = snapshot.role === "seat";

  const act = (column: number) => {
    if (legal.has(column)) onAct(column);
  };
  useKeys((key) => {
    const column = /^[1-9]$/.test(key) ? Number(key) - 1 : -1;
    if (!legal.has(column)) return false;
    act(column);
    return true;
  });

  const who = (stone: string) => nameOf(snapshot, stone === "o" ? 1 : 0, language);
  return (
    <section className="c4-fit" aria-label={t("board")}>
      <Players
        snapshot={snapshot}
        language={language}
        mark={(seat) => <i className={`c4-disc c4-${seat === 0 ? "x" : "o"}`} aria-hidden="true" />}
      />
      <div className="c4-frame" style={{ "--columns": columns, "--rows": rows.length } as React.CSSProperties}>
        <div className={`c4-board ${snapshot.over ? "c4-over" : ""}`}>
          {Array.from({ length: columns }, (_, column) => {
            const stones = rows.map((row) => row[column] ?? ".");
            const name = String.fromCharCode(97 + column);
            const filled = stones.filter((stone) => stone !== ".").reverse();
            const full = filled.length === rows.length;
            const label = legal.has(column)
              ? t("column", { name })
              : full
                ? t("columnFull", { name })
                : t("columnIs", { name, stones: filled.map(who).join(", ") || t("empty") });
            const mark = marks?.of.get(column);
            const cells = (
              <>
                <Sign mark={mark} />
                {stones.map((stone, row) => {
                  const cell = row * columns + column;
                  const classes = [
                    "c4-disc",
                    `c4-${stone}`,
                    animate && fallen === cell ? "c4-fall" : "",
                    won.has(cell) ? "c4-won" : "",
                    row === lastRow && column === lastColumn ? "c4-last" : "",
                  ];
                  return (
                    <span key={row} className="c4-cell" style={{ "--row": row } as React.CSSProperties}>
                      {stone !== "." && <span className={classes.join(" ")} />}
                    </span>
                  );
                })}
                {over === column && legal.has(column) && <span className={`c4-disc c4-ghost c4-${mover}`} />}
              </>
            );
            return seated ? (
              <button
                key={column}
                type="button"
                className={`c4-column ${legal.has(column) ? "c4-may" : ""}`}
                data-mark={mark}
                aria-label={label}
                aria-disabled={!legal.has(column)}
                aria-keyshortcuts={String(column + 1)}
                onClick={() => act(column)}
                onMouseEnter={() => setOver(column)}
                onMouseLeave={() => setOver(null)}
                onFocus={() => setOver(column)}
                onBlur={() => setOver(null)}
              >
                {cells}
              </button>
            ) : (
              <div key={column} className="c4-column" data-mark={mark} role="img" aria-label={label}>
                {cells}
              </div>
            );
          })}
          <div className="c4-panel" aria-hidden="true" />
        </div>
        <div className="c4-names" aria-hidden="true">
          {Array.from({ length: columns }, (_, column) => (
            <span key={column}>{String.fromCharCode(97 + column)}</span>
          ))}
        </div>
      </div>
      {legal.size > 0 && <p className="bd-hint">{t("keys", { n: columns })}</p>}
    </section>
  );
}
