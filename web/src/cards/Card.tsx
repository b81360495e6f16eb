// A playing card: a face with its corner index enlarged where it is drawn small, or a back.

import { useLanguage } from "../i18n";
import { cardName, faceUrl, isRed, rankOf, SYMBOLS } from "./cards";
import "./cards.css";

interface CardFaceProps {
  code: string;
  /** Left out for a screen reader, where the element around it has the name. */
  decorative?: boolean;
  className?: string;
}

export function CardFace({ code, decorative = false, className = "" }: CardFaceProps) {
  const language = useLanguage();
  return (
    <span className={`playing-card ${className}`}>
      <img src={faceUrl(code, language)} alt={decorative ? "" : cardName(code, language)} draggable={false} />
      <span
        className={isRed(code) ? "card-index red" : "card-index"}
        data-rank={rankOf(code, language)}
        data-suit={SYMBOLS[code.charAt(0)]}
        aria-hidden="true"
      />
    </span>
  );
}

export function CardBack({ className = "" }: { className?: string }) {
  return (
    <span className={`playing-card ${className}`}>
      <img src={faceUrl("back", "en")} alt="" draggable={false} />
    </span>
  );
}

/** A card as a small label, for open hands at the seats and for tables. */
export function MiniCard({ code }: { code: string }) {
  const language = useLanguage();
  return (
    <span className={isRed(code) ? "mini-card red" : "mini-card"} role="img" aria-label={cardName(code, language)}>
      <span>{rankOf(code, language)}</span>
      <span>{SYMBOLS[code.charAt(0)]}</span>
    </span>
  );
}
