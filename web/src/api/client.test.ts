import { expect, it, vi } from "vitest";
import { translator } from "../i18n";
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

it("turns a refusal into a code and words in both languages", async () => {
  answer(409, { error: { code: "stale_version", message: "the table has changed" } });
  const error = await refused(api.act("t", 1, 1, null));
  expect([error.status, error.code]).toEqual([409, "stale_version"]);
  expect(errorText(error, en)).toMatch(/moved on/);
  expect(errorText(error, de)).toMatch(/Am Tisch/);
});

it("keeps the server's words where the page has none", async () => {
  answer(422, { error: { code: "invalid", message: "seats: expected 4, got 2" } });
  expect(errorText(await refused(api.tables()), en)).toBe("seats: expected 4, got 2");
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
