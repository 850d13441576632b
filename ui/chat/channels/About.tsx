import { Button, NativeSelect } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Channel } from "../../api/state-shape.ts";
import { AskedTwice } from "../AskedTwice.tsx";
import { useChat, useChatState } from "../chat-context.ts";
import { KINDS, type Kind, kindOf, privacyOf, widens } from "../model/channel-kinds.ts";
import { INBOX } from "../model/narrow.ts";
import { administers, creatableKinds } from "../model/permissions.ts";
import { personById, subscriptionTo } from "../model/selectors.ts";
import { SavingNote } from "../settings/SavingNote.tsx";
import classes from "../settings/Settings.module.css";
import { TextSetting } from "../settings/TextSetting.tsx";
import { useSaving } from "../settings/use-saving.ts";
import { Join } from "./Join.tsx";

export interface AboutProps {
  channel: Channel;
  onClose(): void;
}

/** What a channel is; for those who administer it, to change. */
export function About({ channel, onClose }: AboutProps) {
  const { t } = useTranslation();
  const isAdministered = useChatState((state) => administers(state, channel));
  const isSubscribed = useChatState((state) => subscriptionTo(state, channel.stream_id) !== undefined);
  const maker = useChatState((state) =>
    channel.creator_id === null ? undefined : personById(state, channel.creator_id),
  );
  const kind = kindOf(channel);
  return (
    <div className={classes.form}>
      {isAdministered ? (
        <>
          <Text channel={channel} name="new_name" value={channel.name} label={t("newChannel.name")} />
          <Text channel={channel} name="description" value={channel.description} label={t("newChannel.description")} />
          <KindChoice channel={channel} />
        </>
      ) : (
        <>
          {channel.description !== "" && <p>{channel.description}</p>}
          <p className={classes.hint}>
            {t(`channelKinds.names.${kind}`)}: {t(`channelKinds.hints.${kind}`)}
          </p>
        </>
      )}
      <p className={classes.hint}>
        {t("subscriptionSettings.people", { count: channel.subscriber_count })}
        {maker && ` · ${t("channelDialog.madeBy", { name: maker.full_name })}`}
      </p>
      {!isSubscribed && <Join channel={channel} />}
      {isAdministered && <Archive channel={channel} onClose={onClose} />}
    </div>
  );
}

interface TextProps {
  channel: Channel;
  name: "new_name" | "description";
  value: string;
  label: string;
}

function Text({ channel: { stream_id }, name, value, label }: TextProps) {
  const { chat } = useChat();
  const [saving, save] = useSaving();
  return (
    <TextSetting
      label={label}
      value={value}
      isLong={name === "description"}
      onSave={(text) => save(() => chat.client.call("PATCH /streams/{stream_id}", { stream_id, [name]: text }))}
      note={<SavingNote saving={saving} />}
    />
  );
}

/** Who may read it. What lets more people read asks first: what they have read stays known. */
function KindChoice({ channel }: { channel: Channel }) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const [saving, save] = useSaving();
  const [asked, setAsked] = useState<Kind>();
  const kind = kindOf(channel);
  const state = useChatState((value) => value);
  const creatable = creatableKinds(state);
  const kinds = KINDS.filter((one) => one === kind || creatable.includes(one));
  const change = async (next: Kind) => {
    const { invite_only, ...privacy } = privacyOf(next);
    const { stream_id } = channel;
    await save(() =>
      chat.client.call("PATCH /streams/{stream_id}", { stream_id, is_private: invite_only, ...privacy }),
    );
    setAsked(undefined);
  };
  return (
    <>
      <div className={classes.row}>
        <NativeSelect
          label={t("newChannel.kind")}
          description={t(`channelKinds.hints.${asked ?? kind}`)}
          value={asked ?? kind}
          onChange={(event) => {
            const next = event.currentTarget.value as Kind;
            if (widens(kind, next)) setAsked(next);
            else void change(next);
          }}
          data={kinds.map((value) => ({ value, label: t(`channelKinds.names.${value}`) }))}
        />
        <SavingNote saving={saving} />
      </div>
      {asked && (
        <div className={classes.actions}>
          <p className={classes.hint}>{t("channelDialog.widens")}</p>
          <Button size="sm" onClick={() => void change(asked)}>
            {t("channelDialog.widen")}
          </Button>
          <Button size="sm" variant="default" onClick={() => setAsked(undefined)}>
            {t("chat.cancel")}
          </Button>
        </div>
      )}
    </>
  );
}

function Archive({ channel, onClose }: AboutProps) {
  const { t } = useTranslation();
  const { chat, go } = useChat();
  const [saving, save] = useSaving();
  const { stream_id, name } = channel;
  const archive = async () => {
    const isDone = await save(() => chat.client.call("DELETE /streams/{stream_id}", { stream_id }));
    if (isDone) {
      onClose();
      go(INBOX);
    }
    return isDone;
  };
  return (
    <div className={classes.actions}>
      <AskedTwice
        label={t("channelDialog.archive")}
        sureLabel={t("channelDialog.archiveSure", { name })}
        hint={<p className={classes.hint}>{t("channelDialog.archiveHint")}</p>}
        onSure={archive}
      />
      <SavingNote saving={saving} />
    </div>
  );
}
