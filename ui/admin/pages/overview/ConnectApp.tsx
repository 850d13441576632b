import { Box, Button, Group } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ServerState } from "../../../api/server-state.ts";
import { CopyableCode } from "../../../parts/CopyableCode.tsx";
import { Dialog } from "../../../parts/Dialog.tsx";
import { QrCode } from "../../../parts/QrCode.tsx";
import { Steps } from "../../../parts/Steps.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";

export interface ConnectAppProps {
  network: ServerState["network"];
  onClose(): void;
}

export function ConnectApp({ network, onClose }: ConnectAppProps) {
  const { t } = useTranslation();
  const address = network.addresses[0]?.url;
  return (
    <Dialog title={t("connectApp.title")} onClose={onClose}>
      <Hint>{t("connectApp.lead")}</Hint>
      <Steps>
        <li>
          <h3>{t("connectApp.step1")}</h3>
          <p>{t("connectApp.step1Hint")}</p>
        </li>
        <li>
          <h3>{t("connectApp.step2")}</h3>
          {address && <CopyableCode>{address}</CopyableCode>}
          {network.lan && address ? (
            <Box w="10rem" mt="sm">
              <QrCode text={address} />
            </Box>
          ) : (
            <p>{address ? t("connectApp.step2Local") : t("connect.noAddress")}</p>
          )}
        </li>
        <li>
          <h3>{t("connectApp.step3")}</h3>
          <p>{t("connectApp.step3Hint")}</p>
        </li>
      </Steps>
      <Group justify="end" mt="md">
        <Button onClick={onClose} data-autofocus>
          {t("connectApp.close")}
        </Button>
      </Group>
    </Dialog>
  );
}
