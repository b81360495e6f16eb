import { Frame } from "../../ui/Frame";

const BEANS: Record<number, [number, number][]> = {
  1: [[0, 0]],
  2: [[-2, 0], [2, 0]],
  3: [[-2, 1.500], [2, 1.500], [0, -2]],
};

export function Picture() {
  return (
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
  );
}
