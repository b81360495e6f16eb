import { expect, it, vi } from "vitest";
import { translator, type WordKey } from "../i18n";
import { EXACT, refusalWords } from "../i18n/errors";
import { errorText } from "../ui/errors";
import { api, ApiError } from "./client";

const en = translator("en");
const de = translator("de");

function answer(status: number, body: unknown) {
  const fetcher = vi.fn<typeof fetch>(() =>
    Promise.resolve(new Response(typeof body === "string" ? body : JSON.stringify(body), { status })),
  );
  vi.stubGlobal("fetch", fetcher);
  return fetcher;
}

async function refused(work: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await work.catch((failure: unknown) => failure);
  if (!(error instanceof ApiError)) throw new Error("expected an ApiError");
  return error;
}

it("sends the token as a bearer and the version with an action", async () => {
  const fetcher = answer(200, { version: 3 });
  await api.act("a/b", 2, 15, "secret");
  const [url, init] = fetcher.mock.calls[0] ?? [];
  expect(url).toBe("/api/tables/a%2Fb/actions");
  expect(init?.headers).toMatchObject({ Authorization: "Bearer secret" });
  expect(JSON.parse(String(init?.body))).toEqual({ version: 2, action: 15 });
});

it("sends an amount beside the action of its choice", async () => {
  const fetcher = answer(200, { version: 3 });
  await api.act("t", 2, 7, "secret", true, 40);
  expect(JSON.parse(String(fetcher.mock.calls[0]?.[1]?.body))).toEqual({ version: 2, action: 7, amount: 40 });
});

it("says that an empty answer to an action is enough", async () => {
  const fetcher = answer(200, null);
  expect(await api.act("t", 2, 15, "secret", true)).toBeNull();
  expect(fetcher.mock.calls[0]?.[1]?.headers).toMatchObject({ Prefer: "return=minimal" });
});

it("turns a refusal into a code and words in both languages", async () => {
  answer(409, { error: { code: "stale_version", message: "the table has changed" } });
  const error = await refused(api.act("t", 1, 1, null));
  expect([error.status, error.code]).toEqual([409, "stale_version"]);
  expect(errorText(error, en)).toMatch(/moved on/);
  expect(errorText(error, de)).toMatch(/Am Tisch/);
});

const CODES = Object.keys(refusalWords).map((key) => key.replace("error.", ""));

it.each(CODES)("has words for %s in both languages, and keeps the server's only in English", (code) => {
  const error = new ApiError(422, code, "seats: expected 4, got 2");
  expect(errorText(error, en)).toBe(EXACT.has(code) ? error.message : en(`error.${code}` as WordKey));
  expect(errorText(error, de)).toBe(de(`error.${code}` as WordKey));
  expect(errorText(error, de)).not.toBe(en(`error.${code}` as WordKey));
});

it("keeps exact words for codes that there are", () => {
  for (const code of EXACT) expect(CODES).toContain(code);
});

it("names a code that it does not know", () => {
  const error = new ApiError(418, "teapot", "short and stout");
  expect(errorText(error, en)).toBe("The server refused this (teapot).");
  expect(errorText(error, de)).toBe("Der Server hat das abgelehnt (teapot).");
});

it("says in plain words that the server is gone or broken", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  const gone = await refused(api.games());
  expect(gone.code).toBe("unreachable");
  expect(errorText(gone, de)).toMatch(/nicht erreichbar/);
  answer(502, "<html>bad gateway</html>");
  expect(errorText(await refused(api.games()), en)).toBe("Something went wrong on the server.");
});

it("passes on that a request was cancelled", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new DOMException("stopped", "AbortError")));
  await expect(api.job("j")).rejects.toMatchObject({ name: "AbortError" });
});
