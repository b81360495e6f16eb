// Words of the kibitz panel.

import type { Phrases } from "./phrase";

export const kibitzWords = {
  "kibitz.kibitzFair": {
    en: "A fair table: the kibitz keeps quiet while the game runs.",
    de: "Ein fairer Tisch: Der Kiebitz schweigt, solange das Spiel läuft.",
  },
  "kibitz.quiet": {
    en: "Against others the kibitz keeps quiet while the game runs, unless everybody wants it.",
    de: "Gegen andere schweigt der Kiebitz, solange das Spiel läuft, es sei denn, alle wollen ihn.",
  },
  "kibitz.wanted": {
    en: "You want the kibitz; it speaks once everybody at the table does.",
    de: "Du willst den Kiebitz; er redet, sobald alle am Tisch ihn wollen.",
  },
  "kibitz.want": { en: "I want the kibitz", de: "Ich will den Kiebitz" },
  "kibitz.unwant": { en: "Rather not", de: "Lieber nicht" },
  "kibitz.kibitzPublic": {
    en: "The kibitz looks over a player's shoulder. Take a seat, or wait until the game is over.",
    de: "Der Kiebitz schaut einem Spieler über die Schulter. Nimm Platz oder warte, bis das Spiel vorbei ist.",
  },
  "kibitz.kibitzOver": {
    en: "The game is over. The replay shows what each decision cost.",
    de: "Das Spiel ist vorbei. Die Wiederholung zeigt, was jede Entscheidung gekostet hat.",
  },
  "kibitz.kibitzWait": {
    en: "This seat has nothing to decide right now.",
    de: "An diesem Platz ist gerade nichts zu entscheiden.",
  },
  "kibitz.think": { en: "Ask for advice", de: "Um Rat fragen" },
  "kibitz.thinking": { en: "Thinking …", de: "Denkt nach …" },
  "kibitz.cancel": { en: "Cancel", de: "Abbrechen" },
  "kibitz.effort": { en: "Effort", de: "Aufwand" },
  "kibitz.quick": { en: "quick", de: "kurz" },
  "kibitz.normal": { en: "normal", de: "normal" },
  "kibitz.deep": { en: "deep", de: "gründlich" },
  "kibitz.shoulder": { en: "Over whose shoulder", de: "Wem über die Schulter" },
  "kibitz.option": { en: "Option", de: "Möglichkeit" },
  "kibitz.won": { en: "won", de: "gewonnen" },
  "kibitz.drawn": { en: "drawn", de: "remis" },
  "kibitz.lost": { en: "lost", de: "verloren" },
  "kibitz.allLose": {
    en: "Lost: no option saves the game against good play.",
    de: "Verloren: Gegen gutes Spiel rettet hier nichts mehr.",
  },
  "kibitz.kibitzNext": { en: "Next decision of {name}", de: "Nächste Entscheidung von {name}" },
  "kibitz.share": { en: "Share of visits", de: "Anteil der Besuche" },
  "kibitz.bestOption": { en: "best", de: "am besten" },
  "kibitz.plusMinus": { en: "{value} plus or minus {error}", de: "{value} plus oder minus {error}" },
  "kibitz.exact": { en: "exact", de: "exakt" },
  "kibitz.thoughtFor": { en: "{seconds} s", de: "{seconds} s" },
  "kibitz.overWorlds": { en: "{n} worlds", de: "{n} Welten" },
  "kibitz.visitsAll": { en: "{n} visits", de: "{n} Besuche" },
  "kibitz.stale": { en: "This was for an earlier position.", de: "Das galt für eine frühere Stellung." },
  "kibitz.line": { en: "Best line", de: "Beste Zugfolge" },
  "kibitz.beliefs": { en: "Who holds what", de: "Wer hält was" },
  "kibitz.beliefsSampled": { en: "Estimated from sampled worlds.", de: "Aus gezogenen Welten geschätzt." },
  "kibitz.heatCell": { en: "{card} at {name}: {p} per cent", de: "{card} bei {name}: {p} Prozent" },
  "kibitz.worlds": { en: "Possible worlds", de: "Mögliche Welten" },
  "kibitz.world": { en: "World {n}", de: "Welt {n}" },
  "kibitz.curve": { en: "Expected result over the game", de: "Erwartetes Ergebnis im Lauf des Spiels" },
  "kibitz.curveEmpty": { en: "Each analysis adds a point.", de: "Jede Analyse fügt einen Punkt hinzu." },
  "kibitz.curveLabel": {
    en: "Curve of the expected result; {n} points, last {value} for {name}",
    de: "Kurve des erwarteten Ergebnisses; {n} Punkte, zuletzt {value} für {name}",
  },
  "kibitz.move": { en: "Move", de: "Zug" },
  "kibitz.numbers": { en: "Numbers", de: "Zahlen" },
  "kibitz.valueFor": { en: "{title} for {name}:", de: "{title} für {name}:" },
  "kibitz.howOften": { en: "How often", de: "Wie oft" },
  "kibitz.whoMoves": { en: "the player to decide", de: "wer gerade dran ist" },
  "kibitz.counting": { en: "Counting the deals …", de: "Die Verteilungen werden gezählt …" },
  "kibitz.heatHint": {
    en: "Per cent that a seat holds at least one; ✓ is certain, · is impossible.",
    de: "Prozent, dass ein Platz mindestens eine davon hält; ✓ ist sicher, · unmöglich.",
  },
} as const satisfies Phrases;
