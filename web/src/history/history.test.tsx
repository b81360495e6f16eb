// The person's own games: kept once, judged by the reviews of their own seat, shown in words.

import { cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { api } from "../api/client";
import type { Review, Snapshot } from "../api/types";
import { translator } from "../i18n";
import { setPrefs } from "../prefs";
import { seriousFindings } from "../test/axe";
import { recordOf, reviewOf } from "../test/records";
import { HistoryPage, statistics } from "./HistoryPage";
import { foundBy, keepGame, keepReview, MOST, outcomeOf, played, together } from "./history";

/** A real review, its decisions named after the phases of a game that has several. */
const real = reviewOf("oware");
const review: Review = { ...real, decisions: real.decisions.map((each, i) => ({ ...each, decision: i % 3 ? "card" : "call" })) };
const game = { ...recordOf("oware").game, name: "doppelkopf", title: "Doppelkopf" };
const SEATS = ["Ada", "Bot 2"].map((name) => ({ name, kind: "person" as const }));

function ended(number: number, change: Partial<Snapshot> = {}): Snapshot {
  const over = { returns: [-0.5, 0.5], result: {}, words: { en: [], de: [] }, seed: null, record: true };
  return { table: "t", number, game, seats: SEATS, you: 1, over, ...change } as unknown as Snapshot;
}

beforeEach(() => {
  localStorage.clear();
  setPrefs({ language: "en" });
});

it("keeps a game once, and only as a player who has seen its end", () => {
  keepGame(ended(1, { over: null }));
  keepGame(ended(1, { you: null }));
  expect(played()).toHaveLength(0);
  keepGame(ended(1));
  keepGame(ended(1));
  keepGame(ended(2, { over: { ...ended(2).over!, returns: [1, -1] } }));
  expect(played().map((each) => [each.number, each.seat, outcomeOf(each)])).toEqual([
    [2, 1, -1],
    [1, 1, 1],
  ]);
});

it("forgets the oldest games, and what it cannot read", () => {
  for (let number = 1; number <= MOST + 2; number += 1) keepGame(ended(number));
  expect(played()).toHaveLength(MOST);
  expect(played().at(-1)?.number).toBe(3);
  for (const broken of ["no JSON", "{}", "[{}, null, 3]"]) {
    localStorage.setItem("kiebitz.history", broken);
    expect(played()).toEqual([]);
  }
});

it("counts the decisions of the own seat as the review does", () => {
  for (const { seat, decisions, mistakes } of review.players) {
    const { phases, slips } = foundBy(review, seat);
    const all = together(Object.values(phases));
    expect(all.mistakes).toBe(mistakes);
    expect(all.decisions).toBeLessThanOrEqual(decisions);
    expect(slips).toHaveLength(Math.min(mistakes, 3));
  }
});

it("says how often, at what, and at what cost one goes wrong", () => {
  const seat = review.decisions.find((each) => each.mistake)?.seat ?? 0;
  for (let number = 1; number <= 12; number += 1) {
    keepGame(ended(number, { you: seat }));
    keepReview("t", number, `r${number}`, number > 2 ? review : ({ ...review, decisions: [] } as Review));
  }
  const lines = statistics(played(), translator("en"));
  expect(lines[0]).toBe("Games reviewed: 12");
  expect(lines[1]).toMatch(/^Mistakes per game: [\d.]+ \(\d+ % of \d+ decisions\)$/);
  expect(lines.at(-1)).toMatch(/^Mistakes per game in the last 10: [\d.]+, before: 0$/);
  expect(lines.some((line) => line.startsWith("Cards: "))).toBe(true);
});

it("reviews what was not reviewed, and leads to the worst mistakes", async () => {
  const seat = review.decisions.find((each) => each.mistake)?.seat ?? 0;
  keepGame(ended(1, { you: seat }));
  vi.spyOn(api, "share").mockResolvedValue({ record: "abc" });
  vi.spyOn(api, "review").mockResolvedValue({ job: "j" });
  vi.spyOn(api, "job").mockResolvedValue({ state: "done", progress: 1, result: review });
  const { container } = render(<HistoryPage />);
  const part = screen.getByRole("region", { name: "Doppelkopf" });
  await userEvent.click(within(part).getByRole("button", { name: "Find my mistakes in 1 game" }));
  await waitFor(() => within(part).getByText("The most expensive ones"));
  const link = within(part).getAllByRole("link", { name: /instead of/ })[0];
  expect(link?.getAttribute("href")).toMatch(/^#\/record\/abc\/\d+$/);
  expect(within(part).queryByRole("button", { name: /Find my mistakes/ })).toBeNull();
  expect(await seriousFindings(container)).toEqual([]);
});

it("looks at a game of a table that plays another one by now", async () => {
  keepGame(ended(1));
  const share = vi.spyOn(api, "share").mockResolvedValue({ record: "abc" });
  render(<HistoryPage />);
  await userEvent.click(screen.getByRole("link", { name: /^Look at the game of/ }));
  await waitFor(() => expect(location.hash).toBe("#/record/abc"));
  expect(share).toHaveBeenCalledWith("t", 1, null);
  expect(played()[0]?.record).toBe("abc");
  cleanup();

  keepGame(ended(2));
  share.mockRejectedValue(new Error("gone"));
  render(<HistoryPage />);
  await userEvent.click(screen.getAllByRole("link", { name: /^Look at the game of/ })[0]!);
  await waitFor(() => expect(location.hash).toBe("#/table/t"));
});

it("forgets everything only when asked twice", async () => {
  keepGame(ended(1));
  render(<HistoryPage />);
  await userEvent.click(screen.getByRole("button", { name: "Forget all games" }));
  expect(played()).toHaveLength(1);
  await userEvent.click(screen.getByRole("button", { name: "Really forget all of them" }));
  expect(played()).toHaveLength(0);
  screen.getByText(/No games yet/);
});
