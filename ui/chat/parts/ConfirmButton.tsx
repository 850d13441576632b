import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { BusyButton } from "../../parts/BusyButton.tsx";
import { ErrorCallout } from "../../parts/ErrorCallout.tsx";

interface ConfirmButtonProps {
  label: string;
  confirmLabel: string;
  /** The consequences, shown next to the second button. */
  hint?: ReactNode;
  onConfirm(): Promise<unknown>;
}

/** A button that asks for confirmation in its own place. */
export function ConfirmButton({ label, confirmLabel, hint, onConfirm }: ConfirmButtonProps) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const confirm = useMutation({ mutationFn: onConfirm, onSuccess: () => setAsking(false) });
  if (!isAsking)
    return (
      <Button size="sm" variant="default" onClick={() => setAsking(true)}>
        {label}
      </Button>
    );
  return (
    <>
      {hint}
      <Button size="sm" variant="default" onClick={() => setAsking(false)}>
        {t("chat.cancel")}
      </Button>
      <BusyButton size="sm" color="red" busy={confirm.isPending} onClick={() => confirm.mutate()}>
        {confirmLabel}
      </BusyButton>
      <ErrorCallout error={confirm.error} />
    </>
  );
}
