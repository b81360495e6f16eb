// The notes of a guided first game: a prepared deal in which the person is Re, holds two side aces and a fox.

import type { Snapshot } from "../../api/types";
import type { Note } from "../guide";
import type { DoppelkopfOutline, DoppelkopfPublic } from "./types";

function table(snapshot: Snapshot): Partial<DoppelkopfPublic> {
  return snapshot.public as Partial<DoppelkopfPublic>;
}

function outline(snapshot: Snapshot): Partial<DoppelkopfOutline> {
  return (snapshot.views[String(snapshot.you)]?.outline ?? {}) as Partial<DoppelkopfOutline>;
}

/** Tricks that are over. */
function tricks(snapshot: Snapshot): number {
  return (table(snapshot).tricks_taken ?? []).reduce((sum, taken) => sum + taken, 0);
}

function playing(snapshot: Snapshot): boolean {
  return Boolean(table(snapshot).contract) && snapshot.over === null;
}

export const notes: Note[] = [
  {
    title: { en: "Your hand", de: "Dein Blatt" },
    text: {
      en: "On the left are your trumps, the highest first: ten of hearts, queens, jacks, diamonds. Then come the side suits. You have one queen of clubs, so you are Re; your partner has the other one, and neither of you knows the other yet. Say healthy: you want a normal game.",
      de: "Links liegen deine Trümpfe, die höchsten zuerst: Herz-Zehn, Damen, Buben, Karo. Danach kommen die Fehlfarben. Du hast eine Kreuz-Dame, also bist du Re; dein Partner hat die andere, und noch kennt ihr euch nicht. Sag gesund: Du willst ein normales Spiel.",
    },
    when: (snapshot) => !table(snapshot).contract && snapshot.over === null,
  },
  {
    title: { en: "Calls", de: "Ansagen" },
    text: {
      en: "Now and then you are asked for a call. With this hand you can risk Re: the game is worth 2 points more, and your partner learns who you are. If you are not sure, call nothing.",
      de: "Ab und zu wirst du nach einer Ansage gefragt. Mit diesem Blatt kannst du Re wagen: Das Spiel zählt 2 Punkte mehr, und dein Partner weiß, wer du bist. Wenn du unsicher bist, sag nichts an.",
    },
    when: (snapshot) => snapshot.prompt?.kind === "call" && playing(snapshot),
  },
  {
    title: { en: "You lead", de: "Du spielst aus" },
    text: {
      en: "Lead an ace of a side suit early: as long as everybody still has that suit, it takes the trick, and an ace brings 11 eyes.",
      de: "Spiel ein Ass einer Fehlfarbe früh aus: Solange alle die Farbe noch haben, macht es den Stich, und ein Ass bringt 11 Augen.",
    },
    when: (snapshot) => playing(snapshot) && tricks(snapshot) === 0 && (table(snapshot).trick ?? []).length === 0,
  },
  {
    title: { en: "Follow suit", de: "Bedienen" },
    text: {
      en: "Cards that you may not play are greyed out: trump has to be answered with trump, a suit with that suit. If you have none of it, you may trump, or throw away any card.",
      de: "Karten, die du nicht spielen darfst, sind blass: Auf Trumpf musst du Trumpf zugeben, auf eine Farbe diese Farbe. Hast du davon keine, darfst du stechen oder irgendetwas abwerfen.",
    },
    when: (snapshot) => playing(snapshot) && (table(snapshot).trick ?? []).length > 0 && snapshot.turn === snapshot.you,
  },
  {
    title: { en: "A trick is over", de: "Ein Stich ist vorbei" },
    text: {
      en: "The highest trump took it, or the highest card of the suit if there was none. The eyes in it count for the whole party: Re needs 121 of 240.",
      de: "Der höchste Trumpf hat ihn gemacht, oder ohne Trumpf die höchste Karte der Farbe. Die Augen darin zählen für die ganze Partei: Re braucht 121 von 240.",
    },
    when: (snapshot) => playing(snapshot) && tricks(snapshot) >= 1,
  },
  {
    title: { en: "Your fox", de: "Dein Fuchs" },
    text: {
      en: "The ace of diamonds is the fox, a low trump with 11 eyes. If the others take it, they get a point. Play it to a trick that your party is sure of.",
      de: "Das Karo-Ass ist der Fuchs, ein kleiner Trumpf mit 11 Augen. Fangen ihn die anderen, bekommen sie einen Punkt. Spiel ihn in einen Stich, der deiner Partei sicher ist.",
    },
    when: (snapshot) =>
      playing(snapshot) && tricks(snapshot) >= 2 && (outline(snapshot).hand ?? []).some((cards) => cards.includes("DA")),
  },
  {
    title: { en: "Now you know your partner", de: "Jetzt kennst du deinen Partner" },
    text: {
      en: "The second queen of clubs was played, or somebody called: the badges beside the names show Re and Kontra. Give your partner's tricks many eyes, and the others' few.",
      de: "Die zweite Kreuz-Dame ist gefallen, oder jemand hat angesagt: Die Schilder neben den Namen zeigen Re und Kontra. Gib in die Stiche deines Partners viele Augen, in die der anderen wenige.",
    },
    when: (snapshot) => playing(snapshot) && (outline(snapshot).parties ?? []).filter((party) => party === "re").length === 2,
  },
  {
    title: { en: "The last tricks", de: "Die letzten Stiche" },
    text: {
      en: "If the jack of clubs takes the last trick, that is Charlie: one point more. Keep it, if your high trumps allow.",
      de: "Macht der Kreuz-Bube den letzten Stich, ist das Karlchen: ein Punkt mehr. Heb ihn auf, wenn deine hohen Trümpfe reichen.",
    },
    when: (snapshot) => playing(snapshot) && tricks(snapshot) >= 8,
  },
  {
    title: { en: "The score", de: "Die Abrechnung" },
    text: {
      en: "The sheet lists what the game was worth: 1 for winning, more if the others stayed below 90, 60 or 30 eyes, the calls, and the special points. Each player of a party gets the same. The notes end here; in the lobby a game of your own begins.",
      de: "Die Liste zeigt, was das Spiel wert war: 1 für den Sieg, mehr, wenn die anderen unter 90, 60 oder 30 Augen blieben, die Ansagen und die Sonderpunkte. Beide einer Partei bekommen gleich viel. Hier enden die Erklärungen; in der Lobby beginnt ein Spiel ohne sie.",
    },
    when: (snapshot) => snapshot.over !== null,
  },
];
