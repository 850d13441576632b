import { Button, type ButtonProps, Group, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Desktop } from "../../../../main/bridge-types.ts";
import type { ServerState } from "../../../api/server-state.ts";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { CopyableCode } from "../../../parts/CopyableCode.tsx";
import { errorMessage } from "../../../parts/error-messages.ts";
import { LazyDialog } from "../../../parts/LazyDialog.tsx";

export interface OpenNetworkProps extends Pick<ButtonProps, "size" | "variant"> {
  /** The button's text in the desktop app. In a browser, the button offers instructions. */
  label: string;
  desktop: Desktop | undefined;
  network: Pick<ServerState["network"], "port">;
  dataFolder: string;
  /** Reports an error; undefined when another attempt starts. */
  onError(message: string | undefined): void;
}

/** A button that opens the server to the network, or in a browser shows the command for it. */
export function OpenNetwork({ label, desktop, network, dataFolder, onError, ...buttonProps }: OpenNetworkProps) {
  const { t } = useTranslation();
  const [isDialogOpen, setDialogOpen] = useState(false);
  const close = () => setDialogOpen(false);

  const opening = useMutation({
    mutationFn: async () => desktop?.setNetwork({ lan: true }),
    onMutate: () => onError(undefined),
    onError: (error) => onError(t("connect.openFailed", { reason: errorMessage(error) })),
  });

  if (desktop)
    return (
      <BusyButton {...buttonProps} busy={opening.isPending} onClick={() => opening.mutate()}>
        {label}
      </BusyButton>
    );
  return (
    <>
      <Button {...buttonProps} onClick={() => setDialogOpen(true)} aria-haspopup="dialog">
        {t("connect.howToOpen")}
      </Button>
      <LazyDialog title={t("connect.howToOpenTitle")} opened={isDialogOpen} onClose={close}>
        <Text>{t("connect.command")}</Text>
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
