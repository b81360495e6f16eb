// What rule presets mean, in German. In English the server says it.

import type { Language, Preset } from "../api/types";

const GERMAN: Record<string, string> = {
  "doppelkopf.thesis": "Turnierregeln, wie sie in der Abschlussarbeit gespielt werden: keine Hausregeln",
  "oware.thesis": "3 Samen je Mulde, keine Pflicht zu füttern, Grand Slam erlaubt, keine Wiederholungsregel",
  "oware.abapa":
    "Turnierregeln: 4 Samen je Mulde, Pflicht zu füttern, ein Grand Slam fängt nichts, Wiederholung beendet das Spiel",
  "leduc.standard": "Grundeinsatz 1, Erhöhungen um 2 und 4: das Spiel der Literatur",
  "leduc.thesis": "Der Geber (Platz 1) setzt 0,5, der andere 1; in beiden Runden Erhöhungen um 1",
};

/** The meaning of a preset: translated where there is a translation, otherwise in the words of the server. */
export function presetHelp(language: Language, game: string, preset: Preset): string {
  return (language === "de" ? GERMAN[`${game}.${preset.name}`] : undefined) ?? preset.help;
}
