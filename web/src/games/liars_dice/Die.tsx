// A die: pips up to nine, a numeral beyond, a star on the wild face, a cup where it is hidden.

const PIPS: Record<number, [number, number][]> = {
  1: [[1, 1]],
  2: [
    [0, 0],
    [2, 2],
  ],
  3: [
    [0, 0],
    [1, 1],
    [2, 2],
  ],
  4: [
    [0, 0],
    [2, 0],
    [0, 2],
    [2, 2],
  ],
  5: [
    [0, 0],
    [2, 0],
    [1, 1],
    [0, 2],
    [2, 2],
  ],
  6: [
    [0, 0],
    [2, 0],
    [0, 1],
    [2, 1],
    [0, 2],
    [2, 2],
  ],
  7: [
    [0, 0],
    [2, 0],
    [0, 1],
    [1, 1],
    [2, 1],
    [0, 2],
    [2, 2],
  ],
  8: [
    [0, 0],
    [1, 0],
    [2, 0],
    [0, 1],
    [2, 1],
    [0, 2],
    [1, 2],
    [2, 2],
  ],
  9: [
    [0, 0],
    [1, 0],
    [2, 0],
    [0, 1],
    [1, 1],
    [2, 1],
    [0, 2],
    [1, 2],
    [2, 2],
  ],
};

interface Props {
  /** From 1; null: hidden. */
  face: number | null;
  label?: string;
  wild?: boolean;
  match?: boolean;
  small?: boolean;
}

export function Die({ face, label, wild = false, match = false, small = false }: Props) {
  const pips = face === null ? undefined : PIPS[face];
  const classes = [
    "die",
    face === null ? "die-hidden" : "",
    wild ? "die-wild" : "",
    match ? "die-match" : "",
    small ? "die-small" : "",
  ];
  const said = label === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": label };
  return (
    <svg className={classes.join(" ")} viewBox="0 0 60 60" focusable="false" {...said}>
      <rect className="die-body" x="3" y="3" width="54" height="54" rx="12" />
      {face === null && (
        <text className="die-text" x="30" y="31">
          ?
        </text>
      )}
      {pips?.map(([x, y], i) => (
        <circle
          key={i}
          className="die-pip"
          cx={15 + 15 * x}
          cy={15 + 15 * y}
          r={face !== null && face > 6 ? 4.6 : 5.4}
        />
      ))}
      {face !== null && !pips && (
        <text className="die-text" x="30" y="31">
          {face}
        </text>
      )}
    </svg>
  );
}
