import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { show } from "../../test/boards";
import { seated, stepOf } from "../../test/records";

describe("tic-tac-toe", () => {
  it("walks over tic-tac-toe by arrows", async () => {
    const { onAct } = show(seated("tic_tac_toe", 2));
    const cells = screen.getAllByRole("button");
    cells[4]?.focus();
    await userEvent.keyboard("{ArrowLeft}{ArrowDown}{Enter}");
    expect(onAct).toHaveBeenCalledWith(6);
    expect(cells[4]).toHaveAccessibleName("b2: x (Ada)");
  });

  it("marks the line that won", () => {
    const { container } = show(stepOf("tic_tac_toe", -1));
    const cells = [...container.querySelectorAll(".tt-cell")];
    expect(cells.flatMap((cell, i) => (cell.classList.contains("tt-won") ? [i] : []))).toEqual([2, 4, 6]);
  });
});
