import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { seated } from "../test/records";
import { backoff, LiveTable } from "./live";

class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 0;
  sent: unknown[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;

  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }
  send(text: string) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.onclose?.();
  }
  open() {
    this.readyState = 1;
    this.onopen?.();
  }
  say(message: unknown) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

const last = () => FakeSocket.all.at(-1) as FakeSocket;
const snapshot = seated("nim", 0);
const handlers = { onSnapshot: vi.fn(), onConnection: vi.fn(), onRefused: vi.fn() };

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  FakeSocket.all = [];
  Object.values(handlers).forEach((handler) => handler.mockReset());
});
afterEach(() => vi.useRealTimers());

function start(token: string | null = "secret") {
  const live = new LiveTable("t 1", token, handlers);
  live.start();
  return live;
}

it("says hello with the token in the first message, never in the address", () => {
  start();
  last().open();
  expect(last().url).toMatch(/\/api\/tables\/t%201\/live$/);
  expect(last().url).not.toContain("secret");
  expect(last().sent).toEqual([{ type: "hello", token: "secret" }]);
});

it("hands on snapshots, the first of a connection marked, and answers pings", () => {
  start();
  last().open();
  last().say({ type: "snapshot", snapshot });
  last().say({ type: "snapshot", snapshot });
  last().say({ type: "ping" });
  expect(handlers.onSnapshot.mock.calls.map(([, fresh]) => fresh as boolean)).toEqual([true, false]);
  expect(handlers.onConnection).toHaveBeenLastCalledWith("online");
  expect(last().sent.at(-1)).toEqual({ type: "pong" });
});

it("comes back by itself, later each time, and at once when the network returns", () => {
  start();
  last().close();
  expect(handlers.onConnection).toHaveBeenLastCalledWith("offline");
  vi.advanceTimersByTime(700);
  expect(FakeSocket.all).toHaveLength(2);
  last().close();
  vi.advanceTimersByTime(700);
  expect(FakeSocket.all).toHaveLength(2);
  vi.advanceTimersByTime(700);
  expect(FakeSocket.all).toHaveLength(3);
  last().close();
  window.dispatchEvent(new Event("online"));
  expect(FakeSocket.all).toHaveLength(4);
  last().open();
  last().say({ type: "snapshot", snapshot });
  expect(handlers.onSnapshot).toHaveBeenLastCalledWith(snapshot, true);
  expect(handlers.onConnection).toHaveBeenLastCalledWith("online");
});

it("gives up a line that has been silent for too long", () => {
  start();
  last().open();
  vi.advanceTimersByTime(46_000);
  expect(handlers.onConnection).toHaveBeenLastCalledWith("offline");
  vi.advanceTimersByTime(1000);
  expect(FakeSocket.all).toHaveLength(2);
});

it("survives broken messages and stops when told", () => {
  const live = start();
  last().open();
  last().onmessage?.({ data: "{" });
  last().say({ type: "error", error: { code: "bad_request", message: "no" } });
  expect(handlers.onRefused).toHaveBeenCalledWith("bad_request", "no");
  live.stop();
  vi.advanceTimersByTime(60_000);
  expect(FakeSocket.all).toHaveLength(1);
});

it("waits twice as long each time up to a limit", () => {
  const middle = () => 0.5;
  expect([0, 1, 2, 3, 4, 9].map((tries) => backoff(tries, middle))).toEqual([500, 1000, 2000, 4000, 8000, 8000]);
  expect(backoff(0, () => 0)).toBe(375);
});
