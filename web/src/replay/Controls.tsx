// The slider of a replay with its buttons and keys, and automatic play.

import { useEffect, useState } from "react";
import { useT } from "../i18n";
import { useKeys } from "../ui/hooks";

const BEAT = 900;

interface Props {
  at: number;
  last: number;
  onGo(step: number): void;
}

const ICONS = {
  first: "M5 4v12 M16 4 8 10l8 6z",
  back: "M14 4 6 10l8 6z",
  play: "M6 3.500v13L16.500 10z",
  pause: "M6 4h3v12H6z M11 4h3v12h-3z",
  forward: "M6 4l8 6-8 6z",
  last: "M15 4v12 M4 4l8 6-8 6z",
};

function Icon({ name }: { name: keyof typeof ICONS }) {
  return (
    <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">
      <path
        d={ICONS[name]}
        fill="currentColor"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  );
}

/** Elements that take the space bar for themselves. */
function pressable(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("button, a, summary, [role=button]") !== null;
}

export function Controls({ at, last, onGo }: Props) {
  const t = useT();
  const [playing, setPlaying] = useState(false);
  const go = (step: number) => onGo(Math.max(0, Math.min(last, step)));
  const stopAt = (step: number) => {
    setPlaying(false);
    go(step);
  };
  const toggle = () => {
    if (!playing && at === last) go(0);
    setPlaying(!playing);
  };

  useEffect(() => {
    if (!playing) return;
    if (at >= last) {
      setPlaying(false);
      return;
    }
    const timer = setTimeout(() => onGo(at + 1), BEAT);
    return () => clearTimeout(timer);
  }, [playing, at, last, onGo]);

  useKeys((key, event) => {
    if (key === "ArrowLeft") stopAt(at - 1);
    else if (key === "ArrowRight") stopAt(at + 1);
    else if (key === "Home") stopAt(0);
    else if (key === "End") stopAt(last);
    else if (key === " " && !pressable(event.target)) toggle();
    else return false;
    return true;
  });

  const button = (name: keyof typeof ICONS, label: string, act: () => void, off: boolean) => (
    <button type="button" className="rp-step" aria-label={label} title={label} disabled={off} onClick={act}>
      <Icon name={name} />
    </button>
  );
  return (
    <div className="rp-controls" role="group" aria-label={t("replay.replay")}>
      <div className="rp-buttons">
        {button("first", t("replay.first"), () => stopAt(0), at === 0)}
        {button("back", t("replay.back"), () => stopAt(at - 1), at === 0)}
        <button
          type="button"
          className="rp-step rp-play"
          aria-label={t(playing ? "replay.pause" : "replay.play")}
          onClick={toggle}
        >
          <Icon name={playing ? "pause" : "play"} />
        </button>
        {button("forward", t("replay.forward"), () => stopAt(at + 1), at === last)}
        {button("last", t("replay.last"), () => stopAt(last), at === last)}
      </div>
      <input
        className="rp-slider"
        type="range"
        min={0}
        max={last}
        value={at}
        aria-label={t("replay.slider")}
        aria-valuetext={t("replay.position", { n: at + 1, all: last + 1 })}
        onChange={(event) => stopAt(Number(event.target.value))}
      />
      <span className="rp-count" aria-hidden="true">
        {at + 1} / {last + 1}
      </span>
    </div>
  );
}
