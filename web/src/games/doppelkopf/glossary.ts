// The words of Doppelkopf.

import type { Term } from "../../ui/Explained";

export const glossary: Term[] = [
  {
    word: { en: "eyes", de: "Augen" },
    text: { en: "What cards count: ace 11, ten 10, king 4, queen 3, jack 2, nine 0.", de: "Was Karten zählen: Ass 11, Zehn 10, König 4, Dame 3, Bube 2, Neun 0." },
  },
  {
    word: { en: "Re", de: "Re" },
    text: {
      en: "The party with the queens of clubs, or who plays a solo. Also the call of this party, worth 2 points.",
      de: "Die Partei mit den Kreuz-Damen, oder wer ein Solo spielt. Auch die Ansage dieser Partei, 2 Punkte wert.",
    },
  },
  {
    word: { en: "Kontra", de: "Kontra" },
    text: {
      en: "The party without the queens of clubs. Also the call of this party, worth 2 points.",
      de: "Die Partei ohne Kreuz-Dame. Auch die Ansage dieser Partei, 2 Punkte wert.",
    },
  },
  {
    word: { en: "fox", de: "Fuchs" },
    also: { en: "foxes", de: "Füchse" },
    text: {
      en: "The ace of diamonds. If the other party takes it, that party gets a point.",
      de: "Das Karo-Ass. Fängt es die andere Partei, bekommt sie einen Punkt.",
    },
  },
  {
    word: { en: "Charlie", de: "Karlchen" },
    also: { en: "Charlie Miller", de: "Karlchen Müller" },
    text: { en: "The jack of clubs that takes the last trick: one point.", de: "Der Kreuz-Bube, der den letzten Stich macht: ein Punkt." },
  },
  {
    word: { en: "Doppelkopf", de: "Doppelkopf" },
    text: { en: "A trick of 40 eyes or more: one point. The game is named after it.", de: "Ein Stich mit 40 Augen oder mehr: ein Punkt. Danach heißt das Spiel." },
  },
  {
    word: { en: "against the queens", de: "gegen die Alten" },
    text: { en: "A point for Kontra if Kontra wins.", de: "Ein Punkt für Kontra, wenn Kontra gewinnt." },
  },
  {
    word: { en: "trump", de: "Trumpf" },
    also: { en: "trumps", de: "Trümpfe" },
    text: {
      en: "Ten of hearts, queens, jacks and diamonds, in this order. They beat all other cards.",
      de: "Herz-Zehn, Damen, Buben und Karo, in dieser Reihenfolge. Sie stechen alle anderen Karten.",
    },
  },
  {
    word: { en: "side suits", de: "Fehlfarben" },
    also: { en: "side suit", de: "Fehlfarbe,Fehl" },
    text: { en: "Clubs, spades and hearts, as far as they are not trumps.", de: "Kreuz, Pik und Herz, soweit sie nicht Trumpf sind." },
  },
  {
    word: { en: "wedding", de: "Hochzeit" },
    text: {
      en: "A player with both queens of clubs looks for a partner: the first other player to take one of the first three tricks.",
      de: "Wer beide Kreuz-Damen hat, sucht einen Partner: wer einen der ersten drei Stiche macht.",
    },
  },
  {
    word: { en: "solo", de: "Solo" },
    also: { en: "solos", de: "Soli" },
    text: { en: "One against three, with trumps of their own choice.", de: "Einer gegen drei; er bestimmt, was Trumpf ist." },
  },
  {
    word: { en: "silent solo", de: "stilles Solo" },
    text: { en: "Both queens of clubs in one hand, and nobody is told.", de: "Beide Kreuz-Damen auf einer Hand, und niemand erfährt es." },
  },
  {
    word: { en: "healthy", de: "gesund" },
    text: { en: "No reservation: you want to play a normal game.", de: "Kein Vorbehalt: Du willst ein normales Spiel spielen." },
  },
  {
    word: { en: "reservation", de: "Vorbehalt" },
    text: {
      en: "You want to play a wedding or a solo; by house rules also poverty.",
      de: "Du willst eine Hochzeit oder ein Solo spielen; nach Hausregeln auch eine Armut.",
    },
  },
  {
    word: { en: "no 90", de: "keine 90" },
    also: { en: "no 60,no 30", de: "keine 60,keine 30" },
    text: { en: "A promise: the others stay below that many eyes.", de: "Ein Versprechen: Die anderen bleiben unter so vielen Augen." },
  },
  {
    word: { en: "black", de: "schwarz" },
    text: { en: "The others take no trick.", de: "Die anderen machen keinen Stich." },
  },
  {
    word: { en: "poverty", de: "Armut" },
    text: {
      en: "House rule: a hand with at most three trumps puts them down. Whoever takes them gives as many cards back and is the partner.",
      de: "Hausregel: Ein Blatt mit höchstens drei Trümpfen legt sie ab. Wer sie nimmt, gibt ebenso viele Karten zurück und ist Partner.",
    },
  },
  {
    word: { en: "throw in", de: "schmeißen" },
    also: { en: "throwing in,thrown in", de: "geschmissen" },
    text: {
      en: "House rule: a bad hand is shown, the deal does not count, and the cards are dealt again.",
      de: "Hausregel: Ein schlechtes Blatt wird gezeigt, das Spiel zählt nicht, und es wird neu gegeben.",
    },
  },
  {
    word: { en: "piglets", de: "Schweinchen" },
    text: {
      en: "House rule: both aces of diamonds in one hand are the highest trumps; shown before the first card or announced when played.",
      de: "Hausregel: Beide Karo-Asse auf einer Hand sind die höchsten Trümpfe; sie werden vor der ersten Karte gezeigt oder beim Ausspielen angesagt.",
    },
  },
  {
    word: { en: "superpiglets", de: "Superschweine" },
    text: {
      en: "House rule: both nines of diamonds in one hand rank above piglets; without nines both kings.",
      de: "Hausregel: Beide Karo-Neunen auf einer Hand stechen Schweinchen; ohne Neunen beide Könige.",
    },
  },
  {
    word: { en: "hyperpiglets", de: "Hyperschweine" },
    text: {
      en: "House rule: both kings of diamonds in one hand rank above superpiglets; without nines both jacks.",
      de: "Hausregel: Beide Karo-Könige auf einer Hand stechen Superschweine; ohne Neunen beide Buben.",
    },
  },
  {
    word: { en: "Genscher", de: "Genscher" },
    text: {
      en: "House rule: whoever plays both kings of diamonds may choose the partner.",
      de: "Hausregel: Wer beide Karo-Könige spielt, darf sich den Partner aussuchen.",
    },
  },
  {
    word: { en: "compulsory solo", de: "Pflichtsolo" },
    also: { en: "compulsory solos", de: "Pflichtsoli" },
    text: {
      en: "The solo that everybody has to play once in a list of a tournament.",
      de: "Das Solo, das jeder in einer Liste des Turniers einmal spielen muss.",
    },
  },
  {
    word: { en: "Bock round", de: "Bockrunde" },
    also: { en: "Bock rounds", de: "Bockrunden" },
    text: {
      en: "House rule: for the next four deals all points count twice.",
      de: "Hausregel: In den nächsten vier Spielen zählen alle Punkte doppelt.",
    },
  },
];
