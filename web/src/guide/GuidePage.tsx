// The page of a game's rules: how it is played, with pictures, and its words.

import { useEffect, useState } from "react";
import { api } from "../api/client";
import type { GameInfo } from "../api/types";
import { faceOf, titleOf } from "../games";
import { guideNames } from "../games/guide";
import { useT } from "../i18n";
import { setPrefs } from "../prefs";
import { go } from "../router";
import { ruleLabel, ruleWord } from "../rules/rules";
import { Page } from "../shell/Page";
import { Explained } from "../ui/Explained";
import { Terms } from "./Terms";
import { useGuide } from "./useGuide";
import "./guide.css";

export function GuidePage({ name }: { name: string }) {
  const t = useT();
  const { language } = t;
  const guide = useGuide(name);
  const game = useListed(name);
  const title = titleOf({ name, title: game?.title ?? name }, language);
  const { Picture, about } = faceOf(name);
  const play = () => {
    setPrefs({ game: name });
    go({ page: "lobby" });
  };
  return (
    <Page title={`${t("guide.title")}: ${title}`}>
      <article className="guide">
        <header className="guide-head">
          <Picture />
          <div>
            <h1>{title}</h1>
            {about && <p className="soft">{about[language]}</p>}
            <div className="row">
              <button type="button" className="button" onClick={() => history.back()}>
                {t("guide.back")}
              </button>
              {game && (
                <button type="button" className="button primary" onClick={play}>
                  {t("guide.play")}
                </button>
              )}
            </div>
          </div>
        </header>
        <Terms game={name}>
          {guide?.sections.map((section) => (
            <section key={section.title.en} className="guide-section">
              <h2>{section.title[language]}</h2>
              {section.text.map((text) => (
                <p key={text.en}>
                  <Explained text={text[language]} />
                </p>
              ))}
              {section.pictures?.map((picture) => (
                <figure key={picture.caption.en}>
                  <picture.Picture />
                  <figcaption>{picture.caption[language]}</figcaption>
                </figure>
              ))}
            </section>
          ))}
        </Terms>
        {guide && guide.glossary.length > 0 && (
          <section className="guide-section">
            <h2>{t("guide.words")}</h2>
            <dl className="guide-words">
              {guide.glossary.map((term) => (
                <div key={term.word.en}>
                  <dt>{term.word[language]}</dt>
                  <dd>{term.text[language]}</dd>
                </div>
              ))}
            </dl>
          </section>
        )}
        {!guideNames.includes(name) && <p>{t("guide.none")}</p>}
        {game && game.parameters.length > 0 && (
          <section className="guide-section">
            <h2>{t("rules.title")}</h2>
            <dl className="guide-words">
              {game.parameters.map((rule) => (
                <div key={rule.name}>
                  <dt>{ruleLabel(t, name, rule.name)}</dt>
                  <dd>{ruleWord(t, name, `${rule.name}.help`, "")}</dd>
                </div>
              ))}
            </dl>
          </section>
        )}
      </article>
    </Page>
  );
}

/** The game as the server lists it; null until it has answered, or if it does not offer the game. */
function useListed(name: string): GameInfo | null {
  const [games, setGames] = useState<GameInfo[]>([]);
  useEffect(() => {
    let gone = false;
    api.games().then(
      (list) => !gone && setGames(list),
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, []);
  return games.find((each) => each.name === name) ?? null;
}
