// The guide of a game, once it is loaded.

import { useEffect, useState } from "react";
import { type Guide, guideOf } from "../games/guide";

export function useGuide(game: string | null): Guide | null {
  const [found, setFound] = useState<{ game: string; guide: Guide } | null>(null);
  useEffect(() => {
    let gone = false;
    if (game === null) return;
    guideOf(game)?.then(
      (guide) => !gone && setFound({ game, guide }),
      () => undefined, // without it the page works as well
    );
    return () => {
      gone = true;
    };
  }, [game]);
  return found?.game === game ? found.guide : null;
}
