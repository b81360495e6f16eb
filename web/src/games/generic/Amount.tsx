// A choice with an amount, such as a raise: one control for the whole range.

import { type FormEvent, useId, useState } from "react";
import type { Choice, Language } from "../../api/types";
import { translator } from "../../i18n";
import { figure } from "../../i18n/numbers";
import { words } from "./words";

/** The action that an amount of a run stands for; null if the run does not have that amount. */
export function actionFor({ action, low = 0, high = low, step = 1, stride = 1 }: Choice, amount: number): number | null {
  const place = (amount - low) / step;
  const whole = Math.round(place);
  return amount >= low && amount <= high && Math.abs(place - whole) < 1e-9 ? action + stride * whole : null;
}

interface AmountProps {
  choice: Choice;
  language: Language;
  onAct(action: number): void;
}

export function Amount({ choice, language, onAct }: AmountProps) {
  const t = translator(language, words);
  const id = useId();
  const { kind, low = 0, high = low, step = 1, unit } = choice;
  const [typed, setTyped] = useState(String(low));
  const amount = typed.trim() === "" ? Number.NaN : Number(typed);
  const action = actionFor(choice, amount);
  const label = kind.charAt(0).toUpperCase() + kind.slice(1);
  const shown = action === null ? "" : ` ${figure(amount, language)}${unit ? ` ${unit}` : ""}`;
  const scale = { min: low, max: high, step };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (action !== null) onAct(action);
  };
  return (
    <form className="gn-amount" noValidate onSubmit={submit}>
      <input
        type="range"
        {...scale}
        value={action === null ? low : amount}
        aria-label={t("amount", { kind: label })}
        onChange={(event) => setTyped(event.target.value)}
      />
      <input
        className="field"
        type="number"
        inputMode={Number.isInteger(step) && Number.isInteger(low) ? "numeric" : "decimal"}
        {...scale}
        value={typed}
        aria-label={t("amount", { kind: label })}
        aria-describedby={id}
        aria-invalid={action === null}
        onChange={(event) => setTyped(event.target.value)}
      />
      <button type="submit" className="button primary gn-do" disabled={action === null}>
        {label}
        {shown}
      </button>
      <small id={id} className="soft">
        {t("range", { low: figure(low, language), high: figure(high, language) })}
      </small>
    </form>
  );
}
