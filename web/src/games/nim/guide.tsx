// How Nim is played.

import type { Guide } from "../guide";
import { Still } from "../still";
import { Board } from "./Board";

export const guide: Guide = {
  sections: [
    {
      title: { en: "The game", de: "Das Spiel" },
      text: [
        {
          en: "Sticks lie in heaps. Two players take turns: choose one heap and take as many sticks from it as you like, at least one.",
          de: "Hölzchen liegen auf Haufen. Zwei Spieler ziehen abwechselnd: Wähle einen Haufen und nimm beliebig viele Hölzchen davon, mindestens eins.",
        },
        {
          en: "Whoever takes the last stick wins. In misère play it is the other way round: whoever has to take it loses.",
          de: "Wer das letzte Hölzchen nimmt, gewinnt. Bei Misère ist es umgekehrt: Wer es nehmen muss, verliert.",
        },
      ],
      pictures: [
        {
          caption: { en: "The usual start: heaps of 1, 3, 5 and 7.", de: "Der übliche Anfang: Haufen mit 1, 3, 5 und 7 Hölzchen." },
          Picture: () => <Still Board={Board} name="nim" facts={{ heaps: [1, 3, 5, 7] }} params={{ heaps: [1, 3, 5, 7] }} />,
        },
      ],
    },
    {
      title: { en: "A first hint", de: "Ein erster Tipp" },
      text: [
        {
          en: "Two equal heaps are good for the player who is not to move: whatever is taken from one, take from the other.",
          de: "Zwei gleiche Haufen sind gut für den, der nicht am Zug ist: Was vom einen genommen wird, nimmst du vom anderen.",
        },
      ],
    },
  ],
  glossary: [
    {
      word: { en: "misère", de: "Misère" },
      text: { en: "The player who takes the last stick loses.", de: "Wer das letzte Hölzchen nimmt, verliert." },
    },
  ],
};
