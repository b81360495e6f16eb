// Actions as people say them, for lists beside a board: calls and bids in words, cards and squares as they are.

import type { Language, Snapshot } from "../api/types";
import { callWord, reservationWord } from "../doppelkopf/logic";
import { translator } from "../i18n";
import { deedOf, kuhnBetting, leducBetting } from "./betting";

/** The name of an action in the position of a snapshot. */
export function actionWord(snapshot: Snapshot, name: string, language: Language): string {
  const t = translator(language);
  switch (snapshot.game.name) {
    case "doppelkopf":
      if (/^[♣♠♥♦]/.test(name)) return name;
      return /^(healthy|wedding|solo)/.test(name) ? reservationWord(name, t) : callWord(name, t);
    case "leduc":
    case "kuhn": {
      const betting = snapshot.game.name === "kuhn" ? kuhnBetting(snapshot) : leducBetting(snapshot);
      return t(`kibitz.do_${deedOf({ action: 0, name }, betting)}`);
    }
    case "liars_dice":
      return name === "liar" ? t("dice.liar") : name.replace("x", " × ");
    case "nim": {
      const [heap, taken] = name.split(":");
      return t("kibitz.nimMove", { heap: heap ?? "", n: taken ?? "" });
    }
    default:
      return name;
  }
}
