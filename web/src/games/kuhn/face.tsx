// Kuhn poker as the page shows it.

import { Fan } from "../../cards/Fan";
import { sayBet } from "../betting/betting";
import { Board } from "../betting/Board";
import { pieces } from "../betting/pieces";
import type { GameFace } from "../face";
import { about, rules, title } from "./words";

const Picture = () => <Fan codes={["SJ", "SQ", "SK"]} />;

export const face: Partial<GameFace> = { title, about, rules, Picture, Board, pieces, say: sayBet };
