// Kuhn poker as the page shows it.

import { Fan } from "../../cards/Fan";
import { sayBet } from "../betting/betting";
import { BettingBoard } from "../betting/Board";
import { pieces } from "../betting/pieces";
import type { GameFace } from "../face";
import { kuhnTable } from "./table";
import { about, rules, title } from "./words";

export const face: Partial<GameFace> = {
  title,
  about,
  rules,
  Picture: () => <Fan codes={["SJ", "SQ", "SK"]} />,
  Board: (props) => <BettingBoard {...props} table={kuhnTable(props.snapshot)} />,
  pieces,
  say: (action, snapshot, language) => sayBet(action, kuhnTable(snapshot).betting, language),
};
