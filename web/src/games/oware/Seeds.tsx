// Seeds in a hollow: scattered, but always in the same places, and apart from each other while there is room.

import { memo } from "react";
import { scatter } from "../scatter";

interface Spot {
  x: number;
  y: number;
  turn: number;
  shade: number;
}

/** How far apart seeds lie, so that `count` of them fit into a hollow of radius 50. */
function spread(count: number): number {
  if (count <= 5) return 18;
  if (count <= 8) return 14.6;
  if (count <= 13) return 11.6;
  return Math.max(41 / Math.sqrt(count), 5);
}

/** Where the seeds of a round hollow lie, from the middle outwards like in a sunflower. */
export function roundSpots(count: number, place: number): Spot[] {
  const step = spread(count);
  const start = scatter(place, 7) * 6.28;
  return Array.from({ length: count }, (_, i) => {
    const angle = start + i * 2.39996;
    const radius = count === 1 ? 3 : step * Math.sqrt(i + 0.35);
    return {
      x: 50 + radius * Math.cos(angle) + (scatter(place, i, 1) - 0.5) * step * 0.22,
      y: 50 + radius * Math.sin(angle) + (scatter(place, i, 2) - 0.5) * step * 0.22,
      turn: scatter(place, i, 3) * 180,
      shade: Math.floor(scatter(place, i, 4) * 4),
    };
  });
}

/** Where the seeds of a store lie: in threes, like a full trough; upright, from its foot. */
export function longSpots(count: number, place: number): Spot[] {
  const rows = Math.max(8, Math.ceil(count / 3));
  return Array.from({ length: count }, (_, i) => ({
    x: 24 + (i % 3) * 26 + (Math.floor(i / 3) % 2) * 6 - 3 + (scatter(place, i, 1) - 0.5) * 7,
    y: 188 - (Math.floor(i / 3) * 176) / rows + (scatter(place, i, 2) - 0.5) * 5,
    turn: scatter(place, i, 3) * 180,
    shade: Math.floor(scatter(place, i, 4) * 4),
  }));
}

/** The same for a trough that lies: from left to right. */
export function wideSpots(count: number, place: number): Spot[] {
  return Array.from({ length: count }, (_, i) => ({
    x: 18 + Math.floor(i / 3) * 21 + (scatter(place, i, 1) - 0.5) * 5,
    y: 20 + (i % 3) * 26 + (Math.floor(i / 3) % 2) * 6 - 3 + (scatter(place, i, 2) - 0.5) * 5,
    turn: scatter(place, i, 3) * 180,
    shade: Math.floor(scatter(place, i, 4) * 4),
  }));
}

interface Props {
  count: number;
  /** Which hollow: each has its own scatter. */
  place: number;
  shape?: "round" | "tall" | "wide";
}

const BOX = { round: "0 0 100 100", tall: "0 0 100 200", wide: "0 0 300 92" };
const SPOTS = { round: roundSpots, tall: longSpots, wide: wideSpots };

export const Seeds = memo(function Seeds({ count, place, shape = "round" }: Props) {
  const spots = SPOTS[shape](count, place);
  const size = shape === "round" && count > 13 ? (count > 20 ? 7 : 8.5) : 10;
  return (
    <svg
      className={`ow-seeds ow-${shape}`}
      viewBox={BOX[shape]}
      preserveAspectRatio={shape === "wide" ? "xMinYMid" : "xMidYMid"}
      aria-hidden="true"
      focusable="false"
    >
      {spots.map(({ x, y, turn, shade }, i) => (
        <g key={i} transform={`translate(${x.toFixed(1)} ${y.toFixed(1)})`}>
          <ellipse className="ow-shadow" cx="1.4" cy="2.2" rx={size} ry={size * 0.9} />
          <ellipse
            className={`ow-seed ow-seed-${shade}`}
            rx={size}
            ry={size * 0.86}
            transform={`rotate(${turn.toFixed(0)})`}
          />
          <ellipse className="ow-shine" cx={-size * 0.3} cy={-size * 0.36} rx={size * 0.36} ry={size * 0.2} />
        </g>
      ))}
    </svg>
  );
});
