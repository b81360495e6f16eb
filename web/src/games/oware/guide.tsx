// How Oware is played, and the notes of a guided first game.

import type { Snapshot } from "../../api/types";
import type { Guide } from "../guide";
import { Still } from "../still";
import { Board } from "./Board";

const NO_SOWING = Array.from({ length: 12 }, () => []);

function Position({ pits, captured = [0, 0] }: { pits: number[]; captured?: [number, number] }) {
  return <Still Board={Board} name="oware" facts={{ pits, captured, sowing: NO_SOWING, turn: 0, ended: "" }} />;
}

/** What the person and the other player have captured. */
function stores(snapshot: Snapshot): { mine: number; others: number } {
  const captured = (snapshot.public["captured"] ?? [0, 0]) as [number, number];
  const me = snapshot.you === 1 ? 1 : 0;
  return { mine: captured[me], others: captured[1 - me] ?? 0 };
}

function pitsOf(snapshot: Snapshot): number[] {
  return (snapshot.public["pits"] ?? []) as number[];
}

/** Seeds on the board of the prepared position. */
const PREPARED = 16;

/** What either player had captured in the prepared position. */
function before(snapshot: Snapshot): number {
  const { mine, others } = stores(snapshot);
  return (mine + others + pitsOf(snapshot).reduce((sum, seeds) => sum + seeds, 0) - PREPARED) / 2;
}

