import { faceUrl } from "../../cards/cards";
import { useLanguage } from "../../i18n";
import { Frame } from "../../ui/Frame";

export function Picture() {
  const language = useLanguage();
  return (
    <Frame>
      <image href={faceUrl("SK", language)} x="20" y="10" width="30" height="42" transform="rotate(-8 35 31)" />
      <image href={faceUrl("HQ", language)} x="38" y="9" width="30" height="42" transform="rotate(6 53 30)" />
      {[0, 1, 2].map((i) => (
        <g key={i}>
          <ellipse cx="77" cy={52 - i * 4.500} rx="11" ry="5" fill="#5d1c29" />
          <ellipse cx="77" cy={50.500 - i * 4.500} rx="11" ry="5" fill="#b8404f" stroke="#fff4e6" strokeWidth="1.200" strokeDasharray="4 3" />
        </g>
      ))}
    </Frame>
  );
}
