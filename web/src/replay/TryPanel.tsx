// Trying again at a mistake: what is asked, what can be played, and what the last try was worth.

import type { Language, ReviewOption, Snapshot } from "../api/types";
import { actionWord } from "../games";
import { useT } from "../i18n";
import { costText, unitOf } from "../i18n/units";
import { isAnswer, type Tries, type Trying } from "./useTry";

interface Props {
  tries: Tries;
  now: Trying;
  snapshot: Snapshot;
  names: readonly string[];
  language: Language;
  /** Goes to the next mistake, if there is one. */
  onNext: (() => void) | null;
}

export function TryPanel({ tries, now, snapshot, names, language, onNext }: Props) {
  const t = useT();
  const { decision, tried, solved } = now;
  const word = (name: string) => actionWord(snapshot, name, language);
  const judged = (option: ReviewOption) => {
    const name = word(option.name);
    if (option.best) return t("replay.tryFound", { name });
    if (isAnswer(option)) return t("replay.tryGood", { name });
    if (option.lost === null) return t("replay.tryUnknown", { name });
    const cost = costText(unitOf(snapshot.game), option, decision.best_outcome, language);
    return t(option.name === decision.played ? "replay.trySame" : "replay.tryWorse", { name, cost });
  };
  const state = tried ? (isAnswer(tried.option) ? "rp-try rp-found" : "rp-try rp-wrong") : "rp-try";
  return (
    <section className={state} aria-label={t("replay.tryAgain")}>
      <p role="status">
        {tried
          ? judged(tried.option)
          : solved
            ? t("replay.wouldBe", { name: decision.good.map(word).join(", ") })
            : t("replay.tryAsk", { name: names[decision.seat] ?? "", played: word(decision.played) })}
      </p>
      {!tried && !solved && (
        <div className="rp-options" role="group" aria-label={t("replay.tryOptions")}>
          {decision.options.map((option) => (
            <button key={option.action} type="button" className="button small" onClick={() => tries.act(option.action)}>
              {word(option.name)}
            </button>
          ))}
        </div>
      )}
      <div className="rp-options">
        {tried && (
          <button type="button" className={solved ? "button small" : "button primary small"} onClick={tries.undo}>
            {t("replay.tryUndo")}
          </button>
        )}
        {!solved && (
          <button type="button" className="button small" onClick={tries.solve}>
            {t("replay.tryShow")}
          </button>
        )}
        {solved && onNext && (
          <button type="button" className="button primary small" onClick={onNext}>
            {t("replay.tryNext")}
          </button>
        )}
        <button type="button" className={solved && !onNext ? "button primary small" : "button small"} onClick={tries.end}>
          {t("replay.tryEnd")}
        </button>
      </div>
    </section>
  );
}
