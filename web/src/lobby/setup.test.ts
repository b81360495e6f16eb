import { expect, it } from "vitest";
import type { GameInfo } from "../api/types";
import { botsRequest, changeSeat, fittingSetup, openRefused, tableRequest, usualSetup, usualStrength } from "./setup";

const DOPPELKOPF: GameInfo = {
  name: "doppelkopf",
  title: "Doppelkopf",
  players: 4,
  hidden: true,
  presets: [{ name: "thesis", help: "no house rules", values: {} }],
  parameters: [],
  strengths: [
    { key: "casual", spec: "rule_of_thumb" },
    { key: "strong", spec: "best(worlds=20)" },
    { key: "best", spec: "best" },
  ],
};
const NIM: GameInfo = { ...DOPPELKOPF, name: "nim", players: 2, presets: [], strengths: [{ key: "best", spec: "nim_perfect" }] };

it("offers the person and three strong bots", () => {
  expect(tableRequest(DOPPELKOPF, usualSetup(DOPPELKOPF), "Ada")).toEqual({
    game: { name: "doppelkopf" },
    seats: [{ kind: "person", name: "Ada", me: true }, ...Array<unknown>(3).fill({ kind: "bot", strength: "strong" })],
    options: { fair: false, open: false, games: null, pace_ms: 700, language: null, alternate: true },
  });
});

it("asks for a clock in seconds where one was chosen, and for no chat where none is wanted", () => {
  const { options } = tableRequest(NIM, { ...usualSetup(NIM), clock: "5+3", chat: false }, "Ada");
  expect(options).toMatchObject({ clock_seconds: 300, increment_seconds: 3, chat: false });
});

it("takes the best where nothing is called strong", () => {
  expect(usualStrength(NIM)).toBe("best");
});

it("lets a person sit on one seat only", () => {
  const seats = changeSeat(usualSetup(DOPPELKOPF).seats, 2, { kind: "me", strength: "strong" });
  expect(seats.map((seat) => seat.kind)).toEqual(["bot", "bot", "me", "bot"]);
});

it("keeps the remembered choices that fit", () => {
  const stored = { ...usualSetup(DOPPELKOPF), preset: "gone", games: 8 };
  stored.seats[1] = { kind: "bot", strength: "gone" };
  stored.seats[2] = { kind: "open", strength: "best" };
  const setup = fittingSetup(DOPPELKOPF, stored);
  expect([setup.preset, setup.games]).toEqual([null, 8]);
  expect(setup.seats.map((seat) => `${seat.kind} ${seat.strength}`)).toEqual(["me strong", "bot strong", "open best", "bot strong"]);
  expect(fittingSetup(NIM, stored).seats).toHaveLength(2);
});

it("opens a table of bots for all to see", () => {
  const request = botsRequest(DOPPELKOPF, { ...usualSetup(DOPPELKOPF), fair: true });
  expect(request.seats.every((seat) => seat.kind === "bot")).toBe(true);
  expect(request.options).toMatchObject({ open: true, fair: false });
});

it("lays no hands open at a fair table or for two people, where cards are hidden", () => {
  const alone = { ...usualSetup(DOPPELKOPF), open: true };
  const friend = { ...alone, seats: changeSeat(alone.seats, 2, { kind: "open", strength: "strong" }) };
  const bots = { ...alone, seats: changeSeat(alone.seats, 0, { kind: "bot", strength: "strong" }) };
  const setups = [alone, bots, { ...alone, fair: true }, friend, { ...friend, fair: true }];
  expect(setups.map((setup) => openRefused(DOPPELKOPF, setup))).toEqual([null, null, "fair", "people", "fair"]);
  const sent = (game: GameInfo) => setups.map((setup) => tableRequest(game, setup, "Ada").options.open);
  expect(sent(DOPPELKOPF)).toEqual([true, true, false, false, false]);
  expect(sent({ ...DOPPELKOPF, hidden: false })).toEqual([true, true, true, true, true]);
  expect(botsRequest(DOPPELKOPF, { ...friend, fair: true }).options).toMatchObject({ open: true, fair: false });
});
