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
  const [shown, setShown] = useState(-1);
  const notes = guide.notes ?? [];
  // A note stays until it is understood, however fast the others play: nobody reads a text that is exchanged meanwhile.
  const reading = shown >= 0 && !understood.includes(shown);
  const at = reading ? shown : notes.findIndex((note, i) => !understood.includes(i) && note.when(snapshot));
  if (at !== shown) setShown(at);
  const note = snapshot.number === 1 ? notes[at] : undefined;
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
