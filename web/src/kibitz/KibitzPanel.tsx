// The kibitz looks over a player's shoulder and says what each option is worth, who holds what, and how
// the game has gone so far. It speaks when asked, and at fair tables not before the game is over.

import { type ReactNode, useEffect, useState, useSyncExternalStore } from "react";
import { api } from "../api/client";
import type { CurvePoint, Kibitz, Snapshot } from "../api/types";
import { actionWord } from "../games";
import { nameOf } from "../games/seats";
import { useLanguage, useT } from "../i18n";
import { figure } from "../i18n/numbers";
import { boundedText, inUnit, unitOf, writtenIn } from "../i18n/units";
import { errorText } from "../ui/errors";
import { Curve } from "./Curve";
import { curveKey, listenToCurves, pointsOf } from "./curve";
import { EffortSelect } from "./EffortSelect";
import { HeatMap } from "./HeatMap";
import { mixes, Options, ranked, shareText } from "./Options";
import { type Answer, type Source, tableSource, useAnalysis, useBeliefs, useEffort } from "./useKibitz";
import { Worlds } from "./Worlds";
import "./kibitz.css";

/** Moves of the best line that are shown. */
const LINE = 12;

interface Props {
  snapshot: Snapshot;
  token: string | null;
}

export function KibitzPanel({ snapshot, token }: Props) {
  const t = useT();
  const playing = snapshot.over === null;
  const source = tableSource(snapshot, token);
  if (playing && snapshot.options.fair) return <p className="soft">{t("kibitz.kibitzFair")}</p>;
  if (playing && snapshot.control && !snapshot.control.kibitz) return <Quiet snapshot={snapshot} token={token} />;
  if (playing && snapshot.role === "public") return <p className="soft">{t("kibitz.kibitzPublic")}</p>;
  return (
    <div className="kb">
      {playing ? <Thinking snapshot={snapshot} source={source} /> : <p className="soft">{t("kibitz.kibitzOver")}</p>}
      <Story snapshot={snapshot} token={token} />
    </div>
  );
}

/** With other persons at the table the kibitz speaks only if all of them want it. */
function Quiet({ snapshot, token }: Props) {
  const t = useT();
  const [error, setError] = useState<unknown>(null);
  const wanted = snapshot.you !== null && (snapshot.control?.kibitzing.includes(snapshot.you) ?? false);
  return (
    <div className="kb">
      <p className="soft">{t(wanted ? "kibitz.wanted" : "kibitz.quiet")}</p>
      {snapshot.you !== null && (
        <div>
          <button
            type="button"
            className="button small"
            onClick={() =>
              void api.wantKibitz(snapshot.table, !wanted, token).then(() => setError(null), setError)
            }
          >
            {t(wanted ? "kibitz.unwant" : "kibitz.want")}
          </button>
        </div>
      )}
      {error !== null && (
        <p className="notice bad" role="alert">
          {errorText(error, t)}
        </p>
      )}
    </div>
  );
}

interface ThinkingProps {
  snapshot: Snapshot;
  source: Source;
  /** Told what was found for the position that is shown; null: nothing. What was found for another is not shown then. */
  onAnswer?(kibitz: Kibitz | null): void;
  /** What to offer where a seat has nothing to decide. */
  elsewhere?(seat: number): ReactNode;
}

