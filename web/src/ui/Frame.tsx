// The frame of a game's picture in the lobby.

import type { ReactNode } from "react";

export function Frame({ children }: { children: ReactNode }) {
  return (
    <svg className="picture" viewBox="0 0 96 64" aria-hidden="true">
      {children}
    </svg>
  );
}
