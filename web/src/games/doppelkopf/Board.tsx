// The Doppelkopf table: felt, four seats, the trick in the middle, the person's hand, and what they are asked.

import { type RefObject, useEffect, useRef, useState } from "react";
import { CardFace } from "../../cards/Card";
import { useT } from "../../i18n";
import type { BoardProps } from "../face";
import { Marked, markedIn } from "../marks";
import { AnswerDialog } from "./AnswerDialog";
import { CallBar } from "./CallBar";
import { Hand } from "./Hand";
import { actionFor, callWord, contractWord, partnerSeat, placeOf, sayAction, SEATS, sortedHand } from "./logic";
import { ReservationDialog } from "./ReservationDialog";
import { Seat } from "./Seat";
import { Trick } from "./Trick";
import { useCalls } from "./useCalls";
import type { DoppelkopfSnapshot } from "./types";
import { useTrick } from "./useTrick";
import { words } from "./words";
import "./doppelkopf.css";
import "./seats.css";
import "./trick.css";
import "./asked.css";
import "./hand.css";
import "./phone.css";

const NOTHING: ReadonlySet<string> = new Set();

export function Board({ snapshot: any, onAct, busy, animate, marks }: BoardProps) {
  const snapshot = any as unknown as DoppelkopfSnapshot;
  const t = useT(words);
  const board = useRef<HTMLElement>(null);
  const origin = useRef<DOMRect | null>(null);
  const { public: table, phase, you, role } = snapshot;
  const bottom = you ?? 0;
  const view = you === null ? undefined : snapshot.views[you];
  const names = snapshot.seats.map((seat) => seat.name);
  const shown = useTrick(`${snapshot.table}:${snapshot.number}`, table, animate);
  const calls = useCalls(snapshot, busy, onAct);

  const reserving = snapshot.prompt?.kind === "reservation";
  useFocusAfter(reserving, board);

  const hand = sortedHand(view?.outline);
  const legal = view?.legal ?? [];
  const label = role === "seat" ? t("hand") : t("handOf", { name: names[bottom] ?? "" });
  const plays = phase === "card" || phase === "exchange";
  const myCard = role === "seat" && plays && table.turn === you && you !== null;
  const playable = busy ? NOTHING : myCard ? new Set(legal.map((each) => each.code ?? "")) : calls.early;
  const anyView = view ?? Object.values(snapshot.views)[0];
  const ahead = shown.held ? (table.last?.taker ?? null) : shown.cards.length > 0 ? (anyView?.outline?.takers.at(-1) ?? null) : null;

  const marked = markedIn(any, marks);
  const isCard = ({ kind }: { kind?: string }) => kind === "card" || kind === "give";
  const spoken = marked.filter((entry) => !isCard(entry));
  const markedCards = new Map(marked.flatMap((entry) => (isCard(entry) ? [[entry.code ?? "", entry.mark]] : [])));

  const play = (code: string, from: DOMRect) => {
    origin.current = from;
    const action = myCard ? actionFor(legal, code) : undefined;
    if (action !== undefined) void onAct(action);
    else if (calls.early.has(code)) calls.queue(code);
  };

  return (
    <section ref={board} className={you === null ? "dk" : "dk seated"} aria-label={t("table")}>
      <div className="dk-felt">
        <TableInfo snapshot={snapshot} trick={shown.index} />
        <LastTrick snapshot={snapshot} bottom={bottom} />
        {Array.from({ length: SEATS }, (_, seat) => (
          <Seat
            key={seat}
            snapshot={snapshot}
            seat={seat}
            bottom={bottom}
            marks={seat === marks?.seat ? markedCards : undefined}
            active={table.turn === seat && phase !== "over" && !shown.held}
            leads={table.contract !== null && table.leader === seat && phase !== "over" && !shown.held}
          />
        ))}
        <div className="dk-middle">
          <Trick
            shown={shown}
            bottom={bottom}
            names={names}
            ahead={ahead}
            animate={animate}
            board={board}
            origin={origin}
          />
          {reserving && you !== null && (
            <ReservationDialog legal={legal} busy={busy} onAnswer={(action) => void onAct(action)} />
          )}
          {snapshot.prompt?.kind === "poverty" && you !== null && table.exchange && (
            <AnswerDialog
              title={t("poverty.ask", { name: names[table.exchange.from] ?? "" })}
              help={t(table.exchange.cards === 1 ? "poverty.help.one" : "poverty.help", { count: table.exchange.cards })}
              answers={legal.map(({ action, kind }) => ({
                action,
                label: t(kind === "take" ? "poverty.take" : "poverty.leave"),
                primary: kind === "take",
              }))}
              busy={busy}
              onAnswer={(action) => void onAct(action)}
            />
          )}
          {snapshot.prompt?.kind === "genscher" && you !== null && (
            <AnswerDialog
              title={t("genscher.ask")}
              help={t("genscher.help")}
              answers={legal.map(({ action, name }) => ({
                action,
                label: names[partnerSeat(you, name) ?? -1] ?? t("genscher.keep"),
                primary: name === "keep",
              }))}
              busy={busy}
              onAnswer={(action) => void onAct(action)}
            />
          )}
        </div>
        <div className="dk-say">
          {calls.asking ? (
            <CallBar
              legal={legal}
              busy={busy}
              own={table.turn === you}
              after={
                calls.after &&
                t("call.after", { name: names[calls.after.seat] ?? "", call: callWord(calls.after.call, t) })
              }
              onAnswer={calls.answer}
            />
          ) : (
            <>
              <Status snapshot={snapshot} held={shown.held} />
              <Marked entries={spoken} say={(entry) => sayAction(entry, t.language)} />
            </>
          )}
        </div>
        {view && <Hand
            cards={hand}
            label={label}
            playable={playable}
            queued={calls.queued}
            marks={marks?.seat === bottom ? markedCards : undefined}
            onPlay={play}
          />}
      </div>
    </section>
  );
}

