// A few cards held in a fan: the picture of a card game.

import { useLanguage } from "../i18n";
import { Frame } from "../ui/Frame";
import { faceUrl } from "./cards";

export function Fan({ codes }: { codes: string[] }) {
  const language = useLanguage();
  const middle = (codes.length - 1) / 2;
  return (
    <Frame>
      {codes.map((code, i) => {
        const at = i - middle;
        return (
          <g key={code} transform={`translate(${48 + at * 15} ${34 + Math.abs(at) * 2.5}) rotate(${at * 11})`}>
            <rect x="-16.500" y="-23" width="33" height="46" rx="2.500" fill="#000" opacity=".25" transform="translate(.6 1.200)" />
            <image href={faceUrl(code, language)} x="-16" y="-22.400" width="32" height="44.800" />
          </g>
        );
      })}
    </Frame>
  );
}
