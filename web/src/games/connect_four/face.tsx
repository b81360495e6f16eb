// Connect Four as the page shows it.

import type { GameFace } from "../face";
import { Board } from "./Board";
import { Picture } from "./Picture";
import { about, rules, title } from "./words";

export const face: Partial<GameFace> = { title, about, rules, Picture, Board };
