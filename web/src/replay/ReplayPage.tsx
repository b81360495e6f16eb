// A finished game, step by step: the board of any game with all hands open, a slider, a review of every decision with
// marks on the board, the kibitz, another try at a mistake, playing on, and the record to share or to download.

import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { api } from "../api/client";
import type { Kibitz, Review, ReviewDecision, StoredRecord } from "../api/types";
import { actionWord, faceOf, titleOf } from "../games";
import { namesOf } from "../games/seats";
import { Terms } from "../guide/Terms";
import { keepReview } from "../history/history";
import { useLanguage, useT } from "../i18n";
import { Thinking } from "../kibitz";
import { recordSource } from "../kibitz/useKibitz";
import { exactSeed, saveRecord } from "../records/files";
import { Upload } from "../records/Upload";
import { hashOf } from "../router";
import { RulesInForce } from "../rules/RulesInForce";
import { useAnimate } from "../theme/theme";
import { errorText } from "../ui/errors";
import { Explained } from "../ui/Explained";
import { Page } from "../shell/Page";
import { Controls } from "./Controls";
import { marksBy, marksOf } from "./marks";
import { MoveList } from "./MoveList";
import { PlayOn } from "./PlayOn";
import { ReviewPanel } from "./ReviewPanel";
import { movesOf, seenFrom, stepAt, stepsOf, stopAt, stopsOf } from "./steps";
import { TryPanel } from "./TryPanel";
import { useReview } from "./useReview";
import { useTry } from "./useTry";
import { Verdict } from "./Verdict";
import "../kibitz/kibitz.css";
import "./replay.css";

