// A small menu for language, looks and motion; opens below its button and closes with Escape or a click elsewhere.

import { useEffect, useRef, useState } from "react";
import { faceNames, faceOf } from "../games";
import { useT } from "../i18n";
import { setPrefs, type ThemeChoice, usePrefs } from "../prefs";

export function SettingsMenu() {
  const t = useT();
  const prefs = usePrefs();
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!open) return;
    const away = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    const escape = (event: KeyboardEvent) => {
      if (event.key === "Escape") {
        setOpen(false);
        button.current?.focus();
      }
    };
    document.addEventListener("pointerdown", away);
    document.addEventListener("keydown", escape);
    return () => {
      document.removeEventListener("pointerdown", away);
      document.removeEventListener("keydown", escape);
    };
  }, [open]);

  return (
    <div className="settings" ref={box}>
      <button
        ref={button}
        type="button"
        className="button quiet icon"
        aria-expanded={open}
        aria-label={t("settings.title")}
        title={t("settings.title")}
        onClick={() => setOpen(!open)}
      >
        <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" fill="none" stroke="currentColor" strokeWidth="1.600" strokeLinecap="round">
          <path d="M3 5.500h7M15 5.500h2M3 14.500h2M10 14.500h7" />
          <circle cx="12.500" cy="5.500" r="2.300" />
          <circle cx="7.500" cy="14.500" r="2.300" />
        </svg>
      </button>
      {open && (
        <div className="settings-menu card" role="group" aria-label={t("settings.title")}>
          <label>
            <span>{t("settings.language")}</span>
            <select
              className="field"
              value={prefs.language}
              onChange={(event) => setPrefs({ language: event.target.value === "de" ? "de" : "en" })}
            >
              <option value="en">English</option>
              <option value="de">Deutsch</option>
            </select>
          </label>
          <label>
            <span>{t("settings.theme")}</span>
            <select
              className="field"
              value={prefs.theme}
              onChange={(event) => setPrefs({ theme: event.target.value as ThemeChoice })}
            >
              <option value="system">{t("settings.theme.system")}</option>
              <option value="light">{t("settings.theme.light")}</option>
              <option value="dark">{t("settings.theme.dark")}</option>
            </select>
          </label>
          {faceNames.map((name) => {
            const { Settings: OfGame } = faceOf(name);
            return OfGame && <OfGame key={name} />;
          })}
          <label className="check">
            <input
              type="checkbox"
              checked={prefs.animate}
              onChange={(event) => setPrefs({ animate: event.target.checked })}
            />
            <span>{t("settings.animate")}</span>
          </label>
        </div>
      )}
    </div>
  );
}
