import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { show } from "../../test/boards";
import { seated } from "../../test/records";

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
