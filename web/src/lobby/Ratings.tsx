// How strong the bots of a game are: what each wins from the others, measured in the arena.

import type { GameInfo, Strength } from "../api/types";
import { isWord, type Translate, useT } from "../i18n";
import { figure } from "../i18n/numbers";
import { counted, meanText, unitOf } from "../i18n/units";

/** A strength in the person's language; what the server calls it where the page has no word. */
export function strengthWord(key: string, t: Translate): string {
  const id = `strength.${key}`;
  return isWord(id) ? t(id) : key;
}

/** What a strength wins from the others, in the unit of the game; null where nobody has measured it. */
export function ratingText(game: GameInfo, { rating }: Strength, t: Translate): string | null {
  const unit = unitOf(game);
  return rating ? meanText(unit, rating.value, t.language) + (counted(unit) ? "" : " %") : null;
}

export function Ratings({ game }: { game: GameInfo }) {
  const t = useT();
  const unit = unitOf(game);
  const rated = game.strengths.flatMap((each) => (each.rating ? [{ ...each, rating: each.rating }] : []));
  if (rated.length === 0) return null;
  const mean = (value: number) => meanText(unit, value, t.language);
  const fewest = Math.min(...rated.map(({ rating }) => rating.games));
  return (
    <details className="setup-options">
      <summary>{t("lobby.ratings")}</summary>
      <table className="ratings">
        <thead>
          <tr>
            <th scope="col">{t("lobby.ratings.bot")}</th>
            <th scope="col">{counted(unit) ? t("lobby.ratings.mean", { unit: unit.name[t.language] }) : t("lobby.ratings.score")}</th>
            <th scope="col">{t("lobby.ratings.interval")}</th>
          </tr>
        </thead>
        <tbody>
          {rated.map(({ key, spec, rating }) => (
            <tr key={key}>
              <th scope="row" title={spec}>
                {strengthWord(key, t)}
              </th>
              <td>{mean(rating.value)}</td>
              <td>{rating.low < rating.high ? t("lobby.ratings.from", { low: mean(rating.low), high: mean(rating.high) }) : "–"}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="soft small">
        {t("lobby.ratings.help", { games: figure(fewest, t.language, 0) })} {!counted(unit) && t("lobby.ratings.draws")}
      </p>
    </details>
  );
}
