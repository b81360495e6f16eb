// A choice with an amount, such as a raise: one control for the whole range.

import { type FormEvent, useId, useState } from "react";
import type { Choice, Language } from "../api/types";
import { translator, words } from "../i18n";
import { figure } from "../i18n/numbers";

/** Whether a run has that amount. */
export function fits({ low = 0, high = low, step = 1 }: Choice, amount: number): boolean {
  const place = (amount - low) / step;
  return amount >= low && amount <= high && Math.abs(place - Math.round(place)) < 1e-9;
}

interface AmountProps {
  choice: Choice;
  language: Language;
  /** What is done. */
  label: string;
  /** The same with an amount, on the button. */
  say(amount: string): string;
  className: string;
  onAct(action: number, amount: number): void;
}

export function Amount({ choice, language, label, say, className, onAct }: AmountProps) {
  const t = translator(language, words);
  const id = useId();
  const { low = 0, high = low, step = 1 } = choice;
  const [typed, setTyped] = useState(String(low));
  const amount = typed.trim() === "" ? Number.NaN : Number(typed);
  const fitting = fits(choice, amount);
  const scale = { min: low, max: high, step };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (fitting) onAct(choice.action, amount);
  };
  return (
    <form className="bd-amount" noValidate onSubmit={submit}>
      <input
        type="range"
        {...scale}
        value={fitting ? amount : low}
        aria-label={t("board.amount", { kind: label })}
        onChange={(event) => setTyped(event.target.value)}
      />
      <input
        className="field"
        type="number"
        inputMode={Number.isInteger(step) && Number.isInteger(low) ? "numeric" : "decimal"}
        {...scale}
        value={typed}
        aria-label={t("board.amount", { kind: label })}
        aria-describedby={id}
        aria-invalid={!fitting}
        onChange={(event) => setTyped(event.target.value)}
      />
      <button type="submit" className={className} disabled={!fitting}>
        {fitting ? say(figure(amount, language)) : label}
      </button>
      <small id={id} className="soft">
        {t("board.range", { low: figure(low, language), high: figure(high, language) })}
      </small>
    </form>
  );
}
