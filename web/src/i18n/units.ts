// Values and losses in the unit of a game.

import type { KibitzAction, Language, Outcome, Unit } from "../api/types";
import { figure, signed } from "./numbers";
import { kibitzWords } from "./kibitz";
import { replayWords } from "./replay";

/** The unit of a game that names none. */
const PAYOFF: Unit = {
  name: { en: "", de: "" },
  title: { en: "Expected payoff", de: "Erwartetes Ergebnis" },
  short: { en: "", de: "" },
  digits: 2,
  small: 0,
  scale: 1,
  zero: 0,
};

export function unitOf(game: { unit?: Unit }): Unit {
  return game.unit ?? PAYOFF;
}

/** A payoff as a number of the unit. */
export function inUnit(unit: Unit, value: number): number {
  return unit.zero + unit.scale * value;
}

/** A number of the unit in writing, as a value: with a sign, or in per cent. */
export function writtenIn(unit: Unit, number: number, language: Language, least = 0): string {
  if (unit.zero === 0) return signed(number, language, unit.digits, least);
  return `${figure(number, language, unit.digits, least)} ${unit.short[language]}`;
}

/** The error of a value in writing, "± 0.3"; empty where it would be zero. */
export function spreadText(unit: Unit, error: number, language: Language): string {
  const shown = unit.scale * error >= 0.5 * 10 ** -unit.digits;
  return shown ? `± ${figure(unit.scale * error, language, unit.digits, unit.digits)}` : "";
}

/** Decimals that are written even if they are zero: as many as the error beside the number has. */
function leastOf(unit: Unit, error: number | null | undefined): number {
  return spreadText(unit, error ?? 0, "en") === "" ? 0 : unit.digits;
}

/**
 * Whether payoffs of finished games are themselves what people count. Elsewhere a game is won, drawn or lost, whatever
 * its positions are valued in.
 */
export function counted(unit: Unit): boolean {
  return unit.scale === 1;
}

/** A mean payoff of finished games as a number: points or chips, or games won in per cent, a draw being half a win. */
export function meanText(unit: Unit, payoff: number, language: Language): string {
  const digits = Math.max(unit.digits, 1);
  return counted(unit) ? signed(payoff, language, digits, digits) : figure(50 + 50 * payoff, language, 0);
}

/** What a payoff is worth: the proven end of the game, or a number. */
export function valueText(unit: Unit, value: number, language: Language, outcome?: Outcome | null, error?: number | null): string {
  if (outcome) return kibitzWords[`kibitz.${outcome}`][language];
  return writtenIn(unit, inUnit(unit, value), language, leastOf(unit, error));
}

/** The same of a value that may only be a bound. */
export function boundedText(unit: Unit, found: Pick<KibitzAction, "value" | "bound" | "outcome" | "error">, language: Language): string {
  const value = valueText(unit, found.value, language, found.outcome, found.error);
  if (found.outcome || found.bound === "none") return value;
  return kibitzWords[`kibitz.${found.bound}`][language].replace("{value}", value);
}

/** A difference of payoffs with the name of the unit; `error` is left out where it would be written as zero. */
export function differenceText(unit: Unit, difference: number, language: Language, error = 0): string {
  const number = figure(unit.scale * difference, language, unit.digits, leastOf(unit, error));
  return [number, spreadText(unit, error, language), unit.short[language]].filter(Boolean).join(" ");
}

interface Cost {
  lost: number | null;
  error?: number | null;
  outcome: Outcome | null;
}

/** What an action cost against the best one: a win, a draw, the game, or a number. */
export function costText(unit: Unit, { lost, error, outcome }: Cost, best: Outcome | null, language: Language): string {
  if (outcome !== "won" && best === "won") return replayWords["replay.theWin"][language];
  if (outcome === "lost") return replayWords[best === "drawn" ? "replay.theDraw" : "replay.theGame"][language];
  return lost === null ? "" : differenceText(unit, lost, language, error ?? 0);
}
