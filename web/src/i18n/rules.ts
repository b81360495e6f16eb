// Words of house rules: `rule.GAME.PARAMETER` with its help, its choices and the parts of a list.

export const ruleWords = {
  "rules.title": { en: "House rules", de: "Hausregeln" },
  "rules.count.one": { en: "1 changed", de: "1 geändert" },
  "rules.count.many": { en: "{count} changed", de: "{count} geändert" },
  "rules.changed": { en: "changed", de: "geändert" },
  "rules.changedFrom": { en: "Changed from {preset}", de: "Geändert gegenüber {preset}" },
  "rules.back": { en: "Back to {preset}", de: "Zurück zu {preset}" },
  "rules.preset": { en: "“{name}”", de: "„{name}“" },
  "rules.preset.default": { en: "the usual rules", de: "den üblichen Regeln" },
  "rules.more": { en: "{rule}: one more", de: "{rule}: eins mehr" },
  "rules.less": { en: "{rule}: one less", de: "{rule}: eins weniger" },
  "rules.range": { en: "{low} to {high}", de: "{low} bis {high}" },
  "rules.needs.integer": {
    en: "Enter a whole number from {low} to {high}.",
    de: "Gib eine ganze Zahl von {low} bis {high} ein.",
  },
  "rules.needs.number": { en: "Enter a number from {low} to {high}.", de: "Gib eine Zahl von {low} bis {high} ein." },
  "rules.refused": { en: "These rules cannot be played: {why}", de: "Mit diesen Regeln geht es nicht: {why}" },

  "rules.clash.deck": {
    en: "The deck needs at least 3 cards: more ranks or more suits.",
    de: "Es braucht mindestens 3 Karten: mehr Werte oder mehr Farben.",
  },
  "rules.clash.board": {
    en: "The board is too large: with {rows} rows it can have {columns} columns at most.",
    de: "Das Brett ist zu groß: Bei {rows} Reihen sind höchstens {columns} Spalten möglich.",
  },
  "rules.clash.line": {
    en: "Nobody can win: a line of {connect} does not fit on this board.",
    de: "Niemand kann gewinnen: Eine Reihe von {connect} passt nicht auf dieses Brett.",
  },
  "rules.clash.dice": {
    en: "Too many possible bids: players × dice × faces is {bids}, and 128 is the most.",
    de: "Zu viele mögliche Gebote: Spieler × Würfel × Augen ist {bids}, höchstens 128 gehen.",
  },
  "rules.clash.heaps": { en: "All heaps are empty: put something into one.", de: "Alle Haufen sind leer: Leg etwas hinein." },

  "rules.group.cards": { en: "Cards", de: "Karten" },
  "rules.group.points": { en: "Extra points", de: "Sonderpunkte" },
  "rules.group.start": { en: "Start", de: "Anfang" },
  "rules.group.captures": { en: "Moves and captures", de: "Züge und Fangen" },
  "rules.group.end": { en: "End of the game", de: "Ende des Spiels" },
  "rules.group.deck": { en: "Deck", de: "Kartenspiel" },
  "rules.group.betting": { en: "Betting", de: "Einsätze" },
  "rules.group.other": { en: "Other rules", de: "Weitere Regeln" },

  "rule.doppelkopf.nines": { en: "With nines", de: "Mit Neunen" },
  "rule.doppelkopf.nines.help": {
    en: "48 cards, 12 in each hand; without nines 40 cards, 10 in each hand",
    de: "48 Karten, 12 auf jeder Hand; ohne Neunen 40 Karten, 10 auf jeder Hand",
  },
  "rule.doppelkopf.second_ten": {
    en: "The second ten of hearts beats the first",
    de: "Die zweite Herz-Zehn sticht die erste",
  },
  "rule.doppelkopf.second_ten.help": {
    en: "Where both fall into the same trick",
    de: "Wenn beide Dullen in denselben Stich fallen",
  },
  "rule.doppelkopf.piglets": { en: "Piglets", de: "Schweinchen" },
  "rule.doppelkopf.piglets.help": {
    en: "Both aces of diamonds in one hand are shown: they are the highest trumps and no foxes",
    de: "Wer beide Karo-Asse hat, zeigt es an: Sie sind die höchsten Trümpfe und keine Füchse",
  },
  "rule.doppelkopf.fox_last": { en: "Fox takes the last trick", de: "Fuchs am End" },
  "rule.doppelkopf.fox_last.help": {
    en: "A point for taking the last trick with the ace of diamonds",
    de: "Ein Punkt, wenn das Karo-Ass den letzten Stich macht",
  },
  "rule.doppelkopf.charlie_caught": { en: "Catching Charlie", de: "Karlchen fangen" },
  "rule.doppelkopf.charlie_caught.help": {
    en: "A point for taking the opponents’ jack of clubs in the last trick",
    de: "Ein Punkt für einen Kreuz-Buben der Gegner im letzten Stich",
  },

  "rule.oware.seeds": { en: "Seeds in each pit", de: "Samen je Mulde" },
  "rule.oware.must_feed": { en: "Must feed", de: "Pflicht zu füttern" },
  "rule.oware.must_feed.help": {
    en: "An opponent without seeds must be given some, if possible",
    de: "Einem Gegner ohne Samen muss man welche geben, wenn es geht",
  },
  "rule.oware.grand_slam": { en: "Grand slam", de: "Grand Slam" },
  "rule.oware.grand_slam.help": {
    en: "A move that would capture all seeds of the opponent",
    de: "Ein Zug, der alle Samen des Gegners fangen würde",
  },
  "rule.oware.grand_slam.allowed": { en: "captures them all", de: "fängt sie alle" },
  "rule.oware.grand_slam.nothing": { en: "captures nothing", de: "fängt nichts" },
  "rule.oware.repetition": { en: "Repetition ends the game", de: "Wiederholung beendet das Spiel" },
  "rule.oware.repetition.help": {
    en: "As soon as a position occurs for the second time",
    de: "Sobald eine Stellung zum zweiten Mal vorkommt",
  },
  "rule.oware.starvation": { en: "An empty row ends the game", de: "Eine leere Reihe beendet das Spiel" },
  "rule.oware.starvation.mover": { en: "when its owner is to move", de: "wenn ihr Besitzer dran ist" },
  "rule.oware.starvation.either": { en: "at once", de: "sofort" },
  "rule.oware.leftover": { en: "Seeds left after a majority", de: "Samen nach einer Mehrheit" },
  "rule.oware.leftover.help": {
    en: "Who has more than half has won; what happens to the rest",
    de: "Wer mehr als die Hälfte hat, hat gewonnen; was mit dem Rest geschieht",
  },
  "rule.oware.leftover.ignored": { en: "stay on the board", de: "bleiben liegen" },
  "rule.oware.leftover.awarded": { en: "go to the owners of the rows", de: "gehen an die Besitzer der Reihen" },
  "rule.oware.max_plies": { en: "Longest game, in moves", de: "Längstes Spiel, in Zügen" },
  "rule.oware.max_plies.help": { en: "So that no game goes on for ever", de: "Damit kein Spiel ewig dauert" },
  "rule.oware.payoff": { en: "What counts", de: "Was zählt" },
  "rule.oware.payoff.win": { en: "the win: 1 point", de: "der Sieg: 1 Punkt" },
  "rule.oware.payoff.seeds": { en: "every seed more than the other", de: "jeder Samen mehr als der andere" },

  "rule.leduc.ranks": { en: "Ranks", de: "Kartenwerte" },
  "rule.leduc.ranks.help": { en: "3: jack, queen, king", de: "3: Bube, Dame, König" },
  "rule.leduc.suits": { en: "Suits", de: "Farben" },
  "rule.leduc.suits.help": { en: "So many cards of each rank", de: "So viele Karten von jedem Wert" },
  "rule.leduc.stakes": { en: "Stakes before the deal", de: "Einsatz vor dem Geben" },
  "rule.leduc.stakes.0": { en: "Seat 1", de: "Platz 1" },
  "rule.leduc.stakes.1": { en: "Seat 2", de: "Platz 2" },
  "rule.leduc.bets": { en: "Size of a raise", de: "Höhe einer Erhöhung" },
  "rule.leduc.bets.0": { en: "First round", de: "Erste Runde" },
  "rule.leduc.bets.1": { en: "Second round", de: "Zweite Runde" },
  "rule.leduc.raises": { en: "Raises in a round", de: "Erhöhungen je Runde" },
  "rule.leduc.raises.help": { en: "At most so many", de: "Höchstens so viele" },

  "rule.kuhn.players": { en: "Players", de: "Spieler" },
  "rule.kuhn.players.help": { en: "The deck has one card more", de: "Es gibt eine Karte mehr als Spieler" },

  "rule.liars_dice.players": { en: "Players", de: "Spieler" },
  "rule.liars_dice.dice": { en: "Dice for each", de: "Würfel für jeden" },
  "rule.liars_dice.sides": { en: "Faces of a die", de: "Seiten eines Würfels" },
  "rule.liars_dice.sides.help": { en: "The highest is wild", de: "Die höchste Zahl ist Joker" },

  "rule.connect_four.rows": { en: "Rows", de: "Reihen" },
  "rule.connect_four.columns": { en: "Columns", de: "Spalten" },
  "rule.connect_four.connect": { en: "Discs in a line to win", de: "Steine in einer Linie zum Sieg" },

  "rule.nim.heaps": { en: "Heaps", de: "Haufen" },
  "rule.nim.heaps.help": { en: "Sticks in each heap", de: "Hölzchen in jedem Haufen" },
  "rule.nim.heaps.item": { en: "Heap {n}", de: "Haufen {n}" },
  "rule.nim.heaps.add": { en: "Add a heap", de: "Haufen dazu" },
  "rule.nim.heaps.remove": { en: "Remove the last", de: "Letzten weg" },
  "rule.nim.misere": { en: "Who takes the last stick loses", de: "Wer das letzte Hölzchen nimmt, verliert" },
  "rule.nim.misere.help": { en: "Otherwise that wins", de: "Sonst gewinnt das" },
} as const satisfies Record<string, { en: string; de: string }>;
