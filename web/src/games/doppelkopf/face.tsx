// Doppelkopf as the page shows it.

import type { Snapshot } from "../../api/types";
import { MiniCard } from "../../cards/Card";
import { isRed, shortName } from "../../cards/cards";
import { Fan } from "../../cards/Fan";
import { translator } from "../../i18n";
import type { GameFace } from "../face";
import { Settings } from "./AskSelect";
import { Board } from "./Board";
import { sayAction } from "./logic";
import { Result } from "./Result";
import type { DoppelkopfOutline, DoppelkopfPublic } from "./types";
import { about, rules, title, words } from "./words";

const SUITS = ["C", "S", "H", "D"] as const;
const RANKS = "ATKQJ9";

/** The trumps of the contract, from the highest. */
function trumpsOf(snapshot: Snapshot): string[] {
  const outline = Object.values(snapshot.views)[0]?.outline as DoppelkopfOutline | null | undefined;
  return (snapshot.public as Partial<DoppelkopfPublic>).trumps ?? outline?.trumps ?? [];
}

export const face: Partial<GameFace> = {
  title,
  about,
  rules,
  Picture: () => <Fan codes={["HT", "CQ", "SQ", "DA"]} />,
  Board,
  Result,
  Settings,
  pieces: {
    groups(snapshot, codes, language) {
      const t = translator(language, words);
      const trumps = trumpsOf(snapshot).filter((code) => codes.includes(code));
      const rest = codes.filter((code) => !trumps.includes(code));
      const suits = SUITS.map((suit) => ({
        title: t(`led.${suit}`),
        codes: rest
          .filter((code) => code.startsWith(suit))
          .sort((a, b) => RANKS.indexOf(a.charAt(1)) - RANKS.indexOf(b.charAt(1))),
      }));
      return [{ title: t("trumps"), codes: trumps }, ...suits].filter((group) => group.codes.length > 0);
    },
    text: shortName,
    red: isRed,
    Small: MiniCard,
    exactly: words.exactly,
  },
  say: sayAction,
  silent: ({ kind }) => kind === "pass",
  phases: {
    reservation: { en: "Reservations", de: "Vorbehalte" },
    poverty: { en: "Poverty", de: "Armut" },
    exchange: { en: "Exchange", de: "Tausch" },
    genscher: { en: "Genscher", de: "Genscher" },
    call: { en: "Calls", de: "Ansagen" },
    card: { en: "Cards", de: "Karten" },
  },
  settle: 1100,
};
