// A seat at the table: who sits there, what they said and took, and the cards that may be seen.

import { CardBack, MiniCard } from "../../cards/Card";
import { isWord, useT } from "../../i18n";
import { Name } from "../../ui/Name";
import type { Mark } from "../marks";
import { callWord, knownParties, placeOf, saidWord, sortedHand, tricksWord } from "./logic";
import type { DoppelkopfSnapshot } from "./types";
import { words } from "./words";

interface SeatProps {
  snapshot: DoppelkopfSnapshot;
  seat: number;
  bottom: number;
  /** Whether this seat has to act, or leads, now. */
  active: boolean;
  leads: boolean;
  /** Marked cards in its hand, by their codes. */
  marks?: ReadonlyMap<string, Mark>;
}

export function Seat({ snapshot, seat, bottom, active, leads, marks }: SeatProps) {
  const t = useT(words);
  const { public: table, seats } = snapshot;
  const info = seats[seat];
  const free = info?.kind === "open";
  const name = free ? t("table.open") : (info?.name ?? "");
  const place = placeOf(seat, bottom);
  const party = knownParties(snapshot)[seat];
  const calls = table.calls.filter((call) => call.seat === seat);
  const said = snapshot.phase === "reservation" || snapshot.phase === "poverty" ? saidWord(table.reservations[seat], t) : null;
  const strength = info?.strength ? `strength.${info.strength}` : "";
  return (
    <div className={`dk-seat at-${place}${active ? " active" : ""}`}>
      <div
        className="dk-plate"
        data-plate={seat}
        aria-current={active ? "true" : undefined}
        role="group"
        aria-label={name}
      >
        <div className="dk-plate-name">
          <Name className={free ? "dk-name free" : "dk-name"} name={name} />
          {seat === snapshot.you && snapshot.role === "seat" && <span className="visually-hidden">({t("table.you")})</span>}
          {party && <span className={`dk-party ${party}`}>{t(`party.${party}`)}</span>}
        </div>
        <div className="dk-plate-facts">
          {isWord(strength) && <span className="dk-strength">{t(strength)}</span>}
          {info?.kind === "person" && info.connected === false && <span>{t("table.away")}</span>}
          {table.contract !== null && (
            <span className="dk-taken">
              <span>{tricksWord(table.tricks_taken[seat] ?? 0, t)}</span>
              <span>{t("eyes", { count: table.eyes[seat] ?? 0 })}</span>
            </span>
          )}
        </div>
        {(calls.length > 0 || leads || said) && (
          <div className="dk-badges">
            {calls.map((call) => (
              <span key={call.call} className="dk-call">
                {callWord(call.call, t)}
              </span>
            ))}
            {said && <span className="dk-said">{said}</span>}
            {leads && <span className="dk-leads">{t("leads")}</span>}
          </div>
        )}
      </div>
      {place === "bottom" && snapshot.you !== null ? null : <SeatCards snapshot={snapshot} seat={seat} marks={marks} />}
    </div>
  );
}

function SeatCards({ snapshot, seat, marks }: Pick<SeatProps, "snapshot" | "seat" | "marks">) {
  const t = useT(words);
  const name = snapshot.seats[seat]?.name ?? "";
  const outline = snapshot.role === "all" ? snapshot.views[seat]?.outline : null;
  if (outline) {
    return (
      <ul className="dk-open" aria-label={t("handOf", { name })}>
        {sortedHand(outline).map((card) => (
          <li key={card.key} data-mark={marks?.get(card.code)}>
            <MiniCard code={card.code} />
          </li>
        ))}
      </ul>
    );
  }
  const size = snapshot.public.sizes[seat] ?? 0;
  return (
    <div className="dk-backs">
      <span className="visually-hidden">{t(size === 1 ? "cards.one" : "cards.many", { count: size })}</span>
      {Array.from({ length: size }, (_, i) => (
        <CardBack key={i} />
      ))}
    </div>
  );
}
