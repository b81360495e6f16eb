// The games that have a face of their own: every folder here with a `face.tsx`. All others get the generic one.

import type { Language, Snapshot } from "../api/types";
import type { GameFace, NamedAction } from "./face";
import { genericFace } from "./generic/face";
import "./boards.css";

const found = import.meta.glob<Partial<GameFace>>(["./*/face.tsx", "!./generic/face.tsx"], { eager: true, import: "face" });

const faces = new Map<string, GameFace>(
  Object.entries(found).map(([path, face]) => [path.split("/")[1] ?? "", { ...genericFace, ...face }]),
);

/** The games with a face of their own, by name. */
export const faceNames: readonly string[] = [...faces.keys()];

/** The face of a game, generic in every part that its folder does not have. */
export function faceOf(game: string): GameFace {
  return faces.get(game) ?? genericFace;
}

/** A game's name in a language. */
export function titleOf(game: { name: string; title: string }, language: Language): string {
  return faceOf(game.name).title?.[language] ?? game.title;
}

/** An action by its name, as the position of a snapshot offers it; with its name alone where it does not. */
export function actionIn(snapshot: Snapshot, name: string): NamedAction {
  for (const view of Object.values(snapshot.views)) {
    const entry = view.legal.find((each) => each.name === name);
    if (entry) return entry;
  }
  return { name };
}

/** An action in words, for lists beside a board. */
export function actionWord(snapshot: Snapshot, action: NamedAction | string, language: Language): string {
  const given = typeof action === "string" ? { name: action } : action;
  return faceOf(snapshot.game.name).say({ ...actionIn(snapshot, given.name), ...given }, language);
}
