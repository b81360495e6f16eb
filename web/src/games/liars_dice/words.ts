// Everything that is said over liar's dice.

import type { Phrase, Phrases } from "../../i18n";
import type { RulesFace } from "../face";

export const title: Phrase = { en: "Liar's Dice", de: "Lügenwürfel" };
export const about: Phrase = { en: "Bid higher or call the bluff", de: "Höher bieten oder anzweifeln" };

export const words = {
  die: { en: "die showing {n}", de: "Würfel mit {n}" },
  wildDie: { en: "die showing {n}, wild", de: "Würfel mit {n}, Joker" },
  hiddenDie: { en: "hidden die", de: "verdeckter Würfel" },
  bids: { en: "Bids", de: "Gebote" },
  bidLabel: { en: "Bid: at least {n} dice show {face}", de: "Gebot: mindestens {n} Würfel zeigen {face}" },
  bidOne: { en: "Bid: at least one die shows {face}", de: "Gebot: mindestens ein Würfel zeigt {face}" },
  bidWords: { en: "{name}: at least {n} × {face}", de: "{name}: mindestens {n} × {face}" },
  liar: { en: "Liar!", de: "Lügner!" },
  liarLabel: { en: "Call the last bid a lie", de: "Das letzte Gebot anzweifeln" },
  saidLiar: { en: "{name}: Liar!", de: "{name}: Lügner!" },
  atLeast: { en: "at least", de: "mindestens" },
  noBids: { en: "No bid yet: any bid opens.", de: "Noch kein Gebot: Das erste ist frei." },
  wild: { en: "{face} is wild and counts as every face.", de: "Die {face} ist Joker und zählt als jede Zahl." },
  matching: { en: "{n} dice match the bid {bid}.", de: "{n} Würfel passen zum Gebot {bid}." },
  matchingOne: { en: "One die matches the bid {bid}.", de: "Ein Würfel passt zum Gebot {bid}." },
  table: { en: "Dice table", de: "Würfeltisch" },
  bidGrid: { en: "Choose a bid", de: "Ein Gebot wählen" },
  faces: { en: "Faces", de: "Augen" },
  exactly: {
    en: "Exact probability from the roll alone; what the bids give away is yours to judge.",
    de: "Exakte Wahrscheinlichkeit allein aus dem Wurf; was die Gebote verraten, musst du selbst einschätzen.",
  },
} as const satisfies Phrases;

export const rules: RulesFace = {
  words: {
    players: { en: "Players", de: "Spieler" },
    dice: { en: "Dice per player", de: "Würfel für jeden" },
    sides: { en: "Faces of a die", de: "Seiten eines Würfels" },
    "sides.help": { en: "The highest is wild", de: "Die höchste Zahl ist Joker" },
  },
  groups: [],
  presets: {},
};
