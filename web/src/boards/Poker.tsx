// Leduc and Kuhn poker at one small felt table: cards, chips, the betting in words, and buttons for what is legal.

import type { KuhnPublic, LeducPublic, Snapshot } from "../api/types";
import { translator } from "../i18n";
import type { BoardProps } from "../table/board";
import { amountOf, deedOf, kuhnBetting, leducBetting, type Betting, type Deed } from "./betting";
import { Chips } from "./Chips";
import { figure, labelOf, nameOf, numberOf, playable, signed, useKeys, viewpoint } from "./common";
import { PlayingCard, spoken } from "./PlayingCard";
import "./poker.css";

const KEYS: Record<Deed, string> = { fold: "F", check: "C", call: "C", bet: "B", raise: "R" };

interface Game {
  betting: Betting;
  /** The card of a seat as far as this role may know it. */
  card(seat: number): string | null;
  /** Public card; undefined where the game has none. */
  open: string | null | undefined;
}

/** A card that a view gives by its number in the deck. */
export function leducCard(snapshot: Snapshot, card: number): string | null {
  if (card < 0) return null;
  const suits = numberOf(snapshot, "suits", 2);
  const ranks = numberOf(snapshot, "ranks", 3);
  const letters = ranks <= 4 ? "JQKA" : "23456789TJQKA".slice(13 - ranks);
  const rank = letters[Math.floor(card / suits)];
  return rank ? rank + ("shdc"[card % suits] ?? "") : null;
}

export function kuhnCard(snapshot: Snapshot, card: number): string | null {
  if (card < 0) return null;
  return snapshot.game.players === 2 ? ("JQK"[card] ?? null) : String(card + 1);
}

function heldCard(snapshot: Snapshot, seat: number): number {
  const card = snapshot.views[String(seat)]?.fields["card"];
  return typeof card === "number" ? card : -1;
}

function read(snapshot: Snapshot): Game {
  const kuhn = snapshot.game.name === "kuhn";
  const open = kuhn ? undefined : (snapshot.public as unknown as LeducPublic).public;
  const { shown } = snapshot.public as unknown as KuhnPublic;
  return {
    betting: kuhn ? kuhnBetting(snapshot) : leducBetting(snapshot),
    card: (seat) =>
      (kuhn ? kuhnCard(snapshot, heldCard(snapshot, seat)) : leducCard(snapshot, heldCard(snapshot, seat))) ??
      shown?.[seat] ??
      null,
    open,
  };
}

export function Poker({ snapshot, onAct, busy, language }: BoardProps) {
  const t = translator(language);
  const { betting, card, open } = read(snapshot);
  const own = viewpoint(snapshot);
  const order = Array.from({ length: snapshot.game.players }, (_, i) => (own + i) % snapshot.game.players);
  const choices = playable(snapshot, busy).map((entry) => {
    const deed = deedOf(entry, betting);
    return { entry, deed, text: t(`poker.${deed}`, { n: figure(amountOf(deed, betting), language) }) };
  });

  useKeys((key) => {
    const choice = choices.find(({ deed }) => KEYS[deed].toLowerCase() === key.toLowerCase());
    if (choice) onAct(choice.entry.action);
    return choice !== undefined;
  });

  const cardLabel = (code: string | null) =>
    code === null ? t("board.hiddenCard") : t("board.card", { name: spoken(code) });

  const place = (seat: number) => {
    const name = nameOf(snapshot, seat, language);
    const returns = snapshot.over?.returns[seat];
    const won = returns !== undefined && returns > 0;
    const state = betting.folded[seat] ? "pk-out" : snapshot.turn === seat ? "pk-turn" : "";
    return (
      <div key={seat} className={`pk-place ${seat === own ? "pk-own" : ""} ${state} ${won ? "pk-winner" : ""}`}>
        <PlayingCard card={card(seat)} label={`${name}: ${cardLabel(card(seat))}`} won={won} />
        <div className="pk-who">
          <strong title={name}>{labelOf(snapshot, seat, language)}</strong>
          <Chips amount={betting.pot[seat] ?? 0} language={language} label={name} />
          {returns !== undefined ? (
            <span className="pk-result">
              {returns === 0
                ? t("poker.evenChips")
                : t(returns > 0 ? "poker.wonChips" : "poker.lostChips", { n: figure(Math.abs(returns), language) })}
            </span>
          ) : (
            betting.folded[seat] && <span className="pk-result">{t("poker.folded")}</span>
          )}
        </div>
      </div>
    );
  };

  const sum = betting.pot.reduce((total, chips) => total + chips, 0);
  return (
    <section className="pk-fit" aria-label={t("poker.pokerTable")}>
      <div className={order.length === 2 ? "round-felt pk-felt pk-duel" : "round-felt pk-felt"}>
        <div className="pk-others">{order.slice(1).map(place)}</div>
        <div className={open === undefined ? "pk-middle pk-lone" : "pk-middle"}>
          {open !== undefined && (
            <div className="pk-public">
              {open === null ? (
                <span className="pk-slot" role="img" aria-label={t("poker.publicLater")} />
              ) : (
                <PlayingCard card={open} label={`${t("poker.publicCard")}: ${spoken(open)}`} />
              )}
              <small>{t("poker.publicCard")}</small>
            </div>
          )}
          <div className="pk-pot">
            <Chips amount={sum} language={language} label={t("poker.pot")} />
            <small>{t("poker.pot")}</small>
          </div>
        </div>
        {place(own)}
      </div>
      {snapshot.role === "seat" && !snapshot.over && (
        <div className="pk-buttons">
          {choices.map(({ entry, deed, text }) => (
            <button
              key={entry.action}
              type="button"
              className={`pk-do pk-do-${deed}`}
              aria-keyshortcuts={KEYS[deed]}
              onClick={() => onAct(entry.action)}
            >
              {text} <kbd aria-hidden="true">{KEYS[deed]}</kbd>
            </button>
          ))}
          {choices.length === 0 && snapshot.turn !== null && (
            <p className="pk-wait">{t("board.movesNow", { name: nameOf(snapshot, snapshot.turn, language) })}</p>
          )}
        </div>
      )}
      <div className="bd-story pk-story">
        <h2>{t("poker.betting")}</h2>
        {betting.rounds.map((round, number) => (
          <div key={number} className="pk-round">
            {betting.rounds.length > 1 && <b>{t("poker.round", { n: number + 1 })}</b>}
            <ol>
              {round.map((move, i) => (
                <li key={i}>
                  {t(`poker.did_${move.deed}`, {
                    name: nameOf(snapshot, move.seat, language),
                    n: figure(move.amount, language),
                  })}
                </li>
              ))}
              {round.length === 0 && <li className="pk-none">{t("poker.noBets")}</li>}
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
