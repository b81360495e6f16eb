// Draws the board of a game in a test.

import { render } from "@testing-library/react";
import { vi } from "vitest";
import type { Snapshot } from "../api/types";
import { faceOf } from "../games";

export function show(snapshot: Snapshot, { busy = false, animate = false, language = "en" as "en" | "de" } = {}) {
  const { Board } = faceOf(snapshot.game.name);
  const onAct = vi.fn();
  const props = { onAct, busy, language, animate };
  const view = render(<Board snapshot={snapshot} {...props} />);
  return { onAct, ...view, update: (next: Snapshot) => view.rerender(<Board snapshot={next} {...props} />) };
}
