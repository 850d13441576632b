import { TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

interface SetupCodeFieldProps {
  /** The code in the URL. */
  code: string;
  error: ReactNode;
  autoFocus?: boolean;
}

/** The code that the server printed, for a setup from another machine. */
export function SetupCodeField({ code, error, autoFocus }: SetupCodeFieldProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      name="code"
      label={t("firstRun.code")}
      description={t("firstRun.codeHint")}
      defaultValue={code}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      error={error}
      autoFocus={autoFocus}
    />
  );
}
