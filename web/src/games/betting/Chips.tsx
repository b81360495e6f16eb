// Chips in stacks of five, with the number beside them.

import type { Language } from "../../api/types";
import { translator } from "../../i18n";
import { figure } from "../../i18n/numbers";
import { words } from "./words";

export function Chips({ amount, language, label }: { amount: number; language: Language; label?: string }) {
  const t = translator(language, words);
  const whole = Math.min(Math.floor(amount), 60);
  const stacks = Array.from({ length: Math.ceil(whole / 5) }, (_, i) => Math.min(5, whole - 5 * i));
  const text = amount === 1 ? t("chip") : t("chips", { n: figure(amount, language) });
  return (
    <span className="pk-chips" role="img" aria-label={label ? `${label}: ${text}` : text}>
      <span className="pk-stacks" aria-hidden="true">
        {stacks.map((height, i) => (
          <span key={i} className="pk-stack">
            {Array.from({ length: height }, (_, k) => (
              <span key={k} className={`pk-chip pk-chip-${i % 3}`} />
            ))}
          </span>
        ))}
        {amount % 1 > 0 && (
          <span className="pk-stack">
            <span className="pk-chip pk-half" />
          </span>
        )}
      </span>
      <b aria-hidden="true">{figure(amount, language)}</b>
    </span>
  );
}
