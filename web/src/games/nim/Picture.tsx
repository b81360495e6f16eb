import { Frame } from "../../ui/Frame";

export function Picture() {
  return (
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
  );
}
