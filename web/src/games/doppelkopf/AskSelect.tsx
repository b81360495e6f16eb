// How often a person wants to be asked for a call: beside the question itself, and in the menu of settings.

import { useT } from "../../i18n";
import { setPrefs, usePrefs } from "../../prefs";
import { words } from "./words";

export type AskPolicy = "own" | "every" | "never";

declare module "../../prefs" {
  interface Prefs {
    /** When to be asked for a call at a table of Doppelkopf. */
    ask?: AskPolicy;
  }
}

export function useAskPolicy(): AskPolicy {
  return usePrefs().ask ?? "own";
}

export function AskSelect({ className }: { className?: string }) {
  const t = useT(words);
  return (
    <select
      className={className}
      value={useAskPolicy()}
      onChange={(event) => setPrefs({ ask: event.target.value as AskPolicy })}
    >
      <option value="own">{t("ask.own")}</option>
      <option value="every">{t("ask.every")}</option>
      <option value="never">{t("ask.never")}</option>
    </select>
  );
}

export function Settings() {
  const t = useT(words);
  return (
    <label>
      <span>{t("ask")}</span>
      <AskSelect className="field" />
    </label>
  );
}
