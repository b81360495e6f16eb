// Why something was refused. The server has a code and exact words in English; here every code has words for people.

import type { Phrases } from "./phrase";

/** The codes of the server's errors.py, all of them. */
export const refusalWords = {
  "error.bad_request": { en: "The server did not understand this.", de: "Der Server hat das nicht verstanden." },
  "error.no_token": { en: "This needs a seat at the table.", de: "Dafür brauchst du einen Platz am Tisch." },
  "error.foreign_token": { en: "This seat belongs to somebody else.", de: "Dieser Platz gehört jemand anderem." },
  "error.foreign_origin": {
    en: "The server does not take requests from other sites.",
    de: "Der Server nimmt keine Anfragen von anderen Seiten an.",
  },
  "error.fair_table": {
    en: "At a fair table the kibitz keeps quiet while a game runs.",
    de: "An einem fairen Tisch schweigt der Kiebitz, solange ein Spiel läuft.",
  },
  "error.not_shown": {
    en: "This is not yours to see while the game runs.",
    de: "Das darfst du nicht sehen, solange das Spiel läuft.",
  },
  "error.no_chat": { en: "There is no chat at this table.", de: "An diesem Tisch gibt es keinen Chat." },
  "error.not_found": { en: "There is no such thing.", de: "Das gibt es hier nicht." },
  "error.unknown_table": { en: "There is no such table.", de: "Diesen Tisch gibt es nicht." },
  "error.unknown_game": { en: "There is no such game.", de: "Dieses Spiel gibt es nicht." },
  "error.unknown_record": { en: "There is no such record.", de: "Diese Aufzeichnung gibt es nicht." },
  "error.unknown_job": {
    en: "The server has forgotten this review; start it again.",
    de: "Der Server kennt diese Auswertung nicht mehr; starte sie noch einmal.",
  },
  "error.wrong_turn": { en: "It is not your turn.", de: "Du bist nicht an der Reihe." },
  "error.stale_version": {
    en: "The table has moved on; look again and choose.",
    de: "Am Tisch ist inzwischen etwas passiert; schau noch einmal hin.",
  },
  "error.game_over": { en: "This game is over.", de: "Dieses Spiel ist vorbei." },
  "error.game_runs": { en: "The game is not over yet.", de: "Das Spiel ist noch nicht zu Ende." },
  "error.series_over": { en: "This was the last game of the series.", de: "Das war das letzte Spiel der Serie." },
  "error.seat_taken": {
    en: "Somebody else was faster: the seat is taken.",
    de: "Jemand war schneller: Der Platz ist besetzt.",
  },
  "error.cancelled": { en: "This was stopped.", de: "Das wurde angehalten." },
  "error.too_large": { en: "This is too large.", de: "Das ist zu groß." },
  "error.wrong_host": {
    en: "The server does not answer under this address.",
    de: "Unter dieser Adresse antwortet der Server nicht.",
  },
  "error.illegal_action": { en: "That is not allowed here.", de: "Das ist hier nicht erlaubt." },
  "error.invalid": { en: "Something about this is not valid.", de: "Daran stimmt etwas nicht." },
  "error.bad_agent": { en: "This bot cannot play here.", de: "Dieser Bot kann hier nicht spielen." },
  "error.bad_game": {
    en: "The game cannot be played with these rules.",
    de: "Mit diesen Regeln lässt sich das Spiel nicht spielen.",
  },
  "error.bad_record": {
    en: "It is not a valid record, or it breaks the rules of its game.",
    de: "Das ist keine gültige Aufzeichnung, oder sie verstößt gegen die Regeln des Spiels.",
  },
  "error.too_many": { en: "Too many requests; wait a moment.", de: "Zu viele Anfragen; warte einen Moment." },
  "error.too_many_tables": {
    en: "Too many tables at once; wait a moment.",
    de: "Zu viele Tische auf einmal; warte einen Moment.",
  },
  "error.internal": { en: "Something went wrong on the server.", de: "Auf dem Server ist etwas schiefgegangen." },
  "error.busy": {
    en: "The server is busy; try again in a moment.",
    de: "Der Server ist ausgelastet; versuch es gleich noch einmal.",
  },
  "error.store": { en: "This could not be stored; try again.", de: "Das ließ sich nicht speichern; versuch es noch einmal." },
} as const satisfies Phrases;

/** Where nothing, or nothing that we know, came from the server. */
const otherWords = {
  "refused.unreachable": {
    en: "The server cannot be reached. Is it still running?",
    de: "Der Server ist nicht erreichbar. Läuft er noch?",
  },
  "refused.other": { en: "The server refused this ({code}).", de: "Der Server hat das abgelehnt ({code})." },
} as const satisfies Phrases;

export const errorWords = { ...refusalWords, ...otherWords };

/** Codes for which the server's own words, in English, say more than ours. */
export const EXACT: ReadonlySet<string> = new Set(["bad_request", "not_found", "invalid", "bad_agent", "bad_game", "bad_record"]);
