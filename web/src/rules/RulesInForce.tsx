// The rules in force, in the words of the lobby; unusual ones are marked.

import { useEffect, useState } from "react";
import { api } from "../api/client";
import type { Params, Snapshot } from "../api/types";
import { faceOf } from "../games";
import { useT } from "../i18n";
import type { Rules } from "../prefs";
import { Explained } from "../ui/Explained";
import { Fold } from "../ui/Fold";
import { inGroups, presetRules, ruleLabel, ruleText, usualPreset } from "./rules";
import "./rules.css";

export function RulesInForce({ game }: { game: Snapshot["game"] }) {
  const t = useT();
  if (Object.keys(game.params).length === 0) return null;
  return (
    <Fold name="rules" title={t("rules.inForce")}>
      <RuleList name={game.name} params={game.params} />
    </Fold>
  );
}

function RuleList({ name, params }: { name: string; params: Params }) {
  const t = useT();
  const usual = useUsual(name);
  return (
    <dl className="in-force">
      {inGroups(name, Object.keys(params)).map((rule) => {
        const value = params[rule] as Params[string];
        const otherwise = usual[rule] as Params[string] | undefined;
        const changed = otherwise !== undefined && JSON.stringify(otherwise) !== JSON.stringify(value);
        if (!changed && faceOf(name).rules.state?.includes(rule)) return null;
        return (
          <div key={rule} className={changed ? "changed" : undefined}>
            <dt>
              <Explained text={ruleLabel(t, name, rule)} reachable={false} />
            </dt>
            <dd>
              {ruleText(t, name, rule, value)}
              {changed && <small>{t("rules.usually", { value: ruleText(t, name, rule, otherwise) })}</small>}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** The usual rules of a game; empty until the server has answered, and then nothing is marked. */
function useUsual(name: string): Rules {
  const [usual, setUsual] = useState<Rules>({});
  useEffect(() => {
    let gone = false;
    api.games().then(
      (games) => {
        const game = games.find((each) => each.name === name);
        if (game && !gone) setUsual(presetRules(game, usualPreset(game)));
      },
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, [name]);
  return usual;
}
