// What the players have left to think. The server counts; in between the page counts on from what it said last.

import { useEffect, useState } from "react";
import type { ClockState, Snapshot } from "../api/types";
import { labelOf } from "../games/seats";
import { useLanguage, useT } from "../i18n";

const TICK_MS = 100;
const LOW_MS = 20_000;

/** Time as on a clock: hours where there are any, tenths in the last ten seconds. */
export function clockText(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 10) return `0:0${seconds.toFixed(1)}`;
  const whole = Math.floor(seconds);
  const two = (value: number) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** What everybody has left now. */
function useLeft(clock: ClockState | null | undefined): (number | null)[] {
  const [told, setTold] = useState({ clock, at: performance.now() });
  const [now, setNow] = useState(told.at);
  if (told.clock !== clock) {
    const at = performance.now();
    setTold({ clock, at });
    setNow(at);
  }
  const running = clock?.running ?? null;
  useEffect(() => {
    if (running === null) return;
    const timer = setInterval(() => setNow(performance.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [running]);
  const passed = Math.max(0, now - told.at);
  return (clock?.left ?? []).map((left, seat) => (left === null || seat !== running ? left : left - passed));
}

export function Clocks({ snapshot }: { snapshot: Snapshot }) {
  const t = useT();
  const language = useLanguage();
  const left = useLeft(snapshot.clock);
  if (!snapshot.clock || left.every((ms) => ms === null)) return null;
  return (
    <ul className="clocks" aria-label={t("table.clocks")}>
      {left.map(
        (ms, seat) =>
          ms !== null && (
            <li
              key={seat}
              className={`${seat === snapshot.clock?.running ? "running" : ""} ${ms < LOW_MS ? "low" : ""}`}
            >
              <span className="clock-name">{labelOf(snapshot, seat, language)}</span>
              <time role="timer">{clockText(ms)}</time>
            </li>
          ),
      )}
    </ul>
  );
}
