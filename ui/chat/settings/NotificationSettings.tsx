import { Button } from "@mantine/core";
import { Volume2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Input } from "../../api/client.ts";
import { textAt } from "../../locales/i18n.ts";
import { Callout } from "../../parts/Callout.tsx";
import { ChoiceSetting } from "../../parts/settings/settings.tsx";
import { useChat, useChatState } from "../chat-context.ts";
import { showNotification } from "../notifications/show-notification.ts";
import { play, SOUND_NAMES } from "../notifications/sounds.ts";
import { AlertWords } from "./AlertWords.tsx";
import { EmailNotifications } from "./EmailNotifications.tsx";
import { PhoneNotifications } from "./PhoneNotifications.tsx";
import { QuietHours } from "./QuietHours.tsx";
import classes from "./Settings.module.css";
import { SettingsGroup } from "./SettingsGroup.tsx";
import { WebPushDevices } from "./WebPushDevices.tsx";

export function NotificationSettings() {
  return (
    <>
      <SettingsGroup group="desktop">
        <Permission />
        <WebPushDevices />
      </SettingsGroup>
      <SettingsGroup group="sounds">
        <Sound />
      </SettingsGroup>
      <PhoneNotifications />
      <AlertWords />
      <QuietHours />
      <EmailNotifications />
      <SettingsGroup group="count" />
    </>
  );
}

/** Asks the browser for permission, or explains why it shows no notifications. */
function Permission() {
  const { t } = useTranslation();
  const isSafe = "Notification" in window && window.isSecureContext;
  const [permission, setPermission] = useState(isSafe ? Notification.permission : "denied");
  if (!isSafe) return <Callout tone="info">{t("ownSettings.desktop.insecure")}</Callout>;
  if (permission === "denied") return <Callout tone="warning">{t("ownSettings.desktop.denied")}</Callout>;
  if (permission === "granted")
    return (
      <>
        <p className={classes.hint}>{t("ownSettings.desktop.granted")}</p>
        <DesktopTest />
      </>
    );
  const ask = async () => setPermission(await Notification.requestPermission());
  return (
    <div className={classes.actions}>
      <Button size="sm" onClick={() => void ask()}>
        {t("ownSettings.desktop.ask")}
      </Button>
    </div>
  );
}

function DesktopTest() {
  const { t } = useTranslation();
  const { chat } = useChat();
  const organization = useChatState(({ realm_name }) => realm_name ?? "");
  const [isFailed, setFailed] = useState(false);
  const show = () => {
    const body = t("chatNotifications.testText", { organization });
    showNotification(t("chatNotifications.test"), { body, tag: "test" }).then(
      () => setFailed(false),
      () => setFailed(true),
    );
    play(chat.state.value?.user_settings?.notification_sound ?? "none");
  };
  return (
    <div className={classes.actions}>
      <Button size="sm" variant="default" onClick={show}>
        {t("ownSettings.test.send")}
      </Button>
      {isFailed && (
        <p className={classes.error} role="alert">
          {t("ownSettings.test.failed")}
        </p>
      )}
    </div>
  );
}

function Sound() {
  const { t } = useTranslation();
  const { chat } = useChat();
  const sound = useChatState(({ user_settings }) => user_settings?.notification_sound ?? "none");
  return (
    <div className={classes.row}>
      <ChoiceSetting
        label={t("userSettings.notification_sound.label")}
        value={sound}
        save={(chosen) => {
          play(chosen);
          return chat.client.call("PATCH /settings", { notification_sound: chosen } as Input<"PATCH /settings">);
        }}
        choices={[...new Set(["none", ...SOUND_NAMES, sound])].map((value) => ({
          value,
          label: textAt(`ownSettings.sound.names.${value}`) ?? value,
        }))}
      />
      {sound !== "none" && (
        <Button
          size="sm"
          variant="default"
          leftSection={<Volume2 size="1rem" aria-hidden="true" />}
          onClick={() => play(sound)}
        >
          {t("ownSettings.sound.play")}
        </Button>
      )}
    </div>
  );
}
