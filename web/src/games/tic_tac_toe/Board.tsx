// Tic-tac-toe: nine cells, by mouse, by arrows and Enter, or by the keys 1 to 9.

import { useRef } from "react";
import { translator } from "../../i18n";
import { useKeys, usePrevious } from "../../ui/hooks";
import type { BoardProps } from "../face";
import { Players } from "../Players";
import { Sign } from "../marks";
import { nameOf, playable } from "../seats";
import { newCell } from "../squares/newCell";
import { words } from "./words";
import "./tic_tac_toe.css";

/** What everybody knows: nine cells of x, o and dots, row by row, and which of them form complete lines. */
interface TicTacToePublic {
  board: string;
  line: number[];
}

const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};

function Stone({ stone, drawn }: { stone: string; drawn: boolean }) {
  return (
    <svg
      className={`tt-mark tt-${stone} ${drawn ? "tt-drawn" : ""}`}
      viewBox="0 0 100 100"
      aria-hidden="true"
      focusable="false"
    >
      {stone === "x" ? (
        <>
          <path pathLength="100" d="M24 25 C40 44 58 60 76 77" />
          <path pathLength="100" d="M76 24 C60 42 42 58 23 76" />
        </>
      ) : (
        <path pathLength="100" d="M52 20 C32 20 20 35 20 51 C20 68 34 80 51 80 C68 80 80 67 80 50 C80 34 68 21 50 21" />
      )}
    </svg>
  );
}

export function Board({ snapshot, onAct, busy, language, animate, marks }: BoardProps) {
  const t = translator(language, words);
  const { board, line } = snapshot.public as unknown as TicTacToePublic;
  const grid = useRef<HTMLDivElement>(null);
  const fresh = newCell(usePrevious(board), board);
  const legal = new Map(playable(snapshot, busy).map((entry) => [entry.action, entry]));
  const won = new Set(line);

  const act = (cell: number) => {
    if (legal.has(cell)) onAct(cell);
  };
  useKeys((key) => {
    const cell = /^[1-9]$/.test(key) ? Number(key) - 1 : -1;
    if (!legal.has(cell)) return false;
    act(cell);
    return true;
  });
  const walk = (event: React.KeyboardEvent, cell: number) => {
    const step = ARROWS[event.key];
    if (!step) return;
    const row = (Math.floor(cell / 3) + step[0] + 3) % 3;
    const column = ((cell % 3) + step[1] + 3) % 3;
    grid.current?.querySelectorAll<HTMLElement>("button")[row * 3 + column]?.focus();
    event.preventDefault();
  };

  return (
    <section className="tt-fit" aria-label={t("board")}>
      <Players
        snapshot={snapshot}
        language={language}
        mark={(seat) => <b className={`tt-sign tt-sign-${seat}`}>{seat === 0 ? "×" : "○"}</b>}
      />
      <div className="tt-board" ref={grid}>
        {[...board].map((stone, cell) => {
          const name = `${"abc"[cell % 3]}${Math.floor(cell / 3) + 1}`;
          const what =
            stone === "." ? t("empty") : `${stone} (${nameOf(snapshot, stone === "x" ? 0 : 1, language)})`;
          const label = legal.has(cell) ? t("cellPlay", { name }) : t("cell", { name, what });
          const classes = `tt-cell ${legal.has(cell) ? "tt-may" : ""} ${won.has(cell) ? "tt-won" : ""}`;
          const mark = marks?.of.get(cell);
          const face = (
            <>
              {stone !== "." && <Stone stone={stone} drawn={animate && fresh === cell} />}
              <Sign mark={mark} />
            </>
          );
          return snapshot.role === "seat" ? (
            <button
              key={cell}
              type="button"
              className={classes}
              data-mark={mark}
              aria-label={label}
              aria-disabled={!legal.has(cell)}
              onClick={() => act(cell)}
              onKeyDown={(event) => walk(event, cell)}
            >
              {face}
            </button>
          ) : (
            <div key={cell} className={classes} data-mark={mark} role="img" aria-label={label}>
              {face}
            </div>
          );
        })}
      </div>
      {legal.size > 0 && <p className="bd-hint">{t("keys")}</p>}
    </section>
  );
}