/** What a seat could do in a position, and what it knows. */
export function Thinking({ snapshot, source, onAnswer, elsewhere }: ThinkingProps) {
  const t = useT();
  const language = useLanguage();
  const [effort, setEffort] = useEffort();
  const [chosen, setChosen] = useState<number | null>(null);
  const seat = snapshot.you ?? chosen ?? snapshot.turn ?? firstAsked(snapshot) ?? 0;
  const { answer, thinking, overtaken, error, ask, cancel } = useAnalysis(snapshot, source);
  const decides = (snapshot.views[String(seat)]?.legal.length ?? 0) > 0;
  const stale = answer !== null && answer.of.version !== snapshot.version;
  const current = stale ? null : (answer?.kibitz ?? null);
  useEffect(() => onAnswer?.(current), [current, onAnswer]);
  return (
    <>
      {snapshot.role === "all" && (
        <label className="kb-line">
          <span>{t("kibitz.shoulder")}</span>
          <select
            className="field kb-select"
            value={chosen ?? ""}
            onChange={(event) => setChosen(event.target.value === "" ? null : Number(event.target.value))}
          >
            <option value="">{t("kibitz.whoMoves")}</option>
            {snapshot.seats.map((_, each) => (
              <option key={each} value={each}>
                {nameOf(snapshot, each, language)}
              </option>
            ))}
          </select>
        </label>
      )}
      <div className="kb-ask">
        {thinking ? (
          <>
            <span className="kb-thinking" role="status">
              <span className="kb-spinner" aria-hidden="true" />
              {t("kibitz.thinking")}
            </span>
            <button type="button" className="button small" onClick={cancel}>
              {t("kibitz.cancel")}
            </button>
          </>
        ) : (
          <>
            <button
              type="button"
              className="button primary small"
              disabled={!decides}
              onClick={() => ask(seat, effort)}
            >
              {t("kibitz.think")}
            </button>
            <EffortSelect effort={effort} choose={setEffort} />
          </>
        )}
      </div>
      {!decides && !thinking && (
        <p className="soft kb-small">
          {t("kibitz.kibitzWait")} {snapshot.game.hidden && t("kibitz.kibitzKnows")}
        </p>
      )}
      {!decides && !thinking && elsewhere?.(seat)}
      {overtaken && snapshot.you === null && !onAnswer && (
        <p className="kb-small" role="status">
          {t("kibitz.overtaken")}
        </p>
      )}
      {error !== null && error !== undefined && (
        <p className="notice bad" role="alert">
          {errorText(error, t)}
        </p>
      )}
      {answer && (!stale || !onAnswer) && <Found answer={answer} stale={stale} />}
      {snapshot.game.hidden && <Known snapshot={snapshot} source={source} seat={seat} />}
    </>
  );
}

/** The seat to advise. In a call phase it is nobody's turn in particular: the first seat that may speak. */
function firstAsked(snapshot: Snapshot): number | undefined {
  const seat = Object.entries(snapshot.views).find(([, view]) => view.legal.length > 0)?.[0];
  return seat === undefined ? undefined : Number(seat);
}

/** The answer: options, best line, and who thought how hard. */
function Found({ answer: { kibitz, of }, stale }: { answer: Answer; stale: boolean }) {
  const t = useT();
  const language = useLanguage();
  const unit = unitOf(of.game);
  const best = kibitz.actions.find((entry) => entry.action === kibitz.best);
  // The best option may be proven while others, perhaps better ones, are not.
  const whole = { ...kibitz, outcome: kibitz.status === "proven" ? (best?.outcome ?? null) : null, error: best?.error ?? null };
  const visits = kibitz.actions.reduce((sum, entry) => sum + entry.visits, 0);
  const about = [
    visits > 0 && t("kibitz.visitsAll", { n: figure(visits, language) }),
    kibitz.worlds > 0 && t("kibitz.overWorlds", { n: figure(kibitz.worlds, language) }),
    t("kibitz.thoughtFor", { seconds: figure(Math.max(kibitz.seconds, 0.01), language) }),
  ].filter(Boolean);
  return (
    <section className={stale ? "kb-found kb-stale" : "kb-found"}>
      {stale && <p className="kb-small">{t("kibitz.stale")}</p>}
      <p className="kb-value-line">
        {t("kibitz.valueFor", { title: unit.title[language], name: nameOf(of, kibitz.seat, language) })}{" "}
        <b>{boundedText(unit, whole, language)}</b> <small className="soft">({t(`kibitz.${kibitz.status}`)})</small>
      </p>
      {typeof kibitz.prior_value === "number" && (
        <p className="kb-small soft">
          {t("kibitz.netValue", { value: writtenIn(unit, inUnit(unit, kibitz.prior_value), language) })}
        </p>
      )}
      {kibitz.good?.length === 0 && <p className="kb-small">{t("kibitz.allLose")}</p>}
      <Options kibitz={kibitz} snapshot={of} language={language} />
      {!of.game.hidden && kibitz.line.length > 0 && (
        <p className="kb-best-line">
          <span>{t("kibitz.line")}</span>
          {kibitz.line.slice(0, LINE).map((name, i) => (
            <b key={i}>{actionWord(of, name, language)}</b>
          ))}
        </p>
      )}
      <details className="kb-engine kb-small soft">
        <summary>{t("kibitz.engine")}</summary>
        <p>{about.join(" · ")}</p>
        {visits > 0 && !mixes(kibitz) && (
          <p>
            {t("kibitz.share")}:{" "}
            {ranked(kibitz)
              .map((entry) => `${actionWord(of, entry, language)} ${shareText(entry.share, language)}`)
              .join(", ")}
          </p>
        )}
        <code className="kb-spec">{kibitz.spec}</code>
      </details>
    </section>
  );
}

