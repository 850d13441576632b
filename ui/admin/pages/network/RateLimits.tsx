import { NumberInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Answer } from "../../../api/client.ts";
import { useSaved } from "../../parts/use-saved.ts";
import classes from "./NetworkPage.module.css";

type Limits = Answer<"GET /host/settings">["settings"]["RATE_LIMITS"];
type LimitName = keyof Limits;
/** Seconds, and at most so many in them. */
type Rule = Limits[LimitName][number];

const NAMES = [
  "api_by_user",
  "api_by_ip",
  "authenticate_by_username",
  "authenticate_by_ip",
  "stored_bytes_by_user",
] as const satisfies readonly LimitName[];

export interface RateLimitsProps {
  limits: Limits;
  /** Set by an environment variable. */
  isFixed: boolean;
  onChange(limits: Partial<Limits>): Promise<unknown>;
}

/** How much each may do in how many seconds: the first rule of each limit. */
export function RateLimits({ limits, isFixed, onChange }: RateLimitsProps) {
  return (
    <div className={classes.limits}>
      {NAMES.map((name) => (
        <Limit key={name} name={name} rules={limits[name]} isFixed={isFixed} onChange={onChange} />
      ))}
    </div>
  );
}

interface LimitProps {
  name: LimitName;
  rules: Limits[LimitName];
  isFixed: boolean;
  onChange: RateLimitsProps["onChange"];
}

function Limit({ name, rules, isFixed, onChange }: LimitProps) {
  const { t } = useTranslation();
  const label = t(`network.limit.${name}`);
  const [rule, ...others] = rules;
  const { shown, error, change } = useSaved<Rule>({
    value: rule as Rule,
    name: label,
    save: (next) => onChange({ [name]: [next, ...others] }),
  });
  const [seconds, max] = shown;
  return (
    <fieldset className={classes.limit}>
      <legend>{label}</legend>
      <div className={classes.rule}>
        <RuleNumber
          label={t("network.limitCount", { name: label })}
          value={max}
          max={Number.MAX_SAFE_INTEGER}
          isFixed={isFixed}
          onChange={(next) => change([seconds, next])}
        />
        <span>{t("network.in")}</span>
        <RuleNumber
          label={t("network.limitSeconds", { name: label })}
          value={seconds}
          max={86_400}
          isFixed={isFixed}
          onChange={(next) => change([next, max])}
        />
        <span>{t("network.seconds")}</span>
      </div>
      {others.length > 0 && <p className={classes.hint}>{t("network.alsoRules")}</p>}
      {error && (
        <p className={classes.error} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}

interface RuleNumberProps {
  label: string;
  value: number;
  max: number;
  isFixed: boolean;
  onChange(value: number): void;
}

/** Saved when it is left, or on Enter. */
function RuleNumber({ label, value, max, isFixed, onChange }: RuleNumberProps) {
  const [text, setText] = useState<number | string>(value);
  useEffect(() => setText(value), [value]);
  const submit = () => {
    const number = Number(text);
    if (Number.isSafeInteger(number) && number >= 1 && number <= max && number !== value) onChange(number);
    else setText(value);
  };
  return (
    <NumberInput
      aria-label={label}
      size="sm"
      hideControls
      thousandSeparator=","
      allowDecimal={false}
      min={1}
      max={max}
      disabled={isFixed}
      value={text}
      onChange={setText}
      onBlur={submit}
      onKeyDown={(event) => event.key === "Enter" && submit()}
    />
  );
}
