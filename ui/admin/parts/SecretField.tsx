import { Button, Group, Stack, Text, VisuallyHidden } from "@mantine/core";
import { Eye, EyeOff } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { CopyButton } from "../../parts/CopyButton.tsx";
import { ConfirmDialog } from "../../parts/settings/ConfirmDialog.tsx";
import { Hint } from "../../parts/text/Hint.tsx";
import classes from "./CodeBlock.module.css";
import { StatusText } from "./StatusText.tsx";

export interface SecretFieldProps {
  label: string;
  help?: ReactNode;
  /** Undefined if the server cannot read it any more, so that it has to be set again. */
  value: string | undefined;
  /** Without this, it cannot be replaced here. */
  replacing?: { title: string; consequences: string; replace(): Promise<unknown> };
  actions?: ReactNode;
}

const HIDDEN = "•".repeat(24);

/** A key or a secret that the user can show, copy and replace. */
export function SecretField({ label, help, value, replacing, actions }: SecretFieldProps) {
  const { t } = useTranslation();
  const [isShown, setShown] = useState(false);
  const [asks, setAsks] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <Stack component="fieldset" gap="xxs" miw={0} m={0} p={0} bd="none">
      <Text component="legend" size="sm" fw="var(--hearth-semibold)">
        {label}
      </Text>
      {help && <Hint size="xs">{help}</Hint>}
      {value === undefined ? (
        <StatusText tone="bad">{t("secrets.unreadable")}</StatusText>
      ) : (
        <code className={classes.secret} data-hidden={!isShown}>
          {isShown ? (
            value
          ) : (
            <>
              <span aria-hidden="true">{HIDDEN}</span>
              <VisuallyHidden>{t("secrets.hidden")}</VisuallyHidden>
            </>
          )}
        </code>
      )}
      <Group gap="xs" mt="xxs">
        {value !== undefined && (
          <>
            <Button
              size="xs"
              variant="default"
              leftSection={<Icon size="0.9375rem" aria-hidden="true" />}
              aria-label={t(isShown ? "secrets.hideNamed" : "secrets.showNamed", { name: label })}
              onClick={() => setShown(!isShown)}
            >
              {t(isShown ? "secrets.hide" : "secrets.show")}
            </Button>
            <CopyButton size="xs" variant="default" text={value} name={label} onFailed={() => setShown(true)} />
          </>
        )}
        {replacing && (
          <Button
            size="xs"
            variant="default"
            aria-label={t("secrets.replaceNamed", { name: label })}
            onClick={() => setAsks(true)}
          >
            {t("secrets.replace")}
          </Button>
        )}
        {actions}
      </Group>
      {asks && replacing && (
        <ConfirmDialog
          title={replacing.title}
          confirmLabel={t("secrets.replaceNamed", { name: label })}
          onConfirm={replacing.replace}
          onClose={() => setAsks(false)}
        >
          {replacing.consequences}
        </ConfirmDialog>
      )}
    </Stack>
  );
}
