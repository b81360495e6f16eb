// A table: its newest snapshot, the state of the connection, and everything that can be done there.

import { useCallback, useEffect, useRef, useState } from "react";
import { api, ApiError } from "../api/client";
import { type Connection, LiveTable } from "../api/live";
import { dropPass, keepPass, passFor, seatToken } from "../api/tokens";
import type { PaceRequest, Snapshot } from "../api/types";

export interface TableHandle {
  snapshot: Snapshot | null;
  connection: Connection;
  /** The newest failure, until it is cleared. */
  error: unknown;
  clearError(): void;
  busy: boolean;
  token: string | null;
  /** May start the next game without a seat. */
  owner: boolean;
  act(action: number | string, amount?: number): Promise<boolean>;
  /** Takes back the own last move, or agrees to that of another. */
  undo(): Promise<boolean>;
  /** Lets a move stand that somebody wants to take back. */
  keepMove(): Promise<boolean>;
  /** Gives up the game that is shown. */
  resign(): Promise<boolean>;
  pace(wish: PaceRequest): Promise<boolean>;
  next(): Promise<boolean>;
  /** Asks for another series, or no longer. */
  rematch(wanted: boolean): Promise<boolean>;
  /** Writes to the others at the table. */
  say(text: string): Promise<boolean>;
  claim(seat: number, name: string): Promise<boolean>;
  leave(): Promise<boolean>;
}

/** Milliseconds in which the live connection has to bring what an action changed; then it is asked for. */
const PUSH = 1000;

/**
 * Whether a snapshot says more than the one that is shown: never an older state of the table, nor the same one again,
 * which may come as an answer and over the live connection.
 */
export function isNews(next: Snapshot, shown: Snapshot | null): boolean {
  if (!shown || shown.table !== next.table) return true;
  if (next.number !== shown.number) return next.number > shown.number;
  if (next.version !== shown.version) return next.version > shown.version;
  return JSON.stringify(next) !== JSON.stringify(shown);
}

export function useTable(id: string): TableHandle {
  const [snapshot, setSnapshot] = useState<Snapshot | null>(null);
  const [connection, setConnection] = useState<Connection>("connecting");
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const [token, setToken] = useState(() => seatToken(id));
  const shown = useRef<Snapshot | null>(null);
  const online = useRef(false);
  const arrived = useRef<() => void>(() => undefined);

  const show = useCallback((next: Snapshot, force = false) => {
    if (!force && !isNews(next, shown.current)) return;
    // A table that could not be shown is there now.
    if (shown.current === null) setError(null);
    shown.current = next;
    setSnapshot(next);
    arrived.current();
  }, []);

  useEffect(() => {
    let stopped = false;
    const live = new LiveTable(id, token, {
      onSnapshot: (next, fresh) => {
        if (token && next.role !== "seat") {
          dropPass(id); // left in another window
          setToken(null);
        }
        show(next, fresh);
      },
      onConnection: (now) => {
        online.current = now === "online";
        setConnection(now);
      },
    });
    // The plain request tells at once whether table and token are valid.
    api
      .snapshot(id, token)
      .then((next) => {
        if (stopped) return;
        show(next);
        live.start();
      })
      .catch((failure: unknown) => {
        if (stopped) return;
        if (failure instanceof ApiError && token && (failure.status === 401 || failure.status === 403)) {
          dropPass(id);
          setToken(null);
          return;
        }
        setError(failure);
        if (!(failure instanceof ApiError) || failure.status === 0 || failure.status >= 500) live.start();
      });
    return () => {
      stopped = true;
      live.stop();
    };
  }, [id, token, show]);

  // One thing at a time: a double click is not two actions.
  const running = useRef(false);
  const run = useCallback(async (work: () => Promise<void>): Promise<boolean> => {
    if (running.current) return false;
    running.current = true;
    setBusy(true);
    try {
      await work();
      setError(null);
      return true;
    } catch (failure) {
      setError(failure);
      return false;
    } finally {
      running.current = false;
      setBusy(false);
    }
  }, []);

  /** Waits until the live connection brings a newer version of the table; false if it does not. */
  const pushed = useCallback(async (version: number): Promise<boolean> => {
    const newer = () => (shown.current?.version ?? 0) > version;
    const end = Date.now() + PUSH;
    while (!newer() && Date.now() < end) {
      await new Promise<void>((resolve) => {
        arrived.current = resolve;
        setTimeout(resolve, end - Date.now());
      });
    }
    return newer();
  }, []);

  const act = useCallback(
    (action: number | string, amount?: number) =>
      run(async () => {
        const current = shown.current;
        if (!current) return;
        try {
          const answer = await api.act(id, current.version, action, token, online.current, amount);
          if (answer) show(answer);
          else if (!(await pushed(current.version))) await api.snapshot(id, token).then(show, () => undefined);
        } catch (failure) {
          // Somebody was faster: show the new position and let the person choose again.
          if (failure instanceof ApiError && failure.status === 409) show(await api.snapshot(id, token));
          throw failure;
        }
      }),
    [id, token, run, show, pushed],
  );

  /** Changes the table as it is shown; if somebody was faster, the person sees the new state and can choose again. */
  const change = useCallback(
    (ask: (version: number) => Promise<Snapshot>) =>
      run(async () => {
        try {
          show(await ask(shown.current?.version ?? 0));
        } catch (failure) {
          if (failure instanceof ApiError && failure.status === 409) show(await api.snapshot(id, token));
          throw failure;
        }
      }),
    [id, token, run, show],
  );
  const undo = useCallback(() => change((version) => api.undo(id, version, token)), [id, token, change]);
  const keepMove = useCallback(() => change((version) => api.keepMove(id, version, token)), [id, token, change]);
  const resign = useCallback(
    () => change(() => api.resign(id, shown.current?.number ?? 0, token)),
    [id, token, change],
  );
  const pace = useCallback(
    (wish: PaceRequest) =>
      run(async () => {
        const answer = await api.pace(id, wish, passFor(id)?.token ?? null);
        // The owner's token shows what a spectator sees, which comes over the live connection.
        if (answer.you === (shown.current?.you ?? null)) show(answer);
      }),
    [id, run, show],
  );

  const next = useCallback(
    () =>
      run(async () => {
        const answer = await api.next(id, passFor(id)?.token ?? null);
        if (answer && "version" in answer) show(answer);
      }),
    [id, run, show],
  );
  const rematch = useCallback(
    (wanted: boolean) => change(() => api.rematch(id, wanted, passFor(id)?.token ?? null)),
    [id, change],
  );

  const say = useCallback((text: string) => change(() => api.say(id, text, token)), [id, token, change]);

  const claim = useCallback(
    (seat: number, name: string) =>
      run(async () => {
        const claimed = await api.claim(id, seat, name);
        keepPass(id, { seat: claimed.seat, token: claimed.token });
        shown.current = null;
        setToken(claimed.token);
      }),
    [id, run],
  );

  const leave = useCallback(
    () =>
      run(async () => {
        const pass = passFor(id);
        if (!pass || pass.seat === null) return;
        await api.leave(id, shown.current?.you ?? pass.seat, pass.token); // seats may change from game to game
        dropPass(id);
        shown.current = null;
        setToken(null);
      }),
    [id, run],
  );

  return {
    snapshot,
    connection,
    error,
    clearError: useCallback(() => setError(null), []),
    busy,
    token,
    owner: passFor(id)?.owner ?? false,
    act,
    undo,
    keepMove,
    resign,
    pace,
    next,
    rematch,
    say,
    claim,
    leave,
  };
}
