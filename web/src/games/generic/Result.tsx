// How a game ended: the words of the server and the points of every seat.

import type { Snapshot } from "../../api/types";
import { useLanguage } from "../../i18n";
import { signed } from "../../i18n/numbers";
import { namesOf } from "../seats";

export function Result({ snapshot }: { snapshot: Snapshot }) {
  const language = useLanguage();
  // The last line has the points, which are shown beside the names below.
  const [head, ...rest] = snapshot.over?.words[language].slice(0, -1) ?? [];
  return (
    <>
      <h2>{head}</h2>
      {rest.map((line) => (
        <p key={line}>{line}</p>
      ))}
      <SeatPoints snapshot={snapshot} />
    </>
  );
}

export function SeatPoints({ snapshot }: { snapshot: Snapshot }) {
  const language = useLanguage();
  const returns = snapshot.over?.returns ?? [];
  return (
    <ul className="result-seats">
      {namesOf(snapshot, language).map((name, i) => (
        <li key={i} className={i === snapshot.you ? "you" : undefined}>
          <span title={name}>{name}</span>
          <strong>{signed(returns[i] ?? 0, language)}</strong>
        </li>
      ))}
    </ul>
  );
}
