// What each option is worth: a bar with its error, the numbers, the share of visits; the best is marked.

import type { Kibitz, KibitzAction, Language, Snapshot } from "../api/types";
import { actionWord } from "../games";
import { useT } from "../i18n";
import { figure, signed } from "../i18n/numbers";

/** Ends of the scale that all bars share: all values with their errors, and zero. */
export function scaleOf(actions: readonly KibitzAction[]): { low: number; high: number } {
  const ends = actions.flatMap(({ value, error }) => [value - (error ?? 0), value + (error ?? 0)]);
  const low = Math.min(0, ...ends);
  const high = Math.max(0, ...ends);
  const room = (high - low || 1) * 0.04;
  return { low: low < 0 ? low - room : low, high: high > 0 ? high + room : high || (low === 0 ? 1 : 0) };
}

/** The best first, then by value. */
export function ranked(kibitz: Kibitz): KibitzAction[] {
  return [...kibitz.actions].sort((a, b) =>
    a.action === kibitz.best ? -1 : b.action === kibitz.best ? 1 : b.value - a.value || b.share - a.share,
  );
}

export function Options({ kibitz, snapshot, language }: { kibitz: Kibitz; snapshot: Snapshot; language: Language }) {
  const t = useT();
  const { low, high } = scaleOf(kibitz.actions);
  // An error that rounds to nothing is not written.
  const written = (error: number) => (error >= 0.0005 ? ` ± ${figure(error, language, error < 0.01 ? 3 : 2)}` : "");
  const at = (value: number) => ((value - low) / (high - low)) * 100;
  return (
    <table className="kb-options">
      <thead>
        <tr>
          <th scope="col">{t("kibitz.option")}</th>
          <th scope="col">{t("kibitz.expected")}</th>
          <th scope="col" className="kb-share">
            {t(/^(equilibrium|policy)/.test(kibitz.spec) ? "kibitz.howOften" : "kibitz.share")}
          </th>
        </tr>
      </thead>
      <tbody>
        {ranked(kibitz).map((entry) => {
          const best = entry.action === kibitz.best;
          const error = entry.error ?? 0;
          const from = Math.min(at(0), at(entry.value));
          const width = Math.abs(at(entry.value) - at(0));
          const said = entry.exact
            ? `${signed(entry.value, language)} (${t("kibitz.exact")})`
            : t("kibitz.plusMinus", { value: signed(entry.value, language), error: figure(error, language) });
          return (
            <tr key={entry.action} className={best ? "kb-best" : ""}>
              <th scope="row">
                <span className="kb-name">{actionWord(snapshot, entry, language)}</span>
                {best && <span className="kb-mark">{t("kibitz.bestOption")}</span>}
              </th>
              <td>
                <span className="kb-bar" aria-hidden="true">
                  <i className="kb-zero" style={{ left: `${at(0)}%` }} />
                  <i
                    className={entry.value < 0 ? "kb-fill kb-minus" : "kb-fill"}
                    style={{ left: `${from}%`, width: `${Math.max(width, 0.6)}%` }}
                  />
                  {error >= 0.0005 && (
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
                  {signed(entry.value, language)}
                  <small>{entry.exact ? ` ${t("kibitz.exact")}` : written(error)}</small>
                </span>
              </td>
              <td className="kb-share">{figure(entry.share * 100, language, entry.share < 0.1 ? 1 : 0)} %</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
