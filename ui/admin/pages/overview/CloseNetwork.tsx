import { Button, Group, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Desktop } from "../../../../main/bridge-types.ts";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { Callout } from "../../../parts/Callout.tsx";
import { errorMessage } from "../../../parts/error-messages.ts";
import { LazyDialog } from "../../../parts/LazyDialog.tsx";

/** Closes the server to the network, after a confirmation. */
export function CloseNetwork({ desktop }: { desktop: Desktop }) {
  const { t } = useTranslation();
  const [isConfirming, setConfirming] = useState(false);
  const closing = useMutation({
    mutationFn: () => desktop.setNetwork({ lan: false }),
    onSuccess: () => setConfirming(false),
  });
  const openDialog = () => {
    closing.reset();
    setConfirming(true);
  };

  return (
    <>
      <Button variant="default" onClick={openDialog} aria-haspopup="dialog">
        {t("connect.close")}
      </Button>
      <LazyDialog title={t("connect.closeTitle")} opened={isConfirming} onClose={() => setConfirming(false)}>
        <Text>{t("connect.closeLead")}</Text>
        {closing.error && (
          <Callout tone="error" role="alert">
            {errorMessage(closing.error)}
          </Callout>
        )}
        <Group justify="end" mt="lg">
          <Button variant="default" onClick={() => setConfirming(false)}>
            {t("connect.cancel")}
          </Button>
          <BusyButton color="red" busy={closing.isPending} onClick={() => closing.mutate()}>
            {t("connect.close")}
          </BusyButton>
        </Group>
      </LazyDialog>
    </>
  );
}
