import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Desktop } from "../../../../main/bridge-types.ts";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { Dialog } from "../../../parts/Dialog.tsx";
import { Note } from "../../../parts/Note.tsx";
import { inWords } from "../../../parts/refusals.ts";

/** Asks first: it cuts people off. */
export function CloseNetwork({ desktop }: { desktop: Desktop }) {
  const { t } = useTranslation();
  const [isAsked, setAsked] = useState(false);
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string>();

  const ask = () => {
    setTrouble(undefined);
    setAsked(true);
  };
  const close = async () => {
    setTrouble(undefined);
    setBusy(true);
    try {
      await desktop.setNetwork({ lan: false });
      setAsked(false);
    } catch (error) {
      setTrouble(inWords(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <>
      <Button variant="default" onClick={ask} aria-haspopup="dialog">
        {t("connect.close")}
      </Button>
      <Dialog title={t("connect.closeTitle")} opened={isAsked} onClose={() => setAsked(false)}>
        <p>{t("connect.closeLead")}</p>
        {trouble && (
          <Note tone="error" role="alert">
            {trouble}
          </Note>
        )}
        <Group justify="end" mt="lg">
          <Button variant="default" onClick={() => setAsked(false)}>
            {t("connect.cancel")}
          </Button>
          <BusyButton color="red" busy={busy} onClick={close}>
            {t("connect.close")}
          </BusyButton>
        </Group>
      </Dialog>
    </>
  );
}
