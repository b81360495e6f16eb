// A text in every language of the page.

import type { Words } from "../api/types";

export type Phrase = Words<string>;
export type Phrases = Record<string, Phrase>;
