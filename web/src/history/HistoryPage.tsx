// The person's own games: results, statistics of their mistakes, and the games themselves.

import { useEffect, useRef, useState } from "react";
import { api } from "../api/client";
import { beginReview, type Running } from "../api/jobs";
import { seatToken } from "../api/tokens";
import type { Language } from "../api/types";
import { faceOf, titleOf } from "../games";
import { type Translate, useT } from "../i18n";
import { figure, signed } from "../i18n/numbers";
import { costText, counted, differenceText, meanText, unitOf } from "../i18n/units";
import { go, hashOf } from "../router";
import { Page } from "../shell/Page";
import { errorText } from "../ui/errors";
import { forgetAll, keepReview, outcomeOf, type Played, type Slip, type Tally, together, useHistory } from "./history";
import "./history.css";

const WORST = 5;
const SHOWN = 20;
/** So many of the newest reviewed games are compared with those before. */
const NEWEST = 10;

export function HistoryPage() {
  const t = useT();
  const games = useHistory();
  const names = [...new Set(games.map((each) => each.game.name))];
  return (
    <Page title={t("history.title")}>
      <div className="history">
        <div>
          <h1>{t("history.title")}</h1>
          <p className="soft">{t("history.about")}</p>
        </div>
        {games.length === 0 && <p>{t("history.none")}</p>}
        {names.map((name) => (
          <OneGame key={name} games={games.filter((each) => each.game.name === name)} />
        ))}
        {games.length > 0 && <Forget />}
      </div>
    </Page>
  );
}

/** All games of one kind. */
function OneGame({ games }: { games: Played[] }) {
  const t = useT();
  const [all, setAll] = useState(false);
  const first = games[0];
  if (!first) return null;
  const title = titleOf(first.game, t.language);
  const shown = all ? games : games.slice(0, SHOWN);
  return (
    <section className="card history-game" aria-label={title}>
      <h2>{title}</h2>
      <Results games={games} />
      <Mistakes games={games} />
      <table>
        <caption className="visually-hidden">{t("history.games")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("history.when")}</th>
            <th scope="col">{t("history.against")}</th>
            <th scope="col">{t("history.result")}</th>
            <th scope="col">{t("history.mistakes")}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((each) => (
            <Line key={`${each.table}/${each.number}`} played={each} />
          ))}
        </tbody>
      </table>
      {shown.length < games.length && (
        <button type="button" className="button small" onClick={() => setAll(true)}>
          {t("history.all", { count: games.length })}
        </button>
      )}
    </section>
  );
}

function Results({ games }: { games: Played[] }) {
  const t = useT();
  const count = (outcome: number) => games.filter((each) => outcomeOf(each) === outcome).length;
  const unit = unitOf(games[0]?.game ?? {});
  const mean = games.reduce((sum, { returns, seat }) => sum + (returns[seat] ?? 0), 0) / games.length;
  return (
    <p>
      {t(games.length === 1 ? "history.record.one" : "history.record", {
        games: games.length,
        won: count(1),
        drawn: count(0),
        lost: count(-1),
      })}
      {counted(unit) && ` ${t("history.mean", { mean: meanText(unit, mean, t.language), unit: unit.name[t.language] })}`}
    </p>
  );
}

// --- Mistakes ---------------------------------------------------------------------------------------------------------

