import { Button, Group, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../Dialog.tsx";
import { ErrorCallout } from "../ErrorCallout.tsx";
import classes from "./settings.module.css";

export interface ConfirmDialogProps {
  title: string;
  /** The consequences, in numbers. */
  children: ReactNode;
  confirmLabel: string;
  /** The user has to type this name. For large things that cannot be undone. */
  typedName?: string;
  /** Nothing is lost: the button is not red. */
  isSafe?: boolean;
  /** Whether the user has made the choices in `children` that the action needs. */
  isReady?: boolean;
  size?: string;
  onConfirm(): Promise<unknown>;
  onClose(): void;
}

/** Asks for confirmation of something that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, confirmLabel, typedName, isSafe = false, isReady = true, size, onConfirm, onClose } = props;
  const { t } = useTranslation();
  const confirm = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  const [typed, setTyped] = useState("");
  const isConfirmed = isReady && (typedName === undefined || typed.trim() === typedName.trim());

  return (
    <Dialog title={title} onClose={onClose} {...(size && { size })}>
      <form
        className={classes.dialogForm}
        onSubmit={(event) => {
          event.preventDefault();
          if (isConfirmed && !confirm.isPending) confirm.mutate();
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
        <ErrorCallout error={confirm.error} />
        <Group justify="end">
          <Button variant="default" onClick={onClose} {...(typedName === undefined && { "data-autofocus": true })}>
            {t("confirm.cancel")}
          </Button>
          <Button type="submit" {...(!isSafe && { color: "red" })} disabled={!isConfirmed} loading={confirm.isPending}>
            {confirmLabel}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
