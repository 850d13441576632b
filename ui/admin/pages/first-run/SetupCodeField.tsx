import { TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

interface SetupCodeFieldProps {
  /** As the address brought it. */
  code: string;
  error: ReactNode;
  autoFocus?: boolean;
}

/** What a browser on another machine shows to set this server up: the server printed it. */
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
