// The notes of a guided first game, each as soon as it matters and until it is understood.

import { useState } from "react";
import type { Snapshot } from "../api/types";
import type { Guide } from "../games/guide";
import { useT } from "../i18n";
import { Explained } from "../ui/Explained";
import "./guide.css";

export function Coach({ guide, snapshot }: { guide: Guide; snapshot: Snapshot }) {
  const t = useT();
  const [understood, setUnderstood] = useState<readonly number[]>([]);
  const notes = guide.notes ?? [];
  const at = snapshot.number === 1 ? notes.findIndex((note, i) => !understood.includes(i) && note.when(snapshot)) : -1;
  const note = notes[at];
  return (
    <div className="coach-said" aria-live="polite">
      {note && (
        <section className="coach card" aria-label={t("guide.note")}>
          <div>
            <h2>{note.title[t.language]}</h2>
            <p>
              <Explained text={note.text[t.language]} />
            </p>
          </div>
          <button type="button" className="button primary small" onClick={() => setUnderstood([...understood, at])}>
            {t("guide.understood")}
          </button>
        </section>
      )}
    </div>
  );
}
