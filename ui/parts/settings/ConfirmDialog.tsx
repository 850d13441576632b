import { Button, Group, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Callout } from "../Callout.tsx";
import { Dialog } from "../Dialog.tsx";
import { errorMessage } from "../error-messages.ts";
import classes from "./FormDialog.module.css";

export interface ConfirmDialogProps {
  title: string;
  /** What will be lost, in numbers. */
  children: ReactNode;
  confirmLabel: string;
  /** For what cannot be undone and is large: has to be typed. */
  typedName?: string;
  /** Its width at most. */
  size?: string;
  onConfirm(): Promise<unknown>;
  onClose(): void;
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, confirmLabel, typedName, size, onConfirm, onClose } = props;
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const [typed, setTyped] = useState("");
  const isConfirmed = typedName === undefined || typed.trim() === typedName.trim();

  const confirm = async () => {
    if (busy || !isConfirmed) return;
    setBusy(true);
    setError(undefined);
    try {
      await onConfirm();
      onClose();
    } catch (refused) {
      setError(errorMessage(refused));
      setBusy(false);
    }
  };

  return (
    <Dialog title={title} onClose={onClose} {...(size && { size })}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          void confirm();
        }}
      >
        <div>{children}</div>
        {typedName !== undefined && (
          <TextInput
            label={t("confirm.type", { name: typedName })}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
        {error && (
          <Callout tone="error" role="alert">
            {error}
          </Callout>
        )}
        <Group justify="end">
          <Button variant="default" onClick={onClose} {...(typedName === undefined && { "data-autofocus": true })}>
            {t("confirm.cancel")}
          </Button>
          <Button type="submit" color="red" disabled={!isConfirmed} loading={busy}>
            {confirmLabel}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
