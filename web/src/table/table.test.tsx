import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { api } from "../api/client";
import type { Snapshot } from "../api/types";
import { signed } from "../i18n/numbers";
import { reloadPrefs, setPrefs } from "../prefs";
import { textOf } from "../records/files";
import { recordOf, seated } from "../test/records";
import { anyControl, anyTable } from "../test/table";
import { Chat } from "./Chat";
import { Clocks, clockText } from "./Clocks";
import { Controls, steers, UndoNotice } from "./Controls";
import { Announcer, Log } from "./Log";
import { ResultPanel } from "./ResultPanel";
import { runningTotals, ScoreSheet } from "./ScoreSheet";
import { isNews, type TableHandle } from "./useTable";

beforeEach(() => {
  reloadPrefs();
  setPrefs({ language: "en" });
});

function finished(change: Partial<Snapshot> = {}): Snapshot {
  return {
    ...anyTable({ phase: "over", turn: null }),
    over: {
      returns: [-3, 3, 3, -3],
      result: {},
      words: { en: ["Bot 2 and Bot 3 win", "Ada −3, …"], de: ["Bot 2 und Bot 3 gewinnen", "Ada −3, …"] },
      seed: 7,
      record: true,
    },
    score: { games: [[1, 1, -1, -1], [-3, 3, 3, -3]], totals: [-2, 4, 2, -4], place: 2, last: false },
    ...change,
  };
}

function result(snapshot: Snapshot, mayGoOn = true) {
  const onNext = vi.fn();
  const onRematch = vi.fn();
  const buttons = { onNext, onRematch, onError: vi.fn(), onHide: vi.fn() };
  render(<ResultPanel snapshot={snapshot} token={null} mayGoOn={mayGoOn} busy={false} {...buttons} />);
  return buttons;
}

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
  result(finished({ score: { ...finished().score, last: true } }));
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
  expect(screen.getByText("Large: the total so far; small: what the game brought.")).toBeInTheDocument();
});

it("writes points as people do, in both languages", () => {
  expect([3, -1, 0, 0.5, -1.25].map((value) => signed(value, "en"))).toEqual(["+3", "−1", "0", "+0.5", "−1.25"]);
  expect(signed(-0.5, "de")).toBe("−0,5");
  expect([1, -0.04, 0.04, -0.8].map((value) => signed(value, "de", 1, 1))).toEqual(["+1,0", "0,0", "0,0", "−0,8"]);
});

it("shows the lines of the log as the server says them", () => {
  const text = { en: "<b>{0}</b> seat 1 calls -1", de: "<b>{0}</b> sagt Platz 1 -1" };
  const snapshot = anyTable({ log: [{ seat: 1, kind: "call", text }] });
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
  await waitFor(() => expect(name).toBe("kiebitz-quartet-1.jsonl"));
  const lines = (await textOf(saved as Blob)).split("\n");
  expect(lines).toHaveLength(2);
  expect(JSON.parse(lines[0] ?? "")).toEqual(record);
});

it("never shows an older state of a table, and the same one only once", () => {
  expect(isNews(finished(), finished())).toBe(false);
  const shown = finished();
  expect(isNews({ ...shown, version: shown.version - 1 }, shown)).toBe(false);
  expect(isNews({ ...shown, turn: 1 }, shown)).toBe(true);
  expect(isNews({ ...shown, version: 1, number: 2 }, shown)).toBe(true);
  expect(isNews(shown, null)).toBe(true);
});

it("announces what happened and whose turn it is", () => {
  const before = anyTable({ turn: 3 });
  const { rerender } = render(<Announcer snapshot={before} />);
  expect(screen.getByRole("status")).toHaveTextContent("");
  const news = { seat: 1, kind: "card" as const, text: { en: "Bot 2 plays ♣Q", de: "Bot 2 spielt ♣Q" } };
  rerender(<Announcer snapshot={{ ...before, turn: 0, log: [...before.log, news] }} />);
  expect(screen.getByRole("status")).toHaveTextContent("Bot 2 plays ♣Q. Your turn");
});

