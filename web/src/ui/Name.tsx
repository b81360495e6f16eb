// A name where room is short: it may break after an underscore, as names of agents have them, and is its own title.

import { Fragment } from "react";

export function Name({ name, className }: { name: string; className?: string }) {
  const parts = name.split(/(?<=_)/);
  return (
    <span className={className} title={name}>
      {parts.map((part, i) => (
        <Fragment key={i}>
          {i > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  );
}
