import { expect, it } from "vitest";
import type { GameInfo } from "../api/types";
import { faceOf } from "../games";
import { words } from "../i18n";
import { changeRule, fittingRules, goodRule, goodRules, groupsOf, playersOf, rulesOf } from "./rules";
import { fittingSetup, tableRequest, usualSetup } from "../lobby/setup";
import games from "../lobby/fixtures/games.json";

const GAMES = games as unknown as GameInfo[];
const named = (name: string) => GAMES.find((each) => each.name === name)!;
const OWARE = named("oware");
const NIM = named("nim");
const KUHN = named("kuhn");

it("has words for every rule, choice and part of a list of every game", () => {
  for (const game of GAMES) {
    const { words, switches = {} } = faceOf(game.name).rules;
    for (const { name, choices, length } of game.parameters) {
      for (const key of [name, ...choices.map((choice) => `${name}.${choice}`)]) expect(words, game.name).toHaveProperty([key]);
      const parts = length && !switches[name] ? [0, 1].slice(0, length[1]) : [];
      expect(parts.every((part) => `${name}.${part}` in words || `${name}.item` in words), name).toBe(true);
    }
  }
});

it("shows every rule once, in groups, except what a series sets", () => {
  for (const game of GAMES) {
    const { state = [] } = faceOf(game.name).rules;
    const shown = groupsOf(game).flatMap((group) => group.parameters.map((each) => each.name));
    expect([...shown, ...state].sort()).toEqual(game.parameters.map((each) => each.name).sort());
  }
  expect(groupsOf(OWARE).map((group) => group.title)).not.toContain(words["rules.group.other"]);
  const more: GameInfo = { ...OWARE, parameters: [...OWARE.parameters, { ...OWARE.parameters[1]!, name: "new" }] };
  expect(groupsOf(more).at(-1)).toMatchObject({ title: words["rules.group.other"], parameters: [{ name: "new" }] });
});

it("keeps what differs from the preset, and nothing else", () => {
  const choice = { preset: "abapa", rules: {} };
  expect(rulesOf(OWARE, choice)).toMatchObject({ seeds: 4, must_feed: true, starvation: "mover" });
  const rules = changeRule(OWARE, choice, "seeds", 3);
  expect(rules).toEqual({ seeds: 3 });
  expect(changeRule(OWARE, { ...choice, rules }, "seeds", 4)).toEqual({});
  expect(changeRule(NIM, { preset: null, rules: {} }, "heaps", [1, 3, 5, 7])).toEqual({});
});

it("asks the server for a preset and what was changed", () => {
  const setup = { ...usualSetup(OWARE), preset: "abapa", rules: { seeds: 3 } };
  expect(tableRequest(OWARE, setup, "Ada").game).toEqual({ name: "oware", preset: "abapa", params: { seeds: 3 } });
  expect(tableRequest(NIM, usualSetup(NIM), "Ada").game).toEqual({ name: "nim" });
});

it("forgets remembered rules that the game does not know", () => {
  const rules = { seeds: 99, must_feed: "yes", grand_slam: "gone", gone: 1, repetition: true, payoff: "win" };
  expect(fittingRules(OWARE, { preset: null, rules })).toEqual({ seeds: 99, repetition: true });
  expect(fittingRules(NIM, { preset: null, rules: { heaps: Array(13).fill(1) as number[] } })).toEqual({});
  const old = { ...usualSetup(OWARE), rules: undefined } as unknown as ReturnType<typeof usualSetup>;
  expect(fittingSetup(OWARE, old).rules).toEqual({});
});

it("sets as many seats as the rules have players, and keeps the person at the table", () => {
  const wide = fittingSetup(KUHN, { ...usualSetup(KUHN), rules: { players: 4 } });
  expect(wide.seats.map((seat) => seat.kind)).toEqual(["me", "bot", "bot", "bot"]);
  const last = wide.seats.map((seat, i) => ({ ...seat, kind: i === 3 ? ("me" as const) : ("bot" as const) }));
  const narrow = fittingSetup(KUHN, { ...wide, seats: last, rules: {} });
  expect(narrow.seats.map((seat) => seat.kind)).toEqual(["me", "bot"]);
  expect(playersOf(KUHN, { preset: null, rules: { players: 99 } })).toBeNull();
  for (const players of [null, 99]) expect(fittingSetup(KUHN, { ...wide, seats: last, rules: { players } }).seats).toEqual(last);
});

it("knows numbers that cannot be played", () => {
  const seeds = OWARE.parameters[0]!;
  expect([1, 10].map((value) => goodRule(seeds, value))).toEqual([true, true]);
  expect([0, 11, 2.5, null, Number.NaN].map((value) => goodRule(seeds, value))).toEqual(Array(5).fill(false));
  const [stakes] = named("leduc").parameters.filter((each) => each.name === "stakes");
  expect(goodRule(stakes!, [0.5, 1])).toBe(true);
  expect(goodRule(stakes!, [0.5, null])).toBe(false);
});

it("finds nothing wrong with usual rules and presets", () => {
  for (const game of GAMES)
    for (const preset of [null, ...game.presets.map((each) => each.name)])
      expect(goodRules(game, { preset, rules: {} })).toBe(true);
});