/** A question that was answered takes the focus with it: it goes to the hand, so that the keyboard plays on. */
function useFocusAfter(asked: boolean, board: RefObject<HTMLElement | null>) {
  const was = useRef(asked);
  useEffect(() => {
    if (was.current && !asked && document.activeElement === document.body)
      board.current?.querySelector<HTMLElement>(".dk-hand [tabindex='0']")?.focus({ preventScroll: true });
    was.current = asked;
  }, [asked, board]);
}

/** Contract, who plays it, and which trick it is. */
function TableInfo({ snapshot, trick }: { snapshot: DoppelkopfSnapshot; trick: number }) {
  const t = useT(words);
  const { public: table, seats, views } = snapshot;
  const size = (table.sizes[0] ?? 0) + playedBy(snapshot, 0);
  const outline = Object.values(views)[0]?.outline;
  const total = outline?.size ?? size;
  const name = (seat: number | null) => (seat === null ? "" : (seats[seat]?.name ?? ""));
  return (
    <div className="dk-info">
      <strong>
        {table.contract === null
          ? t("reservations")
          : table.declarer === null
            ? contractWord(table.contract, t)
            : t("contract.by", { contract: contractWord(table.contract, t), name: name(table.declarer) })}
      </strong>
      {table.partner !== null && <span>{t("partnerOf", { name: name(table.partner) })}</span>}
      {table.alone && <span>{t("alone")}</span>}
      {table.exchange && table.exchange.trumps_back !== null && (
        <span>{t(table.exchange.cards === 1 ? "poverty.back.one" : "poverty.back", { count: table.exchange.cards, trumps: table.exchange.trumps_back })}</span>
      )}
      {table.contract !== null && (
        <span>{t("trickOf", { number: Math.min(trick + 1, total), size: total })}</span>
      )}
    </div>
  );
}

function playedBy(snapshot: DoppelkopfSnapshot, seat: number): number {
  const { tricks_taken, trick } = snapshot.public;
  return tricks_taken.reduce((sum, n) => sum + n, 0) + (trick.some((each) => each.seat === seat) ? 1 : 0);
}

/** The last trick, on demand. */
function LastTrick({ snapshot, bottom }: { snapshot: DoppelkopfSnapshot; bottom: number }) {
  const t = useT(words);
  const [open, setOpen] = useState(false);
  const { last } = snapshot.public;
  if (!last) return <div className="dk-last" />;
  return (
    <div
      className="dk-last"
      onKeyDown={(event) => {
        if (event.key === "Escape") setOpen(false);
      }}
    >
      <button type="button" className="dk-felt-button" aria-expanded={open} onClick={() => setOpen(!open)}>
        {t("last")}
      </button>
      {open && (
        <div className="dk-last-box">
          <ul className="dk-trick small">
            {last.cards.map(({ seat, card }) => (
              <li
                key={seat}
                className={`dk-trick-card at-${placeOf(seat, bottom)}${seat === last.taker ? " ahead" : ""}`}
              >
                <CardFace code={card} />
              </li>
            ))}
          </ul>
          <p>{t("last.taken", { eyes: last.eyes, name: snapshot.seats[last.taker]?.name ?? "" })}</p>
        </div>
      )}
    </div>
  );
}

/** One line that says what everybody is waiting for. */
function Status({ snapshot, held }: { snapshot: DoppelkopfSnapshot; held: boolean }) {
  const t = useT(words);
  const { public: table, phase, seats } = snapshot;
  // In a replay somebody looks from a seat, but nobody sits there.
  const you = snapshot.role === "seat" ? snapshot.you : null;
  const name = table.turn === null ? "" : (seats[table.turn]?.name ?? "");
  let text = "";
  let mine = false;
  if (phase === "over") text = "";
  else if (table.turn !== null && seats[table.turn]?.kind === "open") text = t("table.waiting");
  else if (phase === "reservation") {
    mine = you !== null && table.turn === you;
    text = mine ? "" : t("speaking", { name });
  } else if (phase === "poverty") {
    mine = you !== null && table.turn === you;
    text = mine ? "" : t("poverty.asked", { name });
  } else if (phase === "exchange") {
    mine = you !== null && table.turn === you;
    const { back = 0, cards = 0 } = table.exchange ?? {};
    text = mine ? t("poverty.give", { number: back + 1, count: cards }) : t("poverty.giving", { name });
  } else if (phase === "genscher") {
    mine = you !== null && table.turn === you;
    text = mine ? "" : t("genscher.asked", { name });
  } else if (phase === "call" && !held) text = t("calling");
  else if (phase === "card" && table.turn === you && you !== null) {
    mine = true;
    if (table.led === null) text = t("yourCard");
    else if (!snapshot.views[String(you)]?.outline?.follows) text = t("anyCard");
    else if (table.led === "trump") text = t("followTrump");
    else text = t("follow", { suit: t(`led.${table.led}` as keyof typeof words) });
  } else if (table.turn !== null) text = t("wait", { name });
  return <p className={mine ? "dk-status mine" : "dk-status"}>{text}</p>;
}
