// The score sheet of a series: one line a game, running totals as players write them.

import { useEffect, useRef } from "react";
import type { Snapshot } from "../api/types";
import { namesOf } from "../games/seats";
import { useLanguage, useT } from "../i18n";
import { signed } from "../i18n/numbers";

export function runningTotals(games: readonly (readonly number[])[]): number[][] {
  const totals: number[][] = [];
  for (const game of games) {
    const before = totals.at(-1);
    totals.push(game.map((value, seat) => value + (before?.[seat] ?? 0)));
  }
  return totals;
}

export function ScoreSheet({ snapshot }: { snapshot: Snapshot }) {
  const t = useT();
  const { games, totals } = snapshot.score;
  const columns = snapshot.score.columns ?? snapshot.seats.map((_, seat) => seat);
  const language = useLanguage();
  const names = namesOf(snapshot, language);
  const box = useRef<HTMLDivElement>(null);
  const { length } = games;
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight; // the newest game is in sight
  }, [length]);
  if (games.length === 0) return <p className="soft">{t("table.score.empty")}</p>;
  const running = runningTotals(games);
  return (
    <div ref={box} className="score-scroll" tabIndex={0} role="region" aria-label={t("table.score")}>
      <table className="score">
        <thead>
          <tr>
            <th scope="col">{t("table.score.game")}</th>
            {columns.map((seat) => (
              <th key={seat} scope="col" className={seat === snapshot.you ? "you" : undefined}>
                <span className="score-name" title={names[seat]}>
                  {names[seat]}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {running.map((row, game) => (
            <tr key={game}>
              <th scope="row">{game + 1}</th>
              {columns.map((seat) => (
                <td key={seat}>
                  <span className="score-total" title={t("table.score.sum")}>
                    {signed(row[seat] ?? 0, language)}
                  </span>
                  <span className="score-change" title={t("table.score.this")}>
                    {signed(games[game]?.[seat] ?? 0, language)}
                  </span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t("table.score.total")}</th>
            {columns.map((seat) => (
              <td key={seat} className={seat === snapshot.you ? "you" : undefined}>
                {signed(totals[seat] ?? 0, language)}
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
      {games.length > 1 && <p className="score-legend">{t("table.score.legend")}</p>}
    </div>
  );
}