/** Hidden cards: where they may be, and worlds that fit. */
function Known({ snapshot, source, seat }: { snapshot: Snapshot; source: Source; seat: number }) {
  const t = useT();
  const language = useLanguage();
  const [open, setOpen] = useRemembered("kiebitz.beliefs");
  const { found, error } = useBeliefs(snapshot, source, seat, open);
  return (
    <details className="kb-part" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("kibitz.beliefs")}</summary>
      {error !== null && error !== undefined && <p className="notice bad">{errorText(error, t)}</p>}
      {found ? (
        <>
          <HeatMap beliefs={found.beliefs} snapshot={snapshot} seat={seat} language={language} />
          {found.beliefs.worlds.length > 0 && (
            <>
              <h3>{t("kibitz.worlds")}</h3>
              <Worlds beliefs={found.beliefs} snapshot={snapshot} seat={seat} language={language} />
            </>
          )}
        </>
      ) : (
        !error && open && <p className="soft kb-small">{t("kibitz.counting")}</p>
      )}
    </details>
  );
}

/** How the expected result went: what was asked here, or what the server knows of a finished game. */
function Story({ snapshot, token }: Props) {
  const t = useT();
  const language = useLanguage();
  const { table, number } = snapshot;
  const over = snapshot.over !== null;
  const own = useSyncExternalStore(listenToCurves, () => pointsOf(curveKey(table, number)));
  const [served, setServed] = useState<{ key: string; points: CurvePoint[] } | null>(null);

  useEffect(() => {
    if (!over) return;
    let gone = false;
    api
      .curve(table, number, token)
      .then((points) => {
        if (!gone && points.length > 0) setServed({ key: curveKey(table, number), points });
      })
      .catch(() => undefined); // The points of this page are shown instead.
    return () => {
      gone = true;
    };
  }, [over, table, number, token]);

  const points = over && served?.key === curveKey(table, number) ? served.points : own;
  const names = useNames(snapshot, language);
  if (over && points.length === 0) return null; // nobody asked, and nobody can any more
  return (
    <section className="kb-part">
      <h3>{t("kibitz.curve")}</h3>
      <Curve points={points} names={names} unit={unitOf(snapshot.game)} />
    </section>
  );
}

/** The names of the seats; the same array until a name changes. */
function useNames(snapshot: Snapshot, language: "en" | "de"): string[] {
  const names = snapshot.seats.map((_, seat) => nameOf(snapshot, seat, language));
  const [kept, setKept] = useState(names);
  const same = kept.length === names.length && kept.every((name, i) => name === names[i]);
  if (!same) setKept(names);
  return same ? kept : names;
}

/** Open or closed, also on the next visit. */
function useRemembered(key: string): [boolean, (open: boolean) => void] {
  const [open, setOpen] = useState(() => localStorage.getItem(key) === "open");
  return [
    open,
    (next) => {
      setOpen(next);
      localStorage.setItem(key, next ? "open" : "closed");
    },
  ];
}
