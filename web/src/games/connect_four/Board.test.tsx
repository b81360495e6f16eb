import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { show } from "../../test/boards";
import { seated, stepOf } from "../../test/records";

describe("Connect Four", () => {
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
});
