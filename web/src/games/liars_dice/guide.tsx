// How Liar's dice is played.

import type { Guide } from "../guide";
import { Die } from "./Die";

function Dice({ faces }: { faces: number[] }) {
  return (
    <div className="card-row" aria-hidden="true">
      {faces.map((face, i) => (
        <Die key={i} face={face} label="" />
      ))}
    </div>
  );
}

export const guide: Guide = {
  sections: [
    {
      title: { en: "The game", de: "Das Spiel" },
      text: [
        {
          en: "All players roll their dice in secret and look at their own. Then they bid in turn: at least so many of all dice on the table show this face.",
          de: "Alle würfeln verdeckt und sehen nur die eigenen Würfel. Dann wird reihum geboten: Mindestens so viele von allen Würfeln am Tisch zeigen diese Zahl.",
        },
        {
          en: "Every bid has to be higher than the one before: more dice, or as many of a higher face. The highest face is wild and counts as every face.",
          de: "Jedes Gebot muss höher sein als das davor: mehr Würfel, oder gleich viele mit einer höheren Zahl. Die höchste Zahl ist der Joker und zählt als jede Zahl.",
        },
      ],
      pictures: [
        {
          caption: { en: "Your die shows 4: 1 × 4 is a true bid, 2 × 4 a guess.", de: "Dein Würfel zeigt eine 4: 1 × 4 stimmt sicher, 2 × 4 ist geraten." },
          Picture: () => <Dice faces={[4]} />,
        },
      ],
    },
    {
      title: { en: "Calling a lie", de: "Anzweifeln" },
      text: [
        {
          en: "Instead of bidding you can call the last bidder a liar. All dice are shown. If the bid was true, the bidder wins 1 from you; if not, you win 1 from the bidder.",
          de: "Statt zu bieten, kannst du das letzte Gebot anzweifeln. Alle Würfel werden gezeigt. Stimmt das Gebot, bekommt der Bieter 1 von dir; stimmt es nicht, bekommst du 1 von ihm.",
        },
      ],
      pictures: [
        {
          caption: { en: "Is 2 × 4 true here? Yes: the 6 is wild.", de: "Stimmt hier 2 × 4? Ja: Die 6 ist Joker." },
          Picture: () => <Dice faces={[4, 6]} />,
        },
      ],
    },
  ],
  glossary: [
    {
      word: { en: "wild", de: "Joker" },
      text: { en: "Counts as every face.", de: "Zählt als jede Zahl." },
    },
    {
      word: { en: "bid", de: "Gebot" },
      also: { en: "bids", de: "Gebote" },
      text: { en: "At least so many of all dice show this face.", de: "Mindestens so viele von allen Würfeln zeigen diese Zahl." },
    },
  ],
};
