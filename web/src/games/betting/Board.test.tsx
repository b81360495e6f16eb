import { fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import type { Choice, Snapshot } from "../../api/types";
import { seriousFindings } from "../../test/axe";
import { show } from "../../test/boards";
import { seated, stepOf } from "../../test/records";
import { Board } from "./Board";

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

  it("takes initials of the words that are on the buttons", async () => {
    const { onAct } = show(seated("leduc", 4, 0), { language: "de" });
    const texts = screen.getAllByRole("button").map((each) => each.textContent);
    expect(texts).toEqual(["Aussteigen A", "Mitgehen 4 M", "Erhöhen um 4 E"]);
    await userEvent.keyboard("e");
    expect(onAct).toHaveBeenCalledWith(2);
  });
});

describe("a raise to any amount", () => {
  const CHOICES: Choice[] = [
    { kind: "fold", action: 0, name: "fold" },
    { kind: "call", action: 1, name: "call", low: 4, high: 4, step: 0, unit: "chips" },
    { kind: "raise", action: 2, name: "raise 2", low: 2, high: 300, step: 1, unit: "chips" },
  ];

  function noLimit(): Snapshot {
    const snapshot = seated("leduc", 4, 0);
    const view = snapshot.views["0"];
    if (!view) throw new Error("expected a view");
    const few = view.legal.filter(({ kind }) => kind !== "raise");
    return { ...snapshot, views: { "0": { ...view, legal: few, choices: CHOICES } } };
  }

  it("is one control among the buttons", async () => {
    const onAct = vi.fn();
    const { container } = render(
      <Board snapshot={noLimit()} onAct={onAct} busy={false} language="en" animate={false} raise="to" />,
    );
    expect(screen.getAllByRole("button").map((each) => each.textContent)).toEqual(["Fold F", "Call 4 C", "Raise to 2"]);
    fireEvent.change(screen.getByRole("slider", { name: "Raise: amount" }), { target: { value: "299" } });
    await userEvent.click(screen.getByRole("button", { name: "Raise to 299" }));
    expect(onAct).toHaveBeenLastCalledWith(2, 299);
    await userEvent.keyboard("f");
    expect(onAct).toHaveBeenLastCalledWith(0);
    expect(screen.getByRole("spinbutton")).toHaveAccessibleDescription("2 to 300");
    expect(await seriousFindings(container)).toEqual([]);
  });

  it("speaks German, and by how much where the rules count so", () => {
    show(noLimit(), { language: "de" });
    expect(screen.getByRole("button", { name: "Erhöhen um 2" })).toBeInTheDocument();
    expect(screen.getByRole("slider", { name: "Erhöhen: Betrag" })).toBeInTheDocument();
  });
});

it("shows the pot that the server tells", () => {
  const snapshot = stepOf("leduc", 6);
  show({ ...snapshot, public: { ...snapshot.public, total: 23.5 } });
  expect(screen.getByLabelText("Pot: 23.5 chips")).toBeInTheDocument();
});
