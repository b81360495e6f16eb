// The replay with a real game and its review: stepping, jumping, reviewing, sharing, files.

import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { api, ApiError } from "../api/client";
import { passFor } from "../api/tokens";
import type { Job, ReviewDecision } from "../api/types";
import { asSnapshot, callRound } from "../games/doppelkopf/fixtures/tables";
import { setPrefs } from "../prefs";
import { costText, unitOf, valueText } from "../i18n/units";
import { exactSeed, firstRecord, readRecords, textOf } from "../records/files";
import { recordOf, reviewOf } from "../test/records";
import { ReplayPage } from ".";
import { rowsOf } from "./MoveList";
import { movesOf, stepAt, stepsOf, stopAt, stopsOf } from "./steps";

vi.setConfig({ testTimeout: 20_000 });

vi.mock("uplot", () => ({
  default: class {
    static pxRatio = 1;
    over = document.createElement("div");
    cursor = {};
    destroy() {}
    redraw() {}
    setSize() {}
  },
}));

const review = reviewOf("oware");
const last = recordOf("oware").steps.length - 1;

beforeEach(() => {
  setPrefs({ language: "en", animate: false });
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      disconnect() {}
    },
  );
  vi.spyOn(api, "record").mockResolvedValue(recordOf("oware"));
  vi.spyOn(api, "games").mockResolvedValue([]);
  vi.spyOn(api, "keptReview").mockResolvedValue(null);
});

const worst = review.decisions[review.worst[0] ?? 0] as ReviewDecision;

/** Opens a game that was reviewed before. */
async function reviewed(found = review) {
  vi.spyOn(api, "keptReview").mockResolvedValue(found);
  const slider = await open("b");
  await screen.findByText("Worst mistakes");
  return slider;
}

async function open(id: string) {
  render(<ReplayPage id={id} />);
  return (await screen.findByRole("slider")) as HTMLInputElement;
}

describe("stepping", () => {
  it("goes by slider, buttons and keys, and stays inside the game", async () => {
    const slider = await open("a");
    expect(slider).toHaveAttribute("aria-valuetext", `Position 1 of ${last + 1}`);
    await userEvent.keyboard("{ArrowRight}{ArrowRight}{ArrowLeft}");
    expect(slider.value).toBe("1");
    expect(screen.getByText(/^Ada: A$/)).toBeInTheDocument();
    await userEvent.keyboard("{End}{ArrowRight}");
    expect(slider.value).toBe(String(last));
    await userEvent.click(screen.getByRole("button", { name: "First position" }));
    await userEvent.click(screen.getByRole("button", { name: "One step forward" }));
    expect(slider.value).toBe("1");
    expect(screen.getByRole("button", { current: "step" })).toHaveTextContent("Bot 2");
  });

  it("turns the board to the chosen viewpoint", async () => {
    await open("a");
    const letters = () =>
      [...document.querySelectorAll(".ow-bottom .ow-number i")].map((each) => each.textContent).join("");
    expect(letters()).toBe("ABCDEF");
    await userEvent.selectOptions(screen.getByLabelText("Viewpoint"), "Bot 2");
    expect(letters()).toBe("abcdef");
  });

  it("shows the result in words at the end", async () => {
    await open("a");
    await userEvent.keyboard("{End}");
    const words = recordOf("oware").steps.at(-1)?.over?.words.en ?? [];
    expect(words).toEqual(["Ada wins", "Ada +1, Bot 2 −1"]);
    for (const line of words) expect(screen.getByText(line)).toBeInTheDocument();
  });

  it("tells by which rules was played", async () => {
    await open("a");
    const seeds = screen.getByText("Seeds in each pit").nextElementSibling;
    expect(seeds).toHaveTextContent(String(recordOf("oware").game.params["seeds"]));
  });

  it("has numbers for seats without a name, and the strength of bots", async () => {
    const stored = recordOf("kuhn");
    const seats = [
      { name: "", strength: null },
      { name: "Bot 2", strength: "strong" },
    ];
    vi.spyOn(api, "record").mockResolvedValue({ ...stored, seats });
    await open("a");
    const options = within(screen.getByLabelText("Viewpoint")).getAllByRole("option");
    expect(options.map((option) => option.textContent)).toEqual(["Seat 1", "Bot 2"]);
    expect(stepsOf({ ...stored, seats })[0]?.snapshot.seats[1]).toMatchObject(seats[1] ?? {});
  });
});

