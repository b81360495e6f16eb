// Light or dark, moving or still: the person's choice, or what the system says.

import { useEffect, useSyncExternalStore } from "react";
import { type ThemeChoice, usePrefs } from "../prefs";

export type Theme = "light" | "dark";

const query = (text: string) => (typeof window.matchMedia === "function" ? window.matchMedia(text) : null);

function useMedia(text: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = query(text);
      media?.addEventListener("change", listener);
      return () => media?.removeEventListener("change", listener);
    },
    () => query(text)?.matches ?? false,
  );
}

export function themeOf(choice: ThemeChoice, systemDark: boolean): Theme {
  if (choice === "system") return systemDark ? "dark" : "light";
  return choice;
}

export function useTheme(): Theme {
  return themeOf(usePrefs().theme, useMedia("(prefers-color-scheme: dark)"));
}

/** Puts theme and motion on the root element, for the styles. */
export function useApplyTheme(): void {
  const theme = useTheme();
  const animate = useAnimate();
  useEffect(() => {
    document.documentElement.dataset["theme"] = theme;
    document.documentElement.dataset["motion"] = animate ? "on" : "off";
  }, [theme, animate]);
}

/** Whether things may move: the person's choice here, and the system's preference for reduced motion. */
export function useAnimate(): boolean {
  const still = useMedia("(prefers-reduced-motion: reduce)");
  return usePrefs().animate && !still;
}
