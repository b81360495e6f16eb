// Which stone came last on a square board, told by two positions. Boards are rows of x, o and dots.

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