describe("playing on by itself", () => {
  afterEach(() => vi.useRealTimers());

  it("plays to the end and stops", async () => {
    const slider = await open("a");
    vi.useFakeTimers({ shouldAdvanceTime: false });
    act(() => screen.getByRole("button", { name: "Play" }).click());
    act(() => vi.advanceTimersByTime(1000));
    expect(slider.value).toBe("1");
    for (let i = 0; i <= last; i += 1) act(() => vi.advanceTimersByTime(1000));
    expect(slider.value).toBe(String(last));
    expect(screen.getByRole("button", { name: "Play" })).toBeInTheDocument();
  });
});

describe("the review", () => {
  it("runs with progress, then explains the worst mistakes and jumps there", async () => {
    vi.spyOn(api, "review").mockResolvedValue({ job: "j" });
    let finish: (job: Job) => void = () => undefined;
    const done = new Promise<Job>((resolve) => (finish = resolve));
    vi.spyOn(api, "job").mockResolvedValueOnce({ state: "running", progress: 0.4, result: null }).mockReturnValue(done);
    const slider = await open("b");
    await userEvent.click(screen.getByRole("button", { name: "Review the game" }));
    expect(await screen.findByText("40 %")).toBeInTheDocument();
    finish({ state: "done", progress: 1, result: review });
    expect(await screen.findByText(review.words.en[0] ?? "?")).toBeInTheDocument();
    const jumps = screen.getAllByRole("button", { name: "Show the position" });
    expect(jumps).toHaveLength(review.worst.length);
    await userEvent.click(jumps[0] as HTMLElement);
    const worst = review.decisions[review.worst[0] ?? 0];
    expect(slider.value).toBe(String(worst?.ply));
    const list = screen.getByRole("region", { name: "Decisions" });
    await userEvent.click(screen.getByLabelText("Mistakes only"));
    expect(within(list).getAllByRole("listitem")).toHaveLength(review.decisions.filter((each) => each.mistake).length);
  });

  it("is kept with the game and shown on the next visit", async () => {
    vi.spyOn(api, "keptReview").mockResolvedValue({ ...review, effort: "quick" });
    await open("b");
    expect(await screen.findByText("Worst mistakes")).toBeInTheDocument();
  });

  it("marks the better and the played move on the board, and says both in words", async () => {
    await reviewed();
    await userEvent.click((await screen.findAllByRole("button", { name: "Show the position" }))[0] as HTMLElement);
    const board = screen.getByRole("region", { name: "Oware board" });
    expect(board.querySelectorAll("[data-mark=mistake]")).toHaveLength(1);
    expect(board.querySelectorAll("[data-mark=best]")).toHaveLength(worst.good.length);
    expect(screen.getByText(`Chosen: ${worst.played}`)).toBeInTheDocument();
    expect(screen.getByText(`Better: ${worst.good.join(", ")}`)).toBeInTheDocument();
  });

  it("shows no loss that is too small to mention", async () => {
    const small = { ...worst, mistake: false, lost: 0.04, error: 0.01 };
    await reviewed({ ...review, decisions: [small], worst: [], words: { en: [], de: [] } });
    expect(await screen.findByText("No decision cost anything worth mentioning.")).toBeInTheDocument();
    expect(document.querySelector(".rp-bad, .rp-mistake")).toBeNull();
  });

  it("speaks of wins and draws where they were at stake, and else of the unit of the game", () => {
    const unit = unitOf(recordOf("oware").game);
    const cost = { lost: 0.25, error: 0.05, outcome: null };
    expect(costText(unit, cost, null, "en")).toBe("9 ± 2 seeds");
    expect(costText(unit, cost, null, "de")).toBe("9 ± 2 Samen");
    expect(costText(unit, { ...cost, outcome: "lost" }, "won", "en")).toBe("the win");
    expect(costText(unit, { ...cost, outcome: "lost" }, "drawn", "de")).toBe("das Remis");
    expect(costText(unit, { ...cost, outcome: "lost" }, null, "en")).toBe("the game");
    const chance = unitOf(recordOf("nim").game);
    expect([valueText(chance, 0.5, "en"), valueText(chance, 1, "de", "won")]).toEqual(["75 %", "gewonnen"]);
  });

  it("can be cancelled", async () => {
    vi.spyOn(api, "review").mockResolvedValue({ job: "j" });
    vi.spyOn(api, "job").mockResolvedValue({ state: "running", progress: 0.1, result: null });
    const cancelled = vi.spyOn(api, "cancelJob").mockResolvedValue(null);
    await open("c");
    await userEvent.click(screen.getByRole("button", { name: "Review the game" }));
    await screen.findByText("10 %");
    await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
    expect(cancelled).toHaveBeenCalledWith("j");
    expect(screen.getByText("Stopped.")).toBeInTheDocument();
  });

  it("says that it failed", async () => {
    vi.spyOn(api, "review").mockResolvedValue({ job: "j" });
    vi.spyOn(api, "job").mockResolvedValue({ state: "failed", progress: 0.1, result: null });
    await open("d");
    await userEvent.click(screen.getByRole("button", { name: "Review the game" }));
    expect(await screen.findByText(/The review failed/)).toBeInTheDocument();
  });
});

