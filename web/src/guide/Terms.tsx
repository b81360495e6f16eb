// Lets the words of a game explain themselves in everything inside; nothing is loaded for no game.

import type { ReactNode } from "react";
import { type Term, TermsContext } from "../ui/Explained";
import { useGuide } from "./useGuide";

const NONE: Term[] = [];

export function Terms({ game, children }: { game: string | null; children: ReactNode }) {
  return <TermsContext.Provider value={useGuide(game)?.glossary ?? NONE}>{children}</TermsContext.Provider>;
}
