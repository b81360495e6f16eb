// Asks for a call without getting in the way of the game.

import type { LegalAction } from "../../api/types";
import { useT } from "../../i18n";
import { AskSelect } from "./AskSelect";
import { callReason, callWord, isCall } from "./logic";
import { words } from "./words";

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
  const t = useT(words);
  const calls = legal.filter(isCall);
  const pass = legal.find((each) => each.kind === "pass");
  const first = calls[0];
  if (!pass) return null;
  return (
    <div className="dk-callbar" role="group" aria-label={t("call.title")}>
      <p className="dk-callbar-text">
        {after && <span className="dk-callbar-after">{after} </span>}
        <strong>{first ? t("call.ask", { call: callWord(first.name, t) }) : t("call.nothing")}</strong>{" "}
        <span className="dk-callbar-why">{first ? callReason(first.name, t) : t("call.why.nothing")}</span>
        {own && <span className="dk-callbar-why dk-callbar-or"> {t("call.orCard")}</span>}
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
          {t("call.pass")}
        </button>
        <label className="dk-ask" title={t("ask.always")}>
          <span>{t("ask")}</span>
          <AskSelect />
        </label>
      </div>
    </div>
  );
}
