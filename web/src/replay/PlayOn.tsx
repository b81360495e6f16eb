// Playing on from the position that is shown: a new table against bots, with the person at the viewpoint.

import { useState } from "react";
import { api } from "../api/client";
import { keepPass } from "../api/tokens";
import type { SeatRequest, StoredRecord } from "../api/types";
import { useT } from "../i18n";
import { usePrefs } from "../prefs";
import { go } from "../router";

interface Props {
  id: string;
  stored: StoredRecord;
  ply: number;
  seat: number;
  name: string;
  onError(error: unknown): void;
}

/** How strong bots are at seats where people played. */
const STRENGTH = "strong";

export function PlayOn({ id, stored, ply, seat, name, onError }: Props) {
  const t = useT();
  const prefs = usePrefs();
  const [opening, setOpening] = useState(false);
  const open = async () => {
    setOpening(true);
    const seats = stored.seats.map(({ strength }, i): SeatRequest =>
      i === seat
        ? { kind: "person", name: prefs.name.trim() || t("lobby.name.default"), me: true }
        : { kind: "bot", strength: strength ?? STRENGTH },
    );
    try {
      const made = await api.playOn(id, { ply, seats, options: { games: 1, language: t.language } });
      if (made.token) keepPass(made.table, { seat: made.seat, token: made.token, practice: true });
      go({ page: "table", id: made.table });
    } catch (error) {
      onError(error);
      setOpening(false);
    }
  };
  return (
    <button
      type="button"
      className="button small"
      title={t(stored.game.hidden ? "replay.playOnHelp" : "replay.playOnHelpOpen")}
      disabled={opening}
      onClick={() => void open()}
    >
      {t("replay.playOn")} <span className="soft">{t("replay.playOnAs", { name })}</span>
    </button>
  );
}
