import { act, cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { reloadPrefs, setPrefs } from "../../prefs";
import { seriousFindings } from "../../test/axe";
import { asSnapshot, callRound, cardAction, cards, doppelkopf, KONTRA, PASS } from "./fixtures/tables";
import { Board } from "./Board";
import type { DoppelkopfSnapshot } from "./types";
import { HOLD_MS } from "./useTrick";

beforeEach(() => {
  reloadPrefs();
  setPrefs({ language: "en" });
});

function board(snapshot: DoppelkopfSnapshot, onAct = vi.fn(() => Promise.resolve(true))) {
  const draw = (next: DoppelkopfSnapshot) => (
    <Board snapshot={asSnapshot(next)} onAct={onAct} busy={false} language="en" animate={false} />
  );
  const { rerender } = render(draw(snapshot));
  return { onAct, show: (next: DoppelkopfSnapshot) => rerender(draw(next)) };
}

const hand = () => within(screen.getByRole("group", { name: "Your cards" })).getAllByRole("button");

it("shows the hand sorted, with only the playable cards enabled", () => {
  board(doppelkopf());
  expect(hand().map((card) => card.getAttribute("aria-label"))).toEqual([
    "Queen of spades",
    "Queen of diamonds",
    "Ten of clubs",
    "Ace of spades",
    "Ten of spades",
  ]);
  expect(hand().map((card) => card.getAttribute("aria-disabled"))).toEqual(["true", "true", "true", "false", "false"]);
});

it("plays a card by click and refuses one that does not follow", async () => {
  const { onAct } = board(doppelkopf());
  await userEvent.click(screen.getByRole("button", { name: "Ten of clubs" }));
  expect(onAct).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole("button", { name: "Ace of spades" }));
  expect(onAct).toHaveBeenCalledExactlyOnceWith(cardAction("SA"));
});

