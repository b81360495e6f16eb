// What a board is to the table page: it draws a snapshot and reports what the person does.

import type { ComponentType } from "react";
import type { Language, Snapshot } from "../api/types";

export interface BoardProps {
  snapshot: Snapshot;
  /** Sends an action; the promise says whether the server took it. */
  onAct(action: number | string): void | Promise<boolean>;
  /** An action is on its way: nothing can be played until the server has answered. */
  busy: boolean;
  language: Language;
  animate: boolean;
}

export type BoardComponent = ComponentType<BoardProps>;
