// The page of one table: board, result, score sheet, log, rules and kibitz, live.

import { useEffect, useState } from "react";
import { ApiError } from "../api/client";
import { passFor } from "../api/tokens";
import type { Snapshot } from "../api/types";
import { faceOf, titleOf } from "../games";
import { Coach } from "../guide/Coach";
import { Terms } from "../guide/Terms";
import { useGuide } from "../guide/useGuide";
import { keepGame } from "../history/history";
import { useLanguage, useT } from "../i18n";
import { KibitzPanel } from "../kibitz";
import { setPrefs, usePrefs } from "../prefs";
import { go, hashOf } from "../router";
import { RulesInForce } from "../rules/RulesInForce";
import { Page } from "../shell/Page";
import { useAnimate } from "../theme/theme";
import { Confirm } from "../ui/Confirm";
import { errorText } from "../ui/errors";
import { Fold } from "../ui/Fold";
import { Chat } from "./Chat";
import { Clocks } from "./Clocks";
import { Controls, UndoNotice } from "./Controls";
import { Announcer, Log } from "./Log";
import { ResultPanel } from "./ResultPanel";
import { ScoreSheet } from "./ScoreSheet";
import { type TableHandle, useTable } from "./useTable";
import "./table.css";

const ERROR_MS = 6000;

export function TablePage({ id }: { id: string }) {
  const t = useT();
  const table = useTable(id);
  const { snapshot, error, clearError } = table;

  useEffect(() => {
    if (!error || !snapshot) return;
    const timer = setTimeout(clearError, ERROR_MS);
    return () => clearTimeout(timer);
  }, [error, snapshot, clearError]);

  if (!snapshot) {
    return (
      <Page>
        {error ? (
          <div className="table-gone card" role="alert">
            <h1>{t("table.gone")}</h1>
            <p>{errorText(error, t)}</p>
            <div className="row">
              <a className="button primary" href="#/">
                {t("app.back")}
              </a>
              {!(error instanceof ApiError && error.status === 404) && (
                <button type="button" className="button" onClick={() => location.reload()}>
                  {t("app.retry")}
                </button>
              )}
            </div>
          </div>
        ) : (
          <p className="soft" role="status">
            {t("app.loading")}
          </p>
        )}
      </Page>
    );
  }
  return (
    <Terms game={snapshot.game.name}>
      <Live table={table} snapshot={snapshot} />
    </Terms>
  );
}

function Live({ table, snapshot }: { table: TableHandle; snapshot: Snapshot }) {
  const t = useT();
  const language = useLanguage();
  const animate = useAnimate();
  const [hidden, setHidden] = useState<number | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const { Board, settle } = faceOf(snapshot.game.name);
  const title = titleOf(snapshot.game, language);
  const guide = useGuide(snapshot.game.name);
  const pass = passFor(snapshot.table);
  const taught = pass?.lesson === true && snapshot.number === 1;
  const counts = !taught && pass?.practice !== true;
  useEffect(() => {
    if (counts) keepGame(snapshot);
  }, [counts, snapshot]);
  const { chat } = snapshot;
  const error = failure ?? table.error;
  const settled = useSettled(snapshot, settle);
  const showResult = snapshot.over !== null && settled && hidden !== snapshot.number;

  return (
    <Page
      wide
      title={title}
      header={<Header table={table} snapshot={snapshot} title={title} />}
      actions={
        <>
          <a className="button quiet small" href={hashOf({ page: "rules", id: snapshot.game.name })} title={t("guide.link")}>
            <span aria-hidden="true">?</span>
            <span className="visually-hidden">{t("guide.link")}</span>
          </a>
          <Leave table={table} snapshot={snapshot} />
        </>
      }
    >
      <div className={`table-page game-${snapshot.game.name}`}>
        <h1 className="visually-hidden">{title}</h1>
        <div className="table-main">
          <Notices table={table} snapshot={snapshot} />
          <UndoNotice table={table} snapshot={snapshot} />
          {error !== null && error !== undefined && (
            <p className="notice bad table-error" role="alert">
              {errorText(error, t)}
            </p>
          )}
          <Clocks snapshot={snapshot} />
          <div className="board-area">
            <Board
              snapshot={snapshot}
              onAct={table.act}
              busy={table.busy || table.connection === "offline"}
              language={language}
              animate={animate}
            />
            {showResult && (
              <ResultPanel
                snapshot={snapshot}
                token={table.token}
                mayGoOn={snapshot.you !== null || table.owner}
                busy={table.busy}
                onNext={() => void table.next()}
                onRematch={(wanted) => void table.rematch(wanted)}
                onError={setFailure}
                onHide={() => setHidden(snapshot.number)}
              />
            )}
            {snapshot.over && settled && !showResult && (
              <button type="button" className="button primary result-show" onClick={() => setHidden(null)}>
                {t("table.result.show")}
              </button>
            )}
          </div>
        </div>
        <aside className="table-side" aria-label={t("table.score")}>
          {taught && guide && <Coach guide={guide} snapshot={snapshot} />}
          <Controls table={table} snapshot={snapshot} />
          <Fold name="kibitz" title={t("table.kibitz")}>
            <KibitzPanel snapshot={snapshot} token={table.token} />
          </Fold>
          {chat && (chat.open || chat.lines.length > 0) && (
            <Fold name="chat" title={t("table.chat")}>
              <Chat table={table} chat={chat} mayWrite={snapshot.you !== null} />
            </Fold>
          )}
          <Fold name="score" title={t("table.score")}>
            <ScoreSheet snapshot={snapshot} />
          </Fold>
          <Fold name="log" title={t("table.log")}>
            <Log snapshot={snapshot} />
          </Fold>
          <RulesInForce game={snapshot.game} />
        </aside>
        <Announcer snapshot={snapshot} />
      </div>
    </Page>
  );
}

