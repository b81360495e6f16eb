// How Doppelkopf is played.

import type { Guide } from "../guide";
import { CardRow } from "../still";
import { glossary } from "./glossary";
import { notes } from "./lesson";

export const guide: Guide = {
  sections: [
    {
      title: { en: "What it is about", de: "Worum es geht" },
      text: [
        {
          en: "Four players, two against two, play for tricks. But at first nobody knows who plays with whom. The deck has 48 cards, 9 to ace in four suits, and each card is there twice. Everybody gets twelve.",
          de: "Vier Spieler, zwei gegen zwei, spielen um Stiche. Aber am Anfang weiß niemand, wer mit wem spielt. Das Blatt hat 48 Karten, Neun bis Ass in vier Farben, und jede Karte gibt es zweimal. Jeder bekommt zwölf.",
        },
      ],
    },
    {
      title: { en: "Trumps", de: "Trümpfe" },
      text: [
        {
          en: "More than half of the cards are trumps. They are one suit of their own: the queen of hearts is not a heart.",
          de: "Mehr als die Hälfte der Karten ist Trumpf. Trumpf ist wie eine eigene Farbe: Die Herz-Dame gehört nicht zu Herz.",
        },
      ],
      pictures: [
        {
          caption: {
            en: "All trumps, the highest first: ten of hearts, queens, jacks, and the rest of diamonds.",
            de: "Alle Trümpfe, die höchsten zuerst: Herz-Zehn, Damen, Buben und der Rest von Karo.",
          },
          Picture: () => (
            <CardRow codes={["HT", "CQ", "SQ", "HQ", "DQ", "CJ", "SJ", "HJ", "DJ", "DA", "DT", "DK", "D9"]} />
          ),
        },
        {
          caption: {
            en: "The side suits clubs, spades and hearts: ace, ten, king, nine. In hearts the ten is missing, it is the highest trump.",
            de: "Die Fehlfarben Kreuz, Pik und Herz: Ass, Zehn, König, Neun. In Herz fehlt die Zehn, sie ist der höchste Trumpf.",
          },
          Picture: () => <CardRow codes={["CA", "CT", "CK", "C9"]} />,
        },
      ],
    },
    {
      title: { en: "Tricks", de: "Stiche" },
      text: [
        {
          en: "One player leads, the others follow in turn. You must follow suit: trump to trump, clubs to clubs. If you cannot, play any card. The highest trump takes the trick, otherwise the highest card of the suit led; of two equal cards the first.",
          de: "Einer spielt aus, die anderen geben reihum zu. Du musst bedienen: Trumpf auf Trumpf, Kreuz auf Kreuz. Kannst du nicht, darfst du jede Karte spielen. Den Stich macht der höchste Trumpf, sonst die höchste Karte der ausgespielten Farbe; von zwei gleichen Karten die erste.",
        },
        {
          en: "What counts are the eyes in the tricks: ace 11, ten 10, king 4, queen 3, jack 2, nine 0. There are 240 in all.",
          de: "Gezählt werden die Augen in den Stichen: Ass 11, Zehn 10, König 4, Dame 3, Bube 2, Neun 0. Zusammen sind es 240.",
        },
      ],
      pictures: [
        {
          caption: { en: "11, 10, 4, 3, 2 and 0 eyes.", de: "11, 10, 4, 3, 2 und 0 Augen." },
          Picture: () => <CardRow codes={["SA", "ST", "SK", "SQ", "SJ", "S9"]} />,
        },
      ],
    },
    {
      title: { en: "Who plays with whom", de: "Wer mit wem spielt" },
      text: [
        {
          en: "The two players with the queens of clubs are Re, the others Kontra. The parties show when a queen of clubs is played, or when somebody calls.",
          de: "Die beiden mit den Kreuz-Damen sind Re, die anderen Kontra. Die Parteien zeigen sich, wenn eine Kreuz-Dame fällt oder jemand ansagt.",
        },
        {
          en: "A player with both queens of clubs can say wedding: the first other player to take one of tricks one to three becomes the partner. Or keep silent and play a silent solo against all others.",
          de: "Wer beide Kreuz-Damen hat, kann Hochzeit sagen: Wer von den anderen zuerst einen der ersten drei Stiche macht, wird Partner. Oder er schweigt und spielt ein stilles Solo gegen die drei anderen.",
        },
        {
          en: "Before the first card everybody says healthy or announces a reservation: a wedding or a solo, in which one plays against three with trumps of their own choice.",
          de: "Vor der ersten Karte sagt jeder gesund oder meldet einen Vorbehalt: Hochzeit oder Solo. Beim Solo spielt einer gegen drei und bestimmt, was Trumpf ist.",
        },
      ],
      pictures: [
        {
          caption: { en: "With one of these you are Re.", de: "Mit einer von diesen bist du Re." },
          Picture: () => <CardRow codes={["CQ", "CQ"]} />,
        },
      ],
    },
    {
      title: { en: "Calls", de: "Ansagen" },
      text: [
        {
          en: "If you think that your party will win, call Re or Kontra: the game is worth 2 points more. After that you can promise more: no 90 (the others stay below 90 eyes), no 60, no 30, black (they take no trick). Each is worth one point more, and a promise that fails loses the game. A call needs enough cards in hand: 11 for Re or Kontra, 10 for no 90, and so on.",
          de: "Glaubst du, dass deine Partei gewinnt, sag Re oder Kontra an: Das Spiel zählt 2 Punkte mehr. Danach kannst du mehr versprechen: keine 90 (die anderen bleiben unter 90 Augen), keine 60, keine 30, schwarz (sie machen keinen Stich). Jede Absage zählt einen Punkt mehr, und wer sein Versprechen nicht hält, verliert. Dafür brauchst du genug Karten auf der Hand: 11 für Re oder Kontra, 10 für keine 90 und so weiter.",
        },
      ],
    },
    {
      title: { en: "The score", de: "Die Abrechnung" },
      text: [
        {
          en: "Re wins with 121 eyes, Kontra with 120. The winners get 1 point, and 1 more for each of these: the others below 90, 60, 30 eyes, or without a trick. Then there are the calls and the special points: Kontra has won (against the queens), a fox caught, Charlie takes the last trick, a Doppelkopf (a trick of 40 eyes or more).",
          de: "Re gewinnt mit 121 Augen, Kontra mit 120. Die Sieger bekommen 1 Punkt und je 1 dazu, wenn die anderen unter 90, 60 oder 30 Augen bleiben oder gar keinen Stich machen. Dazu kommen die Ansagen und die Sonderpunkte: Kontra hat gewonnen (gegen die Alten), ein Fuchs gefangen, Karlchen macht den letzten Stich, ein Doppelkopf (ein Stich mit 40 Augen oder mehr).",
        },
        {
          en: "Who plays alone wins or pays three times as much, and there are no special points.",
          de: "Wer allein spielt, gewinnt oder zahlt das Dreifache, und Sonderpunkte gibt es nicht.",
        },
      ],
      pictures: [
        {
          caption: { en: "The fox and Charlie.", de: "Der Fuchs und Karlchen." },
          Picture: () => <CardRow codes={["DA", "CJ"]} />,
        },
      ],
    },
  ],
  glossary,
  notes,
};
