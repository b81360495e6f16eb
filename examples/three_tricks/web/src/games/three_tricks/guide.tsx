// How Three Tricks is played.

import type { Guide } from "../guide";
import { CardRow } from "../still";

export const guide: Guide = {
  sections: [
    {
      title: { en: "The game", de: "Das Spiel" },
      text: [
        {
          en: "Three players get three cards each and play three tricks. Follow suit if you can; the highest card of the suit led takes the trick.",
          de: "Drei Spieler bekommen je drei Karten und spielen drei Stiche. Bediene, wenn du kannst; die höchste Karte der ausgespielten Farbe macht den Stich.",
        },
      ],
      pictures: [
        {
          caption: { en: "A suit, the highest card first.", de: "Eine Farbe, die höchste Karte zuerst." },
          Picture: () => <CardRow codes={["CA", "CK", "CQ"]} />,
        },
      ],
    },
  ],
  glossary: [],
};
