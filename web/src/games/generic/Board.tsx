// Any game without a board of its own: the position as text, and a button for each choice.

import { type KeyboardEvent, useRef } from "react";
import type { Snapshot } from "../../api/types";
import { capital, translator } from "../../i18n";
import { useKeys } from "../../ui/hooks";
import { Amount } from "../Amount";
import type { BoardProps } from "../face";
import { Marked, markedIn } from "../marks";
import { Players } from "../Players";
import { choicesOf, isRun, nameOf, viewpoint } from "../seats";
import { words } from "./words";
import "./generic.css";

/** The position as this role sees it: through the eyes of a seat, else what everybody knows; null where that is hidden. */
export function positionText(snapshot: Snapshot): string | null {
  const { text } = snapshot.public;
  return snapshot.views[String(viewpoint(snapshot))]?.text ?? (typeof text === "string" ? text : null);
}

/** Public facts with a plain value, to be read where there is no text. */
function factsOf(snapshot: Snapshot): [string, string][] {
  return Object.entries(snapshot.public).flatMap(([name, value]): [string, string][] => {
    if (value === null || name === "turn") return [];
    return [[name.replaceAll("_", " "), typeof value === "object" ? JSON.stringify(value) : String(value)]];
  });
}

/** Digits choose the first ten. */
function digitOf(place: number): string | undefined {
  return place < 10 ? String((place + 1) % 10) : undefined;
}

export function Board({ snapshot, onAct, busy, language, marks }: BoardProps) {
  const t = translator(language, words);
  const box = useRef<HTMLDivElement>(null);
  const text = positionText(snapshot);
  const facts = text === null ? factsOf(snapshot) : [];
  const choices = choicesOf(snapshot, busy);
  const single = choices.filter((choice) => !isRun(choice));
  const runs = choices.filter(isRun);
  const kinds = [...new Set(single.map((choice) => choice.kind))];

  useKeys((key) => {
    const choice = /^\d$/.test(key) ? single[(Number(key) + 9) % 10] : undefined;
    if (choice) void onAct(choice.action);
    return choice !== undefined;
  });

  const walk = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    const buttons = [...(box.current?.querySelectorAll<HTMLElement>(".gn-do") ?? [])];
    const at = buttons.indexOf(event.target as HTMLElement);
    if (step === undefined || at < 0) return;
    event.preventDefault();
    buttons[(at + step + buttons.length) % buttons.length]?.focus();
  };

  return (
    <section className="gn-fit" aria-label={t("board")}>
      <Players
        snapshot={snapshot}
        language={language}
        mark={(seat) => <i className="gn-seat" style={{ background: `var(--seat-${seat % 4})` }} aria-hidden="true" />}
      />
      <div className="gn-sheet">
        {text !== null ? (
          <pre className="gn-text" tabIndex={0} role="group" aria-label={t("board")}>
            {text.replace(/\n+$/, "")}
          </pre>
        ) : facts.length > 0 ? (
          <dl className="gn-facts">
            {facts.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        ) : (
          <p className="gn-quiet">{t("hidden")}</p>
        )}
      </div>
      <Marked entries={markedIn(snapshot, marks)} say={({ name }) => name} />
      {snapshot.role === "seat" && !snapshot.over && (
        <div className="gn-choices" ref={box} role="group" aria-label={t("choices")} onKeyDown={walk}>
          {kinds.map((kind) => (
            <div key={kind} className="gn-kind" role="group" aria-label={kind || undefined}>
              {kinds.length > 1 && <span className="gn-caption">{kind}</span>}
              {single
                .filter((choice) => choice.kind === kind)
                .map((choice) => {
                  const digit = digitOf(single.indexOf(choice));
                  return (
                    <button
                      key={choice.action}
                      type="button"
                      className="button gn-do"
                      aria-keyshortcuts={digit}
                      onClick={() => void onAct(choice.action)}
                    >
                      {choice.name}
                      {digit !== undefined && <kbd aria-hidden="true">{digit}</kbd>}
                    </button>
                  );
                })}
            </div>
          ))}
          {runs.map((run) => (
            <Amount
              key={run.action}
              choice={run}
              language={language}
              label={capital(run.kind)}
              say={(amount) => `${capital(run.kind)} ${amount}${run.unit ? ` ${run.unit}` : ""}`}
              className="button primary gn-do"
              onAct={(action, amount) => void onAct(action, amount)}
            />
          ))}
          {choices.length === 0 && snapshot.turn !== null && (
            <p className="gn-wait">{t("board.movesNow", { name: nameOf(snapshot, snapshot.turn, language) })}</p>
          )}
        </div>
      )}
      {single.length > 1 && <p className="bd-hint">{t("keys")}</p>}
    </section>
  );
}
