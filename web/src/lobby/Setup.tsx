// Setting up a table: name, seats, rules and options, and the button that opens it.

import { useRef } from "react";
import type { GameInfo, Strength } from "../api/types";
import { faceOf } from "../games";
import { type Translate, useLanguage, useT } from "../i18n";
import { type SetupChoice, setPrefs, usePrefs } from "../prefs";
import { hashOf } from "../router";
import { HouseRules } from "../rules/HouseRules";
import { goodRules, presetName, presetRules, rulesOf, usualPreset } from "../rules/rules";
import { Ratings, ratingText, strengthWord } from "./Ratings";
import { CLOCKS, changeSeat, openRefused, PACES, SERIES } from "./setup";

interface SetupProps {
  game: GameInfo;
  title: string;
  setup: SetupChoice;
  busy: boolean;
  /** Why the server refused the rules. */
  refused: string | null;
  onChange(setup: SetupChoice): void;
  onPlay(): void;
  onWatch(): void;
  onLesson(): void;
}

export function Setup({ game, title, setup, busy, refused, onChange, onPlay, onWatch, onLesson }: SetupProps) {
  const t = useT();
  const { name } = usePrefs();
  const fold = useRef<HTMLDetailsElement>(null);
  const playing = setup.seats.some((seat) => seat.kind === "me");
  /** Opens the table, or shows the rule that prevents it. */
  const start = (open: () => void) => {
    if (goodRules(game, setup)) return open();
    if (fold.current) fold.current.open = true;
    fold.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  };
  return (
    <form
      className="setup card"
      aria-label={t("lobby.setup")}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        start(onPlay);
      }}
    >
      <div className="setup-head">
        <h2>{t("lobby.setup")}</h2>
        <a href={hashOf({ page: "rules", id: game.name })}>{t("guide.link")}</a>
      </div>
      <label className="setup-line">
        <span>{t("lobby.name")}</span>
        <input
          className="field"
          value={name}
          maxLength={40}
          autoComplete="nickname"
          placeholder={t("lobby.name.default")}
          onChange={(event) => setPrefs({ name: event.target.value })}
        />
      </label>
      <fieldset className="setup-seats">
        <legend className="visually-hidden">{t("lobby.setup")}</legend>
        {setup.seats.map((_, i) => (
          <SeatLine key={i} game={game} setup={setup} seat={i} onChange={onChange} />
        ))}
      </fieldset>
      <div className="setup-play">
        <button type="submit" className="button primary play" disabled={busy}>
          {busy ? t("lobby.opening") : playing ? t("lobby.play", { game: title }) : t("lobby.watchBots")}
        </button>
        <button type="button" className="button" disabled={busy} onClick={() => start(onWatch)}>
          {t("lobby.watchBots")}
        </button>
        {game.lesson && (
          <button type="button" className="button" disabled={busy} onClick={onLesson}>
            {t("guide.first")}
          </button>
        )}
      </div>
      <Ratings game={game} />
      <PresetSelect game={game} setup={setup} onChange={onChange} />
      <HouseRules game={game} setup={setup} refused={refused} fold={fold} onChange={onChange} />
      <TableOptions game={game} setup={setup} onChange={onChange} />
    </form>
  );
}

function SeatLine({ game, setup, seat, onChange }: Pick<SetupProps, "game" | "setup" | "onChange"> & { seat: number }) {
  const t = useT();
  const chosen = setup.seats[seat];
  if (!chosen) return null;
  const value = chosen.kind === "bot" ? `bot:${chosen.strength}` : chosen.kind;
  const rated = JSON.stringify(rulesOf(game, setup)) === JSON.stringify(presetRules(game, game.rated ?? null));
  const label = (each: Strength) => {
    const rating = rated ? ratingText(game, each, t) : null;
    return t("lobby.seat.bot", { strength: strengthWord(each.key, t) }) + (rating ? ` (${rating})` : "");
  };
  const choose = (text: string) => {
    const [kind, strength] = text.split(":");
    const to = {
      kind: kind === "me" ? ("me" as const) : kind === "open" ? ("open" as const) : ("bot" as const),
      strength: strength ?? chosen.strength,
    };
    onChange({ ...setup, seats: changeSeat(setup.seats, seat, to) });
  };
  return (
    <label className="setup-line">
      <span>{t("lobby.seat", { seat: seat + 1 })}</span>
      <span className="setup-seat">
        <select className="field" value={value} onChange={(event) => choose(event.target.value)}>
          <option value="me">{t("lobby.seat.me")}</option>
          <option value="open">{t("lobby.seat.open")}</option>
          {game.strengths.map((each) => (
            <option key={each.key} value={`bot:${each.key}`}>
              {label(each)}
            </option>
          ))}
        </select>
      </span>
    </label>
  );
}

