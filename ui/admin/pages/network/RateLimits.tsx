import { Button, Input, NumberInput } from "@mantine/core";
import { X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Answer } from "../../../api/client.ts";
import { numberSeparators } from "../../../parts/format.ts";
import { useSaved } from "../../../parts/settings/use-saved.ts";
import { Hint } from "../../../parts/text/Hint.tsx";
import { IconButton } from "../../parts/IconButton.tsx";
import classes from "./RateLimits.module.css";

type Limits = Answer<"GET /host/settings">["settings"]["RATE_LIMITS"];
type LimitName = keyof Limits;
/** A period in seconds, and the maximum number in it. */
type Rule = Limits[LimitName][number];

export interface RateLimitsProps {
  limits: Limits;
  maxSeconds: number;
  /** Whether an environment variable sets them. */
  isFixed: boolean;
  onChange(limits: Partial<Limits>): Promise<unknown>;
}

/** The rate limits. If a limit has several rules, all of them apply. */
export function RateLimits({ limits, ...shared }: RateLimitsProps) {
  return (
    <div>
      {(Object.keys(limits) as LimitName[]).map((name) => (
        <Limit key={name} name={name} rules={limits[name]} {...shared} />
      ))}
    </div>
  );
}

interface LimitProps extends Omit<RateLimitsProps, "limits"> {
  name: LimitName;
  rules: Limits[LimitName];
}

function Limit({ name, rules, maxSeconds, isFixed, onChange }: LimitProps) {
  const { t } = useTranslation();
  const label = t(`network.limit.${name}`);
  const { shown, error, change } = useSaved<readonly Rule[]>({
    value: rules,
    name: label,
    save: (next) => onChange({ [name]: [...next] }),
  });
  const put = (index: number, rule: Rule) => change(shown.with(index, rule));
  return (
    <fieldset className={classes.limit}>
      <legend>{label}</legend>
      <div className={classes.rules}>
        {shown.map((rule, index) => {
          const [seconds, max] = rule;
          const ruleName = shown.length > 1 ? t("network.rule", { name: label, number: index + 1 }) : label;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the index is the rule's only identity
            <div key={index} className={classes.rule}>
              <RuleNumber
                label={t("network.limitCount", { name: ruleName })}
                value={max}
                max={Number.MAX_SAFE_INTEGER}
                isFixed={isFixed}
                onChange={(next) => put(index, [seconds, next])}
              />
              <Hint span>{t("network.in")}</Hint>
              <RuleNumber
                label={t("network.limitSeconds", { name: ruleName })}
                value={seconds}
                max={maxSeconds}
                isFixed={isFixed}
                onChange={(next) => put(index, [next, max])}
              />
              <Hint span>{t("network.seconds")}</Hint>
              <IconButton
                label={t("network.removeRule", { name: ruleName })}
                size="sm"
                style={{ visibility: shown.length === 1 ? "hidden" : "visible" }}
                disabled={isFixed || shown.length === 1}
                onClick={() => change(shown.filter((_, other) => other !== index))}
              >
                <X size="1rem" aria-hidden="true" />
              </IconButton>
            </div>
          );
        })}
        {!isFixed && (
          <Button
            variant="subtle"
            size="compact-xs"
            aria-label={t("network.addRuleTo", { name: label })}
            onClick={() => change([...shown, wider(shown.at(-1) as Rule, maxSeconds)])}
          >
            {t("network.addRule")}
          </Button>
        )}
      </div>
      {error && (
        <Input.Error role="alert" flex="1 0 100%">
          {error}
        </Input.Error>
      )}
    </fieldset>
  );
}

/** A new rule that does not restrict the given one further. */
const wider = ([seconds, max]: Rule, maxSeconds: number): Rule => [Math.min(maxSeconds, 10 * seconds), 10 * max];

interface RuleNumberProps {
  label: string;
  value: number;
  max: number;
  isFixed: boolean;
  onChange(value: number): void;
}

/** Saves on blur and on Enter. */
function RuleNumber({ label, value, max, isFixed, onChange }: RuleNumberProps) {
  const [text, setText] = useState<number | string>(value);
  const [lastValue, setLastValue] = useState(value);
  if (value !== lastValue) {
    setLastValue(value);
    setText(value);
  }
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
      {...numberSeparators()}
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