describe("another try", () => {
  const asked = vi.fn();

  beforeEach(() => {
    asked.mockReset();
    vi.spyOn(api, "tryAction").mockImplementation((_, ply, action) => {
      asked(ply, action);
      return Promise.resolve(recordOf("oware").steps[1] ?? {});
    });
  });

  it("goes on until something better is found; a try can be taken back", async () => {
    await reviewed();
    await userEvent.click((await screen.findAllByRole("button", { name: "Try again" }))[0] as HTMLElement);
    const panel = screen.getByRole("region", { name: "Try again" });
    expect(panel).toHaveTextContent(`chose ${worst.played} here. Find something better.`);
    // The answer is not given away.
    expect(document.querySelector("[data-mark=best]")).toBeNull();
    const wrong = worst.options.find((option) => option.name === worst.played);
    const right = worst.options.find((option) => option.best);
    await userEvent.click(within(panel).getByRole("button", { name: worst.played }));
    expect(panel).toHaveTextContent(/it costs/);
    expect(asked).toHaveBeenLastCalledWith(worst.ply, wrong?.action);
    await userEvent.click(within(panel).getByRole("button", { name: "Take back" }));
    await userEvent.click(within(panel).getByRole("button", { name: right?.name }));
    expect(panel).toHaveTextContent(/found, nothing is better/);
    await userEvent.click(within(panel).getByRole("button", { name: "Take back" }));
    expect(document.querySelectorAll("[data-mark=best]")).toHaveLength(worst.good.length);
    await userEvent.click(within(panel).getByRole("button", { name: "Done" }));
    expect(screen.queryByRole("region", { name: "Try again" })).toBeNull();
  });

  it("is made on the board as well, and ends with a step", async () => {
    await reviewed();
    await userEvent.click((await screen.findAllByRole("button", { name: "Try again" }))[0] as HTMLElement);
    const pit = document.querySelector<HTMLElement>("button.ow-may");
    await userEvent.click(pit as HTMLElement);
    expect(asked).toHaveBeenCalledOnce();
    await userEvent.keyboard("{ArrowRight}");
    expect(screen.queryByRole("region", { name: "Try again" })).toBeNull();
  });
});

