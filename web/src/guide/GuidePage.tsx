// The page of a game's rules: how it is played, with pictures, and its words.

import { useEffect, useState } from "react";
import { api } from "../api/client";
import type { GameFacts, GameInfo } from "../api/types";
import { faceOf, titleOf } from "../games";
import { guideNames } from "../games/guide";
import { useT } from "../i18n";
import { figure, signed } from "../i18n/numbers";
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
            {game === null && !guideNames.includes(name) && <p role="alert">{t("error.unknown_game")}</p>}
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
        {!guideNames.includes(name) && game?.facts && <Declared game={game} facts={game.facts} />}
        {game && game.parameters.length > 0 && (
          <section className="guide-section">
            <h2>{t("rules.title")}</h2>
            <dl className="guide-words">
              {game.parameters.map((rule) => (
                <div key={rule.name}>
                  <dt>{ruleLabel(t, name, rule.name)}</dt>
                  <dd>{ruleWord(t, name, `${rule.name}.help`, guideNames.includes(name) ? "" : rule.help)}</dd>
                </div>
              ))}
            </dl>
          </section>
        )}
      </article>
    </Page>
  );
}

/** What is true of any game by its own declaration. */
function Declared({ game, facts }: { game: GameInfo; facts: GameFacts }) {
  const t = useT();
  const kinds = facts.kinds.filter((kind) => kind !== "move" && kind !== "chance");
  const parts: [string, (string | false)[]][] = [
    [
      t("guide.players"),
      [
        game.players === 1 ? t("guide.players.one") : t("guide.players.many", { n: game.players }),
        t(game.hidden ? "guide.hidden" : "guide.open"),
        t(facts.chance ? "guide.chance" : "guide.nochance"),
      ],
    ],
    [t("guide.moves"), [t("guide.moves.any"), kinds.length > 0 && t("guide.moves.kinds", { kinds: kinds.join(", ") })]],
    [
      t("guide.end"),
      [
        t("guide.end.length", { n: figure(facts.max_length, t.language) }),
        facts.repetition && t("guide.end.repetition"),
        t("guide.end.pays", { low: signed(facts.min_payoff, t.language), high: signed(facts.max_payoff, t.language) }),
        game.players > 1 && facts.utility === "zero_sum" && t("guide.end.zero_sum"),
        game.players > 1 && facts.utility === "general" && t("guide.end.general"),
      ],
    ],
  ];
  return (
    <section className="guide-section">
      <h2>{t("guide.short")}</h2>
      <p>{t("guide.none")}</p>
      <dl className="guide-words">
        {parts.map(([title, sentences]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{sentences.filter(Boolean).join(" ")}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The game as the server lists it; null until it has answered, or if it does not offer the game. */
/** What the server says of a game; null if it has none of this name, undefined before it has answered. */
function useListed(name: string): GameInfo | null | undefined {
  const [games, setGames] = useState<GameInfo[]>();
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
  return games && (games.find((each) => each.name === name) ?? null);
}
