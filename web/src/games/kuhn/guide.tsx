// How Kuhn poker is played.

import { bettingTerms } from "../betting/terms";
import type { Guide } from "../guide";
import { CardRow } from "../still";

export const guide: Guide = {
  sections: [
    {
      title: { en: "The game", de: "Das Spiel" },
      text: [
        {
          en: "The smallest poker there is. Everybody puts in an ante of 1 and gets one card. The deck has one card more than there are players.",
          de: "Das kleinste Poker, das es gibt. Jeder zahlt 1 als Grundeinsatz und bekommt eine Karte. Das Blatt hat eine Karte mehr, als Spieler da sind.",
        },
      ],
      pictures: [
        {
          caption: { en: "The deck for two, the lowest first: jack, queen, king.", de: "Das Blatt für zwei, die niedrigste zuerst: Bube, Dame, König." },
          Picture: () => <CardRow codes={["SJ", "SQ", "SK"]} />,
        },
      ],
    },
    {
      title: { en: "Betting", de: "Setzen" },
      text: [
        {
          en: "In turn you check or bet 1. After a bet each of the others acts once more: call with 1, or fold.",
          de: "Reihum kannst du schieben oder 1 setzen. Nach einem Einsatz sind die anderen noch einmal dran: mitgehen mit 1 oder aussteigen.",
        },
        {
          en: "At the showdown the highest card of those who are still in takes the pot. If everybody else folds, there is nothing to show.",
          de: "Beim Aufdecken bekommt die höchste Karte derer, die noch dabei sind, den Pot. Steigen alle anderen aus, wird nichts gezeigt.",
        },
      ],
    },
    {
      title: { en: "A first hint", de: "Ein erster Tipp" },
      text: [
        {
          en: "With the jack you never call, with the king always. With the jack you bet now and then: a bluff makes the other player pay you when you have the king.",
          de: "Mit dem Buben gehst du nie mit, mit dem König immer. Mit dem Buben setzt du hin und wieder: Ein Bluff sorgt dafür, dass der König bezahlt wird.",
        },
      ],
    },
  ],
  glossary: [
    ...bettingTerms,
    {
      word: { en: "bluff", de: "Bluff" },
      text: { en: "A bet with a bad card, so that the others give up.", de: "Ein Einsatz mit schlechter Karte, damit die anderen aussteigen." },
    },
  ],
};
