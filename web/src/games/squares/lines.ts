// Lines on square boards: where the winning stones are, and which stone came last. Boards are rows of x, o and dots.

/** The cells (row * columns + column) of all lines of `length` equal stones. */
export function winningCells(rows: string[], length: number): Set<number> {
  const columns = rows[0]?.length ?? 0;
  const found = new Set<number>();
  const at = (r: number, c: number) => rows[r]?.[c] ?? ".";
  for (let r = 0; r < rows.length; r += 1) {
    for (let c = 0; c < columns; c += 1) {
      const stone = at(r, c);
      if (stone === ".") continue;
      for (const [dr, dc] of [
        [0, 1],
        [1, 0],
        [1, 1],
        [1, -1],
      ] as const) {
        const cells = Array.from({ length }, (_, k) => [r + k * dr, c + k * dc] as const);
        if (cells.every(([y, x]) => at(y, x) === stone)) for (const [y, x] of cells) found.add(y * columns + x);
      }
    }
  }
  return found;
}

/** The only cell that was empty before and is not now; null if there is none or more than one. */
export function newCell(before: string | undefined, after: string): number | null {
  if (before === undefined || before.length !== after.length) return null;
  let found: number | null = null;
  for (let i = 0; i < after.length; i += 1) {
    if (before[i] === after[i]) continue;
    if (before[i] !== "." || found !== null) return null;
    found = i;
  }
  return found;
}
