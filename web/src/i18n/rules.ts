// Words around house rules; the rules themselves are named by the games.

import type { Phrases } from "./phrase";

export const ruleWords = {
  "rules.title": { en: "House rules", de: "Hausregeln" },
  "rules.count.one": { en: "1 changed", de: "1 geändert" },
  "rules.count.many": { en: "{count} changed", de: "{count} geändert" },
  "rules.changed": { en: "changed", de: "geändert" },
  "rules.changedFrom": { en: "Changed from {preset}", de: "Geändert gegenüber {preset}" },
  "rules.back": { en: "Back to {preset}", de: "Zurück zu {preset}" },
  "rules.preset": { en: "“{name}”", de: "„{name}“" },
  "rules.preset.default": { en: "the usual rules", de: "den üblichen Regeln" },
  "rules.inForce": { en: "Rules", de: "Regeln" },
  "rules.usually": { en: "usually {value}", de: "sonst {value}" },
  "rules.yes": { en: "yes", de: "ja" },
  "rules.no": { en: "no", de: "nein" },
  "rules.nobody": { en: "nobody", de: "niemand" },
  "rules.more": { en: "{rule}: one more", de: "{rule}: eins mehr" },
  "rules.less": { en: "{rule}: one less", de: "{rule}: eins weniger" },
  "rules.range": { en: "{low} to {high}", de: "{low} bis {high}" },
  "rules.needs.integer": {
    en: "Enter a whole number from {low} to {high}.",
    de: "Gib eine ganze Zahl von {low} bis {high} ein.",
  },
  "rules.needs.number": { en: "Enter a number from {low} to {high}.", de: "Gib eine Zahl von {low} bis {high} ein." },
  "rules.refused": { en: "These rules cannot be played: {why}", de: "Mit diesen Regeln geht es nicht: {why}" },
  "rules.group.other": { en: "Other rules", de: "Weitere Regeln" },
} as const satisfies Phrases;
