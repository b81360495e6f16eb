// The review of a game: starting it, its progress, the worst mistakes in words, and what each player lost.

import { useMemo } from "react";
import type { Language, ReviewDecision } from "../api/types";
import { actionWord } from "../games";
import { type Translate, useT } from "../i18n";
import { figure } from "../i18n/numbers";
import { Curve } from "../kibitz/Curve";
import { EffortSelect } from "../kibitz/EffortSelect";
import { useEffort } from "../kibitz/useKibitz";
import { errorText } from "../ui/errors";
import { type Step, stepAt } from "./steps";
import type { ReviewState } from "./useReview";

interface Props {
  state: ReviewState;
  steps: readonly Step[];
  names: readonly string[];
  at: number;
  language: Language;
  onGo(step: number): void;
}

export function ReviewPanel({ state, steps, names, at, language, onGo }: Props) {
  const t = useT();
  const { review, progress, outcome, error } = state;
  // The curve counts positions, like the slider.
  const points = useMemo(
    () => (review?.curve ?? []).map((point) => ({ ...point, ply: stepAt(steps, point.ply) + 1 })),
    [review, steps],
  );
  return (
    <section className="card rp-part" aria-label={t("replay.review")}>
      <h2>{t("replay.review")}</h2>
      <Begin state={state} />
      {progress !== null && (
        <div className="rp-progress">
          <label>
            {t("replay.reviewing")}
            <progress value={progress} max={1} />
          </label>
          <span>{figure(progress * 100, language, 0)} %</span>
          <button type="button" className="button small" onClick={state.cancel}>
            {t("kibitz.cancel")}
          </button>
        </div>
      )}
      {outcome !== null && (
        <p className="soft">{t(outcome === "failed" ? "replay.reviewFailed" : "replay.reviewCancelled")}</p>
      )}
      {error !== null && error !== undefined && (
        <p className="notice bad" role="alert">
          {errorText(error, t)}
        </p>
      )}
      {review && (
        <>
          <h3>{t("replay.worst")}</h3>
          {review.worst.length === 0 && <p className="soft">{t("replay.noMistakes")}</p>}
          <ol className="rp-worst">
            {review.worst.map((index, rank) => {
              const decision = review.decisions[index];
              if (!decision) return null;
              const words = review.words[language][rank];
              return (
                <li key={index}>
                  <p>
                    <b>{names[decision.seat]}</b> <Lost decision={decision} language={language} />
                  </p>
                  <p>{words ?? comparison(decision, steps, language, t)}</p>
                  <button type="button" className="button small" onClick={() => onGo(stepAt(steps, decision.ply))}>
                    {t("replay.jump")}
                  </button>
                </li>
              );
            })}
          </ol>
          <h3>{t("replay.perPlayer")}</h3>
          <ul className="rp-sums">
            {review.players.map((player) => (
              <li key={player.seat}>
                <span>
                  <i style={{ background: `var(--seat-${player.seat % 4})` }} aria-hidden="true" />
                  {names[player.seat]}
                </span>
                <b>{figure(player.lost, language)}</b>
                <span className="soft">
                  {player.mistakes === 1 ? t("replay.mistake1") : t("replay.mistakes", { n: player.mistakes })}
                </span>
              </li>
            ))}
          </ul>
          <h3>{t("kibitz.curve")}</h3>
          <Curve points={points} names={names} at={at + 1} onPick={(position) => onGo(position - 1)} />
          <p className="soft rp-by">
            {t("replay.reviewBy", { spec: "" })} <code>{review.spec}</code>
          </p>
        </>
      )}
    </section>
  );
}

function Begin({ state }: { state: ReviewState }) {
  const t = useT();
  const [effort, setEffort] = useEffort();
  if (state.progress !== null) return null;
  return (
    <>
      {!state.review && <p className="soft rp-intro">{t("replay.reviewIntro")}</p>}
      <div className="rp-begin">
        <button
          type="button"
          className={state.review ? "button small" : "button primary small"}
          onClick={() => state.begin(effort)}
        >
          {t(state.review ? "replay.again" : "replay.begin")}
        </button>
        <EffortSelect effort={effort} choose={setEffort} />
      </div>
    </>
  );
}

/** What a decision lost, with its error. */
export function Lost({ decision, language }: { decision: ReviewDecision; language: Language }) {
  const t = useT();
  const { lost, error } = decision;
  if (lost === null) return null;
  return (
    <span className={decision.mistake ? "rp-lost rp-mistake" : "rp-lost"}>
      {t("replay.lostShort", { n: figure(lost, language) })}
      {error !== null && error > 0 && <small> ± {figure(error, language)}</small>}
    </span>
  );
}

function comparison(
  decision: ReviewDecision,
  steps: readonly Step[],
  language: Language,
  t: Translate,
): string {
  const step = steps[stepAt(steps, decision.ply)];
  const word = (name: string) => (step ? actionWord(step.snapshot, name, language) : name);
  return t("replay.comparison", { played: word(decision.played), best: word(decision.best) });
}
