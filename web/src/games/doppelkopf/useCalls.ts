// Answers to call prompts: asks the person when they want to be asked, passes for them otherwise, and takes a card chosen
// in the meantime as "no call".

import { useEffect, useRef, useState } from "react";
import { useAskPolicy } from "./AskSelect";
import { actionFor, freshCall, knownParties, sharedTable, shouldAsk } from "./logic";
import type { DoppelkopfSnapshot } from "./types";

interface Calls {
  /** Whether to ask the person now. */
  asking: boolean;
  /** The call by somebody else that is the reason for asking. */
  after: DoppelkopfSnapshot["public"]["calls"][number] | null;
  queued: string | null;
  /** Cards that may be chosen before the round of calls is over. */
  early: ReadonlySet<string>;
  answer(action: number): void;
  queue(code: string): void;
}

const NONE: ReadonlySet<string> = new Set();
const RETRY_MS = 1500;

export function useCalls(
  snapshot: DoppelkopfSnapshot,
  busy: boolean,
  onAct: (action: number) => void | Promise<boolean>,
): Calls {
  const policy = useAskPolicy();
  const { you, public: table, phase } = snapshot;
  const view = you === null ? undefined : snapshot.views[you];
  const prompted = snapshot.prompt?.kind === "call" && you !== null && view !== undefined;
  const count = table.calls.length;

  const [answered, setAnswered] = useState({ game: snapshot.number, calls: 0, version: -1 });
  const answeredCalls = answered.game === snapshot.number ? answered.calls : 0;
  const [queued, setQueued] = useState<{ code: string; game: number; calls: number } | null>(null);
  const chosen = queued && queued.game === snapshot.number && queued.calls === count ? queued.code : null;

  const parties = knownParties(snapshot);
  const shared = sharedTable(snapshot.seats, you);
  const moment = { legal: view?.legal ?? [], you: you ?? 0, calls: table.calls, parties, answered: answeredCalls, shared };
  const asking = prompted && chosen === null && shouldAsk({ ...moment, policy, next: table.turn });
  const pass = view?.legal.find((each) => each.kind === "pass")?.action;
  const own = you !== null && table.turn === you;

  // Pass if the person need not be asked; try again if the answer did not get through.
  const [retry, setRetry] = useState(0);
  const sending = useRef(false);
  const done = answered.game === snapshot.number && answered.version === snapshot.version;
  const passNow = prompted && !asking && !done && !busy && pass !== undefined;
  useEffect(() => {
    if (!passNow || sending.current) return;
    sending.current = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    void Promise.resolve(onAct(pass)).then((taken) => {
      sending.current = false;
      if (taken === false) timer = setTimeout(() => setRetry((n) => n + 1), RETRY_MS);
    });
    return () => clearTimeout(timer);
  }, [passNow, pass, snapshot.number, snapshot.version, retry, onAct]);

  // The chosen card, as soon as it may be played.
  const action = phase === "card" && own && chosen ? actionFor(view?.legal ?? [], chosen) : undefined;
  useEffect(() => {
    if (phase !== "card" || chosen === null || busy) return;
    setQueued(null);
    if (action !== undefined) void onAct(action);
  }, [phase, chosen, action, busy, onAct]);

  const early = phase === "call" && own && view?.outline ? new Set(view.outline.playable) : NONE;
  const settle = (version: number) => setAnswered({ game: snapshot.number, calls: count, version });
  return {
    asking,
    after: prompted ? freshCall(moment) : null,
    queued: chosen,
    early,
    answer(given) {
      // Settled only once it got through: a refused answer is asked for again, never passed over.
      void Promise.resolve(onAct(given)).then((taken) => {
        if (taken !== false) settle(snapshot.version);
      });
    },
    queue(code) {
      settle(-1);
      setQueued({ code, game: snapshot.number, calls: count });
    },
  };
}
