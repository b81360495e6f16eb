// A small picture for each game.

import type { ReactNode } from "react";
import { faceUrl } from "../cards/cards";

const FELT = "var(--felt-2)";

function Frame({ children }: { children: ReactNode }) {
  return (
    <svg className="picture" viewBox="0 0 96 64" aria-hidden="true">
      {children}
    </svg>
  );
}

function Cards({ codes }: { codes: string[] }) {
  const middle = (codes.length - 1) / 2;
  return (
    <Frame>
      {codes.map((code, i) => {
        const at = i - middle;
        return (
          <g key={code} transform={`translate(${48 + at * 15} ${34 + Math.abs(at) * 2.5}) rotate(${at * 11})`}>
            <rect x="-16.500" y="-23" width="33" height="46" rx="2.500" fill="#000" opacity=".25" transform="translate(.6 1.200)" />
            <image href={faceUrl(code)} x="-16" y="-22.400" width="32" height="44.800" />
          </g>
        );
      })}
    </Frame>
  );
}

function Disc({ x, y, r, fill }: { x: number; y: number; r: number; fill: string }) {
  return (
    <>
      <circle cx={x} cy={y + 0.8} r={r} fill="#000" opacity=".28" />
      <circle cx={x} cy={y} r={r} fill={fill} />
      <circle cx={x - r * 0.3} cy={y - r * 0.35} r={r * 0.28} fill="#fff" opacity=".35" />
    </>
  );
}

function Die({ x, y, turn, dots }: { x: number; y: number; turn: number; dots: [number, number][] }) {
  return (
    <g transform={`translate(${x} ${y}) rotate(${turn})`}>
      <rect x="-14" y="-13" width="29" height="29" rx="6" fill="#000" opacity=".28" />
      <rect x="-14.500" y="-14.500" width="29" height="29" rx="6" fill="#fffdf8" />
      {dots.map(([dx, dy]) => (
        <circle key={`${dx},${dy}`} cx={dx * 7.500} cy={dy * 7.500} r="2.700" fill="#23282b" />
      ))}
    </g>
  );
}

const BEANS: Record<number, [number, number][]> = {
  1: [[0, 0]],
  2: [[-2, 0], [2, 0]],
  3: [[-2, 1.500], [2, 1.500], [0, -2]],
};

const PICTURES: Record<string, ReactNode> = {
  doppelkopf: <Cards codes={["HT", "CQ", "SQ", "DA"]} />,
  leduc: (
    <Frame>
      <image href={faceUrl("SK")} x="20" y="10" width="30" height="42" transform="rotate(-8 35 31)" />
      <image href={faceUrl("HQ")} x="38" y="9" width="30" height="42" transform="rotate(6 53 30)" />
      {[0, 1, 2].map((i) => (
        <g key={i}>
          <ellipse cx="77" cy={52 - i * 4.500} rx="11" ry="5" fill="#5d1c29" />
          <ellipse cx="77" cy={50.500 - i * 4.500} rx="11" ry="5" fill="#b8404f" stroke="#fff4e6" strokeWidth="1.200" strokeDasharray="4 3" />
        </g>
      ))}
    </Frame>
  ),
  kuhn: <Cards codes={["SJ", "SQ", "SK"]} />,
  oware: (
    <Frame>
      <rect x="6" y="12" width="84" height="42" rx="14" fill="var(--wood-2)" />
      <rect x="6" y="10" width="84" height="42" rx="14" fill="#9a6a42" />
      {[0, 1].map((row) =>
        [0, 1, 2, 3].map((i) => (
          <g key={`${row}${i}`} transform={`translate(${18 + i * 20} ${21.500 + row * 19})`}>
            <circle r="7.600" fill="#6d4527" />
            <circle r="7.600" cy=".8" fill="#583619" opacity=".55" />
            {(BEANS[((i + row * 2) % 3) + 1] ?? []).map(([dx, dy]) => (
              <circle key={`${dx},${dy}`} cx={dx * 1.250} cy={dy * 1.250} r="2.400" fill="#efe3c8" stroke="#3d2612" strokeWidth=".5" />
            ))}
          </g>
        )),
      )}
    </Frame>
  ),
  liars_dice: (
    <Frame>
      <Die x={34} y={34} turn={-12} dots={[[-1, -1], [1, 1], [0, 0], [-1, 1], [1, -1]]} />
      <Die x={64} y={31} turn={9} dots={[[-1, -1], [1, 1]]} />
    </Frame>
  ),
  connect_four: (
    <Frame>
      <rect x="17" y="5" width="62" height="55" rx="6" fill="#27508f" />
      {[0, 1, 2].map((row) =>
        [0, 1, 2, 3].map((col) => {
          const x = 26.500 + col * 14.400;
          const y = 15.500 + row * 17;
          const what = ["..r.", ".yry", "ryry"][row]?.charAt(col);
          return what === "." ? (
            <circle key={`${row}${col}`} cx={x} cy={y} r="6" fill="#16335f" />
          ) : (
            <Disc key={`${row}${col}`} x={x} y={y} r={6} fill={what === "r" ? "#d2493f" : "#ecc04a"} />
          );
        }),
      )}
    </Frame>
  ),
  tic_tac_toe: (
    <Frame>
      <path d="M39 8v48M57 8v48M23 23h50M23 41h50" stroke="var(--line-strong)" strokeWidth="2.200" strokeLinecap="round" />
      <path d="m27 11 8 8m0-8-8 8M44 28l8 8m0-8-8 8M61 45l8 8m0-8-8 8" stroke="var(--accent)" strokeWidth="3" strokeLinecap="round" />
      <circle cx="65" cy="15" r="4.500" fill="none" stroke="var(--gold)" strokeWidth="3" />
      <circle cx="31" cy="32" r="4.500" fill="none" stroke="var(--gold)" strokeWidth="3" />
    </Frame>
  ),
  nim: (
    <Frame>
      {[1, 3, 5, 7].map((count, row) =>
        Array.from({ length: count }, (_, i) => (
          <g key={`${row}${i}`} transform={`translate(${48 + (i - (count - 1) / 2) * 9} ${6 + row * 14})`}>
            <rect x="-1.300" y="1" width="2.600" height="11" rx="1" fill="#d8b787" />
            <ellipse cy="1.800" rx="2.200" ry="2.600" fill="#b23b34" />
          </g>
        )),
      )}
    </Frame>
  ),
};

export function GamePicture({ name }: { name: string }) {
  return (
    PICTURES[name] ?? (
      <Frame>
        <rect x="14" y="8" width="68" height="48" rx="10" fill={FELT} />
      </Frame>
    )
  );
}