function handle(change: Partial<TableHandle> = {}): TableHandle {
  const done = () => vi.fn().mockResolvedValue(true);
  return {
    snapshot: null, connection: "online", error: null, clearError: vi.fn(), busy: false, token: "t", owner: false,
    act: done(), undo: done(), keepMove: done(), resign: done(), pace: done(), next: done(), rematch: done(), say: done(), claim: done(), leave: done(), ...change,
  };
}

const control = anyControl({ undo: true, resign: "loss" });

it("takes back a move, and asks the others where there are any", async () => {
  const table = handle();
  const { rerender } = render(<Controls table={table} snapshot={anyTable({ control })} />);
  await userEvent.click(screen.getByRole("button", { name: "Take back" }));
  expect(table.undo).toHaveBeenCalledOnce();
  rerender(<Controls table={table} snapshot={anyTable({ control: { ...control, undo: false } })} />);
  expect(screen.getByRole("button", { name: "Take back" })).toBeDisabled();
  cleanup();

  const asked = { control: { ...control, undoing: [1] } };
  const people = ["Ada", "Grace"].map((name) => ({ name, kind: "person" as const }));
  render(<UndoNotice table={table} snapshot={anyTable({ ...asked, seats: people })} />);
  expect(screen.getByRole("status")).toHaveTextContent("Grace wants to take back a move.");
  await userEvent.click(screen.getByRole("button", { name: "No" }));
  expect(table.keepMove).toHaveBeenCalledOnce();
  await userEvent.click(screen.getByRole("button", { name: "Agree" }));
  expect(table.undo).toHaveBeenCalledTimes(2);
  cleanup();
  render(<UndoNotice table={table} snapshot={anyTable({ ...asked, seats: people, you: null })} />);
  expect(screen.queryByRole("button")).not.toBeInTheDocument();
});

it("pauses, steps and hurries the bots for whoever is alone with them", async () => {
  const table = handle();
  const { rerender } = render(<Controls table={table} snapshot={anyTable({ control })} />);
  expect(screen.queryByRole("button", { name: "One move" })).not.toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Pause" }));
  expect(table.pace).toHaveBeenLastCalledWith({ paused: true });
  await userEvent.selectOptions(screen.getByRole("combobox"), "Fast");
  expect(table.pace).toHaveBeenLastCalledWith({ pace_ms: 250 });
  rerender(<Controls table={table} snapshot={anyTable({ control: { ...control, paused: true, pace_ms: 0 } })} />);
  await userEvent.click(screen.getByRole("button", { name: "One move" }));
  expect(table.pace).toHaveBeenLastCalledWith({ step: true });
  expect(screen.getByRole("combobox")).toHaveDisplayValue("0 s a move");
});

it("leaves the pace to nobody alone where others sit, and to the owner where bots play", () => {
  const bots = anyTable({ you: null, seats: ["A", "B"].map((name) => ({ name, kind: "bot" as const })) });
  expect([steers(bots, true), steers(bots, false)]).toEqual([true, false]);
  const free = anyTable({ seats: [{ name: "Ada", kind: "person" }, { name: "", kind: "open" }] });
  expect(steers(free, false)).toBe(false);
  expect(steers(anyTable(), false)).toBe(true);
});

