// Every board with steps of real games: what is shown to whom, and every way to act.

import { act, fireEvent, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Snapshot } from "../api/types";
import { boards } from ".";
import { recordOf, records, seated, stepOf, watched } from "./fixtures";

vi.setConfig({ testTimeout: 20_000 });

function show(snapshot: Snapshot, { busy = false, animate = false, language = "en" as "en" | "de" } = {}) {
  const Board = boards[snapshot.game.name];
  if (!Board) throw new Error(snapshot.game.name);
  const onAct = vi.fn();
  const props = { onAct, busy, language, animate };
  const view = render(<Board snapshot={snapshot} {...props} />);
  return { onAct, ...view, update: (next: Snapshot) => view.rerender(<Board snapshot={next} {...props} />) };
}

describe.each(Object.keys(records))("%s", (game) => {
  const last = recordOf(game).steps.length - 1;

  it("draws every step, the first and the last for every role, in both languages", () => {
    for (let step = 0; step <= last; step += 1) {
      const roles = [
        () => stepOf(game, step, 1),
        () => stepOf(game, step),
        () => seated(game, step, 0),
        () => seated(game, step, 1),
        () => watched(game, step),
      ];
      const some = step === 0 || step === last ? roles : roles.slice(step % 5, (step % 5) + 1);
      for (const snapshot of some) {
        const { container, unmount } = show(snapshot(), { language: step % 2 ? "de" : "en" });
        expect(container.textContent).not.toMatch(/undefined|NaN|\{\w+\}/);
        unmount();
      }
    }
  });

  it("has no serious accessibility findings", async () => {
    for (const snapshot of [seated(game, 0, 0), stepOf(game, last)]) {
      const { container, unmount } = show(snapshot);
      const { violations } = await axe.run(container, {
        rules: { region: { enabled: false }, "color-contrast": { enabled: false } },
      });
      expect(
        violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id }) => id),
      ).toEqual([]);
      unmount();
    }
  });

  it("lets nobody act out of turn, while busy, from outside or when it is over", () => {
    const quiet = [seated(game, 0, 1), watched(game, 0), stepOf(game, 0, 0), seated(game, last, 0)];
    for (const [snapshot, busy] of [
      ...quiet.map((each) => [each, false] as const),
      [seated(game, 0, 0), true] as const,
    ]) {
      const { onAct, container, unmount } = show(snapshot, { busy });
      for (const button of container.querySelectorAll("button")) fireEvent.click(button);
      for (const key of "123456789fcbrl") fireEvent.keyDown(document.body, { key });
      expect(onAct).not.toHaveBeenCalled();
      unmount();
    }
  });

  it("offers only actions that are legal", () => {
    const snapshot = seated(game, 0, 0);
    const legal = (snapshot.views["0"]?.legal ?? []).map((entry) => entry.action);
    const { onAct, container } = show(snapshot);
    for (const button of container.querySelectorAll("button")) fireEvent.click(button);
    const done = [...new Set(onAct.mock.calls.map(([action]) => action as number))];
    expect(done.sort((a, b) => a - b)).toEqual([...legal].sort((a, b) => a - b));
  });
});

describe("Oware", () => {
  it("shows the own row at the bottom, from left to right", () => {
    const { container } = show(stepOf("oware", 0, 1));
    const letters = [...container.querySelectorAll(".ow-number i")].map((each) => each.textContent).join("");
    expect(letters).toBe("FEDCBAabcdef");
  });

  it("draws as many seeds as it says, in places that do not change", () => {
    const first = show(stepOf("oware", 5));
    const pits = (stepOf("oware", 5).public as { pits: number[] }).pits;
    const drawn = [...first.container.querySelectorAll(".ow-hollow")].map((each) => each.querySelectorAll("g").length);
    expect(drawn).toEqual([...pits.slice(6).reverse(), ...pits.slice(0, 6)]);
    const html = first.container.innerHTML;
    first.unmount();
    expect(show(stepOf("oware", 5)).container.innerHTML).toBe(html);
  });

  it("plays a pit by its key", async () => {
    const { onAct } = show(seated("oware", 0));
    await userEvent.keyboard("3");
    expect(onAct).toHaveBeenCalledWith(2);
  });

  it("leaves number keys to fields", async () => {
    const { onAct } = show(seated("oware", 0));
    render(<input aria-label="name" />);
    await userEvent.type(screen.getByLabelText("name"), "3");
    expect(onAct).not.toHaveBeenCalled();
  });
});

describe("Oware in motion", () => {
  afterEach(() => vi.useRealTimers());

  const counts = (container: HTMLElement) =>
    [...container.querySelectorAll(".ow-number b")].map((each) => Number(each.textContent));

  it("sows seed by seed and ends in the position", () => {
    vi.useFakeTimers();
    const { container, update } = show(stepOf("oware", 0), { animate: true });
    const before = counts(container);
    update(stepOf("oware", 1));
    const hand = () => container.querySelector(".ow-hand")?.textContent;
    expect(hand()).toBe("3");
    act(() => vi.advanceTimersByTime(160));
    expect(hand()).toBe("2");
    expect(counts(container)).not.toEqual(before);
    act(() => vi.advanceTimersByTime(2000));
    expect(hand()).toBeUndefined();
    const { pits } = stepOf("oware", 1).public as { pits: number[] };
    expect(counts(container)).toEqual([...pits.slice(6).reverse(), ...pits.slice(0, 6)]);
  });

  it("jumps where animation is off or the positions are not one move apart", () => {
    const { container, update } = show(stepOf("oware", 0), { animate: true });
    update(stepOf("oware", 4));
    expect(container.querySelector(".ow-hand")).toBeNull();
  });
});

