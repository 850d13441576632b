import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { AuthLayout } from "../../../parts/AuthLayout.tsx";
import { CopyableCode } from "../../../parts/CopyableCode.tsx";
import classes from "./LocalSetupOnly.module.css";

const INIT = "npm run --silent hearth -- init --data FOLDER --organization NAME --owner-email EMAIL --owner-name NAME";

/** First run works only on Hearth's own machine, and this browser is on another one. */
export function LocalSetupOnly() {
  const { t } = useTranslation();
  const port = window.location.port || "80";
  const tunnel = `ssh -L ${port}:127.0.0.1:${port} ${window.location.hostname}`;
  return (
    <AuthLayout title={t("localSetup.title")} lead={t("localSetup.lead")}>
      <ol className={classes.options}>
        <li>
          <h2>{t("localSetup.computer")}</h2>
          <p>{t("localSetup.computerHint")}</p>
        </li>
        <li>
          <h2>{t("localSetup.terminal")}</h2>
          <p>{t("localSetup.terminalHint")}</p>
          <CopyableCode>{INIT}</CopyableCode>
        </li>
        <li>
          <h2>{t("localSetup.tunnel")}</h2>
          <p>{t("localSetup.tunnelHint", { port })}</p>
          <CopyableCode>{tunnel}</CopyableCode>
        </li>
      </ol>
      <Button variant="default" onClick={() => window.location.reload()}>
        {t("localSetup.again")}
      </Button>
    </AuthLayout>
  );
}
