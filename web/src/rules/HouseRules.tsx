// House rules, folded away: one control per rule, what was changed, and how to go back.

import { type RefObject, useEffect, useId, useRef, useState } from "react";
import type { GameInfo, Parameter } from "../api/types";
import { Terms } from "../guide/Terms";
import { faceOf } from "../games";
import { useLanguage, useT } from "../i18n";
import { figure } from "../i18n/numbers";
import type { RuleValue, SetupChoice } from "../prefs";
import { Explained } from "../ui/Explained";
import { changeRule, choiceWord, goodNumber, goodRule, groupsOf, presetName, ruleLabel, ruleWord, rulesOf } from "./rules";

interface HouseRulesProps {
  game: GameInfo;
  setup: SetupChoice;
  /** Why the server refused these rules. */
  refused: string | null;
  fold: RefObject<HTMLDetailsElement | null>;
  onChange(setup: SetupChoice): void;
}

export function HouseRules({ game, setup, refused, fold, onChange }: HouseRulesProps) {
  const t = useT();
  const rules = rulesOf(game, setup);
  const changed = Object.keys(setup.rules).length;
  const preset = setup.preset === null ? t("rules.preset.default") : t("rules.preset", { name: presetName(t, game.name, setup.preset) });
  const [open, setOpen] = useState(false);
  const notice = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (refused !== null) notice.current?.scrollIntoView?.({ block: "nearest" });
  }, [refused]);
  if (game.parameters.length === 0) return null;
  return (
    <>
      <details className="setup-options" ref={fold} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          {t("rules.title")}
          {changed > 0 && (
            <span className="chip rules-count">
              {changed === 1 ? t("rules.count.one") : t("rules.count.many", { count: changed })}
            </span>
          )}
        </summary>
        <div className="rules">
          <Terms game={open ? game.name : null}>
            {changed > 0 && (
              <div className="rules-back">
                <span role="status">{t("rules.changedFrom", { preset })}</span>
                <button type="button" className="button small" onClick={() => onChange({ ...setup, rules: {} })}>
                  {t("rules.back", { preset })}
                </button>
              </div>
            )}
            {groupsOf(game).map(({ title, parameters }) => {
              const controls = parameters.map((parameter) => (
                <Rule
                  key={parameter.name}
                  game={game.name}
                  parameter={parameter}
                  value={rules[parameter.name] ?? null}
                  changed={parameter.name in setup.rules}
                  onChange={(value) => onChange({ ...setup, rules: changeRule(game, setup, parameter.name, value) })}
                />
              ));
              return title ? (
                <fieldset key={title.en} className="rules-group">
                  <legend>{title[t.language]}</legend>
                  {controls}
                </fieldset>
              ) : (
                <div key="all" className="rules-group">
                  {controls}
                </div>
              );
            })}
          </Terms>
        </div>
      </details>
      {refused !== null && (
        <p className="notice bad rules-wrong" ref={notice} role="alert">
          {t("rules.refused", { why: refused })}
        </p>
      )}
    </>
  );
}

interface RuleProps {
  game: string;
  parameter: Parameter;
  value: RuleValue;
  changed: boolean;
  onChange(value: RuleValue): void;
}

function Rule({ game, parameter, value, changed, onChange }: RuleProps) {
  const t = useT();
  const language = useLanguage();
  const id = useId();
  const label = ruleLabel(t, game, parameter.name, parameter.help);
  const help = ruleWord(t, game, `${parameter.name}.help`, "");
  const good = goodRule(parameter, value);
  const numeric = (parameter.type === "integer" || parameter.type === "number") && !faceOf(game).rules.switches?.[parameter.name];
  const range = () => ({ low: figure(parameter.low ?? 0, language), high: figure(parameter.high ?? 0, language) });
  const needs = parameter.type === "integer" ? "rules.needs.integer" : "rules.needs.number";
  const hints = [help, numeric && good ? t("rules.range", range()) : ""].filter(Boolean).join(" · ");
  const described = [`${id}-hints`, changed && `${id}-changed`, !good && `${id}-needs`].filter(Boolean).join(" ");
  const control = { described, onChange };
  const classes = `rule ${changed ? "changed" : ""}`;
  const notes = (
    <>
      {hints && (
        <small className="soft" id={`${id}-hints`}>
          <Explained text={hints} reachable={false} />
        </small>
      )}
      {changed && (
        <span className="visually-hidden" id={`${id}-changed`}>
          {t("rules.changed")}
        </span>
      )}
      {!good && (
        <small className="rule-needs" id={`${id}-needs`}>
          {t(needs, range())}
        </small>
      )}
    </>
  );

  const whole = faceOf(game).rules.switches?.[parameter.name];
  if (parameter.type === "boolean" || whole)
    return (
      <div className={classes}>
        <label className="check">
          <input
            type="checkbox"
            checked={whole ? Array.isArray(value) && value.length > 0 : value === true}
            aria-describedby={described}
            onChange={(event) => onChange(whole ? (event.target.checked ? whole : []) : event.target.checked)}
          />
          <span>{label}</span>
        </label>
        <div className="rule-notes">{notes}</div>
      </div>
    );
  if (parameter.length)
    return (
      <fieldset className={`${classes} rule-list`} aria-describedby={described}>
        <legend>{label}</legend>
        {notes}
        <NumberList game={game} label={label} parameter={parameter} values={value as (number | null)[]} {...control} />
      </fieldset>
    );
  return (
    <div className={`${classes} ${numeric ? "rule-number" : "rule-choice"}`}>
      <label htmlFor={id}>{label}</label>
      {numeric ? (
        <Stepper id={id} label={label} parameter={parameter} value={value as number | null} {...control} />
      ) : (
        <select
          id={id}
          className="field"
          value={String(value)}
          aria-describedby={described}
          onChange={(event) => onChange(event.target.value)}
        >
          {parameter.choices.map((choice) => (
            <option key={choice} value={choice}>
              {choiceWord(t, game, parameter.name, choice)}
            </option>
          ))}
        </select>
      )}
      <div className="rule-notes">{notes}</div>
    </div>
  );
}

