// Leduc poker as the page shows it.

import { sayBet } from "../betting/betting";
import { BettingBoard } from "../betting/Board";
import { pieces } from "../betting/pieces";
import type { GameFace } from "../face";
import { Picture } from "./Picture";
import { leducTable } from "./table";
import { about, rules, title } from "./words";

export const face: Partial<GameFace> = {
  title,
  about,
  rules,
  Picture,
  Board: (props) => <BettingBoard {...props} table={leducTable(props.snapshot)} />,
  pieces,
  say: (action, snapshot, language) => sayBet(action, leducTable(snapshot).betting, language),
};