function Mistakes({ games }: { games: Played[] }) {
  const t = useT();
  const reviewed = games.filter((each) => each.found);
  const first = reviewed[0];
  return (
    <>
      <ReviewAll games={games.filter((each) => !each.found)} />
      {first && (
        <div className="history-mistakes">
          <h3>{t("history.yourMistakes")}</h3>
          <ul>
            {statistics(reviewed, t).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          <Worst reviewed={reviewed} />
        </div>
      )}
    </>
  );
}

const tallyOf = (games: Played[]): Tally => together(games.flatMap((each) => Object.values(each.found?.phases ?? {})));

/** What the reviews of a person's games say, line by line. */
export function statistics(reviewed: Played[], t: Translate): string[] {
  const first = reviewed[0];
  if (!first) return [];
  const all = tallyOf(reviewed);
  const unit = unitOf(first.game);
  const often = (tally: Tally, games: number) => figure(tally.mistakes / games, t.language, 1);
  const lines = [
    t("history.reviewed", { games: reviewed.length }),
    t("history.often", {
      mistakes: often(all, reviewed.length),
      share: figure((100 * all.mistakes) / Math.max(all.decisions, 1), t.language, 0),
      decisions: all.decisions,
    }),
  ];
  if (all.lost !== null && all.mistakes > 0 && counted(unit)) {
    lines.push(t("history.cost", { cost: differenceText(unit, all.lost / reviewed.length, t.language) }));
  }
  const phases = [...new Set(reviewed.flatMap((each) => Object.keys(each.found?.phases ?? {})))];
  if (phases.length > 1) {
    for (const phase of phases) {
      const part = together(reviewed.flatMap((each) => each.found?.phases[phase] ?? []));
      const word = faceOf(first.game.name).phases[phase]?.[t.language] ?? phase;
      lines.push(t("history.phase", { phase: word, mistakes: part.mistakes, decisions: part.decisions }));
    }
  }
  const [newest, before] = [reviewed.slice(0, NEWEST), reviewed.slice(NEWEST)];
  if (before.length > 0) {
    const values = { newest: often(tallyOf(newest), newest.length), before: often(tallyOf(before), before.length) };
    lines.push(t("history.trend", { count: NEWEST, ...values }));
  }
  return lines;
}

function Worst({ reviewed }: { reviewed: Played[] }) {
  const t = useT();
  const slips = reviewed
    .flatMap((played) => (played.found?.slips ?? []).map((slip) => ({ played, slip })))
    .sort((a, b) => (b.slip.lost ?? 0) - (a.slip.lost ?? 0))
    .slice(0, WORST);
  if (slips.length === 0) return <p className="soft">{t("history.noMistakes")}</p>;
  return (
    <>
      <h3>{t("history.worst")}</h3>
      <ol>
        {slips.map(({ played, slip }) => (
          <li key={`${played.table}/${played.number}/${slip.ply}`}>
            <a href={hashOf({ page: "record", id: played.record ?? "", ply: slip.ply })}>{slipText(played, slip, t)}</a>{" "}
            <span className="soft small">{day(played.at, t.language)}</span>
          </li>
        ))}
      </ol>
    </>
  );
}

function slipText({ game }: Played, slip: Slip, t: Translate): string {
  const say = (name: string) => faceOf(game.name).say({ name }, t.language);
  const cost = costText(unitOf(game), slip, slip.best_outcome, t.language);
  return t("history.slip", { played: say(slip.played), best: say(slip.best), cost });
}

/** Finds the mistakes of all games that were not reviewed yet, one after the other. */
function ReviewAll({ games }: { games: Played[] }) {
  const t = useT();
  const [at, setAt] = useState<{ game: number; of: number; share: number } | null>(null);
  const [error, setError] = useState<unknown>(null);
  const run = useRef<Running | null>(null);
  const stopped = useRef(false);
  const stop = () => {
    stopped.current = true;
    run.current?.cancel();
    setAt(null);
  };
  useEffect(() => {
    stopped.current = false; // React may mount it twice.
    return () => {
      stopped.current = true;
      run.current?.cancel();
    };
  }, []);

  const begin = async () => {
    stopped.current = false;
    setError(null);
    for (const [i, { table, number }] of games.entries()) {
      const show = (share: number) => !stopped.current && setAt({ game: i + 1, of: games.length, share });
      show(0);
      try {
        const { record } = await api.share(table, number, seatToken(table));
        if (stopped.current) return;
        run.current = beginReview(record, "quick", show);
        const job = await run.current.done;
        if (job === null) return;
        keepReview(table, number, record, job.result);
      } catch (problem) {
        if (!stopped.current) setError(problem);
      }
      if (stopped.current) return;
    }
    setAt(null);
  };
  if (games.length === 0 && !at) return null;
  return (
    <div className="history-review">
      {at ? (
        <>
          <label>
            {t("history.reviewing", { game: at.game, of: at.of })}
            <progress value={(at.game - 1 + at.share) / at.of} max={1} />
          </label>
          <button type="button" className="button small" onClick={stop}>
            {t("kibitz.cancel")}
          </button>
        </>
      ) : (
        <button type="button" className="button small" onClick={() => void begin()}>
          {games.length === 1 ? t("history.review.one") : t("history.review", { count: games.length })}
        </button>
      )}
      {error !== null && (
        <p className="notice bad" role="alert">
          {errorText(error, t)}
        </p>
      )}
    </div>
  );
}

// --- Single games -----------------------------------------------------------------------------------------------------

function Line({ played }: { played: Played }) {
  const t = useT();
  const { game, returns, seat, names, record, found } = played;
  const unit = unitOf(game);
  const won = outcomeOf(played);
  const result = counted(unit) ? ` ${signed(returns[seat] ?? 0, t.language, unit.digits)}` : "";
  const mistakes = found && together(Object.values(found.phases)).mistakes;
  const when = day(played.at, t.language);
  const to = record ? hashOf({ page: "record", id: record }) : hashOf({ page: "table", id: played.table });
  /** The table may be at another game by now, so the link leads to the record of this one. */
  const look = async () => {
    try {
      const { record: shared } = await api.share(played.table, played.number, seatToken(played.table));
      keepReview(played.table, played.number, shared, null);
      go({ page: "record", id: shared });
    } catch {
      go({ page: "table", id: played.table }); // It says what is wrong.
    }
  };
  return (
    <tr>
      <td>
        <a
          href={to}
          aria-label={t("history.look", { when })}
          onClick={(event) => {
            if (record || event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            void look();
          }}
        >
          {when}
        </a>
      </td>
      <td>{names.filter((_, i) => i !== seat).join(", ")}</td>
      <td>
        {t(won > 0 ? "history.won" : won < 0 ? "history.lost" : "history.drawn")}
        {result}
      </td>
      <td>{mistakes ?? "–"}</td>
    </tr>
  );
}

/** With the day before the month, and 24 hours, where the person's own form of the language has them. */
function day(at: string, language: Language): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return "";
  const own = navigator.languages.find((each) => each.toLowerCase().startsWith(language)) ?? language;
  return new Intl.DateTimeFormat(own, {
    ...{ day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" },
    ...(date.getFullYear() === new Date().getFullYear() ? {} : { year: "numeric" }),
  }).format(date);
}

function Forget() {
  const t = useT();
  const [asking, setAsking] = useState(false);
  return (
    <div className="row">
      <button type="button" className="button quiet small" onClick={() => (asking ? forgetAll() : setAsking(true))}>
        {t(asking ? "history.forget.sure" : "history.forget")}
      </button>
      {asking && (
        <button type="button" className="button small" onClick={() => setAsking(false)}>
          {t("kibitz.cancel")}
        </button>
      )}
    </div>
  );
}