/** True a moment after the game ended, so that the last move can be seen; at once if it was over from the start. */
function useSettled(snapshot: Snapshot, delay: number): boolean {
  const over = snapshot.over !== null;
  const [settled, setSettled] = useState(over);
  useEffect(() => {
    if (!over) {
      setSettled(false);
      return;
    }
    const timer = setTimeout(() => setSettled(true), delay);
    return () => clearTimeout(timer);
  }, [over, snapshot.number, delay]);
  return settled && over;
}

function Header({ table, snapshot, title }: { table: TableHandle; snapshot: Snapshot; title: string }) {
  const t = useT();
  const { games } = snapshot.options;
  const { place } = snapshot.score;
  const { connection } = table;
  return (
    <div className="table-header">
      <span className="table-title">{title}</span>
      <span className="soft table-series">
        {games === null
          ? t("table.number", { number: place })
          : t("table.series", { number: place, games: games * Math.ceil(place / games) })}
      </span>
      <span className={`connection ${connection}`} role="status">
        <span className="dot" aria-hidden="true" />
        <span className="connection-text">{t(`table.${connection}`)}</span>
      </span>
    </div>
  );
}

function Leave({ table, snapshot }: { table: TableHandle; snapshot: Snapshot }) {
  const t = useT();
  if (snapshot.you === null) return null;
  return (
    <Confirm
      className="leave"
      label={t("table.leave")}
      question={t("table.leave.ask")}
      stay={t("table.leave.stay")}
      onConfirm={() =>
        table.leave().then((done) => {
          if (done) go({ page: "lobby" });
        })
      }
    >
      <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true" fill="none" stroke="currentColor" strokeWidth="1.700" strokeLinecap="round" strokeLinejoin="round">
        <path d="M8 3.500H4.500v13H8M12 6.500l3.500 3.500-3.500 3.500M15 10H8" />
      </svg>
      <span className="leave-text">{t("table.leave")}</span>
    </Confirm>
  );
}

/** Whether the person only watches, and free seats to take or to offer. */
function Notices({ table, snapshot }: { table: TableHandle; snapshot: Snapshot }) {
  const t = useT();
  const { name } = usePrefs();
  const [copied, setCopied] = useState(false);
  const open = snapshot.seats.flatMap((seat, i) => (seat.kind === "open" ? [i] : []));
  const watching = snapshot.you === null;
  if (!watching && open.length === 0) return null;

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      setCopied(true);
    } catch {
      setCopied(false);
    }
  };
  return (
    <div className="notice table-notice">
      {watching && <span>{t(snapshot.role === "all" ? "table.watching.all" : "table.watching")}</span>}
      {!watching && <span>{t("table.waiting")}</span>}
      {watching && open.length > 0 && (
        <form
          className="row"
          onSubmit={(event) => {
            event.preventDefault();
            void table.claim(open[0] ?? 0, name.trim() || t("lobby.name.default"));
          }}
        >
          <input
            className="field"
            aria-label={t("lobby.name")}
            placeholder={t("lobby.name")}
            value={name}
            maxLength={40}
            onChange={(event) => setPrefs({ name: event.target.value })}
          />
          <button type="submit" className="button primary small" disabled={table.busy}>
            {t("table.sit", { seat: (open[0] ?? 0) + 1 })}
          </button>
        </form>
      )}
      {open.length > 0 && (
        <button type="button" className="button small" onClick={() => void copy()}>
          <span aria-live="polite">{t(copied ? "table.invited" : "table.invite")}</span>
        </button>
      )}
    </div>
  );
}
