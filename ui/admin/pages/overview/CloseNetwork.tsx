import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Desktop } from "../../../../main/bridge-types.ts";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { Callout } from "../../../parts/Callout.tsx";
import { errorMessage } from "../../../parts/error-messages.ts";
import { LazyDialog } from "../../../parts/LazyDialog.tsx";

/** Asks for confirmation, since it cuts people off. */
export function CloseNetwork({ desktop }: { desktop: Desktop }) {
  const { t } = useTranslation();
  const [isConfirming, setConfirming] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();

  const openDialog = () => {
    setError(undefined);
    setConfirming(true);
  };
  const close = async () => {
    setError(undefined);
    setBusy(true);
    try {
      await desktop.setNetwork({ lan: false });
      setConfirming(false);
    } catch (caught) {
      setError(errorMessage(caught));
    } finally {
      setBusy(false);
    }
  };

  return (
    <>
      <Button variant="default" onClick={openDialog} aria-haspopup="dialog">
        {t("connect.close")}
      </Button>
      <LazyDialog title={t("connect.closeTitle")} opened={isConfirming} onClose={() => setConfirming(false)}>
        <p>{t("connect.closeLead")}</p>
        {error && (
          <Callout tone="error" role="alert">
            {error}
          </Callout>
        )}
        <Group justify="end" mt="lg">
          <Button variant="default" onClick={() => setConfirming(false)}>
            {t("connect.cancel")}
          </Button>
          <BusyButton color="red" busy={busy} onClick={close}>
            {t("connect.close")}
          </BusyButton>
        </Group>
      </LazyDialog>
    </>
  );
}
