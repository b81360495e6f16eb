// How Connect Four is played.

import type { Guide } from "../guide";
import { Still } from "../still";
import { Board } from "./Board";

export const guide: Guide = {
  sections: [
    {
      title: { en: "The game", de: "Das Spiel" },
      text: [
        {
          en: "Two players take turns and drop a disc of their colour into a column. It falls to the lowest free place.",
          de: "Zwei Spieler werfen abwechselnd einen Stein ihrer Farbe in eine Spalte. Er fällt auf den untersten freien Platz.",
        },
        {
          en: "Whoever first has four of their own discs in a line wins: across, down or diagonally. If the board is full before that, the game is a draw.",
          de: "Wer zuerst vier eigene Steine in einer Reihe hat, gewinnt: waagerecht, senkrecht oder schräg. Ist das Brett vorher voll, endet das Spiel unentschieden.",
        },
      ],
      pictures: [
        {
          caption: { en: "Four on a diagonal.", de: "Vier auf einer Schrägen." },
          Picture: () => (
            <Still
              Board={Board}
              name="connect_four"
              facts={{ board: "......./......./...x.../..xo.../.xoo.../xoox..x", line: [17, 23, 29, 35] }}
              over
            />
          ),
        },
      ],
    },
    {
      title: { en: "A first hint", de: "Ein erster Tipp" },
      text: [
        {
          en: "The middle column is part of the most lines. Look at the place above the one you fill: it is open to the other player next.",
          de: "Durch die mittlere Spalte laufen die meisten Reihen. Achte auf den Platz über deinem Stein: Er ist danach für den anderen frei.",
        },
      ],
    },
  ],
  glossary: [],
};