export function ReplayPage({ id, ply }: { id: string; ply?: number }) {
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

  if (stored)
    return (
      <Terms game={stored.game.name}>
        <Replay id={id} stored={stored} ply={ply} />
      </Terms>
    );
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

function Replay({ id, stored, ply }: { id: string; stored: StoredRecord; ply?: number }) {
  const t = useT();
  const language = useLanguage();
  const animate = useAnimate();
  const steps = useMemo(() => stepsOf(stored), [stored]);
  const moves = useMemo(() => movesOf(steps), [steps]);
  const names = useMemo(() => (steps[0] ? namesOf(steps[0].snapshot, language) : []), [steps, language]);
  const state = useReview(id);
  const stops = useMemo(() => stopsOf(steps, state.review), [steps, state.review]);
  const [chosen, setAt] = useState(() => (ply === undefined ? 0 : stepAt(steps, ply)));
  const [seat, setSeat] = useState(() => (ply === undefined ? 0 : (steps[stepAt(steps, ply)]?.seat ?? 0)));
  const [failure, setFailure] = useState<unknown>(null);
  const [advice, setAdvice] = useState<Kibitz | null>(null);
  const board = useRef<HTMLDivElement>(null);
  const tries = useTry(id, stored, setFailure);
  const { end } = tries;
  const at = stops[stopAt(stops, chosen)] ?? 0;
  const goTo = useCallback(
    (step: number) => {
      end();
      setFailure(null);
      setAt(step);
    },
    [end],
  );
  const goToStop = useCallback((place: number) => goTo(stops[place] ?? 0), [goTo, stops]);
  const jump = (decision: ReviewDecision) => {
    goTo(stepAt(steps, decision.ply));
    setSeat(decision.seat);
    // On a phone the board is far above. Some browsers answer with a promise, which nobody waits for.
    if ((board.current?.getBoundingClientRect().top ?? 0) < 0) void board.current?.scrollIntoView?.({ block: "start" });
  };
  const tryAgain = (decision: ReviewDecision) => {
    jump(decision);
    tries.begin(decision);
  };
  useEffect(() => {
    if (stored.table) keepReview(stored.table.id, stored.table.number, id, state.review);
  }, [id, stored, state.review]);
  const step = steps[at] ?? steps[0];
  const { Board } = faceOf(stored.game.name);
  const title = titleOf(stored.game, language);
  const decision = state.review?.decisions.find((each) => each.ply === step?.ply) ?? null;
  const trying = tries.now;
  const after = trying?.tried?.after ?? null;
  const snapshot = useMemo(() => {
    if (!step) return null;
    const seen = seenFrom(after ?? step.snapshot, seat, names);
    return trying && !trying.solved ? { ...seen, role: "seat" as const } : seen;
  }, [step, after, seat, names, trying]);
  const marks = useMemo(() => {
    if (!step || after) return undefined;
    if (decision && !decision.forced) return marksOf(step.snapshot, decision, !trying || trying.solved);
    return advice ? marksBy(advice) : undefined;
  }, [step, after, decision, advice, trying]);
  const source = useMemo(() => recordSource(id, step?.ply ?? 0), [id, step]);
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
  const next = trying && state.review ? nextMistake(state.review, trying.decision) : null;
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
      <div className={`rp game-${stored.game.name}${trying ? " rp-trying" : ""}`}>
        <h1 className="visually-hidden">
          {t("replay.replay")}: {title}
        </h1>
        <div className="rp-main" ref={board}>
          <div className="rp-board">
            <Board
              snapshot={snapshot}
              onAct={(action) => {
                if (typeof action === "number") tries.act(action);
              }}
              busy={!trying || trying.solved || trying.tried !== null}
              language={language}
              animate={animate}
              marks={marks}
            />
          </div>
          <div className="rp-dock card">
            <Controls at={stopAt(stops, at)} last={stops.length - 1} onGo={goToStop} />
            <div className="rp-caption">
              <b aria-live="polite">{last}</b>
              <label>
                <span>{t("replay.viewpoint")}</span>
                <select
                  className="field kb-select"
                  value={seat}
                  disabled={trying !== null}
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
            {trying ? (
              <TryPanel
                tries={tries}
                now={trying}
                snapshot={step.snapshot}
                names={names}
                language={language}
                onNext={next && (() => tryAgain(next))}
              />
            ) : (
              !over && (
                <div className="rp-here">
                  {decision && <Verdict decision={decision} snapshot={step.snapshot} language={language} />}
                  <div className="rp-options">
                    {decision?.mistake && (
                      <button type="button" className="button small" onClick={() => tryAgain(decision)}>
                        {t("replay.tryAgain")}
                      </button>
                    )}
                    <PlayOn
                      id={id}
                      stored={stored}
                      ply={step.ply}
                      seat={seat}
                      name={names[seat] ?? ""}
                      onError={setFailure}
                    />
                  </div>
                </div>
              )
            )}
            {over && (
              <div className="rp-over">
                {over.words[language].map((line, i) => (
                  <p key={i}>
                    <Explained text={line} reachable={false} />
                  </p>
                ))}
                {seed !== null && <p className="soft">{t("replay.seed_shown", { n: seed })}</p>}
              </div>
            )}
            {failure !== null && (
              <p className="notice bad" role="alert">
                {errorText(failure, t)}
              </p>
            )}
            <p className="bd-hint">{t("replay.replayKeys")}</p>
          </div>
        </div>
        <aside className="rp-side" aria-label={t("replay.review")}>
          <Keep id={id} stored={stored} />
          <ReviewPanel
            state={state}
            steps={steps}
            stops={stops}
            names={names}
            at={at}
            language={language}
            onGo={goTo}
            onJump={jump}
            onTry={tryAgain}
          />
          {!over && !trying && (
            <section className="card rp-part kb" aria-label={t("replay.kibitz")}>
              <h2>{t("replay.kibitz")}</h2>
              <Thinking
                snapshot={step.snapshot}
                source={source}
                onAnswer={setAdvice}
                elsewhere={(waiting) => {
                  const later = stops.find((stop) => stop > at && steps[stop]?.seat === waiting);
                  return later === undefined ? null : (
                    <button type="button" className="button small" onClick={() => goTo(later)}>
                      {t("kibitz.kibitzNext", { name: names[waiting] ?? "" })}
                    </button>
                  );
                }}
              />
            </section>
          )}
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

/** The next mistake of the same player in the game. */
function nextMistake(review: Review, { ply, seat }: ReviewDecision): ReviewDecision | null {
  return review.decisions.find((each) => each.mistake && each.seat === seat && each.ply > ply) ?? null;
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
      {stored.table && (
        <a className="button small" href={hashOf({ page: "table", id: stored.table.id })}>
          {t("replay.backToTable")}
        </a>
      )}
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
