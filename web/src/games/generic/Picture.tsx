// A picture for games without one: a plain table.

import { Frame } from "../../ui/Frame";

export function Picture() {
  return (
    <Frame>
      <rect x="14" y="8" width="68" height="48" rx="10" fill="var(--felt-2)" />
      <rect x="14" y="8" width="68" height="48" rx="10" fill="none" stroke="var(--wood-1)" strokeWidth="4" />
      {[0, 1, 2].map((row) =>
        [0, 1, 2, 3].map((column) => (
          <circle
            key={`${row}${column}`}
            cx={30 + column * 12}
            cy={20 + row * 12}
            r="3.4"
            fill={(row + column) % 3 === 0 ? "var(--on-felt)" : "none"}
            stroke="var(--on-felt-soft)"
            strokeWidth="1.2"
          />
        )),
      )}
    </Frame>
  );
}
