// The boards of all games but Doppelkopf, by the name of the game.

import type { BoardComponent } from "../table/board";
import { ConnectFour } from "./ConnectFour";
import { LiarsDice } from "./LiarsDice";
import { Nim } from "./Nim";
import { Oware } from "./Oware";
import { Poker } from "./Poker";
import { TicTacToe } from "./TicTacToe";
import "./boards.css";

export const boards: Record<string, BoardComponent> = {
  oware: Oware,
  leduc: Poker,
  kuhn: Poker,
  liars_dice: LiarsDice,
  connect_four: ConnectFour,
  tic_tac_toe: TicTacToe,
  nim: Nim,
};