export const guide: Guide = {
  sections: [
    {
      title: { en: "The board", de: "Das Brett" },
      text: [
        {
          en: "Each player has the six pits in front of them and a store for captured seeds. At the start every pit holds the same number of seeds: 4 by the usual tournament rules (Abapa), 3 in the 36-seed variant.",
          de: "Jeder Spieler hat die sechs Mulden vor sich und einen Speicher für gefangene Samen. Am Anfang liegen in jeder Mulde gleich viele Samen: 4 nach den üblichen Turnierregeln (Abapa), 3 in der Variante mit 36 Samen.",
        },
      ],
      pictures: [
        {
          caption: { en: "The start with 4 seeds in each pit.", de: "Der Anfang mit 4 Samen je Mulde." },
          Picture: () => <Position pits={[4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4]} />,
        },
      ],
    },
    {
      title: { en: "Sowing", de: "Säen" },
      text: [
        {
          en: "On your turn take all seeds of one of your pits and sow them one by one into the following pits, counter-clockwise. With 12 or more seeds the pit that they came from is left out.",
          de: "Bist du am Zug, nimm alle Samen aus einer deiner Mulden und säe sie einzeln in die folgenden Mulden, gegen den Uhrzeigersinn. Bei 12 oder mehr Samen bleibt die Mulde, aus der sie kamen, leer.",
        },
      ],
      pictures: [
        {
          caption: { en: "After the first player has sown pit C.", de: "Nachdem der erste Spieler Mulde C gesät hat." },
          Picture: () => <Position pits={[4, 4, 0, 5, 5, 5, 5, 4, 4, 4, 4, 4]} />,
        },
      ],
    },
    {
      title: { en: "Capturing", de: "Fangen" },
      text: [
        {
          en: "If your last seed brings one of the other player's pits to exactly 2 or 3, you capture what is in it. If the pit before it also belongs to the other player and holds 2 or 3, you capture that as well, and so on.",
          de: "Macht dein letzter Samen aus einer Mulde des anderen genau 2 oder 3, fängst du ihren Inhalt. Gehört auch die Mulde davor dem anderen und enthält 2 oder 3, fängst du sie ebenfalls, und so weiter.",
        },
      ],
      pictures: [
        {
          caption: {
            en: "Pit F has 3 seeds. The last one falls into c and makes 3 of it, and a and b have 2 each: sowing F captures 7.",
            de: "In F liegen 3 Samen. Der letzte fällt in c und macht daraus 3, a und b haben dann je 2: Wer F sät, fängt 7.",
          },
          Picture: () => <Position pits={[0, 2, 0, 1, 0, 3, 1, 1, 2, 5, 0, 4]} captured={[9, 8]} />,
        },
      ],
    },
    {
      title: { en: "Winning", de: "Gewinnen" },
      text: [
        {
          en: "Whoever has captured more than half of all seeds wins. The game also ends when the player to move has no seeds. What is left on the board then goes to the owners of the rows.",
          de: "Wer mehr als die Hälfte aller Samen gefangen hat, gewinnt. Das Spiel endet auch, wenn der Spieler am Zug keine Samen hat. Was noch liegt, gehört dann dem, in dessen Reihe es liegt.",
        },
        {
          en: "By the usual rules you must feed: if the other player has no seeds, play a move that gives some, if you can. A move that would capture everything the other player has (a grand slam) captures nothing, and a position that comes up again ends the game.",
          de: "Nach den üblichen Regeln musst du füttern: Hat der andere keine Samen, spiele, wenn möglich, einen Zug, der ihm welche gibt. Ein Zug, der alles fangen würde, was der andere hat (Grand Slam), fängt nichts, und eine Stellung, die wiederkehrt, beendet das Spiel.",
        },
      ],
    },
  ],
  glossary: [
    {
      word: { en: "pit", de: "Mulde" },
      also: { en: "pits", de: "Mulden" },
      text: { en: "A hollow of the board; six belong to each player.", de: "Eine Vertiefung im Brett; jedem Spieler gehören sechs." },
    },
    {
      word: { en: "store", de: "Speicher" },
      text: { en: "Where captured seeds go. They never come back.", de: "Dorthin kommen gefangene Samen. Sie bleiben dort." },
    },
    {
      word: { en: "sow", de: "säen" },
      also: { en: "sown,sows,sowing", de: "sät,gesät" },
      text: {
        en: "Take all seeds of a pit and drop them one by one into the following pits.",
        de: "Alle Samen einer Mulde nehmen und einzeln in die folgenden Mulden legen.",
      },
    },
    {
      word: { en: "capture", de: "fangen" },
      also: { en: "captures,captured", de: "fängt,gefangen" },
      text: {
        en: "Take the seeds of a pit that your last seed has brought to 2 or 3.",
        de: "Die Samen einer Mulde nehmen, die dein letzter Samen auf 2 oder 3 gebracht hat.",
      },
    },
    {
      word: { en: "grand slam", de: "Grand Slam" },
      text: {
        en: "A move that would capture all seeds of the other player.",
        de: "Ein Zug, der alle Samen des anderen fangen würde.",
      },
    },
    {
      word: { en: "feed", de: "füttern" },
      text: { en: "Give seeds to a player who has none.", de: "Einem Spieler ohne Samen welche geben." },
    },
  ],
  notes: [
    {
      title: { en: "The game is almost over", de: "Das Spiel ist fast vorbei" },
      text: {
        en: "This game was prepared for you: most seeds are captured, and both of you have the same number. Your row is below. Choose a pit: its seeds are sown one by one into the following pits, to the right and then back through the other row. Pit F has one seed; it falls into a, which has 2. That makes 3, so you capture them. Try it.",
        de: "Dieses Spiel ist für dich vorbereitet: Die meisten Samen sind gefangen, und ihr habt beide gleich viele. Deine Reihe ist unten. Wähle eine Mulde: Ihre Samen werden einzeln in die folgenden Mulden gesät, nach rechts und dann zurück durch die andere Reihe. In Mulde F liegt ein Samen; er fällt in a, wo 2 liegen. Das macht 3, also fängst du sie. Probier es.",
      },
      when: (snapshot) => snapshot.history.length === 0,
    },
    {
      title: { en: "Too much of a good thing", de: "Zu viel des Guten" },
      text: {
        en: "Pit E would make 2 or 3 of all four pits over there: a grand slam, which would leave the other player nothing. By the usual rules such a move captures nothing at all.",
        de: "Mulde E würde aus allen vier Mulden drüben 2 oder 3 machen: ein Grand Slam, der dem anderen nichts ließe. Nach den üblichen Regeln fängt so ein Zug gar nichts.",
      },
      when: (snapshot) => snapshot.history.length === 0,
    },
    {
      title: { en: "You have captured", de: "Du hast gefangen" },
      text: {
        en: "Your last seed made 2 or 3 of a pit on the other side, so its seeds are in your store. More than half of all seeds win.",
        de: "Dein letzter Samen hat aus einer Mulde drüben 2 oder 3 gemacht, also liegen ihre Samen jetzt in deinem Speicher. Mehr als die Hälfte aller Samen gewinnt.",
      },
      when: (snapshot) => stores(snapshot).mine > before(snapshot),
    },
    {
      title: { en: "You have lost seeds", de: "Du hast Samen verloren" },
      text: {
        en: "The other player captured from your row. A pit with 3 or more seeds is safe from most moves, and so is an empty one.",
        de: "Der andere hat aus deiner Reihe gefangen. Eine Mulde mit 3 oder mehr Samen ist vor den meisten Zügen sicher, eine leere auch.",
      },
      when: (snapshot) => stores(snapshot).others > before(snapshot),
    },
    {
      title: { en: "2 and 3 are in danger", de: "2 und 3 sind in Gefahr" },
      text: {
        en: "A pit with 1 or 2 seeds can be captured: one more seed, the last of a move, makes it 2 or 3. Look for such pits on both sides before you move. A pit with 12 or more seeds, a house, goes once around the board and skips itself.",
        de: "Eine Mulde mit 1 oder 2 Samen kann gefangen werden: Ein weiterer Samen, der letzte eines Zuges, macht 2 oder 3 daraus. Such auf beiden Seiten nach solchen Mulden, bevor du ziehst. Eine Mulde mit 12 oder mehr Samen, ein Haus, reicht einmal um das Brett und lässt sich selbst aus.",
      },
      when: (snapshot) => snapshot.history.length >= 2 && snapshot.over === null,
    },
    {
      title: { en: "Feeding", de: "Füttern" },
      text: {
        en: "If the other row is empty, you must play a move that gives seeds, if you have one; pits that do not are not offered then. When nobody can move any more, what lies in a row belongs to its owner, so keep your seeds.",
        de: "Ist die andere Reihe leer, musst du einen Zug spielen, der Samen hinüberbringt, wenn du einen hast; andere Mulden stehen dann nicht zur Wahl. Wenn niemand mehr ziehen kann, gehört jedem, was in seiner Reihe liegt: Behalte deine Samen.",
      },
      when: (snapshot) => snapshot.history.length >= 2 && snapshot.over === null,
    },
    {
      title: { en: "The end", de: "Das Ende" },
      text: {
        en: "More than half of all seeds win, the same number is a draw. Now you know all of it: in the lobby you can play from the beginning, with 4 seeds in every pit.",
        de: "Mehr als die Hälfte aller Samen gewinnt, gleich viele sind unentschieden. Jetzt kennst du alles: In der Lobby kannst du von Anfang an spielen, mit 4 Samen in jeder Mulde.",
      },
      when: (snapshot) => snapshot.over !== null,
    },
  ],
};
