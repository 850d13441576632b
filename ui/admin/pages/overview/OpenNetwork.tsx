import { Button, type ButtonProps, Group } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Desktop } from "../../../../main/bridge-types.ts";
import type { ServerState } from "../../../api/server-state.ts";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { CopyableCode } from "../../../parts/CopyableCode.tsx";
import { errorMessage } from "../../../parts/error-messages.ts";
import { LazyDialog } from "../../../parts/LazyDialog.tsx";

export interface OpenNetworkProps extends Pick<ButtonProps, "size" | "variant"> {
  /** The button's text at the desktop; in a browser it offers instructions instead. */
  label: string;
  desktop: Desktop | undefined;
  network: ServerState["network"];
  dataFolder: string;
  /** Why it could not be opened; undefined when another attempt begins. */
  onError(message: string | undefined): void;
}

/** At the desktop, a button that opens the network; in a browser, one that shows the command for it. */
export function OpenNetwork({ label, desktop, network, dataFolder, onError, ...buttonProps }: OpenNetworkProps) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [isDialogOpen, setDialogOpen] = useState(false);
  const close = () => setDialogOpen(false);

  const open = async (bridge: Desktop) => {
    onError(undefined);
    setBusy(true);
    try {
      await bridge.setNetwork({ lan: true });
    } catch (error) {
      onError(t("connect.openFailed", { reason: errorMessage(error) }));
    } finally {
      setBusy(false);
    }
  };

  if (desktop)
    return (
      <BusyButton {...buttonProps} busy={busy} onClick={() => open(desktop)}>
        {label}
      </BusyButton>
    );
  return (
    <>
      <Button {...buttonProps} onClick={() => setDialogOpen(true)} aria-haspopup="dialog">
        {t("connect.howToOpen")}
      </Button>
      <LazyDialog title={t("connect.howToOpenTitle")} opened={isDialogOpen} onClose={close}>
        <p>{t("connect.command")}</p>
        <CopyableCode>{commandFor(dataFolder, network.port)}</CopyableCode>
        <Group justify="end" mt="lg">
          <Button onClick={close} data-autofocus>
            {t("dialog.close")}
          </Button>
        </Group>
      </LazyDialog>
    </>
  );
}

const DEFAULT_PORT = 9400;

const commandFor = (folder: string, port: number): string =>
  `npm run hearth -- serve --data "${folder}" --host 0.0.0.0${port === DEFAULT_PORT ? "" : ` --port ${port}`}`;
