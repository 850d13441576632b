import { Button, VisuallyHidden } from "@mantine/core";
import { Eye, EyeOff } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { CopyButton } from "../../parts/CopyButton.tsx";
import { ConfirmDialog } from "../../parts/settings/ConfirmDialog.tsx";
import classes from "./SecretField.module.css";
import { StatusText } from "./StatusText.tsx";

export interface SecretFieldProps {
  label: string;
  help?: ReactNode;
  /** Undefined: the server cannot read it any more, and it has to be set again. */
  value: string | undefined;
  /** What stops working when it is replaced. Without this, it cannot be replaced here. */
  replacing?: { title: string; consequences: string; replace(): Promise<unknown> };
  /** Further buttons. */
  actions?: ReactNode;
}

const HIDDEN = "•".repeat(24);

/** A key or a secret: shown on demand, copied without being shown, and replaced after a question. */
export function SecretField({ label, help, value, replacing, actions }: SecretFieldProps) {
  const { t } = useTranslation();
  const [isShown, setShown] = useState(false);
  const [asks, setAsks] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <fieldset className={classes.field}>
      <legend className={classes.label}>{label}</legend>
      {help && <p className={classes.help}>{help}</p>}
      {value === undefined ? (
        <StatusText tone="bad">{t("secrets.unreadable")}</StatusText>
      ) : (
        <code className={classes.value} data-hidden={!isShown}>
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
      <div className={classes.actions}>
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
      </div>
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
    </fieldset>
  );
}
