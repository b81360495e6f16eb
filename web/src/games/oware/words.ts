// Everything that the Oware board says.

import type { Phrase, Phrases } from "../../i18n";
import type { RulesFace } from "../face";

export const title: Phrase = { en: "Oware", de: "Oware" };
export const about: Phrase = { en: "Sow seeds, capture twos and threes", de: "Samen säen, Zweier und Dreier fangen" };

export const words = {
  pit: { en: "Pit {name}, {count}", de: "Mulde {name}, {count}" },
  pitPlay: { en: "Play pit {name}, {count}", de: "Spiele Mulde {name}, {count}" },
  seeds: { en: "{n} seeds", de: "{n} Samen" },
  seed: { en: "1 seed", de: "1 Samen" },
  store: { en: "{name} has captured {n}", de: "{name} hat {n} gefangen" },
  keys: { en: "Keys 1 to 6 play a pit.", de: "Tasten 1 bis 6 spielen eine Mulde." },
  board: { en: "Oware board", de: "Oware-Brett" },
} as const satisfies Phrases;

export const rules: RulesFace = {
  words: {
    seeds: { en: "Seeds in each pit", de: "Samen je Mulde" },
    must_feed: { en: "Must feed", de: "Pflicht zu füttern" },
    "must_feed.help": {
      en: "An opponent without seeds must be given some, if possible",
      de: "Einem Gegner ohne Samen muss man welche geben, wenn es geht",
    },
    grand_slam: { en: "Grand slam", de: "Grand Slam" },
    "grand_slam.help": {
      en: "A move that would capture all of the opponent’s seeds",
      de: "Ein Zug, der alle Samen des Gegners fangen würde",
    },
    "grand_slam.allowed": { en: "captures them all", de: "fängt sie alle" },
    "grand_slam.nothing": { en: "captures nothing", de: "fängt nichts" },
    repetition: { en: "Repetition ends the game", de: "Wiederholung beendet das Spiel" },
    "repetition.help": {
      en: "As soon as a position comes up for the second time",
      de: "Sobald eine Stellung zum zweiten Mal vorkommt",
    },
    starvation: { en: "An empty row ends the game", de: "Eine leere Reihe beendet das Spiel" },
    "starvation.mover": { en: "when its owner is to move", de: "wenn ihr Besitzer dran ist" },
    "starvation.either": { en: "at once", de: "sofort" },
    leftover: { en: "Seeds left after a majority", de: "Samen nach einer Mehrheit" },
    "leftover.help": {
      en: "A majority of the seeds wins; this decides what happens to the rest",
      de: "Mit mehr als der Hälfte ist das Spiel gewonnen; hier steht, was aus dem Rest wird",
    },
    "leftover.ignored": { en: "stay on the board", de: "bleiben liegen" },
    "leftover.awarded": { en: "go to the owners of the rows", de: "gehen an die Besitzer der Reihen" },
    max_plies: { en: "Longest game, in moves", de: "Längstes Spiel, in Zügen" },
    "max_plies.help": { en: "No game goes on for ever", de: "Damit kein Spiel ewig dauert" },
    payoff: { en: "What counts", de: "Was zählt" },
    "payoff.win": { en: "the win: 1 point", de: "der Sieg: 1 Punkt" },
    "payoff.seeds": { en: "every seed of the difference", de: "jeder Samen Unterschied" },
  },
  groups: [
    { title: { en: "Start", de: "Anfang" }, rules: ["seeds"] },
    { title: { en: "Moves and captures", de: "Züge und Fangen" }, rules: ["must_feed", "grand_slam"] },
    { title: { en: "End of the game", de: "Ende des Spiels" }, rules: ["repetition", "starvation", "leftover", "max_plies", "payoff"] },
  ],
  usual: "abapa",
  names: {
    abapa: { en: "Abapa", de: "Abapa" },
    thesis: { en: "36-seed variant", de: "Variante mit 36 Samen" },
  },
  presets: {
    thesis: { de: "3 Samen je Mulde, keine Pflicht zu füttern, Grand Slam erlaubt, keine Wiederholungsregel" },
    abapa: {
      de: "Turnierregeln: 4 Samen je Mulde, Pflicht zu füttern, ein Grand Slam fängt nichts, Wiederholung beendet das Spiel",
    },
  },
};
