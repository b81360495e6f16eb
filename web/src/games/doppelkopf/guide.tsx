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
          en: "A player with both queens of clubs can say wedding: the first other player to take one of the first three tricks becomes the partner. Or keep silent and play a silent solo against the three others.",
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
    {
      title: { en: "House rules", de: "Hausregeln" },
      text: [
        {
          en: "Many tables play by rules of their own. They are switches when you open a table; “Club rules” have the common ones.",
          de: "Viele Runden spielen nach eigenen Regeln. Du stellst sie ein, wenn du einen Tisch eröffnest; die Vorlage „Stammtisch“ hat die gängigen.",
        },
        {
          en: "Poverty: with at most three trumps you may put them all down. The others are asked in turn whether they take them, knowing only how many there are. Whoever does gives as many cards back and plays with you: the two of you are Re. If nobody does, the deal does not count.",
          de: "Armut: Mit höchstens drei Trümpfen darfst du sie alle ablegen. Die anderen werden reihum gefragt, ob sie sie nehmen, und wissen nur, wie viele es sind. Wer sie nimmt, gibt ebenso viele Karten zurück und spielt mit dir: Ihr zwei seid Re. Nimmt sie niemand, zählt das Spiel nicht.",
        },
        {
          en: "Throwing in: with five nines, five kings, eight aces and tens, or no trump above a fox you may show your hand instead of playing it. The deal does not count, and the cards are dealt again.",
          de: "Schmeißen: Mit fünf Neunen, fünf Königen, acht Vollen oder keinem Trumpf über dem Fuchs darfst du dein Blatt zeigen, statt es zu spielen. Das Spiel zählt nicht, und es wird neu gegeben.",
        },
        {
          en: "Piglets: both foxes in one hand are the highest trumps. With superpiglets, both nines of diamonds rank above them, and with hyperpiglets both kings of diamonds above those. They are shown before the first card, or, by another rule, announced with the first of the two cards: until then the order is as usual, and nobody knows.",
          de: "Schweinchen: Beide Füchse auf einer Hand sind die höchsten Trümpfe. Bei Superschweinen stechen sie die beiden Karo-Neunen auf einer Hand und bei Hyperschweinen diese wiederum die beiden Karo-Könige. Sie werden vor der ersten Karte gezeigt oder, nach einer anderen Regel, beim Ausspielen der ersten der beiden Karten angesagt: Bis dahin gilt die gewöhnliche Reihenfolge, und niemand weiß davon.",
        },
        {
          en: "Genscher: whoever plays both kings of diamonds in a normal game may choose the partner with the second one, except in the last trick. This player stays Re or Kontra, as before, and shows it; the other two play together. Tricks, foxes and calls count for the new parties.",
          de: "Genscher: Wer im Normalspiel beide Karo-Könige spielt, darf sich mit dem zweiten einen Partner aussuchen, nur nicht im letzten Stich. Er bleibt Re oder Kontra, wie er es war, und zeigt es; die anderen beiden spielen zusammen. Stiche, Füchse und Ansagen zählen für die neuen Parteien.",
        },
        {
          en: "Compulsory solos: in a tournament everybody has to play one solo in a list of 24 deals. It goes before the solos of others, its player leads, and the same player begins the next deal. In a Bock round all points count twice.",
          de: "Pflichtsoli: Im Turnier muss jeder in einer Liste von 24 Spielen ein Solo spielen. Es hat Vorrang vor den Soli der anderen, wer es spielt, kommt raus, und danach beginnt noch einmal derselbe. In einer Bockrunde zählen alle Punkte doppelt.",
        },
      ],
      pictures: [
        {
          caption: {
            en: "Hyperpiglets, superpiglets and piglets, the highest first.",
            de: "Hyperschweine, Superschweine und Schweinchen, die höchsten zuerst.",
          },
          Picture: () => <CardRow codes={["DK", "DK", "D9", "D9", "DA", "DA"]} />,
        },
      ],
    },
  ],
  glossary,
  notes,
};
