// Leduc poker: its house rules in words.

import type { Phrase } from "../../i18n";
import type { RulesFace } from "../face";

export const title: Phrase = { en: "Leduc Poker", de: "Leduc-Poker" };
export const about: Phrase = { en: "Six cards, two betting rounds", de: "Sechs Karten, zwei Setzrunden" };

export const rules: RulesFace = {
  words: {
    ranks: { en: "Ranks", de: "Kartenwerte" },
    "ranks.help": { en: "3: jack, queen, king", de: "3: Bube, Dame, König" },
    suits: { en: "Suits", de: "Farben" },
    "suits.help": { en: "Each rank has one card of every suit", de: "Jeden Wert gibt es einmal in jeder Farbe" },
    stakes: { en: "Stakes before the deal", de: "Einsatz vor dem Geben" },
    "stakes.0": { en: "Seat 1", de: "Platz 1" },
    "stakes.1": { en: "Seat 2", de: "Platz 2" },
    bets: { en: "Size of a raise", de: "Höhe einer Erhöhung" },
    "bets.0": { en: "First round", de: "Erste Runde" },
    "bets.1": { en: "Second round", de: "Zweite Runde" },
    raises: { en: "Raises in a round", de: "Erhöhungen je Runde" },
    "raises.help": { en: "The most that are allowed", de: "Höchstens so viele" },
  },
  groups: [
    { title: { en: "Deck", de: "Kartenspiel" }, rules: ["ranks", "suits"] },
    { title: { en: "Betting", de: "Einsätze" }, rules: ["stakes", "bets", "raises"] },
  ],
  names: {
    standard: { en: "Standard", de: "Standard" },
    thesis: { en: "Thesis", de: "Abschlussarbeit" },
  },
  presets: {
    standard: { de: "Grundeinsatz 1, Erhöhungen um 2 und 4: das Spiel der Literatur" },
    thesis: { de: "Der Geber (Platz 1) setzt 0,5, der andere 1; in beiden Runden Erhöhungen um 1" },
  },
};
