// What the review says about the decision that is shown, in one line below the board.

import type { Language, ReviewDecision, Snapshot } from "../api/types";
import { actionWord } from "../games";
import { useT } from "../i18n";
import { Lost } from "./Lost";

interface Props {
  decision: ReviewDecision;
  snapshot: Snapshot;
  language: Language;
}

export function Verdict({ decision, snapshot, language }: Props) {
  const t = useT();
  const word = (name: string) => actionWord(snapshot, name, language);
  const { played, good, mistake, forced } = decision;
  if (forced || (!mistake && !good.includes(played))) return null;
  return (
    <p className="rp-verdict">
      {mistake ? (
        <>
          <span className="rp-was">{t("replay.was", { name: word(played) })}</span>{" "}
          <Lost decision={decision} game={snapshot.game} language={language} />{" "}
          {decision.status && <small className="soft">({t(`kibitz.${decision.status}`)})</small>}{" "}
          <span className="rp-better">{t("replay.wouldBe", { name: good.map(word).join(", ") })}</span>
        </>
      ) : (
        <span className="rp-better">{t("replay.wasBest", { name: word(played) })}</span>
      )}
    </p>
  );
}
