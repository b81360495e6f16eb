import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { show } from "../../test/boards";
import { seated, stepOf } from "../../test/records";

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
