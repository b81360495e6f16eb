// Asks for a call without standing in the way, and the choice of how often to be asked.

import type { LegalAction } from "../api/types";
import { useT } from "../i18n";
import { type AskPolicy, setPrefs, usePrefs } from "../prefs";
import { callReason, callWord } from "./logic";

interface CallBarProps {
  legal: readonly LegalAction[];
  busy: boolean;
  /** Said by somebody else just before, in words. */
  after: string | null;
  /** The person's own card is next, so that a card answers too. */
  own: boolean;
  onAnswer(action: number): void;
}

export function CallBar({ legal, busy, after, own, onAnswer }: CallBarProps) {
  const t = useT();
  const calls = legal.filter((each) => each.name !== "pass");
  const pass = legal.find((each) => each.name === "pass");
  const first = calls[0];
  if (!pass) return null;
  return (
    <div className="dk-callbar" role="group" aria-label={t("dk.call.title")}>
      <p className="dk-callbar-text">
        {after && <span className="dk-callbar-after">{after} </span>}
        <strong>{first ? t("dk.call.ask", { call: callWord(first.name, t) }) : t("dk.call.nothing")}</strong>{" "}
        <span className="dk-callbar-why">{first ? callReason(first.name, t) : t("dk.call.why.nothing")}</span>
        {own && <span className="dk-callbar-why dk-callbar-or"> {t("dk.call.orCard")}</span>}
      </p>
      <div className="dk-callbar-buttons">
        {calls.map((call) => (
          <button
            key={call.action}
            type="button"
            className="button primary small"
            disabled={busy}
            onClick={() => onAnswer(call.action)}
          >
            {callWord(call.name, t)}
          </button>
        ))}
        <button type="button" className="button small" disabled={busy} onClick={() => onAnswer(pass.action)}>
          {t("dk.call.pass")}
        </button>
        <AskSelect />
      </div>
    </div>
  );
}

/** How often the person wants to be asked. */
function AskSelect() {
  const t = useT();
  const { ask } = usePrefs();
  return (
    <label className="dk-ask" title={t("dk.ask.always")}>
      <span>{t("dk.ask")}</span>
      <select value={ask} onChange={(event) => setPrefs({ ask: event.target.value as AskPolicy })}>
        <option value="own">{t("dk.ask.own")}</option>
        <option value="every">{t("dk.ask.every")}</option>
        <option value="never">{t("dk.ask.never")}</option>
      </select>
    </label>
  );
}
