// What the persons at a table write to each other. Whoever does not want to read it folds it away.

import { useEffect, useRef, useState } from "react";
import type { ChatState } from "../api/types";
import { useT } from "../i18n";
import type { TableHandle } from "./useTable";

const LONGEST = 200;

export function Chat({ table, chat, mayWrite }: { table: TableHandle; chat: ChatState; mayWrite: boolean }) {
  const t = useT();
  const [text, setText] = useState("");
  const box = useRef<HTMLOListElement>(null);
  const newest = chat.lines.at(-1)?.number;
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [newest]);
  return (
    <div className="chat">
      {chat.lines.length === 0 && <p className="soft">{t("table.chat.empty")}</p>}
      <div role="log" aria-label={t("table.chat")}>
        <ol ref={box} className="chat-lines" tabIndex={chat.lines.length ? 0 : -1}>
          {chat.lines.map((line) => (
            <li key={line.number}>
              <strong>{line.name}</strong> {line.text}
            </li>
          ))}
        </ol>
      </div>
      {mayWrite && chat.open && (
        <form
          className="chat-form"
          onSubmit={(event) => {
            event.preventDefault();
            if (!text.trim()) return;
            void table.say(text).then((done) => {
              if (done) setText("");
            });
          }}
        >
          <input
            className="field"
            aria-label={t("table.chat.write")}
            placeholder={t("table.chat.write")}
            value={text}
            maxLength={LONGEST}
            autoComplete="off"
            onChange={(event) => setText(event.target.value)}
          />
          <button type="submit" className="button small" disabled={table.busy}>
            {t("table.chat.send")}
          </button>
        </form>
      )}
    </div>
  );
}
