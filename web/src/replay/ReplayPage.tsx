// A finished game, step by step: the board of any game with all hands open, a slider, a review of every decision, and
// the record to share or to download.

import { useCallback, useEffect, useMemo, useState } from "react";
import { api } from "../api/client";
import type { StoredRecord } from "../api/types";
import { actionWord, faceOf, titleOf } from "../games";
import { namesOf } from "../games/seats";
import { useLanguage, useT } from "../i18n";
import { exactSeed, saveRecord } from "../records/files";
import { Upload } from "../records/Upload";
import { hashOf } from "../router";
import { RulesInForce } from "../rules/RulesInForce";
import { useAnimate } from "../theme/theme";
import { errorText } from "../ui/errors";
import { Page } from "../shell/Page";
import { Controls } from "./Controls";
import { MoveList } from "./MoveList";
import { ReviewPanel } from "./ReviewPanel";
import { movesOf, seenFrom, stepsOf } from "./steps";
import { useReview } from "./useReview";
import "../kibitz/kibitz.css";
import "./replay.css";

export function ReplayPage({ id }: { id: string }) {
  const t = useT();
  const [stored, setStored] = useState<StoredRecord | null>(null);
  const [error, setError] = useState<unknown>(null);

  useEffect(() => {
    let gone = false;
    setStored(null);
    setError(null);
    api
      .record(id)
      .then((answer) => !gone && setStored(answer))
      .catch((problem: unknown) => !gone && setError(problem));
    return () => {
      gone = true;
    };
  }, [id]);

  if (stored) return <Replay id={id} stored={stored} />;
  return (
    <Page title={t("replay.replay")}>
      {error ? (
        <div className="rp-gone card" role="alert">
          <h1>{t("replay.replay")}</h1>
          <p>{t("replay.noRecord", { why: errorText(error, t) })}</p>
          <div className="rp-keep">
            <a className="button primary small" href="#/">
              {t("app.back")}
            </a>
            <Upload small label={t("replay.upload")} />
          </div>
        </div>
      ) : (
        <p className="soft" role="status">
          {t("replay.loadingRecord")}
        </p>
      )}
    </Page>
  );
}

function Replay({ id, stored }: { id: string; stored: StoredRecord }) {
  const t = useT();
  const language = useLanguage();
  const animate = useAnimate();
  const steps = useMemo(() => stepsOf(stored), [stored]);
  const moves = useMemo(() => movesOf(steps), [steps]);
  const names = useMemo(() => (steps[0] ? namesOf(steps[0].snapshot, language) : []), [steps, language]);
  const [at, setAt] = useState(0);
  const [seat, setSeat] = useState(0);
  const state = useReview(id);
  const goTo = useCallback((step: number) => setAt(step), []);
  const step = steps[at] ?? steps[0];
  const { Board } = faceOf(stored.game.name);
  const title = titleOf(stored.game, language);
  const snapshot = useMemo(() => (step ? seenFrom(step.snapshot, seat, names) : null), [step, seat, names]);
  if (!step || !snapshot) return null;

  const before = moves.filter((move) => move.step < at).at(-1);
  const beforeStep = before && steps[before.step];
  const last =
    before && beforeStep
      ? t("replay.played", {
          name: before.seat === null ? "–" : (names[before.seat] ?? ""),
          move: actionWord(beforeStep.snapshot, before.name, language),
        })
      : t("replay.startPosition");
  const over = step.snapshot.over;
  const seed = over && stored.game.hidden ? exactSeed(over.seed) : null;
  return (
    <Page
      wide
      title={`${t("replay.replay")}: ${title}`}
      header={
        <span className="rp-title">
          {t("replay.replay")}: {title}
        </span>
      }
    >
      <div className={`rp game-${stored.game.name}`}>
        <h1 className="visually-hidden">
          {t("replay.replay")}: {title}
        </h1>
        <div className="rp-main">
          <div className="rp-board">
            <Board snapshot={snapshot} onAct={() => undefined} busy language={language} animate={animate} />
          </div>
          <div className="rp-dock card">
            <div className="rp-caption">
              <b aria-live="polite">{last}</b>
              <label>
                <span>{t("replay.viewpoint")}</span>
                <select
                  className="field kb-select"
                  value={seat}
                  onChange={(event) => setSeat(Number(event.target.value))}
                >
                  {names.map((name, each) => (
                    <option key={each} value={each}>
                      {name}
                    </option>
                  ))}
                </select>
              </label>
            </div>
            <Controls at={at} last={steps.length - 1} onGo={goTo} />
            {over && (
              <div className="rp-over">
                {over.words[language].map((line, i) => (
                  <p key={i}>{line}</p>
                ))}
                {seed !== null && <p className="soft">{t("replay.seed_shown", { n: seed })}</p>}
              </div>
            )}
            <p className="bd-hint">{t("replay.replayKeys")}</p>
          </div>
        </div>
        <aside className="rp-side" aria-label={t("replay.review")}>
          <Keep id={id} stored={stored} />
          <ReviewPanel
            state={state}
            steps={steps}
            names={names}
            at={at}
            language={language}
            onGo={goTo}
          />
          <MoveList
            moves={moves}
            review={state.review}
            steps={steps}
            names={names}
            at={at}
            language={language}
            onGo={goTo}
          />
          <RulesInForce game={stored.game} />
        </aside>
      </div>
    </Page>
  );
}

/** Sharing and keeping the record. */
function Keep({ id, stored }: { id: string; stored: StoredRecord }) {
  const t = useT();
  const [copied, setCopied] = useState(false);
  const [shown, setShown] = useState(false);
  const link = `${location.origin}${location.pathname}${hashOf({ page: "record", id })}`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
      setCopied(true);
    } catch {
      setShown(true); // Without a clipboard the person copies by hand.
    }
  };
  return (
    <section className="rp-keep" aria-label={t("replay.shareLink")}>
      <button type="button" className="button small" onClick={() => void copy()}>
        <span aria-live="polite">{t(copied ? "replay.copied" : "replay.shareLink")}</span>
      </button>
      <button
        type="button"
        className="button small"
        onClick={() => saveRecord(stored.record, `kiebitz-${stored.game.name}.jsonl`)}
      >
        {t("replay.download")}
      </button>
      <Upload small label={t("replay.upload")} />
      {shown && (
        <input
          className="field"
          readOnly
          value={link}
          aria-label={t("replay.linkIs")}
          onFocus={(event) => event.target.select()}
        />
      )}
    </section>
  );
}
