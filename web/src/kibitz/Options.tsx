// What each option is worth: a bar with its error and the numbers; all that are best are marked. A strategy that mixes
// also says how often it plays each, and a net how likely it finds each without looking ahead.

import type { Kibitz, KibitzAction, Language, Snapshot } from "../api/types";
import { actionWord } from "../games";
import { useT } from "../i18n";
import { figure } from "../i18n/numbers";
import { boundedText, differenceText, spreadText, unitOf } from "../i18n/units";
import { Explained } from "../ui/Explained";

/** Ends of the scale that all bars share: all values with their errors, and zero. */
export function scaleOf(actions: readonly KibitzAction[]): { low: number; high: number } {
  const ends = actions.flatMap(({ value, error }) => [value - (error ?? 0), value + (error ?? 0)]);
  const low = Math.min(0, ...ends);
  const high = Math.max(0, ...ends);
  const room = (high - low || 1) * 0.04;
  return { low: low < 0 ? low - room : low, high: high > 0 ? high + room : high || (low === 0 ? 1 : 0) };
}

/** The best first, then all that are as good, then by value. */
export function ranked(kibitz: Kibitz): KibitzAction[] {
  const place = ({ action }: KibitzAction) => (action === kibitz.best ? 0 : isGood(kibitz, action) ? 1 : 2);
  return [...kibitz.actions].sort((a, b) => place(a) - place(b) || b.value - a.value || b.share - a.share);
}

/** Whether an option is as good as the best one. */
export function isGood(kibitz: Kibitz, action: number): boolean {
  return (kibitz.good ?? [kibitz.best]).includes(action);
}

export function shareText(share: number, language: Language): string {
  return `${figure(share * 100, language, share < 0.1 ? 1 : 0)} %`;
}

/** Whether what was asked mixes its actions on purpose, so that the share of each is part of its advice. */
export function mixes(kibitz: Kibitz): boolean {
  return /^(equilibrium|policy)/.test(kibitz.spec);
}

export function Options({ kibitz, snapshot, language }: { kibitz: Kibitz; snapshot: Snapshot; language: Language }) {
  const t = useT();
  const { low, high } = scaleOf(kibitz.actions);
  const mixed = mixes(kibitz);
  const net = kibitz.actions.some((entry) => typeof entry.prior === "number");
  const unit = unitOf(snapshot.game);
  const at = (value: number) => ((value - low) / (high - low)) * 100;
  return (
    <table className="kb-options">
      <thead>
        <tr>
          <th scope="col">{t("kibitz.option")}</th>
          <th scope="col">{unit.title[language]}</th>
          {mixed && (
            <th scope="col" className="kb-share">
              {t("kibitz.howOften")}
            </th>
          )}
          {net && (
            <th scope="col" className="kb-share">
              {t("kibitz.net")}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {ranked(kibitz).map((entry) => {
          const best = isGood(kibitz, entry.action);
          const error = entry.error ?? 0;
          const from = Math.min(at(0), at(entry.value));
          const width = Math.abs(at(entry.value) - at(0));
          const value = boundedText(unit, entry, language);
          const spread = spreadText(unit, error, language);
          const estimated = entry.status === "estimated";
          const status = t(`kibitz.${entry.status}`);
          const said = estimated && spread ? t("kibitz.plusMinus", { value, error: differenceText(unit, error, language) }) : `${value} (${status})`;
          return (
            <tr key={entry.action} className={best ? "kb-best" : ""}>
              <th scope="row">
                <span className="kb-name">
                  <Explained text={actionWord(snapshot, entry, language)} reachable={false} />
                </span>
                {best && <span className="kb-mark">{t("kibitz.bestOption")}</span>}
              </th>
              <td>
                <span className="kb-bar" aria-hidden="true">
                  <i className="kb-zero" style={{ left: `${at(0)}%` }} />
                  <i
                    className={entry.value < 0 ? "kb-fill kb-minus" : "kb-fill"}
                    style={{ left: `${from}%`, width: `${Math.max(width, 0.6)}%` }}
                  />
                  {spread && (
                    <i
                      className="kb-error"
                      style={{
                        left: `${at(entry.value - error)}%`,
                        width: `${at(entry.value + error) - at(entry.value - error)}%`,
                      }}
                    />
                  )}
                </span>
                <span className="visually-hidden">{said}</span>
                <span className="kb-value" aria-hidden="true">
                  {value}
                  <small>
                    {estimated
                      ? spread && ` ${spread}`
                      : !entry.outcome && ` ${status}`}
                  </small>
                </span>
              </td>
              {mixed && <td className="kb-share">{shareText(entry.share, language)}</td>}
              {net && <td className="kb-share">{shareText(entry.prior ?? 0, language)}</td>}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
