// A question of a house rule with a few answers: who takes the trumps of a poor hand, who is the partner from now on.

import { useEffect, useId, useRef } from "react";

interface AnswerDialogProps {
  title: string;
  help: string;
  answers: readonly { action: number; label: string; primary?: boolean }[];
  busy: boolean;
  onAnswer(action: number): void;
}

export function AnswerDialog({ title, help, answers, busy, onAnswer }: AnswerDialogProps) {
  const titleId = useId();
  const helpId = useId();
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    first.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className="dk-dialog card" role="dialog" aria-labelledby={titleId} aria-describedby={helpId}>
      <h2 id={titleId}>{title}</h2>
      <p id={helpId} className="soft">
        {help}
      </p>
      <div className="dk-dialog-main">
        {answers.map(({ action, label, primary }, i) => (
          <button
            key={action}
            ref={i === 0 ? first : undefined}
            type="button"
            className={primary ? "button primary" : "button"}
            disabled={busy}
            onClick={() => onAnswer(action)}
          >
            {label}
          </button>
        ))}
      </div>
    </div>
  );
}
