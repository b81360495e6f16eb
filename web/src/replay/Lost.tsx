// What a mistake cost, in the unit of the game.

import type { Language, ReviewDecision, Unit } from "../api/types";
import { useT } from "../i18n";
import { costText, unitOf } from "../i18n/units";

interface Props {
  decision: ReviewDecision;
  game: { unit?: Unit };
  language: Language;
}

export function Lost({ decision, game, language }: Props) {
  const t = useT();
  if (!decision.mistake) return null;
  const cost = costText(unitOf(game), decision, decision.best_outcome, language);
  return <span className="rp-lost rp-mistake">{t("replay.lostShort", { cost })}</span>;
}
