// Leduc poker as the page shows it.

import { sayBet } from "../betting/betting";
import { Board } from "../betting/Board";
import { pieces } from "../betting/pieces";
import type { GameFace } from "../face";
import { Picture } from "./Picture";
import { about, rules, title } from "./words";

export const face: Partial<GameFace> = { title, about, rules, Picture, Board, pieces, say: sayBet };
