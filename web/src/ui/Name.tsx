// A name where space is tight: it may break after an underscore, as in names of agents, and has itself as its title.

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
