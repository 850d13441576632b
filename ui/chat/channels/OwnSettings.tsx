import { useTranslation } from "react-i18next";
import { ChoiceSetting, SwitchSetting } from "../../parts/settings/settings.tsx";
import { useSaved } from "../../parts/settings/use-saved.ts";
import { useChat, useChatState } from "../chat-context.ts";
import { INBOX } from "../model/narrow.ts";
import type { Subscription } from "../model/selectors.ts";
import { ConfirmButton } from "../parts/ConfirmButton.tsx";
import classes from "../settings/Settings.module.css";

const SWITCHES = ["is_muted", "pin_to_top"] as const;
/** The user settings that apply while the channel has no value of its own. */
const NOTIFICATIONS = {
  desktop_notifications: "enable_stream_desktop_notifications",
  audible_notifications: "enable_stream_audible_notifications",
  wildcard_mentions_notify: "wildcard_mentions_notify",
} as const;
type NotificationName = keyof typeof NOTIFICATIONS;

export interface OwnSettingsProps {
  channel: Subscription;
  onClose(): void;
}

/** The viewer's settings for a subscribed channel. */
export function OwnSettings({ channel, onClose }: OwnSettingsProps) {
  const { t } = useTranslation();
  const save = useSaveProperty(channel);
  return (
    <div className={classes.form}>
      {SWITCHES.map((name) => (
        <SwitchSetting
          key={name}
          label={t(`subscriptionSettings.switches.${name}`)}
          value={channel[name]}
          save={(value) => save(name, value)}
        />
      ))}
      {(Object.keys(NOTIFICATIONS) as NotificationName[]).map((name) => (
        <NotificationSetting key={name} channel={channel} name={name} />
      ))}
      <ColorSetting channel={channel} />
      <Unsubscribe channel={channel} onClose={onClose} />
    </div>
  );
}

function useSaveProperty({ stream_id }: Subscription) {
  const { chat } = useChat();
  return (property: string, value: boolean | string) =>
    chat.client.call("PATCH /users/me/subscriptions/{stream_id}", { stream_id, property, value });
}

function NotificationSetting({ channel, name }: { channel: Subscription; name: NotificationName }) {
  const { t } = useTranslation();
  const byDefault = useChatState(({ user_settings }) => user_settings?.[NOTIFICATIONS[name]] ?? false);
  const save = useSaveProperty(channel);
  const words = (on: boolean) => t(on ? "subscriptionSettings.on" : "subscriptionSettings.off");
  const value = channel[name];
  return (
    <ChoiceSetting
      label={t(`subscriptionSettings.notices.${name}`)}
      value={String(value)}
      // The server cannot delete a value, so Undo stores the current default.
      save={(chosen) => save(name, chosen === "null" ? byDefault : chosen === "true")}
      choices={[
        ...(value === null
          ? [{ value: "null", label: t("subscriptionSettings.usual", { value: words(byDefault) }) }]
          : []),
        { value: "true", label: words(true) },
        { value: "false", label: words(false) },
      ]}
    />
  );
}

function ColorSetting({ channel }: { channel: Subscription }) {
  const { t } = useTranslation();
  const save = useSaveProperty(channel);
  const label = t("subscriptionSettings.color");
  const { shown, error, change } = useSaved({
    value: channel.color,
    name: label,
    save: (color) => save("color", color),
  });
  return (
    <label className={classes.color}>
      <input
        type="color"
        key={shown}
        defaultValue={shown}
        onBlur={({ target }) => target.value !== shown && change(target.value)}
      />
      {label}
      {error && <span role="alert">{error}</span>}
    </label>
  );
}

function Unsubscribe({ channel, onClose }: OwnSettingsProps) {
  const { t } = useTranslation();
  const { chat, go } = useChat();
  const unsubscribe = async () => {
    await chat.client.call("DELETE /users/me/subscriptions", { subscriptions: [channel.name] });
    onClose();
    if (channel.invite_only) go(INBOX);
  };
  return (
    <div className={classes.actions}>
      <ConfirmButton
        label={t("subscriptionSettings.leave")}
        confirmLabel={t("subscriptionSettings.leaveSure", { name: channel.name })}
        hint={channel.invite_only && <p className={classes.hint}>{t("subscriptionSettings.leavePrivate")}</p>}
        onConfirm={unsubscribe}
      />
    </div>
  );
}
