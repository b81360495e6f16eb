// Three Tricks as the page shows it: the example of docs/add-a-game.md.

import { MiniCard } from "../../cards/Card";
import { isRed, shortName } from "../../cards/cards";
import type { GameFace } from "../face";
import { genericFace } from "../generic/face";
import { Board } from "./Board";
import { about, title, words } from "./words";

export const face: Partial<GameFace> = {
  title,
  about,
  Board,
  pieces: { ...genericFace.pieces, text: shortName, red: isRed, Small: MiniCard, exactly: words.exactly },
  say: ({ name }, language) => shortName(name, language),
};
