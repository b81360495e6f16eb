// A card of a betting game: a face of the deck where it has one, else rank and suit; or its back.

import type { Language } from "../../api/types";
import { faceUrl, rankIn } from "../../cards/cards";
import "../../cards/cards.css";

const SUITS: Record<string, string> = { s: "♠", h: "♥", d: "♦", c: "♣" };

/** A card in writing: K♠ for Ks, 10♥ for Th; in German D♥ for Qh. */
export function spoken(card: string, language: Language): string {
  const suit = card.length === 2 ? SUITS[card.charAt(1)] : undefined;
  return suit ? `${rankIn(card.charAt(0), language)}${suit}` : rankIn(card, language);
}

/** The picture of a card such as Ks; cards without a suit are drawn as spades. */
function picture(card: string, language: Language): string | undefined {
  return faceUrl(`${(card.charAt(1) || "s").toUpperCase()}${card.charAt(0)}`, language);
}

interface Props {
  /** Such as Ks, Th or, without suits, J; null shows the back. */
  card: string | null;
  language: Language;
  label: string;
  won?: boolean;
}

export function PlayingCard({ card, language, label, won = false }: Props) {
  const url = card === null ? faceUrl("back", language) : picture(card, language);
  const red = card !== null && /[hd]$/.test(card);
  return (
    <span className={`playing-card pk-card ${won ? "pk-won" : ""}`} role="img" aria-label={label}>
      {url ? (
        <img key={card} src={url} alt="" draggable={false} />
      ) : (
        <span className={red ? "pk-plain pk-red" : "pk-plain"} aria-hidden="true">
          {card === null ? "" : spoken(card, language)}
        </span>
      )}
    </span>
  );
}
