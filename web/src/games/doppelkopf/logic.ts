// What the Doppelkopf table works out by itself: places, sorted hands, what is said in words, and when to ask for calls.

import type { Language, LegalAction } from "../../api/types";
import { shortName } from "../../cards/cards";
import { translator, type Translate } from "../../i18n";
import type { NamedAction } from "../face";
import type { AskPolicy } from "./AskSelect";
import type { DoppelkopfOutline, DoppelkopfPublic, DoppelkopfSnapshot } from "./types";
import { words } from "./words";

export type Say = Translate<keyof typeof words>;

export const SEATS = 4;

export type Place = "bottom" | "left" | "top" | "right";
const PLACES: readonly Place[] = ["bottom", "left", "top", "right"];

/** Where a seat is drawn for somebody who sits at `bottom`; the play goes clockwise. */
export function placeOf(seat: number, bottom: number): Place {
  return PLACES[(seat - bottom + SEATS) % SEATS] ?? "bottom";
}

// --- The hand ---------------------------------------------------------------------------------------------------------

export interface HandCard {
  code: string;
  /** Tells the two copies of a card apart. */
  key: string;
  /** 0 for trumps (where there are any), then the suits. */
  group: number;
}

/** The cards of an outline in the order players hold them: trumps from the highest, then suit by suit. */
export function sortedHand(outline: Pick<DoppelkopfOutline, "hand"> | null | undefined): HandCard[] {
  const seen = new Map<string, number>();
  return (outline?.hand ?? []).flatMap((text, group) =>
    text
      .split(" ")
      .filter(Boolean)
      .map((code) => {
        const copy = (seen.get(code) ?? 0) + 1;
        seen.set(code, copy);
        return { code, key: `${code}-${copy}`, group };
      }),
  );
}

/** Which cards of a hand may follow what was led. Only a hint while calls are made: the server decides. */
export function followable(outline: DoppelkopfOutline): Set<string> {
  const cards = sortedHand(outline).map((card) => card.code);
  const { led } = outline;
  if (led === null) return new Set(cards);
  const trumps = new Set(outline.trumps);
  const follows = cards.filter((code) => (led === "trump" ? trumps.has(code) : !trumps.has(code) && code.startsWith(led)));
  return new Set(follows.length > 0 ? follows : cards);
}

/** The action that plays a card. */
export function actionFor(legal: readonly LegalAction[], code: string): number | undefined {
  return legal.find((each) => each.code === code)?.action;
}

// --- Words ------------------------------------------------------------------------------------------------------------

/** Party and step of a call as views write it: re, kontra-no90. */
export function readCall(call: string): { party: "re" | "kontra"; step: string } {
  const [party, step] = call.split("-");
  return { party: party === "kontra" ? "kontra" : "re", step: step ?? (party === "kontra" ? "kontra" : "re") };
}

function known(key: string, t: Say, fallback: string): string {
  return Object.hasOwn(words, key) ? t(key as keyof typeof words) : fallback;
}

export function callWord(call: string, t: Say): string {
  const step = call.includes("-") ? readCall(call).step : call;
  return known(`call.${step}`, t, call);
}

export function callReason(call: string, t: Say): string {
  const step = call.includes("-") ? readCall(call).step : call;
  if (step === "re" || step === "kontra") return t("call.why.re-kontra");
  if (step === "black") return t("call.why.black");
  return t("call.why.eyes", { eyes: step.replace("no", "") });
}

export function reservationWord(name: string, t: Say): string {
  if (name === "healthy") return t("reservation.healthy");
  return contractWord(name, t);
}

export function contractWord(name: string, t: Say): string {
  return known(`contract.${name}`, t, name);
}

/** What a seat said when reservations were asked, as far as everybody knows it. */
export function saidWord(said: string | null | undefined, t: Say): string | null {
  if (!said || said === "-") return null;
  if (said === "healthy" || said === "wedding") return t(`said.${said}`);
  return t("said.reservation");
}

/** An action in words: a card, what was said about reservations, or a call. */
export function sayAction({ name, code, kind }: NamedAction, _: unknown, language: Language): string {
  const t = translator(language, words);
  if (kind === "card" && code) return shortName(code, language);
  if (Object.hasOwn(words, `call.${name}`)) return callWord(name, t);
  return reservationWord(name, t);
}

export function tricksWord(count: number, t: Say): string {
  return count === 1 ? t("tricks.one") : t("tricks.many", { count });
}

// --- Parties ----------------------------------------------------------------------------------------------------------

/** Each seat's party as far as the one who looks may know it. */
export function knownParties(snapshot: DoppelkopfSnapshot): ("re" | "kontra" | "")[] {
  const { parties } = snapshot.public;
  const own = snapshot.you === null ? undefined : snapshot.views[snapshot.you]?.outline?.parties;
  return parties.map((party, seat) => {
    if (party) return party;
    if (own) return own[seat] ?? "";
    return snapshot.views[seat]?.outline?.parties[seat] ?? "";
  });
}

// --- When to ask for a call -------------------------------------------------------------------------------------------

export interface CallMoment {
  policy: AskPolicy;
  legal: readonly LegalAction[];
  you: number;
  /** Whose card is next. */
  next: number | null;
  calls: DoppelkopfPublic["calls"];
  parties: readonly string[];
  /** How many calls there were when this person last answered. */
  answered: number;
  /** Another person sits here, or may sit down. */
  shared: boolean;
}

/** Whether other persons than `you` sit at a table or may sit down. */
export function sharedTable(seats: DoppelkopfSnapshot["seats"], you: number | null): boolean {
  return seats.some((seat, i) => i !== you && seat.kind !== "bot");
}

/**
 * The latest call that this person has not answered yet: of an opponent, or of anybody at a shared table, where who
 * is asked must not depend on parties.
 */
export function freshCall(moment: Omit<CallMoment, "policy" | "legal" | "next">): DoppelkopfPublic["calls"][number] | null {
  const mine = moment.shared ? "" : moment.parties[moment.you];
  const fresh = moment.calls
    .slice(moment.answered)
    .filter((call) => call.seat !== moment.you && (!mine || readCall(call.call).party !== mine));
  return fresh.at(-1) ?? null;
}

/**
 * Whether the person is asked, or the page passes for them. A round lasts until the last person has answered, so that
 * at a shared table an answer at once would tell the others of the own cards: there only what everybody knows decides.
 */
export function shouldAsk(moment: CallMoment): boolean {
  if (!moment.shared && !moment.legal.some((each) => each.name !== "pass")) return false;
  if (freshCall(moment)) return true;
  if (moment.policy === "every") return true;
  return moment.policy === "own" && moment.next === moment.you;
}
