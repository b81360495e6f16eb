import { render, screen, within } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { reloadPrefs, setPrefs } from "../../prefs";
import { asSnapshot, doppelkopf } from "./fixtures/tables";
import { Result } from "./Result";
import type { DoppelkopfResult } from "./types";

beforeEach(() => {
  reloadPrefs();
  setPrefs({ language: "en" });
});

const RESULT: DoppelkopfResult = {
  winner: "re",
  type: "normal",
  silent_solo: false,
  re: [1, 2],
  kontra: [0, 3],
  solo_scoring: false,
  trick_winners: [1, 1, 2, 0, 1, 1, 1, 1, 1, 1, 1, 1],
  eyes_re: 151,
  eyes_kontra: 89,
  tricks_re: 11,
  points: [-3, 3, 3, -3],
  items_en: ["game won", "no 90", "fox caught (Re)"],
  items_de: ["gewonnen", "keine 90", "Fuchs gefangen (Re)"],
  item_points_re: [1, 1, 1],
};

it("tells a result item by item", () => {
  const over = {
    returns: RESULT.points,
    result: RESULT as unknown as Record<string, unknown>,
    words: { en: ["Re wins"], de: ["Re gewinnt"] },
    seed: 7,
    record: true,
  };
  render(<Result snapshot={{ ...asSnapshot(doppelkopf({ phase: "over", turn: null })), over }} />);
  expect(screen.getByRole("heading", { name: /Re wins/ })).toHaveTextContent("You lost");
  const rows = within(screen.getByRole("table")).getAllByRole("row").slice(1);
  expect(rows.map((row) => row.textContent)).toEqual(["game won+1", "no 90+1", "fox caught (Re)+1", "for Re+3"]);
  expect(screen.getByText("Bot 2, Bot 3")).toBeInTheDocument();
  expect(screen.getByText("89 eyes, 1 trick")).toBeInTheDocument();
});
