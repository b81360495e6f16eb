import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { show } from "../../test/boards";
import { seated, watched } from "../../test/records";

describe("Liar's dice", () => {
  it("shows the viewer's dice and hides the others'", () => {
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
