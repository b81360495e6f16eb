// How Leduc poker is played.

import { bettingTerms } from "../betting/terms";
import type { Guide } from "../guide";
import { CardRow } from "../still";

export const guide: Guide = {
  sections: [
    {
      title: { en: "The game", de: "Das Spiel" },
      text: [
        {
          en: "A small hold'em for two. Each player puts in an ante of 1 and gets one card from a deck of six: jack, queen and king, each in two suits.",
          de: "Ein kleines Hold'em für zwei. Jeder zahlt 1 als Grundeinsatz und bekommt eine von sechs Karten: Bube, Dame und König, jeweils in zwei Farben.",
        },
      ],
      pictures: [
        {
          caption: { en: "The deck, the lowest first.", de: "Das Blatt, die niedrigsten zuerst." },
          Picture: () => <CardRow codes={["SJ", "HJ", "SQ", "HQ", "SK", "HK"]} />,
        },
      ],
    },
    {
      title: { en: "Two rounds of betting", de: "Zwei Setzrunden" },
      text: [
        {
          en: "First you bet with your own card alone. Then a public card is laid open, which counts for both, and you bet once more. A bet or raise is 2 in the first round and 4 in the second, and there are at most two of them in a round.",
          de: "Zuerst wird nur mit der eigenen Karte gesetzt. Dann wird eine Karte aufgedeckt, die für beide zählt, und es wird noch einmal gesetzt. Setzen und erhöhen kosten 2 in der ersten und 4 in der zweiten Runde, höchstens zweimal je Runde.",
        },
        {
          en: "You can check while nobody has bet. After a bet you call, raise or fold.",
          de: "Solange niemand gesetzt hat, kannst du schieben. Nach einem Einsatz kannst du mitgehen, erhöhen oder aussteigen.",
        },
      ],
    },
    {
      title: { en: "The showdown", de: "Das Aufdecken" },
      text: [
        {
          en: "A card of the same rank as the public card makes a pair and wins. Otherwise the higher card wins, and equal cards share the pot.",
          de: "Wer ein Paar mit der offenen Karte hat, gewinnt. Sonst gewinnt die höhere Karte, und gleiche Karten teilen den Pot.",
        },
      ],
      pictures: [
        {
          caption: { en: "A pair of jacks with the public card beats a king.", de: "Ein Paar Buben mit der offenen Karte schlägt einen König." },
          Picture: () => <CardRow codes={["SJ", "HJ"]} />,
        },
      ],
    },
  ],
  glossary: bettingTerms,
};
