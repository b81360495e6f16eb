// Tables to join or to watch, refreshed while the lobby is visible.

import { useEffect, useState } from "react";
import { api } from "../api/client";
import { passFor } from "../api/tokens";
import type { TableListing } from "../api/types";
import { titleOf } from "../games";
import { useT } from "../i18n";
import { hashOf } from "../router";

const REFRESH_MS = 5000;
const MOST_SHOWN = 8;

/** The person's own tables first, then those with a free seat, then those to watch. */
export function inOrder(tables: readonly TableListing[]): TableListing[] {
  const rank = (table: TableListing) =>
    passFor(table.table) ? 0 : table.seats.some((seat) => seat.kind === "open") ? 1 : table.over ? 3 : 2;
  return [...tables].sort((a, b) => rank(a) - rank(b));
}

export function Tables() {
  const t = useT();
  const [tables, setTables] = useState<TableListing[] | null>(null);
  useEffect(() => {
    let stopped = false;
    const load = () => {
      if (document.visibilityState === "hidden") return;
      api.tables().then(
        (list) => !stopped && setTables(list),
        () => undefined,
      );
    };
    load();
    const timer = setInterval(load, REFRESH_MS);
    return () => {
      stopped = true;
      clearInterval(timer);
    };
  }, []);
  return (
    <section className="tables card" aria-label={t("lobby.tables")}>
      <h2>{t("lobby.tables")}</h2>
      {!tables || tables.length === 0 ? (
        <p className="soft">{t(tables ? "lobby.tables.none" : "app.loading")}</p>
      ) : (
        <ul>
          {inOrder(tables).slice(0, MOST_SHOWN).map((table) => (
            <TableLine key={table.table} table={table} />
          ))}
        </ul>
      )}
    </section>
  );
}

function TableLine({ table }: { table: TableListing }) {
  const t = useT();
  const open = table.seats.filter((seat) => seat.kind === "open").length;
  const mine = passFor(table.table);
  const names = table.seats
    .filter((seat) => seat.kind !== "open")
    .map((seat) => seat.name)
    .join(", ");
  const facts = [
    open === 1 ? t("lobby.openSeats.one") : open > 1 ? t("lobby.openSeats.many", { count: open }) : "",
    table.played === 1 ? t("lobby.gamesPlayed.one") : "",
    table.played > 1 ? t("lobby.gamesPlayed.many", { count: table.played }) : "",
    table.games !== null && table.played >= table.games ? t("lobby.finished") : "",
  ].filter(Boolean);
  const title = titleOf(table.game, t.language);
  const label = mine && !mine.owner ? t("lobby.return") : open > 0 ? t("lobby.join") : t("lobby.watch");
  return (
    <li>
      <div>
        <strong>{title}</strong>
        <span className="soft">{names}</span>
        {facts.length > 0 && <span className="soft small">{facts.join(" · ")}</span>}
      </div>
      <a
        className={open > 0 || mine ? "button primary small" : "button small"}
        href={hashOf({ page: "table", id: table.table })}
        aria-label={`${label}: ${title}, ${names}`}
      >
        {label}
      </a>
    </li>
  );
}
