// What the Doppelkopf table works out itself: places, sorted hands, phrases, and when to ask for calls.

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

/** What everybody knows about a seat's answer to the question for reservations. */
export function saidWord(said: string | null | undefined, t: Say): string | null {
  if (!said || said === "-") return null;
  if (said === "healthy" || said === "wedding" || said === "poverty") return t(`said.${said}`);
  return t("said.reservation");
}

/** Genscher: the seat that an answer makes the partner of a seat; null where everything stays as it is. */
export function partnerSeat(seat: number, answer: string): number | null {
  const place = ["left", "opposite", "right"].indexOf(answer);
  return place < 0 ? null : (seat + 1 + place) % SEATS;
}

/** An action in words: a card, what was said about reservations, or a call. */
export function sayAction({ name, code, kind }: NamedAction, language: Language): string {
  const t = translator(language, words);
  if ((kind === "card" || kind === "give") && code) return shortName(code, language);
  if (kind === "take" || kind === "leave") return t(`poverty.${kind}`);
  if (kind === "keep" || kind === "partner") return known(`genscher.${name}`, t, name);
  return kind === "reservation" ? reservationWord(name, t) : callWord(name, t);
}

export function tricksWord(count: number, t: Say): string {
  return count === 1 ? t("tricks.one") : t("tricks.many", { count });
}

// --- Parties ----------------------------------------------------------------------------------------------------------

/** Each seat's party, empty where the viewer may not know it. */
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

/** Whether an action announces something; the other answer in a round of calls is a pass. */
export function isCall(action: LegalAction): boolean {
  return action.kind === "announcement";
}

/** Whether anybody but `you` and bots sits at a table or may sit down. */
export function sharedTable(seats: DoppelkopfSnapshot["seats"], you: number | null): boolean {
  return seats.some((seat, i) => i !== you && seat.kind !== "bot");
}

/**
 * The latest call that this person has not answered yet: by an opponent, or by anybody at a shared table, where the
 * question must not depend on parties.
 */
export function freshCall(moment: Omit<CallMoment, "policy" | "legal" | "next">): DoppelkopfPublic["calls"][number] | null {
  const mine = moment.shared ? "" : moment.parties[moment.you];
  const fresh = moment.calls
    .slice(moment.answered)
    .filter((call) => call.seat !== moment.you && (!mine || readCall(call.call).party !== mine));
  return fresh.at(-1) ?? null;
}

/**
 * Whether to ask the person rather than pass for them. A round lasts until the last person has answered, so at a shared
 * table an instant pass would tell the others something about the hand: there only public facts decide.
 */
export function shouldAsk(moment: CallMoment): boolean {
  if (!moment.shared && !moment.legal.some(isCall)) return false;
  if (freshCall(moment)) return true;
  if (moment.policy === "every") return true;
  return moment.policy === "own" && moment.next === moment.you;
}
