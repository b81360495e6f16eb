// Nim as the page shows it.

import { fill } from "../../i18n";
import type { GameFace } from "../face";
import { Board } from "./Board";
import { Picture } from "./Picture";
import { about, rules, title, words } from "./words";

export const face: Partial<GameFace> = {
  title,
  about,
  rules,
  Picture,
  Board,
  // A move is written HEAP:STICKS.
  say({ name }, language) {
    const [heap = "", n = ""] = name.split(":");
    return fill(language, words.move, { heap, n });
  },
};
