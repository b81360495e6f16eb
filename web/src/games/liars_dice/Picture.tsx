import { Frame } from "../../ui/Frame";

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

export function Picture() {
  return (
    <Frame>
      <Die x={34} y={34} turn={-12} dots={[[-1, -1], [1, 1], [0, 0], [-1, 1], [1, -1]]} />
      <Die x={64} y={31} turn={9} dots={[[-1, -1], [1, 1]]} />
    </Frame>
  );
}
