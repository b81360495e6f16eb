// A small felt table for betting games: cards, chips, the betting in words, and buttons for what is legal.

import type { Language, LegalAction } from "../../api/types";
import { capital, translator } from "../../i18n";
import { figure, signed } from "../../i18n/numbers";
import { useKeys } from "../../ui/hooks";
import { Amount } from "../Amount";
import type { BoardProps } from "../face";
import { Marked, markedIn } from "../marks";
import { choicesOf, isRun, labelOf, nameOf, seatsFrom, viewpoint } from "../seats";
import { bettingOf, cardOf, type Deed, deedOf } from "./betting";
import { Chips } from "./Chips";
import { PlayingCard, spoken } from "./PlayingCard";
import { words } from "./words";
import "./betting.css";

/** Initials of the words on the buttons, so far as they differ. */
const KEYS: Record<Language, Record<Deed, string>> = {
  en: { fold: "F", check: "C", call: "C", bet: "B", raise: "R" },
  de: { fold: "A", check: "S", call: "M", bet: "E", raise: "E" },
};

interface BettingProps extends BoardProps {
  /** Whether the amount of a raise is what is added or what it comes to. */
  raise?: "by" | "to";
}

export function Board({ snapshot, onAct, busy, language, marks, raise = "by" }: BettingProps) {
  const t = translator(language, words);
  const betting = bettingOf(snapshot);
  const { public: open } = betting;
  const own = viewpoint(snapshot);
  const order = seatsFrom(snapshot);
  const said = (deed: Deed) => (deed === "raise" && raise === "to" ? "raiseTo" : deed);
  const choices = choicesOf(snapshot, busy).map((choice) => {
    const deed = deedOf(choice);
    const text = (n: string) => (deed ? t(said(deed), { n }) : choice.name);
    return { choice, deed, text, key: deed && !isRun(choice) ? KEYS[language][deed] : undefined };
  });

  const spokenDeed = (entry: LegalAction) => {
    const deed = deedOf({ kind: entry.kind ?? "" });
    return deed ? t(said(deed), { n: figure(entry.amount ?? 0, language) }) : entry.name;
  };

  useKeys((key) => {
    const chosen = choices.find((each) => each.key?.toLowerCase() === key.toLowerCase());
    if (chosen) void onAct(chosen.choice.action);
    return chosen !== undefined;
  });

  const cardLabel = (code: string | null) =>
    code === null ? t("hiddenCard") : t("card", { name: spoken(code, language) });

  const place = (seat: number) => {
    const name = nameOf(snapshot, seat, language);
    const returns = snapshot.over?.returns[seat];
    const won = returns !== undefined && returns > 0;
    const state = betting.folded[seat] ? "pk-out" : snapshot.turn === seat ? "pk-turn" : "";
    const card = cardOf(snapshot, seat);
    return (
      <div key={seat} className={`pk-place ${seat === own ? "pk-own" : ""} ${state} ${won ? "pk-winner" : ""}`}>
        <PlayingCard language={language} card={card} label={`${name}: ${cardLabel(card)}`} won={won} />
        <div className="pk-who">
          <strong title={name}>{labelOf(snapshot, seat, language)}</strong>
          <Chips amount={betting.pot[seat] ?? 0} language={language} label={name} />
          {returns !== undefined ? (
            <span className="pk-result">
              {returns === 0
                ? t("evenChips")
                : t(returns > 0 ? "wonChips" : "lostChips", { n: figure(Math.abs(returns), language) })}
            </span>
          ) : (
            betting.folded[seat] && <span className="pk-result">{t("folded")}</span>
          )}
        </div>
      </div>
    );
  };

  return (
    <section className="pk-fit" aria-label={t("table")}>
      <div className={order.length === 2 ? "round-felt pk-felt pk-duel" : "round-felt pk-felt"}>
        <div className="pk-others">{order.slice(1).map(place)}</div>
        <div className={open === undefined ? "pk-middle pk-lone" : "pk-middle"}>
          {open !== undefined && (
            <div className="pk-public">
              {open === null ? (
                <span className="pk-slot" role="img" aria-label={t("publicLater")} />
              ) : (
                <PlayingCard language={language} card={open} label={`${t("publicCard")}: ${spoken(open, language)}`} />
              )}
              <small>{t("publicCard")}</small>
            </div>
          )}
          <div className="pk-pot">
            <Chips amount={betting.total} language={language} label={t("pot")} />
            <small>{t("pot")}</small>
          </div>
        </div>
        {place(own)}
      </div>
      {snapshot.role === "seat" && !snapshot.over && (
        <div className="pk-buttons">
          {choices.map(({ choice, deed, text, key }) =>
            isRun(choice) ? (
              <Amount
                key={choice.action}
                choice={choice}
                language={language}
                label={capital(deed ? t(`do_${deed}`) : choice.kind)}
                say={text}
                className={`pk-do pk-do-${deed}`}
                onAct={(action, amount) => void onAct(action, amount)}
              />
            ) : (
              <button
                key={choice.action}
                type="button"
                className={`pk-do pk-do-${deed}`}
                aria-keyshortcuts={key}
                onClick={() => void onAct(choice.action)}
              >
                {text(figure(choice.low ?? 0, language))} {key && <kbd aria-hidden="true">{key}</kbd>}
              </button>
            ),
          )}
          {choices.length === 0 && snapshot.turn !== null && (
            <p className="pk-wait">{t("board.movesNow", { name: nameOf(snapshot, snapshot.turn, language) })}</p>
          )}
        </div>
      )}
      <Marked entries={markedIn(snapshot, marks)} say={spokenDeed} />
      <div className="bd-story pk-story">
        <h2>{t("betting")}</h2>
        {betting.rounds.map((round, number) => (
          <div key={number} className="pk-round">
            {betting.rounds.length > 1 && <b>{t("round", { n: number + 1 })}</b>}
            <ol>
              {round.map((move, i) => (
                <li key={i}>
                  {t(`did_${said(move.kind)}`, {
                    name: nameOf(snapshot, move.seat, language),
                    n: figure(move.amount, language),
                  })}
                </li>
              ))}
              {round.length === 0 && <li className="pk-none">{t("noBets")}</li>}
            </ol>
          </div>
        ))}
      </div>
      <span className="visually-hidden" aria-live="polite">
        {snapshot.over &&
          order
            .map(
              (seat) => `${nameOf(snapshot, seat, language)}: ${signed(snapshot.over?.returns[seat] ?? 0, language)}`,
            )
            .join(", ")}
      </span>
    </section>
  );
}