describe("from a position", () => {
  it("the kibitz answers whoever decides, and marks the board", async () => {
    const legal = recordOf("oware").steps[1]?.views?.["1"]?.legal ?? [];
    const guess = { value: 0, status: "estimated", bound: "none" } as const;
    const values = { ...guess, visits: 1, share: 1, error: 0, exact: false, outcome: null };
    const found = {
      ...guess,
      ...{ seat: 1, version: 1, ply: 1, spec: "x", method: "x", best: 0, worlds: 0, seconds: 0.1, line: [] },
      actions: legal.map((entry) => ({ ...entry, ...values })),
      good: legal.slice(0, 2).map((entry) => entry.action),
    };
    const asked = vi.spyOn(api, "recordAnalysis").mockResolvedValue(found);
    await open("k");
    await userEvent.keyboard("{ArrowRight}");
    await userEvent.click(screen.getByRole("button", { name: "Ask for advice" }));
    expect(asked.mock.calls[0]?.slice(0, 2)).toEqual(["k", { ply: 1, seat: 1, effort: "quick" }]);
    expect(await screen.findAllByText("best")).toHaveLength(2);
    expect(document.querySelectorAll("[data-mark=best]")).toHaveLength(2);
    await userEvent.keyboard("{ArrowRight}");
    expect(document.querySelectorAll("[data-mark]")).toHaveLength(0);
    await userEvent.selectOptions(screen.getByLabelText("Over whose shoulder"), "Bot 2");
    await userEvent.click(screen.getByRole("button", { name: "Next decision of Bot 2" }));
    expect(screen.getByRole("slider")).toHaveValue("3");
  });

  it("a new table goes on at the seat one looks from", async () => {
    const made = vi.spyOn(api, "playOn").mockResolvedValue({ table: "t9", seat: 1, token: "secret" });
    await open("k");
    await userEvent.keyboard("{ArrowRight}");
    await userEvent.selectOptions(screen.getByLabelText("Viewpoint"), "Bot 2");
    await userEvent.click(screen.getByRole("button", { name: "Play on from here as Bot 2" }));
    await waitFor(() => expect(location.hash).toBe("#/table/t9"));
    expect(made.mock.calls[0]?.[1]).toMatchObject({
      ply: 1,
      seats: [{ kind: "bot", strength: "strong" }, { kind: "person", me: true }],
      options: { games: 1 },
    });
    expect(passFor("t9")).toMatchObject({ seat: 1, token: "secret" });
  });

  it("a link leads back to the table", async () => {
    vi.spyOn(api, "record").mockResolvedValue({ ...recordOf("oware"), table: { id: "t7", number: 2 } });
    await open("k");
    expect(screen.getByRole("link", { name: "Back to the table" })).toHaveAttribute("href", "#/table/t7");
  });
});

