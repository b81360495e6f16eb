// The person's own cards, fanned and sorted. Playable ones are lifted; arrow keys walk, Enter plays, the keys above the letters play directly.

import { type CSSProperties, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { CardFace } from "../../cards/Card";
import { cardName } from "../../cards/cards";
import { useT } from "../../i18n";
import { type Mark, Sign } from "../marks";
import type { HandCard } from "./logic";
import { words } from "./words";

interface HandProps {
  cards: HandCard[];
  /** Whose cards they are. */
  label: string;
  /** Codes that may be played now; empty while it is somebody else's turn. */
  playable: ReadonlySet<string>;
  /** A card chosen while calls are still being made. */
  queued: string | null;
  /** Marked cards, by their codes. */
  marks?: ReadonlyMap<string, Mark>;
  onPlay(code: string, from: DOMRect): void;
}

export function Hand({ cards, label, playable, queued, marks, onPlay }: HandProps) {
  const t = useT(words);
  const help = useId();
  const box = useRef<HTMLDivElement>(null);
  const [focus, setFocus] = useState(0);
  const at = Math.min(focus, Math.max(0, cards.length - 1));
  const choosing = playable.size > 0;
  const legal = cards.filter((card) => playable.has(card.code));

  // A played card takes the focus with it; hand it to its neighbour so that the keyboard stays in the hand.
  const held = useRef(false);
  useEffect(() => {
    if (held.current && document.activeElement === document.body) buttons(box.current)[at]?.focus({ preventScroll: true });
  }, [cards.length, at]);

  const move = (to: number) => {
    setFocus(to);
    buttons(box.current)[to]?.focus();
  };

  const onKey = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const last = cards.length - 1;
    const steps: Record<string, number> = {
      ArrowLeft: at === 0 ? last : at - 1,
      ArrowRight: at === last ? 0 : at + 1,
      Home: 0,
      End: last,
    };
    const to = steps[event.key];
    if (to !== undefined) {
      event.preventDefault();
      move(to);
    } else if (keyOf(event) >= 0) {
      const card = legal[keyOf(event)];
      const index = card ? cards.indexOf(card) : -1;
      const button = buttons(box.current)[index];
      if (card && button) {
        event.preventDefault();
        setFocus(index);
        onPlay(card.code, button.getBoundingClientRect());
      }
    }
  };

  return (
    <div
      ref={box}
      className={choosing ? "dk-hand choosing" : "dk-hand"}
      role="group"
      aria-label={label}
      aria-describedby={help}
      onKeyDown={onKey}
      onFocus={() => (held.current = true)}
      onBlur={(event) => {
        if (event.relatedTarget) held.current = false;
      }}
      style={{ "--count": cards.length } as CSSProperties}
    >
      <span id={help} className="visually-hidden">
        {t("hand.help")}
      </span>
      {cards.map((card, i) => {
        const can = playable.has(card.code);
        const digit = can ? legal.indexOf(card) + 1 : 0;
        return (
          <button
            key={card.key}
            type="button"
            className={`dk-hand-card${can ? " can" : ""}${choosing && !can ? " cannot" : ""}${queued === card.code ? " queued" : ""}`}
            style={{ "--i": i, "--spread": i - (cards.length - 1) / 2 } as CSSProperties}
            data-card={card.code}
            data-mark={marks?.get(card.code)}
            tabIndex={i === at ? 0 : -1}
            aria-disabled={!can}
            aria-label={cardName(card.code, t.language)}
            onFocus={() => setFocus(i)}
            onClick={(event) => {
              if (can) onPlay(card.code, event.currentTarget.getBoundingClientRect());
            }}
          >
            <CardFace code={card.code} decorative />
            <Sign mark={marks?.get(card.code)} />
            {digit > 0 && <span className="dk-digit" data-digit={KEYS[t.language][digit - 1]} aria-hidden="true" />}
          </button>
        );
      })}
    </div>
  );
}

/** The keys above the letters from left to right, a playable card each, as they are printed on the keyboard. */
const KEYS = { en: "1234567890-=", de: "1234567890ß´" };

/** Which of these keys was pressed, from 0, or a digit of the number pad; -1: none. The last two differ by country. */
function keyOf({ key, code }: KeyboardEvent): number {
  if (code === "Minus" || code === "Equal") return code === "Minus" ? 10 : 11;
  return /^\d$/.test(key) ? (Number(key) + 9) % 10 : -1;
}

function buttons(box: HTMLElement | null): HTMLButtonElement[] {
  return box ? [...box.querySelectorAll<HTMLButtonElement>("button[data-card]")] : [];
}
