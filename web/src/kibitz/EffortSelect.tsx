// How long somebody is ready to wait for an analysis or a review.
import type { Effort } from "../api/types";
import { useT } from "../i18n";

export function EffortSelect({ effort, choose }: { effort: Effort; choose: (effort: Effort) => void }) {
  const t = useT();
  return (
    <label className="kb-effort">
      <span className="visually-hidden">{t("kibitz.effort")}</span>
      <select
        className="field kb-select"
        value={effort}
        onChange={(event) => choose(event.target.value as Effort)}
      >
        {(["quick", "normal", "deep"] as const).map((each) => (
          <option key={each} value={each}>
            {t(`kibitz.${each}`)}
          </option>
        ))}
      </select>
    </label>
  );
}
