// What steers a game: taking back a move, and the pace of the bots for whoever is alone with them.

import type { Snapshot } from "../api/types";
import { useT } from "../i18n";
import { figure } from "../i18n/numbers";
import { Confirm } from "../ui/Confirm";
import { PACES } from "../lobby/setup";
import type { TableHandle } from "./useTable";

/** Whether nobody else at the table minds how fast the bots move. */
export function steers(snapshot: Snapshot, owner: boolean): boolean {
  const people = snapshot.seats.flatMap((seat, i) => (seat.kind === "bot" ? [] : [i]));
  return people.length === 0 ? owner : people.length === 1 && people[0] === snapshot.you;
}

/** The choices of a pace, with the one in force among them. */
function paces(now: number): [number, keyof typeof PACES | null][] {
  const known = Object.entries(PACES) as [keyof typeof PACES, number][];
  const listed: [number, keyof typeof PACES | null][] = known.map(([name, ms]) => [ms, name]);
  return listed.some(([ms]) => ms === now) ? listed : [[now, null], ...listed];
}

export function Controls({ table, snapshot }: { table: TableHandle; snapshot: Snapshot }) {
  const t = useT();
  const { control, over } = snapshot;
  if (!control || over) return null;
  const { undo, undoing, resign, resigned, paused, pace_ms } = control;
  return (
    <div className="table-controls">
      {snapshot.you !== null && resigned.includes(snapshot.you) && (
        <p className="soft" role="status">
          {t("table.resigned")}
        </p>
      )}
      {resign && (
        <div>
          {/* It keeps its place before the first move, so that nothing moves below. */}
          <button
            type="button"
            className="button quiet small"
            disabled={table.busy || !undo || undoing.length > 0}
            onClick={() => void table.undo()}
          >
            {t("table.undo")}
          </button>
          <Confirm
            label={t("table.resign")}
            question={t(`table.resign.${resign}`)}
            stay={t("table.resign.stay")}
            disabled={table.busy}
            onConfirm={() => table.resign()}
          >
            {t("table.resign")}
          </Confirm>
        </div>
      )}
      {steers(snapshot, table.owner) && (
        <div>
          <button
            type="button"
            className="button quiet small"
            disabled={table.busy}
            onClick={() => void table.pace({ paused: !paused })}
          >
            {t(paused ? "table.resume" : "table.pause")}
          </button>
          {paused && (
            <button type="button" className="button quiet small" disabled={table.busy} onClick={() => void table.pace({ step: true })}>
              {t("table.step")}
            </button>
          )}
          <select
            className="field small"
            aria-label={t("lobby.pace")}
            value={pace_ms}
            onChange={(event) => void table.pace({ pace_ms: Number(event.target.value) })}
          >
            {paces(pace_ms).map(([ms, name]) => (
              <option key={ms} value={ms}>
                {name ? t(`lobby.pace.${name}`) : t("table.pace.seconds", { seconds: figure(ms / 1000, t.language) })}
              </option>
            ))}
          </select>
        </div>
      )}
    </div>
  );
}

/** Somebody wants to take back a move: everybody at the table is asked. */
export function UndoNotice({ table, snapshot }: { table: TableHandle; snapshot: Snapshot }) {
  const t = useT();
  const undoing = snapshot.control?.undoing ?? [];
  const asker = undoing[0];
  if (asker === undefined || snapshot.over) return null;
  const agreed = snapshot.you !== null && undoing.includes(snapshot.you);
  return (
    <div className="notice table-notice" role="status">
      <span>
        {asker === snapshot.you
          ? t("table.undo.waiting")
          : t("table.undo.asked", { name: snapshot.seats[asker]?.name ?? "" })}
      </span>
      {snapshot.you !== null && (
        <div className="row">
          {!agreed && (
            <button type="button" className="button primary small" disabled={table.busy} onClick={() => void table.undo()}>
              {t("table.undo.agree")}
            </button>
          )}
          <button type="button" className="button small" disabled={table.busy} onClick={() => void table.keepMove()}>
            {t(asker === snapshot.you ? "table.undo.withdraw" : "table.undo.refuse")}
          </button>
        </div>
      )}
    </div>
  );
}
