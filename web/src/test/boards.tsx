// Draws the board of a game in a test.

import { render } from "@testing-library/react";
import { vi } from "vitest";
import type { Snapshot } from "../api/types";
import { faceOf } from "../games";
import type { Marks } from "../games/marks";

interface Shown {
  busy?: boolean;
  animate?: boolean;
  language?: "en" | "de";
  marks?: Marks;
}

export function show(snapshot: Snapshot, { busy = false, animate = false, language = "en", marks }: Shown = {}) {
  const { Board } = faceOf(snapshot.game.name);
  const onAct = vi.fn();
  const props = { onAct, busy, language, animate, marks };
  const view = render(<Board snapshot={snapshot} {...props} />);
  return { onAct, ...view, update: (next: Snapshot) => view.rerender(<Board snapshot={next} {...props} />) };
}
