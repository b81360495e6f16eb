// How a game ended, item by item and in words, and where to go from there.

import { useEffect, useRef, useState } from "react";
import { api } from "../api/client";
import type { DoppelkopfResult, Snapshot } from "../api/types";
import { namesOf, signed } from "../boards/common";
import { contractWord, tricksWord } from "../doppelkopf/logic";
import { useLanguage, useT } from "../i18n";
import { exactSeed, saveRecord } from "../replay/files";
import { go } from "../router";
import "./result.css";

interface ResultProps {
  snapshot: Snapshot;
  token: string | null;
  mayGoOn: boolean;
  busy: boolean;
  onNext(): void;
  onError(error: unknown): void;
  onHide(): void;
}

export function Result({ snapshot, token, mayGoOn, busy, onNext, onError, onHide }: ResultProps) {
  const t = useT();
  const [opening, setOpening] = useState(false);
  const { over, options, number } = snapshot;
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    // Some browsers answer with a promise, which must not become the clean-up of the effect.
    void box.current?.scrollIntoView?.({ block: "nearest" });
    // The card or button that ended the game is gone, and the focus with it; what somebody is at elsewhere stays.
    if (document.activeElement === document.body) box.current?.focus({ preventScroll: true });
  }, []);
  if (!over) return null;
  const last = options.games !== null && number >= options.games;
  const seed = snapshot.game.hidden ? exactSeed(over.seed) : null;

  const review = async () => {
    setOpening(true);
    try {
      const { record } = await api.share(snapshot.table, number, token);
      go({ page: "record", id: record });
    } catch (error) {
      onError(error);
      setOpening(false);
    }
  };
  const download = async () => {
    try {
      saveRecord(await api.gameRecord(snapshot.table, number, token), `kiebitz-${snapshot.game.name}-${number}.jsonl`);
    } catch (error) {
      onError(error);
    }
  };

  return (
    <section ref={box} className="result card" tabIndex={-1} aria-label={t("table.result")}>
      {snapshot.game.name === "doppelkopf" ? <Doppelkopf snapshot={snapshot} /> : <Plain snapshot={snapshot} />}
      {last && <p className="soft">{t("table.seriesOver")}</p>}
      <div className="result-buttons">
        {!last && mayGoOn && (
          <button type="button" className="button primary" disabled={busy} onClick={onNext}>
            {t("table.next")}
          </button>
        )}
        {over.record && (
          <>
            <button type="button" className="button" disabled={opening} onClick={() => void review()}>
              {t("table.review")}
            </button>
            <button type="button" className="button quiet" onClick={() => void download()}>
              {t("table.record")}
            </button>
          </>
        )}
        <button type="button" className="button quiet result-hide" onClick={onHide}>
          {t("table.result.hide")}
        </button>
      </div>
      {seed !== null && <p className="result-seed">{t("table.seed", { seed })}</p>}
    </section>
  );
}

/** Without the last words, the points: they stand beside the names below. */
function Plain({ snapshot }: { snapshot: Snapshot }) {
  const language = useLanguage();
  const [head, ...rest] = snapshot.over?.words[language].slice(0, -1) ?? [];
  return (
    <>
      <h2>{head}</h2>
      {rest.map((line) => (
        <p key={line}>{line}</p>
      ))}
      <SeatPoints snapshot={snapshot} />
    </>
  );
}

function Doppelkopf({ snapshot }: { snapshot: Snapshot }) {
  const t = useT();
  const language = useLanguage();
  const result = snapshot.over?.result as unknown as DoppelkopfResult;
  const names = namesOf(snapshot, language);
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
          ? t("dk.result.nobody")
          : t("dk.result.wins", { party: t(`dk.party.${result.winner}`) })}
        {result.winner !== "none" && mine !== undefined && mine !== null && mine !== 0 && (
          <span className={mine > 0 ? "result-mine won" : "result-mine lost"}>
            {t(mine > 0 ? "dk.result.you.won" : "dk.result.you.lost")}
          </span>
        )}
      </h2>
      <p className="soft">{contractWord(result.silent_solo ? "silent" : result.type, t)}</p>
      <div className="result-sides">
        {sides.map((side) => (
          <div key={side.party} className={side.party === result.winner ? "result-side winner" : "result-side"}>
            <span className={`dk-party ${side.party}`}>{t(`dk.party.${side.party}`)}</span>
            <strong>{side.seats.map((seat) => names[seat]).join(", ")}</strong>
            <span>{t("dk.result.eyesTricks", { eyes: side.eyes, tricks: tricksWord(side.tricks, t) })}</span>
          </div>
        ))}
      </div>
      <table className="result-items">
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{t("dk.result.item")}</th>
            <th scope="col">{t("table.points")}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((item, i) => (
            <tr key={i}>
              <td>{item}</td>
              <td>{signed(sign * (result.item_points_re[i] ?? 0), language)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td>
              {t("dk.result.sum", { party: t(`dk.party.${gained}`) })}
              {result.solo_scoring && <span className="soft"> · {t("dk.result.tripled")}</span>}
            </td>
            <td>{signed(sign * sum, language)}</td>
          </tr>
        </tfoot>
      </table>
      <SeatPoints snapshot={snapshot} />
    </>
  );
}

function SeatPoints({ snapshot }: { snapshot: Snapshot }) {
  const language = useLanguage();
  const returns = snapshot.over?.returns ?? [];
  return (
    <ul className="result-seats">
      {namesOf(snapshot, language).map((name, i) => (
        <li key={i} className={i === snapshot.you ? "you" : undefined}>
          <span title={name}>{name}</span>
          <strong>{signed(returns[i] ?? 0, language)}</strong>
        </li>
      ))}
    </ul>
  );
}
