// Liar's dice as the page shows it.

import { useT } from "../../i18n";
import type { GameFace } from "../face";
import { Board } from "./Board";
import { Die } from "./Die";
import { Picture } from "./Picture";
import { about, rules, title, words } from "./words";

function Small({ code }: { code: string }) {
  const t = useT(words);
  return <Die face={Number(code)} small label={t("die", { n: code })} />;
}

export const face: Partial<GameFace> = {
  title,
  about,
  rules,
  Picture,
  Board,
  pieces: {
    groups: (_, codes, language) => [{ title: words.faces[language], codes }],
    text: (code) => code,
    red: () => false,
    Small,
    exactly: words.exactly,
  },
  say: ({ name, kind }, language) => (kind === "challenge" ? words.liar[language] : name.replace("x", " × ")),
};
