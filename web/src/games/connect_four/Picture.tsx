import { Frame } from "../../ui/Frame";

function Disc({ x, y, r, fill }: { x: number; y: number; r: number; fill: string }) {
  return (
    <>
      <circle cx={x} cy={y + 0.8} r={r} fill="#000" opacity=".28" />
      <circle cx={x} cy={y} r={r} fill={fill} />
      <circle cx={x - r * 0.3} cy={y - r * 0.35} r={r * 0.28} fill="#fff" opacity=".35" />
    </>
  );
}

export function Picture() {
  return (
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
  );
}
