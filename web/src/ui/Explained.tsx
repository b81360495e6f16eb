// Text in which the words of a game explain themselves: hover, tap or press Enter, and a small note says what is meant.

import { createContext, type ReactNode, useContext, useEffect, useId, useMemo, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { type Phrase, useLanguage } from "../i18n";
import "./explained.css";

export interface Term {
  word: Phrase;
  /** Other forms of the word, separated by commas. */
  also?: Phrase;
  text: Phrase;
}

/** The words of the game that is being played or read about. */
export const TermsContext = createContext<Term[]>([]);

function escaped(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

interface ExplainedProps {
  text: string;
  /** Whether the keyboard reaches the words; not in long lists, where they would be in the way. */
  reachable?: boolean;
}

export function Explained({ text, reachable = true }: ExplainedProps) {
  const terms = useContext(TermsContext);
  const language = useLanguage();
  const [pattern, byWord] = useMemo(() => {
    const forms = new Map<string, Term>();
    for (const term of terms) {
      const words = [term.word[language], ...(term.also?.[language].split(",") ?? [])];
      for (const word of words) if (word.trim()) forms.set(word.trim().toLowerCase(), term);
    }
    const longest = [...forms.keys()].sort((a, b) => b.length - a.length).map(escaped);
    const found = longest.length > 0 ? new RegExp(`(?<![\\p{L}\\d])(${longest.join("|")})(?![\\p{L}\\d])`, "giu") : null;
    return [found, forms] as const;
  }, [terms, language]);
  if (!pattern) return <>{text}</>;
  const parts: ReactNode[] = [];
  const said = new Set<Term>();
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const term = byWord.get(match[0].toLowerCase());
    if (!term || said.has(term)) continue; // once is enough
    said.add(term);
    parts.push(text.slice(end, match.index), <Word key={match.index} word={match[0]} term={term} reachable={reachable} />);
    end = match.index + match[0].length;
  }
  return (
    <>
      {parts}
      {text.slice(end)}
    </>
  );
}

const WIDTH = 260;

function Word({ word, term, reachable }: { word: string; term: Term; reachable: boolean }) {
  const language = useLanguage();
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [place, setPlace] = useState<{ left: number; top: number } | null>(null);
  const open = () => {
    const box = button.current?.getBoundingClientRect();
    if (!box) return;
    const left = Math.max(8, Math.min(box.left, window.innerWidth - WIDTH - 8));
    setPlace({ left, top: box.bottom + 4 });
  };
  const close = () => setPlace(null);
  useEffect(() => {
    if (!place) return;
    const escape = (event: KeyboardEvent) => event.key === "Escape" && close();
    window.addEventListener("keydown", escape);
    window.addEventListener("scroll", close, true);
    return () => {
      window.removeEventListener("keydown", escape);
      window.removeEventListener("scroll", close, true);
    };
  }, [place]);
  return (
    <>
      <button
        ref={button}
        type="button"
        className="term"
        tabIndex={reachable ? undefined : -1}
        aria-describedby={place ? id : undefined}
        onMouseEnter={open}
        onMouseLeave={close}
        onFocus={open}
        onBlur={close}
        onClick={open}
      >
        {word}
      </button>
      {place &&
        createPortal(
          <span role="tooltip" id={id} className="term-note" style={{ ...place, width: WIDTH }}>
            <strong>{term.word[language]}</strong> {term.text[language]}
          </span>,
          document.body,
        )}
    </>
  );
}
