// How Tic-tac-toe is played.

import type { Guide } from "../guide";
import { Still } from "../still";
import { Board } from "./Board";

export const guide: Guide = {
  sections: [
    {
      title: { en: "The game", de: "Das Spiel" },
      text: [
        {
          en: "Two players take turns. The first puts a cross into an empty cell of the board, the second a circle.",
          de: "Zwei Spieler ziehen abwechselnd. Der erste setzt ein Kreuz in ein freies Feld, der zweite einen Kreis.",
        },
        {
          en: "Whoever has three in a row first wins: across, down or diagonally. If the board is full and nobody has, the game is a draw.",
          de: "Wer zuerst drei in einer Reihe hat, gewinnt: waagerecht, senkrecht oder schräg. Ist das Brett voll und niemand hat sie, endet das Spiel unentschieden.",
        },
      ],
      pictures: [
        {
          caption: { en: "Three crosses on the diagonal: the first player has won.", de: "Drei Kreuze auf der Schrägen: Der erste Spieler hat gewonnen." },
          Picture: () => <Still Board={Board} name="tic_tac_toe" facts={{ board: "xo..xo..x", line: [0, 4, 8] }} over />,
        },
      ],
    },
    {
      title: { en: "A first hint", de: "Ein erster Tipp" },
      text: [
        {
          en: "A move that threatens two lines at once cannot be answered. Between players who see that, every game is a draw.",
          de: "Gegen einen Zug, der zwei Reihen zugleich droht, hilft nichts mehr. Spielen beide fehlerlos, endet jede Partie unentschieden.",
        },
      ],
    },
  ],
  glossary: [],
};
