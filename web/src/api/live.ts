// The live connection to a table: a WebSocket that says hello, answers pings, and reconnects by itself.

import type { LiveMessage, Snapshot } from "./types";

export type Connection = "connecting" | "online" | "offline";

export interface LiveHandlers {
  /** fresh: the first snapshot of a connection, which replaces whatever was shown before. */
  onSnapshot(snapshot: Snapshot, fresh: boolean): void;
  onConnection(connection: Connection): void;
  /** The server refuses this connection for good. */
  onRefused?(code: string, message: string): void;
}

const FIRST_WAIT = 500;
const LONGEST_WAIT = 8000;
/** The server pings every 20 s: after this much silence the connection is dead. */
const SILENCE = 45_000;

/** How long to wait before the n-th try (from 0): doubled each time, with jitter so that clients do not return all at once. */
export function backoff(tries: number, random: () => number = Math.random): number {
  return Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** tries) * (0.75 + 0.5 * random());
}

export class LiveTable {
  private socket: WebSocket | null = null;
  private tries = 0;
  private fresh = true;
  private stopped = false;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private silence: ReturnType<typeof setTimeout> | undefined;
  private readonly wake = () => this.reconnectNow();
  private readonly sleep = () => this.socket?.close();

  constructor(
    private readonly table: string,
    private readonly token: string | null,
    private readonly handlers: LiveHandlers,
  ) {}

  start(): void {
    window.addEventListener("online", this.wake);
    window.addEventListener("offline", this.sleep);
    this.connect();
  }

  stop(): void {
    this.stopped = true;
    window.removeEventListener("online", this.wake);
    window.removeEventListener("offline", this.sleep);
    clearTimeout(this.retry);
    clearTimeout(this.silence);
    this.socket?.close();
  }

  private reconnectNow(): void {
    if (this.stopped || this.socket?.readyState === WebSocket.OPEN) return;
    clearTimeout(this.retry);
    this.tries = 0;
    this.connect();
  }

  private connect(): void {
    if (this.stopped) return;
    const previous = this.socket;
    this.socket = null;
    previous?.close();
    this.handlers.onConnection(this.tries === 0 ? "connecting" : "offline");
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/api/tables/${encodeURIComponent(this.table)}/live`);
    this.socket = socket;
    this.fresh = true;
    this.listenForSilence(socket);
    socket.onopen = () => socket.send(JSON.stringify({ type: "hello", token: this.token }));
    socket.onmessage = (event: MessageEvent<string>) => this.receive(socket, event.data);
    socket.onclose = () => this.closed(socket);
  }

  private receive(socket: WebSocket, data: string): void {
    if (socket !== this.socket) return;
    this.listenForSilence(socket);
    let message: LiveMessage;
    try {
      message = JSON.parse(data) as LiveMessage;
    } catch {
      return;
    }
    if (message.type === "ping") {
      socket.send(JSON.stringify({ type: "pong" }));
    } else if (message.type === "snapshot") {
      this.tries = 0;
      this.handlers.onConnection("online");
      this.handlers.onSnapshot(message.snapshot, this.fresh);
      this.fresh = false;
    } else if (message.type === "error") {
      const code = message.error?.code ?? "refused";
      this.handlers.onRefused?.(code, message.error?.message ?? message.message ?? "");
    }
  }

  private closed(socket: WebSocket): void {
    if (socket !== this.socket || this.stopped) return;
    this.socket = null;
    clearTimeout(this.silence);
    this.handlers.onConnection("offline");
    this.retry = setTimeout(() => this.connect(), backoff(this.tries));
    this.tries += 1;
  }

  private listenForSilence(socket: WebSocket): void {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => {
      // A dead connection may never report its end: give it up here.
      socket.onclose = null;
      socket.close();
      this.closed(socket);
    }, SILENCE);
  }
}