it("asks before it gives up a game, and says what that means", async () => {
  const table = handle();
  const { rerender } = render(<Controls table={table} snapshot={anyTable({ control: { ...control, resign: "bot" } })} />);
  await userEvent.click(screen.getByRole("button", { name: "Give up" }));
  expect(screen.getByRole("alertdialog")).toHaveTextContent("A bot plays this game to its end for you.");
  await userEvent.keyboard("{Escape}");
  expect(screen.getByRole("button", { name: "Give up" })).toHaveFocus();
  rerender(<Controls table={table} snapshot={anyTable({ control: { ...control, resign: "loss" } })} />);
  await userEvent.click(screen.getByRole("button", { name: "Give up" }));
  expect(screen.getByRole("alertdialog")).toHaveTextContent("You lose this game.");
  expect(table.resign).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole("button", { name: "Give up" }));
  expect(table.resign).toHaveBeenCalledOnce();
  rerender(<Controls table={table} snapshot={anyTable({ control: { ...control, resigned: [0] } })} />);
  expect(screen.getByRole("status")).toHaveTextContent("a bot plays on for you");
});

it("asks for another series after the last game, and says who wants one", async () => {
  const score = { ...finished().score, last: true };
  const last = (rematching: number[]) => finished({ score, control: anyControl({ rematching }) });
  const { onRematch } = result(last([]));
  await userEvent.click(screen.getByRole("button", { name: "Rematch" }));
  expect(onRematch).toHaveBeenLastCalledWith(true);
  cleanup();
  result(last([1]));
  expect(screen.getByRole("status")).toHaveTextContent("Bot 2: rematch?");
  cleanup();
  const waiting = result(last([0]));
  await userEvent.click(screen.getByRole("button", { name: "No rematch after all" }));
  expect(waiting.onRematch).toHaveBeenLastCalledWith(false);
});

it("keeps players in their columns of the score sheet when they change seats", () => {
  const score = { games: [[1, -1], [1, -1]], totals: [2, -2], columns: [1, 0], place: 2, last: false };
  const seats = ["Grace", "Ada"].map((name) => ({ name, kind: "person" as const }));
  render(<ScoreSheet snapshot={anyTable({ seats, score, you: 1 })} />);
  expect(screen.getAllByRole("columnheader").map((each) => each.textContent)).toEqual(["Game", "Ada", "Grace"]);
  expect(screen.getAllByRole("row").at(-1)).toHaveTextContent("Total−2+2");
});

it("counts down the clock that runs from what the server said last", () => {
  vi.useFakeTimers();
  try {
    const clock = { left: [65_000, 9_400, null, null], running: 0 };
    const { rerender } = render(<Clocks snapshot={anyTable({ clock })} />);
    const shown = () => screen.getAllByRole("timer").map((each) => each.textContent);
    expect(shown()).toEqual(["1:05", "0:09.4"]);
    act(() => vi.advanceTimersByTime(6000));
    expect(shown()).toEqual(["0:59", "0:09.4"]);
    rerender(<Clocks snapshot={anyTable({ clock: { left: [62_000, 9_400, null, null], running: 1 } })} />);
    expect(shown()).toEqual(["1:02", "0:09.4"]);
    act(() => vi.advanceTimersByTime(20_000));
    expect(shown()).toEqual(["1:02", "0:00.0"]);
  } finally {
    vi.useRealTimers();
  }
  expect(clockText(3_723_000)).toBe("1:02:03");
});

it("shows what others write as plain text, and sends lines", async () => {
  const table = handle();
  const chat = { open: true, lines: [{ number: 1, name: "Grace", text: "<img src=x onerror=alert(1)>" }] };
  const { rerender, container } = render(<Chat table={table} chat={chat} mayWrite />);
  expect(screen.getByRole("log")).toHaveTextContent("Grace <img src=x onerror=alert(1)>");
  expect(container.querySelector("img")).toBeNull();
  await userEvent.type(screen.getByRole("textbox", { name: "Write to the others" }), "  {Enter}well played{Enter}");
  expect(table.say).toHaveBeenCalledExactlyOnceWith("  well played");
  await waitFor(() => expect(screen.getByRole("textbox")).toHaveValue(""));
  rerender(<Chat table={table} chat={chat} mayWrite={false} />);
  expect(screen.queryByRole("textbox")).not.toBeInTheDocument();
});
