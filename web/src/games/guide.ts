// What a game tells a beginner: its rules with pictures, its words explained, and the notes of a guided first game.
// A folder of this directory exports it as `guide` from `guide.tsx`; it is loaded when somebody asks for it.

import type { ComponentType } from "react";
import type { Snapshot } from "../api/types";
import type { Phrase } from "../i18n";
import type { Term } from "../ui/Explained";

export interface GuideSection {
  title: Phrase;
  /** Paragraphs. */
  text: Phrase[];
  pictures?: { caption: Phrase; Picture: ComponentType }[];
}

/** Said once in a guided game, as soon as it matters. */
export interface Note {
  title: Phrase;
  text: Phrase;
  when(snapshot: Snapshot): boolean;
}

export interface Guide {
  sections: GuideSection[];
  glossary: Term[];
  /** In the order in which they come up; a game without notes has no guided first game. */
  notes?: Note[];
}

const found = import.meta.glob<Guide>("./*/guide.tsx", { import: "guide" });
const loaders = new Map(Object.entries(found).map(([path, load]) => [path.split("/")[1] ?? "", load]));

/** The games with a page of rules. */
export const guideNames: readonly string[] = [...loaders.keys()];

const loaded = new Map<string, Promise<Guide>>();

/** The guide of a game; null where it has none. */
export function guideOf(game: string): Promise<Guide> | null {
  const load = loaders.get(game);
  if (!load) return null;
  const kept = loaded.get(game) ?? load();
  loaded.set(game, kept);
  return kept;
}