interface ControlProps {
  parameter: Parameter;
  described: string;
}

interface NumberProps extends ControlProps {
  value: number | null;
  onChange(value: number | null): void;
}

function NumberInput({ id, label, parameter, value, described, onChange }: NumberProps & { id?: string; label?: string }) {
  return (
    <input
      id={id}
      aria-label={label}
      className="field"
      type="number"
      inputMode={parameter.type === "integer" ? "numeric" : "decimal"}
      min={parameter.low ?? undefined}
      max={parameter.high ?? undefined}
      step={parameter.type === "integer" ? 1 : "any"}
      value={value ?? ""}
      aria-describedby={described}
      aria-invalid={!goodNumber(parameter, value)}
      onChange={(event) => onChange(event.target.value === "" ? null : Number(event.target.value))}
    />
  );
}

/** A number between two buttons; the arrow keys do the same inside the field. */
function Stepper({ id, label, ...number }: NumberProps & { id: string; label: string }) {
  const t = useT();
  const { parameter, value, onChange } = number;
  const { low, high } = parameter;
  const to = (step: number) => Math.min(high ?? Infinity, Math.max(low ?? -Infinity, Math.round(value ?? low ?? 0) + step));
  const button = (step: 1 | -1) => (
    <button
      type="button"
      className="button"
      tabIndex={-1}
      aria-label={t(step > 0 ? "rules.more" : "rules.less", { rule: label })}
      disabled={value !== null && value === (step > 0 ? high : low)}
      onClick={() => onChange(to(step))}
    >
      {step > 0 ? "+" : "−"}
    </button>
  );
  return (
    <span className="stepper">
      {button(-1)}
      <NumberInput id={id} {...number} />
      {button(1)}
    </span>
  );
}

interface NumberListProps extends ControlProps {
  game: string;
  label: string;
  values: (number | null)[];
  onChange(values: (number | null)[]): void;
}

/** A row of numbers, with buttons to add and remove where the rule allows it. */
function NumberList({ game, label, parameter, values, described, onChange }: NumberListProps) {
  const t = useT();
  const word = (part: string | number, otherwise: string, n?: number) =>
    ruleWord(t, game, `${parameter.name}.${part}`, otherwise, n === undefined ? {} : { n });
  const [fewest, most] = parameter.length ?? [values.length, values.length];
  return (
    <>
      <div className={fewest === most ? "rule-numbers" : "rule-numbers many"}>
        {values.map((value, i) => (
          <label key={i}>
            <span className="soft">
              {word(i, word("item", `${label} ${i + 1}`, i + 1))}
            </span>
            <NumberInput
              parameter={parameter}
              value={value}
              described={described}
              onChange={(to) => onChange(values.map((each, k) => (k === i ? to : each)))}
            />
          </label>
        ))}
      </div>
      {fewest !== most && (
        <div className="rule-buttons">
          <button
            type="button"
            className="button small"
            disabled={values.length >= most}
            onClick={() => onChange([...values, values.at(-1) ?? parameter.low ?? 0])}
          >
            {word("add", t("rules.more", { rule: label }))}
          </button>
          <button
            type="button"
            className="button small"
            disabled={values.length <= fewest}
            onClick={() => onChange(values.slice(0, -1))}
          >
            {word("remove", t("rules.less", { rule: label }))}
          </button>
        </div>
      )}
    </>
  );
}
