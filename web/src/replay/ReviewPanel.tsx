// The review of a game: starting it, its progress, the worst mistakes in words, and what each player lost.

import { useMemo } from "react";
import type { CurvePoint, Language, Review, ReviewDecision, Unit } from "../api/types";
import { actionWord } from "../games";
import { type Translate, useT } from "../i18n";
import { figure } from "../i18n/numbers";
import { counted, differenceText, unitOf } from "../i18n/units";
import { Curve } from "../kibitz/Curve";
import { EffortSelect } from "../kibitz/EffortSelect";
import { useEffort } from "../kibitz/useKibitz";
import { errorText } from "../ui/errors";
import { Explained } from "../ui/Explained";
import { Lost } from "./Lost";
import { type Step, stepAt, stopAt } from "./steps";
import type { ReviewState } from "./useReview";

interface Props {
  state: ReviewState;
  steps: readonly Step[];
  stops: readonly number[];
  names: readonly string[];
  at: number;
  language: Language;
  onGo(step: number): void;
  /** Shows a decision on the board, wherever that is. */
  onJump(decision: ReviewDecision): void;
  onTry(decision: ReviewDecision): void;
}

export function ReviewPanel({ state, steps, stops, names, at, language, onGo, onJump, onTry }: Props) {
  const t = useT();
  const { review, progress, outcome, error } = state;
  // The curve counts positions, like the slider; the last look at a position counts.
  const points = useMemo(() => {
    const found = new Map<string, CurvePoint>();
    for (const point of review?.curve ?? []) {
      const ply = stopAt(stops, stepAt(steps, point.ply)) + 1;
      found.set(`${ply} ${point.seat}`, { ...point, ply });
    }
    return [...found.values()];
  }, [review, steps, stops]);
  const game = steps[0]?.snapshot.game ?? {};
  const unit = unitOf(game);
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
                    <b>{names[decision.seat]}</b> <Lost decision={decision} game={game} language={language} />
                  </p>
                  <p>
                    <Explained text={words ?? comparison(decision, steps, language, t)} />
                  </p>
                  <div className="rp-options">
                    <button type="button" className="button small" onClick={() => onJump(decision)}>
                      {t("replay.jump")}
                    </button>
                    <button type="button" className="button small" onClick={() => onTry(decision)}>
                      {t("replay.tryAgain")}
                    </button>
                  </div>
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
                <b>{lostBy(review, player, unit, language)}</b>
                <span className="soft">
                  {player.mistakes === 1 ? t("replay.mistake1") : t("replay.mistakes", { n: player.mistakes })}
                </span>
              </li>
            ))}
          </ul>
          <h3>{t("kibitz.curve")}</h3>
          <Curve
            points={points}
            unit={unit}
            names={names}
            at={stopAt(stops, at) + 1}
            onPick={(position) => onGo(stops[position - 1] ?? 0)}
          />
          <details className="soft rp-by">
            <summary>{t("kibitz.engine")}</summary>
            <code>{review.spec}</code>
          </details>
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

/** What the mistakes of a player cost together; empty where games are won or lost: chances cannot be added up. */
function lostBy(review: Review, player: Review["players"][number], unit: Unit, language: Language): string {
  const own = review.decisions.filter((each) => each.mistake && each.seat === player.seat);
  return own.length === 0 || !counted(unit) ? "" : differenceText(unit, player.lost_by_mistakes, language);
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