describe("sharing and files", () => {
  it("copies the link", async () => {
    const user = userEvent.setup();
    await open("e/f");
    await user.click(screen.getByRole("button", { name: "Copy link" }));
    expect(await navigator.clipboard.readText()).toMatch(/#\/record\/e%2Ff$/);
    expect(screen.getByRole("button", { name: "Copied" })).toBeInTheDocument();
  });

  it("saves the record as a line of JSON", async () => {
    let saved: Blob | undefined;
    URL.createObjectURL = vi.fn((blob: Blob) => {
      saved = blob;
      return "blob:x";
    }) as typeof URL.createObjectURL;
    URL.revokeObjectURL = vi.fn();
    const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
    await open("e");
    await userEvent.click(screen.getByRole("button", { name: "Download" }));
    expect(click).toHaveBeenCalled();
    const text = await textOf(saved as Blob);
    expect(text.endsWith("\n")).toBe(true);
    expect(JSON.parse(text)).toEqual(recordOf("oware").record);
  });

  it("uploads another record and goes there", async () => {
    const sent = vi.spyOn(api, "uploadRecord").mockResolvedValue({ record: "new" });
    await open("e");
    const file = new File([`${JSON.stringify(recordOf("nim").record)}\n`], "nim.jsonl");
    await userEvent.upload(document.querySelector("input[type=file]") as HTMLInputElement, file);
    await waitFor(() => expect(location.hash).toBe("#/record/new"));
    expect(sent).toHaveBeenCalledWith(recordOf("nim").record);
  });

  it("refuses files without a record, in words", async () => {
    vi.spyOn(api, "uploadRecord").mockRejectedValue(new ApiError(422, "bad_record", "line 1: expected a game"));
    await open("e");
    const input = document.querySelector("input[type=file]") as HTMLInputElement;
    await userEvent.upload(input, new File(["no"], "no.json"));
    expect(await screen.findByRole("alert")).toHaveTextContent("This file cannot be opened: it is not JSON");
    await userEvent.upload(input, new File(["{}"], "no.json"));
    await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("expected a game"));
  });

  it("says when there is no such record", async () => {
    vi.spyOn(api, "record").mockRejectedValue(new ApiError(404, "unknown_record", "there is no such record"));
    render(<ReplayPage id="none" />);
    expect(await screen.findByRole("alert")).toHaveTextContent(/cannot be shown/);
  });
});

describe("steps of records", () => {
  it.each(["oware", "leduc", "kuhn", "liars_dice", "nim"])("knows who played what in %s", (game) => {
    const stored = recordOf(game);
    const steps = stepsOf(stored);
    const moves = movesOf(steps);
    const actions = stored.record["actions"] as [number, string][];
    for (const move of moves) {
      expect(actions[move.ply]?.[1]).toBe(move.name);
      expect(steps[move.step]?.snapshot.turn).toBe(move.seat);
      expect(stepAt(steps, move.ply)).toBe(move.step);
    }
    expect(moves).toHaveLength(steps.length - 1);
  });

  it("adds silent decisions that cost something and leaves out those that did not", () => {
    const steps = [{ snapshot: asSnapshot(callRound()), ply: 0, seat: 1, name: null }];
    const decision = {
      ...review.decisions[0],
      ply: 1,
      seat: 1,
      played: "pass",
      best: "re",
      lost: 0.5,
      mistake: true,
      forced: false,
    };
    const other = { ...decision, mistake: false };
    const with_ = (each: typeof decision) =>
      rowsOf([], { ...review, decisions: [each as (typeof review.decisions)[number]] }, steps);
    expect(with_(decision)).toHaveLength(1);
    expect(with_(other)).toHaveLength(0);
  });

  it("stops at silent steps only where they were a mistake", () => {
    const silent = { ...asSnapshot(callRound()) };
    const steps = ["pass", "pass", null].map((name, ply) => ({ snapshot: silent, ply, seat: 1, name }));
    expect(stopsOf(steps, null)).toEqual([2]);
    const mistake = { ...worst, ply: 1, played: "pass", mistake: true };
    expect(stopsOf(steps, { ...review, decisions: [mistake] })).toEqual([1, 2]);
    expect([0, 1, 2].map((step) => stopAt([1, 2], step))).toEqual([0, 0, 1]);
  });

  it("does not pass on seeds that lost digits", () => {
    expect([exactSeed(7), exactSeed(2 ** 60), exactSeed("4135932745261227501"), exactSeed(undefined)]).toEqual([
      7,
      null,
      "4135932745261227501",
      null,
    ]);
  });

  it("reads one game, many, or none", () => {
    expect(readRecords('{"a":1}\n{"a":2}\n')).toHaveLength(2);
    expect(firstRecord('{\n "a": 1\n}')).toEqual({ record: { a: 1 }, games: 1 });
    expect(() => firstRecord("3")).toThrow();
    expect(() => firstRecord(JSON.stringify({ a: "x".repeat(200_001) }))).toThrow();
  });
});