describe("poker", () => {
  it("tells the betting in words and amounts", () => {
    show(stepOf("leduc", 6));
    const said = screen.getAllByRole("listitem").map((each) => each.textContent);
    expect(said).toEqual([
      "Ada bets 2",
      "Bot 2 calls 2",
      "Ada checks",
      "Bot 2 bets 4",
      "Ada raises by 4",
      "Bot 2 calls 4",
    ]);
    expect(screen.getByLabelText("Pot: 22 chips")).toBeInTheDocument();
  });

  it("hides the other's card until the showdown", () => {
    const { unmount } = show(seated("leduc", 3, 0));
    expect(screen.getByLabelText("Bot 2: hidden card")).toBeInTheDocument();
    expect(screen.getByLabelText("Ada: card J♥")).toBeInTheDocument();
    unmount();
    show({ ...seated("leduc", -1, 0), views: {} });
    expect(screen.getByLabelText("Bot 2: card Q♥")).toBeInTheDocument();
  });

  it("names buttons by what they do now, in Leduc and in Kuhn", async () => {
    const first = show(seated("leduc", 4, 0));
    expect(screen.getAllByRole("button").map((each) => each.textContent)).toEqual([
      "Fold F",
      "Call 4 C",
      "Raise by 4 R",
    ]);
    await userEvent.keyboard("r");
    expect(first.onAct).toHaveBeenCalledWith(2);
    first.unmount();
    const { onAct } = show(seated("kuhn", 2, 0));
    expect(screen.getAllByRole("button").map((each) => each.textContent)).toEqual(["Fold F", "Call 1 C"]);
    await userEvent.click(screen.getByRole("button", { name: /Fold/ }));
    expect(onAct).toHaveBeenCalledWith(0);
  });
});

describe("Liar's dice", () => {
  it("shows the own dice and hides the others'", () => {
    const { container } = show(seated("liars_dice", 2, 0));
    const own = container.querySelector(".ld-own") as HTMLElement;
    expect(
      within(own)
        .getAllByRole("img")
        .map((each) => each.getAttribute("aria-label")),
    ).toEqual(["Ada: die showing 1", "Ada: die showing 5"]);
    expect(screen.getAllByLabelText("Bot 2: hidden die")).toHaveLength(2);
  });

  it("offers higher bids and the call", async () => {
    const { onAct } = show(seated("liars_dice", 2, 0));
    expect(screen.getByRole("button", { name: "Bid: at least one die shows 5" })).toBeDisabled();
    await userEvent.click(screen.getByRole("button", { name: "Bid: at least 2 dice show 4" }));
    expect(onAct).toHaveBeenCalledWith(9);
    await userEvent.keyboard("l");
    expect(onAct).toHaveBeenLastCalledWith(24);
  });

  it("begins a long list of bids with those that are left", () => {
    const snapshot = seated("liars_dice", 2, 0);
    const bids = [{ seat: 1, bid: "4x2" }];
    const { container } = show({ ...snapshot, public: { ...snapshot.public, counts: [5, 5], bids } });
    expect([...container.querySelectorAll(".ld-count")].map((each) => each.textContent)).toEqual(
      [4, 5, 6, 7, 8, 9, 10].map((count) => `${count} ×`),
    );
  });

  it("marks the dice that match at the end", () => {
    const { container } = show(watched("liars_dice", -1));
    expect(container.querySelectorAll(".die-match")).toHaveLength(1);
    expect(screen.getByText("One die matches the bid 3×4.")).toBeInTheDocument();
  });
});

describe("boards of squares", () => {
  it("drops into the column of a key and lets only the new disc fall", async () => {
    const { onAct, container, update } = show(seated("connect_four", 2), { animate: true });
    expect(container.querySelector(".c4-fall")).toBeNull();
    await userEvent.keyboard("4");
    expect(onAct).toHaveBeenCalledWith(3);
    update(seated("connect_four", 3));
    expect(container.querySelectorAll(".c4-fall")).toHaveLength(1);
  });

  it("marks four in a row", () => {
    const { container } = show(stepOf("connect_four", -1));
    expect(container.querySelectorAll(".c4-won").length).toBeGreaterThanOrEqual(4);
  });

  it("walks over tic-tac-toe by arrows", async () => {
    const { onAct } = show(seated("tic_tac_toe", 2));
    const cells = screen.getAllByRole("button");
    cells[4]?.focus();
    await userEvent.keyboard("{ArrowLeft}{ArrowDown}{Enter}");
    expect(onAct).toHaveBeenCalledWith(6);
    expect(cells[4]).toHaveAccessibleName("b2: x (Ada)");
  });
});

describe("Nim", () => {
  it("takes the stick and all after it", async () => {
    const { onAct } = show(seated("nim", 0));
    await userEvent.click(screen.getByRole("button", { name: "Heap 4: take 3 of 7" }));
    expect(onAct).toHaveBeenCalledWith(11);
  });

  it("has one stop in the tab order and walks by arrows", async () => {
    const { onAct, container } = show(seated("nim", 0));
    expect(container.querySelectorAll("button[tabindex='0']")).toHaveLength(1);
    await userEvent.tab();
    await userEvent.keyboard("{ArrowDown}{ArrowDown}{ArrowRight}{Enter}");
    expect(onAct).toHaveBeenCalledWith(14);
  });
});

it.each(["leduc", "liars_dice"])("has headings right below the title of the page in %s", (game) => {
  show(stepOf(game, 1));
  expect(screen.getAllByRole("heading").every((each) => each.tagName === "H2")).toBe(true);
});
