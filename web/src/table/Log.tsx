// What happened at the table, newest last, also announced to screen readers.

import { useEffect, useRef, useState } from "react";
import type { Snapshot } from "../api/types";
import { useLanguage, useT } from "../i18n";
import { Explained } from "../ui/Explained";

export function Log({ snapshot }: { snapshot: Snapshot }) {
  const t = useT();
  const language = useLanguage();
  const box = useRef<HTMLOListElement>(null);
  const { length } = snapshot.log;
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [length]);
  if (length === 0) return <p className="soft">{t("table.log.empty")}</p>;
  return (
    <ol className="log" ref={box} tabIndex={0} aria-label={t("table.log")}>
      {snapshot.log.map((entry, i) => (
        <li key={i} className={`log-${entry.kind}`}>
          <Explained text={entry.text[language]} reachable={false} />
        </li>
      ))}
    </ol>
  );
}

/** Speaks what is new, and when it is the person's turn. */
export function Announcer({ snapshot }: { snapshot: Snapshot }) {
  const t = useT();
  const language = useLanguage();
  const [text, setText] = useState("");
  const heard = useRef({ game: snapshot.number, length: snapshot.log.length, mine: false });
  const gone = snapshot.control?.resigned.includes(snapshot.you ?? -1) ?? false;
  const mine = snapshot.you !== null && !gone && (snapshot.turn === snapshot.you || snapshot.prompt !== null);
  useEffect(() => {
    const before = heard.current;
    const from = before.game === snapshot.number ? before.length : 0;
    const news = snapshot.log.slice(from).map((entry) => entry.text[language]);
    if (mine && (!before.mine || news.length > 0)) news.push(t("table.yourTurn"));
    heard.current = { game: snapshot.number, length: snapshot.log.length, mine };
    if (news.length > 0) setText(news.join(". "));
  }, [snapshot, language, mine, t]);
  return (
    <div className="visually-hidden" aria-live="polite" role="status">
      {text}
    </div>
  );
}
