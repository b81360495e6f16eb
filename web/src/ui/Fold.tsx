// A part of the side column that can be folded away; remembered between visits.

import type { ReactNode } from "react";
import { setPrefs, usePrefs } from "../prefs";

export function Fold({ name, title, children }: { name: string; title: string; children: ReactNode }) {
  const { folded } = usePrefs();
  const open = !folded.includes(name);
  return (
    <section className="fold card">
      <h2>
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setPrefs({ folded: open ? [...folded, name] : folded.filter((each) => each !== name) })}
        >
          <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
            <path d="M3 4.500 6 8l3-3.500" fill="none" stroke="currentColor" strokeWidth="1.800" strokeLinecap="round" strokeLinejoin="round" />
          </svg>
          {title}
        </button>
      </h2>
      {open && <div className="fold-body">{children}</div>}
    </section>
  );
}
