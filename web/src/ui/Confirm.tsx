// A button that asks "really?" before it does what cannot be taken back.

import { type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";

interface ConfirmProps {
  /** What is done, on the button of the question and for screen readers. */
  label: string;
  question: string;
  /** What the other button says, which changes nothing. */
  stay: string;
  className?: string;
  disabled?: boolean;
  onConfirm(): Promise<unknown>;
  children: ReactNode;
}

export function Confirm({ label, question, stay, className = "", disabled, onConfirm, children }: ConfirmProps) {
  const [asking, setAsking] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const decline = () => {
    flushSync(() => setAsking(false));
    button.current?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className={`button quiet small ${className}`}
        // It keeps its place, so that nothing moves below the question.
        style={asking ? { visibility: "hidden" } : undefined}
        title={label}
        disabled={disabled}
        onClick={() => setAsking(true)}
      >
        {children}
      </button>
      {asking && (
        <div
          className="confirm card"
          role="alertdialog"
          aria-label={label}
          onKeyDown={(event) => {
            if (event.key === "Escape") decline();
          }}
        >
          <p>{question}</p>
          <div className="row">
            <button type="button" className="button small" onClick={() => void onConfirm().then(() => setAsking(false))}>
              {label}
            </button>
            <button type="button" className="button primary small" autoFocus onClick={decline}>
              {stay}
            </button>
          </div>
        </div>
      )}
    </>
  );
}
