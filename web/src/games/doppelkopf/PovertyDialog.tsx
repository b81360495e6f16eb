// Poverty: somebody puts down at most three trumps, and the others are asked in turn whether they take them.

import { useEffect, useId, useRef } from "react";
import type { LegalAction } from "../../api/types";
import { useT } from "../../i18n";
import { words } from "./words";

interface PovertyDialogProps {
  /** Who put the cards down, and how many. */
  name: string;
  cards: number;
  legal: readonly LegalAction[];
  busy: boolean;
  onAnswer(action: number): void;
}

export function PovertyDialog({ name, cards, legal, busy, onAnswer }: PovertyDialogProps) {
  const t = useT(words);
  const title = useId();
  const help = useId();
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    first.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className="dk-dialog card" role="dialog" aria-labelledby={title} aria-describedby={help}>
      <h2 id={title}>{t("poverty.ask", { name })}</h2>
      <p id={help} className="soft">
        {t("poverty.help", { count: cards })}
      </p>
      <div className="dk-dialog-main">
        {legal.map((each, i) => (
          <button
            key={each.action}
            ref={i === 0 ? first : undefined}
            type="button"
            className={each.kind === "take" ? "button primary" : "button"}
            disabled={busy}
            onClick={() => onAnswer(each.action)}
          >
            {t(each.kind === "take" ? "poverty.take" : "poverty.leave")}
          </button>
        ))}
      </div>
    </div>
  );
}
