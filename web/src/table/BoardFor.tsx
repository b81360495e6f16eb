// The board of a game: Doppelkopf from here, all others from boards/.

import { boards } from "../boards";
import { DoppelkopfBoard } from "../doppelkopf/DoppelkopfBoard";
import { useT } from "../i18n";
import type { BoardProps } from "./board";

/** Draws any game's snapshot; the replay page uses it too. */
export function BoardFor(props: BoardProps) {
  const t = useT();
  const { name } = props.snapshot.game;
  const Board = name === "doppelkopf" ? DoppelkopfBoard : boards[name];
  return Board ? <Board {...props} /> : <p className="notice bad">{t("table.noBoard")}</p>;
}
