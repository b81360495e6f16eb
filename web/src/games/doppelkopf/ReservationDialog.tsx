// The question before the first card: healthy, a wedding, or a solo. The hand stays in sight.

import { useEffect, useId, useRef } from "react";
import type { LegalAction } from "../../api/types";
import { rankIn } from "../../cards/cards";
import { useT } from "../../i18n";
import { reservationWord } from "./logic";
import { words } from "./words";

interface ReservationDialogProps {
  legal: readonly LegalAction[];
  busy: boolean;
  onAnswer(action: number): void;
}

/** The sign before a solo; other reservations have none. */
const SIGNS: Record<string, string> = {
  "solo-diamonds": "♦",
  "solo-hearts": "♥",
  "solo-spades": "♠",
  "solo-clubs": "♣",
  "solo-queens": "Q", // as the language writes it
  "solo-jacks": "J",
  "solo-trumpless": "A",
};

export function ReservationDialog({ legal, busy, onAnswer }: ReservationDialogProps) {
  const t = useT(words);
  const title = useId();
  const help = useId();
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    first.current?.focus({ preventScroll: true });
  }, []);
  const solos = legal.filter((each) => SIGNS[each.name]);
  const rest = legal.filter((each) => !SIGNS[each.name]);
  const forced = rest.length === 0;
  return (
    <div className="dk-dialog card" role="dialog" aria-labelledby={title} aria-describedby={help}>
      <h2 id={title}>{t(forced ? "reservation.forced" : "reservation.ask")}</h2>
      <p id={help} className="soft">
        {t(forced ? "reservation.forced.help" : "reservation.help")}
      </p>
      {!forced && (
        <div className="dk-dialog-main">
          {rest.map((each, i) => (
            <button
              key={each.action}
              ref={i === 0 ? first : undefined}
              type="button"
              className={each.name === "healthy" ? "button primary" : "button"}
              disabled={busy}
              onClick={() => onAnswer(each.action)}
            >
              {reservationWord(each.name, t)}
            </button>
          ))}
        </div>
      )}
      {solos.length > 0 && (
        <>
          <h3>{t("reservation.solos")}</h3>
          <div className="dk-dialog-solos">
            {solos.map((each, i) => (
              <button
                key={each.action}
                ref={forced && i === 0 ? first : undefined}
                type="button"
                className="button small"
                disabled={busy}
                onClick={() => onAnswer(each.action)}
              >
                <span className={"♦♥".includes(SIGNS[each.name] ?? "-") ? "sign red" : "sign"} aria-hidden="true">
                  {rankIn(SIGNS[each.name] ?? "", t.language)}
                </span>
                {reservationWord(each.name, t)}
              </button>
            ))}
          </div>
        </>
      )}
    </div>
  );
}
