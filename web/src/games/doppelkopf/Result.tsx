// How a game of Doppelkopf ended, item by item.

import type { Snapshot } from "../../api/types";
import { useT } from "../../i18n";
import { signed } from "../../i18n/numbers";
import { Explained } from "../../ui/Explained";
import { SeatPoints } from "../generic/Result";
import { namesOf } from "../seats";
import { contractWord, tricksWord } from "./logic";
import type { DoppelkopfResult } from "./types";
import { words } from "./words";
import "./result.css";

export function Result({ snapshot }: { snapshot: Snapshot }) {
  const t = useT(words);
  const { language } = t;
  const result = snapshot.over?.result as unknown as DoppelkopfResult;
  const names = namesOf(snapshot, language);
  if (result.thrown !== undefined && result.thrown !== null) {
    return (
      <>
        <h2>{t(result.type === "throw-in" ? "result.thrown" : "result.notTaken")}</h2>
        <p className="soft">{names[result.thrown]}</p>
        <SeatPoints snapshot={snapshot} />
      </>
    );
  }
  const sum = result.item_points_re.reduce((total, value) => total + value, 0);
  const gained = result.winner !== "none" ? result.winner : sum > 0 ? "re" : "kontra";
  const sign = gained === "re" ? 1 : -1;
  const items = language === "de" ? result.items_de : result.items_en;
  const mine = snapshot.you === null ? null : result.points[snapshot.you];
  const total = result.trick_winners.length;
  const sides = [
    { party: "re", seats: result.re, eyes: result.eyes_re, tricks: result.tricks_re },
    { party: "kontra", seats: result.kontra, eyes: result.eyes_kontra, tricks: total - result.tricks_re },
  ] as const;
  return (
    <>
      <h2>
        {result.winner === "none"
          ? t("result.nobody")
          : t("result.wins", { party: t(`party.${result.winner}`) })}
        {result.winner !== "none" && mine !== undefined && mine !== null && mine !== 0 && (
          <span className={mine > 0 ? "result-mine won" : "result-mine lost"}>
            {t(mine > 0 ? "result.you.won" : "result.you.lost")}
          </span>
        )}
      </h2>
      <p className="soft">{contractWord(result.silent_solo ? "silent" : result.type, t)}</p>
      <div className="result-sides">
        {sides.map((side) => (
          <div key={side.party} className={side.party === result.winner ? "result-side winner" : "result-side"}>
            <span className={`dk-party ${side.party}`}>{t(`party.${side.party}`)}</span>
            <strong>{side.seats.map((seat) => names[seat]).join(", ")}</strong>
            <span>{t("result.eyesTricks", { eyes: side.eyes, tricks: tricksWord(side.tricks, t) })}</span>
          </div>
        ))}
      </div>
      <table className="result-items">
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{t("result.item")}</th>
            <th scope="col">{t("table.points")}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((item, i) => (
            <tr key={i}>
              <td>
                <Explained text={item} />
              </td>
              <td>{signed(sign * (result.item_points_re[i] ?? 0), language)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td>
              {t("result.sum", { party: t(`party.${gained}`) })}
              {result.solo_scoring && <span className="soft"> · {t("result.tripled")}</span>}
              {(result.worth ?? 1) > 1 && (
                <span className="soft"> · {t("result.worth", { times: result.worth ?? 1 })}</span>
              )}
            </td>
            <td>{signed(sign * sum, language)}</td>
          </tr>
        </tfoot>
      </table>
      <SeatPoints snapshot={snapshot} />
    </>
  );
}
