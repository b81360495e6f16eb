// House rules: what a game lets people change, what they changed, and what is out of range.

import type { GameInfo, Parameter, Params } from "../api/types";
import { faceOf } from "../games";
import { fill, type Phrase, type Translate, type Values, words } from "../i18n";
import { figure } from "../i18n/numbers";
import type { Rules, RuleValue, SetupChoice } from "../prefs";

type RuleChoice = Pick<SetupChoice, "preset" | "rules">;

export interface Group {
  title: Phrase | null;
  parameters: Parameter[];
}

/** The parameters in groups; those that no group names come last. */
export function groupsOf(game: GameInfo): Group[] {
  const { groups, state = [] } = faceOf(game.name).rules;
  const named = new Set([...state, ...groups.flatMap((group) => group.rules)]);
  const found: Group[] = groups.map(({ title, rules }) => ({
    title,
    parameters: game.parameters.filter((each) => rules.includes(each.name)),
  }));
  found.push({
    title: groups.length > 0 ? words["rules.group.other"] : null,
    parameters: game.parameters.filter((each) => !named.has(each.name)),
  });
  return found.filter((group) => group.parameters.length > 0);
}

/** Rules in the order of their groups; those that no group names come last. */
export function inGroups(game: string, rules: readonly string[]): string[] {
  const named = faceOf(game).rules.groups.flatMap((group) => group.rules);
  return [...named.filter((each) => rules.includes(each)), ...rules.filter((each) => !named.includes(each))];
}

/** The rules of a preset, or the usual ones. */
export function presetRules(game: GameInfo, preset: string | null): Rules {
  const chosen = game.presets.find((each) => each.name === preset)?.values ?? {};
  return Object.fromEntries(game.parameters.map((each) => [each.name, (chosen[each.name] ?? each.default) as RuleValue]));
}

/** The preset of the usual rules; null: those without a preset. */
export function usualPreset(game: Pick<GameInfo, "name" | "presets">): string | null {
  const { usual } = faceOf(game.name).rules;
  return game.presets.some((each) => each.name === usual) ? (usual ?? null) : null;
}

/** What a preset is called. */
export function presetName(t: Translate, game: string, preset: string): string {
  return faceOf(game).rules.names?.[preset]?.[t.language] ?? preset;
}

/** The rules as they stand in the controls. */
export function rulesOf(game: GameInfo, choice: RuleChoice): Rules {
  return { ...presetRules(game, choice.preset), ...choice.rules };
}

/** The changed rules after one more change; a rule set back to its preset is not a change. */
export function changeRule(game: GameInfo, choice: RuleChoice, name: string, value: RuleValue): Rules {
  const { [name]: _, ...others } = choice.rules;
  const same = JSON.stringify(presetRules(game, choice.preset)[name]) === JSON.stringify(value);
  return same ? others : { ...others, [name]: value };
}

function fits(parameter: Parameter, value: unknown): value is RuleValue {
  const number = (each: unknown) => each === null || typeof each === "number";
  if (parameter.length) {
    const [fewest, most] = parameter.length;
    return Array.isArray(value) && value.length >= fewest && value.length <= most && value.every(number);
  }
  if (parameter.type === "boolean") return typeof value === "boolean";
  if (parameter.type === "text") return typeof value === "string" && parameter.choices.includes(value);
  return number(value);
}

/** Remembered rules that the game still has; numbers out of range stay, so that the page can explain them. */
export function fittingRules(game: GameInfo, choice: RuleChoice): Rules {
  let rules: Rules = {};
  for (const parameter of game.parameters) {
    const value: unknown = choice.rules[parameter.name];
    if (fits(parameter, value)) rules = changeRule(game, { ...choice, rules }, parameter.name, value);
  }
  return rules;
}

/** The number of players with these rules; null while it is being typed. */
export function playersOf(game: GameInfo, choice: RuleChoice): number | null {
  const parameter = game.parameters.find((each) => each.name === "players");
  if (!parameter) return game.players;
  const players = rulesOf(game, choice)["players"];
  return typeof players === "number" && goodNumber(parameter, players) ? players : null;
}

// --- What is wrong ----------------------------------------------------------------------------------------------------

export function goodNumber(parameter: Parameter, value: number | null): boolean {
  if (value === null || !Number.isFinite(value)) return false;
  if (parameter.type === "integer" && !Number.isInteger(value)) return false;
  return value >= (parameter.low ?? -Infinity) && value <= (parameter.high ?? Infinity);
}

/** Whether the value of a rule is valid on its own. */
export function goodRule(parameter: Parameter, value: RuleValue | undefined): boolean {
  if (!fits(parameter, value)) return false;
  if (parameter.type === "boolean" || parameter.type === "text") return true;
  const numbers = (Array.isArray(value) ? value : [value]) as (number | null)[];
  return numbers.every((each) => goodNumber(parameter, each));
}

/** Whether every rule is valid on its own; whether they go together is for the server to say. */
export function goodRules(game: GameInfo, choice: RuleChoice): boolean {
  const rules = rulesOf(game, choice);
  return game.parameters.every((each) => goodRule(each, rules[each.name]));
}

// --- Words ------------------------------------------------------------------------------------------------------------

/** The game's words for a part of a rule, or `otherwise` where it has none. */
export function ruleWord(t: Translate, game: string, part: string, otherwise: string, values?: Values): string {
  const known = faceOf(game).rules.words;
  const phrase = Object.hasOwn(known, part) ? known[part] : undefined;
  return phrase ? fill(t.language, phrase, values) : otherwise;
}

/** What a rule is called; `otherwise` where the page has no word for it. */
export function ruleLabel(t: Translate, game: string, name: string, otherwise = name): string {
  return ruleWord(t, game, name, otherwise);
}

/** What a choice of a rule is called. */
export function choiceWord(t: Translate, game: string, name: string, choice: string): string {
  return ruleWord(t, game, `${name}.${choice}`, choice);
}

/** The value of a rule: yes or no, a choice, a number, or numbers with a label each where there is one. */
export function ruleText(t: Translate, game: string, name: string, value: Params[string]): string {
  if (typeof value === "boolean") return t(value ? "rules.yes" : "rules.no");
  if (Array.isArray(value) && value.length === 0) return t("rules.no");
  if (typeof value === "number" && faceOf(game).rules.seats?.includes(name))
    return value < 0 ? t("rules.nobody") : t("lobby.seat", { seat: value + 1 });
  if (typeof value === "number") return figure(value, t.language, 20);
  if (typeof value === "string") return choiceWord(t, game, name, value);
  return value
    .map((each, i) => {
      const part = ruleWord(t, game, `${name}.${i}`, "");
      const text = ruleText(t, game, name, each);
      return part ? `${part}:\u00a0${text}` : text;
    })
    .join(" · ");
}
