import { Button, NativeSelect } from "@mantine/core";
import { Volume2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "../../api/store.ts";
import { Callout } from "../../parts/Callout.tsx";
import { timeOrDay } from "../../parts/format.ts";
import { useNow } from "../../parts/use-now.ts";
import { useChatState } from "../chat-context.ts";
import { beQuietUntil, quietUntil } from "../notifications/quiet.ts";
import { play, SOUND_NAMES } from "../notifications/sounds.ts";
import { AlertWords } from "./AlertWords.tsx";
import { SavingNote } from "./SavingNote.tsx";
import classes from "./Settings.module.css";
import { SettingsGroup } from "./SettingsGroup.tsx";
import { type SettingChanges, useSaveSettings } from "./use-saving.ts";

export function NotificationSettings() {
  return (
    <>
      <SettingsGroup group="desktop">
        <Permission />
      </SettingsGroup>
      <SettingsGroup group="sounds">
        <Sound />
      </SettingsGroup>
      <AlertWords />
      <Quiet />
      <SettingsGroup group="count" />
    </>
  );
}

/** What the browser allows on this page: asks it, or says what stands in the way. */
function Permission() {
  const { t } = useTranslation();
  const isSafe = "Notification" in window && window.isSecureContext;
  const [permission, setPermission] = useState(isSafe ? Notification.permission : "denied");
  if (!isSafe) return <Callout tone="info">{t("ownSettings.desktop.insecure")}</Callout>;
  if (permission === "denied") return <Callout tone="warning">{t("ownSettings.desktop.denied")}</Callout>;
  if (permission === "granted") return <p className={classes.hint}>{t("ownSettings.desktop.granted")}</p>;
  const ask = async () => setPermission(await Notification.requestPermission());
  return (
    <div className={classes.actions}>
      <Button size="sm" onClick={() => void ask()}>
        {t("ownSettings.desktop.ask")}
      </Button>
    </div>
  );
}

function Sound() {
  const { t } = useTranslation();
  const sound = useChatState(({ user_settings }) => user_settings?.notification_sound ?? "none");
  const [saving, save] = useSaveSettings();
  const names = ["none", ...new Set([...SOUND_NAMES, sound])].filter((name, at) => at === 0 || name !== "none");
  return (
    <div className={classes.row}>
      <NativeSelect
        label={t("ownSettings.sound.label")}
        value={sound}
        onChange={(event) => {
          const notification_sound = event.currentTarget.value;
          play(notification_sound);
          void save({ notification_sound } as SettingChanges);
        }}
        data={names.map((name) => ({
          value: name,
          label: isNamed(name) ? t(`ownSettings.sound.names.${name}`) : name,
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
      <SavingNote saving={saving} />
    </div>
  );
}

const NAMED = ["none", "zulip", "ding", "chime", "friendly", "subtle", "down"] as const;
const isNamed = (name: string): name is (typeof NAMED)[number] => (NAMED as readonly string[]).includes(name);

const HOUR_MS = 3_600_000;

/** Silence for a while, in this browser. */
function Quiet() {
  const { t } = useTranslation();
  const until = useStore(quietUntil, (at) => at);
  const now = useNow();
  const tomorrow = new Date(now);
  tomorrow.setDate(tomorrow.getDate() + 1);
  tomorrow.setHours(8, 0, 0, 0);
  const ends = [
    ["hour", now + HOUR_MS],
    ["day", now + 8 * HOUR_MS],
    ["tomorrow", tomorrow.getTime()],
  ] as const;
  return (
    <section className={classes.group}>
      <h3>{t("ownSettings.quiet.title")}</h3>
      {until > now ? (
        <div className={classes.actions}>
          <p className={classes.hint} role="status">
            {t("ownSettings.quiet.until", { time: timeOrDay(until, now) })}
          </p>
          <Button size="sm" variant="default" onClick={() => beQuietUntil(0)}>
            {t("ownSettings.quiet.end")}
          </Button>
        </div>
      ) : (
        <div className={classes.actions}>
          {ends.map(([name, at]) => (
            <Button key={name} size="sm" variant="default" onClick={() => beQuietUntil(at)}>
              {t(`ownSettings.quiet.${name}`)}
            </Button>
          ))}
        </div>
      )}
    </section>
  );
}
