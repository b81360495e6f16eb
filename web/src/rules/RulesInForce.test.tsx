import { render, screen } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { api } from "../api/client";
import type { GameInfo, Params } from "../api/types";
import games from "../lobby/fixtures/games.json";
import { setPrefs } from "../prefs";
import { RulesInForce } from "./RulesInForce";

beforeEach(() => {
  setPrefs({ language: "en", folded: [] });
  vi.spyOn(api, "games").mockResolvedValue(games as unknown as GameInfo[]);
});

function show(name: string, params: Params) {
  render(<RulesInForce game={{ name, title: name, players: 2, hidden: false, params }} />);
}

/** The rules as they are read: label, value and what is usual. */
const rows = () => [...document.querySelectorAll(".in-force > div")].map((row) => [...row.children].map(textOf));
const textOf = (element: Element) =>
  [...element.childNodes].map((each) => each.textContent?.replaceAll("\u00a0", " ")).join(" | ");

it("tells every rule and marks what is not as usual", async () => {
  show("oware", { seeds: 3, must_feed: false, grand_slam: "allowed", starvation: "mover" });
  expect(await screen.findByText("usually 4")).toBeInTheDocument();
  expect(rows()).toEqual([
    ["Seeds in each pit", "3 | usually 4"],
    ["Must feed", "no | usually yes"],
    ["Grand slam", "captures them all | usually captures nothing"],
    ["An empty row ends the game", "when its owner is to move"],
  ]);
});

it("says the same in German, with the parts of a list and numbers as they are written there", async () => {
  setPrefs({ language: "de" });
  show("leduc", { ranks: 3, stakes: [0.5, 1], bets: [2, 4] });
  expect(screen.getByRole("button", { name: "Regeln" })).toBeInTheDocument();
  expect(await screen.findByText(/^sonst/)).toBeInTheDocument();
  expect(rows()).toEqual([
    ["Kartenwerte", "3"],
    ["Einsatz vor dem Geben", "Platz 1: 0,5 · Platz 2: 1 | sonst Platz 1: 1 · Platz 2: 1"],
    ["Höhe einer Erhöhung", "Erste Runde: 2 · Zweite Runde: 4"],
  ]);
});

it("tells what a series sets only where it is set, with seats as people count them", async () => {
  show("doppelkopf", { nines: true, owed: [1, 3], forced: -1, worth: 2 });
  expect(await screen.findByText("usually no")).toBeInTheDocument();
  expect(rows()).toEqual([
    ["With nines", "yes"],
    ["Compulsory solos", "Seat 2 · Seat 4 | usually no"],
    ["Points count times", "2 | usually 1"],
  ]);
});

it("tells rules that belong together one after the other, as the lobby does", () => {
  show("doppelkopf", { genscher: false, fox_last: true, piglets: true, other: 1, nines: true });
  expect(rows().map(([label]) => label)).toEqual(["With nines", "Piglets", "Genscher", "Fox takes the last trick", "other"]);
});

it("lists the rules even if the usual ones are unknown, and is empty if there are none", async () => {
  vi.spyOn(api, "games").mockRejectedValue(new Error("no line"));
  show("nim", { heaps: [2, 4], misere: true });
  await Promise.resolve();
  expect(rows()).toEqual([
    ["Heaps", "2 · 4"],
    ["Taking the last stick loses", "yes"],
  ]);
  show("tic_tac_toe", {});
  expect(screen.getAllByRole("button", { name: "Rules" })).toHaveLength(1);
});
