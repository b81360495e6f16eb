// Cards that players of a betting game hold.

import { useLanguage } from "../../i18n";
import type { PiecesFace } from "../face";
import { spoken } from "./PlayingCard";
import { words } from "./words";

const red = (code: string) => /^.[hd]$/.test(code);

function Small({ code }: { code: string }) {
  const text = spoken(code, useLanguage());
  return (
    <span className={red(code) ? "mini-card red" : "mini-card"} role="img" aria-label={text}>
      {text.split(/(?=[♠♥♦♣])/).map((part) => (
        <span key={part}>{part}</span>
      ))}
    </span>
  );
}

export const pieces: PiecesFace = {
  groups: (_, codes, language) => [{ title: words.cards[language], codes }],
  text: spoken,
  red,
  Small,
  exactly: words.exactly,
};
