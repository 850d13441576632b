import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "./NewPasswordField.module.css";
import { PasswordField } from "./PasswordField.tsx";
import type { StrengthEstimator } from "./password-strength.ts";

const MIN_LENGTH = 6;
const MAX_LENGTH = 100;
/** The names of the scores 0 to 4. */
const SCORES = ["veryWeak", "weak", "fair", "good", "strong"] as const;

export interface NewPasswordFieldProps {
  name: string;
  label: string;
  hint: string;
  error: string | undefined;
  /** The values of other fields: a password that repeats them is easy to guess. */
  userInputs(): string[];
  autoFocus?: boolean;
}

/** A password field with a strength meter. It only warns: the server decides which passwords it accepts. */
export function NewPasswordField({ name, label, hint, error, userInputs, autoFocus = false }: NewPasswordFieldProps) {
  const { t } = useTranslation();
  const [length, setLength] = useState(0);
  const [score, setScore] = useState<number>();
  const latest = useRef("");
  const estimator = useRef<Promise<StrengthEstimator>>(undefined);

  // The list of common passwords (0.2 MB) loads when the field gets the focus.
  const loadEstimator = async () => {
    estimator.current ??= import("./password-strength.ts").then(({ createEstimator }) => createEstimator());
    try {
      return await estimator.current;
    } catch {
      estimator.current = undefined; // offline: the next key press tries again
      return undefined;
    }
  };
  const estimateStrength = async (text: string) => {
    latest.current = text;
    setLength([...text].length);
    const estimate = await loadEstimator();
    if (latest.current === text) setScore(estimate?.(text, userInputs()));
  };

  const hasValidLength = length >= MIN_LENGTH && length <= MAX_LENGTH;
  const feedback = () => {
    if (length === 0 || error) return undefined;
    if (length < MIN_LENGTH) return t("password.tooShort", { count: MIN_LENGTH - length });
    if (length > MAX_LENGTH) return t("password.tooLong");
    const strength = score === undefined ? undefined : SCORES[score];
    return strength && t("password.strength", { strength: t(`password.${strength}`) });
  };
  return (
    <div>
      <PasswordField
        name={name}
        label={label}
        description={hint}
        autoComplete="new-password"
        error={error}
        autoFocus={autoFocus}
        onFocus={loadEstimator}
        onValue={estimateStrength}
      />
      <div className={classes.strength} data-score={hasValidLength ? score : 0}>
        <div className={classes.meter} aria-hidden="true" hidden={length === 0}>
          {SCORES.map((name, index) => (
            <span key={name} data-lit={hasValidLength && score !== undefined && index <= score} />
          ))}
        </div>
        <p className={classes.feedback} role="status">
          {feedback()}
        </p>
      </div>
    </div>
  );
}
