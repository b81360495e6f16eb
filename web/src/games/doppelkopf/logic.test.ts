import { describe, expect, it } from "vitest";
import { translator } from "../../i18n";
import { callRound, doppelkopf, KONTRA, PASS } from "./fixtures/tables";
import {
  callReason,
  callWord,
  freshCall,
  knownParties,
  placeOf,
  reservationWord,
  saidWord,
  sharedTable,
  shouldAsk,
  sortedHand,
} from "./logic";
import { words } from "./words";

const en = translator("en", words);
const de = translator("de", words);

describe("the hand", () => {
  it("is sorted as the outline has it, trumps first, with both copies of a card told apart", () => {
    const hand = sortedHand({ hand: ["HT CQ CQ D9", "CA", "", "HA HA"] });
    expect(hand.map((card) => card.code)).toEqual(["HT", "CQ", "CQ", "D9", "CA", "HA", "HA"]);
    expect(new Set(hand.map((card) => card.key)).size).toBe(7);
    expect(hand.map((card) => card.group)).toEqual([0, 0, 0, 0, 1, 3, 3]);
  });
});

it("seats go clockwise from the person at the bottom", () => {
  expect([0, 1, 2, 3].map((seat) => placeOf(seat, 2))).toEqual(["top", "right", "bottom", "left"]);
});

it("calls and reservations are said in both languages", () => {
  expect([callWord("kontra-no90", en), callWord("no30", de), callWord("re", de)]).toEqual(["no 90", "keine 30", "Re"]);
  expect(callReason("no60", en)).toContain("60");
  expect(callReason("re-black", de)).toContain("keinen Stich");
  expect([reservationWord("healthy", de), reservationWord("solo-trumpless", de)]).toEqual(["Gesund", "Fleischloser"]);
  expect([saidWord("-", en), saidWord("hidden", en), saidWord("healthy", de)]).toEqual([null, "reservation", "gesund"]);
});

it("parties come from the public, then from what the person knows", () => {
  expect(knownParties(doppelkopf({ public: { parties: ["", "re", "", ""] } }))).toEqual(["kontra", "re", "", ""]);
});

describe("when to ask for a call", () => {
  const moment = {
    policy: "own" as const,
    legal: [KONTRA, PASS],
    you: 0,
    next: 0,
    calls: [],
    parties: ["kontra", "", "", ""],
    answered: 0,
    shared: false,
  };
  const re = { seat: 2, call: "re", at: 4 };

  it("asks before the player's own card by default, before every card or never if wanted", () => {
    expect(shouldAsk(moment)).toBe(true);
    expect(shouldAsk({ ...moment, next: 3 })).toBe(false);
    expect(shouldAsk({ ...moment, next: 3, policy: "every" })).toBe(true);
    expect(shouldAsk({ ...moment, policy: "never" })).toBe(false);
  });

  it("never asks somebody who has nothing to say", () => {
    expect(shouldAsk({ ...moment, policy: "every", legal: [PASS], calls: [re] })).toBe(false);
  });

  it("always asks after a call of the opponents, once", () => {
    expect(shouldAsk({ ...moment, policy: "never", next: 3, calls: [re] })).toBe(true);
    expect(shouldAsk({ ...moment, policy: "never", next: 3, calls: [re], answered: 1 })).toBe(false);
  });

  it("does not ask because of a partner or oneself", () => {
    expect(freshCall({ ...moment, calls: [{ seat: 2, call: "kontra", at: 4 }] })).toBeNull();
    expect(freshCall({ ...moment, calls: [{ seat: 0, call: "kontra", at: 4 }] })).toBeNull();
    expect(freshCall({ ...moment, calls: [re] })).toEqual(re);
  });

  it("sees the calls of a snapshot", () => {
    const snapshot = callRound({ public: { calls: [re], turn: 3 } });
    const seen = { calls: snapshot.public.calls, parties: knownParties(snapshot) };
    expect(freshCall({ you: 0, answered: 0, shared: false, ...seen })).toEqual(re);
  });

  it("is shared where anybody else could sit, not with bots alone", () => {
    const { seats } = doppelkopf();
    const guest = (kind: "person" | "open") => seats.map((seat, i) => (i === 2 ? { ...seat, kind } : seat));
    expect([seats, guest("person"), guest("open")].map((each) => sharedTable(each, 0))).toEqual([false, true, true]);
  });

  // A round lasts until the last person has answered: whether the page answers at once must tell nothing of a hand.
  it("asks by what everybody knows if another person sits there, whatever one's own cards are", () => {
    const kontra = { ...re, call: "kontra" };
    const mine = { ...re, seat: 0 };
    for (const policy of ["own", "every", "never"] as const) {
      for (const next of [0, 3]) {
        for (const calls of [[], [re], [kontra], [mine], [re, kontra]]) {
          for (const answered of [0, calls.length]) {
            const known = { ...moment, shared: true, policy, next, calls, answered };
            const asked = [[PASS], [KONTRA, PASS]].flatMap((legal) =>
              ["re", "kontra", ""].map((party) => shouldAsk({ ...known, legal, parties: [party, "", "", ""] })),
            );
            const fresh = answered === 0 && calls.some((call) => call.seat !== 0);
            const wanted = fresh || policy === "every" || (policy === "own" && next === 0);
            expect(asked, JSON.stringify(known)).toEqual(asked.map(() => wanted));
          }
        }
      }
    }
  });
});
