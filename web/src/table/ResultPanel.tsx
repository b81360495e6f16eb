// How a game ended, item by item and in words, and where to go from there.

import { useEffect, useRef, useState } from "react";
import { api } from "../api/client";
import type { Snapshot } from "../api/types";
import { faceOf } from "../games";
import { nameOf } from "../games/seats";
import { useLanguage, useT } from "../i18n";
import { exactSeed, saveRecord } from "../records/files";
import { go } from "../router";
import "./result.css";

interface ResultPanelProps {
  snapshot: Snapshot;
  token: string | null;
  mayGoOn: boolean;
  busy: boolean;
  onNext(): void;
  onRematch(wanted: boolean): void;
  onError(error: unknown): void;
  onHide(): void;
}

export function ResultPanel({ snapshot, token, mayGoOn, busy, onNext, onRematch, onError, onHide }: ResultPanelProps) {
  const t = useT();
  const language = useLanguage();
  const { Result: Details } = faceOf(snapshot.game.name);
  const [opening, setOpening] = useState(false);
  const { over, number } = snapshot;
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    // Some browsers answer with a promise, which must not become the clean-up of the effect.
    void box.current?.scrollIntoView?.({ block: "nearest" });
    // The card or button that ended the game is gone, and the focus with it; what somebody is at elsewhere stays.
    if (document.activeElement === document.body) box.current?.focus({ preventScroll: true });
  }, []);
  if (!over) return null;
  const { last } = snapshot.score;
  const rematching = snapshot.control?.rematching ?? [];
  const mine = snapshot.you !== null && rematching.includes(snapshot.you);
  const asking = rematching.map((seat) => nameOf(snapshot, seat, language)).join(", ");
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
      <Details snapshot={snapshot} />
      {last && (
        <p className="soft" role="status">
          {mine ? t("table.rematch.waiting") : asking ? t("table.rematch.asked", { names: asking }) : t("table.seriesOver")}
        </p>
      )}
      <div className="result-buttons">
        {!last && mayGoOn && (
          <button type="button" className="button primary" disabled={busy} onClick={onNext}>
            {t("table.next")}
          </button>
        )}
        {last && mayGoOn && snapshot.control && (
          <button type="button" className={mine ? "button" : "button primary"} disabled={busy} onClick={() => onRematch(!mine)}>
            {t(mine ? "table.rematch.withdraw" : "table.rematch")}
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
