// Words of the page of a person's own games.

import type { Phrases } from "./phrase";

export const historyWords = {
  "history.title": { en: "Your games", de: "Deine Spiele" },
  "history.about": {
    en: "Kept in this browser only, nowhere else. Lessons and games that you played on from a replay do not count.",
    de: "Nur in diesem Browser gespeichert, sonst nirgends. Lehrspiele und Spiele, die du aus einer Wiederholung heraus weitergespielt hast, zählen nicht.",
  },
  "history.none": {
    en: "No games yet. Each game that you finish at a table appears here.",
    de: "Noch keine Spiele. Jedes Spiel, das du an einem Tisch beendest, erscheint hier.",
  },
  "history.games": { en: "Games", de: "Spiele" },
  "history.record.one": { en: "1 game: {won} won, {drawn} drawn, {lost} lost.", de: "1 Spiel: {won} gewonnen, {drawn} unentschieden, {lost} verloren." },
  "history.record": {
    en: "{games} games: {won} won, {drawn} drawn, {lost} lost.",
    de: "{games} Spiele: {won} gewonnen, {drawn} unentschieden, {lost} verloren.",
  },
  "history.mean": { en: "{mean} {unit} a game.", de: "{mean} {unit} pro Spiel." },
  "history.when": { en: "When", de: "Wann" },
  "history.against": { en: "With", de: "Mit" },
  "history.result": { en: "Result", de: "Ergebnis" },
  "history.mistakes": { en: "Mistakes", de: "Fehler" },
  "history.won": { en: "won", de: "gewonnen" },
  "history.drawn": { en: "drawn", de: "unentschieden" },
  "history.lost": { en: "lost", de: "verloren" },
  "history.all": { en: "All {count} games", de: "Alle {count} Spiele" },
  "history.look": { en: "Look at the game of {when}", de: "Das Spiel vom {when} ansehen" },
  "history.review.one": { en: "Find my mistakes in 1 game", de: "Meine Fehler in 1 Spiel suchen" },
  "history.review": { en: "Find my mistakes in {count} games", de: "Meine Fehler in {count} Spielen suchen" },
  "history.reviewing": { en: "Game {game} of {of}", de: "Spiel {game} von {of}" },
  "history.yourMistakes": { en: "Your mistakes", de: "Deine Fehler" },
  "history.reviewed": { en: "Games reviewed: {games}", de: "Ausgewertete Spiele: {games}" },
  "history.often": {
    en: "Mistakes per game: {mistakes} ({share} % of {decisions} decisions)",
    de: "Fehler pro Spiel: {mistakes} ({share} % von {decisions} Entscheidungen)",
  },
  "history.cost": { en: "Cost per game: {cost}", de: "Kosten pro Spiel: {cost}" },
  "history.phase": { en: "{phase}: {mistakes} of {decisions} decisions", de: "{phase}: {mistakes} von {decisions} Entscheidungen" },
  "history.trend": {
    en: "Mistakes per game in the last {count}: {newest}, before: {before}",
    de: "Fehler pro Spiel in den letzten {count}: {newest}, davor: {before}",
  },
  "history.worst": { en: "The most expensive ones", de: "Die teuersten" },
  "history.noMistakes": { en: "No mistakes found.", de: "Keine Fehler gefunden." },
  "history.slip": { en: "{played} instead of {best}: cost {cost}", de: "{played} statt {best}: kostete {cost}" },
  "history.forget": { en: "Forget all games", de: "Alle Spiele vergessen" },
  "history.forget.sure": { en: "Really forget all of them", de: "Wirklich alle vergessen" },
} satisfies Phrases;
