import { NativeSelect, Switch } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { AskedTwice } from "../AskedTwice.tsx";
import { useChat, useChatState } from "../chat-context.ts";
import { INBOX } from "../model/narrow.ts";
import type { Subscription } from "../model/selectors.ts";
import { SavingNote } from "../settings/SavingNote.tsx";
import classes from "../settings/Settings.module.css";
import { useChosen, useSaving } from "../settings/use-saving.ts";

const SWITCHES = ["is_muted", "pin_to_top"] as const;
/** What each follows where the channel has no setting of its own. */
const NOTICES = {
  desktop_notifications: "enable_stream_desktop_notifications",
  audible_notifications: "enable_stream_audible_notifications",
  wildcard_mentions_notify: "wildcard_mentions_notify",
} as const;
type NoticeName = keyof typeof NOTICES;

export interface OwnSettingsProps {
  channel: Subscription;
  onClose(): void;
}

/** One's own settings for a channel. */
export function OwnSettings({ channel, onClose }: OwnSettingsProps) {
  return (
    <div className={classes.form}>
      {SWITCHES.map((name) => (
        <SwitchRow key={name} channel={channel} name={name} />
      ))}
      {(Object.keys(NOTICES) as NoticeName[]).map((name) => (
        <NoticeRow key={name} channel={channel} name={name} />
      ))}
      <ColorRow channel={channel} />
      <Leave channel={channel} onClose={onClose} />
    </div>
  );
}

/** Saves one property of one's subscription. */
function useSaveProperty({ stream_id }: Subscription) {
  const { chat } = useChat();
  const [saving, save] = useSaving();
  const set = (property: string, value: boolean | string) =>
    save(() => chat.client.call("PATCH /users/me/subscriptions/{stream_id}", { stream_id, property, value }));
  return [saving, set] as const;
}

function SwitchRow({ channel, name }: { channel: Subscription; name: (typeof SWITCHES)[number] }) {
  const { t } = useTranslation();
  const [saving, set] = useSaveProperty(channel);
  const [value, choose] = useChosen(channel[name]);
  return (
    <div className={classes.row}>
      <Switch
        label={t(`subscriptionSettings.switches.${name}`)}
        checked={value}
        onChange={(event) => {
          const { checked } = event.currentTarget;
          choose(checked, () => set(name, checked));
        }}
      />
      <SavingNote saving={saving} />
    </div>
  );
}

function NoticeRow({ channel, name }: { channel: Subscription; name: NoticeName }) {
  const { t } = useTranslation();
  const usual = useChatState(({ user_settings }) => user_settings?.[NOTICES[name]] ?? false);
  const [saving, set] = useSaveProperty(channel);
  const words = (on: boolean) => t(on ? "subscriptionSettings.on" : "subscriptionSettings.off");
  const value = channel[name];
  return (
    <div className={classes.row}>
      <NativeSelect
        label={t(`subscriptionSettings.notices.${name}`)}
        value={String(value)}
        onChange={(event) => void set(name, event.currentTarget.value === "true")}
        data={[
          ...(value === null
            ? [{ value: "null", label: t("subscriptionSettings.usual", { value: words(usual) }) }]
            : []),
          { value: "true", label: words(true) },
          { value: "false", label: words(false) },
        ]}
      />
      <SavingNote saving={saving} />
    </div>
  );
}

function ColorRow({ channel }: { channel: Subscription }) {
  const { t } = useTranslation();
  const [saving, set] = useSaveProperty(channel);
  return (
    <div className={classes.row}>
      <label className={classes.color}>
        <input
          type="color"
          key={channel.color}
          defaultValue={channel.color}
          onBlur={(event) => event.target.value !== channel.color && void set("color", event.target.value)}
        />
        {t("subscriptionSettings.color")}
      </label>
      <SavingNote saving={saving} />
    </div>
  );
}

function Leave({ channel, onClose }: OwnSettingsProps) {
  const { t } = useTranslation();
  const { chat, go } = useChat();
  const [saving, save] = useSaving();
  const leave = async () => {
    const left = await save(() =>
      chat.client.call("DELETE /users/me/subscriptions", { subscriptions: [channel.name] }),
    );
    if (left) onClose();
    if (left && channel.invite_only) go(INBOX);
    return left;
  };
  return (
    <div className={classes.actions}>
      <AskedTwice
        label={t("subscriptionSettings.leave")}
        sureLabel={t("subscriptionSettings.leaveSure", { name: channel.name })}
        hint={channel.invite_only && <p className={classes.hint}>{t("subscriptionSettings.leavePrivate")}</p>}
        onSure={leave}
      />
      <SavingNote saving={saving} />
    </div>
  );
}
