import { cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { api } from "../api/client";
import type { DoppelkopfResult, Snapshot } from "../api/types";
import { signed } from "../boards/common";
import { recordOf, seated } from "../boards/fixtures";
import { reloadPrefs, setPrefs } from "../prefs";
import { textOf } from "../replay/files";
import { seriousFindings } from "../test/axe";
import { asSnapshot, doppelkopf } from "../test/snapshots";
import { BoardFor } from "./BoardFor";
import { Announcer, Log } from "./Log";
import { Result } from "./Result";
import { runningTotals, ScoreSheet } from "./ScoreSheet";
import { isNewer } from "./useTable";

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

function finished(change: Partial<Snapshot> = {}): Snapshot {
  return {
    ...asSnapshot(doppelkopf({ phase: "over", turn: null })),
    over: {
      returns: [-3, 3, 3, -3],
      result: RESULT as unknown as Record<string, unknown>,
      words: { en: ["Re wins"], de: ["Re gewinnt"] },
      seed: 7,
      record: true,
    },
    score: { games: [[1, 1, -1, -1], [-3, 3, 3, -3]], totals: [-2, 4, 2, -4] },
    ...change,
  };
}

function result(snapshot: Snapshot, mayGoOn = true) {
  const onNext = vi.fn();
  render(
    <Result snapshot={snapshot} token={null} mayGoOn={mayGoOn} busy={false} onNext={onNext} onError={vi.fn()} onHide={vi.fn()} />,
  );
  return onNext;
}

it("tells a Doppelkopf result item by item", () => {
  result(finished());
  expect(screen.getByRole("heading", { name: /Re wins/ })).toHaveTextContent("You lost");
  const rows = within(screen.getByRole("table")).getAllByRole("row").slice(1);
  expect(rows.map((row) => row.textContent)).toEqual(["game won+1", "no 90+1", "fox caught (Re)+1", "for Re+3"]);
  expect(screen.getByText("Bot 2, Bot 3")).toBeInTheDocument();
  expect(screen.getByText("89 eyes, 1 trick")).toBeInTheDocument();
});

it("takes the focus where the end of the game has left none, and leaves it where somebody is at something", () => {
  result(finished());
  expect(screen.getByRole("region", { name: "Result" })).toHaveFocus();
  cleanup();
  render(<input aria-label="elsewhere" autoFocus />);
  result(finished());
  expect(screen.getByLabelText("elsewhere")).toHaveFocus();
});

it("goes on for players until the series is over", () => {
  result(finished());
  screen.getByRole("button", { name: "Next game" }).click();
  expect(screen.getByRole("button", { name: "Review this game" })).toBeInTheDocument();
});

it("has no next game after the last one, nor for spectators", () => {
  result(finished({ number: 4 }));
  expect(screen.queryByRole("button", { name: "Next game" })).not.toBeInTheDocument();
  expect(screen.getByText("The series is over.")).toBeInTheDocument();
  result(finished(), false);
  expect(screen.queryByRole("button", { name: "Next game" })).not.toBeInTheDocument();
});

it("keeps a score sheet with running totals", () => {
  expect(runningTotals([[1, -1], [2, -2]])).toEqual([[1, -1], [3, -3]]);
  render(<ScoreSheet snapshot={finished()} />);
  const rows = screen.getAllByRole("row").map((row) => row.textContent);
  expect(rows).toEqual(["GameAdaBot 2Bot 3Bot 4", "1+1+1+1+1−1−1−1−1", "2−2−3+4+3+2+3−4−3", "Total−2+4+2−4"]);
});

it("writes points as people do, in both languages", () => {
  expect([3, -1, 0, 0.5, -1.25].map((value) => signed(value, "en"))).toEqual(["+3", "−1", "0", "+0.5", "−1.25"]);
  expect(signed(-0.5, "de")).toBe("−0,5");
});

it("shows the lines of the log as the server says them", () => {
  const text = { en: "<b>{0}</b> seat 1 calls -1", de: "<b>{0}</b> sagt Platz 1 -1" };
  const snapshot = asSnapshot(doppelkopf({ log: [{ seat: 1, kind: "call", text }] }));
  const { unmount } = render(<Log snapshot={snapshot} />);
  expect(screen.getByRole("listitem")).toHaveTextContent(text.en);
  unmount();
  setPrefs({ language: "de" });
  render(<Log snapshot={snapshot} />);
  expect(screen.getByRole("listitem")).toHaveTextContent(text.de);
});

it("shows seeds where something was dealt, and payoffs once", () => {
  result(finished());
  expect(screen.getByText("Seed of the deal: 7")).toBeInTheDocument();
  const nim = seated("nim", -1);
  const over = { ...nim.over, seed: 8, record: true } as NonNullable<Snapshot["over"]>;
  result({ ...nim, over });
  expect(over.words.en).toEqual(["Bot 2 wins", "Ada −1, Bot 2 +1"]);
  expect(screen.getByRole("heading", { name: "Bot 2 wins" })).toBeInTheDocument();
  expect(screen.queryByText(/Ada −1|Seed of the deal: 8/)).not.toBeInTheDocument();
  expect(screen.getAllByText("−1")).toHaveLength(1);
});

it("saves the record as one line", async () => {
  const { record } = recordOf("kuhn");
  vi.spyOn(api, "gameRecord").mockResolvedValue(record);
  let saved: Blob | undefined;
  let name = "";
  URL.createObjectURL = vi.fn((blob: Blob) => {
    saved = blob;
    return "blob:x";
  }) as typeof URL.createObjectURL;
  URL.revokeObjectURL = vi.fn();
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    name = this.download;
  });
  result(finished());
  await userEvent.click(screen.getByRole("button", { name: "Download the record" }));
  await waitFor(() => expect(name).toBe("kiebitz-doppelkopf-1.jsonl"));
  const lines = (await textOf(saved as Blob)).split("\n");
  expect(lines).toHaveLength(2);
  expect(JSON.parse(lines[0] ?? "")).toEqual(record);
});

it("never shows an older state of a table", () => {
  const shown = finished();
  expect(isNewer({ ...shown, version: shown.version - 1 }, shown)).toBe(false);
  expect(isNewer({ ...shown }, shown)).toBe(true);
  expect(isNewer({ ...shown, version: 1, number: 2 }, shown)).toBe(true);
  expect(isNewer(shown, null)).toBe(true);
});

it("announces what happened and whose turn it is", () => {
  const before = asSnapshot(doppelkopf({ turn: 3 }));
  const { rerender } = render(<Announcer snapshot={before} />);
  expect(screen.getByRole("status")).toHaveTextContent("");
  const news = { seat: 1, kind: "card" as const, text: { en: "Bot 2 plays ♣Q", de: "Bot 2 spielt ♣Q" } };
  rerender(<Announcer snapshot={{ ...before, turn: 0, log: [...before.log, news] }} />);
  expect(screen.getByRole("status")).toHaveTextContent("Bot 2 plays ♣Q. Your turn");
});

it("draws a table without serious accessibility findings", async () => {
  const { container } = render(
    <BoardFor snapshot={asSnapshot(doppelkopf())} onAct={vi.fn()} busy={false} language="en" animate={false} />,
  );
  expect(await seriousFindings(container)).toEqual([]);
});
