import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { show } from "../../test/boards";
import { seated, stepOf } from "../../test/records";

describe("Oware", () => {
  it("shows the viewer's row at the bottom, from left to right", () => {
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
