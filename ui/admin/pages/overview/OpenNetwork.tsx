import { Button, type ButtonProps, Group } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Desktop } from "../../../../main/bridge-types.ts";
import type { ServerState } from "../../../api/server-state.ts";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { Command } from "../../../parts/Command.tsx";
import { Dialog } from "../../../parts/Dialog.tsx";
import { inWords } from "../../../parts/refusals.ts";

export interface OpenNetworkProps extends Pick<ButtonProps, "size" | "variant"> {
  /** At the desktop; in a browser the button says that it tells how. */
  label: string;
  desktop: Desktop | undefined;
  network: ServerState["network"];
  dataFolder: string;
  /** Why it could not be opened, in words; undefined when it is tried anew. */
  onError(trouble: string | undefined): void;
}

/** At the desktop the switch itself; in a browser the command that does it, on demand. */
export function OpenNetwork({ label, desktop, network, dataFolder, onError, ...look }: OpenNetworkProps) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [isShown, setShown] = useState(false);
  const hide = () => setShown(false);

  const open = async (via: Desktop) => {
    onError(undefined);
    setBusy(true);
    try {
      await via.setNetwork({ lan: true });
    } catch (error) {
      onError(t("connect.openFailed", { reason: inWords(error) }));
    } finally {
      setBusy(false);
    }
  };

  if (desktop)
    return (
      <BusyButton {...look} busy={busy} onClick={() => open(desktop)}>
        {label}
      </BusyButton>
    );
  return (
    <>
      <Button {...look} onClick={() => setShown(true)} aria-haspopup="dialog">
        {t("connect.howToOpen")}
      </Button>
      <Dialog title={t("connect.howToOpenTitle")} opened={isShown} onClose={hide}>
        <p>{t("connect.command")}</p>
        <Command>{commandFor(dataFolder, network.port)}</Command>
        <Group justify="end" mt="lg">
          <Button onClick={hide} data-autofocus>
            {t("dialog.close")}
          </Button>
        </Group>
      </Dialog>
    </>
  );
}

const USUAL_PORT = 9400;

const commandFor = (folder: string, port: number): string =>
  `npm run hearth -- serve --data "${folder}" --host 0.0.0.0${port === USUAL_PORT ? "" : ` --port ${port}`}`;
