// What this browser may do at which table: seat tokens and, at tables of bots, the owner's token. Kept per table.

export interface Pass {
  seat: number | null;
  token: string;
  /** An owner may start the next game but has no seat. */
  owner?: boolean;
  /** A guided first game. */
  lesson?: boolean;
  /** Not a game of one's own: it goes on from a replay. */
  practice?: boolean;
}

const key = (table: string) => `kiebitz.table.${table}`;

export function passFor(table: string): Pass | null {
  try {
    const text = localStorage.getItem(key(table));
    if (!text) return null;
    const pass = JSON.parse(text) as Partial<Pass>;
    if (typeof pass.token !== "string") return null;
    const kept: Pass = { seat: pass.seat ?? null, token: pass.token, owner: pass.owner === true };
    if (pass.lesson === true) kept.lesson = true;
    if (pass.practice === true) kept.practice = true;
    return kept;
  } catch {
    return null;
  }
}

export function keepPass(table: string, pass: Pass): void {
  localStorage.setItem(key(table), JSON.stringify(pass));
}

export function dropPass(table: string): void {
  localStorage.removeItem(key(table));
}

/** The token of a seat at this table, never the owner's. */
export function seatToken(table: string): string | null {
  const pass = passFor(table);
  return pass && !pass.owner ? pass.token : null;
}