it("asks whether to take the trumps of a poor hand", async () => {
  const exchange = { from: 2, to: null, cards: 3, back: 0, trumps_back: null };
  const legal = ["take", "leave"].map((name, i) => ({ action: 41 + i, name, code: name, kind: name }));
  const prompt = { kind: "poverty", until: null };
  const { onAct, show } = board(doppelkopf({ phase: "poverty", prompt, legal, public: { contract: "poverty", exchange } }));
  expect(screen.getByRole("dialog", { name: "Do you take the trumps of Bot 3?" })).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Leave them" }));
  expect(onAct).toHaveBeenCalledExactlyOnceWith(42);
  // Whoever took them gives cards back by clicking them.
  const taken = { ...exchange, to: 0, back: 1 };
  const table = { contract: "poverty", exchange: taken, trick: [], led: null };
  show(doppelkopf({ phase: "exchange", prompt: { kind: "exchange", until: null }, legal: cards("CT"), public: table }));
  expect(screen.getByText("Give back a card (2 of 3)")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Ten of clubs" }));
  expect(onAct).toHaveBeenLastCalledWith(cardAction("CT"));
});

it("asks whoever played both kings of diamonds for the partner", async () => {
  const legal = ["keep", "left", "opposite", "right"].map((name, i) => ({
    action: 43 + i,
    name,
    code: name,
    kind: i === 0 ? "keep" : "partner",
  }));
  const { onAct } = board(doppelkopf({ phase: "genscher", prompt: { kind: "genscher", until: null }, legal }));
  expect(screen.getByRole("dialog", { name: "Who is your partner from now on?" })).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Bot 3" }));
  expect(onAct).toHaveBeenCalledExactlyOnceWith(45);
  expect(screen.getByRole("button", { name: "Leave it as it is" })).toBeVisible();
});

it("plays with arrow keys and Enter, and keeps one stop for the tab key", async () => {
  const { onAct } = board(doppelkopf());
  act(() => hand()[0]?.focus());
  await userEvent.keyboard("{ArrowLeft}");
  expect(hand()[4]).toHaveFocus();
  expect(hand().filter((card) => card.tabIndex === 0)).toHaveLength(1);
  await userEvent.keyboard("{ArrowLeft}{Enter}");
  expect(onAct).toHaveBeenCalledExactlyOnceWith(cardAction("SA"));
});

it("plays the second playable card with the key 2", async () => {
  const { onAct } = board(doppelkopf());
  act(() => hand()[0]?.focus());
  await userEvent.keyboard("9");
  expect(onAct).not.toHaveBeenCalled();
  await userEvent.keyboard("2");
  expect(onAct).toHaveBeenCalledExactlyOnceWith(cardAction("ST"));
});

it("has a key for each of twelve cards, whatever is printed on the last two", async () => {
  const codes = ["HT", "CQ", "SQ", "HQ", "DQ", "CJ", "SJ", "HJ", "DJ", "DA", "DT", "DK"];
  const { onAct } = board(doppelkopf({ legal: cards(...codes), outline: { hand: [codes.join(" ")] } }));
  act(() => hand()[0]?.focus());
  await userEvent.keyboard("[Minus]");
  await userEvent.keyboard("[Equal]");
  await userEvent.keyboard("0");
  expect(onAct.mock.calls).toEqual(["DT", "DK", "DA"].map((code) => [cardAction(code)]));
  expect([...document.querySelectorAll("[data-digit]")].map((each) => each.getAttribute("data-digit")).join("")).toBe(
    "1234567890-=",
  );
});

it("hands the focus to the cards once the reservation is said", async () => {
  const healthy = { action: 24, name: "healthy", code: "healthy", kind: "reservation" };
  const { show } = board(doppelkopf({ phase: "reservation", prompt: { kind: "reservation", until: null }, legal: [healthy] }));
  expect(screen.getByRole("button", { name: "Healthy" })).toHaveFocus();
  show(doppelkopf({ prompt: null }));
  expect(hand()[0]).toHaveFocus();
});

it("shows the trick, who leads, and the last trick on demand", async () => {
  board(doppelkopf());
  const trick = screen.getByRole("list", { name: "Trick 2" });
  expect(within(trick).getAllByRole("listitem").map((item) => item.textContent)).toEqual([
    expect.stringContaining("Bot 3: Nine of spades"),
    expect.stringContaining("Bot 4: King of spades"),
  ]);
  expect(within(screen.getByRole("group", { name: "Bot 3" })).getByText("leads")).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Last trick" }));
  expect(screen.getByText("17 eyes for Bot 3")).toBeInTheDocument();
});

it("says that a solo is forced where nothing else may be said", () => {
  const solo = { action: 26, name: "solo-queens", code: "solo-queens", kind: "reservation" };
  board(doppelkopf({ phase: "reservation", prompt: { kind: "reservation", until: null }, legal: [solo] }));
  const dialog = screen.getByRole("dialog", { name: "Which solo do you play?" });
  expect(dialog).toHaveAccessibleDescription(/compulsory solo/);
  expect(within(dialog).getByRole("button", { name: "Queens solo" })).toHaveFocus();
});

it("asks for a reservation with a dialog", async () => {
  const { onAct } = board(
    doppelkopf({
      phase: "reservation",
      prompt: { kind: "reservation", until: null },
      public: { contract: null, trick: [], led: null, last: null, tricks_taken: [0, 0, 0, 0] },
      legal: [
        { action: 24, name: "healthy", code: "healthy" },
        { action: 31, name: "solo-queens", code: "solo-queens" },
      ],
    }),
  );
  const dialog = screen.getByRole("dialog", { name: "Do you have a reservation?" });
  expect(within(dialog).getByRole("button", { name: "Healthy" })).toHaveFocus();
  await userEvent.click(within(dialog).getByRole("button", { name: "Queens solo" }));
  expect(onAct).toHaveBeenCalledExactlyOnceWith(31);
});

it("asks for a call before the player's own card", async () => {
  const { onAct } = board(callRound());
  const bar = screen.getByRole("group", { name: "Call" });
  expect(bar).toHaveTextContent("Do you want to call Kontra?");
  expect(onAct).not.toHaveBeenCalled();
  await userEvent.click(within(bar).getByRole("button", { name: "Kontra" }));
  expect(onAct).toHaveBeenCalledExactlyOnceWith(KONTRA.action);
});

it("passes by itself where the person need not be asked", async () => {
  const { onAct } = board(callRound({ public: { turn: 3 } }));
  await waitFor(() => expect(onAct).toHaveBeenCalledExactlyOnceWith(PASS.action));
  expect(screen.queryByRole("group", { name: "Call" })).not.toBeInTheDocument();
});

it("asks even those who never want to be asked after a call of the others, and only once", async () => {
  setPrefs({ ask: "never" });
  const calls = [{ seat: 2, call: "re", at: 4 }];
  const { onAct, show } = board(callRound({ public: { turn: 3, calls } }));
  const bar = screen.getByRole("group", { name: "Call" });
  expect(bar).toHaveTextContent("Bot 3 has called Re.");
  await userEvent.click(within(bar).getByRole("button", { name: "No call" }));
  expect(onAct).toHaveBeenCalledTimes(1);
  show(callRound({ version: 13, public: { turn: 1, calls } }));
  await waitFor(() => expect(onAct).toHaveBeenCalledTimes(2));
  expect(onAct).toHaveBeenLastCalledWith(PASS.action);
});

it("shows the same question where another person sits, also to somebody who has nothing to call", async () => {
  const seats = doppelkopf().seats.map((seat, i) => (i === 2 ? { ...seat, name: "Bea", kind: "person" as const } : seat));
  const { onAct, show } = board(callRound({ seats, legal: [PASS] }));
  const bar = screen.getByRole("group", { name: "Call" });
  expect(bar).toHaveTextContent("You have nothing to call right now. You are asked anyway");
  expect(within(bar).getAllByRole("button").map((button) => button.textContent)).toEqual(["No call"]);
  expect(onAct).not.toHaveBeenCalled();
  await userEvent.click(within(bar).getByRole("button", { name: "No call" }));
  expect(onAct).toHaveBeenCalledExactlyOnceWith(PASS.action);
  // A call of one's own party asks as well: without seeing the hands one does not know whose it was.
  setPrefs({ ask: "never", language: "de" });
  show(callRound({ version: 13, seats, legal: [PASS], public: { turn: 3, calls: [{ seat: 2, call: "kontra", at: 4 }] } }));
  expect(screen.getByRole("group", { name: "Ansage" })).toHaveTextContent("Bea hat Kontra angesagt.");
  expect(screen.getByRole("group", { name: "Ansage" })).toHaveTextContent("Du kannst gerade nichts ansagen.");
});

it("does not ask somebody alone with bots who has nothing to call", async () => {
  const { onAct } = board(callRound({ legal: [PASS], public: { calls: [{ seat: 2, call: "re", at: 4 }] } }));
  await waitFor(() => expect(onAct).toHaveBeenCalledExactlyOnceWith(PASS.action));
  expect(screen.queryByRole("group", { name: "Call" })).not.toBeInTheDocument();
});

it("takes a card as 'no call' and plays it once all have answered", async () => {
  const { onAct, show } = board(callRound());
  await userEvent.click(screen.getByRole("button", { name: "Ten of spades" }));
  await waitFor(() => expect(onAct).toHaveBeenCalledExactlyOnceWith(PASS.action));
  show(callRound({ prompt: null, legal: [] }));
  expect(onAct).toHaveBeenCalledTimes(1);
  show(doppelkopf({ version: 13 }));
  await waitFor(() => expect(onAct).toHaveBeenLastCalledWith(cardAction("ST")));
  expect(onAct).toHaveBeenCalledTimes(2);
});

it("forgets the chosen card when somebody calls meanwhile", async () => {
  const { onAct, show } = board(callRound());
  await userEvent.click(screen.getByRole("button", { name: "Ten of spades" }));
  await waitFor(() => expect(onAct).toHaveBeenCalledTimes(1));
  show(callRound({ version: 13, public: { calls: [{ seat: 2, call: "re", at: 4 }] } }));
  expect(screen.getByRole("group", { name: "Call" })).toBeInTheDocument();
  show(doppelkopf({ version: 14, public: { calls: [{ seat: 2, call: "re", at: 4 }] } }));
  expect(onAct).toHaveBeenCalledTimes(1);
});

it("tries to pass again if the answer did not get through", async () => {
  vi.useFakeTimers();
  const onAct = vi.fn(() => Promise.resolve(onAct.mock.calls.length > 1));
  board(callRound({ public: { turn: 3 } }), onAct);
  await act(() => vi.advanceTimersByTimeAsync(100));
  expect(onAct).toHaveBeenCalledTimes(1);
  await act(() => vi.advanceTimersByTimeAsync(2000));
  expect(onAct).toHaveBeenCalledTimes(2);
  vi.useRealTimers();
});

it("keeps a full trick in sight for a moment", () => {
  vi.useFakeTimers();
  const { show } = board(doppelkopf());
  const full = [
    { seat: 2, card: "S9" },
    { seat: 3, card: "SK" },
    { seat: 0, card: "SA" },
    { seat: 1, card: "ST" },
  ];
  show(
    doppelkopf({
      version: 13,
      public: { trick: [], led: null, tricks_taken: [1, 0, 1, 0], last: { cards: full, taker: 0, eyes: 25 } },
      outline: { hand: ["SQ DQ", "CT", "ST", ""] },
      legal: cards("SQ", "DQ", "CT", "ST"),
    }),
  );
  expect(within(screen.getByRole("list", { name: "Trick 2" })).getAllByRole("listitem")).toHaveLength(4);
  act(() => vi.advanceTimersByTime(HOLD_MS + 10));
  expect(screen.queryByRole("list", { name: /^Trick/ })).not.toBeInTheDocument();
  vi.useRealTimers();
});

it("shows calls and parties at the seats", () => {
  board(
    doppelkopf({
      public: { calls: [{ seat: 2, call: "re", at: 0 }, { seat: 2, call: "re-no90", at: 4 }], parties: ["", "", "re", ""] },
    }),
  );
  const seat = within(screen.getByRole("group", { name: "Bot 3" }));
  expect(seat.getAllByText("Re")).toHaveLength(2);
  expect(seat.getByText("no 90")).toBeInTheDocument();
});

it("lays all hands open for those who may see everything, and only backs for other spectators", () => {
  const seated = doppelkopf();
  const view = seated.views["0"];
  if (!view) throw new Error("the fixture has a view");
  const { show } = board({ ...seated, role: "all", you: null, views: { "0": view, "1": view } });
  expect(within(screen.getByRole("list", { name: "Cards of Bot 2" })).getAllByRole("img")).toHaveLength(5);
  expect(screen.queryByRole("group", { name: "Your cards" })).not.toBeInTheDocument();
  show({ ...seated, role: "public", you: null, views: {} });
  expect(screen.queryByRole("list", { name: "Cards of Bot 2" })).not.toBeInTheDocument();
  expect(screen.getAllByText("5 cards")).toHaveLength(2);
});

it("asks again, and does not pass, when a call was not taken", async () => {
  setPrefs({ ask: "never" });
  const calls = [{ seat: 2, call: "re", at: 4 }];
  const { onAct } = board(callRound({ public: { calls } }), vi.fn(() => Promise.resolve(false)));
  await userEvent.click(screen.getByRole("button", { name: "Kontra" }));
  expect(onAct).toHaveBeenCalledExactlyOnceWith(KONTRA.action);
  expect(screen.getByRole("group", { name: "Call" })).toBeInTheDocument();
});

it("speaks to nobody in a replay, where one only looks from a seat", () => {
  const { show } = board(doppelkopf({ role: "all" }));
  expect(screen.getByRole("group", { name: "Cards of Ada" })).toBeInTheDocument();
  expect(screen.queryByText("(you)")).not.toBeInTheDocument();
  expect(screen.getByText("Ada to play")).toBeInTheDocument();
  show(doppelkopf());
  expect(screen.getByText("(you)")).toBeInTheDocument();
  expect(screen.getByText("Follow Spades")).toBeInTheDocument();
});

it("says what has to be followed, as the rules tell it", () => {
  const { show } = board(doppelkopf({ public: { led: "trump" } }));
  expect(screen.getByText("Follow with trump")).toBeInTheDocument();
  show(doppelkopf({ outline: { follows: false } }));
  expect(screen.getByText("You cannot follow: play any card")).toBeInTheDocument();
});

it("has no list of cards in an empty middle", () => {
  board(doppelkopf({ role: "all", phase: "over", turn: null, public: { trick: [], turn: null } }));
  expect(screen.queryByRole("list", { name: /^Trick/ })).not.toBeInTheDocument();
});

it("has no serious accessibility findings", async () => {
  for (const table of [doppelkopf(), callRound()]) {
    board(table);
    expect(await seriousFindings(document.body)).toEqual([]);
    cleanup();
  }
});
