import { Button } from "@mantine/core";
import { Download } from "lucide-react";
import { useTranslation } from "react-i18next";
import { AuthLayout } from "../parts/AuthLayout.tsx";
import { CopyableCode } from "../parts/CopyableCode.tsx";
import { download } from "../parts/download.ts";
import { QrCode } from "../parts/QrCode.tsx";
import { Steps } from "../parts/Steps.tsx";
import type { Account, Invitation } from "./invitation.ts";
import classes from "./Joined.module.css";

export interface JoinedProps {
  account: Account;
  invitation: Invitation;
}

/** The `zuliprc` file that Zulip clients read. */
const zuliprc = ({ email, api_key }: Account, site: string): string =>
  `[api]\nemail=${email}\nkey=${api_key}\nsite=${site}\n`;

export function Joined({ account, invitation }: JoinedProps) {
  const { t } = useTranslation();
  const address = window.location.origin;
  const { full_name, email } = account;
  const { organization, picture } = invitation;
  return (
    <AuthLayout
      title={t("join.done.title", { name: full_name })}
      lead={t("join.done.lead", { organization })}
      picture={picture}
      audience="members"
      takesFocus
    >
      <Button component="a" href={account.chat} size="lg" mt="lg" fullWidth>
        {t("join.done.chat")}
      </Button>
      <h2 className={classes.others}>{t("join.done.others")}</h2>
      <Steps>
        <li>
          <h2>{t("join.done.app")}</h2>
          <p>{t("join.done.appHint")}</p>
          <dl className={classes.apps}>
            <dt>{t("join.done.phone")}</dt>
            <dd>{t("join.done.phoneApps")}</dd>
            <dt>{t("join.done.computer")}</dt>
            <dd>{t("join.done.computerApps")}</dd>
          </dl>
        </li>
        <li>
          <h2>{t("join.done.address")}</h2>
          <CopyableCode>{address}</CopyableCode>
          <div className={classes.code}>
            <QrCode text={address} />
            <p>{t("join.done.scan")}</p>
          </div>
        </li>
        <li>
          <h2>{t("join.done.signIn")}</h2>
          <p>{t("join.done.signInHint", { email })}</p>
        </li>
      </Steps>
      <section className={classes.section}>
        <h2>{t("join.done.programs")}</h2>
        <p>{t("join.done.programsHint")}</p>
        <Button
          variant="default"
          onClick={() => download("zuliprc", zuliprc(account, address), "application/octet-stream")}
          leftSection={<Download size="1.0625rem" aria-hidden="true" />}
        >
          {t("join.done.download")}
        </Button>
      </section>
      <section className={classes.section}>
        <h2>{t("join.done.goodToKnow")}</h2>
        <ul>
          <li>{t("join.done.push")}</li>
          <li>{t("join.done.mail")}</li>
          <li>{t("join.done.desktop")}</li>
          <li>{t("join.done.network")}</li>
        </ul>
      </section>
    </AuthLayout>
  );
}
