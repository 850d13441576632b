import { Button, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { AuthLayout } from "../../../parts/AuthLayout.tsx";
import { CopyableCode } from "../../../parts/CopyableCode.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";
import { PlainList } from "../../../parts/text/PlainList.tsx";

const INIT = "npm run --silent hearth -- init --data FOLDER --organization NAME --owner-email EMAIL --owner-name NAME";

/** First run works only on Hearth's own machine, and this browser is on another one. */
export function LocalSetupOnly() {
  const { t } = useTranslation();
  const port = window.location.port || "80";
  const tunnel = `ssh -L ${port}:127.0.0.1:${port} ${window.location.hostname}`;
  return (
    <AuthLayout title={t("localSetup.title")} lead={t("localSetup.lead")}>
      <PlainList ordered divided my="lg">
        <li>
          <Title order={2}>{t("localSetup.computer")}</Title>
          <Hint mt="xxs" mb="sm">
            {t("localSetup.computerHint")}
          </Hint>
        </li>
        <li>
          <Title order={2}>{t("localSetup.terminal")}</Title>
          <Hint mt="xxs" mb="sm">
            {t("localSetup.terminalHint")}
          </Hint>
          <CopyableCode>{INIT}</CopyableCode>
        </li>
        <li>
          <Title order={2}>{t("localSetup.tunnel")}</Title>
          <Hint mt="xxs" mb="sm">
            {t("localSetup.tunnelHint", { port })}
          </Hint>
          <CopyableCode>{tunnel}</CopyableCode>
        </li>
      </PlainList>
      <Button variant="default" onClick={() => window.location.reload()}>
        {t("localSetup.again")}
      </Button>
    </AuthLayout>
  );
}
