// A button that asks "really?" before it does what cannot be taken back.

import { type ReactNode, useState } from "react";

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
  const [stayed, setStayed] = useState(false);
  const decline = () => {
    setStayed(true);
    setAsking(false);
  };
  if (!asking) {
    return (
      <button
        type="button"
        className={`button quiet small ${className}`}
        title={label}
        disabled={disabled}
        autoFocus={stayed}
        onClick={() => setAsking(true)}
      >
        {children}
      </button>
    );
  }
  return (
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
  );
}
