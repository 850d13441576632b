import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "./NewPasswordField.module.css";
import { PasswordField } from "./PasswordField.tsx";
import type { Estimate } from "./password-strength.ts";

const LENGTH = { least: 6, most: 100 };
const WORDS = ["veryWeak", "weak", "fair", "good", "strong"] as const;

export interface NewPasswordFieldProps {
  name: string;
  label: string;
  hint: string;
  error: string | undefined;
  /** What the form holds besides: a password made of it is easy to guess. */
  known(): string[];
  autoFocus?: boolean;
}

/** A password and how strong it is. It warns only: the server decides what is accepted. */
export function NewPasswordField({ name, label, hint, error, known, autoFocus = false }: NewPasswordFieldProps) {
  const { t } = useTranslation();
  const [length, setLength] = useState(0);
  const [score, setScore] = useState<number>();
  const newest = useRef("");
  const estimate = useRef<Promise<Estimate>>(undefined);

  // 0.2 MB of common passwords: fetched when somebody is about to type one.
  const prepare = async () => {
    estimate.current ??= import("./password-strength.ts").then(({ estimator }) => estimator());
    try {
      return await estimate.current;
    } catch {
      estimate.current = undefined; // the server is away: the next key tries again
      return undefined;
    }
  };
  const judge = async (text: string) => {
    newest.current = text;
    setLength([...text].length);
    const strength = await prepare();
    if (newest.current === text) setScore(strength?.(text, known()));
  };

  const isRight = length >= LENGTH.least && length <= LENGTH.most;
  const verdict = () => {
    if (length === 0 || error) return undefined;
    if (length < LENGTH.least) return t("password.tooShort", { count: LENGTH.least - length });
    if (length > LENGTH.most) return t("password.tooLong");
    const word = score === undefined ? undefined : WORDS[score];
    return word && t("password.strength", { word: t(`password.${word}`) });
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
        onFocus={prepare}
        onValue={judge}
      />
      <div className={classes.strength} data-score={isRight ? score : 0}>
        <div className={classes.steps} aria-hidden="true" hidden={length === 0}>
          {WORDS.map((step, index) => (
            <span key={step} data-lit={isRight && score !== undefined && index <= score} />
          ))}
        </div>
        <p className={classes.verdict} role="status">
          {verdict()}
        </p>
      </div>
    </div>
  );
}
