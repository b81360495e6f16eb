// Every board with steps of real games: what is shown to whom, and every way to act.

import { fireEvent, screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { seriousFindings } from "../test/axe";
import { show } from "../test/boards";
import { stepsOf, stopsOf } from "../replay/steps";
import { recordOf, records, seated, stepOf, watched } from "../test/records";
import type { Marks } from "./marks";

vi.setConfig({ testTimeout: 20_000 });

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

  it("has its headings right below the title of the page", () => {
    show(stepOf(game, 1));
    for (const heading of screen.queryAllByRole("heading")) expect(heading.tagName).toBe("H2");
  });

  it("has no serious accessibility findings", async () => {
    for (const snapshot of [seated(game, 0, 0), stepOf(game, last)]) {
      const { container, unmount } = show(snapshot);
      expect(await seriousFindings(container)).toEqual([]);
      unmount();
    }
  });

  it("marks what was best and what was a mistake, from every viewpoint and for who tries again", () => {
    for (let step = 0; step < last; step += 1) {
      const { turn, views } = stepOf(game, step);
      const [first, second] = views[String(turn)]?.legal ?? [];
      if (turn === null || !first || !second) continue;
      const marks: Marks = { seat: turn, of: new Map([[first.action, "mistake"], [second.action, "best"]]) };
      const viewers = step === 0 ? [stepOf(game, 0, 0), stepOf(game, 0, 1), seated(game, 0, turn)] : [stepOf(game, step, step % 2)];
      for (const snapshot of viewers) {
        const { container, unmount } = show(snapshot, { busy: true, marks });
        const found = [...container.querySelectorAll("[data-mark]")].map((each) => each.getAttribute("data-mark"));
        expect(found.sort()).toEqual(["best", "mistake"]);
        expect([...container.querySelectorAll(".bd-sign")].map((each) => each.textContent).sort()).toEqual(["✓", "✗"]);
        unmount();
      }
    }
  });

  it("moves something with every step of a replay", () => {
    const drawn = stopsOf(stepsOf(recordOf(game)), null).map((step) => {
      const { container, unmount } = show(stepOf(game, step, 0));
      const { innerHTML } = container;
      unmount();
      return innerHTML;
    });
    for (let i = 1; i < drawn.length; i += 1) expect(drawn[i]).not.toBe(drawn[i - 1]);
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
