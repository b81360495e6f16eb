// The generic board: a game that the page knows nothing about can be read and played.

import { fireEvent, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { Choice, Snapshot } from "../../api/types";
import { seriousFindings } from "../../test/axe";
import { show } from "../../test/boards";
import { anyTable } from "../../test/table";
import { fits } from "../Amount";

const MOVES: Choice[] = ["a1b2", "a1a2", "c1c2"].map((name, i) => ({ kind: "move", action: 10 + i, name }));
const RAISE: Choice = { kind: "raise", action: 100, name: "raise 4", low: 4, high: 40, step: 2, unit: "chips" };

function offering(choices: Choice[], change: Partial<Snapshot> = {}): Snapshot {
  const view = { fields: {}, outline: null, legal: [], choices, text: "3 b b b\n2 . . .\n1 w w w\n" };
  return anyTable({ views: { "0": view }, ...change });
}

const buttons = () => screen.getAllByRole("button").map((each) => each.textContent);

describe("what is seen", () => {
  it("shows the view as text, line by line", () => {
    show(offering(MOVES));
    const text = within(screen.getByRole("region", { name: "Position" })).getByRole("group", { name: "Position" });
    expect(text.textContent).toBe("3 b b b\n2 . . .\n1 w w w");
    expect(screen.getByText("You")).toBeInTheDocument();
  });

  it("shows spectators what everybody knows, as text or as facts, or says that it is hidden", () => {
    const watching = { role: "public", you: null, views: {} } as const;
    const { update } = show(anyTable({ ...watching, public: { text: "heap: 7" } }));
    expect(screen.getByText("heap: 7")).toBeInTheDocument();
    update(anyTable({ ...watching, public: { cards_left: 12, table: ["7", "9"], winner: null } }));
    expect(screen.getAllByRole("term").map((each) => each.textContent)).toEqual(["cards left", "table"]);
    expect(screen.getAllByRole("definition").map((each) => each.textContent)).toEqual(["12", '["7","9"]']);
    update(anyTable(watching));
    expect(screen.getByText(/hidden from spectators/)).toBeInTheDocument();
    expect(screen.queryByRole("button")).not.toBeInTheDocument();
  });

  it("shows a replay through the eyes of the chosen seat", () => {
    const views = Object.fromEntries([0, 1].map((seat) => [seat, { fields: {}, outline: null, legal: [], text: `hand of ${seat}` }]));
    show(anyTable({ role: "all", you: 1, views }));
    expect(screen.getByText("hand of 1")).toBeInTheDocument();
  });
});

describe("single choices", () => {
  it("are buttons with their names, by mouse and by number", async () => {
    const { onAct } = show(offering(MOVES));
    expect(buttons()).toEqual(["a1b21", "a1a22", "c1c23"]);
    await userEvent.click(screen.getByRole("button", { name: "a1a2" }));
    expect(onAct).toHaveBeenLastCalledWith(11);
    await userEvent.keyboard("3");
    expect(onAct).toHaveBeenLastCalledWith(12);
    await userEvent.keyboard("4");
    expect(onAct).toHaveBeenCalledTimes(2);
  });

  it("can be walked by arrows, around both ends", async () => {
    const { onAct } = show(offering(MOVES));
    await userEvent.tab();
    await userEvent.tab();
    expect(screen.getByRole("button", { name: "a1b2" })).toHaveFocus();
    await userEvent.keyboard("{ArrowLeft}");
    expect(screen.getByRole("button", { name: "c1c2" })).toHaveFocus();
    await userEvent.keyboard("{ArrowRight}{ArrowDown}{Enter}");
    expect(onAct).toHaveBeenCalledExactlyOnceWith(11);
  });

  it("stand together by kind", () => {
    show(offering([...MOVES, { kind: "resign", action: 1, name: "resign" }]));
    expect(within(screen.getByRole("group", { name: "move" })).getAllByRole("button")).toHaveLength(3);
    expect(within(screen.getByRole("group", { name: "resign" })).getAllByRole("button")).toHaveLength(1);
  });

  it("come from the legal actions where the server names no choices", () => {
    const { onAct } = show(anyTable());
    fireEvent.click(screen.getByRole("button", { name: "ask" }));
    expect(onAct).toHaveBeenCalledWith(3);
  });

  it("are offered to nobody out of turn or while an action is on its way", () => {
    const { unmount } = show(offering(MOVES, { turn: 2 }));
    expect(screen.queryByRole("button")).not.toBeInTheDocument();
    expect(screen.getByText("Bot 3 to move")).toBeInTheDocument();
    unmount();
    show(offering(MOVES), { busy: true });
    expect(screen.queryByRole("button")).not.toBeInTheDocument();
  });
});

describe("an amount", () => {
  it("is one of a run", () => {
    expect([4, 6, 40].map((amount) => fits(RAISE, amount))).toEqual([true, true, true]);
    expect([2, 5, 42, Number.NaN].map((amount) => fits(RAISE, amount))).toEqual([false, false, false, false]);
    expect(fits({ ...RAISE, low: 0.5, high: 2, step: 0.1 }, 0.8)).toBe(true);
  });

  it("is one control for the whole range, by slider, number and button", async () => {
    const { onAct } = show(offering([{ kind: "fold", action: 0, name: "fold" }, RAISE]));
    expect(buttons()).toEqual(["fold1", "Raise 4 chips"]);
    fireEvent.change(screen.getByRole("slider", { name: "Raise: amount" }), { target: { value: "12" } });
    const number = screen.getByRole("spinbutton", { name: "Raise: amount" });
    expect(number).toHaveValue(12);
    await userEvent.click(screen.getByRole("button", { name: "Raise 12 chips" }));
    expect(onAct).toHaveBeenLastCalledWith(100, 12);
    await userEvent.clear(number);
    await userEvent.type(number, "20{Enter}");
    expect(onAct).toHaveBeenLastCalledWith(100, 20);
  });

  it("outside the range, or between two steps, is refused before it is sent", async () => {
    const { onAct } = show(offering([RAISE]));
    const number = screen.getByRole("spinbutton");
    expect(number).toHaveAccessibleDescription("4 to 40");
    for (const typed of ["41", "5", ""]) {
      await userEvent.clear(number);
      if (typed) await userEvent.type(number, typed);
      await userEvent.type(number, "{Enter}");
      expect(number).toBeInvalid();
      expect(screen.getByRole("button", { name: "Raise" })).toBeDisabled();
    }
    expect(onAct).not.toHaveBeenCalled();
  });
});

it("has no serious accessibility findings and speaks German", async () => {
  const { container } = show(offering([...MOVES, RAISE]), { language: "de" });
  expect(await seriousFindings(container)).toEqual([]);
  expect(screen.getByRole("region", { name: "Stellung" })).toBeInTheDocument();
});
