import { Anchor } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { CopyableCode } from "../../parts/CopyableCode.tsx";
import { isLocalHost } from "../../parts/is-local-host.ts";
import { QrCode } from "../../parts/QrCode.tsx";
import { useChat, useChatState } from "../chat-context.ts";
import { serverUrl } from "../server-url.ts";
import classes from "./Settings.module.css";

/** Explains how to open the chat on other devices. */
export function OtherDevices() {
  const { t } = useTranslation();
  const email = useChatState(({ delivery_email }) => delivery_email ?? "");
  const { mayManage } = useChat();
  const address = serverUrl();
  // A phone that opened it would look for Hearth on itself.
  if (isLocalHost(new URL(address).hostname))
    return (
      <section className={classes.group}>
        <h3>{t("ownSettings.devices.title")}</h3>
        <p className={classes.hint}>{t("ownSettings.devices.local")}</p>
        {mayManage && (
          <Anchor href="/admin/#/network" size="sm">
            {t("ownSettings.devices.toNetwork")}
          </Anchor>
        )}
      </section>
    );
  return (
    <section className={classes.group}>
      <h3>{t("ownSettings.devices.title")}</h3>
      <p className={classes.hint}>{t("ownSettings.devices.hint", { email })}</p>
      <CopyableCode>{address}</CopyableCode>
      <div className={classes.code}>
        <QrCode text={address} />
        <ul>
          <li>{t("ownSettings.devices.browser")}</li>
          <li>{t("ownSettings.devices.apps")}</li>
          <li>{t("ownSettings.devices.push")}</li>
          <li>{t("ownSettings.devices.network")}</li>
        </ul>
      </div>
    </section>
  );
}
