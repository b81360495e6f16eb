// Records as files: one line of JSON per game, as `kiebitz` writes and reads them.

export const LARGEST = 200_000;

export class FileProblem extends Error {
  constructor(readonly reason: "uploadNotJson" | "uploadTooBig") {
    super(reason);
  }
}

/** The games of a file: one JSON text, or one in each line. */
export function readRecords(text: string): unknown[] {
  try {
    const whole: unknown = JSON.parse(text);
    return Array.isArray(whole) ? whole : [whole];
  } catch {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    try {
      return lines.map((line) => JSON.parse(line) as unknown);
    } catch {
      throw new FileProblem("uploadNotJson");
    }
  }
}

/** The first game of a file, and how many it holds. */
export function firstRecord(text: string): { record: unknown; games: number } {
  const all = readRecords(text);
  const [record] = all;
  if (typeof record !== "object" || record === null) throw new FileProblem("uploadNotJson");
  if (JSON.stringify(record).length > LARGEST) throw new FileProblem("uploadTooBig");
  return { record, games: all.length };
}

/** A seed that is exact: above 2^53 a number loses digits on the way, and a wrong seed is worse than none. */
export function exactSeed(seed: unknown): number | string | null {
  if (typeof seed === "string") return seed;
  return typeof seed === "number" && Number.isSafeInteger(seed) ? seed : null;
}

/** The text of a file. */
export function textOf(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new FileProblem("uploadNotJson"));
    reader.readAsText(file);
  });
}

/** Saves a record as a file of one line. */
export function saveRecord(record: Record<string, unknown>, name: string): void {
  const line = `${JSON.stringify({ ...record, seed: exactSeed(record["seed"]) })}\n`;
  const url = URL.createObjectURL(new Blob([line], { type: "application/x-ndjson" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
