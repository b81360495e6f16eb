// The trick in the middle: each card lies towards the seat it came from, flies in from there, and leaves to the taker.

import { type RefObject, useLayoutEffect, useRef } from "react";
import { CardFace } from "../../cards/Card";
import { cardName } from "../../cards/cards";
import { useT } from "../../i18n";
import { placeOf } from "./logic";
import { words } from "./words";
import { COLLECT_MS, type TrickShown } from "./useTrick";

interface TrickProps {
  shown: TrickShown;
  bottom: number;
  names: string[];
  /** The seat whose card is highest so far. */
  ahead: number | null;
  animate: boolean;
  board: RefObject<HTMLElement | null>;
  /** Where the person's own card was taken from the hand. */
  origin: RefObject<DOMRect | null>;
}

export function Trick({ shown, bottom, names, ahead, animate, board, origin }: TrickProps) {
  const t = useT(words);
  const moving = useRef(false);
  useLayoutEffect(() => {
    moving.current = true;
  }, []);
  // An empty middle keeps its space but is not a list.
  if (shown.cards.length === 0) return <div className="dk-trick" />;
  return (
    <ul className="dk-trick" aria-label={t("trick", { number: shown.index + 1 })}>
      {shown.cards.map(({ seat, card }) => (
        <li
          key={`${shown.index}-${seat}`}
          className={`dk-trick-card at-${placeOf(seat, bottom)}${ahead === seat ? " ahead" : ""}`}
        >
          <span className="visually-hidden">{`${names[seat] ?? ""}: ${cardName(card, t.language)}`}</span>
          <FlyingCard
            code={card}
            seat={seat}
            animate={animate}
            enter={animate && moving.current}
            to={shown.collecting}
            board={board}
            origin={seat === bottom ? origin : null}
          />
        </li>
      ))}
    </ul>
  );
}

interface FlyingProps {
  code: string;
  seat: number;
  animate: boolean;
  enter: boolean;
  to: number | null;
  board: RefObject<HTMLElement | null>;
  origin: RefObject<DOMRect | null> | null;
}

function FlyingCard({ code, seat, animate, enter, to, board, origin }: FlyingProps) {
  const box = useRef<HTMLDivElement>(null);
  const entering = useRef(enter);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element || !entering.current || typeof element.animate !== "function") return;
    entering.current = false;
    const from = origin?.current ?? plate(board.current, seat);
    if (origin) origin.current = null;
    if (!from) return;
    const shift = between(element.getBoundingClientRect(), from);
    element.animate(
      [{ transform: `${shift} scale(0.85)`, opacity: 0.4 }, { transform: "none", opacity: 1 }],
      { duration: 240, easing: "cubic-bezier(0.2, 0.7, 0.2, 1)" },
    );
  }, [board, origin, seat]);

  useLayoutEffect(() => {
    const element = box.current;
    if (to === null || !animate || !element || typeof element.animate !== "function") return;
    const target = plate(board.current, to);
    if (!target) return;
    const shift = between(element.getBoundingClientRect(), target);
    element.animate(
      [
        { transform: "none", opacity: 1 },
        { transform: `${shift} scale(0.35)`, opacity: 0 },
      ],
      { duration: COLLECT_MS, easing: "cubic-bezier(0.5, 0, 0.8, 0.4)", fill: "forwards" },
    );
  }, [to, animate, board]);

  return (
    <div ref={box} className="dk-flying">
      <CardFace code={code} decorative />
    </div>
  );
}

function plate(board: HTMLElement | null, seat: number): DOMRect | null {
  return board?.querySelector(`[data-plate="${seat}"]`)?.getBoundingClientRect() ?? null;
}

function between(here: DOMRect, there: DOMRect): string {
  const dx = there.left + there.width / 2 - here.left - here.width / 2;
  const dy = there.top + there.height / 2 - here.top - here.height / 2;
  return `translate(${dx}px, ${dy}px)`;
}
