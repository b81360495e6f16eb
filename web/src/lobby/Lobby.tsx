// The first page: choose a game, say who sits where, and play.

import { useEffect, useState } from "react";
import { api, ApiError } from "../api/client";
import { keepPass } from "../api/tokens";
import type { GameInfo, TableRequest } from "../api/types";
import { faceOf, titleOf } from "../games";
import { useLanguage, useT } from "../i18n";
import { type SetupChoice, setPrefs, usePrefs } from "../prefs";
import { Upload } from "../records/Upload";
import { go, hashOf } from "../router";
import { errorText } from "../ui/errors";
import { Page } from "../shell/Page";
import { Setup } from "./Setup";
import { botsRequest, fittingSetup, lessonRequest, tableRequest } from "./setup";
import { Tables } from "./Tables";
import "./lobby.css";

export function Lobby() {
  const t = useT();
  const prefs = usePrefs();
  const [games, setGames] = useState<GameInfo[] | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [tries, setTries] = useState(0);

  useEffect(() => {
    let stopped = false;
    api.games().then(
      (list) => {
        if (stopped) return;
        setGames(list);
        setError(null);
      },
      (failure: unknown) => !stopped && setError(failure),
    );
    return () => {
      stopped = true;
    };
  }, [tries]);

  const game = games?.find((each) => each.name === prefs.game) ?? games?.[0];
  const setup = game && fittingSetup(game, prefs.setups[game.name]);

  const open = async (request: TableRequest) => {
    setBusy(true);
    setError(null);
    setRefused(null);
    try {
      const opened = await api.openTable(request);
      if (opened.token) keepPass(opened.table, { seat: opened.seat, token: opened.token, ...(request.lesson ? { lesson: true } : {}) });
      else if (opened.owner) keepPass(opened.table, { seat: null, token: opened.owner, owner: true });
      go({ page: "table", id: opened.table });
    } catch (failure) {
      if (failure instanceof ApiError && failure.code === "bad_game") setRefused(failure.message);
      else setError(failure);
      setBusy(false);
    }
  };
  const change = (to: SetupChoice) => {
    setRefused(null);
    if (game) setPrefs({ setups: { ...prefs.setups, [game.name]: to } });
  };
  const choose = (name: string) => {
    setRefused(null);
    setPrefs({ game: name });
  };

  return (
    <Page
      actions={
        <a className="button quiet small" href={hashOf({ page: "history" })}>
          {t("history.title")}
        </a>
      }
    >
      <div className="lobby">
        <div className="lobby-head">
          <h1>{t("lobby.choose")}</h1>
          <p className="soft">{t("app.tagline")}</p>
        </div>
        {error !== null && (
          <div className="notice bad lobby-error" role="alert">
            <span>{errorText(error, t)}</span>
            {!games && (
              <button type="button" className="button small" onClick={() => setTries(tries + 1)}>
                {t("app.retry")}
              </button>
            )}
          </div>
        )}
        {!games && !error && (
          <p className="soft" role="status">
            {t("app.loading")}
          </p>
        )}
        {games && game && setup && (
          <>
            <div className="lobby-games" role="radiogroup" aria-label={t("lobby.choose")}>
              {games.map((each) => (
                <label key={each.name} className="game-card">
                  <input
                    type="radio"
                    name="game"
                    className="visually-hidden"
                    value={each.name}
                    checked={each.name === game.name}
                    onChange={() => choose(each.name)}
                  />
                  <About game={each} />
                </label>
              ))}
            </div>
            <Setup
              game={game}
              title={titleOf(game, t.language)}
              setup={setup}
              busy={busy}
              refused={refused}
              onChange={change}
              onPlay={() => void open(tableRequest(game, setup, prefs.name.trim() || t("lobby.name.default")))}
              onWatch={() => void open(botsRequest(game, setup))}
              onLesson={() => void open(lessonRequest(game, prefs.name.trim() || t("lobby.name.default")))}
            />
          </>
        )}
        <div className="lobby-more">
          <Tables />
          <section className="upload card" aria-label={t("lobby.upload")}>
            <div>
              <h2>{t("lobby.upload")}</h2>
              <p className="soft">{t("lobby.upload.help")}</p>
            </div>
            <Upload label={t("lobby.upload.button")} />
          </section>
        </div>
      </div>
    </Page>
  );
}

/** A game as the lobby shows it. */
function About({ game }: { game: GameInfo }) {
  const language = useLanguage();
  const { Picture, about } = faceOf(game.name);
  return (
    <>
      <Picture />
      <span className="game-title">{titleOf(game, language)}</span>
      <span className="game-about">{about?.[language]}</span>
    </>
  );
}
