// Three Tricks: the seats with their tricks, the cards on the table, and the viewer's hand.

import { CardFace } from "../../cards/Card";
import { cardName } from "../../cards/cards";
import { translator } from "../../i18n";
import type { BoardProps } from "../face";
import { labelOf, playable, seatsFrom, viewpoint } from "../seats";
import { words } from "./words";
import "./three_tricks.css";

interface PlayedCard {
  seat: number;
  card: string;
}

/** What everybody knows. */
interface ThreeTricksPublic {
  trick: PlayedCard[];
  last: { cards: PlayedCard[]; taker: number } | null;
  tricks: number[];
  sizes: number[];
}

export function Board({ snapshot, onAct, busy, language }: BoardProps) {
  const t = translator(language, words);
  const { trick, last, tricks, sizes } = snapshot.public as unknown as ThreeTricksPublic;
  const shown = trick.length > 0 ? trick : (last?.cards ?? []);
  const legal = new Map(playable(snapshot, busy).map((entry) => [entry.name, entry.action]));
  const hand = (snapshot.views[String(viewpoint(snapshot))]?.outline?.["hand"] ?? []) as string[];

  return (
    <section className="three-tricks" aria-label={t("board")}>
      <ul className="three-tricks-seats">
        {seatsFrom(snapshot).map((seat) => {
          const card = shown.find((played) => played.seat === seat)?.card;
          const count = tricks[seat] ?? 0;
          return (
            <li key={seat} className={snapshot.turn === seat ? "bd-turn" : ""}>
              <strong>{labelOf(snapshot, seat, language)}</strong>
              <span>{count === 1 ? t("trick") : t("tricks", { n: count })}</span>
              <span>{t("cards", { n: sizes[seat] ?? 0 })}</span>
              <span className="three-tricks-card">{card && <CardFace code={card} />}</span>
            </li>
          );
        })}
      </ul>
      <div className="three-tricks-hand" role="group" aria-label={t("hand")}>
        {hand.map((card) => {
          const action = legal.get(card);
          return (
            <button
              key={card}
              type="button"
              disabled={action === undefined}
              aria-label={t("play", { card: cardName(card, language) })}
              onClick={() => action !== undefined && onAct(action)}
            >
              <CardFace code={card} decorative />
            </button>
          );
        })}
      </div>
    </section>
  );
}
