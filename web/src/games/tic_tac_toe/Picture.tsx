import { Frame } from "../../ui/Frame";

export function Picture() {
  return (
    <Frame>
      <path d="M39 8v48M57 8v48M23 23h50M23 41h50" stroke="var(--line-strong)" strokeWidth="2.200" strokeLinecap="round" />
      <path d="m27 11 8 8m0-8-8 8M44 28l8 8m0-8-8 8M61 45l8 8m0-8-8 8" stroke="var(--accent)" strokeWidth="3" strokeLinecap="round" />
      <circle cx="65" cy="15" r="4.500" fill="none" stroke="var(--gold)" strokeWidth="3" />
      <circle cx="31" cy="32" r="4.500" fill="none" stroke="var(--gold)" strokeWidth="3" />
    </Frame>
  );
}
