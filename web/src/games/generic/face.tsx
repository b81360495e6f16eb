// The face of a game that has no folder, and of every part that a folder leaves out.

import type { GameFace } from "../face";
import { Board } from "./Board";
import { Picture } from "./Picture";
import { Result } from "./Result";
import { words } from "./words";

function Small({ code }: { code: string }) {
  return (
    <span className="mini-card" role="img" aria-label={code}>
      <span>{code}</span>
    </span>
  );
}

export const genericFace: GameFace = {
  title: null,
  about: null,
  Picture,
  Board,
  Result,
  Settings: null,
  rules: { words: {}, groups: [], presets: {} },
  pieces: {
    groups: (_, codes, language) => [{ title: words.held[language], codes }],
    text: (code) => code,
    red: () => false,
    Small,
    exactly: words.exactly,
  },
  say: ({ name }) => name,
  silent: () => false,
  phases: {},
  settle: 500,
};