function PresetSelect({ game, setup, onChange }: Pick<SetupProps, "game" | "setup" | "onChange">) {
  const t = useT();
  const language = useLanguage();
  const preset = game.presets.find((each) => each.name === setup.preset);
  const usual = usualPreset(game);
  if (game.presets.length === 0) return null;
  return (
    <label className="setup-line">
      <span>{t("lobby.preset")}</span>
      <span className="setup-seat">
        <select
          className="field"
          value={setup.preset ?? ""}
          onChange={(event) => onChange({ ...setup, preset: event.target.value || null, rules: {} })}
        >
          {usual === null && <option value="">{t("lobby.preset.default")}</option>}
          {game.presets.map((each) => (
            <option key={each.name} value={each.name}>
              {each.name === usual
                ? t("lobby.preset.usual", { name: presetName(t, game.name, each.name) })
                : presetName(t, game.name, each.name)}
            </option>
          ))}
        </select>
        {preset && <small className="soft">{faceOf(game.name).rules.presets[preset.name]?.[language] ?? preset.help}</small>}
      </span>
    </label>
  );
}

function clockName(clock: string, t: Translate): string {
  const [minutes = "", seconds = ""] = clock.split("+");
  return t(seconds === "0" ? "lobby.clock.minutes" : "lobby.clock.increment", { minutes, seconds });
}

function TableOptions({ game, setup, onChange }: Pick<SetupProps, "game" | "setup" | "onChange">) {
  const t = useT();
  const refused = openRefused(game, setup);
  return (
    <details className="setup-options">
      <summary>{t("lobby.options")}</summary>
      <div className="setup-options-body">
        <label className="setup-line">
          <span>{t("lobby.games")}</span>
          <select
            className="field"
            value={setup.games ?? ""}
            onChange={(event) =>
              onChange({ ...setup, games: event.target.value === "" ? null : Number(event.target.value) })
            }
          >
            <option value="">{t("lobby.games.endless")}</option>
            {SERIES.map((count) => (
              <option key={count} value={count}>
                {count}
              </option>
            ))}
          </select>
        </label>
        <label className="setup-line">
          <span>{t("lobby.pace")}</span>
          <select
            className="field"
            value={setup.pace}
            onChange={(event) => onChange({ ...setup, pace: Number(event.target.value) })}
          >
            {(["fast", "normal", "slow"] as const).map((pace) => (
              <option key={pace} value={PACES[pace]}>
                {t(`lobby.pace.${pace}`)}
              </option>
            ))}
          </select>
        </label>
        <label className="setup-line">
          <span>{t("lobby.clock")}</span>
          <select
            className="field"
            value={setup.clock ?? ""}
            onChange={(event) => onChange({ ...setup, clock: event.target.value || null })}
          >
            <option value="">{t("lobby.clock.none")}</option>
            {CLOCKS.map((clock) => (
              <option key={clock} value={clock}>
                {clockName(clock, t)}
              </option>
            ))}
          </select>
        </label>
        {setup.seats.filter((seat) => seat.kind !== "bot").length > 1 && (
          <label className="check">
            <input
              type="checkbox"
              checked={setup.chat}
              onChange={(event) => onChange({ ...setup, chat: event.target.checked })}
            />
            <span>
              {t("table.chat")}
              <small className="soft">{t("lobby.chat.help")}</small>
            </span>
          </label>
        )}
        <label className="check">
          <input
            type="checkbox"
            checked={setup.fair}
            onChange={(event) => onChange({ ...setup, fair: event.target.checked })}
          />
          <span>
            {t("lobby.fair")}
            <small className="soft">{t("lobby.fair.help")}</small>
          </span>
        </label>
        <label className="check">
          <input
            type="checkbox"
            checked={setup.open && refused === null}
            disabled={refused !== null}
            onChange={(event) => onChange({ ...setup, open: event.target.checked })}
          />
          <span>
            {t("lobby.open")}
            <small className="soft">{t(refused ? `lobby.open.${refused}` : game.hidden ? "lobby.open.help" : "lobby.open.kibitz")}</small>
          </span>
        </label>
        {/* With changed rules the server may choose another agent for the same strength. */}
        {Object.keys(setup.rules).length === 0 && (
          <dl className="setup-specs soft">
            {game.strengths.map(({ key, spec }) => (
              <div key={key}>
                <dt>{strengthWord(key, t)}</dt>
                <dd>
                  <code>{spec}</code>
                </dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </details>
  );
}
