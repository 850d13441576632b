import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { AuthLayout } from "../../../parts/AuthLayout.tsx";
import { Command } from "../../../parts/Command.tsx";
import classes from "./NotHere.module.css";

const INIT = "npm run --silent hearth -- init --data FOLDER --organization NAME --owner-email EMAIL --owner-name NAME";

/** First run is for whoever sits at the machine: this browser is on another one. */
export function NotHere() {
  const { t } = useTranslation();
  const port = window.location.port || "80";
  const tunnel = `ssh -L ${port}:127.0.0.1:${port} ${window.location.hostname}`;
  return (
    <AuthLayout title={t("notHere.title")} lead={t("notHere.lead")}>
      <ol className={classes.ways}>
        <li>
          <h2>{t("notHere.there")}</h2>
          <p>{t("notHere.thereHint")}</p>
        </li>
        <li>
          <h2>{t("notHere.terminal")}</h2>
          <p>{t("notHere.terminalHint")}</p>
          <Command>{INIT}</Command>
        </li>
        <li>
          <h2>{t("notHere.tunnel")}</h2>
          <p>{t("notHere.tunnelHint", { port })}</p>
          <Command>{tunnel}</Command>
        </li>
      </ol>
      <Button variant="default" onClick={() => window.location.reload()}>
        {t("notHere.again")}
      </Button>
    </AuthLayout>
  );
}
